#ifndef ROW_SCALE_GRAD_TILING_DATA_H
#define ROW_SCALE_GRAD_TILING_DATA_H

#include <cstdint>

struct RowScaleGradTilingData {
    int64_t rows;  // of grad_y
    int64_t columns;
    int64_t rowsPerBlock;
    float scale;
    uint32_t hasWeight;
    uint32_t shift[2];  // instance index of x, number of inputs
};

#endif
