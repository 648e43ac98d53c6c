// Data movement between global memory and local memories, and between local memories, of data as it is.
#pragma once

#include "emulator/fill.h"
#include "emulator/pipe.h"

namespace emulator {

enum class PadMode : uint8_t { None, First, Value, Random };

// A copy of blocks. Steps go from one block's start to the next one's.
struct Blocks {
    const char* name;
    Site site;
    uint64_t count = 0, bytes = 0;
    uint64_t gmStep = 0, ubStep = 0;
    uint64_t left = 0, right = 0;  // padding in the unified buffer around each block
    uint32_t elem = 1;
    PadMode pad = PadMode::None;
    uint64_t padValue = 0;
    bool plain = false;  // DataCopy, not DataCopyPad: reaches L1 too
};

ASCGRAD_OUTLINE void CopyIn(UnifiedBuffer& ub, uint64_t to, const uint8_t* from, const uint8_t* defined, uint64_t bytes) {
    if (defined == nullptr || AllBytes(defined, bytes, 0xFF)) {
        std::memcpy(ub.data + to, from, bytes);
        ub.Define(to, bytes);
        return;
    }
    for (uint64_t i = 0; i < bytes; ++i) {
        uint8_t bits = uint8_t(~defined[i]);
        ub.data[to + i] = from[i] | bits;
        ub.shadow[to + i] = bits;
    }
    ub.MarkDirty(to, bytes);
}

// Between two memories, with what is undefined.
ASCGRAD_OUTLINE void CopyLocal(UnifiedBuffer& to, uint64_t dst, const UnifiedBuffer& from, uint64_t src, uint64_t bytes) {
    std::memcpy(to.data + dst, from.data + src, bytes);
    if (from.Clean(src, bytes)) {
        to.Define(dst, bytes);
    } else {
        std::memcpy(to.shadow + dst, from.shadow + src, bytes);
        to.MarkDirty(dst, bytes);
    }
}

ASCGRAD_OUTLINE void PadUb(UnifiedBuffer& ub, const Blocks& b, uint64_t at, uint64_t bytes, uint64_t block) {
    if (bytes == 0) {
        return;
    }
    uint64_t value = b.padValue;
    if (b.pad == PadMode::Random) {
        ub.Poison(at, bytes);
        return;
    }
    ub.Define(at, bytes);
    if (b.pad == PadMode::First) {
        value = 0;
        std::memcpy(&value, ub.data + block, b.elem);
        if (!ub.Clean(block, b.elem)) {
            ub.Poison(at, bytes);
        }
    }
    for (uint64_t i = 0; i + b.elem <= bytes; i += b.elem) {
        std::memcpy(ub.data + at + i, &value, b.elem);
    }
}

// Whether [address, address + bytes) lies in one range, without a word.
inline bool InRange(const uint8_t* address, uint64_t bytes) {
    const GlobalRange* entry = Current().launch.gm.Find(address);
    return entry != nullptr && bytes <= entry->range->bytes - uint64_t(address - entry->range->base);
}

inline int64_t Alignment(Space space) {
    const Product& product = Current().launch.product;
    return space == Space::UB ? product.ubAlignment : space == Space::L1 ? product.l1Alignment
           : space == Space::L0C ? product.l0cAlignment : space == Space::BT ? product.biasAlignment : product.l0Alignment;
}

ASCGRAD_OUTLINE void CheckAlignment(const char* api, const Tensor& t, int64_t alignment, const char* role, Site site) {
    if (t.address % uint64_t(alignment) != 0) {
        ASCGRAD_REPORT("alignment", site, "%s: %s starts at byte %llu of %s, which is no multiple of %lld", api, role,
                       (unsigned long long)t.address, Name(SpaceOf(t.position)), (long long)alignment);
    }
}

// The memory of a tensor of this core; null, with a finding, when the copy does not reach it.
inline UnifiedBuffer* MemoryOf(const Blocks& b, const Tensor& t, const char* role, uint32_t spaces) {
    return CheckPlace(t, spaces, b.name, role, b.site) ? Current().local[int(SpaceOf(t.position))] : nullptr;
}

// Drops the blocks that leave the local tensor.
ASCGRAD_OUTLINE bool FitBlocks(Blocks& b, const Tensor& t, uint64_t perBlock, const char* role) {
    CheckAlignment(b.name, t, Alignment(SpaceOf(t.position)), role, b.site);
    uint64_t extent = (b.count - 1) * b.ubStep + perBlock;
    uint64_t limit = FitTensor(t, extent, b.name, role, b.site);
    while (b.count > 0 && (b.count - 1) * b.ubStep + perBlock > limit) {
        b.count -= 1;
    }
    return b.count > 0;
}

ASCGRAD_OUTLINE void MoveIn(Blocks b, const Tensor& dst, const uint8_t* src) {
    Core& core = Current();
    const uint64_t perBlock = (b.left + b.bytes + b.right + BLOCK - 1) / BLOCK * BLOCK;
    UnifiedBuffer* memory = MemoryOf(b, dst, "dst", Bit(Space::UB) | (b.plain ? Bit(Space::L1) : 0));
    if (memory == nullptr || !FitBlocks(b, dst, perBlock, "dst")) {
        return;
    }
    if (uintptr_t(src) % b.elem != 0) {
        ASCGRAD_REPORT("alignment", b.site, "%s: the address in global memory is no multiple of the element's %u bytes", b.name, b.elem);
    }
    const uint64_t extent = (b.count - 1) * b.gmStep + b.bytes;
    GlobalSpan span = CheckGlobal(src, extent, false, b.name, b.site);
    UnifiedBuffer& ub = *memory;
    const bool packed = span && b.gmStep == b.bytes && b.ubStep == b.bytes && b.left + b.right == 0 && b.bytes % BLOCK == 0;
    Instruction instruction{b.name, PIPE_MTE2, b.site, b.count * b.bytes / b.elem};
    instruction.Touch(Space::GM, false, b.count * b.bytes, Pattern(uint64_t(uintptr_t(src)), b.bytes).Times(b.count, b.gmStep)).Rows(b.count, b.gmStep);
    instruction.Touch(SpaceOf(dst.position), true, b.count * perBlock, Pattern(dst.address, perBlock).Times(b.count, b.ubStep));
    if (packed) {
        CopyIn(ub, dst.address, src, span.range->Defined(src), extent);
    } else {
        for (uint64_t i = 0; i < b.count; ++i) {
            const uint8_t* from = src + i * b.gmStep;
            uint64_t start = dst.address + i * b.ubStep, to = start + b.left;
            if (!span && !InRange(from, b.bytes)) {
                ub.Poison(start, perBlock);
                continue;
            }
            const GlobalRange* entry = span ? span.range : core.launch.gm.Find(from);
            CopyIn(ub, to, from, entry->Defined(from), b.bytes);
            PadUb(ub, b, start, b.left, to);
            PadUb(ub, b, to + b.bytes, perBlock - b.left - b.bytes, to);
        }
    }
    if (span && span.range->tiling) {
        core.counters.tiling += b.count * b.bytes;
    } else {
        core.counters.gmRead += b.count * b.bytes;
        (SpaceOf(dst.position) == Space::L1 ? core.counters.gmToL1 : core.counters.gmToUb) += b.count * b.bytes;
    }
    core.Issue(instruction);
}

enum class Atomic : uint8_t { ADD, MAX, MIN };

template <class T, class F>
inline void Combine(uint8_t* to, const uint8_t* from, uint64_t bytes) {
    for (uint64_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
        T a, b;
        std::memcpy(&a, to + i, sizeof(T));
        std::memcpy(&b, from + i, sizeof(T));
        T result = Lane<T>::Store(F()(Lane<T>::Load(a), Lane<T>::Load(b)));
        std::memcpy(to + i, &result, sizeof(T));
    }
}
using AtomicFunction = void (*)(uint8_t*, const uint8_t*, uint64_t);

template <class F>
inline AtomicFunction CombineBy(DType type) {
    switch (type) {
        case DType::I8: return &Combine<int8_t, F>;
        case DType::I16: return &Combine<int16_t, F>;
        case DType::F16: return &Combine<half, F>;
        case DType::BF16: return &Combine<bfloat16_t, F>;
        case DType::I32: return &Combine<int32_t, F>;
        default: return &Combine<float, F>;
    }
}

ASCGRAD_OUTLINE void MoveOut(Blocks b, uint8_t* dst, const Tensor& src, AtomicFunction atomic) {
    Core& core = Current();
    // asc: L1 -> GM exists on 2201 only
    const bool fromL1 = b.plain && __NPU_ARCH__ == 2201;
    UnifiedBuffer* memory = MemoryOf(b, src, "src", Bit(Space::UB) | (fromL1 ? Bit(Space::L1) : 0));
    // The last block's padding is not read, so it does not have to exist.
    if (memory == nullptr || !FitBlocks(b, src, b.bytes, "src")) {
        return;
    }
    if (uintptr_t(dst) % b.elem != 0) {
        ASCGRAD_REPORT("alignment", b.site, "%s: the address in global memory is no multiple of the element's %u bytes", b.name, b.elem);
    }
    const uint64_t extent = (b.count - 1) * b.gmStep + b.bytes;
    GlobalSpan span = CheckGlobal(dst, extent, true, b.name, b.site);
    UnifiedBuffer& ub = *memory;
    for (uint64_t i = 0; core.numbers() && i < b.count; ++i) {
        uint8_t* to = dst + i * b.gmStep;
        uint64_t from = src.address + i * b.ubStep;
        if (!span && !InRange(to, b.bytes)) {
            continue;
        }
        const GlobalRange* entry = span ? span.range : core.launch.gm.Find(to);
        if (!entry->range->writable) {
            continue;
        }
        uint8_t* defined = entry->Defined(to);
        const bool clean = ub.Clean(from, b.bytes);
        if (!clean && core.launch.check) {
            uint64_t k = 0;
            while (ub.shadow[from + k] == 0) {
                ++k;
            }
            ASCGRAD_REPORT("poison", b.site, "%s stores element %llu of block %llu to %s, which holds no defined value", b.name,
                           (unsigned long long)(k / b.elem), (unsigned long long)i, entry->range->name.c_str());
        }
        if (atomic != nullptr) {
            if (defined != nullptr && !AllBytes(defined, b.bytes, 0xFF)) {
                ASCGRAD_REPORT("poison", b.site, "%s adds to %s, which holds no defined value there", b.name, entry->range->name.c_str());
            }
            atomic(to, ub.data + from, b.bytes);
        } else {
            std::memcpy(to, ub.data + from, b.bytes);
        }
        if (defined != nullptr) {
            if (clean) {
                std::memset(defined, 0xFF, b.bytes);
            } else {
                for (uint64_t k = 0; k < b.bytes; ++k) {
                    defined[k] = uint8_t(~ub.shadow[from + k]);
                }
            }
        }
    }
    core.counters.gmWrite += b.count * b.bytes;
    (SpaceOf(src.position) == Space::L1 ? core.counters.l1ToGm : core.counters.ubToGm) += b.count * b.bytes;
    Instruction instruction{b.name, PIPE_MTE3, b.site, b.count * b.bytes / b.elem};
    instruction.Touch(SpaceOf(src.position), false, b.count * b.bytes, Pattern(src.address, b.bytes).Times(b.count, b.ubStep));
    instruction.Touch(Space::GM, true, b.count * b.bytes, Pattern(uint64_t(uintptr_t(dst)), b.bytes).Times(b.count, b.gmStep)).Rows(b.count, b.gmStep).kind =
        atomic != nullptr ? AccessKind::Add : AccessKind::Write;
    core.Issue(instruction);
}

ASCGRAD_OUTLINE void MoveInside(Blocks b, const Tensor& dst, const Tensor& src, uint64_t srcStep) {
    Core& core = Current();
    Blocks other = b;
    other.ubStep = srcStep;
    const bool toBias = SpaceOf(dst.position) == Space::BT && b.count == 1;
    UnifiedBuffer* source = MemoryOf(b, src, "src", toBias ? Bit(Space::L1) : Bit(Space::UB));
    UnifiedBuffer* target = nullptr;
    const bool toL1 = SpaceOf(dst.position) == Space::L1;
    if (source != nullptr && toL1 && CheckUse(dst, b.name, "dst", b.site)) {
        // asc: UB -> L1 is a path of the hardware on 3510; elsewhere the Matmul object emulates it. A vector core writes
        // to the L1 of its group.
        if (__NPU_ARCH__ != 3510 || core.cube == nullptr) {
            ASCGRAD_REPORT("api", b.site, "%s: there is no path from the unified buffer to L1 %s", b.name,
                           __NPU_ARCH__ != 3510 ? "on this product" : "in a kernel without cube cores");
            return;
        }
        target = core.cube->local[int(Space::L1)];
    } else if (source != nullptr && !toL1) {
        target = MemoryOf(b, dst, "dst", toBias ? Bit(Space::BT) : Bit(Space::UB));
    }
    if (source == nullptr || target == nullptr || !FitBlocks(b, dst, b.bytes, "dst") || !FitBlocks(other, src, b.bytes, "src")) {
        return;
    }
    b.count = std::min(b.count, other.count);
    if (toL1 || toBias) {
        for (uint64_t i = 0; i < b.count; ++i) {
            CopyLocal(*target, dst.address + i * b.ubStep, *source, src.address + i * srcStep, b.bytes);
        }
        core.counters.ubToL1 += toL1 ? b.count * b.bytes : 0;
        Instruction instruction{b.name, toL1 ? PIPE_MTE3 : PIPE_MTE1, b.site, b.count * b.bytes / b.elem};
        instruction.Touch(SpaceOf(src.position), false, b.count * b.bytes, Pattern(src.address, b.bytes).Times(b.count, srcStep));
        instruction.Touch(SpaceOf(dst.position), true, b.count * b.bytes, Pattern(dst.address, b.bytes).Times(b.count, b.ubStep)).owner =
            toL1 ? core.cube : nullptr;
        core.Issue(instruction);
        return;
    }
    UnifiedBuffer& ub = *source;
    for (uint64_t i = 0; i < b.count; ++i) {
        uint64_t to = dst.address + i * b.ubStep, from = src.address + i * srcStep;
        std::memmove(ub.data + to, ub.data + from, b.bytes);
        if (ub.Clean(from, b.bytes)) {
            ub.Define(to, b.bytes);
        } else {
            std::memmove(ub.shadow + to, ub.shadow + from, b.bytes);
            ub.MarkDirty(to, b.bytes);
        }
    }
    core.counters.ubToUb += b.count * b.bytes;
    Instruction instruction{b.name, PIPE_V, b.site, b.count * b.bytes / b.elem, false};
    instruction.amount = (b.count * b.bytes + REPEAT - 1) / REPEAT;
    instruction.Touch(Space::UB, false, b.count * b.bytes, Pattern(src.address, b.bytes).Times(b.count, srcStep));
    instruction.Touch(Space::UB, true, b.count * b.bytes, Pattern(dst.address, b.bytes).Times(b.count, b.ubStep));
    core.Issue(instruction);
}

ASCGRAD_OUTLINE bool InLimits(const Blocks& b, const char* field, int64_t value, int64_t low, int64_t high) {
    if (value < low || value > high) {
        ASCGRAD_REPORT("limit", b.site, "%s: %s is %lld, %lld to %lld is allowed", b.name, field, (long long)value, (long long)low,
                       (long long)high);
        return false;
    }
    return true;
}

// DataCopy(count): whole data blocks. asc: count * sizeof(T) is rounded down
ASCGRAD_OUTLINE bool CountBlocks(Blocks& b, int64_t count) {
    uint64_t bytes = uint64_t(count) * b.elem;
    b.plain = true;
    if (bytes % BLOCK != 0) {
        ASCGRAD_REPORT("alignment", b.site, "%s: count %lld is %llu bytes, which is no multiple of 32: the rest is not copied", b.name,
                       (long long)count, (unsigned long long)bytes);
        bytes = bytes / BLOCK * BLOCK;
    }
    if (bytes == 0) {
        if (count == 0 && !Current().launch.product.zeroCountIsNop) {
            ASCGRAD_REPORT("count", b.site, "%s: count is 0, it has to be positive on this product", b.name);
        }
        return false;
    }
    b.count = 1;
    b.bytes = b.gmStep = b.ubStep = bytes;
    return true;
}

// DataCopyParams: everything in data blocks, 16 bits wide. asc: a blockCount or blockLen of 0 does nothing
ASCGRAD_OUTLINE bool BurstBlocks(Blocks& b, const AscendC::DataCopyParams& p, bool srcIsGm, uint64_t* srcStep = nullptr) {
    const Product& product = Current().launch.product;
    b.plain = true;
    if (!InLimits(b, "blockCount", p.blockCount, 0, product.blockCount) || !InLimits(b, "blockLen", p.blockLen, 0, 65535) ||
        !InLimits(b, "srcGap", p.srcGap, 0, 65535) || !InLimits(b, "dstGap", p.dstGap, 0, 65535)) {
        return false;
    }
    if (p.blockCount == 0 || p.blockLen == 0) {
        return false;
    }
    b.count = uint64_t(p.blockCount);
    b.bytes = uint64_t(p.blockLen) * BLOCK;
    uint64_t src = b.bytes + uint64_t(p.srcGap) * BLOCK, dst = b.bytes + uint64_t(p.dstGap) * BLOCK;
    b.gmStep = srcIsGm ? src : dst;
    b.ubStep = srcIsGm ? dst : src;
    if (srcStep != nullptr) {
        *srcStep = src;
        b.ubStep = dst;
    }
    return true;
}

// DataCopyPad: lengths and strides of global memory in bytes, strides of the unified buffer in data blocks.
ASCGRAD_OUTLINE bool PadBlocks(Blocks& b, int64_t blockCount, int64_t blockLen, int64_t gmStride, int64_t ubStride, bool narrow) {
    const Product& product = Current().launch.product;
    const char* gmName = b.left == ~0ull ? "dstStride" : "srcStride";
    const char* ubName = b.left == ~0ull ? "srcStride" : "dstStride";
    b.left = 0;
    const int64_t lowest = __NPU_ARCH__ == 3510 && !narrow ? -blockLen : 0;
    if (!InLimits(b, "blockCount", blockCount, 0, product.blockCount) ||
        !InLimits(b, "blockLen", blockLen, 0, narrow ? 65535 : product.blockBytes) ||
        !InLimits(b, gmName, gmStride, lowest, narrow ? 65535 : product.gmStride) ||
        !InLimits(b, ubName, ubStride, 0, narrow ? 65535 : product.ubStride)) {
        return false;
    }
    if (blockCount == 0 || blockLen == 0) {
        return false;  // asc: does nothing on every product
    }
    if (blockLen % b.elem != 0) {
        ASCGRAD_REPORT("alignment", b.site, "%s: blockLen %lld is no multiple of the element's %u bytes", b.name, (long long)blockLen, b.elem);
    }
    b.count = uint64_t(blockCount);
    b.bytes = uint64_t(blockLen);
    b.gmStep = uint64_t(blockLen + gmStride);
    b.ubStep = (b.bytes + BLOCK - 1) / BLOCK * BLOCK + uint64_t(ubStride) * BLOCK;
    return true;
}

// asc: DataCopyPad; without paddings the fill is the block's first element, with paddings it is paddingValue or,
// without isPad, anything, unless SetPadValue said what
ASCGRAD_OUTLINE bool PadOf(Blocks& b, bool isPad, int64_t left, int64_t right, uint64_t value, int64_t ubStride) {
    Core& core = Current();
    const int64_t limit = core.launch.product.padBytes;
    if (!InLimits(b, "leftPadding in bytes", left * int64_t(b.elem), 0, limit) ||
        !InLimits(b, "rightPadding in bytes", right * int64_t(b.elem), 0, limit)) {
        return false;
    }
    if (b.elem == 8 && isPad && value != 0) {
        ASCGRAD_REPORT("limit", b.site, "%s: paddingValue has to be 0 for elements of 8 bytes", b.name);
    }
    b.left = uint64_t(left) * b.elem;
    b.right = uint64_t(right) * b.elem;
    b.padValue = value;
    b.pad = isPad ? PadMode::Value : PadMode::Random;
    if (!isPad && core.padValueSet) {
        b.pad = PadMode::Value;
        b.padValue = core.padValue;
    } else if (left == 0 && right == 0) {
        b.pad = PadMode::First;
    }
    b.ubStep = (b.left + b.bytes + b.right + BLOCK - 1) / BLOCK * BLOCK + uint64_t(ubStride) * BLOCK;
    return true;
}

// 950: all blocks follow one another, only the end is padded.
ASCGRAD_OUTLINE void CompactIn(Blocks b, const Tensor& dst, const uint8_t* src) {
    const uint64_t bytes = b.bytes;
    if (!CheckTensor(dst, b.name, "dst", b.site)) {
        return;
    }
    for (uint64_t i = 0; i < b.count; ++i) {
        Blocks one = b;
        one.count = 1;
        one.left = one.right = 0;
        Tensor to = dst;
        // Blocks start where the one before ended, so the alignment rule holds for the first alone.
        to.address += i * bytes;
        to.bytes = to.bytes > i * bytes ? to.bytes - i * bytes : 0;
        UnifiedBuffer& ub = *Current().ub;
        const uint8_t* from = src + i * b.gmStep;
        GlobalSpan span = CheckGlobal(from, bytes, false, b.name, b.site);
        if (!span || FitTensor(to, bytes, b.name, "dst", b.site) != bytes) {
            return;
        }
        CopyIn(ub, to.address, from, span.range->Defined(from), bytes);
        if (i + 1 == b.count) {
            uint64_t end = to.address + bytes, padded = (end + BLOCK - 1) / BLOCK * BLOCK;
            PadUb(ub, b, end, padded - end, dst.address);
        }
        Current().counters.gmRead += bytes;
        Current().counters.gmToUb += bytes;
    }
    const uint64_t total = (b.count * bytes + BLOCK - 1) / BLOCK * BLOCK;
    Instruction instruction{b.name, PIPE_MTE2, b.site, b.count * bytes / b.elem};
    instruction.Touch(Space::GM, false, b.count * bytes, Pattern(uint64_t(uintptr_t(src)), bytes).Times(b.count, b.gmStep));
    instruction.Touch(Space::UB, true, dst.address, total);
    Current().Issue(instruction);
}

template <class T>
inline uint64_t PatternOf(T value) {
    uint64_t pattern = 0;
    std::memcpy(&pattern, &value, std::min(sizeof(T), sizeof(pattern)));
    return pattern;
}

// Runs f(source offset, destination offset) in bytes for each pass of the loop mode that is set for a direction.
template <class F>
inline void EachLoop(AscendC::DataCopyMVType type, F f) {
    Core& core = Current();
    const int i = int(type);
    if (!core.loopModeSet[i]) {
        f(0, 0);
        return;
    }
    const AscendC::LoopModeParams& p = core.loopMode[i];
    for (uint64_t outer = 0; outer < std::max(p.loop2Size, 1u); ++outer) {
        for (uint64_t inner = 0; inner < std::max(p.loop1Size, 1u); ++inner) {
            f(outer * p.loop2SrcStride + inner * p.loop1SrcStride, outer * p.loop2DstStride + inner * p.loop1DstStride);
        }
    }
}

inline Tensor Shift(const Tensor& t, uint64_t bytes) {
    Tensor shifted = t;
    shifted.address += bytes;
    shifted.bytes = t.bytes > bytes ? t.bytes - bytes : 0;
    return shifted;
}

// The type that was set decides, whatever type is copied.
ASCGRAD_OUTLINE AtomicFunction AtomicInForce() {
    const Core& core = Current();
    const DType type = DType(core.atomicType);
    return !core.atomicAdd                                 ? nullptr
           : Atomic(core.atomicOperation) == Atomic::MAX ? CombineBy<MaxOp>(type)
           : Atomic(core.atomicOperation) == Atomic::MIN ? CombineBy<MinOp>(type)
                                                         : CombineBy<AddOp>(type);
}

ASCGRAD_OUTLINE void SetAtomic(const char* name, bool on, Atomic operation, DType type, Site site) {
    using namespace types;
    // asc: SetAtomicAdd, SetAtomicMax, SetAtomicMin, SetAtomicType; the same types on all products
    if (!(Bit(type) & (I8 | I16 | F16 | BF16 | I32 | F32))) {
        ASCGRAD_REPORT("api", site, "%s does not take %s on this product", name, Name(type));
    }
    Core& core = Current();
    core.atomicAdd = on;
    core.atomicOperation = uint8_t(operation);
    core.atomicType = uint8_t(type);
    core.atomicSite = site;
}

using AscendC::DataCopyExtParams;
using AscendC::DataCopyMVType;
using AscendC::DataCopyPadExtParams;
using AscendC::DataCopyPadParams;
using AscendC::DataCopyParams;
using AscendC::GlobalTensor;

template <class T>
inline const uint8_t* Address(const GlobalTensor<T>& t) { return reinterpret_cast<const uint8_t*>(t.GetPhyAddr()); }
template <class T>
inline uint8_t* Address(GlobalTensor<T>& t) { return reinterpret_cast<uint8_t*>(t.GetPhyAddr()); }

// One dimension of a copy by NDDMA. Strides in elements.
struct Loop {
    uint64_t srcStride, dstStride, size, left, right;
};

// asc: DataCopy, NDDMA; dimensions from the fastest on, the padding lies in front of and behind each of them in dst
ASCGRAD_OUTLINE void MoveDimensions(const Tensor& dst, const uint8_t* src, const Loop loops[], int dimensions, bool nearest, uint64_t value,
                                    uint32_t elem, Site site) {
    Core& core = Current();
    const char* name = "DataCopy";
    uint64_t elements = 1, padded = 1, from = elem, to = elem;
    for (int d = 0; d < dimensions; ++d) {
        const Loop& l = loops[d];
        const uint64_t all = l.left + l.size + l.right;
        if (l.srcStride >> 40 != 0 || l.dstStride >> 20 != 0 || l.size == 0 || l.size >> 20 != 0) {
            ASCGRAD_REPORT("limit", site, "%s: loopSrcStride[%d] is %llu, loopDstStride[%d] %llu, loopSize[%d] %llu: below 2^40 and below 2^20 are "
                           "allowed, and 1 to 2^20 - 1", name, d, (unsigned long long)l.srcStride, d, (unsigned long long)l.dstStride, d,
                           (unsigned long long)l.size);
            return;
        }
        elements *= l.size;
        padded *= all;
        from += (l.size - 1) * l.srcStride * elem;
        to += (all - 1) * l.dstStride * elem;
    }
    if (elem == 8 && (nearest || value != 0)) {
        ASCGRAD_REPORT("limit", site, "%s: elements of 8 bytes are padded with 0 alone", name);
    }
    if (!CheckPlace(dst, Bit(Space::UB), name, "dst", site)) {
        return;
    }
    CheckAlignment(name, dst, core.launch.product.ubAlignment, "dst", site);
    GlobalSpan span = CheckGlobal(src, from, false, name, site);
    if (FitTensor(dst, to, name, "dst", site) != to || !span) {
        return;
    }
    UnifiedBuffer& ub = *core.ub;
    const uint8_t* defined = span.range->Defined(src);
    uint64_t at[5] = {};
    for (uint64_t i = 0; core.numbers() && i < padded; ++i) {
        uint64_t source = 0, target = dst.address;
        bool inside = true;
        for (int d = 0; d < dimensions; ++d) {
            const Loop& l = loops[d];
            const uint64_t k = at[d] < l.left ? 0 : std::min(at[d] - l.left, l.size - 1);
            inside = inside && at[d] >= l.left && at[d] < l.left + l.size;
            source += k * l.srcStride * elem;
            target += at[d] * l.dstStride * elem;
        }
        if (inside || nearest) {
            CopyIn(ub, target, src + source, defined == nullptr ? nullptr : defined + source, elem);
        } else {
            std::memcpy(ub.data + target, &value, elem);
            ub.Define(target, elem);
        }
        for (int d = 0; d < dimensions && ++at[d] == loops[d].left + loops[d].size + loops[d].right; ++d) {
            at[d] = 0;
        }
    }
    core.counters.gmRead += elements * elem;
    core.counters.gmToUb += elements * elem;
    Instruction instruction{name, PIPE_MTE2, site, padded};
    // What a pattern of three levels does not hold counts as what lies between its ends.
    Pattern read(uint64_t(uintptr_t(src)), elem), written(dst.address, elem);
    for (int d = 0; d < dimensions; ++d) {
        read.depth < 3 ? read.Times(loops[d].size, loops[d].srcStride * elem) : read = Pattern(read.begin, from);
        written.depth < 3 ? written.Times(loops[d].left + loops[d].size + loops[d].right, loops[d].dstStride * elem)
                          : written = Pattern(written.begin, to);
    }
    instruction.Touch(Space::GM, false, elements * elem, read).Rows(elements / loops[0].size, loops[dimensions > 1 ? 1 : 0].srcStride * elem);
    instruction.Touch(Space::UB, true, padded * elem, written);
    core.Issue(instruction);
}

template <class T>
inline void PadIn(const LocalTensor<T>& dst, const GlobalTensor<T>& src, int64_t count, int64_t len, int64_t srcStride,
                  int64_t dstStride, bool isPad, int64_t left, int64_t right, uint64_t value, bool narrow, bool compact, Site site) {
    Blocks b{"DataCopyPad", site};
    b.elem = sizeof(T);
    if (!PadBlocks(b, count, len, srcStride, dstStride, narrow) || !PadOf(b, isPad, left, right, value, dstStride)) {
        return;
    }
    EachLoop(DataCopyMVType::OUT_TO_UB, [&](uint64_t from, uint64_t to) {
        if (compact) {
            CompactIn(b, Shift(dst, to), Address(src) + from);
        } else {
            MoveIn(b, Shift(dst, to), Address(src) + from);
        }
    });
}

template <class T>
inline void PadOut(const GlobalTensor<T>& dst, const LocalTensor<T>& src, int64_t count, int64_t len, int64_t srcStride,
                   int64_t dstStride, bool narrow, bool compact, Site site) {
    Blocks b{"DataCopyPad", site};
    b.elem = sizeof(T);
    b.left = ~0ull;  // names the strides in messages
    if (!PadBlocks(b, count, len, dstStride, srcStride, narrow)) {
        return;
    }
    if (compact) {
        b.ubStep = b.bytes;
    }
    EachLoop(DataCopyMVType::UB_TO_OUT, [&](uint64_t from, uint64_t to) {
        MoveOut(b, const_cast<uint8_t*>(Address(dst)) + to, Shift(src, from), AtomicInForce());
    });
}

}  // namespace emulator

