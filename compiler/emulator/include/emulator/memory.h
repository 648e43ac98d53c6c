// Global memory and the unified buffer, with their shadows. A shadow has one bit for each bit of memory: it says
// whether the bit holds a defined value. In the unified buffer a set bit means poisoned, so that untouched rows are
// cheap to test; in global memory a set bit means defined, so that untouched pages of a sparse range stay untouched.
#pragma once

#include <sys/mman.h>

#include <cstring>

#include "emulator/launch.h"

namespace emulator {

__attribute__((noinline)) inline bool AllBytes(const uint8_t* p, uint64_t n, uint8_t value) {
    const uint64_t wide = value * 0x0101010101010101ull;
    uint64_t i = 0;
    for (; i + 32 <= n; i += 32) {
        uint64_t w[4];
        std::memcpy(w, p + i, 32);
        if (((w[0] ^ wide) | (w[1] ^ wide) | (w[2] ^ wide) | (w[3] ^ wide)) != 0) {
            return false;
        }
    }
    for (; i < n; ++i) {
        if (p[i] != value) {
            return false;
        }
    }
    return true;
}

inline uint8_t* MapPages(uint64_t bytes) {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<uint8_t*>(p);
}

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

    void Open(const std::vector<GmRange>& ranges, bool check) {
        Close();
        for (const GmRange& range : ranges) {
            GlobalRange entry{&range, nullptr, range.name == "tiling"};
            if (range.poisoned && range.bytes > 0 && range.base != nullptr) {
                // Sparse ranges keep their holes, and nobody outside looks at the workspace: reading gives poison
                // through the shadow.
                if (range.bytes <= FILL_LIMIT && !(check && range.name == "workspace")) {
                    std::memset(range.base, POISON, range.bytes);
                }
                entry.defined = check ? MapPages(range.bytes) : nullptr;
            }
            ranges_.push_back(entry);
        }
    }

    // The range that holds the address; null if there is none.
    const GlobalRange* Find(const uint8_t* address) const {
        if (last_ < ranges_.size() && Holds(ranges_[last_], address)) {
            return &ranges_[last_];
        }
        for (size_t i = 0; i < ranges_.size(); ++i) {
            if (Holds(ranges_[i], address)) {
                last_ = i;
                return &ranges_[i];
            }
        }
        return nullptr;
    }

    // The range that an address beyond all ranges was probably meant for.
    const GlobalRange* Nearest(const uint8_t* address) const {
        const GlobalRange* best = nullptr;
        for (const GlobalRange& entry : ranges_) {
            const uint8_t* base = entry.range->base;
            if (base != nullptr && base <= address && (best == nullptr || base > best->range->base)) {
                best = &entry;
            }
        }
        return best;
    }

    const GlobalRange* Tiling() const {
        for (const GlobalRange& entry : ranges_) {
            if (entry.tiling) {
                return &entry;
            }
        }
        return nullptr;
    }

private:
    static constexpr uint64_t FILL_LIMIT = 256ull << 20;

    static bool Holds(const GlobalRange& entry, const uint8_t* address) {
        return address >= entry.range->base && address < entry.range->base + entry.range->bytes;
    }

    void Close() {
        for (GlobalRange& entry : ranges_) {
            if (entry.defined != nullptr) {
                munmap(entry.defined, entry.range->bytes);
            }
        }
        ranges_.clear();
        last_ = 0;
    }

    std::vector<GlobalRange> ranges_;
    mutable size_t last_ = 0;
};

// The arena is larger than the product's buffer: a kernel that asks for too much is reported and can still run.
class UnifiedBuffer {
public:
    static constexpr uint64_t ARENA = 1 << 20;
    static constexpr uint64_t GUARD = 64 << 10;

    UnifiedBuffer() {
        pages_ = MapPages(2 * GUARD + ARENA);
        mprotect(pages_, GUARD, PROT_NONE);
        mprotect(pages_ + GUARD + ARENA, GUARD, PROT_NONE);
        data = pages_ + GUARD;
        shadow = MapPages(ARENA);
        dirty_ = MapPages(ARENA / REPEAT);
    }
    ~UnifiedBuffer() {
        munmap(pages_, 2 * GUARD + ARENA);
        munmap(shadow, ARENA);
        munmap(dirty_, ARENA / REPEAT);
    }
    UnifiedBuffer(const UnifiedBuffer&) = delete;
    UnifiedBuffer& operator=(const UnifiedBuffer&) = delete;

    void Reset(bool track, uint64_t bytes) {
        track_ = track;
        std::memset(data, POISON, bytes);
        std::memset(shadow, track ? POISON : 0, bytes);
        std::memset(dirty_, track ? 1 : 0, (bytes + REPEAT - 1) / REPEAT);
    }

    void Poison(uint64_t address, uint64_t bytes) {
        if (!track_ || bytes == 0) {
            return;
        }
        std::memset(data + address, POISON, bytes);
        std::memset(shadow + address, POISON, bytes);
        MarkDirty(address, bytes);
    }

    bool Clean(uint64_t address, uint64_t bytes) const {
        return Untouched(address, bytes) || AllBytes(shadow + address, bytes, 0);
    }

    void Define(uint64_t address, uint64_t bytes) {
        if (Untouched(address, bytes)) {
            return;
        }
        std::memset(shadow + address, 0, bytes);
        uint64_t first = address / REPEAT, last = (address + bytes - 1) / REPEAT;
        std::memset(dirty_ + first, 0, last - first + 1);
        for (uint64_t block : {first, last}) {
            dirty_[block] = !AllBytes(shadow + block * REPEAT, REPEAT, 0);
        }
    }

    // To be called after shadow bits of the range were set from outside.
    void MarkDirty(uint64_t address, uint64_t bytes) {
        if (track_ && bytes > 0) {
            std::memset(dirty_ + address / REPEAT, 1, (address + bytes - 1) / REPEAT - address / REPEAT + 1);
        }
    }

    // To be called after shadow bits of the range were set and cleared from outside.
    void Settle(uint64_t address, uint64_t bytes) {
        for (uint64_t block = address / REPEAT; track_ && block < (address + bytes + REPEAT - 1) / REPEAT; ++block) {
            dirty_[block] = !AllBytes(shadow + block * REPEAT, REPEAT, 0);
        }
    }

    bool track() const { return track_; }

    uint8_t* data = nullptr;
    uint8_t* shadow = nullptr;

private:
    bool Untouched(uint64_t address, uint64_t bytes) const {
        return !track_ || bytes == 0 ||
               AllBytes(dirty_ + address / REPEAT, (address + bytes - 1) / REPEAT - address / REPEAT + 1, 0);
    }

    uint8_t* pages_ = nullptr;
    uint8_t* dirty_ = nullptr;  // for each repeat of memory: may have a shadow bit set
    bool track_ = true;
};

}  // namespace emulator
