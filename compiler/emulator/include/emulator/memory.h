// Global memory and the unified buffer, with their shadows. A shadow has one bit for each bit of memory: it says
// whether the bit holds a defined value. In the unified buffer a set bit means poisoned, so that untouched rows are
// cheap to test; in global memory a set bit means defined, so that untouched pages of a sparse range stay untouched.
#pragma once

#include <sys/mman.h>

#include <cstring>

#include "emulator/launch.h"

namespace emulator {

bool AllBytes(const uint8_t* p, uint64_t n, uint8_t value);

uint8_t* MapPages(uint64_t bytes);

constexpr uint64_t BLOCK = 32;     // bytes of a data block
constexpr uint64_t REPEAT = 256;   // bytes of a repeat
constexpr uint8_t POISON = 0xFF;   // NaN in every floating type

struct GlobalRange {
    const GmRange* range = nullptr;
    uint8_t* defined = nullptr;  // null: every byte is defined
    bool tiling = false;

    uint8_t* Defined(const uint8_t* address) const { return defined ? defined + (address - range->base) : nullptr; }
};

class GlobalMemory {
public:
    ~GlobalMemory() { Close(); }

    void Open(const std::vector<GmRange>& ranges, bool check);

    // The range that holds the address; null if there is none.
    const GlobalRange* Find(const uint8_t* address) const;

    // The range that an address beyond all ranges was probably meant for.
    const GlobalRange* Nearest(const uint8_t* address) const;

    const GlobalRange* Tiling() const;

private:
    static constexpr uint64_t FILL_LIMIT = 256ull << 20;

    static bool Holds(const GlobalRange& entry, const uint8_t* address) {
        return address >= entry.range->base && address < entry.range->base + entry.range->bytes;
    }

    void Close();

    std::vector<GlobalRange> ranges_;
    mutable size_t last_ = 0;
};

// The arena is larger than the product's buffer: a kernel that asks for too much is reported and can still run.
class UnifiedBuffer {
public:
    static constexpr uint64_t ARENA = 1 << 20;
    static constexpr uint64_t GUARD = 64 << 10;

    UnifiedBuffer();
    ~UnifiedBuffer();
    UnifiedBuffer(const UnifiedBuffer&) = delete;
    UnifiedBuffer& operator=(const UnifiedBuffer&) = delete;

    void Reset(bool track, uint64_t bytes);

    void Poison(uint64_t address, uint64_t bytes);

    bool Clean(uint64_t address, uint64_t bytes) const;

    void Define(uint64_t address, uint64_t bytes);

    // To be called after shadow bits of the range were set from outside.
    void MarkDirty(uint64_t address, uint64_t bytes);

    // To be called after shadow bits of the range were set and cleared from outside.
    void Settle(uint64_t address, uint64_t bytes);

    bool track() const { return track_; }

    uint8_t* data = nullptr;
    uint8_t* shadow = nullptr;

private:
    bool Untouched(uint64_t address, uint64_t bytes) const;

    uint8_t* pages_ = nullptr;
    uint8_t* dirty_ = nullptr;  // for each repeat of memory: may have a shadow bit set
    bool track_ = true;
};

}  // namespace emulator
