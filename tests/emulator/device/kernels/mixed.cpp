// Vector and cube cores in turn through global memory: vector cores scale and round x, cube cores multiply by w, vector
// cores add one. Key 0: pairs of flags inside each group, two slots; key 1: barriers of all cores between whole phases.
#include "matmul_tile.h"

using namespace AscendC;

struct MixedTiling {
    uint32_t rows, h, n, tileRows, stepL1, stepL0, reserved;
    float scale;
};

constexpr uint16_t SCALED = 5;    // AIV -> AIC: a tile of bf16 operands is in its slot
constexpr uint16_t PRODUCT = 6;   // AIC -> AIV: a tile of float sums is in its slot
constexpr uint32_t SLOTS = 2;

class Mixed {
public:
    __aicore__ inline Mixed(TPipe* pipe, const MixedTiling& td) : pipe_(pipe), td_(td) {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR workspace) {
        x_.SetGlobalBuffer((__gm__ float*)x);
        w_.SetGlobalBuffer((__gm__ bfloat16_t*)w);
        y_.SetGlobalBuffer((__gm__ float*)y);
        const uint32_t tiles = CeilDiv(td_.rows, td_.tileRows);
        // Each group has its slots; with barriers instead of flags there is a slot for every tile.
        const uint64_t slots = TILING_KEY_IS(0) ? SLOTS * GetBlockNum() : tiles;
        scaled_.SetGlobalBuffer((__gm__ bfloat16_t*)workspace);
        product_.SetGlobalBuffer((__gm__ float*)(workspace + slots * td_.tileRows * td_.h * sizeof(bfloat16_t)));
        group_ = ASCEND_IS_AIV ? GetBlockIdx() / GetTaskRatio() : GetBlockIdx();
        tiles_ = tiles;
        if ASCEND_IS_AIC {
            tile_.Init(pipe_, td_.tileRows, td_.n, td_.stepL1, td_.stepL0);
        } else {
            pipe_->InitBuffer(in_, 2, td_.tileRows * td_.h * sizeof(float));
            pipe_->InitBuffer(out_, 2, td_.tileRows * (td_.h > td_.n ? td_.h : td_.n) * sizeof(float));
        }
    }

    // Vector cores run one tile ahead of the cube core: the operands of tile i are written while it works on tile i - 1.
    // A slot is free again without a further flag. Its operands: the product of tile i - 2 has been waited for. Its
    // product: the store of tile i - 2 is in MTE3 before the flag of tile i is.
    __aicore__ inline void WithFlags() {
        uint32_t previous = tiles_;
        for (uint32_t i = group_, round = 0; i < tiles_ || previous < tiles_; i += GetBlockNum(), ++round) {
            const uint32_t slot = group_ * SLOTS + round % SLOTS;
            if ASCEND_IS_AIC {
                if (i < tiles_) {
                    CrossCoreWaitFlag<2, PIPE_MTE2>(SCALED);
                    Multiply(i, slot);
                    CrossCoreSetFlag<2, PIPE_FIX>(PRODUCT);
                }
            } else {
                if (i < tiles_) {
                    Scale(i, slot);
                    CrossCoreSetFlag<2, PIPE_MTE3>(SCALED);
                }
                if (previous < tiles_) {
                    CrossCoreWaitFlag<2, PIPE_MTE2>(PRODUCT);
                    AddOne(previous, group_ * SLOTS + (round + 1) % SLOTS);
                }
            }
            previous = i < tiles_ ? i : tiles_;
        }
    }

