// Made by ascgrad 0.1.0 from ScaledProductGrad for ascend950.

/*!
 * \file scaled_product_grad_tiling_data.h
 * \brief What the host tiling of ScaledProductGrad tells the kernel.
 */

#ifndef SCALED_PRODUCT_GRAD_TILING_DATA_H
#define SCALED_PRODUCT_GRAD_TILING_DATA_H

#include <cstdint>

struct ScaledProductGradTilingData {
    int64_t totalRows = 0;      // rows of the tensors
    int64_t columns = 0;        // columns of a tile in full, H
    int64_t rowsPerTile = 0;    // most rows of a tile
    int64_t columnsPerTile = 0; // columns of a tile
    int64_t tileElements = 0;   // elements a tile buffer holds
};

namespace ScaledProductGrad {
// Buffers of the kernel by tiling key, for 16-bit and for 32-bit dtypes.
constexpr int32_t WORK_SLOTS[1][2] = {{5, 3}};
} // namespace ScaledProductGrad

#endif // SCALED_PRODUCT_GRAD_TILING_DATA_H
