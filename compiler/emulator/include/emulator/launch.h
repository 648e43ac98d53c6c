// The contract between the host side of the emulator (which launches) and a compiled kernel (which runs).
// A kernel file is compiled with runtime/kernel_entry.cpp and linked with device/*.cpp into a shared object that exports
//     extern "C" void ascgrad_run(const emulator::LaunchRequest*, emulator::LaunchReport*);
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/timeline.h"

namespace emulator {

// One allocation in global memory that the kernel may touch.
struct GmRange {
    uint8_t* base = nullptr;
    uint64_t bytes = 0;
    std::string name;        // parameter name, "workspace" or "tiling"
    bool writable = false;   // outputs and workspace
    bool poisoned = false;   // holds no defined value before the kernel writes it (outputs and workspace)
};

// A rule that does not hold. file and line point into the kernel's source, as seen by the caller of the API.
struct Finding {
    std::string kind;        // "bounds", "poison", "alignment", "capacity", "api", "queue", "freed", "order", ...
    std::string file;
    int line = 0;
    std::string message;
    std::vector<uint64_t> callers;  // where the calls stand that led to the line, as offsets in the shared object, innermost first
};

struct LaunchRequest {
    std::map<std::string, double> product;  // the product file, flattened: "memory.ub" -> 253952, "limits.repeat" -> 255, ...
    uint64_t tilingKey = 0;
    uint32_t blockDim = 1;
    uint32_t scheduleMode = 0;
    bool autoSync = true;                   // the device compiler's default synchronisation
    bool check = true;                      // findings beyond bounds (poison, alignment, ...)
    bool callers = false;                   // findings have their callers
    bool timeline = true;                   // whether the report has one
    bool numbers = true;                    // false: nothing is computed or stored, for counters and the timeline of large
                                            // shapes; copies into local memories happen, scalars may read them
    std::string order = "forward";          // forward | reverse | random:SEED
    std::vector<uint32_t> blocks;           // block indices to run; empty: all
    std::vector<void*> args;                // inputs, outputs, workspace, tiling in definition order; null when absent
    std::vector<GmRange> ranges;            // what args may point into
};

struct LaunchReport {
    std::vector<Finding> findings;          // repeated findings of one place are reported once
    std::map<std::string, double> counters; // gm_read_bytes, gm_write_bytes, vector_instructions, ... ; "paths.gm_to_ub", "peak.ub"
    Timeline timeline;
};

}  // namespace emulator