namespace AscendC {

template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::CountBlocks(b, count)) {
        emulator::MoveIn(b, dst, emulator::Address(src));
    }
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::CountBlocks(b, count)) {
        emulator::MoveOut(b, const_cast<uint8_t*>(emulator::Address(dst)), src, emulator::AtomicInForce());
    }
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::CountBlocks(b, count)) {
        emulator::MoveInside(b, dst, src, b.ubStep);
    }
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& repeatParams, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::BurstBlocks(b, repeatParams, true)) {
        emulator::MoveIn(b, dst, emulator::Address(src));
    }
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& repeatParams, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::BurstBlocks(b, repeatParams, false)) {
        emulator::MoveOut(b, const_cast<uint8_t*>(emulator::Address(dst)), src, emulator::AtomicInForce());
    }
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& repeatParams, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    uint64_t srcStep = 0;
    if (emulator::SpaceOf(dst.position) == emulator::Space::BT) {
        // asc: the units of DataCopyParams differ per product on this path
        ASCGRAD_REPORT("api", site, "DataCopy: to the bias table only the form with a count is emulated");
        return;
    }
    if (emulator::BurstBlocks(b, repeatParams, false, &srcStep)) {
        emulator::MoveInside(b, dst, src, srcStep);
    }
}

// Parts of a tensor of up to eight dimensions, the fastest first. asc: DataCopy of slices
struct SliceInfo {
    SliceInfo() = default;
    SliceInfo(uint32_t start, uint32_t end, uint32_t gap, uint32_t burst, uint32_t shape = 0)
        : startIndex(start), endIndex(end), stride(gap), burstLen(burst), shapeValue(shape) {}
    uint32_t startIndex = 0, endIndex = 0, stride = 0, burstLen = 0, shapeValue = 0;
};

