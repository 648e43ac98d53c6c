// Made by ascgrad 0.1.0 from ScaledProductGrad for ascend950.

/*!
 * \file scaled_product_grad.h
 * \brief ScaledProductGrad: the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  gradY                                                                          work 3   to 8
 *    1  b                                                                              work 4   to 12
 *    2  a                                                                              work 0   to 3
 *    3  sigmoid = 1 / (1 + exp(-a))                                                    work 0   to 16
 *    4  sigmoidTimesB = sigmoid * b                                                    work 1   to 9
 *    5  sigmoidTimesBTimesRowScale = sigmoidTimesB * broadcastRowScale                 work 2   to 6
 *    6  productOfGradY = gradY * sigmoidTimesBTimesRowScale                            work 2   to 7
 *    7  gradColumnScale = sum of productOfGradY over rows                              column
 *    8  gradYTimesColumnScale = gradY * broadcastColumnScale                           work 2   to 11
 *    9  product = gradYTimesColumnScale * sigmoidTimesB                                work 1   to 10
 *   10  gradRowScale = sum of product over columns                                     row
 *   11  scaledByRowScale = gradYTimesColumnScale * broadcastRowScale                   work 1   to 13
 *   12  scaledByRowScaleTimesB = scaledByRowScale * b                                  work 2   to 17
 *   13  gradB = scaledByRowScale * sigmoid                                             work 1   to 14
 *   14  gradB                                                                          output
 *   15  oneMinusSigmoid = 1 - sigmoid                                                  work 1   to 16
 *   16  sigmoidSlope = sigmoid * oneMinusSigmoid                                       work 0   to 17
 *   17  gradA = scaledByRowScaleTimesB * sigmoidSlope                                  work 0   to 18
 *   18  gradA                                                                          output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, C columns, b bytes of the dtype):
 *   gradYQueue        T         2 x b x E                gradY, tile
 *   aQueue            T         2 x b x E                a, tile
 *   bQueue            T         2 x b x E                b, tile
 *   rowScaleQueue     float32   4 x R                    rowScale, one value per row
 *   gradAQueue        T         2 x b x E                gradA, tile
 *   gradBQueue        T         2 x b x E                gradB, tile
 *   gradRowScaleQueue float32   2 x 4 x R                gradRowScale, one value per row
 *   workBuffer        float32   4 x WORK_SLOTS x E       float tiles under computation
 *   rowBuffer         float32   8 x R                    one value per row under computation
 *   blockBuffer       float32   32 x R                   values per row, each replicated over a data block
 *   columnBuffer      float32   8 x C                    one value per column, for the whole kernel
 *   partialBuffer     float32   256*blockDim + 256       partial column sums of all cores
 */

#ifndef SCALED_PRODUCT_GRAD_H
#define SCALED_PRODUCT_GRAD_H

#include "kernel_operator.h"
#include "scaled_product_grad_tile.h"
#include "../scaled_product_grad_tiling_data.h"

namespace ScaledProductGrad {
using namespace AscendC;

template <typename T>
class ScaledProductGradKernel {
public:
    __aicore__ inline void Init(GM_ADDR gradY, GM_ADDR a, GM_ADDR b, GM_ADDR rowScale, GM_ADDR columnScale,
                                GM_ADDR gradA, GM_ADDR gradB, GM_ADDR gradRowScale, GM_ADDR gradColumnScale,
                                GM_ADDR workspace, const ScaledProductGradTilingData* tiling, TPipe* pipe);
    __aicore__ inline void Process();
    __aicore__ inline void FinishColumns();

private:
    static constexpr bool IS_FLOAT = sizeof(T) == sizeof(float);
    static constexpr int32_t KEY = 0;
    static constexpr int32_t GRAD_ROW_SCALE_ROW = 0;
    static constexpr int32_t TILE_SUM_ROW = 1;
    static constexpr int32_t ROW_SCALE_BLOCKS = 0;
    static constexpr int32_t COLUMN_SCALE_COLUMN = 0;
    static constexpr int32_t GRAD_COLUMN_SCALE_COLUMN = 1;

