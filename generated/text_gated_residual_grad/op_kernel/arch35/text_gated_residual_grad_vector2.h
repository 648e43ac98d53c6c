// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_vector2.h
 * \brief TextGatedResidualGrad: stage vector2 of the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  inject   (HAS_INJECT)                                                          work 1   to 3
 *    1  injectTimesConstant = inject * 0.5   (HAS_INJECT)                              work 0   to 2
 *    2  oneMinusInjectTimesConstant = 1 - injectTimesConstant   (HAS_INJECT)           work 0   to 3
 *    3  product = inject * oneMinusInjectTimesConstant   (HAS_INJECT)                  work 0   to 5
 *    4  gradInject   (HAS_INJECT)                                                      work 1   to 5
 *    5  gradInjectTimesProduct = gradInject * product   (HAS_INJECT)                   work 0   to 6
 *    6  factorOfWGate = gradInjectTimesProduct / C   (HAS_INJECT)                      work 0   to 7
 *    7  factorOfWGate   (HAS_INJECT)                                                   output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, b bytes of the dtype):
 *   gradInjectQueue    T         2 x b x E                gradInject, tile (HAS_INJECT)
 *   injectQueue        T         2 x b x E                inject, tile (HAS_INJECT)
 *   factorOfWGateQueue T         2 x b x E                factorOfWGate, tile (HAS_INJECT)
 *   workBuffer         float32   4 x WORK_SLOTS x E       float tiles under computation (HAS_INJECT)
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_VECTOR2_H
#define TEXT_GATED_RESIDUAL_GRAD_VECTOR2_H

#include "kernel_operator.h"
#include "text_gated_residual_grad_tile.h"
#include "../text_gated_residual_grad_tiling_data.h"

