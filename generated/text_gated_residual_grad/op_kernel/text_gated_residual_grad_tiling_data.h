// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_tiling_data.h
 * \brief What the host tiling of TextGatedResidualGrad tells the kernel.
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_TILING_DATA_H
#define TEXT_GATED_RESIDUAL_GRAD_TILING_DATA_H

#include <cstdint>

struct TextGatedResidualGradTilingData {
    int64_t totalRows = 0;             // rows of the tensors
    int64_t blockRows = 0;             // rows of a block
    int64_t sizeH = 0;                 // size H
    int64_t sizeC = 0;                 // size C
    int64_t sizeR = 0;                 // size R
    int64_t vector1Columns = 0;        // vector1: columns of a tile in full, H
    int64_t vector1RowsPerTile = 0;    // vector1: most rows of a tile
    int64_t vector1ColumnsPerTile = 0; // vector1: columns of a tile
    int64_t vector1TileElements = 0;   // vector1: elements a tile buffer holds
    int64_t vector1Channels = 0;       // vector1: channels of a row, C
    int64_t vector2Columns = 0;        // vector2: columns of a tile in full, C
    int64_t vector2RowsPerTile = 0;    // vector2: most rows of a tile
    int64_t vector2ColumnsPerTile = 0; // vector2: columns of a tile
    int64_t vector2TileElements = 0;   // vector2: elements a tile buffer holds
    int64_t vector3Columns = 0;        // vector3: columns of a tile in full, R
    int64_t vector3RowsPerTile = 0;    // vector3: most rows of a tile
    int64_t vector3ColumnsPerTile = 0; // vector3: columns of a tile
    int64_t vector3TileElements = 0;   // vector3: elements a tile buffer holds
    int64_t vector4Columns = 0;        // vector4: columns of a tile in full, R
    int64_t vector4RowsPerTile = 0;    // vector4: most rows of a tile
    int64_t vector4ColumnsPerTile = 0; // vector4: columns of a tile
    int64_t vector4TileElements = 0;   // vector4: elements a tile buffer holds
    int64_t vector5Columns = 0;        // vector5: columns of a tile in full, H
    int64_t vector5RowsPerTile = 0;    // vector5: most rows of a tile
    int64_t vector5ColumnsPerTile = 0; // vector5: columns of a tile
    int64_t vector5TileElements = 0;   // vector5: elements a tile buffer holds
    int64_t vector5Channels = 0;       // vector5: channels of a row, C
    int64_t gradUpOffset = 0;          // bytes before gradUp in the workspace
    int64_t gradDownPreActOffset = 0;  // bytes before gradDownPreAct in the workspace
    int64_t factorOfWGateOffset = 0;   // bytes before factorOfWGate in the workspace
    int64_t xNormOffset = 0;           // bytes before xNorm in the workspace
    int64_t actOffset = 0;             // bytes before act in the workspace
    int64_t gradActOffset = 0;         // bytes before gradAct in the workspace
    int64_t gradXNormOffset = 0;       // bytes before gradXNorm in the workspace
    int64_t vector5PartialOffset = 0;  // bytes before the partial sums of vector5
    int64_t dwUpPartsOffset = 0;       // bytes before the parts of dwUp
    int64_t dwDownPartsOffset = 0;     // bytes before the parts of dwDown
    int64_t dwGatePartsOffset = 0;     // bytes before the parts of dwGate
    int64_t gradActTileRows = 0;       // gradAct: rows of an output tile
    int64_t gradActTileColumns = 0;    // gradAct: columns of an output tile
    int64_t gradActPartK = 0;          // gradAct: elements of k in a part
    int64_t gradActParts = 0;          // gradAct: parts of k
    int64_t gradXNormTileRows = 0;     // gradXNorm: rows of an output tile
    int64_t gradXNormTileColumns = 0;  // gradXNorm: columns of an output tile
    int64_t gradXNormPartK = 0;        // gradXNorm: elements of k in a part
    int64_t gradXNormParts = 0;        // gradXNorm: parts of k
    int64_t dwUpTileRows = 0;          // dwUp: rows of an output tile
    int64_t dwUpTileColumns = 0;       // dwUp: columns of an output tile
    int64_t dwUpPartK = 0;             // dwUp: elements of k in a part
    int64_t dwUpParts = 0;             // dwUp: parts of k
    int64_t dwDownTileRows = 0;        // dwDown: rows of an output tile
    int64_t dwDownTileColumns = 0;     // dwDown: columns of an output tile
    int64_t dwDownPartK = 0;           // dwDown: elements of k in a part
    int64_t dwDownParts = 0;           // dwDown: parts of k
    int64_t gradUpL1Columns = 0;       // columns of a strip of gradUp in L1; 0 where it goes through the workspace
    int64_t gradActUbTiles = 0;        // bytes of UB for tiles of gradAct; 0 where it goes through the workspace
};

namespace TextGatedResidualGrad {
// Buffers of the kernel by tiling key.
constexpr int32_t VECTOR1_WORK_SLOTS[4] = {3, 3, 3, 3};
constexpr int32_t VECTOR2_WORK_SLOTS[4] = {0, 2, 0, 2};
constexpr int32_t VECTOR3_WORK_SLOTS[4] = {3, 3, 3, 3};
constexpr int32_t VECTOR4_WORK_SLOTS[4] = {3, 3, 3, 3};
constexpr int32_t VECTOR5_WORK_SLOTS[4] = {3, 3, 3, 3};
} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_TILING_DATA_H
