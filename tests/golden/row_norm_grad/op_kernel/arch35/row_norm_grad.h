// Made by ascgrad 0.1.0 from RowNormGrad for ascend950.

/*!
 * \file row_norm_grad.h
 * \brief RowNormGrad: the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  gradY                                                                          work 1   to 8
 *    1  x                                                                              work 2   to 14
 *    2  xTimesX = x * x                                                                work 0   to 3
 *    3  sumOfXTimesX = sum of xTimesX over columns                                     row
 *    4  sumOfXTimesXOverCastSize = sumOfXTimesX / H                                    row
 *    5  sum = sumOfXTimesXOverCastSize + eps                                           row
 *    6  rstd = rsqrt(sum)                                                              row
 *    7  gradYTimesRstd = gradY * broadcastRstd                                         work 0   to 15
 *    8  gradYTimesX = gradY * x                                                        work 1   to 9
 *    9  gradRstd = sum of gradYTimesX over columns                                     row
 *   10  gradRstdTimesRstd = gradRstd * rstd                                            row
 *   11  gradRstdTimesRstdTimesRstd = gradRstdTimesRstd * rstd                          row
 *   12  scaledByRstd = gradRstdTimesRstdTimesRstd * rstd                               row
 *   13  scaledByRstdOverCastSize = scaledByRstd / H                                    row
 *   14  scaledByX = broadcastScaledByRstdOverCastSize * x                              work 1   to 15
 *   15  gradX = gradYTimesRstd - scaledByX                                             work 0   to 16
 *   16  gradX                                                                          output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, b bytes of the dtype):
 *   gradYQueue       T         2 x b x E                gradY, tile
 *   xQueue           T         2 x b x E                x, tile
 *   gradXQueue       T         2 x b x E                gradX, tile
 *   workBuffer       float32   4 x WORK_SLOTS x E       float tiles under computation
 *   rowBuffer        float32   36 x R                   one value per row under computation
 *   blockBuffer      float32   64 x R                   values per row, each replicated over a data block
 */

#ifndef ROW_NORM_GRAD_H
#define ROW_NORM_GRAD_H

#include "kernel_operator.h"
#include "row_norm_grad_tile.h"
#include "../row_norm_grad_tiling_data.h"

namespace RowNormGrad {
using namespace AscendC;

template <typename T>
class RowNormGradKernel {
public:
    __aicore__ inline void Init(GM_ADDR gradY, GM_ADDR x, GM_ADDR gradX, const RowNormGradTilingData* tiling,
                                TPipe* pipe);
    __aicore__ inline void Process();

private:
    static constexpr bool IS_FLOAT = sizeof(T) == sizeof(float);
    static constexpr int32_t KEY = 0;
    static constexpr int32_t SUM_OF_X_TIMES_X_ROW = 0;
    static constexpr int32_t SUM_OF_X_TIMES_X_OVER_CAST_SIZE_ROW = 1;
    static constexpr int32_t SUM_ROW = 2;
    static constexpr int32_t RSTD_ROW = 3;
    static constexpr int32_t GRAD_RSTD_ROW = 4;
    static constexpr int32_t GRAD_RSTD_TIMES_RSTD_ROW = 5;
    static constexpr int32_t GRAD_RSTD_TIMES_RSTD_TIMES_RSTD_ROW = 6;
    static constexpr int32_t SCALED_BY_RSTD_ROW = 7;
    static constexpr int32_t SCALED_BY_RSTD_OVER_CAST_SIZE_ROW = 8;
    static constexpr int32_t RSTD_BLOCKS = 0;
    static constexpr int32_t SCALED_BY_RSTD_OVER_CAST_SIZE_BLOCKS = 1;

