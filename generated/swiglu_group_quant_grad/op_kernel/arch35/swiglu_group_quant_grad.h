// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file swiglu_group_quant_grad.h
 * \brief SwigluGroupQuantGrad: the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  x0 = x[0:]                                                                     work 2   to 5
 *    1  x0IsBelow = x0 < clampLimit   (HAS_CLAMP)                                      mask 0   to 25
 *    2  x0Clamped = min(x0, clampLimit)   (HAS_CLAMP)                                  work 2   to 5
 *    3  gradY                                                                          work 3   to 21
 *    4  sigmoid = 1 / (1 + exp(-x0Clamped))                                            work 0   to 9
 *    5  x0ClampedFinite = finite(x0Clamped)                                            work 1   to 6
 *    6  x0ClampedFiniteTimesSigmoid = x0ClampedFinite * sigmoid                        work 1   to 14
 *    7  oneMinusSigmoid = 1 - sigmoid                                                  work 2   to 8
 *    8  product = x0ClampedFiniteTimesSigmoid * oneMinusSigmoid                        work 2   to 9
 *    9  siluSlope = product + sigmoid                                                  work 0   to 22
 *   10  yOrigin   (HAS_WEIGHT)                                                         work 2   to 11
 *   11  gradYTimesYOrigin = gradY * yOrigin   (HAS_WEIGHT)                             work 2   to 12
 *   12  gradWeight = sum of gradYTimesYOrigin over columns   (HAS_WEIGHT)              row
 *   13  gradYOrigin = gradY * broadcastWeight   (HAS_WEIGHT)                           work 3   to 21
 *   14  gradX1Clamped = gradYOrigin * x0ClampedFiniteTimesSigmoid                      work 2   to 24
 *   15  x1 = x[H:]                                                                     work 1   to 21
 *   16  x1IsAbove = x1 > -clampLimit   (HAS_CLAMP)                                     mask 1   to 19
 *   17  x1Raised = max(x1, -clampLimit)   (HAS_CLAMP)                                  work 1   to 20
 *   18  x1RaisedIsBelow = x1Raised < clampLimit   (HAS_CLAMP)                          mask 2   to 19
 *   19  x1RaisedIsInside = x1RaisedIsBelow && x1IsAbove   (HAS_CLAMP)                  mask 1   to 23
 *   20  x1Clamped = min(x1Raised, clampLimit)   (HAS_CLAMP)                            work 1   to 21
 *   21  gradYOriginTimesX1Clamped = gradYOrigin * x1Clamped                            work 1   to 22
 *   22  gradX0Clamped = gradYOriginTimesX1Clamped * siluSlope                          work 0   to 26
 *   23  gradX1 = x1RaisedIsInside ? gradX1Clamped : 0   (HAS_CLAMP)                    work 2   to 24
 *   24  gradX[H:] = gradX1                                                             output
 *   25  gradX0 = x0IsBelow ? gradX0Clamped : 0   (HAS_CLAMP)                           work 0   to 26
 *   26  gradX[0:] = gradX0                                                             output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, b bytes of the dtype):
 *   gradYQueue       T         2 x b x E                gradY, tile
 *   xQueue           T         2 x 2 x b x E            x, tile
 *   weightQueue      float32   2 x 4 x R                weight, one value per row (HAS_WEIGHT)
 *   yOriginQueue     T         2 x b x E                yOrigin, tile (HAS_WEIGHT)
 *   gradXQueue       T         2 x 2 x b x E            gradX, tile
 *   gradWeightQueue  float32   2 x 4 x R                gradWeight, one value per row (HAS_WEIGHT)
 *   workBuffer       float32   4 x WORK_SLOTS x E       float tiles under computation
 *   maskBuffer       bit       MASK_SLOTS / 8 x E       bit masks (HAS_CLAMP)
 *   rowBuffer        float32   8 x R                    one value per row under computation (HAS_WEIGHT)
 *   blockBuffer      float32   32 x R                   values per row, each replicated over a data block (HAS_WEIGHT)
 *   countBuffer      int64     2048                     counts read at a time
 */

