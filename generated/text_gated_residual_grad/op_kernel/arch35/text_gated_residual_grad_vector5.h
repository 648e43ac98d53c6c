// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_vector5.h
 * \brief TextGatedResidualGrad: stage vector5 of the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  gradMixed                                                                      work 0   to 1
 *    1  gradMixedOverChannels = gradMixed / C                                          work 0   to 4
 *    2  up                                                                             work 1   to 3
 *    3  sigmoid = 1 / (1 + exp(-up))                                                   work 1   to 4
 *    4  scaledBySigmoid = broadcastGradMixedOverChannels * sigmoid                     work 0   to 7
 *    5  x                                                                              work 2   to 19
 *    6  gradXNorm                                                                      work 1   to 7
 *    7  gradXScaled = scaledBySigmoid + gradXNorm                                      work 0   to 13
 *    8  xHat = x * broadcastInvRms   (HAS_GAMMA)                                       work 1   to 9
 *    9  gradXScaledTimesXHat = gradXScaled * xHat   (HAS_GAMMA)                        work 1   to 10
 *   10  dgamma = sum of gradXScaledTimesXHat over rows   (HAS_GAMMA)                   column
 *   11  gradXHat = gradXScaled * broadcastOnePlusGamma   (HAS_GAMMA)                   work 0   to 13
 *   12  gradXHatTimesX = gradXHat * x                                                  work 1   to 14
 *   13  gradXHatTimesInvRms = gradXHat * broadcastInvRms                               work 0   to 20
 *   14  sumOfGradXHatTimesX = sum of gradXHatTimesX over columns                       row
 *   15  scaledByInvRms = sumOfGradXHatTimesX * invRms                                  row
 *   16  scaledByInvRmsTimesInvRms = scaledByInvRms * invRms                            row
 *   17  scaledByInvRmsTimesInvRmsAgain = scaledByInvRmsTimesInvRms * invRms            row
 *   18  quotient = scaledByInvRmsTimesInvRmsAgain / H                                  row
 *   19  quotientTimesX = broadcastQuotient * x                                         work 1   to 20
 *   20  gradX = gradXHatTimesInvRms - quotientTimesX                                   work 0   to 21
 *   21  dx = gradX                                                                     output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, C columns, b bytes of the dtype):
 *   gradMixedQueue   T         2 x b x E                gradMixed, tile
 *   xQueue           T         2 x b x E                x, tile
 *   invRmsQueue      float32   32 x R                   invRms, one value per row
 *   upQueue          T         b x E                    up, tile
 *   gradXNormQueue   float32   4 x E                    gradXNorm, tile
 *   dxQueue          T         2 x b x E                dx, tile
 *   workBuffer       float32   4 x WORK_SLOTS x E       float tiles under computation
 *   rowBuffer        float32   192 x R                  one value per row under computation
 *   columnBuffer     float32   8 x C                    one value per column, for the whole kernel (HAS_GAMMA)
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_VECTOR5_H
#define TEXT_GATED_RESIDUAL_GRAD_VECTOR5_H

#include "kernel_operator.h"
#include "text_gated_residual_grad_tile.h"
#include "../text_gated_residual_grad_tiling_data.h"

namespace TextGatedResidualGrad {
using namespace AscendC;

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
class TextGatedResidualGradVector5 {
public:
    __aicore__ inline void Init(GM_ADDR gradMixed, GM_ADDR x, GM_ADDR invRms, GM_ADDR up, GM_ADDR gamma, GM_ADDR dx,
                                GM_ADDR dgamma, GM_ADDR gradXNorm, GM_ADDR workspace,
                                const TextGatedResidualGradTilingData* tiling, TPipe* pipe, int64_t rows,
                                int64_t block);
    __aicore__ inline void Process();
    // What FinishColumns needs, where Process has been called on other objects.
    __aicore__ inline void InitSums(GM_ADDR dgamma, GM_ADDR workspace, const TextGatedResidualGradTilingData* tiling,
                                    TPipe* pipe);
    __aicore__ inline void FinishColumns();

private:
    static constexpr int32_t KEY = (HAS_INJECT ? 1 : 0) + (HAS_GAMMA ? 2 : 0);
    static constexpr int32_t SUM_OF_GRAD_X_HAT_TIMES_X_ROW = 0;
    static constexpr int32_t SCALED_BY_INV_RMS_ROW = 1;
    static constexpr int32_t SCALED_BY_INV_RMS_TIMES_INV_RMS_ROW = 2;
    static constexpr int32_t SCALED_BY_INV_RMS_TIMES_INV_RMS_AGAIN_ROW = 3;
    static constexpr int32_t QUOTIENT_ROW = 4;
    static constexpr int32_t TILE_SUM_ROW = 5;
    static constexpr int32_t GAMMA_COLUMN = 0;
    static constexpr int32_t ONE_PLUS_GAMMA_COLUMN = 0;
    static constexpr int32_t DGAMMA_COLUMN = 1;