// Where the slices begin, in elements and in their order. Empty, with a finding, when they do not fit their dimension.
inline std::vector<uint64_t> AscgradSlices(const SliceInfo info[], uint32_t dimensions, uint32_t elem, const char* role, emulator::Site site) {
    std::vector<uint64_t> places = {0};
    uint64_t step = 1;
    for (uint32_t d = 0; d < dimensions; ++d) {
        const SliceInfo& s = info[d];
        const uint64_t length = d == 0 ? uint64_t(s.burstLen) * emulator::BLOCK / elem : 1, period = length + s.stride;
        const uint64_t covered = uint64_t(s.endIndex) - s.startIndex + 1 + s.stride;
        if (length == 0 || s.endIndex < s.startIndex || covered % period != 0 || s.endIndex > s.shapeValue || (d > 0 && s.burstLen != 1)) {
            ASCGRAD_REPORT("limit", site, "DataCopy: dimension %u of %s: slices of %llu elements with gaps of %u do not make %u to %u of %u", d, role,
                           (unsigned long long)length, s.stride, s.startIndex, s.endIndex, s.shapeValue);
            return {};
        }
        std::vector<uint64_t> next;
        for (uint64_t i = 0; i < covered / period; ++i) {
            for (uint64_t place : places) {
                next.push_back(place + (s.startIndex + i * period) * step);
            }
        }
        places = next;
        step *= s.shapeValue;
    }
    return places;
}
template <typename D, typename S>
inline void AscgradCopySlices(const D& dst, const S& src, const SliceInfo dstSlices[], const SliceInfo srcSlices[], uint32_t dimensions,
                              emulator::Site site) {
    using T = typename D::PrimType;
    if (dimensions < 1 || dimensions > 8 || dstSlices[0].burstLen != srcSlices[0].burstLen) {
        ASCGRAD_REPORT("limit", site, "DataCopy: dimValue is %u, 1 to 8 is allowed; burstLen is %u and %u, both have to be the same", dimensions,
                       dstSlices[0].burstLen, srcSlices[0].burstLen);
        return;
    }
    const std::vector<uint64_t> to = AscgradSlices(dstSlices, dimensions, sizeof(T), "dst", site);
    const std::vector<uint64_t> from = AscgradSlices(srcSlices, dimensions, sizeof(T), "src", site);
    if (to.size() != from.size()) {
        ASCGRAD_REPORT("limit", site, "DataCopy: dst has %zu slices, src has %zu", to.size(), from.size());
    }
    for (size_t i = 0; i < std::min(to.size(), from.size()); ++i) {
        DataCopy(dst[to[i]], src[from[i]], DataCopyParams(1, srcSlices[0].burstLen, 0, 0), site);
    }
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[],
                     const uint32_t dimValue = 1, ASCGRAD_SITE) {
    AscgradCopySlices(dst, src, dstSliceInfo, srcSliceInfo, dimValue, site);
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[],
                     const uint32_t dimValue = 1, ASCGRAD_SITE) {
    AscgradCopySlices(dst, src, dstSliceInfo, srcSliceInfo, dimValue, site);
}

