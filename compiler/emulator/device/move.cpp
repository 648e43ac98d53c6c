// Data movement, whatever its types.
#include "emulator/entry.h"

namespace emulator {

static void CopyIn(UnifiedBuffer& ub, uint64_t to, const uint8_t* from, const uint8_t* defined, uint64_t bytes) {
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
static void CopyLocal(UnifiedBuffer& to, uint64_t dst, const UnifiedBuffer& from, uint64_t src, uint64_t bytes) {
    std::memcpy(to.data + dst, from.data + src, bytes);
    if (from.Clean(src, bytes)) {
        to.Define(dst, bytes);
    } else {
        std::memcpy(to.shadow + dst, from.shadow + src, bytes);
        to.MarkDirty(dst, bytes);
    }
}

static void PadUb(UnifiedBuffer& ub, const Blocks& b, uint64_t at, uint64_t bytes, uint64_t block) {
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
static bool InRange(const uint8_t* address, uint64_t bytes) {
    const GlobalRange* entry = Current().launch.gm.Find(address);
    return entry != nullptr && bytes <= entry->range->bytes - uint64_t(address - entry->range->base);
}

int64_t Alignment(Space space) {
    const Product& product = Current().launch.product;
    return space == Space::UB ? product.ubAlignment : space == Space::L1 ? product.l1Alignment
           : space == Space::L0C ? product.l0cAlignment : space == Space::BT ? product.biasAlignment : product.l0Alignment;
}

void CheckAlignment(const char* api, const Tensor& t, int64_t alignment, const char* role, Site site) {
    if (t.address % uint64_t(alignment) != 0) {
        ASCGRAD_REPORT("alignment", site, "%s: %s starts at byte %llu of %s, which is no multiple of %lld%s", api, role,
                       (unsigned long long)t.address, Name(SpaceOf(t.position)), (long long)alignment, Whose(t).c_str());
    }
}

// The memory of a tensor of this core; null, with a finding, when the copy does not reach it.
static UnifiedBuffer* MemoryOf(const Blocks& b, const Tensor& t, const char* role, uint32_t spaces) {
    return CheckPlace(t, spaces, b.name, role, b.site) ? Current().local[int(SpaceOf(t.position))] : nullptr;
}

// Drops the blocks that leave the local tensor.
static bool FitBlocks(Blocks& b, const Tensor& t, uint64_t perBlock, const char* role) {
    CheckAlignment(b.name, t, Alignment(SpaceOf(t.position)), role, b.site);
    uint64_t extent = (b.count - 1) * b.ubStep + perBlock;
    uint64_t limit = FitTensor(t, extent, b.name, role, b.site);
    while (b.count > 0 && (b.count - 1) * b.ubStep + perBlock > limit) {
        b.count -= 1;
    }
    return b.count > 0;
}

void MoveIn(Blocks b, const Tensor& dst, const uint8_t* src) {
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
    GlobalSpan span = CheckGlobal(src, extent, false, b.name, b.site, &dst);
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

void MoveOut(Blocks b, uint8_t* dst, const Tensor& src, AtomicFunction atomic) {
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
    GlobalSpan span = CheckGlobal(dst, extent, true, b.name, b.site, &src);
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
            ASCGRAD_REPORT("poison", b.site, "%s stores element %llu of block %llu to %s, which holds no defined value%s", b.name,
                           (unsigned long long)(k / b.elem), (unsigned long long)i, entry->range->name.c_str(), Whose(src).c_str());
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

void MoveInside(Blocks b, const Tensor& dst, const Tensor& src, uint64_t srcStep) {
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

static bool InLimits(const Blocks& b, const char* field, int64_t value, int64_t low, int64_t high) {
    if (value < low || value > high) {
        ASCGRAD_REPORT("limit", b.site, "%s: %s is %lld, %lld to %lld is allowed", b.name, field, (long long)value, (long long)low,
                       (long long)high);
        return false;
    }
    return true;
}

bool CountBlocks(Blocks& b, int64_t count) {
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

bool BurstBlocks(Blocks& b, const AscendC::DataCopyParams& p, bool srcIsGm, uint64_t* srcStep) {
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

bool PadBlocks(Blocks& b, int64_t blockCount, int64_t blockLen, int64_t gmStride, int64_t ubStride, bool narrow) {
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

bool PadOf(Blocks& b, bool isPad, int64_t left, int64_t right, uint64_t value, int64_t ubStride) {
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

void CompactIn(Blocks b, const Tensor& dst, const uint8_t* src) {
    const uint64_t bytes = b.bytes;
    UnifiedBuffer* memory = MemoryOf(b, dst, "dst", Bit(Space::UB));
    if (memory == nullptr) {
        return;
    }
    // Blocks start where the one before ended, so the alignment rule holds for the first alone.
    CheckAlignment(b.name, dst, Alignment(Space::UB), "dst", b.site);
    UnifiedBuffer& ub = *memory;
    for (uint64_t i = 0; i < b.count; ++i) {
        Tensor to = dst;
        to.address += i * bytes;
        to.bytes = to.bytes > i * bytes ? to.bytes - i * bytes : 0;
        const uint8_t* from = src + i * b.gmStep;
        GlobalSpan span = CheckGlobal(from, bytes, false, b.name, b.site, &to);
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
    instruction.Touch(Space::GM, false, b.count * bytes, Pattern(uint64_t(uintptr_t(src)), bytes).Times(b.count, b.gmStep)).Rows(b.count, b.gmStep);
    instruction.Touch(Space::UB, true, dst.address, total);
    Current().Issue(instruction);
}

template <class T, class F>
static void Combine(uint8_t* to, const uint8_t* from, uint64_t bytes) {
    for (uint64_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
        T a, b;
        std::memcpy(&a, to + i, sizeof(T));
        std::memcpy(&b, from + i, sizeof(T));
        T result = Lane<T>::Store(F()(Lane<T>::Load(a), Lane<T>::Load(b)));
        std::memcpy(to + i, &result, sizeof(T));
    }
}

template <class F>
static AtomicFunction CombineBy(DType type) {
    switch (type) {
        case DType::I8: return &Combine<int8_t, F>;
        case DType::I16: return &Combine<int16_t, F>;
        case DType::F16: return &Combine<half, F>;
        case DType::BF16: return &Combine<bfloat16_t, F>;
        case DType::I32: return &Combine<int32_t, F>;
        default: return &Combine<float, F>;
    }
}

AtomicFunction AtomicInForce() {
    const Core& core = Current();
    const DType type = DType(core.atomicType);
    return !core.atomicAdd                                 ? nullptr
           : Atomic(core.atomicOperation) == Atomic::MAX ? CombineBy<MaxOp>(type)
           : Atomic(core.atomicOperation) == Atomic::MIN ? CombineBy<MinOp>(type)
                                                         : CombineBy<AddOp>(type);
}

void SetAtomic(const char* name, bool on, Atomic operation, DType type, Site site) {
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

// Repeats a pattern; what three levels do not hold counts as all that lies between its ends.
static void Repeat(Pattern& pattern, uint64_t count, uint64_t step, uint64_t whole) {
    if (pattern.depth == 3) {
        pattern = Pattern(pattern.begin, whole);
    } else if (pattern.end - pattern.begin < whole) {
        pattern.Times(count, step);
    }
}

void MoveDimensions(const Tensor& dst, const uint8_t* src, const Loop loops[], int dimensions, bool nearest, uint64_t value, uint32_t elem,
                    Site site) {
    Core& core = Current();
    const char* name = "DataCopy";
    uint64_t elements = 1, padded = 1, from = elem, to = elem, reach = 0;
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
        reach += (all - 1) * l.srcStride;
    }
    if (reach > (1ull << 40) / elem) {
        ASCGRAD_REPORT("limit", site, "%s: the dimensions reach %llu elements of %u bytes with their paddings, 2^40 bytes are allowed", name,
                       (unsigned long long)reach, elem);
        return;
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
    Pattern read(uint64_t(uintptr_t(src)), elem), written(dst.address, elem);
    for (int d = 0; d < dimensions; ++d) {
        Repeat(read, loops[d].size, loops[d].srcStride * elem, from);
        Repeat(written, loops[d].left + loops[d].size + loops[d].right, loops[d].dstStride * elem, to);
    }
    instruction.Touch(Space::GM, false, elements * elem, read).Rows(elements / loops[0].size, loops[dimensions > 1 ? 1 : 0].srcStride * elem);
    instruction.Touch(Space::UB, true, padded * elem, written);
    core.Issue(instruction);
}

}  // namespace emulator
