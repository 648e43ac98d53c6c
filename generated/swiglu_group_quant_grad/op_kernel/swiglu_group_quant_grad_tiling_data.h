// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file swiglu_group_quant_grad_tiling_data.h
 * \brief What the host tiling of SwigluGroupQuantGrad tells the kernel.
 */

#ifndef SWIGLU_GROUP_QUANT_GRAD_TILING_DATA_H
#define SWIGLU_GROUP_QUANT_GRAD_TILING_DATA_H

#include <cstdint>

struct SwigluGroupQuantGradTilingData {
    int64_t totalRows = 0;      // rows of the tensors
    int64_t columns = 0;        // columns of a tile in full, H
    int64_t rowsPerTile = 0;    // most rows of a tile
    int64_t columnsPerTile = 0; // columns of a tile
    int64_t tileElements = 0;   // elements a tile buffer holds
    int64_t groups = 0;         // elements of groupIndex; -1 when it is absent
    float clampLimit = 0.0f;    // attribute clamp_limit
    float padding = 0.0f;       // keeps the size a multiple of 8 bytes
};

namespace SwigluGroupQuantGrad {
// Buffers of the kernel by tiling key, for 16-bit and for 32-bit dtypes.
constexpr int32_t WORK_SLOTS[4][2] = {{4, 3}, {4, 3}, {4, 3}, {4, 3}};
constexpr int32_t MASK_SLOTS[4][2] = {{0, 0}, {0, 0}, {3, 3}, {3, 3}};
} // namespace SwigluGroupQuantGrad

#endif // SWIGLU_GROUP_QUANT_GRAD_TILING_DATA_H