// The padding mode is a template argument on 3510 only.
#if __NPU_ARCH__ == 3510
#define ASCGRAD_PAD_TEMPLATE template <typename T, PaddingMode mode = PaddingMode::Normal>
#define ASCGRAD_COMPACT (mode == PaddingMode::Compact)
#else
#define ASCGRAD_PAD_TEMPLATE template <typename T>
#define ASCGRAD_COMPACT false
#endif
ASCGRAD_PAD_TEMPLATE
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& p,
                        const DataCopyPadExtParams<T>& pad, ASCGRAD_SITE) {
    emulator::PadIn(dst, src, p.blockCount, p.blockLen, p.srcStride, p.dstStride, pad.isPad, pad.leftPadding, pad.rightPadding,
                    emulator::PatternOf(pad.paddingValue), false, ASCGRAD_COMPACT, site);
}
ASCGRAD_PAD_TEMPLATE
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& p, const DataCopyPadParams& pad,
                        ASCGRAD_SITE) {
    emulator::PadIn(dst, src, p.blockCount, p.blockLen, p.srcStride, p.dstStride, pad.isPad, pad.leftPadding, pad.rightPadding,
                    pad.paddingValue, true, ASCGRAD_COMPACT, site);
}
ASCGRAD_PAD_TEMPLATE
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& p, ASCGRAD_SITE) {
    emulator::PadOut(dst, src, p.blockCount, p.blockLen, p.srcStride, p.dstStride, false, ASCGRAD_COMPACT, site);
}
ASCGRAD_PAD_TEMPLATE
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p, ASCGRAD_SITE) {
    emulator::PadOut(dst, src, p.blockCount, p.blockLen, p.srcStride, p.dstStride, true, ASCGRAD_COMPACT, site);
}

