// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_vector3.h
 * \brief TextGatedResidualGrad: stage vector3 of the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  downPreAct                                                                     work 0   to 1
 *    1  downPreActOverChannels = downPreAct / C                                        work 0   to 3
 *    2  downPreActOverChannelsFinite = finite(downPreActOverChannels)                  work 1   to 4
 *    3  sigmoid = 1 / (1 + exp(-downPreActOverChannels))                               work 0   to 4
 *    4  act = downPreActOverChannelsFinite * sigmoid                                   work 0   to 5
 *    5  act                                                                            output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, b bytes of the dtype):
 *   downPreActQueue  T         2 x b x E                downPreAct, tile
 *   actQueue         T         2 x b x E                act, tile
 *   workBuffer       float32   4 x WORK_SLOTS x E       float tiles under computation
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_VECTOR3_H
#define TEXT_GATED_RESIDUAL_GRAD_VECTOR3_H

#include "kernel_operator.h"
#include "text_gated_residual_grad_tile.h"
#include "../text_gated_residual_grad_tiling_data.h"

namespace TextGatedResidualGrad {
using namespace AscendC;

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
class TextGatedResidualGradVector3 {
public:
    __aicore__ inline void Init(GM_ADDR downPreAct, GM_ADDR act, const TextGatedResidualGradTilingData* tiling,
                                TPipe* pipe, int64_t rows);
    __aicore__ inline void Process();

private:
    static constexpr int32_t KEY = (HAS_INJECT ? 1 : 0) + (HAS_GAMMA ? 2 : 0);

    __aicore__ inline void ProcessRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyIn(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void Compute(const TileShape& shape);
    __aicore__ inline void CopyOut(int64_t row, int64_t column, const TileShape& shape);

    // One of the float work buffers; each holds a tile.
    __aicore__ inline LocalTensor<float> Work(int32_t index)
    {
        return workBuffer_.Get<float>()[index * tileElements_];
    }

    TQue<QuePosition::VECIN, 1> downPreActQueue_;
    TQue<QuePosition::VECOUT, 1> actQueue_;
    TBuf<QuePosition::VECCALC> workBuffer_;
    GlobalTensor<T> downPreActGm_;
    GlobalTensor<T> actGm_;

    int64_t cores_ = 1; // vector cores
    int64_t core_ = 0;
    int64_t totalRows_ = 0;
    int64_t liveRows_ = 0;
    int64_t columns_ = 0;
    int64_t columnsPerTile_ = 0;
    int32_t rowsPerTile_ = 0;
    int32_t tileElements_ = 0;
    int64_t sizeC_ = 0;
};

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector3<T, HAS_INJECT, HAS_GAMMA>::Init(GM_ADDR downPreAct, GM_ADDR act,
    const TextGatedResidualGradTilingData* tiling, TPipe* pipe, int64_t rows)
{
    cores_ = GetBlockNum() * GetSubBlockNum();
    core_ = GetBlockIdx();
    totalRows_ = rows;
    liveRows_ = totalRows_;
    columns_ = tiling->vector3Columns;
    columnsPerTile_ = tiling->vector3ColumnsPerTile;
    rowsPerTile_ = static_cast<int32_t>(tiling->vector3RowsPerTile);
    tileElements_ = static_cast<int32_t>(tiling->vector3TileElements);
    sizeC_ = tiling->sizeC;

    downPreActGm_.SetGlobalBuffer((__gm__ T *)downPreAct);
    actGm_.SetGlobalBuffer((__gm__ T *)act);

    pipe->InitBuffer(downPreActQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(actQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(workBuffer_, VECTOR3_WORK_SLOTS[KEY] * tileElements_ * sizeof(float));
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector3<T, HAS_INJECT, HAS_GAMMA>::Process()
{
    // The first liveRows % cores cores take one row more than the others.
    const int64_t base = liveRows_ / cores_;
    const int64_t extra = liveRows_ % cores_;
    const int64_t first = core_ * base + (core_ < extra ? core_ : extra);
    const int64_t share = base + (core_ < extra ? 1 : 0);
    const int64_t tiles = (share + rowsPerTile_ - 1) / rowsPerTile_;
    const int64_t step = tiles > 0 ? (share + tiles - 1) / tiles : 1; // tiles of equal height
    for (int64_t done = 0; done < share; done += step) {
        ProcessRows(first + done, static_cast<int32_t>(share - done < step ? share - done : step));
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector3<T, HAS_INJECT, HAS_GAMMA>::ProcessRows(int64_t row, int32_t rows)
{
    for (int64_t column = 0; column < columns_; column += columnsPerTile_) {
        const int64_t left = columns_ - column;
        const int32_t width = static_cast<int32_t>(left < columnsPerTile_ ? left : columnsPerTile_);
        const TileShape shape{rows, width, RoundUpTo(width, static_cast<int32_t>(BLOCK_BYTES / sizeof(T)))};
        CopyIn(row, column, shape);
        Compute(shape);
        CopyOut(row, column, shape);
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector3<T, HAS_INJECT, HAS_GAMMA>::CopyIn(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> downPreActTile = downPreActQueue_.template AllocTensor<T>();
    LoadTile(downPreActTile, downPreActGm_[row * columns_ + column], columns_, shape);
    downPreActQueue_.EnQue(downPreActTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector3<T, HAS_INJECT, HAS_GAMMA>::Compute(const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> downPreActTile = downPreActQueue_.template DeQue<T>();
    LocalTensor<T> actTile = actQueue_.template AllocTensor<T>();

    LocalTensor<float> downPreAct = Work(0);
    ToFloat(downPreAct, downPreActTile, count);
    downPreActQueue_.FreeTensor(downPreActTile);
    LocalTensor<float> downPreActOverChannels = Work(0);
    // downPreActOverChannels = downPreAct / C
    Muls(downPreActOverChannels, downPreAct, 1.0f / (static_cast<float>(sizeC_)), count);
    LocalTensor<float> downPreActOverChannelsFinite = Work(1);
    // downPreActOverChannelsFinite = finite(downPreActOverChannels)
    Maxs(downPreActOverChannelsFinite, downPreActOverChannels, -FLOAT_MAX, count);
    Mins(downPreActOverChannelsFinite, downPreActOverChannelsFinite, FLOAT_MAX, count);
    LocalTensor<float> sigmoid = Work(0);
    Muls(Work(2), downPreActOverChannels, -1.0f, count); // sigmoid = 1 / (1 + exp(-downPreActOverChannels))
    Exp(Work(2), Work(2), count);
    Adds(Work(2), Work(2), 1.0f, count);
    Duplicate(sigmoid, 1.0f, count);
    Div(sigmoid, sigmoid, Work(2), count);
    LocalTensor<float> act = Work(0);
    Mul(act, downPreActOverChannelsFinite, sigmoid, count); // act = downPreActOverChannelsFinite * sigmoid
    FromFloat(actTile, act, count);
    actQueue_.EnQue(actTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector3<T, HAS_INJECT, HAS_GAMMA>::CopyOut(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> actTile = actQueue_.template DeQue<T>();
    StoreTile(actGm_[row * columns_ + column], actTile, columns_, shape);
    actQueue_.FreeTensor(actTile);
}

} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_VECTOR3_H