    __aicore__ inline void ProcessRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyIn(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void Compute(const TileShape& shape);
    __aicore__ inline void CopyOut(int64_t row, int64_t column, const TileShape& shape);

    // One of the float work buffers; each holds a tile.
    __aicore__ inline LocalTensor<float> Work(int32_t index)
    {
        return workBuffer_.Get<float>()[index * tileElements_];
    }
    __aicore__ inline LocalTensor<float> RowVector(int32_t index)
    {
        return rowBuffer_.Get<float>()[index * rowCapacity_];
    }
    __aicore__ inline LocalTensor<float> RowBlocks(int32_t index)
    {
        return blockBuffer_.Get<float>()[index * rowCapacity_ * BLOCK_FLOATS];
    }
    // A tile that is computed on in place where it is float, else a work buffer.
    template <typename U>
    __aicore__ inline LocalTensor<float> InPlaceOrWork(const LocalTensor<U>& tile, int32_t index)
    {
        if constexpr (sizeof(U) == sizeof(float)) {
            return tile.template ReinterpretCast<float>();
        } else {
            return Work(index);
        }
    }

    TQue<QuePosition::VECIN, 1> gradYQueue_;
    TQue<QuePosition::VECIN, 1> xQueue_;
    TQue<QuePosition::VECOUT, 1> gradXQueue_;
    TBuf<QuePosition::VECCALC> workBuffer_;
    TBuf<QuePosition::VECCALC> rowBuffer_;
    TBuf<QuePosition::VECCALC> blockBuffer_;
    GlobalTensor<T> gradYGm_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> gradXGm_;

    int64_t cores_ = 1; // vector cores
    int64_t core_ = 0;
    int64_t totalRows_ = 0;
    int64_t liveRows_ = 0;
    int64_t columns_ = 0;
    int64_t columnsPerTile_ = 0;
    int32_t rowsPerTile_ = 0;
    int32_t rowCapacity_ = 0;
    int32_t tileElements_ = 0;
    float eps_ = 0;
};

template <typename T>
__aicore__ inline void RowNormGradKernel<T>::Init(GM_ADDR gradY, GM_ADDR x, GM_ADDR gradX,
                                                  const RowNormGradTilingData* tiling, TPipe* pipe)
{
    cores_ = GetBlockNum() * GetSubBlockNum();
    core_ = GetBlockIdx();
    totalRows_ = tiling->totalRows;
    liveRows_ = totalRows_;
    columns_ = tiling->columns;
    columnsPerTile_ = tiling->columnsPerTile;
    rowsPerTile_ = static_cast<int32_t>(tiling->rowsPerTile);
    rowCapacity_ = RoundUpTo(rowsPerTile_, BLOCK_FLOATS);
    tileElements_ = static_cast<int32_t>(tiling->tileElements);
    eps_ = tiling->eps;

    gradYGm_.SetGlobalBuffer((__gm__ T *)gradY);
    xGm_.SetGlobalBuffer((__gm__ T *)x);
    gradXGm_.SetGlobalBuffer((__gm__ T *)gradX);

    pipe->InitBuffer(gradYQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(xQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(gradXQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(workBuffer_, WORK_SLOTS[KEY][IS_FLOAT] * tileElements_ * sizeof(float));
    pipe->InitBuffer(rowBuffer_, 9 * rowCapacity_ * sizeof(float));
    pipe->InitBuffer(blockBuffer_, 2 * rowCapacity_ * BLOCK_BYTES);
}

template <typename T>
__aicore__ inline void RowNormGradKernel<T>::Process()
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

template <typename T>
__aicore__ inline void RowNormGradKernel<T>::ProcessRows(int64_t row, int32_t rows)
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

template <typename T>
__aicore__ inline void RowNormGradKernel<T>::CopyIn(int64_t row, int64_t column, const TileShape& shape)
{
    LocalTensor<T> gradYTile = gradYQueue_.template AllocTensor<T>();
    LoadTile(gradYTile, gradYGm_[row * columns_ + column], columns_, shape);
    gradYQueue_.EnQue(gradYTile);

    LocalTensor<T> xTile = xQueue_.template AllocTensor<T>();
    LoadTile(xTile, xGm_[row * columns_ + column], columns_, shape);
    xQueue_.EnQue(xTile);
}

template <typename T>
__aicore__ inline void RowNormGradKernel<T>::Compute(const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> gradYTile = gradYQueue_.template DeQue<T>();
    LocalTensor<T> xTile = xQueue_.template DeQue<T>();
    LocalTensor<T> gradXTile = gradXQueue_.template AllocTensor<T>();

    LocalTensor<float> gradY = InPlaceOrWork(gradYTile, 1);
    ToFloat(gradY, gradYTile, count);
    FreeAfterCast(gradYQueue_, gradYTile);
    LocalTensor<float> x = InPlaceOrWork(xTile, 2);
    ToFloat(x, xTile, count);
    FreeAfterCast(xQueue_, xTile);
    LocalTensor<float> xTimesX = Work(0);
    Mul(xTimesX, x, x, count); // xTimesX = x * x
    SumRows(RowVector(SUM_OF_X_TIMES_X_ROW), xTimesX, shape); // sumOfXTimesX = sum of xTimesX over columns
    // sumOfXTimesXOverCastSize = sumOfXTimesX / H
    Muls(RowVector(SUM_OF_X_TIMES_X_OVER_CAST_SIZE_ROW), RowVector(SUM_OF_X_TIMES_X_ROW),
         1.0f / (static_cast<float>(columns_)), shape.rows);
    // sum = sumOfXTimesXOverCastSize + eps
    Adds(RowVector(SUM_ROW), RowVector(SUM_OF_X_TIMES_X_OVER_CAST_SIZE_ROW), eps_, shape.rows);
    Sqrt(Work(0), RowVector(SUM_ROW), shape.rows); // rstd = rsqrt(sum)
    Duplicate(RowVector(RSTD_ROW), 1.0f, shape.rows);
    Div(RowVector(RSTD_ROW), RowVector(RSTD_ROW), Work(0), shape.rows);
    ReplicateRows(RowBlocks(RSTD_BLOCKS), RowVector(RSTD_ROW), shape.rows);
    LocalTensor<float> gradYTimesRstd = Work(0);
    // gradYTimesRstd = gradY * broadcastRstd
    ApplyRows<VectorOp::MUL>(gradYTimesRstd, gradY, RowBlocks(RSTD_BLOCKS), shape);
    LocalTensor<float> gradYTimesX = Work(1);
    Mul(gradYTimesX, gradY, x, count); // gradYTimesX = gradY * x
    FreeAfterUse(gradYQueue_, gradYTile);
    SumRows(RowVector(GRAD_RSTD_ROW), gradYTimesX, shape); // gradRstd = sum of gradYTimesX over columns
    // gradRstdTimesRstd = gradRstd * rstd
    Mul(RowVector(GRAD_RSTD_TIMES_RSTD_ROW), RowVector(GRAD_RSTD_ROW), RowVector(RSTD_ROW), shape.rows);
    // gradRstdTimesRstdTimesRstd = gradRstdTimesRstd * rstd
    Mul(RowVector(GRAD_RSTD_TIMES_RSTD_TIMES_RSTD_ROW), RowVector(GRAD_RSTD_TIMES_RSTD_ROW), RowVector(RSTD_ROW),
        shape.rows);
    // scaledByRstd = gradRstdTimesRstdTimesRstd * rstd
    Mul(RowVector(SCALED_BY_RSTD_ROW), RowVector(GRAD_RSTD_TIMES_RSTD_TIMES_RSTD_ROW), RowVector(RSTD_ROW), shape.rows);
    // scaledByRstdOverCastSize = scaledByRstd / H
    Muls(RowVector(SCALED_BY_RSTD_OVER_CAST_SIZE_ROW), RowVector(SCALED_BY_RSTD_ROW),
         1.0f / (static_cast<float>(columns_)), shape.rows);
    ReplicateRows(RowBlocks(SCALED_BY_RSTD_OVER_CAST_SIZE_BLOCKS), RowVector(SCALED_BY_RSTD_OVER_CAST_SIZE_ROW),
                  shape.rows);
    LocalTensor<float> scaledByX = Work(1);
    // scaledByX = broadcastScaledByRstdOverCastSize * x
    ApplyRows<VectorOp::MUL>(scaledByX, x, RowBlocks(SCALED_BY_RSTD_OVER_CAST_SIZE_BLOCKS), shape);
    FreeAfterUse(xQueue_, xTile);
    LocalTensor<float> gradX = InPlaceOrWork(gradXTile, 0);
    Sub(gradX, gradYTimesRstd, scaledByX, count); // gradX = gradYTimesRstd - scaledByX
    FromFloat(gradXTile, gradX, count);
    gradXQueue_.EnQue(gradXTile);
}

template <typename T>
__aicore__ inline void RowNormGradKernel<T>::CopyOut(int64_t row, int64_t column, const TileShape& shape)
{
    LocalTensor<T> gradXTile = gradXQueue_.template DeQue<T>();
    StoreTile(gradXGm_[row * columns_ + column], gradXTile, columns_, shape);
    gradXQueue_.FreeTensor(gradXTile);
}

} // namespace RowNormGrad

#endif // ROW_NORM_GRAD_H