#if __NPU_ARCH__ == 3510
struct NdDmaConfig {
    static constexpr uint16_t unsetPad = 0xffff;
    bool isNearestValueMode = false;
    uint16_t loopLpSize = unsetPad, loopRpSize = unsetPad;  // of all dimensions, in place of those of each
    bool ascOptimize = false;
};
using MultiCopyConfig = NdDmaConfig;
inline constexpr NdDmaConfig kDefaultNdDmaConfig = {}, kDefaultMultiCopyConfig = {};

template <uint8_t dim>
struct MultiCopyLoopInfo {
    static_assert(dim >= 1 && dim <= 5);
    uint64_t loopSrcStride[dim] = {};
    uint32_t loopDstStride[dim] = {};
    uint32_t loopSize[dim] = {};
    uint8_t loopLpSize[dim] = {};
    uint8_t loopRpSize[dim] = {};
};
template <uint8_t dim>
using NdDmaLoopInfo = MultiCopyLoopInfo<dim>;
template <typename T, uint8_t dim>
struct MultiCopyParams {
    MultiCopyLoopInfo<dim> loopInfo;
    T constantValue;
};
template <typename T, uint8_t dim>
using NdDmaParams = MultiCopyParams<T, dim>;

// Caches are always coherent here, see DataCacheCleanAndInvalid.
inline void NdDmaDci() {}
template <typename T, uint8_t dim, const NdDmaConfig& config = kDefaultNdDmaConfig>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const MultiCopyParams<T, dim>& params, ASCGRAD_SITE) {
    emulator::Loop loops[dim];
    const auto& info = params.loopInfo;
    for (int d = 0; d < dim; ++d) {
        loops[d] = {info.loopSrcStride[d], info.loopDstStride[d], info.loopSize[d],
                    config.loopLpSize == NdDmaConfig::unsetPad ? info.loopLpSize[d] : config.loopLpSize,
                    config.loopRpSize == NdDmaConfig::unsetPad ? info.loopRpSize[d] : config.loopRpSize};
    }
    emulator::MoveDimensions(dst, emulator::Address(src), loops, dim, config.isNearestValueMode, emulator::PatternOf(params.constantValue),
                             sizeof(T), site);
}
#endif

