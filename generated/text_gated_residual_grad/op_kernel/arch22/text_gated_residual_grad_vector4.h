// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_vector4.h
 * \brief TextGatedResidualGrad: stage vector4 of the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  downPreAct                                                                     work 0   to 1
 *    1  downPreActOverChannels = downPreAct / C                                        work 0   to 3
 *    2  downPreActOverChannelsFinite = finite(downPreActOverChannels)                  work 1   to 4
 *    3  sigmoid = 1 / (1 + exp(-downPreActOverChannels))                               work 0   to 7
 *    4  act = downPreActOverChannelsFinite * sigmoid                                   work 1   to 6
 *    5  oneMinusSigmoid = 1 - sigmoid                                                  work 2   to 6
 *    6  actTimesOneMinusSigmoid = act * oneMinusSigmoid                                work 1   to 7
 *    7  siluSlope = actTimesOneMinusSigmoid + sigmoid                                  work 0   to 9
 *    8  gradAct                                                                        work 1   to 9
 *    9  gradActTimesSiluSlope = gradAct * siluSlope                                    work 0   to 10
 *   10  gradDownPreAct = gradActTimesSiluSlope / C                                     work 0   to 11
 *   11  gradDownPreAct                                                                 output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, b bytes of the dtype):
 *   downPreActQueue     T         2 x b x E                downPreAct, tile
 *   gradActQueue        float32   6 x 4 x E                gradAct, tile
 *   gradDownPreActQueue T         2 x b x E                gradDownPreAct, tile
 *   workBuffer          float32   4 x WORK_SLOTS x E       float tiles under computation
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_VECTOR4_H
#define TEXT_GATED_RESIDUAL_GRAD_VECTOR4_H

#include "kernel_operator.h"
#include "text_gated_residual_grad_tile.h"
#include "../text_gated_residual_grad_tiling_data.h"

namespace TextGatedResidualGrad {
using namespace AscendC;

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
class TextGatedResidualGradVector4 {
public:
    __aicore__ inline void Init(GM_ADDR downPreAct, GM_ADDR gradDownPreAct, GM_ADDR gradAct,
                                const TextGatedResidualGradTilingData* tiling, TPipe* pipe, int64_t rows);
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
    TQue<QuePosition::VECIN, 1> gradActQueue_;
    TQue<QuePosition::VECOUT, 1> gradDownPreActQueue_;
    TBuf<QuePosition::VECCALC> workBuffer_;
    GlobalTensor<T> downPreActGm_;
    GlobalTensor<T> gradDownPreActGm_;
    GlobalTensor<float> gradActGm_;