    __aicore__ inline void WithBarriers() {
        if ASCEND_IS_AIV {
            for (uint32_t i = group_; i < tiles_; i += GetBlockNum()) {
                Scale(i, i);
            }
        }
        SyncAll<false>();
        if ASCEND_IS_AIC {
            for (uint32_t i = group_; i < tiles_; i += GetBlockNum()) {
                Multiply(i, i);
            }
        }
        SyncAll<false>();
        if ASCEND_IS_AIV {
            for (uint32_t i = group_; i < tiles_; i += GetBlockNum()) {
                AddOne(i, i);
            }
        }
    }

private:
    __aicore__ inline uint32_t Rows(uint32_t i) const {
        const uint32_t left = td_.rows - i * td_.tileRows;
        return left < td_.tileRows ? left : td_.tileRows;
    }
    // The rows of a tile that this vector core has: the first half, or the rest, which may be none.
    __aicore__ inline uint32_t First(uint32_t i) const { return GetSubBlockIdx() == 0 || GetTaskRatio() == 1 ? 0 : CeilDiv(Rows(i), 2); }
    __aicore__ inline uint32_t Last(uint32_t i) const { return GetTaskRatio() == 1 || GetSubBlockIdx() == 1 ? Rows(i) : CeilDiv(Rows(i), 2); }

    __aicore__ inline void Scale(uint32_t i, uint32_t slot) {
        const uint32_t first = First(i), rows = Last(i) - first, count = rows * td_.h;
        if (rows == 0) {
            return;
        }
        LocalTensor<float> x = in_.AllocTensor<float>();
        DataCopyPad(x, x_[(uint64_t(i) * td_.tileRows + first) * td_.h], {1, uint32_t(count * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0.0f});
        in_.EnQue(x);
        x = in_.DeQue<float>();
        Muls(x, x, td_.scale, count);
        LocalTensor<bfloat16_t> rounded = out_.AllocTensor<bfloat16_t>();
        Cast(rounded, x, RoundMode::CAST_RINT, count);
        in_.FreeTensor(x);
        out_.EnQue(rounded);
        rounded = out_.DeQue<bfloat16_t>();
        DataCopyPad(scaled_[(uint64_t(slot) * td_.tileRows + first) * td_.h], rounded, {1, uint32_t(count * sizeof(bfloat16_t)), 0, 0, 0});
        out_.FreeTensor(rounded);
    }

    __aicore__ inline void Multiply(uint32_t i, uint32_t slot) {
        tile_.Multiply(scaled_[uint64_t(slot) * td_.tileRows * td_.h], td_.h, w_, td_.n, Rows(i), td_.n, td_.h);
        tile_.Store(product_[uint64_t(slot) * td_.tileRows * td_.n], td_.n);
    }

    __aicore__ inline void AddOne(uint32_t i, uint32_t slot) {
        const uint32_t first = First(i), rows = Last(i) - first, count = rows * td_.n;
        if (rows == 0) {
            return;
        }
        LocalTensor<float> product = in_.AllocTensor<float>();
        DataCopyPad(product, product_[(uint64_t(slot) * td_.tileRows + first) * td_.n], {1, uint32_t(count * sizeof(float)), 0, 0, 0},
                    {false, 0, 0, 0.0f});
        in_.EnQue(product);
        product = in_.DeQue<float>();
        LocalTensor<float> y = out_.AllocTensor<float>();
        Adds(y, product, 1.0f, count);
        in_.FreeTensor(product);
        out_.EnQue(y);
        y = out_.DeQue<float>();
        DataCopyPad(y_[(uint64_t(i) * td_.tileRows + first) * td_.n], y, {1, uint32_t(count * sizeof(float)), 0, 0, 0});
        out_.FreeTensor(y);
    }

    TPipe* pipe_;
    MixedTiling td_;
    GlobalTensor<float> x_, y_, product_;
    GlobalTensor<bfloat16_t> w_, scaled_;
    MatmulTile<bfloat16_t, false, false> tile_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    uint32_t group_ = 0, tiles_ = 0;
};

extern "C" __global__ __aicore__ void mixed(GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(MIXED_TYPE);
    REGISTER_TILING_DEFAULT(MixedTiling);
    GET_TILING_DATA(td, tiling);
    TPipe pipe;
    Mixed op(&pipe, td);
    op.Init(x, w, y, workspace);
    if (TILING_KEY_IS(0)) {
        op.WithFlags();
    } else if (TILING_KEY_IS(1)) {
        op.WithBarriers();
    }
}
