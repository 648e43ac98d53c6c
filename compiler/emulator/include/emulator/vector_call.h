// One instruction of the vector pipe: its operands, the lanes it covers, the rules it obeys, and its shadow.
//
// An API describes its operands, says which lanes are active (count form, or mask and repeats), lets Begin check
// everything, runs its arithmetic over runs of contiguous lanes, and calls Finish.
#pragma once

#include "emulator/tensor.h"

namespace emulator {

class VectorCall {
public:
    VectorCall(Called api, Site site);
    VectorCall(const char* name, Site site);

    // An operand with one element per lane. Strides are in data blocks.
    void Lane(const Tensor& t, const char* role, uint32_t elem, bool write, int64_t blk = 1, int64_t rep = 8);
    // An operand of a fixed number of bytes from the tensor's start.
    void Span(const Tensor& t, const char* role, uint64_t bytes, bool write, uint32_t align = BLOCK);

    bool Type(DType type, bool countForm);

    // Count form: the first `count` lanes.
    bool Count(int64_t count);

    // Count form whose count comes from the mask register (isSetMask = false).
    bool CountFromMask() { return Count(core_.counterMode ? int64_t(core_.vectorMask[0]) : 0); }

    // Mask forms. A repeat covers 256 bytes of the widest operand.
    bool Mask(uint64_t mask, int64_t repeat, bool setMask);
    bool Mask(const uint64_t mask[], int64_t repeat, bool setMask) {
        return setMask ? MaskBits(mask, 2, repeat, core_.counterMode) : Mask(uint64_t(0), repeat, false);
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
    const Tensor& Operand(int lane) const { return *lanes_[lane].tensor; }
    const char* name() const { return name_; }
    Site site() const { return site_; }
    uint64_t PerRepeat() const;
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
    bool MaskBits(const uint64_t mask[], int words, int64_t repeat, bool counter);
    void AddRuns(const uint64_t mask[], int words, uint64_t perRepeat);
    uint64_t ExtentOf(const LaneOperand& op) const;
    Pattern BytesOf(const LaneOperand& op) const;
    bool Even() const;
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

}  // namespace emulator
