// The cost model: when each step of a launch happens.
//
// A discrete simulation. Steps start in the order of time, cores that start at the same time in the order of their index:
// the result depends on what the cores did, not on the order in which they were emulated.
//   Scalar unit   works through the program of its core, issues the steps of the other pipes, and stops where it waits.
//   Pipe          one step at a time, in order. A step ends `latency` after it leaves its pipe; who waits, waits for that.
//   L2, HBM       one server each for the whole chip. Every byte from or to global memory passes L2; what is not in L2
//                 passes HBM too: the first access of each sector, and again once it was replaced (least recently used
//                 first). A written sector is paid at HBM when it becomes dirty; writing it again while it is in L2 is free.
//   Joins         SyncAll and cross-core flags: who waits goes on when the last of those that it waits for is there.
// Not modelled: conflicts of banks and of addresses, misses of the instruction cache, arithmetic of the scalar unit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator/launch.h"

namespace emulator {

// Thrown where the product has no rate that an instruction needs.
struct RateError {
    std::string name;
};

struct Placed {
    double issued = -1, start = -1, leaves = 0, ends = 0;  // cycles; start < 0: not placed
    uint32_t held = 0;  // step of the same core that it waited for last; 0: none
};

struct Placement {
    double cycles = 0;                              // of the launch: the last end
    double head = 0;                                // before the first instruction
    std::vector<std::vector<Placed>> steps;         // core, step
    std::vector<std::vector<double>> busy;          // core, pipe: cycles of work
    double gmBytes = 0, hbmBytes = 0;               // moved from and to global memory, and those of them that HBM moved
    double vectorSlots = 0, cubeCycles = 0;         // of all cores, at nominal rates
};

Placement Place(const Timeline& timeline, const std::map<std::string, double>& product, const std::vector<GmRange>& ranges);

const char* PipeName(int pipe);

// Chrome trace JSON: a process for each core, a thread for each pipe, times in microseconds; work and waits are events of
// these categories. Of a long launch only some cores are written: the one that ends last, then in the order of their index
// as many as make `most` steps. False when the file cannot be written.
bool WriteTrace(const std::string& path, const Timeline& timeline, const Placement& placement, double cyclesPerMicrosecond,
                size_t most = 100000);

}  // namespace emulator
