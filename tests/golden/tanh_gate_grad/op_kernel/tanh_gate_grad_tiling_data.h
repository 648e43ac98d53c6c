// Made by ascgrad 0.1.0 from TanhGateGrad for ascend950.

/*!
 * \file tanh_gate_grad_tiling_data.h
 * \brief What the host tiling of TanhGateGrad tells the kernel.
 */

#ifndef TANH_GATE_GRAD_TILING_DATA_H
#define TANH_GATE_GRAD_TILING_DATA_H

#include <cstdint>

struct TanhGateGradTilingData {
    int64_t totalRows = 0;      // rows of the tensors
    int64_t columns = 0;        // columns of a tile in full, H
    int64_t rowsPerTile = 0;    // most rows of a tile
    int64_t columnsPerTile = 0; // columns of a tile
    int64_t tileElements = 0;   // elements a tile buffer holds
};

namespace TanhGateGrad {
// Buffers of the kernel by tiling key, for 16-bit and for 32-bit dtypes.
constexpr int32_t WORK_SLOTS[1][2] = {{4, 3}};
} // namespace TanhGateGrad

#endif // TANH_GATE_GRAD_TILING_DATA_H
