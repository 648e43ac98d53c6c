// What a launch did, in program order of each core, as its kernel hands it to the host: the cost model there
// (runtime/placement.h) says when each step happens. Nothing here depends on the order in which cores were emulated.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

enum pipe_t { PIPE_S = 0, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX = 10 };

namespace emulator {

enum class Space : uint8_t { UB, GM, L1, L0A, L0B, L0C, BT, FB };
constexpr int SPACES = 8;
constexpr int PIPES = 11;  // values of pipe_t

// What one instruction moves from or to global memory: `rows` of `bytes` each, `pitch` from start to start.
struct Transfer {
    uint64_t address, rows, bytes, pitch;
    bool write, atomic;
};

// A step takes its place on its pipe after the step before it there, after the steps it waits for, and after the
// scalar unit, which works in program order, has issued it. Steps are named by their index + 1; 0 is none.
struct Step {
    const char* name;
    const char* file;
    int32_t line;
    uint8_t pipe;           // pipe_t; steps on PIPE_S hold up what follows
    bool work = false;      // false: only waits, or only marks a place
    uint8_t from = 0, to = 0;  // Space that data comes from and goes to
    uint8_t width = 0;      // bytes of an operand's element, of the cube
    uint32_t waits = 0, firstWait = 0;  // steps of this core: CoreTimeline::waits
    uint32_t next = 0;      // step on the same pipe
    uint32_t transfer = 0;  // index + 1
    uint32_t join = 0;      // index + 1 of what it waits for
    uint32_t arrives = 0;   // index + 1 of the join that waits for it
    uint64_t amount = 0;    // vector: repeats; cube: multiply-adds, whole fractals; copies: bytes
};

struct CoreTimeline {
    bool cube;
    uint32_t block, subBlock;
    uint32_t first[PIPES] = {};
    std::vector<Step> steps;
    std::vector<uint32_t> waits;
    std::vector<Transfer> transfers;
};

enum class JoinKind : uint8_t { SyncAll, AllCores, Group };  // SyncAll; cross-core flags by the cores that set them

// What cores wait for: steps of several cores.
struct Join {
    JoinKind kind;
    std::vector<std::pair<uint32_t, uint32_t>> arrivals;  // core, step
};

struct Timeline {
    static constexpr uint64_t MOST = 1 << 23;  // steps; a longer launch is not recorded to its end
    std::vector<CoreTimeline> cores;
    std::vector<Join> joins;
    uint64_t steps = 0;
    bool complete() const { return steps < MOST; }
};

}  // namespace emulator
