// One instruction of the vector pipe: its operands, the lanes it covers, the rules it obeys, and its shadow.
//
// An API describes its operands, says which lanes are active (count form, or mask and repeats), lets Begin check
// everything, runs its arithmetic over runs of contiguous lanes, and calls Finish.
#pragma once

#include "emulator/tensor.h"

namespace emulator {

class VectorCall {
public:
    VectorCall(Api api, Site site) : VectorCall(Row(api).name, site) { api_ = api; }
    VectorCall(const char* name, Site site) : name_(name), site_(site), core_(Current()) {}

    // An operand with one element per lane. Strides are in data blocks.
    void Lane(const Tensor& t, const char* role, uint32_t elem, bool write, int64_t blk = 1, int64_t rep = 8) {
        lanes_[lanes_count_++] = {&t, role, elem, write, blk, rep, 0, t.address};
    }
    // An operand of a fixed number of bytes from the tensor's start.
    void Span(const Tensor& t, const char* role, uint64_t bytes, bool write, uint32_t align = BLOCK) {
        spans_[spans_count_++] = {&t, role, bytes, write, align};
    }

    bool Type(DType type, bool countForm);

    // Count form: the first `count` lanes.
    bool Count(int64_t count);

    // Count form whose count comes from the mask register (isSetMask = false).
    bool CountFromMask() { return Count(core_.counterMode ? int64_t(core_.vectorMask[0]) : 0); }

    // Mask forms. A repeat covers 256 bytes of the widest operand.
    bool Mask(uint64_t mask, int64_t repeat, bool setMask);
    bool Mask(const uint64_t mask[], int64_t repeat, bool setMask) {
        return setMask ? MaskBits(mask, repeat, core_.counterMode) : Mask(uint64_t(0), repeat, false);
    }

    // Checks everything; false if there is nothing to do.
    bool Begin();

    // f(uint8_t* const at[], uint32_t lanes): once for each run of lanes that is contiguous in every lane operand.
    template <class F>
    void Run(const F& f) {
        uint8_t* base = core_.ub->data;
        Walk([&f, base, this](const uint64_t* address, uint32_t n) {
            uint8_t* at[4];
            for (int i = 0; i < lanes_count_; ++i) {
                at[i] = base + address[i];
            }
            f(at, n);
        });
    }

    // f(address, lanes[, repeat, lane]): the same over addresses. The walk itself is no template, which keeps the
    // code of a kernel small.
    template <class F>
    void Walk(const F& f) {
        WalkRuns([](const void* context, const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t lane) {
            if constexpr (std::is_invocable_v<const F&, const uint64_t*, uint32_t>) {
                (*static_cast<const F*>(context))(address, n);
            } else {
                (*static_cast<const F*>(context))(address, n, repeat, lane);
            }
        }, &f);
    }

    // The shadow of an elementwise instruction: a lane is poisoned if a source lane is. Issues the instruction.
    void Finish(bool bitwise = false);

    // The instruction's destination holds defined values from here on.
    void Define();

    // Whether no active lane of operand i is poisoned.
    bool CleanLanes(int i);

    void Issue();

    uint64_t total() const { return total_; }
    uint64_t repeat() const { return repeat_; }
    bool linear() const { return linear_; }
    Core& core() { return core_; }
    const char* name() const { return name_; }
    Site site() const { return site_; }
    uint64_t PerRepeat() const {
        uint32_t widest = 1;
        for (int i = 0; i < lanes_count_; ++i) {
            widest = std::max(widest, lanes_[i].elem);
        }
        return REPEAT / widest;
    }
    void AllowAccumulate() { accumulate_ = true; }
    // Reductions read a whole repeat before they write its few results in front of it.
    void AllowInPlaceSpan() { inPlaceSpan_ = true; }
    // Reductions take strides of 16 bits (asc: ReduceRepeat, ReduceDataBlock, ReducePairElem), others of the product's 8.
    void AllowWideStrides() { wideStrides_ = true; }

private:
    struct LaneOperand {
        const Tensor* tensor;
        const char* role;
        uint32_t elem;
        bool write;
        int64_t blk, rep;
        uint64_t extent;
        uint64_t address;
    };
    struct SpanOperand {
        const Tensor* tensor;
        const char* role;
        uint64_t bytes;
        bool write;
        uint32_t align;
    };
    struct RunOfLanes {
        uint32_t lane, n;
    };

    static uint64_t Offset(const LaneOperand& op, uint64_t lane) {
        uint64_t perBlock = BLOCK / op.elem;
        return lane / perBlock * uint64_t(op.blk) * BLOCK + lane % perBlock * op.elem;
    }

    using RunFunction = void (*)(const void*, const uint64_t*, uint32_t, uint32_t, uint32_t);
    void WalkRuns(RunFunction f, const void* context);
    bool MaskBits(const uint64_t mask[], int64_t repeat, bool counter);
    void AddRuns(const uint64_t mask[], uint64_t perRepeat);
    uint64_t ExtentOf(const LaneOperand& op) const;
    Pattern BytesOf(const LaneOperand& op) const;
    void CheckOverlap(const LaneOperand& dst, const LaneOperand& src);
    bool Collide(const LaneOperand& dst, const LaneOperand& src);
    void Propagate(bool bitwise);
    void PropagateStep(const uint64_t* at, int dst, uint32_t n, bool bitwise);
    void DefineLanes(const LaneOperand& op);