template <typename T, TPosition pos = TPosition::MAX>
inline void SetPadValue(T paddingValue) {
    emulator::Current().padValue = emulator::PatternOf(paddingValue);
    emulator::Current().padValueSet = true;
}

#if __NPU_ARCH__ == 3510
inline void SetLoopModePara(const LoopModeParams& loopParams, DataCopyMVType type) {
    emulator::Current().loopMode[int(type)] = loopParams;
    emulator::Current().loopModeSet[int(type)] = true;
}
inline void ResetLoopModePara(DataCopyMVType type) { emulator::Current().loopModeSet[int(type)] = false; }
#endif

template <typename T>
inline void SetAtomicAdd(ASCGRAD_SITE) { emulator::SetAtomic("SetAtomicAdd", true, emulator::Atomic::ADD, emulator::TypeOf<T>(), site); }
template <typename T>
inline void SetAtomicMax(ASCGRAD_SITE) { emulator::SetAtomic("SetAtomicMax", true, emulator::Atomic::MAX, emulator::TypeOf<T>(), site); }
template <typename T>
inline void SetAtomicMin(ASCGRAD_SITE) { emulator::SetAtomic("SetAtomicMin", true, emulator::Atomic::MIN, emulator::TypeOf<T>(), site); }
template <typename T>
inline void SetAtomicType(ASCGRAD_SITE) {
    const emulator::Core& core = emulator::Current();
    emulator::SetAtomic("SetAtomicType", core.atomicAdd, emulator::Atomic(core.atomicOperation), emulator::TypeOf<T>(), site);
}
inline void SetAtomicNone() { emulator::Current().atomicAdd = false; }
inline void DisableDmaAtomic() { emulator::Current().atomicAdd = false; }