    __aicore__ inline void ProcessRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyInRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyIn(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void Compute(int64_t column, const TileShape& shape);
    __aicore__ inline void CopyOut(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void FinishRows();
    __aicore__ inline void PrepareColumns();
    __aicore__ inline void StoreColumnSums();

    // One of the float work buffers; each holds a tile.
    __aicore__ inline LocalTensor<float> Work(int32_t index)
    {
        return workBuffer_.Get<float>()[index * tileElements_];
    }
    __aicore__ inline LocalTensor<float> RowVector(int32_t index)
    {
        return rowBuffer_.Get<float>()[index * rowCapacity_ * BLOCK_FLOATS];
    }
    __aicore__ inline LocalTensor<float> Column(int32_t index, int64_t column)
    {
        return columnBuffer_.Get<float>()[index * columnCapacity_ + column];
    }

    TQue<QuePosition::VECIN, 1> gradMixedQueue_;
    TQue<QuePosition::VECIN, 1> xQueue_;
    TQue<QuePosition::VECIN, 1> invRmsQueue_;
    TQue<QuePosition::VECIN, 1> upQueue_;
    TQue<QuePosition::VECIN, 1> gradXNormQueue_;
    TQue<QuePosition::VECOUT, 1> dxQueue_;
    TBuf<QuePosition::VECCALC> workBuffer_;
    TBuf<QuePosition::VECCALC> rowBuffer_;
    TBuf<QuePosition::VECCALC> columnBuffer_;
    TBuf<QuePosition::VECCALC> partialBuffer_;
    LocalTensor<float> invRmsRow_;
    GlobalTensor<T> gradMixedGm_;
    GlobalTensor<T> xGm_;
    GlobalTensor<float> invRmsGm_;
    GlobalTensor<T> upGm_;
    GlobalTensor<float> gammaGm_;
    GlobalTensor<T> dxGm_;
    GlobalTensor<float> dgammaGm_;
    GlobalTensor<float> gradXNormGm_;
    GlobalTensor<float> partialGm_; // [column sum][core][column]

    int64_t cores_ = 1; // vector cores
    int64_t core_ = 0;
    int64_t totalRows_ = 0;
    int64_t block_ = 0; // the block of rows that is walked; sums over rows go on from one to the next
    int64_t liveRows_ = 0;
    int64_t columns_ = 0;
    int64_t columnsPerTile_ = 0;
    int32_t rowsPerTile_ = 0;
    int32_t rowCapacity_ = 0;
    int32_t tileElements_ = 0;
    int32_t columnCapacity_ = 0;
    int64_t channels_ = 1;
    int64_t channel_ = 0; // the one that is walked
};

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::Init(GM_ADDR gradMixed, GM_ADDR x,
    GM_ADDR invRms, GM_ADDR up, GM_ADDR gamma, GM_ADDR dx, GM_ADDR dgamma, GM_ADDR gradXNorm, GM_ADDR workspace,
    const TextGatedResidualGradTilingData* tiling, TPipe* pipe, int64_t rows, int64_t block)
{
    cores_ = GetBlockNum() * GetSubBlockNum();
    core_ = GetBlockIdx();
    totalRows_ = rows;
    block_ = block;
    liveRows_ = totalRows_;
    columns_ = tiling->vector5Columns;
    columnsPerTile_ = tiling->vector5ColumnsPerTile;
    rowsPerTile_ = static_cast<int32_t>(tiling->vector5RowsPerTile);
    rowCapacity_ = RoundUpTo(rowsPerTile_, BLOCK_FLOATS);
    tileElements_ = static_cast<int32_t>(tiling->vector5TileElements);
    columnCapacity_ = RoundUpTo(static_cast<int32_t>(columns_), BLOCK_FLOATS);
    channels_ = tiling->vector5Channels;

    gradMixedGm_.SetGlobalBuffer((__gm__ T *)gradMixed);
    xGm_.SetGlobalBuffer((__gm__ T *)x);
    invRmsGm_.SetGlobalBuffer((__gm__ float *)invRms);
    upGm_.SetGlobalBuffer((__gm__ T *)up);
    gammaGm_.SetGlobalBuffer((__gm__ float *)gamma);
    dxGm_.SetGlobalBuffer((__gm__ T *)dx);
    dgammaGm_.SetGlobalBuffer((__gm__ float *)dgamma);
    gradXNormGm_.SetGlobalBuffer((__gm__ float *)gradXNorm);
    partialGm_.SetGlobalBuffer((__gm__ float *)workspace);

    pipe->InitBuffer(gradMixedQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(xQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(invRmsQueue_, 1, rowCapacity_ * BLOCK_BYTES);
    pipe->InitBuffer(upQueue_, 1, tileElements_ * sizeof(T));
    pipe->InitBuffer(gradXNormQueue_, 1, tileElements_ * sizeof(float));
    pipe->InitBuffer(dxQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(workBuffer_, VECTOR5_WORK_SLOTS[KEY] * tileElements_ * sizeof(float));
    pipe->InitBuffer(rowBuffer_, 6 * rowCapacity_ * BLOCK_BYTES);
    if constexpr (HAS_GAMMA) {
        pipe->InitBuffer(columnBuffer_, 2 * columnCapacity_ * sizeof(float));
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::InitSums(GM_ADDR dgamma,
    GM_ADDR workspace, const TextGatedResidualGradTilingData* tiling, TPipe* pipe)
{
    cores_ = GetBlockNum() * GetSubBlockNum();
    core_ = GetBlockIdx();
    columns_ = tiling->vector5Columns;
    channels_ = tiling->vector5Channels;
    dgammaGm_.SetGlobalBuffer((__gm__ float *)dgamma);
    partialGm_.SetGlobalBuffer((__gm__ float *)workspace);
    pipe->InitBuffer(partialBuffer_, (cores_ + 1) * PARTIAL_COLUMNS * sizeof(float));
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::Process()
{
    // The first liveRows % cores cores take one row more than the others.
    const int64_t base = liveRows_ / cores_;
    const int64_t extra = liveRows_ % cores_;
    const int64_t first = core_ * base + (core_ < extra ? core_ : extra);
    const int64_t share = base + (core_ < extra ? 1 : 0);
    const int64_t tiles = (share + rowsPerTile_ - 1) / rowsPerTile_;
    const int64_t step = tiles > 0 ? (share + tiles - 1) / tiles : 1; // tiles of equal height
    for (channel_ = 0; channel_ < channels_; ++channel_) {
        PrepareColumns();
        for (int64_t done = 0; done < share; done += step) {
            ProcessRows(first + done, static_cast<int32_t>(share - done < step ? share - done : step));
        }
        StoreColumnSums();
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::PrepareColumns()
{
    if constexpr (HAS_GAMMA) {
        WaitFor<HardEvent::V_MTE2>(); // the channel before this one has been computed
        LoadRun(Column(GAMMA_COLUMN, 0), gammaGm_[channel_ * columns_], static_cast<int32_t>(columns_));
        WaitFor<HardEvent::MTE2_V>();
        // onePlusGamma = 1 + gamma
        Adds(Column(ONE_PLUS_GAMMA_COLUMN, 0), Column(GAMMA_COLUMN, 0), 1.0f, columnCapacity_);
        if (block_ == 0) {
            WaitFor<HardEvent::MTE3_V>();
            Duplicate(Column(DGAMMA_COLUMN, 0), 0.0f, columnCapacity_);
        } else {
            WaitFor<HardEvent::MTE3_MTE2>();
            LoadRun(Column(DGAMMA_COLUMN, 0),
                    partialGm_[core_ * RoundUpTo(channels_ * columns_, static_cast<int64_t>(BLOCK_FLOATS)) +
                               channel_ * columns_], static_cast<int32_t>(columns_));
            WaitFor<HardEvent::MTE2_V>();
        }
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::ProcessRows(int64_t row, int32_t rows)
{
    CopyInRows(row, rows);
    invRmsRow_ = invRmsQueue_.template DeQue<float>();
    for (int64_t column = 0; column < columns_; column += columnsPerTile_) {
        const int64_t left = columns_ - column;
        const int32_t width = static_cast<int32_t>(left < columnsPerTile_ ? left : columnsPerTile_);
        const TileShape shape{rows, width, RoundUpTo(width, static_cast<int32_t>(BLOCK_BYTES / sizeof(T)))};
        CopyIn(row, column, shape);
        Compute(column, shape);
        CopyOut(row, column, shape);
    }
    FinishRows();
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::CopyInRows(int64_t row, int32_t rows)
{
    LocalTensor<float> invRmsRow = invRmsQueue_.template AllocTensor<float>();
    LoadTile(invRmsRow, invRmsGm_[row * channels_ + channel_], channels_, TileShape{rows, 1, BLOCK_FLOATS});
    invRmsQueue_.EnQue(invRmsRow);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::CopyIn(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> gradMixedTile = gradMixedQueue_.template AllocTensor<T>();
    LoadTile(gradMixedTile, gradMixedGm_[row * columns_ + column], columns_, shape);
    gradMixedQueue_.EnQue(gradMixedTile);

    LocalTensor<T> xTile = xQueue_.template AllocTensor<T>();
    LoadTile(xTile, xGm_[row * (channels_ * columns_) + channel_ * columns_ + column], channels_ * columns_, shape);
    xQueue_.EnQue(xTile);

    LocalTensor<T> upTile = upQueue_.template AllocTensor<T>();
    LoadTile(upTile, upGm_[row * (channels_ * columns_) + channel_ * columns_ + column], channels_ * columns_, shape);
    upQueue_.EnQue(upTile);

    LocalTensor<float> gradXNormTile = gradXNormQueue_.template AllocTensor<float>();
    LoadTile(gradXNormTile, gradXNormGm_[row * (channels_ * columns_) + channel_ * columns_ + column],
             channels_ * columns_, shape);
    gradXNormQueue_.EnQue(gradXNormTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::Compute(int64_t column,
    const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> gradMixedTile = gradMixedQueue_.template DeQue<T>();
    LocalTensor<T> xTile = xQueue_.template DeQue<T>();
    LocalTensor<T> upTile = upQueue_.template DeQue<T>();
    LocalTensor<float> gradXNormTile = gradXNormQueue_.template DeQue<float>();
    LocalTensor<T> dxTile = dxQueue_.template AllocTensor<T>();

    LocalTensor<float> gradMixed = Work(0);
    ToFloat(gradMixed, gradMixedTile, count);
    gradMixedQueue_.FreeTensor(gradMixedTile);
    LocalTensor<float> gradMixedOverChannels = Work(0);
    // gradMixedOverChannels = gradMixed / C
    Muls(gradMixedOverChannels, gradMixed, 1.0f / (static_cast<float>(channels_)), count);
    LocalTensor<float> up = Work(1);
    ToFloat(up, upTile, count);
    upQueue_.FreeTensor(upTile);
    LocalTensor<float> sigmoid = Work(1);
    Muls(Work(2), up, -1.0f, count); // sigmoid = 1 / (1 + exp(-up))
    Exp(Work(2), Work(2), count);
    Adds(Work(2), Work(2), 1.0f, count);
    Duplicate(sigmoid, 1.0f, count);
    Div(sigmoid, sigmoid, Work(2), count);
    LocalTensor<float> scaledBySigmoid = Work(0);
    // scaledBySigmoid = broadcastGradMixedOverChannels * sigmoid
    Mul(scaledBySigmoid, gradMixedOverChannels, sigmoid, count);
    LocalTensor<float> x = Work(2);
    ToFloat(x, xTile, count);
    xQueue_.FreeTensor(xTile);
    LocalTensor<float> gradXNorm = gradXNormTile;
    ToFloat(gradXNorm, gradXNormTile, count);
    LocalTensor<float> gradXScaled = Work(0);
    Add(gradXScaled, scaledBySigmoid, gradXNorm, count); // gradXScaled = scaledBySigmoid + gradXNorm
    gradXNormQueue_.FreeTensor(gradXNormTile);
    LocalTensor<float> gradXHat = Work(0);
    if constexpr (HAS_GAMMA) {
        LocalTensor<float> xHat = Work(1);
        ApplyRows<VectorOp::MUL>(xHat, x, invRmsRow_, shape); // xHat = x * broadcastInvRms
        LocalTensor<float> gradXScaledTimesXHat = Work(1);
        Mul(gradXScaledTimesXHat, gradXScaled, xHat, count); // gradXScaledTimesXHat = gradXScaled * xHat
        // dgamma = sum of gradXScaledTimesXHat over rows
        AddRowsTo(Column(DGAMMA_COLUMN, column), gradXScaledTimesXHat, shape);
        // gradXHat = gradXScaled * broadcastOnePlusGamma
        ApplyColumns<VectorOp::MUL>(gradXHat, gradXScaled, Column(ONE_PLUS_GAMMA_COLUMN, column), shape);
    }
    LocalTensor<float> gradXHatTimesX = Work(1);
    Mul(gradXHatTimesX, gradXHat, x, count); // gradXHatTimesX = gradXHat * x
    LocalTensor<float> gradXHatTimesInvRms = Work(0);
    // gradXHatTimesInvRms = gradXHat * broadcastInvRms
    ApplyRows<VectorOp::MUL>(gradXHatTimesInvRms, gradXHat, invRmsRow_, shape);
    SumRows(RowVector(TILE_SUM_ROW), gradXHatTimesX, shape); // sumOfGradXHatTimesX = sum of gradXHatTimesX over columns
    ReplicateRows(RowVector(SUM_OF_GRAD_X_HAT_TIMES_X_ROW), RowVector(TILE_SUM_ROW), shape.rows);
    // scaledByInvRms = sumOfGradXHatTimesX * invRms
    Mul(RowVector(SCALED_BY_INV_RMS_ROW), RowVector(SUM_OF_GRAD_X_HAT_TIMES_X_ROW), invRmsRow_,
        shape.rows * BLOCK_FLOATS);
    // scaledByInvRmsTimesInvRms = scaledByInvRms * invRms
    Mul(RowVector(SCALED_BY_INV_RMS_TIMES_INV_RMS_ROW), RowVector(SCALED_BY_INV_RMS_ROW), invRmsRow_,
        shape.rows * BLOCK_FLOATS);
    // scaledByInvRmsTimesInvRmsAgain = scaledByInvRmsTimesInvRms * invRms
    Mul(RowVector(SCALED_BY_INV_RMS_TIMES_INV_RMS_AGAIN_ROW), RowVector(SCALED_BY_INV_RMS_TIMES_INV_RMS_ROW),
        invRmsRow_, shape.rows * BLOCK_FLOATS);
    // quotient = scaledByInvRmsTimesInvRmsAgain / H
    Muls(RowVector(QUOTIENT_ROW), RowVector(SCALED_BY_INV_RMS_TIMES_INV_RMS_AGAIN_ROW),
         1.0f / (static_cast<float>(columns_)), shape.rows * BLOCK_FLOATS);
    LocalTensor<float> quotientTimesX = Work(1);
    // quotientTimesX = broadcastQuotient * x
    ApplyRows<VectorOp::MUL>(quotientTimesX, x, RowVector(QUOTIENT_ROW), shape);
    LocalTensor<float> gradX = Work(0);
    Sub(gradX, gradXHatTimesInvRms, quotientTimesX, count); // gradX = gradXHatTimesInvRms - quotientTimesX
    FromFloat(dxTile, gradX, count);
    dxQueue_.EnQue(dxTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::CopyOut(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> dxTile = dxQueue_.template DeQue<T>();
    StoreTile(dxGm_[row * (channels_ * columns_) + channel_ * columns_ + column], dxTile, channels_ * columns_, shape);
    dxQueue_.FreeTensor(dxTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::FinishRows()
{
    invRmsQueue_.FreeTensor(invRmsRow_);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::StoreColumnSums()
{
    // Every core leaves its sums in the workspace.
    WaitFor<HardEvent::V_MTE3>();
    if constexpr (HAS_GAMMA) {
        StoreRun(partialGm_[core_ * RoundUpTo(channels_ * columns_, static_cast<int64_t>(BLOCK_FLOATS)) +
                            channel_ * columns_], Column(DGAMMA_COLUMN, 0), static_cast<int32_t>(columns_));
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA>::FinishColumns()
{
    // Each core adds up its columns over the cores, in ascending order.
    WaitFor<HardEvent::MTE3_MTE2>();
    SyncAll();

    const int64_t total = channels_ * columns_;
    const int64_t pitch = RoundUpTo(total, static_cast<int64_t>(BLOCK_FLOATS));
    LocalTensor<float> partials = partialBuffer_.template Get<float>();
    LocalTensor<float> sum = partials[cores_ * PARTIAL_COLUMNS];
    for (int64_t column = core_ * PARTIAL_COLUMNS; column < total; column += cores_ * PARTIAL_COLUMNS) {
        const int64_t left = total - column;
        const int32_t width = static_cast<int32_t>(left < PARTIAL_COLUMNS ? left : PARTIAL_COLUMNS);
        const TileShape shape{static_cast<int32_t>(cores_), width, PARTIAL_COLUMNS};
        if constexpr (HAS_GAMMA) {
            WaitFor<HardEvent::V_MTE2>();
            LoadTile(partials, partialGm_[column], pitch, shape);
            WaitFor<HardEvent::MTE2_V>();
            WaitFor<HardEvent::MTE3_V>();
            Duplicate(sum, 0.0f, width);
            for (int32_t other = 0; other < shape.rows; ++other) {
                Add(sum, sum, partials[other * PARTIAL_COLUMNS], width);
            }
            WaitFor<HardEvent::V_MTE3>();
            StoreRun(dgammaGm_[column], sum, width);
        }
    }
}

} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_VECTOR5_H
