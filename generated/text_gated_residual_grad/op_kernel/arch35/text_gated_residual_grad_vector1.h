// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_vector1.h
 * \brief TextGatedResidualGrad: stage vector1 of the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  gradMixed                                                                      work 0   to 1
 *    1  gradMixedOverChannels = gradMixed / C                                          work 0   to 5
 *    2  x                                                                              work 1   to 3
 *    3  xHat = x * broadcastInvRms                                                     work 1   to 6
 *    4  xScaled = xHat * broadcastOnePlusGamma   (HAS_GAMMA)                           work 1   to 6
 *    5  scaledByXScaled = broadcastGradMixedOverChannels * xScaled                     work 0   to 11
 *    6  xNorm = xScaled                                                                output
 *    7  up                                                                             work 1   to 8
 *    8  sigmoid = 1 / (1 + exp(-up))                                                   work 1   to 10
 *    9  oneMinusSigmoid = 1 - sigmoid                                                  work 2   to 10
 *   10  sigmoidSlope = sigmoid * oneMinusSigmoid                                       work 1   to 11
 *   11  gradUp = scaledByXScaled * sigmoidSlope                                        work 0   to 12
 *   12  gradUp                                                                         output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, C columns, b bytes of the dtype):
 *   gradMixedQueue   T         2 x b x E                gradMixed, tile
 *   xQueue           T         2 x b x E                x, tile
 *   invRmsQueue      float32   32 x R                   invRms, one value per row
 *   upQueue          T         2 x b x E                up, tile
 *   gradUpQueue      T         2 x b x E                gradUp, tile
 *   xNormQueue       T         2 x b x E                xNorm, tile
 *   workBuffer       float32   4 x WORK_SLOTS x E       float tiles under computation
 *   columnBuffer     float32   4 x C                    one value per column, for the whole kernel (HAS_GAMMA)
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_VECTOR1_H
#define TEXT_GATED_RESIDUAL_GRAD_VECTOR1_H

#include "kernel_operator.h"
#include "text_gated_residual_grad_tile.h"
#include "../text_gated_residual_grad_tiling_data.h"

namespace TextGatedResidualGrad {
using namespace AscendC;

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
class TextGatedResidualGradVector1 {
public:
    __aicore__ inline void Init(GM_ADDR gradMixed, GM_ADDR x, GM_ADDR invRms, GM_ADDR up, GM_ADDR gamma, GM_ADDR gradUp,
                                GM_ADDR xNorm, const TextGatedResidualGradTilingData* tiling, TPipe* pipe,
                                int64_t rows);
    __aicore__ inline void Process();

private:
    static constexpr int32_t KEY = (HAS_INJECT ? 1 : 0) + (HAS_GAMMA ? 2 : 0);
    static constexpr int32_t GAMMA_COLUMN = 0;
    static constexpr int32_t ONE_PLUS_GAMMA_COLUMN = 0;

