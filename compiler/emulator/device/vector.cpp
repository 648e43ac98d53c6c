// The instructions of the vector pipe, whatever their types.
#include "emulator/entry.h"

namespace emulator {

// ---- vector_call.h ----

VectorCall::VectorCall(Called api, Site site) : VectorCall(api.name, site) { api_ = api.api; }
VectorCall::VectorCall(const char* name, Site site) : name_(name), site_(site), core_(Current()) {}

void VectorCall::Lane(const Tensor& t, const char* role, uint32_t elem, bool write, int64_t blk, int64_t rep) {
    lanes_[lanes_count_++] = {&t, role, elem, write, blk, rep, 0, t.address};
}

void VectorCall::Span(const Tensor& t, const char* role, uint64_t bytes, bool write, uint32_t align) {
    spans_[spans_count_++] = {&t, role, bytes, write, align};
}

uint64_t VectorCall::PerRepeat() const {
    uint32_t widest = 1;
    for (int i = 0; i < lanes_count_; ++i) {
        widest = std::max(widest, lanes_[i].elem);
    }
    return REPEAT / widest;
}

bool VectorCall::Type(DType type, bool countForm) {
    if (Supports(api_, type, countForm)) {
        return true;
    }
    const ApiRow& row = Row(api_);
    if ((__NPU_ARCH__ == 2201 ? row.on2201 : row.on3510 | row.countOn3510) == 0) {
        ASCGRAD_REPORT("api", site_, "%s does not exist on this product", name_);
    } else if (!countForm && Supports(api_, type, true)) {
        ASCGRAD_REPORT("api", site_, "%s takes %s on this product only in its count form", name_, Name(type));
    } else {
        ASCGRAD_REPORT("api", site_, "%s does not take %s on this product", name_, Name(type));
    }
    return true;  // the numbers are still useful to whoever reads the finding
}

bool VectorCall::Count(int64_t count) {
    linear_ = true;
    if (count <= 0) {
        if (count < 0 || !core_.launch.product.zeroCountIsNop) {
            // asc: on 950 a count of 0 is not guaranteed to do nothing
            ASCGRAD_REPORT("count", site_, "%s: count is %lld, it has to be positive on this product", name_, (long long)count);
        }
        return false;
    }
    total_ = uint64_t(count);
    return true;
}

bool VectorCall::Mask(uint64_t mask, int64_t repeat, bool setMask) {
    if (!setMask) {
        return MaskBits(core_.vectorMask, 2, repeat, core_.counterMode);
    }
    if (core_.counterMode) {
        return MaskBits(&mask, 1, repeat, true);
    }
    uint64_t perRepeat = PerRepeat();
    if (mask > perRepeat) {
        ASCGRAD_REPORT("mask", site_, "%s: mask is %llu, a repeat has %llu elements", name_, (unsigned long long)mask,
                       (unsigned long long)perRepeat);
        mask = perRepeat;
    }
    uint64_t bits[4] = {};
    for (uint64_t word = 0; word * 64 < mask; ++word) {
        bits[word] = ~0ull >> (64 - std::min<uint64_t>(mask - word * 64, 64));
    }
    return MaskBits(bits, 4, repeat, false);
}

void VectorCall::Finish(bool bitwise) {
    if (core_.ub->track()) {
        Propagate(bitwise);
    }
    Issue();
}

void VectorCall::Define() {
    for (int i = 0; i < lanes_count_; ++i) {
        if (lanes_[i].write) {
            DefineLanes(lanes_[i]);
        }
    }
    for (int i = 0; i < spans_count_; ++i) {
        if (spans_[i].write) {
            core_.ub->Define(spans_[i].tensor->address, spans_[i].bytes);
        }
    }
}

bool VectorCall::CleanLanes(int i) {
    if (!core_.ub->track() || core_.ub->Clean(lanes_[i].address, lanes_[i].extent)) {
        return true;
    }
    bool clean = true;
    Walk([&](const uint64_t* address, uint32_t n) { clean = clean && core_.ub->Clean(address[i], uint64_t(n) * lanes_[i].elem); });
    return clean;
}

// The bytes of an operand. A mask with holes that are not alike counts as what lies between its ends.
Pattern VectorCall::BytesOf(const LaneOperand& op) const {
    if (linear_) {
        return Pattern(op.address, op.extent);
    }
    if (!counter_ && op.blk == 1 && Even()) {
        Pattern bytes(op.address + uint64_t(runs_[0].lane) * op.elem, uint64_t(runs_[0].n) * op.elem);
        bytes.Times(uint64_t(runs_count_), uint64_t(runs_[1].lane - runs_[0].lane) * op.elem).Times(repeat_, uint64_t(op.rep) * BLOCK);
        bytes.Cut(op.address + op.extent);
        return bytes;
    }
    const uint64_t first = counter_ ? 0 : runs_[0].lane, last = counter_ ? std::min(total_, PerRepeat()) - 1 : lastLane_;
    const uint64_t perBlock = BLOCK / op.elem, blocks = last / perBlock - first / perBlock + 1;
    Pattern bytes(op.address + Offset(op, first), (last - first + 1) * op.elem);
    if (op.blk != 1 && blocks > 1) {
        bytes = Pattern(op.address + Offset(op, first / perBlock * perBlock), BLOCK);
        bytes.Times(blocks, uint64_t(op.blk) * BLOCK);
    }
    bytes.Times(repeat_, uint64_t(op.rep) * BLOCK);
    bytes.Cut(op.address + op.extent);
    return bytes;
}

// Whether the mask has several runs of one length at one distance, such as every other lane.
bool VectorCall::Even() const {
    bool even = runs_count_ > 1;
    for (int k = 1; k < runs_count_; ++k) {
        even = even && runs_[k].n == runs_[0].n && runs_[k].lane - runs_[k - 1].lane == runs_[1].lane - runs_[0].lane;
    }
    return even;
}

void VectorCall::Issue() {
    Instruction instruction{name_, PIPE_V, site_, total_};
    instruction.amount = linear_ ? (total_ + PerRepeat() - 1) / PerRepeat() : repeat_;
    for (int i = 0; i < spans_count_ && lanes_count_ == 0; ++i) {
        instruction.amount = std::max(instruction.amount, (spans_[i].bytes + REPEAT - 1) / REPEAT);
    }
    for (int i = 0; i < lanes_count_; ++i) {
        instruction.Touch(Space::UB, lanes_[i].write, total_ * lanes_[i].elem, BytesOf(lanes_[i]));
    }
    for (int i = 0; i < spans_count_; ++i) {
        instruction.Touch(Space::UB, spans_[i].write, spans_[i].tensor->address, spans_[i].bytes);
    }
    core_.Issue(instruction);
}

void VectorCall::WalkRuns(RunFunction f, const void* context) {
    uint64_t address[4];
    if (!core_.numbers()) {
        return;
    }
    if (linear_) {
        for (int i = 0; i < lanes_count_; ++i) {
            address[i] = lanes_[i].address;
        }
        f(context, address, uint32_t(total_), 0, 0);
        return;
    }
    const uint64_t perRepeat = PerRepeat();
    for (uint64_t r = 0; r < repeat_; ++r) {
        uint64_t left = counter_ ? std::min(perRepeat, total_ - r * perRepeat) : perRepeat;
        for (int k = 0; k < runs_count_ && runs_[k].lane < left; ++k) {
            uint32_t lane = runs_[k].lane, n = uint32_t(std::min<uint64_t>(runs_[k].n, left - lane));
            for (int i = 0; i < lanes_count_; ++i) {
                address[i] = lanes_[i].address + r * uint64_t(lanes_[i].rep) * BLOCK + Offset(lanes_[i], lane);
            }
            f(context, address, n, uint32_t(r), lane);
        }
    }
}

bool VectorCall::MaskBits(const uint64_t mask[], int words, int64_t repeat, bool counter) {
    linear_ = false;
    counter_ = counter;
    uint64_t perRepeat = PerRepeat();
    const uint64_t all[4] = {~0ull, ~0ull, ~0ull, ~0ull};
    if (counter) {
        // asc: counter mode; the mask is the number of elements, repeatTime has no effect
        total_ = mask[0];
        repeat_ = (total_ + perRepeat - 1) / perRepeat;
        AddRuns(all, 4, perRepeat);
    } else {
        if (repeat < 0 || repeat > core_.launch.product.repeat) {
            ASCGRAD_REPORT("limit", site_, "%s: repeatTime is %lld, 0 to %lld is allowed (it is 8 bits wide)", name_,
                           (long long)repeat, (long long)core_.launch.product.repeat);
            repeat &= 255;
        }
        if (perRepeat <= 64 && mask[1] != 0 && mask != core_.vectorMask) {
            ASCGRAD_REPORT("mask", site_, "%s: mask[1] has to be 0, a repeat has %llu elements", name_, (unsigned long long)perRepeat);
        }
        repeat_ = uint64_t(repeat);
        AddRuns(mask, words, perRepeat);
        total_ = 0;
        for (int k = 0; k < runs_count_; ++k) {
            total_ += runs_[k].n * repeat_;
        }
    }
    if (total_ == 0) {
        if (!core_.launch.product.zeroCountIsNop) {
            ASCGRAD_REPORT("count", site_, "%s: %s is 0, which is not guaranteed to do nothing on this product", name_,
                           repeat_ == 0 ? "repeatTime" : "the mask");
        }
        return false;
    }
    return true;
}

// Splits the active lanes into runs that are contiguous in every operand. Inferred: of the 256 lanes of a repeat of bytes, those
// behind a mask of bits take no part.
void VectorCall::AddRuns(const uint64_t mask[], int words, uint64_t perRepeat) {
    bool contiguous = true;
    uint32_t chunk = 32;
    for (int i = 0; i < lanes_count_; ++i) {
        contiguous = contiguous && lanes_[i].blk == 1;
        chunk = std::min(chunk, uint32_t(BLOCK / lanes_[i].elem));
    }
    runs_count_ = 0;
    for (uint32_t lane = 0; lane < perRepeat; ++lane) {
        if (lane / 64 >= uint32_t(words) || !(mask[lane / 64] >> (lane % 64) & 1)) {
            continue;
        }
        lastLane_ = lane;
        if (runs_count_ > 0) {
            RunOfLanes& run = runs_[runs_count_ - 1];
            if (run.lane + run.n == lane && (contiguous || lane % chunk != 0)) {
                run.n += 1;
                continue;
            }
        }
        runs_[runs_count_++] = {lane, 1};
    }
}

uint64_t VectorCall::ExtentOf(const LaneOperand& op) const {
    if (linear_) {
        return total_ * op.elem;
    }
    uint64_t last = lastLane_;
    if (counter_) {
        uint64_t tail = (total_ - 1) % PerRepeat();
        uint64_t before = repeat_ > 1 ? (repeat_ - 2) * uint64_t(op.rep) * BLOCK + Offset(op, PerRepeat() - 1) + op.elem : 0;
        return std::max(before, (repeat_ - 1) * uint64_t(op.rep) * BLOCK + Offset(op, tail) + op.elem);
    }
    return (repeat_ - 1) * uint64_t(op.rep) * BLOCK + Offset(op, last) + op.elem;
}

bool VectorCall::Begin() {
    const Product& product = core_.launch.product;
    for (int i = 0; i < lanes_count_; ++i) {
        LaneOperand& op = lanes_[i];
        if (!CheckTensor(*op.tensor, name_, op.role, site_)) {
            return false;
        }
        if (op.tensor->address % uint64_t(product.ubAlignment) != 0) {
            ASCGRAD_REPORT("alignment", site_, "%s: %s starts at byte %llu of the unified buffer, which is no multiple of %lld%s",
                           name_, op.role, (unsigned long long)op.tensor->address, (long long)product.ubAlignment, Whose(*op.tensor).c_str());
            if (op.tensor->address % op.elem != 0) {
                return false;
            }
        }
        if (!linear_) {
            const int64_t most = wideStrides_ ? 65535 : product.repeatStride;
            if (op.rep < 0 || op.rep > most || op.blk < 0 || op.blk > most) {
                ASCGRAD_REPORT("limit", site_, "%s: the strides of %s are %lld and %lld blocks, at most %lld fits", name_, op.role,
                               (long long)op.blk, (long long)op.rep, (long long)most);
                op.rep &= most;
                op.blk &= most;
            }
            if (op.write && op.blk == 0) {
                ASCGRAD_REPORT("limit", site_, "%s: the block stride of %s is 0", name_, op.role);
            }
        }
    }
    // Bounds: a linear call is shortened, a strided one loses repeats.
    for (int i = 0; i < lanes_count_; ++i) {
        const LaneOperand& op = lanes_[i];
        uint64_t extent = ExtentOf(op);
        uint64_t limit = FitTensor(*op.tensor, extent, name_, op.role, site_);
        if (limit == extent) {
            continue;
        }
        if (linear_) {
            total_ = std::min(total_, limit / op.elem);
        } else {
            while (total_ > 0 && ExtentOf(op) > limit) {
                repeat_ -= 1;
                total_ = repeat_ == 0 ? 0 : counter_ ? repeat_ * PerRepeat() : total_ / (repeat_ + 1) * repeat_;
            }
        }
        if (total_ == 0) {
            return false;
        }
    }
    for (int i = 0; i < spans_count_; ++i) {
        SpanOperand& span = spans_[i];
        if (!CheckTensor(*span.tensor, name_, span.role, site_)) {
            return false;
        }
        if (span.align > 1 && span.tensor->address % span.align != 0) {
            ASCGRAD_REPORT("alignment", site_, "%s: %s starts at byte %llu of the unified buffer, which is no multiple of %u%s",
                           name_, span.role, (unsigned long long)span.tensor->address, span.align, Whose(*span.tensor).c_str());
        }
        if (FitTensor(*span.tensor, span.bytes, name_, span.role, site_) != span.bytes) {
            return false;
        }
    }
    for (int i = 0; i < lanes_count_; ++i) {
        lanes_[i].extent = ExtentOf(lanes_[i]);
    }
    if (core_.launch.check) {
        for (int d = 0; d < lanes_count_; ++d) {
            for (int s = 0; s < lanes_count_; ++s) {
                if (lanes_[d].write && !lanes_[s].write) {
                    CheckOverlap(lanes_[d], lanes_[s]);
                }
            }
        }
        for (int k = 0; k < spans_count_; ++k) {
            const SpanOperand& span = spans_[k];
            for (int i = 0; i < lanes_count_; ++i) {
                const LaneOperand& op = lanes_[i];
                bool meets = span.tensor->address < op.address + op.extent && op.address < span.tensor->address + span.bytes;
                if (meets && span.write != op.write && !(inPlaceSpan_ && span.tensor->address <= op.address)) {
                    ASCGRAD_REPORT("overlap", site_, "%s: %s overlaps %s", name_, span.role, op.role);
                }
            }
        }
    }
    return true;
}

// asc: general overlap constraints; operands are the same or apart, a widening Cast never in place
void VectorCall::CheckOverlap(const LaneOperand& dst, const LaneOperand& src) {
    if (dst.address >= src.address + src.extent || src.address >= dst.address + dst.extent) {
        return;
    }
    if (linear_ && dst.elem > src.elem) {
        // Lanes are written in order: safe if each write stays behind what is still to be read.
        if (src.address >= dst.address + total_ * (dst.elem - src.elem)) {
            return;
        }
        ASCGRAD_REPORT("overlap", site_, "%s: %s widens over %s, which is not yet read", name_, dst.role, src.role);
        return;
    }
    bool same = dst.address == src.address && (linear_ || (dst.blk == src.blk && dst.rep == src.rep)) &&
                (dst.elem == src.elem || (linear_ && dst.elem < src.elem));
    // asc: Add, Sub, Mul, Max, Min may accumulate into dst == src1 with a repeat stride of 0
    bool accumulates = accumulate_ && dst.address == src.address && (dst.rep == 0 || src.rep == 0);
    if (!same && !accumulates && (linear_ || Collide(dst, src))) {
        ASCGRAD_REPORT("overlap", site_, "%s: %s and %s overlap in part", name_, dst.role, src.role);
    }
}

bool VectorCall::Collide(const LaneOperand& dst, const LaneOperand& src) {
    // Which repeat writes each data block, over the extent that both share.
    std::vector<uint32_t> writer(dst.extent / BLOCK + 2, 0);
    const int d = int(&dst - lanes_), s = int(&src - lanes_);
    bool collide = false;
    Walk([&](const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t) {
        for (uint64_t a = address[d]; a < address[d] + uint64_t(n) * dst.elem; a += BLOCK) {
            writer[(a - dst.address) / BLOCK] = repeat + 1;
        }
    });
    Walk([&](const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t) {
        for (uint64_t a = address[s]; a < address[s] + uint64_t(n) * src.elem; a += BLOCK) {
            if (a >= dst.address && a < dst.address + dst.extent) {
                uint32_t by = writer[(a - dst.address) / BLOCK];
                collide = collide || (by != 0 && (by != repeat + 1 || address[d] != address[s]));
            }
        }
    });
    return collide;
}

void VectorCall::DefineLanes(const LaneOperand& op) {
    if (core_.ub->Clean(op.address, op.extent)) {
        return;
    }
    const int i = int(&op - lanes_);
    Walk([&](const uint64_t* address, uint32_t n) { core_.ub->Define(address[i], uint64_t(n) * op.elem); });
}

void VectorCall::Propagate(bool bitwise) {
    int dst = -1;
    bool clean = true;
    for (int i = 0; i < lanes_count_; ++i) {
        if (lanes_[i].write) {
            dst = dst < 0 ? i : dst;
        } else {
            clean = clean && core_.ub->Clean(lanes_[i].address, lanes_[i].extent);
        }
    }
    if (dst < 0) {
        return;
    }
    if (clean) {
        DefineLanes(lanes_[dst]);
        return;
    }
    // In steps of a repeat, since often only the padding at a row's end is poisoned.
    Walk([&](const uint64_t* address, uint32_t n) {
        uint64_t at[4];
        for (uint32_t first = 0; first < n; first += 64) {
            uint32_t lanes = std::min(n - first, 64u);
            bool cleanStep = true;
            for (int i = 0; i < lanes_count_; ++i) {
                at[i] = address[i] + uint64_t(first) * lanes_[i].elem;
                cleanStep = cleanStep && (lanes_[i].write || core_.ub->Clean(at[i], uint64_t(lanes) * lanes_[i].elem));
            }
            if (cleanStep) {
                core_.ub->Define(at[dst], uint64_t(lanes) * lanes_[dst].elem);
            } else {
                PropagateStep(at, dst, lanes, bitwise);
            }
        }
    });
}

void VectorCall::PropagateStep(const uint64_t* at, int dst, uint32_t n, bool bitwise) {
    uint8_t* shadow = core_.ub->shadow;
    const uint32_t wide = lanes_[dst].elem;
    for (uint32_t lane = 0; lane < n; ++lane) {
        uint64_t bits = 0;
        for (int i = 0; i < lanes_count_; ++i) {
            if (!lanes_[i].write) {
                uint64_t word = 0;
                std::memcpy(&word, shadow + at[i] + uint64_t(lane) * lanes_[i].elem, lanes_[i].elem);
                bits |= word;
            }
        }
        bits = bitwise || bits == 0 ? bits : ~0ull;
        std::memcpy(shadow + at[dst] + uint64_t(lane) * wide, &bits, wide);
    }
    core_.ub->MarkDirty(at[dst], uint64_t(n) * wide);
}

// ---- arithmetic.h ----

void BinaryLanes(VectorCall& call, const Tensor& dst, uint32_t dstElem, const Tensor& src0, const Tensor& src1,
                 uint32_t srcElem, const BinaryRepeatParams& p) {
    call.Lane(dst, "dst", dstElem, true, p.dstBlkStride, p.dstRepStride);
    call.Lane(src0, "src0", srcElem, false, p.src0BlkStride, p.src0RepStride);
    call.Lane(src1, "src1", srcElem, false, p.src1BlkStride, p.src1RepStride);
}

void UnaryLanes(VectorCall& call, const Tensor& dst, uint32_t dstElem, const Tensor& src, uint32_t srcElem,
                const UnaryRepeatParams& p) {
    call.Lane(dst, "dst", dstElem, true, p.dstBlkStride, p.dstRepStride);
    call.Lane(src, "src", srcElem, false, p.srcBlkStride, p.srcRepStride);
}

void IntoLanes(VectorCall& call, const Tensor& dst, uint32_t dstElem, const Tensor& src0, const Tensor& src1,
               uint32_t srcElem, const BinaryRepeatParams& p) {
    BinaryLanes(call, dst, dstElem, src0, src1, srcElem, p);
    call.Lane(dst, "dst", dstElem, false, p.dstBlkStride, p.dstRepStride);
}

// ---- compound.h ----

bool TakesPair(Api api, DType from, DType to) {
    const bool narrow = api == Api::MulCast ? from == DType::F16 && (to == DType::I8 || to == DType::U8)
                                            : (from == DType::F16 && to == DType::I8) || (from == DType::I16 && to == DType::I8) ||
                                                  (from == DType::F32 && to == DType::F16);
    return narrow || (__NPU_ARCH__ == 3510 && from == DType::I64 && (to == DType::F32 || to == DType::I32));
}

// ---- select.h ----

void SetBits(uint8_t* bits, uint64_t first, uint32_t n, bool value) {
    for (uint32_t i = 0; i < n; ++i) {
        uint64_t k = first + i;
        bits[k / 8] = uint8_t(value ? bits[k / 8] | 1u << (k % 8) : bits[k / 8] & ~(1u << (k % 8)));
    }
}

void CompareShadow(VectorCall& call, uint64_t bitsAt, uint64_t bytes, int sources) {
    UnifiedBuffer& ub = *call.core().ub;
    if (!ub.track()) {
        return;
    }
    ub.Define(bitsAt, bytes);
    bool clean = true;
    for (int s = 0; s < sources; ++s) {
        clean = clean && call.CleanLanes(s);
    }
    if (clean) {
        return;
    }
    const uint64_t perRepeat = call.PerRepeat();
    const uint32_t elem = uint32_t(REPEAT / perRepeat);
    call.Walk([&](const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t lane) {
        for (uint32_t i = 0; i < n; ++i) {
            for (int s = 0; s < sources; ++s) {
                if (!ub.Clean(address[s] + uint64_t(i) * elem, elem)) {
                    SetBits(ub.shadow + bitsAt, repeat * perRepeat + lane + i, 1, true);
                }
            }
        }
    });
    ub.MarkDirty(bitsAt, bytes);
}

void SelectLanes(VectorCall& call, const Tensor& dst, const Tensor& src0, const Tensor* src1, uint32_t elem,
                 const BinaryRepeatParams& p) {
    call.Lane(dst, "dst", elem, true, p.dstBlkStride, p.dstRepStride);
    call.Lane(src0, "src0", elem, false, p.src0BlkStride, p.src0RepStride);
    if (src1 != nullptr) {
        call.Lane(*src1, "src1", elem, false, p.src1BlkStride, p.src1RepStride);
    }
}

// ---- reduce.h ----

bool CheckReduced(VectorCall& call, int lane) {
    if (call.core().launch.check && !call.CleanLanes(lane)) {
        ASCGRAD_REPORT("poison", call.site(), "%s reduces elements that hold no defined value%s", call.name(), Whose(call.Operand(lane)).c_str());
        return false;
    }
    return true;
}

// ---- gather.h ----

void Picked::Take(size_t i, uint64_t address) {
    std::memcpy(&data_[i * bytes_], ub_.data + address, bytes_);
    std::memcpy(&shadow_[i * bytes_], ub_.shadow + address, bytes_);
}

void Picked::Put(UnifiedBuffer& ub, size_t i, uint64_t address) const {
    std::memcpy(ub.data + address, &data_[i * bytes_], bytes_);
    if (ub.track()) {
        std::memcpy(ub.shadow + address, &shadow_[i * bytes_], bytes_);
        ub.Settle(address, bytes_);
    }
}

std::vector<uint64_t> TakeOffsets(VectorCall& call, const Tensor& offsets, uint64_t count, const Tensor& target,
                                  uint64_t base, uint32_t bytes, uint64_t most) {
    Core& core = call.core();
    const Site site = call.site();
    if (!CheckTensor(offsets, call.name(), "the offset tensor", site) || !CheckTensor(target, call.name(), "the tensor", site) ||
        FitTensor(offsets, count * 4, call.name(), "the offset tensor", site) < count * 4) {
        return {};
    }
    if (core.launch.check && !core.ub->Clean(offsets.address, count * 4)) {
        ASCGRAD_REPORT("poison", site, "%s: the offset tensor holds offsets that have no defined value%s", call.name(), Whose(offsets).c_str());
        return {};
    }
    const uint64_t limit = TensorBytes(target);
    std::vector<uint64_t> list(count);
    for (uint64_t i = 0; i < count; ++i) {
        uint32_t offset;
        std::memcpy(&offset, core.ub->data + offsets.address + i * 4, 4);
        const uint64_t at = base + offset;
        if (at + bytes > limit || at % bytes != 0 || offset > most) {
            ASCGRAD_REPORT(at + bytes > limit ? "bounds" : at % bytes != 0 ? "alignment" : "limit", site,
                           "%s: offset %llu is %u, %s", call.name(), (unsigned long long)i, offset,
                           at + bytes > limit ? "which leads out of the tensor" : at % bytes != 0 ? "no multiple of the size of what it points to"
                                                                                                 : "more than elements of this size can have");
            return {};
        }
        list[i] = target.address + at;
    }
    return list;
}

bool LocalAddress(const char* api, uint64_t pointer, uint64_t& address, Site site) {
    Core& core = Current();
    const uint64_t start = uint64_t(reinterpret_cast<uintptr_t>(core.ub->data));
    address = pointer - start;
    if (pointer < start || address >= core.Capacity(Space::UB)) {
        ASCGRAD_REPORT("bounds", site, "%s: an address is none of the unified buffer", api);
        return false;
    }
    if (address % BLOCK != 0) {
        ASCGRAD_REPORT("alignment", site, "%s: an address is byte %llu of the unified buffer, no multiple of 32", api, (unsigned long long)address);
    }
    return true;
}

Tensor Around(const uint64_t* address, uint64_t bytes) {
    Tensor t;
    t.valid = true;
    t.address = *std::min_element(address, address + 16);
    t.bytes = *std::max_element(address, address + 16) + bytes - t.address;
    return t;
}

// ---- sort.h ----

bool Repeats(VectorCall& call, int64_t repeat) {
    Core& core = call.core();
    if (repeat < 0 || repeat > core.launch.product.repeat) {
        ASCGRAD_REPORT("limit", call.site(), "%s: repeatTime is %lld, 0 to %lld is allowed", call.name(), (long long)repeat,
                       (long long)core.launch.product.repeat);
    } else if (repeat == 0 && !core.launch.product.zeroCountIsNop) {
        ASCGRAD_REPORT("count", call.site(), "%s: repeatTime is 0, which is not guaranteed to do nothing on this product", call.name());
    }
    return repeat > 0 && repeat <= core.launch.product.repeat;
}

void CheckScores(VectorCall& call, const Tensor& scores, uint64_t bytes) {
    if (call.core().launch.check && !call.core().ub->Clean(scores.address, bytes)) {
        ASCGRAD_REPORT("poison", call.site(), "%s sorts elements that hold no defined value%s", call.name(), Whose(scores).c_str());
    }
}

}  // namespace emulator