    int64_t cores_ = 1; // vector cores
    int64_t core_ = 0;
    int64_t totalRows_ = 0;
    int64_t liveRows_ = 0;
    int64_t gradActParts_ = 1;
    int64_t gradActPartElements_ = 0; // from one part to the next
    int64_t columns_ = 0;
    int64_t columnsPerTile_ = 0;
    int32_t rowsPerTile_ = 0;
    int32_t tileElements_ = 0;
    int64_t sizeC_ = 0;
};

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector4<T, HAS_INJECT, HAS_GAMMA>::Init(GM_ADDR downPreAct,
    GM_ADDR gradDownPreAct, GM_ADDR gradAct, const TextGatedResidualGradTilingData* tiling, TPipe* pipe, int64_t rows)
{
    cores_ = GetBlockNum() * GetSubBlockNum();
    core_ = GetBlockIdx();
    totalRows_ = rows;
    liveRows_ = totalRows_;
    columns_ = tiling->vector4Columns;
    columnsPerTile_ = tiling->vector4ColumnsPerTile;
    rowsPerTile_ = static_cast<int32_t>(tiling->vector4RowsPerTile);
    tileElements_ = static_cast<int32_t>(tiling->vector4TileElements);
    gradActParts_ = tiling->gradActParts;
    gradActPartElements_ = tiling->blockRows * columns_;
    sizeC_ = tiling->sizeC;

    downPreActGm_.SetGlobalBuffer((__gm__ T *)downPreAct);
    gradDownPreActGm_.SetGlobalBuffer((__gm__ T *)gradDownPreAct);
    gradActGm_.SetGlobalBuffer((__gm__ float *)gradAct);

    pipe->InitBuffer(downPreActQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(gradActQueue_, 6, tileElements_ * sizeof(float));
    pipe->InitBuffer(gradDownPreActQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(workBuffer_, VECTOR4_WORK_SLOTS[KEY] * tileElements_ * sizeof(float));
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector4<T, HAS_INJECT, HAS_GAMMA>::Process()
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
__aicore__ inline void TextGatedResidualGradVector4<T, HAS_INJECT, HAS_GAMMA>::ProcessRows(int64_t row, int32_t rows)
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
__aicore__ inline void TextGatedResidualGradVector4<T, HAS_INJECT, HAS_GAMMA>::CopyIn(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> downPreActTile = downPreActQueue_.template AllocTensor<T>();
    LoadTile(downPreActTile, downPreActGm_[row * columns_ + column], columns_, shape);
    downPreActQueue_.EnQue(downPreActTile);

    LocalTensor<float> gradActTile = gradActQueue_.template AllocTensor<float>();
    LoadTile(gradActTile, gradActGm_[row * columns_ + column], columns_, shape);
    gradActQueue_.EnQue(gradActTile);
    gradActTile = gradActQueue_.template DeQue<float>();
    for (int64_t part = 1; part < gradActParts_; ++part) {
        LocalTensor<float> gradActPart = gradActQueue_.template AllocTensor<float>();
        LoadTile(gradActPart, gradActGm_[part * gradActPartElements_ + row * columns_ + column], columns_, shape);
        gradActQueue_.EnQue(gradActPart);
        gradActPart = gradActQueue_.template DeQue<float>();
        Add(gradActTile, gradActTile, gradActPart, shape.rows * shape.pitch);
        gradActQueue_.FreeTensor(gradActPart);
    }
    gradActQueue_.EnQue(gradActTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector4<T, HAS_INJECT, HAS_GAMMA>::Compute(const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> downPreActTile = downPreActQueue_.template DeQue<T>();
    LocalTensor<float> gradActTile = gradActQueue_.template DeQue<float>();
    LocalTensor<T> gradDownPreActTile = gradDownPreActQueue_.template AllocTensor<T>();

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
    LocalTensor<float> act = Work(1);
    Mul(act, downPreActOverChannelsFinite, sigmoid, count); // act = downPreActOverChannelsFinite * sigmoid
    LocalTensor<float> oneMinusSigmoid = Work(2);
    Muls(oneMinusSigmoid, sigmoid, -1.0f, count); // oneMinusSigmoid = 1 - sigmoid
    Adds(oneMinusSigmoid, oneMinusSigmoid, 1.0f, count);
    LocalTensor<float> actTimesOneMinusSigmoid = Work(1);
    Mul(actTimesOneMinusSigmoid, act, oneMinusSigmoid, count); // actTimesOneMinusSigmoid = act * oneMinusSigmoid
    LocalTensor<float> siluSlope = Work(0);
    Add(siluSlope, actTimesOneMinusSigmoid, sigmoid, count); // siluSlope = actTimesOneMinusSigmoid + sigmoid
    LocalTensor<float> gradAct = gradActTile;
    ToFloat(gradAct, gradActTile, count);
    LocalTensor<float> gradActTimesSiluSlope = Work(0);
    Mul(gradActTimesSiluSlope, gradAct, siluSlope, count); // gradActTimesSiluSlope = gradAct * siluSlope
    gradActQueue_.FreeTensor(gradActTile);
    LocalTensor<float> gradDownPreAct = Work(0);
    // gradDownPreAct = gradActTimesSiluSlope / C
    Muls(gradDownPreAct, gradActTimesSiluSlope, 1.0f / (static_cast<float>(sizeC_)), count);
    FromFloat(gradDownPreActTile, gradDownPreAct, count);
    gradDownPreActQueue_.EnQue(gradDownPreActTile);
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector4<T, HAS_INJECT, HAS_GAMMA>::CopyOut(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> gradDownPreActTile = gradDownPreActQueue_.template DeQue<T>();
    StoreTile(gradDownPreActGm_[row * columns_ + column], gradDownPreActTile, columns_, shape);
    gradDownPreActQueue_.FreeTensor(gradDownPreActTile);
}

} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_VECTOR4_H
