// Happens-before among the pipes of all cores of a launch.
//
// A pipe counts epochs: one ends whenever another pipe can learn that the pipe has come so far (a flag, a queue, a
// barrier, a flag between cores). Accesses of one epoch are alike for everybody else, so a memory keeps one record for
// many of them. Each pipe has a clock: the last epoch of every pipe, of its core and of others, whose work is complete
// before the pipe's next instruction starts. Two accesses to the same bytes, of which one writes, are ordered if the
// clock of the later one's pipe holds the epoch of the earlier one; else they are a hazard.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/recorder.h"

namespace emulator {

constexpr int ORDERED_PIPES = 8;
constexpr int IndexOf(pipe_t pipe) { return pipe == PIPE_FIX ? 7 : int(pipe); }
constexpr pipe_t PipeAt(int index) { return index == 7 ? PIPE_FIX : pipe_t(index); }

// The last complete epoch of each pipe of a core.
struct Epochs {
    uint32_t of[ORDERED_PIPES] = {};

    void Join(const Epochs& other) {
        for (int i = 0; i < ORDERED_PIPES; ++i) {
            of[i] = std::max(of[i], other.of[i]);
        }
    }
    bool Holds(const Epochs& other) const {
        bool holds = true;
        for (int i = 0; i < ORDERED_PIPES; ++i) {
            holds &= of[i] >= other.of[i];
        }
        return holds;
    }
};

// The same of all cores of the launch. Shared, and replaced rather than changed: it grows only where cores meet.
using Everywhere = std::vector<Epochs>;
using Shared = std::shared_ptr<const Everywhere>;

bool Holds(const Everywhere& a, const Everywhere& b);

Shared Union(const Shared& a, const Shared& b);

// What a pipe knows to be complete.
struct Clock {
    Epochs own;     // of its core
    Shared others;  // null: nothing

    void Join(const Clock& other) {
        own.Join(other.own);
        if (others != other.others) {
            others = Union(others, other.others);
        }
    }
};

// An access that later ones have to be ordered with.
struct Record {
    Pattern pattern;
    uint32_t epoch;
    uint16_t core;
    uint8_t pipe;
    AccessKind kind;
    bool unitFlag, autoSync, fromMemory;
    const char* name;
    Site site;

    bool SamePlace(const Record& other) const { return core == other.core && pipe == other.pipe && epoch == other.epoch; }
    bool Conflicts(const Record& other) const {
        if (kind == AccessKind::Line || other.kind == AccessKind::Line) {
            return core != other.core && kind != AccessKind::Read && other.kind != AccessKind::Read;
        }
        return kind != other.kind || kind == AccessKind::Write;
    }
};

// The records of a memory, or of a page of global memory.
class Accesses {
public:
    // f(record, a byte that both touch) for each record that conflicts with `now` and is not in what its pipe knows.
    template <class F>
    void EachUnordered(const Record& now, const Clock& known, bool pipeInOrder, const F& f) const {
        for (const Record& before : records_) {
            if (before.pattern.begin >= now.pattern.end || now.pattern.begin >= before.pattern.end || !before.Conflicts(now)) {
                continue;
            }
            if (before.core == now.core) {
                if (known.own.of[before.pipe] >= before.epoch || (before.pipe == now.pipe && pipeInOrder)) {
                    continue;
                }
            } else if (known.others != nullptr && (*known.others)[before.core].of[before.pipe] >= before.epoch) {
                continue;
            }
            uint64_t at = 0;
            if (before.pattern.Meets(now.pattern, at)) {
                f(before, at);
            }
        }
    }

    void Add(const Record& now, bool shared);
    void Clear() { records_.clear(); }
    size_t size() const { return records_.size(); }

private:
    static bool SameSite(const Record& a, const Record& b);
    // Takes in a run that touches this one.
    static bool Extend(Pattern& p, const Pattern& q);
    // Takes in a further row.
    static bool AddRow(Pattern& p, const Pattern& q);