    __aicore__ inline void ProcessStrips();
    __aicore__ inline void LeaveInL1(const LocalTensor<T>& tile, int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void ProcessRows(int64_t row, int32_t rows, int64_t first, int64_t last);
    __aicore__ inline void CopyInRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyIn(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void Compute(int64_t column, const TileShape& shape);
    __aicore__ inline void CopyOut(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void FinishRows();
    __aicore__ inline void PrepareColumns(int64_t column, int64_t columns);

    // One of the float work buffers; each holds a tile.
    __aicore__ inline LocalTensor<float> Work(int32_t index)
    {
        return workBuffer_.Get<float>()[index * tileElements_];
    }
    __aicore__ inline LocalTensor<float> Column(int32_t index, int64_t column)
    {
        return columnBuffer_.Get<float>()[index * columnCapacity_ + column];
    }

    TQue<QuePosition::VECIN, 1> gradMixedQueue_;
    TQue<QuePosition::VECIN, 1> xQueue_;
    TQue<QuePosition::VECIN, 1> invRmsQueue_;
    TQue<QuePosition::VECIN, 1> upQueue_;
    TQue<QuePosition::VECOUT, 1> gradUpQueue_;
    TQue<QuePosition::VECOUT, 1> xNormQueue_;
    TBuf<QuePosition::VECCALC> workBuffer_;
    TBuf<QuePosition::VECCALC> columnBuffer_;
    LocalTensor<float> invRmsRow_;
    GlobalTensor<T> gradMixedGm_;
    GlobalTensor<T> xGm_;
    GlobalTensor<float> invRmsGm_;
    GlobalTensor<T> upGm_;
    GlobalTensor<float> gammaGm_;
    GlobalTensor<T> gradUpGm_;
    GlobalTensor<T> xNormGm_;

    TBuf<QuePosition::A1> stripBuffer_; // L1 of the group's cube core
    int64_t stripColumns_ = 0; // of a strip of gradUp there; 0 where it goes through the workspace
    int64_t tileRows_ = 0; // most rows of a strip
    int64_t stripRow_ = 0; // where the one that is walked starts
    int64_t stripColumn_ = 0;
    int64_t stripRows_ = 0; // and its rows

    int64_t cores_ = 1; // vector cores
    int64_t core_ = 0;
    int64_t totalRows_ = 0;
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
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::Init(GM_ADDR gradMixed, GM_ADDR x,
    GM_ADDR invRms, GM_ADDR up, GM_ADDR gamma, GM_ADDR gradUp, GM_ADDR xNorm,
    const TextGatedResidualGradTilingData* tiling, TPipe* pipe, int64_t rows)
{
    cores_ = GetBlockNum() * GetSubBlockNum();
    core_ = GetBlockIdx();
    totalRows_ = rows;
    liveRows_ = totalRows_;
    columns_ = tiling->vector1Columns;
    columnsPerTile_ = tiling->vector1ColumnsPerTile;
    rowsPerTile_ = static_cast<int32_t>(tiling->vector1RowsPerTile);
    rowCapacity_ = RoundUpTo(rowsPerTile_, BLOCK_FLOATS);
    tileElements_ = static_cast<int32_t>(tiling->vector1TileElements);
    columnCapacity_ = RoundUpTo(static_cast<int32_t>(columns_), BLOCK_FLOATS);
    channels_ = tiling->vector1Channels;
    stripColumns_ = tiling->gradUpL1Columns;
    tileRows_ = tiling->gradActTileRows;

    gradMixedGm_.SetGlobalBuffer((__gm__ T *)gradMixed);
    xGm_.SetGlobalBuffer((__gm__ T *)x);
    invRmsGm_.SetGlobalBuffer((__gm__ float *)invRms);
    upGm_.SetGlobalBuffer((__gm__ T *)up);
    gammaGm_.SetGlobalBuffer((__gm__ float *)gamma);
    gradUpGm_.SetGlobalBuffer((__gm__ T *)gradUp);
    xNormGm_.SetGlobalBuffer((__gm__ T *)xNorm);

    if (stripColumns_ > 0) {
        // At the start of L1, as on cube cores.
        pipe->InitBuffer(stripBuffer_, tileRows_ * stripColumns_ * sizeof(T));
    }
    pipe->InitBuffer(gradMixedQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(xQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(invRmsQueue_, 1, rowCapacity_ * BLOCK_BYTES);
    pipe->InitBuffer(upQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(gradUpQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(xNormQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(workBuffer_, VECTOR1_WORK_SLOTS[KEY] * tileElements_ * sizeof(float));
    if constexpr (HAS_GAMMA) {
        pipe->InitBuffer(columnBuffer_, columnCapacity_ * sizeof(float));
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::Process()
{
    if (stripColumns_ > 0) {
        ProcessStrips();
        return;
    }
    // The first liveRows % cores cores take one row more than the others.
    const int64_t base = liveRows_ / cores_;
    const int64_t extra = liveRows_ % cores_;
    const int64_t first = core_ * base + (core_ < extra ? core_ : extra);
    const int64_t share = base + (core_ < extra ? 1 : 0);
    const int64_t tiles = (share + rowsPerTile_ - 1) / rowsPerTile_;
    const int64_t step = tiles > 0 ? (share + tiles - 1) / tiles : 1; // tiles of equal height
    for (channel_ = 0; channel_ < channels_; ++channel_) {
        PrepareColumns(0, columns_);
        for (int64_t done = 0; done < share; done += step) {
            ProcessRows(first + done, static_cast<int32_t>(share - done < step ? share - done : step), 0, columns_);
        }
    }
}

// Those of `columns` columns from `column` on.
template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::PrepareColumns(int64_t column,
    int64_t columns)
{
    if constexpr (HAS_GAMMA) {
        WaitFor<HardEvent::V_MTE2>(); // the channel before this one has been computed
        LoadRun(Column(GAMMA_COLUMN, column), gammaGm_[channel_ * columns_ + column], static_cast<int32_t>(columns));
        WaitFor<HardEvent::MTE2_V>();
        // onePlusGamma = 1 + gamma
        Adds(Column(ONE_PLUS_GAMMA_COLUMN, column), Column(GAMMA_COLUMN, column), 1.0f,
             RoundUpTo(static_cast<int32_t>(columns), BLOCK_FLOATS));
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::ProcessStrips()
{
    // The strips of the group's cube core, in its order. Each of the vector cores takes a half of the rows.
    const int64_t groups = GetBlockNum();
    const int64_t total = channels_ * columns_;
    const int64_t rowTiles = (totalRows_ + tileRows_ - 1) / tileRows_;
    const int64_t strips = rowTiles * ((total + stripColumns_ - 1) / stripColumns_);
    for (int64_t strip = core_ / GetSubBlockNum(); strip < strips; strip += groups) {
        stripRow_ = strip % rowTiles * tileRows_;
        stripColumn_ = strip / rowTiles * stripColumns_;
        stripRows_ = totalRows_ - stripRow_ < tileRows_ ? totalRows_ - stripRow_ : tileRows_;
        const int64_t end = stripColumn_ + stripColumns_ < total ? stripColumn_ + stripColumns_ : total;
        const int64_t upper = (stripRows_ + 1) / 2;
        const bool lower = GetSubBlockIdx() == 1;
        const int64_t first = stripRow_ + (lower ? upper : 0);
        const int64_t share = lower ? stripRows_ - upper : upper;
        const int64_t tiles = (share + rowsPerTile_ - 1) / rowsPerTile_;
        const int64_t step = tiles > 0 ? (share + tiles - 1) / tiles : 1; // tiles of equal height
        CrossCoreWaitFlag<4, PIPE_MTE3>(STRIP_IS_FREE);
        for (int64_t at = stripColumn_; at < end && share > 0;) {
            channel_ = at / columns_;
            const int64_t column = at % columns_;
            const int64_t last = column + end - at < columns_ ? column + end - at : columns_;
            PrepareColumns(column, last - column);
            for (int64_t done = 0; done < share; done += step) {
                ProcessRows(first + done, static_cast<int32_t>(share - done < step ? share - done : step), column,
                            last);
            }
            at += last - column;
        }
        CrossCoreSetFlag<4, PIPE_MTE3>(STRIP_IS_THERE);
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::LeaveInL1(const LocalTensor<T>& tile,
    int64_t row, int64_t column, const TileShape& shape)
{
    constexpr int32_t lanes = BLOCK_BYTES / sizeof(T);
    const int64_t pitch = RoundUpTo(stripRows_, static_cast<int64_t>(lanes)); // whole fractals
    const LocalTensor<T> strip = stripBuffer_.template Get<T>()[(channel_ * columns_ + column - stripColumn_) * pitch];
    TileToL1(strip[(row - stripRow_) * lanes], tile, pitch, shape);
    if (stripRows_ == 1) { // a lone row is multiplied twice
        TileToL1(strip[lanes], tile, pitch, shape);
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::ProcessRows(int64_t row, int32_t rows,
    int64_t first, int64_t last)
{
    CopyInRows(row, rows);
    invRmsRow_ = invRmsQueue_.template DeQue<float>();
    for (int64_t column = first; column < last; column += columnsPerTile_) {
        const int64_t left = last - column;
        const int32_t width = static_cast<int32_t>(left < columnsPerTile_ ? left : columnsPerTile_);
        const TileShape shape{rows, width, RoundUpTo(width, static_cast<int32_t>(BLOCK_BYTES / sizeof(T)))};
        CopyIn(row, column, shape);
        Compute(column, shape);
        CopyOut(row, column, shape);
    }
    FinishRows();
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::CopyInRows(int64_t row, int32_t rows)
{
    LocalTensor<float> invRmsRow = invRmsQueue_.template AllocTensor<float>();
    LoadTile(invRmsRow, invRmsGm_[row * channels_ + channel_], channels_, TileShape{rows, 1, BLOCK_FLOATS});
    invRmsQueue_.EnQue(invRmsRow);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::CopyIn(int64_t row, int64_t column,
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
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::Compute(int64_t column,
    const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> gradMixedTile = gradMixedQueue_.template DeQue<T>();
    LocalTensor<T> xTile = xQueue_.template DeQue<T>();
    LocalTensor<T> upTile = upQueue_.template DeQue<T>();
    LocalTensor<T> gradUpTile = gradUpQueue_.template AllocTensor<T>();
    LocalTensor<T> xNormTile = xNormQueue_.template AllocTensor<T>();

    LocalTensor<float> gradMixed = Work(0);
    ToFloat(gradMixed, gradMixedTile, count);
    gradMixedQueue_.FreeTensor(gradMixedTile);
    LocalTensor<float> gradMixedOverChannels = Work(0);
    // gradMixedOverChannels = gradMixed / C
    Muls(gradMixedOverChannels, gradMixed, 1.0f / (static_cast<float>(channels_)), count);
    LocalTensor<float> x = Work(1);
    ToFloat(x, xTile, count);
    xQueue_.FreeTensor(xTile);
    LocalTensor<float> xHat = Work(1);
    ApplyRows<VectorOp::MUL>(xHat, x, invRmsRow_, shape); // xHat = x * broadcastInvRms
    LocalTensor<float> xScaled = Work(1);
    if constexpr (HAS_GAMMA) {
        // xScaled = xHat * broadcastOnePlusGamma
        ApplyColumns<VectorOp::MUL>(xScaled, xHat, Column(ONE_PLUS_GAMMA_COLUMN, column), shape);
    }
    LocalTensor<float> scaledByXScaled = Work(0);
    // scaledByXScaled = broadcastGradMixedOverChannels * xScaled
    Mul(scaledByXScaled, gradMixedOverChannels, xScaled, count);
    FromFloat(xNormTile, xScaled, count);
    LocalTensor<float> up = Work(1);
    ToFloat(up, upTile, count);
    upQueue_.FreeTensor(upTile);
    LocalTensor<float> sigmoid = Work(1);
    Muls(Work(2), up, -1.0f, count); // sigmoid = 1 / (1 + exp(-up))
    Exp(Work(2), Work(2), count);
    Adds(Work(2), Work(2), 1.0f, count);
    Duplicate(sigmoid, 1.0f, count);
    Div(sigmoid, sigmoid, Work(2), count);
    LocalTensor<float> oneMinusSigmoid = Work(2);
    Muls(oneMinusSigmoid, sigmoid, -1.0f, count); // oneMinusSigmoid = 1 - sigmoid
    Adds(oneMinusSigmoid, oneMinusSigmoid, 1.0f, count);
    LocalTensor<float> sigmoidSlope = Work(1);
    Mul(sigmoidSlope, sigmoid, oneMinusSigmoid, count); // sigmoidSlope = sigmoid * oneMinusSigmoid
    LocalTensor<float> gradUp = Work(0);
    Mul(gradUp, scaledByXScaled, sigmoidSlope, count); // gradUp = scaledByXScaled * sigmoidSlope
    FromFloat(gradUpTile, gradUp, count);
    gradUpQueue_.EnQue(gradUpTile);
    xNormQueue_.EnQue(xNormTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::CopyOut(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> gradUpTile = gradUpQueue_.template DeQue<T>();
    StoreTile(gradUpGm_[row * (channels_ * columns_) + channel_ * columns_ + column], gradUpTile, channels_ * columns_,
              shape);
    if (stripColumns_ > 0) {
        LeaveInL1(gradUpTile, row, column, shape);
    }
    gradUpQueue_.FreeTensor(gradUpTile);
    LocalTensor<T> xNormTile = xNormQueue_.template DeQue<T>();
    StoreTile(xNormGm_[row * (channels_ * columns_) + channel_ * columns_ + column], xNormTile, channels_ * columns_,
              shape);
    xNormQueue_.FreeTensor(xNormTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA>::FinishRows()
{
    invRmsQueue_.FreeTensor(invRmsRow_);
}

} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_VECTOR1_H