    Api api_ = Api::Add;
    const char* name_;
    Site site_;
    Core& core_;
    LaneOperand lanes_[4];
    int lanes_count_ = 0;
    SpanOperand spans_[3];
    int spans_count_ = 0;
    bool linear_ = true, counter_ = false, accumulate_ = false, inPlaceSpan_ = false, wideStrides_ = false;
    uint64_t total_ = 0;     // active lanes in all
    uint64_t repeat_ = 1;
    uint64_t lastLane_ = 0;  // highest active lane of a repeat
    RunOfLanes runs_[128];   // of one repeat
    int runs_count_ = 0;
};

ASCGRAD_OUTLINE bool VectorCall::Type(DType type, bool countForm) {
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

ASCGRAD_OUTLINE bool VectorCall::Count(int64_t count) {
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

ASCGRAD_OUTLINE bool VectorCall::Mask(uint64_t mask, int64_t repeat, bool setMask) {
    uint64_t bits[2] = {0, 0};
    if (!setMask) {
        return MaskBits(core_.vectorMask, repeat, core_.counterMode);
    }
    if (core_.counterMode) {
        bits[0] = mask;
        return MaskBits(bits, repeat, true);
    }
    uint64_t perRepeat = PerRepeat();
    if (mask > perRepeat) {
        ASCGRAD_REPORT("mask", site_, "%s: mask is %llu, a repeat has %llu elements", name_, (unsigned long long)mask,
                       (unsigned long long)perRepeat);
        mask = perRepeat;
    }
    bits[0] = mask >= 64 ? ~0ull : (1ull << mask) - 1;
    bits[1] = mask <= 64 ? 0 : mask >= 128 ? ~0ull : (1ull << (mask - 64)) - 1;
    return MaskBits(bits, repeat, false);
}

ASCGRAD_OUTLINE void VectorCall::Finish(bool bitwise) {
    if (core_.ub->track()) {
        Propagate(bitwise);
    }
    Issue();
}

ASCGRAD_OUTLINE void VectorCall::Define() {
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

ASCGRAD_OUTLINE bool VectorCall::CleanLanes(int i) {
    if (!core_.ub->track() || core_.ub->Clean(lanes_[i].address, lanes_[i].extent)) {
        return true;
    }
    bool clean = true;
    Walk([&](const uint64_t* address, uint32_t n) { clean = clean && core_.ub->Clean(address[i], uint64_t(n) * lanes_[i].elem); });
    return clean;
}

// The bytes of an operand. A mask with holes counts as what lies between its ends.
inline Pattern VectorCall::BytesOf(const LaneOperand& op) const {
    if (linear_) {
        return Pattern(op.address, op.extent);
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

ASCGRAD_OUTLINE void VectorCall::Issue() {
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

ASCGRAD_OUTLINE void VectorCall::WalkRuns(RunFunction f, const void* context) {
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

ASCGRAD_OUTLINE bool VectorCall::MaskBits(const uint64_t mask[], int64_t repeat, bool counter) {
    linear_ = false;
    counter_ = counter;
    uint64_t perRepeat = PerRepeat();
    const uint64_t all[2] = {~0ull, ~0ull};
    if (counter) {
        // asc: counter mode; the mask is the number of elements, repeatTime has no effect
        total_ = mask[0];
        repeat_ = (total_ + perRepeat - 1) / perRepeat;
        AddRuns(all, perRepeat);
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
        AddRuns(mask, perRepeat);
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

// Splits the active lanes into runs that are contiguous in every operand.
ASCGRAD_OUTLINE void VectorCall::AddRuns(const uint64_t mask[], uint64_t perRepeat) {
    bool contiguous = true;
    uint32_t chunk = 32;
    for (int i = 0; i < lanes_count_; ++i) {
        contiguous = contiguous && lanes_[i].blk == 1;
        chunk = std::min(chunk, uint32_t(BLOCK / lanes_[i].elem));
    }
    runs_count_ = 0;
    for (uint32_t lane = 0; lane < perRepeat; ++lane) {
        if (!(mask[lane / 64] >> (lane % 64) & 1)) {
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

inline uint64_t VectorCall::ExtentOf(const LaneOperand& op) const {
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

ASCGRAD_OUTLINE bool VectorCall::Begin() {
    const Product& product = core_.launch.product;
    for (int i = 0; i < lanes_count_; ++i) {
        LaneOperand& op = lanes_[i];
        if (!CheckTensor(*op.tensor, name_, op.role, site_)) {
            return false;
        }
        if (op.tensor->address % uint64_t(product.ubAlignment) != 0) {
            ASCGRAD_REPORT("alignment", site_, "%s: %s starts at byte %llu of the unified buffer, which is no multiple of %lld",
                           name_, op.role, (unsigned long long)op.tensor->address, (long long)product.ubAlignment);
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
            ASCGRAD_REPORT("alignment", site_, "%s: %s starts at byte %llu of the unified buffer, which is no multiple of %u",
                           name_, span.role, (unsigned long long)span.tensor->address, span.align);
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
ASCGRAD_OUTLINE void VectorCall::CheckOverlap(const LaneOperand& dst, const LaneOperand& src) {
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

ASCGRAD_OUTLINE bool VectorCall::Collide(const LaneOperand& dst, const LaneOperand& src) {
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

ASCGRAD_OUTLINE void VectorCall::DefineLanes(const LaneOperand& op) {
    if (core_.ub->Clean(op.address, op.extent)) {
        return;
    }
    const int i = int(&op - lanes_);
    Walk([&](const uint64_t* address, uint32_t n) { core_.ub->Define(address[i], uint64_t(n) * op.elem); });
}

ASCGRAD_OUTLINE void VectorCall::Propagate(bool bitwise) {
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

ASCGRAD_OUTLINE void VectorCall::PropagateStep(const uint64_t* at, int dst, uint32_t n, bool bitwise) {
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

}  // namespace emulator