#ifndef SWIGLU_GROUP_QUANT_GRAD_H
#define SWIGLU_GROUP_QUANT_GRAD_H

#include "kernel_operator.h"
#include "swiglu_group_quant_grad_tile.h"
#include "../swiglu_group_quant_grad_tiling_data.h"

namespace SwigluGroupQuantGrad {
using namespace AscendC;

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
class SwigluGroupQuantGradKernel {
public:
    __aicore__ inline void Init(GM_ADDR gradY, GM_ADDR x, GM_ADDR weight, GM_ADDR yOrigin, GM_ADDR groupIndex,
                                GM_ADDR gradX, GM_ADDR gradWeight, const SwigluGroupQuantGradTilingData* tiling,
                                TPipe* pipe);
    __aicore__ inline void Process();

private:
    static constexpr bool IS_FLOAT = sizeof(T) == sizeof(float);
    static constexpr int32_t KEY = (HAS_WEIGHT ? 1 : 0) + (HAS_CLAMP ? 2 : 0);
    static constexpr int32_t GRAD_WEIGHT_ROW = 0;
    static constexpr int32_t TILE_SUM_ROW = 1;
    static constexpr int32_t WEIGHT_BLOCKS = 0;

    __aicore__ inline int64_t CountLiveRows();
    __aicore__ inline void ProcessRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyInRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyIn(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void Compute(const TileShape& shape);
    __aicore__ inline void CopyOut(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void FinishRows(int64_t row, int32_t rows);
    __aicore__ inline void ZeroDeadRows();
    template <typename U>
    __aicore__ inline void ZeroFill(const GlobalTensor<U>& to, int64_t begin, int64_t count);

    // One of the float work buffers; each holds a tile.
    __aicore__ inline LocalTensor<float> Work(int32_t index)
    {
        return workBuffer_.Get<float>()[index * tileElements_];
    }
    __aicore__ inline LocalTensor<uint8_t> Mask(int32_t index)
    {
        return maskBuffer_.Get<uint8_t>()[index * (tileElements_ / BITS_PER_BYTE)];
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
    TQue<QuePosition::VECIN, 1> weightQueue_;
    TQue<QuePosition::VECIN, 1> yOriginQueue_;
    TQue<QuePosition::VECOUT, 1> gradXQueue_;
    TQue<QuePosition::VECOUT, 1> gradWeightQueue_;
    TBuf<QuePosition::VECCALC> workBuffer_;
    TBuf<QuePosition::VECCALC> maskBuffer_;
    TBuf<QuePosition::VECCALC> rowBuffer_;
    TBuf<QuePosition::VECCALC> blockBuffer_;
    TBuf<QuePosition::VECCALC> countBuffer_;
    LocalTensor<float> weightRow_;
    GlobalTensor<T> gradYGm_;
    GlobalTensor<T> xGm_;
    GlobalTensor<float> weightGm_;
    GlobalTensor<T> yOriginGm_;
    GlobalTensor<int64_t> groupIndexGm_;
    GlobalTensor<T> gradXGm_;
    GlobalTensor<float> gradWeightGm_;

    int64_t cores_ = 1; // vector cores
    int64_t core_ = 0;
    int64_t totalRows_ = 0;
    int64_t liveRows_ = 0;
    int64_t columns_ = 0;
    int64_t columnsPerTile_ = 0;
    int32_t rowsPerTile_ = 0;
    int32_t rowCapacity_ = 0;
    int32_t tileElements_ = 0;
    int64_t groups_ = 0;
    float clampLimit_ = 0;
};

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::Init(GM_ADDR gradY, GM_ADDR x,
    GM_ADDR weight, GM_ADDR yOrigin, GM_ADDR groupIndex, GM_ADDR gradX, GM_ADDR gradWeight,
    const SwigluGroupQuantGradTilingData* tiling, TPipe* pipe)
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
    groups_ = tiling->groups;
    clampLimit_ = tiling->clampLimit;

    gradYGm_.SetGlobalBuffer((__gm__ T *)gradY);
    xGm_.SetGlobalBuffer((__gm__ T *)x);
    weightGm_.SetGlobalBuffer((__gm__ float *)weight);
    yOriginGm_.SetGlobalBuffer((__gm__ T *)yOrigin);
    groupIndexGm_.SetGlobalBuffer((__gm__ int64_t *)groupIndex);
    gradXGm_.SetGlobalBuffer((__gm__ T *)gradX);
    gradWeightGm_.SetGlobalBuffer((__gm__ float *)gradWeight);

    pipe->InitBuffer(gradYQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(xQueue_, 2, 2 * tileElements_ * sizeof(T));
    pipe->InitBuffer(gradXQueue_, 2, 2 * tileElements_ * sizeof(T));
    pipe->InitBuffer(workBuffer_, WORK_SLOTS[KEY][IS_FLOAT] * tileElements_ * sizeof(float));
    pipe->InitBuffer(countBuffer_, COUNTS_PER_LOAD * sizeof(int64_t));
    if constexpr (HAS_WEIGHT) {
        pipe->InitBuffer(weightQueue_, 2, rowCapacity_ * sizeof(float));
        pipe->InitBuffer(yOriginQueue_, 2, tileElements_ * sizeof(T));
        pipe->InitBuffer(gradWeightQueue_, 2, rowCapacity_ * sizeof(float));
        pipe->InitBuffer(rowBuffer_, 2 * rowCapacity_ * sizeof(float));
        pipe->InitBuffer(blockBuffer_, rowCapacity_ * BLOCK_BYTES);
    }
    if constexpr (HAS_CLAMP) {
        pipe->InitBuffer(maskBuffer_, MASK_SLOTS[KEY][IS_FLOAT] * tileElements_ / BITS_PER_BYTE);
    }
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::Process()
{
    if (groups_ >= 0) {
        liveRows_ = CountLiveRows();
    }
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
    ZeroDeadRows();
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline int64_t SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::CountLiveRows()
{
    LocalTensor<int64_t> counts = countBuffer_.template Get<int64_t>();
    int64_t total = 0;
    for (int64_t begin = 0; begin < groups_; begin += COUNTS_PER_LOAD) {
        const int64_t left = groups_ - begin;
        const int32_t count = static_cast<int32_t>(left < COUNTS_PER_LOAD ? left : COUNTS_PER_LOAD);
        LoadRun(counts, groupIndexGm_[begin], count);
        WaitFor<HardEvent::MTE2_S>();
        for (int32_t i = 0; i < count; ++i) {
            total += counts.GetValue(i);
        }
        WaitFor<HardEvent::S_MTE2>();
    }
    return total < 0 ? 0 : (total > totalRows_ ? totalRows_ : total);
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::ProcessRows(int64_t row, int32_t rows)
{
    CopyInRows(row, rows);
    if constexpr (HAS_WEIGHT) {
        weightRow_ = weightQueue_.template DeQue<float>();
        ReplicateRows(RowBlocks(WEIGHT_BLOCKS), weightRow_, rows);
        Duplicate(RowVector(GRAD_WEIGHT_ROW), 0.0f, rows);
    }
    for (int64_t column = 0; column < columns_; column += columnsPerTile_) {
        const int64_t left = columns_ - column;
        const int32_t width = static_cast<int32_t>(left < columnsPerTile_ ? left : columnsPerTile_);
        const TileShape shape{rows, width, RoundUpTo(width, static_cast<int32_t>(BLOCK_BYTES / sizeof(T)))};
        CopyIn(row, column, shape);
        Compute(shape);
        CopyOut(row, column, shape);
    }
    FinishRows(row, rows);
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::CopyInRows(int64_t row, int32_t rows)
{
    if constexpr (HAS_WEIGHT) {
        LocalTensor<float> weightRow = weightQueue_.template AllocTensor<float>();
        LoadRun(weightRow, weightGm_[row], rows);
        weightQueue_.EnQue(weightRow);
    }
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::CopyIn(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> gradYTile = gradYQueue_.template AllocTensor<T>();
    LoadTile(gradYTile, gradYGm_[row * columns_ + column], columns_, shape);
    gradYQueue_.EnQue(gradYTile);

    LocalTensor<T> xTile = xQueue_.template AllocTensor<T>();
    LoadTile(xTile, xGm_[row * (2 * columns_) + column], 2 * columns_, shape);
    LoadTile(xTile[tileElements_], xGm_[row * (2 * columns_) + columns_ + column], 2 * columns_, shape);
    xQueue_.EnQue(xTile);

    if constexpr (HAS_WEIGHT) {
        LocalTensor<T> yOriginTile = yOriginQueue_.template AllocTensor<T>();
        LoadTile(yOriginTile, yOriginGm_[row * columns_ + column], columns_, shape);
        yOriginQueue_.EnQue(yOriginTile);
    }
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::Compute(const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> gradYTile = gradYQueue_.template DeQue<T>();
    LocalTensor<T> xTile = xQueue_.template DeQue<T>();
    LocalTensor<T> yOriginTile;
    if constexpr (HAS_WEIGHT) {
        yOriginTile = yOriginQueue_.template DeQue<T>();
    }
    LocalTensor<T> gradXTile = gradXQueue_.template AllocTensor<T>();

    LocalTensor<float> x0 = InPlaceOrWork(xTile, 2);
    ToFloat(x0, xTile, count); // x0 = x[0:]
    LocalTensor<uint8_t> x0IsBelow;
    LocalTensor<float> x0Clamped = InPlaceOrWork(xTile, 2);
    if constexpr (HAS_CLAMP) {
        x0IsBelow = Mask(0);
        // x0IsBelow = x0 < clampLimit
        CompareScalar(x0IsBelow, x0, clampLimit_, CMPMODE::LT, RoundUpTo(count, REPEAT_FLOATS));
        Mins(x0Clamped, x0, clampLimit_, count); // x0Clamped = min(x0, clampLimit)
    }
    LocalTensor<float> gradY = InPlaceOrWork(gradYTile, 3);
    ToFloat(gradY, gradYTile, count);
    FreeAfterCast(gradYQueue_, gradYTile);
    LocalTensor<float> sigmoid = Work(0);
    Muls(Work(1), x0Clamped, -1.0f, count); // sigmoid = 1 / (1 + exp(-x0Clamped))
    Exp(Work(1), Work(1), count);
    Adds(Work(1), Work(1), 1.0f, count);
    Duplicate(sigmoid, 1.0f, count);
    Div(sigmoid, sigmoid, Work(1), count);
    LocalTensor<float> x0ClampedFinite = Work(1);
    Maxs(x0ClampedFinite, x0Clamped, -FLOAT_MAX, count); // x0ClampedFinite = finite(x0Clamped)
    Mins(x0ClampedFinite, x0ClampedFinite, FLOAT_MAX, count);
    LocalTensor<float> x0ClampedFiniteTimesSigmoid = Work(1);
    // x0ClampedFiniteTimesSigmoid = x0ClampedFinite * sigmoid
    Mul(x0ClampedFiniteTimesSigmoid, x0ClampedFinite, sigmoid, count);
    LocalTensor<float> oneMinusSigmoid = Work(2);
    Muls(oneMinusSigmoid, sigmoid, -1.0f, count); // oneMinusSigmoid = 1 - sigmoid
    Adds(oneMinusSigmoid, oneMinusSigmoid, 1.0f, count);
    LocalTensor<float> product = Work(2);
    // product = x0ClampedFiniteTimesSigmoid * oneMinusSigmoid
    Mul(product, x0ClampedFiniteTimesSigmoid, oneMinusSigmoid, count);
    LocalTensor<float> siluSlope = Work(0);
    Add(siluSlope, product, sigmoid, count); // siluSlope = product + sigmoid
    LocalTensor<float> gradYOrigin = InPlaceOrWork(gradYTile, 3);
    if constexpr (HAS_WEIGHT) {
        LocalTensor<float> yOrigin = InPlaceOrWork(yOriginTile, 2);
        ToFloat(yOrigin, yOriginTile, count);
        FreeAfterCast(yOriginQueue_, yOriginTile);
        LocalTensor<float> gradYTimesYOrigin = Work(2);
        Mul(gradYTimesYOrigin, gradY, yOrigin, count); // gradYTimesYOrigin = gradY * yOrigin
        FreeAfterUse(yOriginQueue_, yOriginTile);
        // gradWeight = sum of gradYTimesYOrigin over columns
        SumRows(RowVector(TILE_SUM_ROW), gradYTimesYOrigin, shape);
        Add(RowVector(GRAD_WEIGHT_ROW), RowVector(GRAD_WEIGHT_ROW), RowVector(TILE_SUM_ROW), shape.rows);
        // gradYOrigin = gradY * broadcastWeight
        ApplyRows<VectorOp::MUL>(gradYOrigin, gradY, RowBlocks(WEIGHT_BLOCKS), shape);
    }
    LocalTensor<float> gradX1Clamped = InPlaceOrWork(gradXTile[tileElements_], 2);
    // gradX1Clamped = gradYOrigin * x0ClampedFiniteTimesSigmoid
    Mul(gradX1Clamped, gradYOrigin, x0ClampedFiniteTimesSigmoid, count);
    LocalTensor<float> x1 = InPlaceOrWork(xTile[tileElements_], 1);
    ToFloat(x1, xTile[tileElements_], count); // x1 = x[H:]
    FreeAfterCast(xQueue_, xTile);
    LocalTensor<uint8_t> x1RaisedIsInside;
    LocalTensor<float> x1Clamped = InPlaceOrWork(xTile[tileElements_], 1);
    if constexpr (HAS_CLAMP) {
        LocalTensor<uint8_t> x1IsAbove = Mask(1);
        // x1IsAbove = x1 > -clampLimit
        CompareScalar(x1IsAbove, x1, -clampLimit_, CMPMODE::GT, RoundUpTo(count, REPEAT_FLOATS));
        LocalTensor<float> x1Raised = Work(1);
        Maxs(x1Raised, x1, -clampLimit_, count); // x1Raised = max(x1, -clampLimit)
        LocalTensor<uint8_t> x1RaisedIsBelow = Mask(2);
        // x1RaisedIsBelow = x1Raised < clampLimit
        CompareScalar(x1RaisedIsBelow, x1Raised, clampLimit_, CMPMODE::LT, RoundUpTo(count, REPEAT_FLOATS));
        x1RaisedIsInside = Mask(1);
        // x1RaisedIsInside = x1RaisedIsBelow && x1IsAbove
        And(x1RaisedIsInside.ReinterpretCast<uint16_t>(), x1RaisedIsBelow.ReinterpretCast<uint16_t>(),
            x1IsAbove.ReinterpretCast<uint16_t>(), RoundUpTo(count, MASK_BITS) / MASK_BITS);
        Mins(x1Clamped, x1Raised, clampLimit_, count); // x1Clamped = min(x1Raised, clampLimit)
    }
    LocalTensor<float> gradYOriginTimesX1Clamped = Work(1);
    // gradYOriginTimesX1Clamped = gradYOrigin * x1Clamped
    Mul(gradYOriginTimesX1Clamped, gradYOrigin, x1Clamped, count);
    FreeAfterUse(gradYQueue_, gradYTile);
    FreeAfterUse(xQueue_, xTile);
    LocalTensor<float> gradX0Clamped = InPlaceOrWork(gradXTile, 0);
    // gradX0Clamped = gradYOriginTimesX1Clamped * siluSlope
    Mul(gradX0Clamped, gradYOriginTimesX1Clamped, siluSlope, count);
    LocalTensor<float> gradX1 = InPlaceOrWork(gradXTile[tileElements_], 2);
    if constexpr (HAS_CLAMP) {
        // gradX1 = x1RaisedIsInside ? gradX1Clamped : 0
        Select(gradX1, x1RaisedIsInside, gradX1Clamped, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
    }
    FromFloat(gradXTile[tileElements_], gradX1, count);
    LocalTensor<float> gradX0 = InPlaceOrWork(gradXTile, 0);
    if constexpr (HAS_CLAMP) {
        // gradX0 = x0IsBelow ? gradX0Clamped : 0
        Select(gradX0, x0IsBelow, gradX0Clamped, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
    }
    FromFloat(gradXTile, gradX0, count);
    gradXQueue_.EnQue(gradXTile);
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::CopyOut(int64_t row, int64_t column,
    const TileShape& shape)
{
    LocalTensor<T> gradXTile = gradXQueue_.template DeQue<T>();
    StoreTile(gradXGm_[row * (2 * columns_) + column], gradXTile, 2 * columns_, shape);
    StoreTile(gradXGm_[row * (2 * columns_) + columns_ + column], gradXTile[tileElements_], 2 * columns_, shape);
    gradXQueue_.FreeTensor(gradXTile);
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::FinishRows(int64_t row, int32_t rows)
{
    if constexpr (HAS_WEIGHT) {
        StoreRow(gradWeightQueue_, gradWeightGm_, RowVector(GRAD_WEIGHT_ROW), row, rows);
        weightQueue_.FreeTensor(weightRow_);
    }
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::ZeroDeadRows()
{
    const int64_t dead = totalRows_ - liveRows_;
    if (dead <= 0) {
        return;
    }
    ZeroFill(gradXGm_, liveRows_ * (2 * columns_), dead * (2 * columns_));
    if constexpr (HAS_WEIGHT) {
        ZeroFill(gradWeightGm_, liveRows_, dead);
    }
}

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
template <typename U>
__aicore__ inline void SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP>::ZeroFill(const GlobalTensor<U>& to,
    int64_t begin, int64_t count)
{
    // The cores take equal runs; one buffer of zeros serves all bursts.
    const int64_t share = RoundUpTo((count + cores_ - 1) / cores_, static_cast<int64_t>(TILE_ALIGNMENT));
    const int64_t first = core_ * share;
    const int64_t last = first + share < count ? first + share : count;
    if (first >= last) {
        return;
    }
    LocalTensor<T> gradXTile = gradXQueue_.template AllocTensor<T>();
    const int32_t capacity = 2 * tileElements_ * sizeof(T) / sizeof(U);
    const int32_t burst = static_cast<int32_t>(last - first < capacity ? last - first : capacity);
    // Zero is all bits clear in every dtype.
    Duplicate(gradXTile.template ReinterpretCast<float>(), 0.0f,
              RoundUpTo(burst, BLOCK_FLOATS) * static_cast<int32_t>(sizeof(U)) /
              static_cast<int32_t>(sizeof(float)));
    gradXQueue_.EnQue(gradXTile);
    gradXTile = gradXQueue_.template DeQue<T>();
    const LocalTensor<U> zeros = gradXTile.template ReinterpretCast<U>();
    for (int64_t at = first; at < last; at += burst) {
        const int32_t length = static_cast<int32_t>(last - at < burst ? last - at : burst);
        StoreRun(to[begin + at], zeros, length);
    }
    gradXQueue_.FreeTensor(gradXTile);
}

} // namespace SwigluGroupQuantGrad

#endif // SWIGLU_GROUP_QUANT_GRAD_H