namespace TextGatedResidualGrad {
using namespace AscendC;

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
class TextGatedResidualGradVector2 {
public:
    __aicore__ inline void Init(GM_ADDR gradInject, GM_ADDR inject, GM_ADDR factorOfWGate,
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

    TQue<QuePosition::VECIN, 1> gradInjectQueue_;
    TQue<QuePosition::VECIN, 1> injectQueue_;
    TQue<QuePosition::VECOUT, 1> factorOfWGateQueue_;
    TBuf<QuePosition::VECCALC> workBuffer_;
    GlobalTensor<T> gradInjectGm_;
    GlobalTensor<T> injectGm_;
    GlobalTensor<T> factorOfWGateGm_;

    int64_t cores_ = 1; // vector cores
    int64_t core_ = 0;
    int64_t totalRows_ = 0;
    int64_t liveRows_ = 0;
    int64_t columns_ = 0;
    int64_t columnsPerTile_ = 0;
    int32_t rowsPerTile_ = 0;
    int32_t tileElements_ = 0;
};

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector2<T, HAS_INJECT, HAS_GAMMA>::Init(GM_ADDR gradInject, GM_ADDR inject,
    GM_ADDR factorOfWGate, const TextGatedResidualGradTilingData* tiling, TPipe* pipe, int64_t rows)
{
    cores_ = GetBlockNum() * GetSubBlockNum();
    core_ = GetBlockIdx();
    totalRows_ = rows;
    liveRows_ = totalRows_;
    columns_ = tiling->vector2Columns;
    columnsPerTile_ = tiling->vector2ColumnsPerTile;
    rowsPerTile_ = static_cast<int32_t>(tiling->vector2RowsPerTile);
    tileElements_ = static_cast<int32_t>(tiling->vector2TileElements);

    gradInjectGm_.SetGlobalBuffer((__gm__ T *)gradInject);
    injectGm_.SetGlobalBuffer((__gm__ T *)inject);
    factorOfWGateGm_.SetGlobalBuffer((__gm__ T *)factorOfWGate);

    if constexpr (HAS_INJECT) {
        pipe->InitBuffer(gradInjectQueue_, 2, tileElements_ * sizeof(T));
        pipe->InitBuffer(injectQueue_, 2, tileElements_ * sizeof(T));
        pipe->InitBuffer(factorOfWGateQueue_, 2, tileElements_ * sizeof(T));
        pipe->InitBuffer(workBuffer_, VECTOR2_WORK_SLOTS[KEY] * tileElements_ * sizeof(float));
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector2<T, HAS_INJECT, HAS_GAMMA>::Process()
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
__aicore__ inline void TextGatedResidualGradVector2<T, HAS_INJECT, HAS_GAMMA>::ProcessRows(int64_t row, int32_t rows)
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
__aicore__ inline void TextGatedResidualGradVector2<T, HAS_INJECT, HAS_GAMMA>::CopyIn(int64_t row, int64_t column,
    const TileShape& shape)
{
    if constexpr (HAS_INJECT) {
        LocalTensor<T> gradInjectTile = gradInjectQueue_.template AllocTensor<T>();
        LoadTile(gradInjectTile, gradInjectGm_[row * columns_ + column], columns_, shape);
        gradInjectQueue_.EnQue(gradInjectTile);
    }

    if constexpr (HAS_INJECT) {
        LocalTensor<T> injectTile = injectQueue_.template AllocTensor<T>();
        LoadTile(injectTile, injectGm_[row * columns_ + column], columns_, shape);
        injectQueue_.EnQue(injectTile);
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector2<T, HAS_INJECT, HAS_GAMMA>::Compute(const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> gradInjectTile;
    if constexpr (HAS_INJECT) {
        gradInjectTile = gradInjectQueue_.template DeQue<T>();
    }
    LocalTensor<T> injectTile;
    if constexpr (HAS_INJECT) {
        injectTile = injectQueue_.template DeQue<T>();
    }
    LocalTensor<T> factorOfWGateTile;
    if constexpr (HAS_INJECT) {
        factorOfWGateTile = factorOfWGateQueue_.template AllocTensor<T>();
    }

    if constexpr (HAS_INJECT) {
        LocalTensor<float> inject = Work(1);
        ToFloat(inject, injectTile, count);
        injectQueue_.FreeTensor(injectTile);
        LocalTensor<float> injectTimesConstant = Work(0);
        Muls(injectTimesConstant, inject, 0.5f, count); // injectTimesConstant = inject * 0.5
        LocalTensor<float> oneMinusInjectTimesConstant = Work(0);
        // oneMinusInjectTimesConstant = 1 - injectTimesConstant
        Muls(oneMinusInjectTimesConstant, injectTimesConstant, -1.0f, count);
        Adds(oneMinusInjectTimesConstant, oneMinusInjectTimesConstant, 1.0f, count);
        LocalTensor<float> product = Work(0);
        Mul(product, inject, oneMinusInjectTimesConstant, count); // product = inject * oneMinusInjectTimesConstant
        LocalTensor<float> gradInject = Work(1);
        ToFloat(gradInject, gradInjectTile, count);
        gradInjectQueue_.FreeTensor(gradInjectTile);
        LocalTensor<float> gradInjectTimesProduct = Work(0);
        Mul(gradInjectTimesProduct, gradInject, product, count); // gradInjectTimesProduct = gradInject * product
        LocalTensor<float> factorOfWGate = Work(0);
        // factorOfWGate = gradInjectTimesProduct / C
        Muls(factorOfWGate, gradInjectTimesProduct, 1.0f / (static_cast<float>(columns_)), count);
        FromFloat(factorOfWGateTile, factorOfWGate, count);
        factorOfWGateQueue_.EnQue(factorOfWGateTile);
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void TextGatedResidualGradVector2<T, HAS_INJECT, HAS_GAMMA>::CopyOut(int64_t row, int64_t column,
    const TileShape& shape)
{
    if constexpr (HAS_INJECT) {
        LocalTensor<T> factorOfWGateTile = factorOfWGateQueue_.template DeQue<T>();
        StoreTile(factorOfWGateGm_[row * columns_ + column], factorOfWGateTile, columns_, shape);
        factorOfWGateQueue_.FreeTensor(factorOfWGateTile);
    }
}

} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_VECTOR2_H
