// Made by ascgrad 0.1.0 from TanhGateGrad for ascend950.

/*!
 * \file tanh_gate_grad.h
 * \brief TanhGateGrad: the kernel.
 *
 * A core takes a run of rows and walks it in tiles of rowsPerTile rows and columnsPerTile columns. Steps of a
 * tile, in order: what is computed, the buffer that holds it, and the last step that reads it.
 *    0  x0 = x[0:]                                                                     work 3   to 1
 *    1  tanh = tanh(x0)                                                                work 0   to 7
 *    2  x1 = x[H:]                                                                     work 2   to 6
 *    3  tanhTimesTanh = tanh * tanh                                                    work 1   to 4
 *    4  tanhSlope = 1 - tanhTimesTanh                                                  work 1   to 9
 *    5  gradY                                                                          work 3   to 7
 *    6  gradYTimesX1 = gradY * x1                                                      work 2   to 9
 *    7  gradX1 = gradY * tanh                                                          work 0   to 8
 *    8  gradX[H:] = gradX1                                                             output
 *    9  gradX0 = gradYTimesX1 * tanhSlope                                              work 0   to 10
 *   10  gradX[0:] = gradX0                                                             output
 *
 * UB buffers, in bytes (E elements of a tile, R rows of a tile, b bytes of the dtype):
 *   gradYQueue       T         2 x b x E                gradY, tile
 *   xQueue           T         2 x 2 x b x E            x, tile
 *   gradXQueue       T         2 x 2 x b x E            gradX, tile
 *   workBuffer       float32   4 x WORK_SLOTS x E       float tiles under computation
 */

#ifndef TANH_GATE_GRAD_H
#define TANH_GATE_GRAD_H

#include "kernel_operator.h"
#include "tanh_gate_grad_tile.h"
#include "../tanh_gate_grad_tiling_data.h"

namespace TanhGateGrad {
using namespace AscendC;

template <typename T>
class TanhGateGradKernel {
public:
    __aicore__ inline void Init(GM_ADDR gradY, GM_ADDR x, GM_ADDR gradX, const TanhGateGradTilingData* tiling,
                                TPipe* pipe);
    __aicore__ inline void Process();

private:
    static constexpr bool IS_FLOAT = sizeof(T) == sizeof(float);
    static constexpr int32_t KEY = 0;

    __aicore__ inline void ProcessRows(int64_t row, int32_t rows);
    __aicore__ inline void CopyIn(int64_t row, int64_t column, const TileShape& shape);
    __aicore__ inline void Compute(const TileShape& shape);
    __aicore__ inline void CopyOut(int64_t row, int64_t column, const TileShape& shape);