    std::vector<Record> records_;
};

// Global memory in pages, so that an access meets only what lies near it. Inputs are never written and not kept.
class GlobalAccesses {
public:
    // f(accesses, the part of the pattern that lies in their page)
    template <class F>
    void EachPage(const Pattern& p, const F& f) {
        if (p.depth == 0) {
            for (uint64_t page = p.begin >> PAGE; page <= (p.end - 1) >> PAGE; ++page) {
                const uint64_t from = std::max(p.begin, page << PAGE), to = std::min(p.end, (page + 1) << PAGE);
                f(pages_[page], Pattern(from, to - from));
            }
            return;
        }
        const Pattern::Level rows = p.level[p.depth - 1];
        const uint64_t span = p.Span(p.depth - 1);
        for (uint64_t row = 0, last = 0; row < rows.count; row = last + 1) {
            const uint64_t begin = p.begin + row * rows.step, page = begin >> PAGE;
            last = std::min(rows.count - 1, row + ((((page + 1) << PAGE) - 1 - begin) / rows.step));
            Pattern part = p;
            part.begin = begin;
            part.depth -= 1;
            part.end = begin + span;
            part.Times(last - row + 1, rows.step);
            if (part.depth == 0) {
                EachPage(part, f);
                continue;
            }
            for (uint64_t at = page; at <= (part.end - 1) >> PAGE; ++at) {
                f(pages_[at], part);
            }
        }
    }
    void Clear() { pages_.clear(); }

private:
    static constexpr int PAGE = 16;  // bits of an offset in a page
    std::unordered_map<uint64_t, Accesses> pages_;
};

// Two accesses that nothing orders: of one core in its order, of two the one that writes first.
struct Hazard {
    Record first, second;
    uint64_t low, high;    // the bytes that both touch, from the start of the buffer or the range
    bool global;           // in global memory
    uint64_t place;        // there the address of the range, else the line that made the buffer
    std::string memory;
    std::string cores[2];
    std::vector<uint64_t> callers;  // of the access that a finding is placed at, where that one comes later

    bool OneCore() const { return first.core == second.core; }
    // Of the rest of a cache line, not of the bytes that are written.
    bool OfLine() const { return first.kind == AccessKind::Line || second.kind == AccessKind::Line; }
    bool SamePlaces(const Hazard& other) const {
        const auto same = [](Site a, Site b) { return a.line == b.line && std::strcmp(a.file, b.file) == 0; };
        return (same(first.site, other.first.site) && same(second.site, other.second.site)) ||
               (same(first.site, other.second.site) && same(second.site, other.first.site));
    }
};

// Found anew in every core and every pass of a loop, told once for each two lines and memory, of one core and of two: of
// the lowest cores, with all bytes that it concerns there. So no order of the cores changes what is told.
class Hazards {
public:
    // describe(hazard) gives the names.
    template <class F>
    void Add(Hazard hazard, const F& describe) {
        if (hazard.first.core != hazard.second.core && Before(hazard.second, hazard.first)) {
            std::swap(hazard.first, hazard.second);
        }
        for (Hazard& known : found_) {
            if (!Same(known.first, hazard.first) || !Same(known.second, hazard.second) || known.place != hazard.place ||
                known.OneCore() != hazard.OneCore()) {
                continue;
            }
            const auto cores = std::make_pair(hazard.first.core, hazard.second.core), least = std::make_pair(known.first.core, known.second.core);
            if (cores < least) {
                describe(hazard);
                known = std::move(hazard);
            } else if (cores == least) {
                known.low = std::min(known.low, hazard.low);
                known.high = std::max(known.high, hazard.high);
            }
            return;
        }
        describe(hazard);
        found_.push_back(std::move(hazard));
    }
    std::vector<Hazard> Sorted() const;

private:
    static int Compare(const Record& a, const Record& b);
    static int Rank(AccessKind kind) { return kind == AccessKind::Write ? 0 : kind == AccessKind::Add ? 1 : kind == AccessKind::Line ? 2 : 3; }
    static bool Same(const Record& a, const Record& b) { return Compare(a, b) == 0; }
    static bool Before(const Record& a, const Record& b) { return Compare(a, b) < 0 || (Compare(a, b) == 0 && a.core < b.core); }

    std::vector<Hazard> found_;
};

}  // namespace emulator
