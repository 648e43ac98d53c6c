// A kernel without the device API: what stub_entry.cpp offers is enough for tests of the host side.
// grad_x = grad_y * scale * weight; grad_weight = sum over rows of grad_y * x, by block 0.
#include "row_scale_grad_tiling_data.h"

#ifndef ROW_SCALE_GRAD_OVERRUN
#define ROW_SCALE_GRAD_OVERRUN 0  // elements that the last block writes behind grad_x
#endif

extern "C" __global__ __aicore__ void row_scale_grad(GM_ADDR gradY, GM_ADDR weight, GM_ADDR x, GM_ADDR gradX,
                                                     GM_ADDR gradWeight, GM_ADDR workspace, GM_ADDR tiling)
{
    const auto& data = *reinterpret_cast<const RowScaleGradTilingData*>(tiling);
    const auto* dy = reinterpret_cast<const DTYPE_GRAD_Y*>(gradY);
    const auto* input = reinterpret_cast<const DTYPE_X*>(x);
    const auto* scales = reinterpret_cast<const float*>(weight);
    auto* dx = reinterpret_cast<DTYPE_GRAD_X*>(gradX);
    auto* dw = reinterpret_cast<float*>(gradWeight);
    const int64_t first = GetBlockIdx() * data.rowsPerBlock;
    const int64_t last = first + data.rowsPerBlock < data.rows ? first + data.rowsPerBlock : data.rows;
    for (int64_t row = first; row < last; ++row) {
        for (int64_t column = 0; column < data.columns; ++column) {
            const int64_t index = row * data.columns + column;
            dx[index] = DTYPE_GRAD_X(float(dy[index]) * data.scale * (data.hasWeight ? scales[column] : 1.0F));
        }
    }
    if (last == data.rows) {
        for (int64_t extra = 0; extra < ROW_SCALE_GRAD_OVERRUN; ++extra) {
            dx[data.rows * data.columns + extra] = DTYPE_GRAD_X(1.0F);
        }
    }
    if (data.hasWeight != 0 && GetBlockIdx() == 0) {
        auto* sum = reinterpret_cast<float*>(workspace);
        for (int64_t column = 0; column < data.columns; ++column) {
            sum[column] = 0.0F;
            for (int64_t row = 0; row < data.rows; ++row) {
                sum[column] += float(dy[row * data.columns + column]) * float(input[row * data.columns + column]);
            }
            dw[column] = sum[column];
        }
    }
}