    // One of the float work buffers; each holds a tile.
    __aicore__ inline LocalTensor<float> Work(int32_t index)
    {
        return workBuffer_.Get<float>()[index * tileElements_];
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
    int32_t tileElements_ = 0;
};

template <typename T>
__aicore__ inline void TanhGateGradKernel<T>::Init(GM_ADDR gradY, GM_ADDR x, GM_ADDR gradX,
                                                   const TanhGateGradTilingData* tiling, TPipe* pipe)
{
    cores_ = GetBlockNum() * GetSubBlockNum();
    core_ = GetBlockIdx();
    totalRows_ = tiling->totalRows;
    liveRows_ = totalRows_;
    columns_ = tiling->columns;
    columnsPerTile_ = tiling->columnsPerTile;
    rowsPerTile_ = static_cast<int32_t>(tiling->rowsPerTile);
    tileElements_ = static_cast<int32_t>(tiling->tileElements);

    gradYGm_.SetGlobalBuffer((__gm__ T *)gradY);
    xGm_.SetGlobalBuffer((__gm__ T *)x);
    gradXGm_.SetGlobalBuffer((__gm__ T *)gradX);

    pipe->InitBuffer(gradYQueue_, 2, tileElements_ * sizeof(T));
    pipe->InitBuffer(xQueue_, 2, 2 * tileElements_ * sizeof(T));
    pipe->InitBuffer(gradXQueue_, 2, 2 * tileElements_ * sizeof(T));
    pipe->InitBuffer(workBuffer_, WORK_SLOTS[KEY][IS_FLOAT] * tileElements_ * sizeof(float));
}

template <typename T>
__aicore__ inline void TanhGateGradKernel<T>::Process()
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
__aicore__ inline void TanhGateGradKernel<T>::ProcessRows(int64_t row, int32_t rows)
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
__aicore__ inline void TanhGateGradKernel<T>::CopyIn(int64_t row, int64_t column, const TileShape& shape)
{
    LocalTensor<T> gradYTile = gradYQueue_.template AllocTensor<T>();
    LoadTile(gradYTile, gradYGm_[row * columns_ + column], columns_, shape);
    gradYQueue_.EnQue(gradYTile);

    LocalTensor<T> xTile = xQueue_.template AllocTensor<T>();
    LoadTile(xTile, xGm_[row * (2 * columns_) + column], 2 * columns_, shape);
    LoadTile(xTile[tileElements_], xGm_[row * (2 * columns_) + columns_ + column], 2 * columns_, shape);
    xQueue_.EnQue(xTile);
}

template <typename T>
__aicore__ inline void TanhGateGradKernel<T>::Compute(const TileShape& shape)
{
    const int32_t count = shape.rows * shape.pitch;
    LocalTensor<T> gradYTile = gradYQueue_.template DeQue<T>();
    LocalTensor<T> xTile = xQueue_.template DeQue<T>();
    LocalTensor<T> gradXTile = gradXQueue_.template AllocTensor<T>();

    LocalTensor<float> x0 = InPlaceOrWork(xTile, 3);
    ToFloat(x0, xTile, count); // x0 = x[0:]
    LocalTensor<float> tanh = Work(0);
    Maxs(Work(1), x0, -9.02f, count); // tanh = tanh(x0)
    Mins(Work(1), Work(1), 9.02f, count);
    Mul(Work(1), Work(1), Work(1), count);
    Muls(tanh, Work(1), 1.33197311e-08f, count);
    Adds(tanh, tanh, 2.05840105e-05f, count);
    Mul(tanh, tanh, Work(1), count);
    Adds(tanh, tanh, 3.49406889e-03f, count);
    Mul(tanh, tanh, Work(1), count);
    Adds(tanh, tanh, 1.33797482e-01f, count);
    Mul(tanh, tanh, Work(1), count);
    Adds(tanh, tanh, 1.0f, count);
    Muls(Work(2), Work(1), 7.76230502e-07f, count);
    Adds(Work(2), Work(2), 3.28314723e-04f, count);
    Mul(Work(2), Work(2), Work(1), count);
    Adds(Work(2), Work(2), 2.58712061e-02f, count);
    Mul(Work(2), Work(2), Work(1), count);
    Adds(Work(2), Work(2), 4.67130631e-01f, count);
    Mul(Work(2), Work(2), Work(1), count);
    Adds(Work(2), Work(2), 1.0f, count);
    Maxs(Work(1), x0, -9.02f, count);
    Mins(Work(1), Work(1), 9.02f, count);
    Mul(tanh, tanh, Work(1), count);
    Div(tanh, tanh, Work(2), count);
    Maxs(tanh, tanh, -1.0f, count);
    Mins(tanh, tanh, 1.0f, count);
    LocalTensor<float> x1 = InPlaceOrWork(xTile[tileElements_], 2);
    ToFloat(x1, xTile[tileElements_], count); // x1 = x[H:]
    FreeAfterCast(xQueue_, xTile);
    LocalTensor<float> tanhTimesTanh = Work(1);
    Mul(tanhTimesTanh, tanh, tanh, count); // tanhTimesTanh = tanh * tanh
    LocalTensor<float> tanhSlope = Work(1);
    Muls(tanhSlope, tanhTimesTanh, -1.0f, count); // tanhSlope = 1 - tanhTimesTanh
    Adds(tanhSlope, tanhSlope, 1.0f, count);
    LocalTensor<float> gradY = InPlaceOrWork(gradYTile, 3);
    ToFloat(gradY, gradYTile, count);
    FreeAfterCast(gradYQueue_, gradYTile);
    LocalTensor<float> gradYTimesX1 = Work(2);
    Mul(gradYTimesX1, gradY, x1, count); // gradYTimesX1 = gradY * x1
    FreeAfterUse(xQueue_, xTile);
    LocalTensor<float> gradX1 = InPlaceOrWork(gradXTile[tileElements_], 0);
    Mul(gradX1, gradY, tanh, count); // gradX1 = gradY * tanh
    FreeAfterUse(gradYQueue_, gradYTile);
    FromFloat(gradXTile[tileElements_], gradX1, count);
    LocalTensor<float> gradX0 = InPlaceOrWork(gradXTile, 0);
    Mul(gradX0, gradYTimesX1, tanhSlope, count); // gradX0 = gradYTimesX1 * tanhSlope
    FromFloat(gradXTile, gradX0, count);
    gradXQueue_.EnQue(gradXTile);
}

template <typename T>
__aicore__ inline void TanhGateGradKernel<T>::CopyOut(int64_t row, int64_t column, const TileShape& shape)
{
    LocalTensor<T> gradXTile = gradXQueue_.template DeQue<T>();
    StoreTile(gradXGm_[row * (2 * columns_) + column], gradXTile, 2 * columns_, shape);
    StoreTile(gradXGm_[row * (2 * columns_) + columns_ + column], gradXTile[tileElements_], 2 * columns_, shape);
    gradXQueue_.FreeTensor(gradXTile);
}

} // namespace TanhGateGrad

#endif // TANH_GATE_GRAD_H
