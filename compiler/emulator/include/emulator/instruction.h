// What an instruction is: the pipe that runs it, the line that asked for it, and the bytes that it touches.
#pragma once

#include <algorithm>

#include "emulator/keywords.h"
#include "emulator/timeline.h"

namespace emulator {

struct Core;

// Where the kernel calls an API. Every API ends with this parameter; the builtins give the caller's place.
struct Site {
    const char* file = "";
    int line = 0;
    constexpr Site() = default;
    constexpr Site(const char* f, int l) : file(f), line(l) {}
};
#define ASCGRAD_SITE ::emulator::Site site = ::emulator::Site(__builtin_FILE(), __builtin_LINE())

inline const char* Name(Space space) {
    static const char* const names[] = {"the unified buffer", "global memory", "L1", "L0A", "L0B", "L0C", "the bias table",
                                        "the fixpipe buffer"};
    return names[int(space)];
}

inline const char* Name(pipe_t pipe) {
    switch (pipe) {
        case PIPE_S: return "PIPE_S";
        case PIPE_V: return "PIPE_V";
        case PIPE_M: return "PIPE_M";
        case PIPE_MTE1: return "PIPE_MTE1";
        case PIPE_MTE2: return "PIPE_MTE2";
        case PIPE_MTE3: return "PIPE_MTE3";
        case PIPE_FIX: return "PIPE_FIX";
        default: return "PIPE_ALL";
    }
}

// asc: HardEvent; the name says source and destination
constexpr std::pair<pipe_t, pipe_t> PipesOf(AscendC::HardEvent event) {
    constexpr std::pair<pipe_t, pipe_t> pipes[] = {
        {PIPE_MTE2, PIPE_MTE1}, {PIPE_MTE1, PIPE_MTE2}, {PIPE_MTE1, PIPE_M}, {PIPE_M, PIPE_MTE1}, {PIPE_MTE2, PIPE_V},
        {PIPE_V, PIPE_MTE2}, {PIPE_MTE3, PIPE_V}, {PIPE_V, PIPE_MTE3}, {PIPE_M, PIPE_V}, {PIPE_V, PIPE_M}, {PIPE_V, PIPE_V},
        {PIPE_MTE3, PIPE_MTE1}, {PIPE_MTE1, PIPE_MTE3}, {PIPE_MTE1, PIPE_V}, {PIPE_MTE2, PIPE_M}, {PIPE_M, PIPE_MTE2},
        {PIPE_V, PIPE_MTE1}, {PIPE_M, PIPE_FIX}, {PIPE_FIX, PIPE_M}, {PIPE_MTE3, PIPE_MTE2}, {PIPE_MTE2, PIPE_MTE3},
        {PIPE_S, PIPE_V}, {PIPE_V, PIPE_S}, {PIPE_S, PIPE_MTE2}, {PIPE_MTE2, PIPE_S}, {PIPE_S, PIPE_MTE3},
        {PIPE_MTE3, PIPE_S}, {PIPE_MTE2, PIPE_FIX}, {PIPE_FIX, PIPE_MTE2}, {PIPE_FIX, PIPE_S}, {PIPE_M, PIPE_S},
        {PIPE_FIX, PIPE_MTE3}, {PIPE_MTE1, PIPE_FIX}, {PIPE_FIX, PIPE_MTE1}, {PIPE_FIX, PIPE_FIX}};
    static_assert(sizeof(pipes) / sizeof(pipes[0]) == size_t(AscendC::HardEvent::MAX));
    return pipes[int(event)];
}

// asc: general constraints, position -> memory; GM for positions without a memory in the core
constexpr Space SpaceOf(AscendC::TPosition pos) {
    using AscendC::TPosition;
    return pos == TPosition::VECIN || pos == TPosition::VECOUT || pos == TPosition::VECCALC ? Space::UB
           : pos == TPosition::A1 || pos == TPosition::B1 || pos == TPosition::C1 || pos == TPosition::TSCM ? Space::L1
           : pos == TPosition::A2        ? Space::L0A
           : pos == TPosition::B2        ? Space::L0B
           : pos == TPosition::CO1       ? Space::L0C
           : pos == TPosition::C2        ? Space::BT
           : pos == TPosition::C2PIPE2GM ? Space::FB
                                         : Space::GM;
}

// Bytes of a memory: a run, repeated at a step, the whole of that repeated again.
struct Pattern {
    struct Level {
        uint64_t count, step;
    };

    uint64_t begin = 0, end = 0;
    uint64_t run = 0;
    int depth = 0;
    Level level[3] = {};  // from the innermost on

    Pattern() = default;
    Pattern(uint64_t address, uint64_t bytes) : begin(address), end(address + bytes), run(bytes) {}

    // The same `count` times, `step` bytes apart.
    Pattern& Times(uint64_t count, uint64_t step);

    // Nothing from `limit` on.
    void Cut(uint64_t limit);

    // Bytes from the first to the last of what lies inside a level.
    uint64_t Span(int levels) const;

    uint64_t Runs() const;

    // Whether [low, high) holds a byte of it; if so, `at` is one.
    bool Touches(uint64_t low, uint64_t high, uint64_t& at) const;

    // Whether both have a byte in common; if so, `at` is one.
    bool Meets(const Pattern& other, uint64_t& at) const;

    bool Covers(const Pattern& other) const;

private:
    bool Touches(int levels, uint64_t base, uint64_t low, uint64_t high, uint64_t& at) const;

    bool EachTouches(const Pattern& other, int levels, uint64_t base, uint64_t& at) const;
};

// What one operand of an instruction touches. Additions to memory by a copy may come in any order among themselves. Line: of the
// data cache, which goes back to memory as a whole, whatever others have written to it meanwhile.
enum class AccessKind : uint8_t { Read, Write, Add, Line };

inline const char* Verb(AccessKind kind) {
    static const char* const verbs[] = {"reads", "writes", "adds to", "writes with its cache line"};
    return verbs[int(kind)];
}

struct Access {
    Space space;
    AccessKind kind;
    uint64_t bytes;    // in all, as the counters see it
    Pattern pattern;   // of addresses in the memory; in global memory, of this machine
    Core* owner;       // whose memory it is; null: of the core that runs the instruction
    uint64_t rows, pitch;  // of global memory, as the cost model sees it: runs of bytes / rows, from start to start

    Access& Rows(uint64_t count, uint64_t step) {
        rows = count;
        pitch = step;
        return *this;
    }
    bool write() const { return kind != AccessKind::Read; }
};

struct Instruction {
    const char* name;
    pipe_t pipe;
    Site site;
    uint64_t elements;
    bool computes;            // false: a copy, which the vector counters leave out
    uint64_t amount = 0;      // what the cost model counts: repeats of 256 bytes, or multiply-adds of whole fractals
    uint8_t width = 0;        // bytes of an operand's element, of the cube
    bool unitFlag = false;    // Mmad and Fixpipe: they wait for one another at the results
    bool fromMemory = false;  // of PIPE_S: a read of global memory past the data cache
    bool autoSync = true;     // of PIPE_S: one of the accesses that the device compiler orders
    bool cached = false;      // of PIPE_S: in global memory through the data cache
    int accesses = 0;
    Access access[8];

    Instruction(const char* name_, pipe_t pipe_, Site site_, uint64_t elements_ = 0, bool computes_ = true)
        : name(name_), pipe(pipe_), site(site_), elements(elements_), computes(computes_) {}

    Access& Touch(Space space, bool write, uint64_t bytes, const Pattern& pattern);
    Access& Touch(Space space, bool write, uint64_t address, uint64_t bytes);
};

}  // namespace emulator