// Values are always coherent here; what a kernel forgets to clean shows as a hazard between cores.
template <typename T, CacheLine entireType, DcciDst dcciDst>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    emulator::DropLines(entireType == CacheLine::ENTIRE_DATA_CACHE ? nullptr : emulator::Address(dst));
}
template <typename T, CacheLine entireType, DcciDst dcciDst>
inline void DataCacheCleanAndInvalid(const LocalTensor<T>&) {}
template <typename T, CacheLine entireType>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    DataCacheCleanAndInvalid<T, entireType, DcciDst::CACHELINE_OUT>(dst);
}
template <typename T>
inline void DataCachePreload(const GlobalTensor<uint64_t>&, const T) {}

// Fills global memory. asc: InitOutput and Fill; `size` counts elements
template <typename T>
inline void Fill(GlobalTensor<T> gm, uint64_t size, const T& value, ASCGRAD_SITE) {
    emulator::Core& core = emulator::Current();
    uint8_t* address = emulator::Address(gm);
    if (size == 0) {
        return;
    }
    emulator::GlobalSpan span = emulator::CheckGlobal(address, size * sizeof(T), true, "Fill", site);
    if (!span) {
        return;
    }
    for (uint64_t i = 0; core.numbers() && i < size; ++i) {
        std::memcpy(address + i * sizeof(T), &value, sizeof(T));
    }
    if (uint8_t* defined = span.range->Defined(address)) {
        std::memset(defined, 0xFF, size * sizeof(T));
    }
    core.counters.gmWrite += size * sizeof(T);
    core.counters.ubToGm += size * sizeof(T);
    emulator::Instruction instruction{"Fill", PIPE_MTE3, site, size};
    instruction.Touch(emulator::Space::GM, true, uint64_t(uintptr_t(address)), size * sizeof(T));
    core.Issue(instruction);
}
template <typename T>
inline void InitOutput(GlobalTensor<T> gm, uint32_t size, T value = 0, ASCGRAD_SITE) { Fill(gm, size, value, site); }

}  // namespace AscendC