    __aicore__ inline void ProcessRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyInRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyIn(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void Compute(int64_t column, const TileShape& shape);
    __aicore__ inline void CopyOut(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void FinishRows(int64_t row, int32_t rows);
    __aicore__ inline void PrepareColumns();
    __aicore__ inline void StoreColumnSums();

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
    __aicore__ inline LocalTensor<float> Column(int32_t index, int64_t column)
    {
        return columnBuffer_.Get<float>()[index * columnCapacity_ + column];
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
    TQue<QuePosition::VECIN, 1> aQueue_;
    TQue<QuePosition::VECIN, 1> bQueue_;
    TQue<QuePosition::VECIN, 1> rowScaleQueue_;
    TQue<QuePosition::VECOUT, 1> gradAQueue_;
    TQue<QuePosition::VECOUT, 1> gradBQueue_;
    TQue<QuePosition::VECOUT, 1> gradRowScaleQueue_;
    TBuf<QuePosition::VECCALC> workBuffer_;
    TBuf<QuePosition::VECCALC> rowBuffer_;
    TBuf<QuePosition::VECCALC> blockBuffer_;
    TBuf<QuePosition::VECCALC> columnBuffer_;
    TBuf<QuePosition::VECCALC> partialBuffer_;
    LocalTensor<float> rowScaleRow_;
    GlobalTensor<T> gradYGm_;
    GlobalTensor<T> aGm_;
    GlobalTensor<T> bGm_;
    GlobalTensor<float> rowScaleGm_;
    GlobalTensor<float> columnScaleGm_;
    GlobalTensor<T> gradAGm_;
    GlobalTensor<T> gradBGm_;
    GlobalTensor<float> gradRowScaleGm_;
    GlobalTensor<float> gradColumnScaleGm_;
    GlobalTensor<float> partialGm_; // [column sum][core][column]

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
};

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::Init(GM_ADDR gradY, GM_ADDR a, GM_ADDR b, GM_ADDR rowScale,
                                                        GM_ADDR columnScale, GM_ADDR gradA, GM_ADDR gradB,
                                                        GM_ADDR gradRowScale, GM_ADDR gradColumnScale,
                                                        GM_ADDR workspace, const ScaledProductGradTilingData* tiling,
                                                        TPipe* pipe)
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
    columnCapacity_ = RoundUpTo(static_cast<int32_t>(columns_), BLOCK_FLOATS);

    gradYGm_.SetGlobalBuffer((__gm__ T *)gradY);
    aGm_.SetGlobalBuffer((__gm__ T *)a);
    bGm_.SetGlobalBuffer((__gm__ T *)b);
    rowScaleGm_.SetGlobalBuffer((__gm__ float *)rowScale);
    columnScaleGm_.SetGlobalBuffer((__gm__ float *)columnScale);
    gradAGm_.SetGlobalBuffer((__gm__ T *)gradA);
    gradBGm_.SetGlobalBuffer((__gm__ T *)gradB);
    gradRowScaleGm_.SetGlobalBuffer((__gm__ float *)gradRowScale);
    gradColumnScaleGm_.SetGlobalBuffer((__gm__ float *)gradColumnScale);
    partialGm_.SetGlobalBuffer((__gm__ float *)workspace);

    pipe->InitBuffer(gradYQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(aQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(bQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(rowScaleQueue_, 1, rowCapacity_ * sizeof(float));
    pipe->InitBuffer(gradAQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(gradBQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(gradRowScaleQueue_, 2, rowCapacity_ * sizeof(float));
    pipe->InitBuffer(workBuffer_, WORK_SLOTS[KEY][IS_FLOAT] * tileElements_ * sizeof(float));
    pipe->InitBuffer(rowBuffer_, 2 * rowCapacity_ * sizeof(float));
    pipe->InitBuffer(blockBuffer_, rowCapacity_ * BLOCK_BYTES);
    pipe->InitBuffer(columnBuffer_, 2 * columnCapacity_ * sizeof(float));
    pipe->InitBuffer(partialBuffer_, (cores_ + 1) * PARTIAL_COLUMNS * sizeof(float));
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::Process()
{
    // The first liveRows % cores cores take one row more than the others.
    const int64_t base = liveRows_ / cores_;
    const int64_t extra = liveRows_ % cores_;
    const int64_t first = core_ * base + (core_ < extra ? core_ : extra);
    const int64_t share = base + (core_ < extra ? 1 : 0);
    const int64_t tiles = (share + rowsPerTile_ - 1) / rowsPerTile_;
    const int64_t step = tiles > 0 ? (share + tiles - 1) / tiles : 1; // tiles of equal height
    PrepareColumns();
    for (int64_t done = 0; done < share; done += step) {
        ProcessRows(first + done, static_cast<int32_t>(share - done < step ? share - done : step));
    }
    StoreColumnSums();
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::PrepareColumns()
{
    LoadRun(Column(COLUMN_SCALE_COLUMN, 0), columnScaleGm_, static_cast<int32_t>(columns_));
    WaitFor<HardEvent::MTE2_V>();
    WaitFor<HardEvent::MTE3_V>();
    Duplicate(Column(GRAD_COLUMN_SCALE_COLUMN, 0), 0.0f, columnCapacity_);
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::ProcessRows(int64_t row, int32_t rows)
{
    CopyInRows(row, rows);
    rowScaleRow_ = rowScaleQueue_.template DeQue<float>();
    ReplicateRows(RowBlocks(ROW_SCALE_BLOCKS), rowScaleRow_, rows);
    Duplicate(RowVector(GRAD_ROW_SCALE_ROW), 0.0f, rows);
    for (int64_t column = 0; column < columns_; column += columnsPerTile_) {
        const int64_t left = columns_ - column;
        const int32_t width = static_cast<int32_t>(left < columnsPerTile_ ? left : columnsPerTile_);
        const TileShape shape{rows, width, RoundUpTo(width, static_cast<int32_t>(BLOCK_BYTES / sizeof(T)))};
        CopyIn(row, column, shape);
        Compute(column, shape);
        CopyOut(row, column, shape);
    }
    FinishRows(row, rows);
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::CopyInRows(int64_t row, int32_t rows)
{
    LocalTensor<float> rowScaleRow = rowScaleQueue_.template AllocTensor<float>();
    LoadRun(rowScaleRow, rowScaleGm_[row], rows);
    rowScaleQueue_.EnQue(rowScaleRow);
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::CopyIn(int64_t row, int64_t column, const TileShape& shape)
{
    LocalTensor<T> gradYTile = gradYQueue_.template AllocTensor<T>();
    LoadTile(gradYTile, gradYGm_[row * columns_ + column], columns_, shape);
    gradYQueue_.EnQue(gradYTile);

    LocalTensor<T> aTile = aQueue_.template AllocTensor<T>();
    LoadTile(aTile, aGm_[row * columns_ + column], columns_, shape);
    aQueue_.EnQue(aTile);

    LocalTensor<T> bTile = bQueue_.template AllocTensor<T>();
    LoadTile(bTile, bGm_[row * columns_ + column], columns_, shape);
    bQueue_.EnQue(bTile);
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::Compute(int64_t column, const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> gradYTile = gradYQueue_.template DeQue<T>();
    LocalTensor<T> aTile = aQueue_.template DeQue<T>();
    LocalTensor<T> bTile = bQueue_.template DeQue<T>();
    LocalTensor<T> gradATile = gradAQueue_.template AllocTensor<T>();
    LocalTensor<T> gradBTile = gradBQueue_.template AllocTensor<T>();

    LocalTensor<float> gradY = InPlaceOrWork(gradYTile, 3);
    ToFloat(gradY, gradYTile, count);
    FreeAfterCast(gradYQueue_, gradYTile);
    LocalTensor<float> b = InPlaceOrWork(bTile, 4);
    ToFloat(b, bTile, count);
    FreeAfterCast(bQueue_, bTile);
    LocalTensor<float> a = InPlaceOrWork(aTile, 0);
    ToFloat(a, aTile, count);
    FreeAfterCast(aQueue_, aTile);
    LocalTensor<float> sigmoid = Work(0);
    Muls(Work(1), a, -1.0f, count); // sigmoid = 1 / (1 + exp(-a))
    Exp(Work(1), Work(1), count);
    Adds(Work(1), Work(1), 1.0f, count);
    Duplicate(sigmoid, 1.0f, count);
    Div(sigmoid, sigmoid, Work(1), count);
    FreeAfterUse(aQueue_, aTile);
    LocalTensor<float> sigmoidTimesB = Work(1);
    Mul(sigmoidTimesB, sigmoid, b, count); // sigmoidTimesB = sigmoid * b
    LocalTensor<float> sigmoidTimesBTimesRowScale = Work(2);
    // sigmoidTimesBTimesRowScale = sigmoidTimesB * broadcastRowScale
    ApplyRows<VectorOp::MUL>(sigmoidTimesBTimesRowScale, sigmoidTimesB, RowBlocks(ROW_SCALE_BLOCKS), shape);
    LocalTensor<float> productOfGradY = Work(2);
    // productOfGradY = gradY * sigmoidTimesBTimesRowScale
    Mul(productOfGradY, gradY, sigmoidTimesBTimesRowScale, count);
    // gradColumnScale = sum of productOfGradY over rows
    AddRowsTo(Column(GRAD_COLUMN_SCALE_COLUMN, column), productOfGradY, shape);
    LocalTensor<float> gradYTimesColumnScale = Work(2);
    // gradYTimesColumnScale = gradY * broadcastColumnScale
    ApplyColumns<VectorOp::MUL>(gradYTimesColumnScale, gradY, Column(COLUMN_SCALE_COLUMN, column), shape);
    FreeAfterUse(gradYQueue_, gradYTile);
    LocalTensor<float> product = Work(1);
    Mul(product, gradYTimesColumnScale, sigmoidTimesB, count); // product = gradYTimesColumnScale * sigmoidTimesB
    SumRows(RowVector(TILE_SUM_ROW), product, shape); // gradRowScale = sum of product over columns
    Add(RowVector(GRAD_ROW_SCALE_ROW), RowVector(GRAD_ROW_SCALE_ROW), RowVector(TILE_SUM_ROW), shape.rows);
    LocalTensor<float> scaledByRowScale = Work(1);
    // scaledByRowScale = gradYTimesColumnScale * broadcastRowScale
    ApplyRows<VectorOp::MUL>(scaledByRowScale, gradYTimesColumnScale, RowBlocks(ROW_SCALE_BLOCKS), shape);
    LocalTensor<float> scaledByRowScaleTimesB = Work(2);
    Mul(scaledByRowScaleTimesB, scaledByRowScale, b, count); // scaledByRowScaleTimesB = scaledByRowScale * b
    FreeAfterUse(bQueue_, bTile);
    LocalTensor<float> gradB = InPlaceOrWork(gradBTile, 1);
    Mul(gradB, scaledByRowScale, sigmoid, count); // gradB = scaledByRowScale * sigmoid
    FromFloat(gradBTile, gradB, count);
    LocalTensor<float> oneMinusSigmoid = Work(1);
    Muls(oneMinusSigmoid, sigmoid, -1.0f, count); // oneMinusSigmoid = 1 - sigmoid
    Adds(oneMinusSigmoid, oneMinusSigmoid, 1.0f, count);
    LocalTensor<float> sigmoidSlope = Work(0);
    Mul(sigmoidSlope, sigmoid, oneMinusSigmoid, count); // sigmoidSlope = sigmoid * oneMinusSigmoid
    LocalTensor<float> gradA = InPlaceOrWork(gradATile, 0);
    Mul(gradA, scaledByRowScaleTimesB, sigmoidSlope, count); // gradA = scaledByRowScaleTimesB * sigmoidSlope
    FromFloat(gradATile, gradA, count);
    gradAQueue_.EnQue(gradATile);
    gradBQueue_.EnQue(gradBTile);
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::CopyOut(int64_t row, int64_t column, const TileShape& shape)
{
    LocalTensor<T> gradATile = gradAQueue_.template DeQue<T>();
    StoreTile(gradAGm_[row * columns_ + column], gradATile, columns_, shape);
    gradAQueue_.FreeTensor(gradATile);
    LocalTensor<T> gradBTile = gradBQueue_.template DeQue<T>();
    StoreTile(gradBGm_[row * columns_ + column], gradBTile, columns_, shape);
    gradBQueue_.FreeTensor(gradBTile);
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::FinishRows(int64_t row, int32_t rows)
{
    StoreRow(gradRowScaleQueue_, gradRowScaleGm_, RowVector(GRAD_ROW_SCALE_ROW), row, rows);
    rowScaleQueue_.FreeTensor(rowScaleRow_);
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::StoreColumnSums()
{
    // Every core leaves its sums in the workspace.
    WaitFor<HardEvent::V_MTE3>();
    StoreRun(partialGm_[core_ * RoundUpTo(columns_, static_cast<int64_t>(BLOCK_FLOATS))],
             Column(GRAD_COLUMN_SCALE_COLUMN, 0), static_cast<int32_t>(columns_));
}

template <typename T>
__aicore__ inline void ScaledProductGradKernel<T>::FinishColumns()
{
    // Each core adds up its columns over the cores, in ascending order.
    WaitFor<HardEvent::MTE3_MTE2>();
    SyncAll();

    const int64_t total = columns_;
    const int64_t pitch = RoundUpTo(total, static_cast<int64_t>(BLOCK_FLOATS));
    LocalTensor<float> partials = partialBuffer_.template Get<float>();
    LocalTensor<float> sum = partials[cores_ * PARTIAL_COLUMNS];
    for (int64_t column = core_ * PARTIAL_COLUMNS; column < total; column += cores_ * PARTIAL_COLUMNS) {
        const int64_t left = total - column;
        const int32_t width = static_cast<int32_t>(left < PARTIAL_COLUMNS ? left : PARTIAL_COLUMNS);
        const TileShape shape{static_cast<int32_t>(cores_), width, PARTIAL_COLUMNS};
        WaitFor<HardEvent::V_MTE2>();
        LoadTile(partials, partialGm_[column], pitch, shape);
        WaitFor<HardEvent::MTE2_V>();
        WaitFor<HardEvent::MTE3_V>();
        Duplicate(sum, 0.0f, width);
        for (int32_t other = 0; other < shape.rows; ++other) {
            Add(sum, sum, partials[other * PARTIAL_COLUMNS], width);
        }
        WaitFor<HardEvent::V_MTE3>();
        StoreRun(gradColumnScaleGm_[column], sum, width);
    }
}

} // namespace ScaledProductGrad

#endif // SCALED_PRODUCT_GRAD_H
