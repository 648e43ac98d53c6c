// Made by ascgrad 0.1.0 from RowNormGrad for ascend950.

/*!
 * \file row_norm_grad_tiling_data.h
 * \brief What the host tiling of RowNormGrad tells the kernel.
 */

#ifndef ROW_NORM_GRAD_TILING_DATA_H
#define ROW_NORM_GRAD_TILING_DATA_H

#include <cstdint>

struct RowNormGradTilingData {
    int64_t totalRows = 0;      // rows of the tensors
    int64_t columns = 0;        // columns of a tile in full, H
    int64_t rowsPerTile = 0;    // most rows of a tile
    int64_t columnsPerTile = 0; // columns of a tile
    int64_t tileElements = 0;   // elements a tile buffer holds
    float eps = 0.0f;           // attribute eps
    float padding = 0.0f;       // keeps the size a multiple of 8 bytes
};

namespace RowNormGrad {
// Buffers of the kernel by tiling key, for 16-bit and for 32-bit dtypes.
constexpr int32_t WORK_SLOTS[1][2] = {{3, 2}};
} // namespace RowNormGrad

#endif // ROW_NORM_GRAD_TILING_DATA_H
