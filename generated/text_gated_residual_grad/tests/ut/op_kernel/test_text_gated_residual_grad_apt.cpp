// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file test_text_gated_residual_grad_apt.cpp
 * \brief Runs the TextGatedResidualGrad kernel on the CPU and compares its outputs with the gradient computed in
 * float64. The data comes from tests/st; ascgrad must be installed.
 */

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include "gtest/gtest.h"
#include "data_utils.h"
#include "tikicpulib.h"
#include "../../../op_host/text_gated_residual_grad_tiling_math.h"
#include "../../../op_kernel/text_gated_residual_grad_tiling_data.h"

extern "C" __global__ __aicore__ void text_gated_residual_grad(GM_ADDR gradMixed, GM_ADDR x, GM_ADDR wDown, GM_ADDR wUp,
                                                               GM_ADDR invRms, GM_ADDR downPreAct, GM_ADDR up,
                                                               GM_ADDR gradInject, GM_ADDR wGate, GM_ADDR gamma,
                                                               GM_ADDR inject, GM_ADDR dx, GM_ADDR dwDown, GM_ADDR dwUp,
                                                               GM_ADDR dwGate, GM_ADDR dgamma, GM_ADDR workspace,
                                                               GM_ADDR tiling);

namespace {
using namespace optiling::text_gated_residual_grad;

// Bytes of the workspace that the system takes on Ascend 950PR/Ascend 950DT.
constexpr size_t SYSTEM_WORKSPACE = 16777216;

struct Launch {
    uint32_t blocks;
    uint64_t tilingKey;
    size_t workspaceBytes;
};

// As the host tiling of Ascend 950PR/Ascend 950DT computes it for every option switched on.
Launch SetTiling(TextGatedResidualGradTilingData* tiling)
{
    const int64_t ubBytes = 253952;
    const int64_t cubeCoreNum = 32;
    const int64_t coreNum = 64;
    const int64_t dtypeBytes = 2;
    const int64_t C = 4;
    const int64_t H = 16;
    const int64_t R = 16;
    const int64_t T = 2;
    const bool hasInject = true;
    const bool hasGamma = true;
    *tiling = TextGatedResidualGradTilingData{};
    // Groups of one cube core and its vector cores.
    const int64_t groups = cubeCoreNum;
    // One bit per option that changes the computation.
    const int64_t tilingKey = 2 * hasGamma + hasInject;
    tiling->totalRows = T;
    tiling->sizeH = H;
    tiling->sizeC = C;
    tiling->sizeR = R;
    // Bytes that all stages touch per row.
    const int64_t rowBytes = 3 * C * dtypeBytes + 3 * R * dtypeBytes + 4 * C + 4 * C * H + 4 * R +
                             5 * C * H * dtypeBytes + H * dtypeBytes;
    // Rows whose workspace is counted in 64 bits, rings and partial sums included.
    const int64_t mostTotalRows = 144115188075855871 / std::max<int64_t>(1, rowBytes);
    // Rows of a block whose bytes stay in half of L2.
    const int64_t mostRows = std::max<int64_t>(128, AlignDown(67108864 / rowBytes, 128));
    // Rows of a block.
    const int64_t blockRows = std::min<int64_t>(mostRows, AlignUp(CeilDiv(std::max<int64_t>(1, T), 8), 128));
    tiling->blockRows = blockRows;
    // How a product of m x n elements, summed over k, is cut.
    struct Cut {
        int64_t rows, columns, partK, parts;
    };
    const auto cut = [](int64_t m, int64_t n, int64_t k, int64_t split) {
        // Rows of the largest tile.
        const int64_t mostRows = k - 1023 > 0 ? 256 : 128;
        // Columns of the largest tile.
        const int64_t mostColumns = 256;
        // Largest tiles along m.
        const int64_t rowTiles = CeilDiv(m, mostRows);
        // Largest tiles along n.
        const int64_t columnTiles = CeilDiv(n, mostColumns);
        // Parts of k that idle cores may take.
        const int64_t partsWanted = split > 0
                                    ? std::max<int64_t>(1,
                                                        std::min<int64_t>(8,
                                                                          std::min<int64_t>(k / 512,
                                                                          32 / (columnTiles * rowTiles)))) : 1;
        // Tiles of the fullest core.
        const int64_t rounds = CeilDiv(columnTiles * partsWanted * rowTiles, 32);
        // Columns of a tile: cut until every core has as many.
        const int64_t columns = AlignUp(CeilDiv(n,
                                                std::max<int64_t>(columnTiles,
                                                                  std::min<int64_t>(n / 64,
                                                                  (32 * rounds) / (partsWanted * rowTiles)))), 16);
        // Rows of a tile, likewise.
        const int64_t rows = AlignUp(CeilDiv(m,
                                             std::max<int64_t>(rowTiles,
                                                               std::min<int64_t>(m / 64,
                                                               (32 * rounds) / (CeilDiv(n, columns) * partsWanted)))),
                                     16);
        // Elements of k in a part.
        const int64_t partK = AlignUp(CeilDiv(k, partsWanted), 64);
        // Parts of k.
        const int64_t parts = CeilDiv(k, partK);
        return Cut{rows, columns, partK, parts};
    };
    // Bytes of UB for the tiles of a result that vector cores take from there; 0 where it goes through the workspace.
    const auto handOver = [blockRows, T](int64_t m, int64_t n, int64_t k, const Cut& whole, const Cut& split) {
        // Bytes of the fullest group: operands and tiles.
        const int64_t wholeMoved = (2 * k * (whole.columns + whole.rows) + 4 * whole.columns * whole.rows) *
                                   CeilDiv(CeilDiv(m, whole.rows) * CeilDiv(n, whole.columns), 32);
        // The same through the workspace, the reading of all parts included.
        const int64_t splitMoved = (2 * (split.columns + split.rows) * split.partK + 4 * split.columns * split.rows) *
                                   CeilDiv(CeilDiv(m, split.rows) * CeilDiv(n, split.columns) * split.parts, 32) +
                                   CeilDiv(4 * m * n * split.parts, 32);
        // Bytes of two halves of a tile.
        const int64_t tiles = 4 * whole.columns * whole.rows;
        // Blocks of rows.
        const int64_t blocks = CeilDiv(T, blockRows);
        // At least 0 where fewer bytes are moved, L0C holds two tiles, blocks are few and columns are whole fractals.
        const int64_t spare = std::min<int64_t>(std::min<int64_t>(2 - blocks, AlignDown(n, 16) - n),
                                                std::min<int64_t>(131072 - tiles,
                                                                  blocks * (splitMoved - wholeMoved) + 313500));
        // Bytes of the tiles in UB.
        const int64_t ubTiles = spare + 1 > 0 ? tiles : 0;
        return ubTiles;
    };
    // The same product where the vector cores of a group compute a strip of the left operand and leave it in L1.
    const auto cutInStrips = [](int64_t m, int64_t n, int64_t k) {
        // Rows of a tile.
        const int64_t rows = std::min<int64_t>(32, AlignUp(m, 16));
        // Tiles along m.
        const int64_t rowTiles = CeilDiv(m, rows);
        // Columns of a tile, balanced.
        const int64_t columns = AlignUp(CeilDiv(n, CeilDiv(n, 256)), 16);
        // Columns of a strip.
        const int64_t partK = AlignUp(CeilDiv(k, std::max<int64_t>(1, 32 / rowTiles)), 64);
        // Strips side by side.
        const int64_t parts = CeilDiv(k, partK);
        return Cut{rows, columns, partK, parts};
    };
    // Columns of such a strip; 0 where the operand goes through the workspace.
    const auto feed = [blockRows, T](int64_t m, int64_t n, int64_t k, int64_t lanes, const Cut& strips,
                                     const Cut& whole, const Cut& split, int64_t ubTiles) {
        // Bytes of the fullest group: operands and tiles.
        const int64_t wholeMoved = (2 * k * (whole.columns + whole.rows) + 4 * whole.columns * whole.rows) *
                                   CeilDiv(CeilDiv(m, whole.rows) * CeilDiv(n, whole.columns), 32);
        // The same through the workspace, the reading of all parts included.
        const int64_t splitMoved = (2 * (split.columns + split.rows) * split.partK + 4 * split.columns * split.rows) *
                                   CeilDiv(CeilDiv(m, split.rows) * CeilDiv(n, split.columns) * split.parts, 32) +
                                   CeilDiv(4 * m * n * split.parts, 32);
        // The fewer of the two, as it is without strips.
        const int64_t otherMoved = ubTiles > 0 ? wholeMoved : splitMoved + 313500;
        // Bytes of the fullest group: strips of both operands, parts of the result, and the reading of all parts.
        const int64_t stripsMoved = (2 * (n + strips.rows) * strips.partK + 4 * n * strips.rows) *
                                    CeilDiv(CeilDiv(m, strips.rows) * strips.parts, 32) +
                                    CeilDiv(4 * m * n * strips.parts, 32);
        // Bytes of L1 of a strip.
        const int64_t stripBytes = 2 * strips.partK * strips.rows;
        // Blocks of rows.
        const int64_t blocks = CeilDiv(T, blockRows);
        // At least 0 where fewer bytes are moved, L1 has room for a strip, blocks are few and columns are whole
        // fractals.
        const int64_t spare = std::min<int64_t>(std::min<int64_t>(262144 - stripBytes, otherMoved - stripsMoved),
                                                std::min<int64_t>(2 - blocks, AlignDown(lanes, 16) - lanes));
        // Columns of a strip in L1.
        const int64_t l1Columns = spare + 1 > 0 ? strips.partK : 0;
        return l1Columns;
    };
    const Cut gradActWhole = cut(std::max<int64_t>(1, std::min<int64_t>(T, blockRows)), R, C * H, 0);
    const Cut gradActSplit = cut(std::max<int64_t>(1, std::min<int64_t>(T, blockRows)), R, C * H, 1);
    const int64_t gradActTiles = handOver(std::max<int64_t>(1, std::min<int64_t>(T, blockRows)), R, C * H, gradActWhole,
                                          gradActSplit);
    const Cut gradActStrips = cutInStrips(std::max<int64_t>(1, std::min<int64_t>(T, blockRows)), R, C * H);
    const int64_t gradUpL1Columns = feed(std::max<int64_t>(1, std::min<int64_t>(T, blockRows)), R, C * H, H,
                                         gradActStrips, gradActWhole, gradActSplit, gradActTiles);
    tiling->gradUpL1Columns = gradUpL1Columns;
    const int64_t gradActUbTiles = gradUpL1Columns > 0 ? 0 : gradActTiles;
    tiling->gradActUbTiles = gradActUbTiles;
    const Cut gradActCut = gradUpL1Columns > 0 ? gradActStrips : gradActUbTiles > 0 ? gradActWhole : gradActSplit;
    tiling->gradActTileRows = gradActCut.rows;
    tiling->gradActTileColumns = gradActCut.columns;
    tiling->gradActPartK = gradActCut.partK;
    tiling->gradActParts = gradActCut.parts;
    const int64_t gradActParts = gradActCut.parts;
    const Cut gradXNormCut = cut(std::max<int64_t>(1, std::min<int64_t>(T, blockRows)), C * H,
                                 std::max<int64_t>(1, C * hasInject + R), 0);
    tiling->gradXNormTileRows = gradXNormCut.rows;
    tiling->gradXNormTileColumns = gradXNormCut.columns;
    tiling->gradXNormPartK = gradXNormCut.partK;
    tiling->gradXNormParts = gradXNormCut.parts;
    const Cut dwUpCut = cut(C * H, R, std::max<int64_t>(1, T), 1);
    tiling->dwUpTileRows = dwUpCut.rows;
    tiling->dwUpTileColumns = dwUpCut.columns;
    tiling->dwUpPartK = dwUpCut.partK;
    tiling->dwUpParts = dwUpCut.parts;
    const int64_t dwUpParts = dwUpCut.parts;
    const Cut dwDownCut = cut(std::max<int64_t>(1, AlignUp(R, 16) + AlignUp(C, 16) * hasInject), C * H,
                              std::max<int64_t>(1, T), 1);
    tiling->dwDownTileRows = dwDownCut.rows;
    tiling->dwDownTileColumns = dwDownCut.columns;
    tiling->dwDownPartK = dwDownCut.partK;
    tiling->dwDownParts = dwDownCut.parts;
    const int64_t dwDownParts = dwDownCut.parts;
    // Rows of the fullest core in a block.
    const int64_t rowsOfACore = std::max<int64_t>(1, CeilDiv(std::min<int64_t>(T, blockRows), coreNum));
    // The tile of a stage: its size, and the most columns of which one row would fit.
    struct Tile {
        int64_t columns, rows, elements, maxColumns;
    };
    // The tile that fits: whole rows, or a part of one row.
    const auto fitColumns = [dtypeBytes](int64_t span, int64_t bitsPerElement, int64_t bytesPerRow, int64_t freeBits,
                                         int64_t coreRows) {
        // Elements from row to row of a whole row in UB.
        const int64_t pitch = AlignUp(span, 32 / dtypeBytes);
        // Elements that rounding up a tile of whole rows may take.
        const int64_t rowRounding = pitch % 256 > 0 ? 255 : 0;
        // Whole rows that fit.
        const int64_t rowsThatFit = std::max<int64_t>(0, freeBits - bitsPerElement * rowRounding) /
                                    std::max<int64_t>(1, 8 * bytesPerRow + bitsPerElement * pitch);
        // Columns of one row that fit.
        const int64_t maxColumns = AlignDown(std::max<int64_t>(0, freeBits - 8 * bytesPerRow) /
                                             std::max<int64_t>(1, bitsPerElement), 256);
        // Tiles along a row.
        const int64_t columnTiles = rowsThatFit > 0 ? 1 : CeilDiv(span, std::max<int64_t>(1, maxColumns));
        // Columns of a tile, balanced.
        const int64_t columnsPerTile = rowsThatFit > 0 ? span : AlignUp(CeilDiv(span, columnTiles), 16);
        // Elements from row to row of a tile.
        const int64_t tilePitch = AlignUp(columnsPerTile, 32 / dtypeBytes);
        // Elements that rounding up a tile may take.
        const int64_t tileRounding = tilePitch % 256 > 0 ? 255 : 0;
        // Rows of a tile that fit; a part of one row that was cut to fit does.
        const int64_t tileRowsThatFit = std::max<int64_t>(std::min<int64_t>(1, maxColumns),
                                                          std::max<int64_t>(0,
                                                                            freeBits - bitsPerElement * tileRounding) /
                                                          std::max<int64_t>(1,
                                                                            8 * bytesPerRow +
                                                                            bitsPerElement * tilePitch));
        // Most rows of a tile; a repeat covers at most 255.
        const int64_t rowsPerTile = std::min<int64_t>(tileRowsThatFit, std::min<int64_t>(255, coreRows));
        // Elements a tile buffer holds.
        const int64_t tileElements = AlignUp(rowsPerTile * tilePitch, 256);
        return Tile{columnsPerTile, rowsPerTile, tileElements, maxColumns};
    };
    // The tile of whole rows that fits.
    const auto fitWholeRows = [dtypeBytes](int64_t span, int64_t bitsPerElement, int64_t bytesPerRow, int64_t freeBits,
                                           int64_t coreRows) {
        // Elements from row to row of a whole row in UB.
        const int64_t pitch = AlignUp(span, 32 / dtypeBytes);
        // Elements that rounding up a tile of whole rows may take.
        const int64_t rowRounding = pitch % 256 > 0 ? 255 : 0;
        // Whole rows that fit.
        const int64_t rowsThatFit = std::max<int64_t>(0, freeBits - bitsPerElement * rowRounding) /
                                    std::max<int64_t>(1, 8 * bytesPerRow + bitsPerElement * pitch);
        // Columns of one row that fit.
        const int64_t maxColumns = AlignDown(std::max<int64_t>(0, freeBits - 8 * bytesPerRow) /
                                             std::max<int64_t>(1, bitsPerElement), 256);
        // Columns of a tile: rows are whole.
        const int64_t columnsPerTile = span;
        // Elements from row to row of a tile.
        const int64_t tilePitch = pitch;
        // Rows of a tile that fit.
        const int64_t tileRowsThatFit = rowsThatFit;
        // Most rows of a tile; a repeat covers at most 255.
        const int64_t rowsPerTile = std::min<int64_t>(tileRowsThatFit, std::min<int64_t>(255, coreRows));
        // Elements a tile buffer holds.
        const int64_t tileElements = AlignUp(rowsPerTile * tilePitch, 256);
        return Tile{columnsPerTile, rowsPerTile, tileElements, maxColumns};
    };

    // vector1: gradUp, xNorm.
    // Columns of a tile in full.
    const int64_t vector1Columns = H;
    // Columns that are walked at a time.
    const int64_t vector1Span = gradUpL1Columns > 0 ? std::min<int64_t>(gradUpL1Columns, vector1Columns)
                                : vector1Columns;
    // Bits of UB per element of a tile.
    const int64_t vector1BitsPerElement =
        16 * dtypeBytes + // gradMixedQueue
        16 * dtypeBytes + // xQueue
        16 * dtypeBytes + // upQueue
        16 * dtypeBytes + // gradUpQueue
        16 * dtypeBytes + // xNormQueue
        32 * TextGatedResidualGrad::VECTOR1_WORK_SLOTS[tilingKey]; // workBuffer
    // Bytes of UB per row of a tile.
    const int64_t vector1BytesPerRow =
        32; // invRmsQueue
    // Bytes of UB per column of a whole row.
    const int64_t vector1BytesPerColumn =
        (hasGamma ? 4 : 0); // columnBuffer
    // Bytes of UB that do not depend on the tile.
    const int64_t vector1FixedBytes =
        8 * vector1BytesPerRow + // row vectors are rounded up to 8 rows
        AlignUp(vector1Columns, 8) * vector1BytesPerColumn; // vectors over columns
    // Bits of UB left for tiles.
    const int64_t vector1FreeBits = 8 * ubBytes - 8 * vector1FixedBytes;
    // Rows of the fullest core in a block.
    const int64_t vector1CoreRows = gradUpL1Columns > 0
                                    ? std::max<int64_t>(1,
                                                        std::min<int64_t>(16,
                                                                          CeilDiv(std::min<int64_t>(T, blockRows), 2)))
                                    : rowsOfACore;
    const Tile vector1Tile = fitColumns(vector1Span, vector1BitsPerElement, vector1BytesPerRow, vector1FreeBits,
                                        vector1CoreRows);
    tiling->vector1Columns = vector1Columns;
    tiling->vector1RowsPerTile = vector1Tile.rows;
    tiling->vector1ColumnsPerTile = vector1Tile.columns;
    tiling->vector1TileElements = vector1Tile.elements;
    tiling->vector1Channels = C;

    // vector2: factorOfWGate.
    // Columns of a tile in full.
    const int64_t vector2Columns = C;
    // Bits of UB per element of a tile.
    const int64_t vector2BitsPerElement =
        (hasInject ? 16 * dtypeBytes : 0) + // gradInjectQueue
        (hasInject ? 16 * dtypeBytes : 0) + // injectQueue
        (hasInject ? 16 * dtypeBytes : 0) + // factorOfWGateQueue
        (hasInject ? 32 * TextGatedResidualGrad::VECTOR2_WORK_SLOTS[tilingKey] : 0); // workBuffer
    // Bits of UB left for tiles.
    const int64_t vector2FreeBits = 8 * ubBytes;
    const Tile vector2Tile = fitColumns(vector2Columns, vector2BitsPerElement, 0, vector2FreeBits, rowsOfACore);
    tiling->vector2Columns = vector2Columns;
    tiling->vector2RowsPerTile = vector2Tile.rows;
    tiling->vector2ColumnsPerTile = vector2Tile.columns;
    tiling->vector2TileElements = vector2Tile.elements;

    // vector3: act.
    // Columns of a tile in full.
    const int64_t vector3Columns = R;
    // Bits of UB per element of a tile.
    const int64_t vector3BitsPerElement =
        16 * dtypeBytes + // downPreActQueue
        16 * dtypeBytes + // actQueue
        32 * TextGatedResidualGrad::VECTOR3_WORK_SLOTS[tilingKey]; // workBuffer
    // Bits of UB left for tiles.
    const int64_t vector3FreeBits = 8 * ubBytes;
    const Tile vector3Tile = fitColumns(vector3Columns, vector3BitsPerElement, 0, vector3FreeBits, rowsOfACore);
    tiling->vector3Columns = vector3Columns;
    tiling->vector3RowsPerTile = vector3Tile.rows;
    tiling->vector3ColumnsPerTile = vector3Tile.columns;
    tiling->vector3TileElements = vector3Tile.elements;

    // vector4: gradDownPreAct.
    // Columns of a tile in full.
    const int64_t vector4Columns = R;
    // Bits of UB per element of a tile.
    const int64_t vector4BitsPerElement =
        16 * dtypeBytes + // downPreActQueue
        192 + // gradActQueue
        16 * dtypeBytes + // gradDownPreActQueue
        32 * TextGatedResidualGrad::VECTOR4_WORK_SLOTS[tilingKey]; // workBuffer
    // Bytes of UB that do not depend on the tile.
    const int64_t vector4FixedBytes =
        gradActUbTiles; // handedBuffer
    // Bits of UB left for tiles.
    const int64_t vector4FreeBits = 8 * ubBytes - 8 * vector4FixedBytes;
    const Tile vector4Tile = fitColumns(vector4Columns, vector4BitsPerElement, 0, vector4FreeBits, rowsOfACore);
    tiling->vector4Columns = vector4Columns;
    tiling->vector4RowsPerTile = vector4Tile.rows;
    tiling->vector4ColumnsPerTile = vector4Tile.columns;
    tiling->vector4TileElements = vector4Tile.elements;

    // vector5: dx, dgamma.
    // Columns of a tile in full.
    const int64_t vector5Columns = H;
    // Bits of UB per element of a tile.
    const int64_t vector5BitsPerElement =
        16 * dtypeBytes + // gradMixedQueue
        16 * dtypeBytes + // xQueue
        8 * dtypeBytes + // upQueue
        32 + // gradXNormQueue
        16 * dtypeBytes + // dxQueue
        32 * TextGatedResidualGrad::VECTOR5_WORK_SLOTS[tilingKey]; // workBuffer
    // Bytes of UB per row of a tile.
    const int64_t vector5BytesPerRow =
        32 + // invRmsQueue
        192; // rowBuffer
    // Bytes of UB per column of a whole row.
    const int64_t vector5BytesPerColumn =
        (hasGamma ? 8 : 0); // columnBuffer
    // Bytes of UB that do not depend on the tile.
    const int64_t vector5FixedBytes =
        8 * vector5BytesPerRow + // row vectors are rounded up to 8 rows
        AlignUp(vector5Columns, 8) * vector5BytesPerColumn; // vectors over columns
    // Bits of UB left for tiles.
    const int64_t vector5FreeBits = 8 * ubBytes - 8 * vector5FixedBytes;
    const Tile vector5Tile = fitWholeRows(vector5Columns, vector5BitsPerElement, vector5BytesPerRow, vector5FreeBits,
                                          rowsOfACore);
    tiling->vector5Columns = vector5Columns;
    tiling->vector5RowsPerTile = vector5Tile.rows;
    tiling->vector5ColumnsPerTile = vector5Tile.columns;
    tiling->vector5TileElements = vector5Tile.elements;
    tiling->vector5Channels = C;

    // Bytes before gradUp in the workspace.
    const int64_t gradUpOffset = 0;
    tiling->gradUpOffset = gradUpOffset;
    // Bytes before gradDownPreAct in the workspace.
    const int64_t gradDownPreActOffset = AlignUp(C * H * T * dtypeBytes, 512) + gradUpOffset;
    tiling->gradDownPreActOffset = gradDownPreActOffset;
    // Bytes before factorOfWGate in the workspace.
    const int64_t factorOfWGateOffset = AlignUp(R * T * dtypeBytes, 512) + gradDownPreActOffset;
    tiling->factorOfWGateOffset = factorOfWGateOffset;
    // Bytes before xNorm in the workspace.
    const int64_t xNormOffset = AlignUp(C * T * dtypeBytes, 512) + factorOfWGateOffset;
    tiling->xNormOffset = xNormOffset;
    // Bytes before act in the workspace.
    const int64_t actOffset = AlignUp(C * H * T * dtypeBytes, 512) + xNormOffset;
    tiling->actOffset = actOffset;
    // Bytes before gradAct in the workspace.
    const int64_t gradActOffset = actOffset + AlignUp(R * T * dtypeBytes, 512);
    tiling->gradActOffset = gradActOffset;
    // Bytes before gradXNorm in the workspace.
    const int64_t gradXNormOffset = AlignUp(gradActUbTiles > 0 ? 0 : 8 * R * blockRows * gradActParts, 512) +
                                    gradActOffset;
    tiling->gradXNormOffset = gradXNormOffset;
    // Bytes before the partial sums of vector5.
    const int64_t vector5PartialOffset = AlignUp(8 * C * H * blockRows, 512) + gradXNormOffset;
    tiling->vector5PartialOffset = vector5PartialOffset;
    // Bytes before the parts of dwUp.
    const int64_t dwUpPartsOffset = AlignUp(4 * AlignUp(C * H, 8) * coreNum, 512) + vector5PartialOffset;
    tiling->dwUpPartsOffset = dwUpPartsOffset;
    // Bytes before the parts of dwDown.
    const int64_t dwDownPartsOffset = AlignUp(dwUpParts - 1 > 0 ? 4 * C * H * R * dwUpParts : 0, 512) + dwUpPartsOffset;
    tiling->dwDownPartsOffset = dwDownPartsOffset;
    // Bytes before the parts of dwGate.
    const int64_t dwGatePartsOffset = AlignUp(dwDownParts - 1 > 0 ? 4 * C * H * R * dwDownParts : 0, 512) +
                                      dwDownPartsOffset;
    tiling->dwGatePartsOffset = dwGatePartsOffset;
    // Workspace, the system's part included.
    const int64_t workspaceBytes = AlignUp(dwDownParts - 1 > 0 ? 4 * C * C * H * dwDownParts : 0, 512) +
                                   dwGatePartsOffset + 16777216;
    Launch launch;
    launch.blocks = static_cast<uint32_t>(std::max<int64_t>(1, groups));
    launch.tilingKey = static_cast<uint64_t>(tilingKey);
    launch.workspaceBytes = static_cast<size_t>(workspaceBytes);
    return launch;
}

class TextGatedResidualGradKernelTest : public testing::Test {};

TEST_F(TextGatedResidualGradKernelTest, all_options)
{
    const std::string scripts = "../../../../mhc/text_gated_residual_grad/tests/st";
    const std::string data = "./text_gated_residual_grad_data";
    const std::string arguments = " --shape B=1,S=2,C=4,H=16,R=16 --dtype bfloat16";
    ASSERT_EQ(std::system(("python3 " + scripts + "/gen_data.py --out " + data + arguments).c_str()), 0);

    size_t gradMixedBytes = 1 * 2 * 16 * sizeof(uint16_t);
    auto* gradMixed = static_cast<uint8_t*>(AscendC::GmAlloc(gradMixedBytes));
    size_t xBytes = 1 * 2 * 64 * sizeof(uint16_t);
    auto* x = static_cast<uint8_t*>(AscendC::GmAlloc(xBytes));
    size_t wDownBytes = 16 * 64 * sizeof(uint16_t);
    auto* wDown = static_cast<uint8_t*>(AscendC::GmAlloc(wDownBytes));
    size_t wUpBytes = 64 * 16 * sizeof(uint16_t);
    auto* wUp = static_cast<uint8_t*>(AscendC::GmAlloc(wUpBytes));
    size_t invRmsBytes = 1 * 2 * 4 * sizeof(float);
    auto* invRms = static_cast<uint8_t*>(AscendC::GmAlloc(invRmsBytes));
    size_t downPreActBytes = 1 * 2 * 16 * sizeof(uint16_t);
    auto* downPreAct = static_cast<uint8_t*>(AscendC::GmAlloc(downPreActBytes));
    size_t upBytes = 1 * 2 * 64 * sizeof(uint16_t);
    auto* up = static_cast<uint8_t*>(AscendC::GmAlloc(upBytes));
    size_t gradInjectBytes = 1 * 2 * 4 * sizeof(uint16_t);
    auto* gradInject = static_cast<uint8_t*>(AscendC::GmAlloc(gradInjectBytes));
    size_t wGateBytes = 4 * 64 * sizeof(uint16_t);
    auto* wGate = static_cast<uint8_t*>(AscendC::GmAlloc(wGateBytes));
    size_t gammaBytes = 64 * sizeof(float);
    auto* gamma = static_cast<uint8_t*>(AscendC::GmAlloc(gammaBytes));
    size_t injectBytes = 1 * 2 * 4 * sizeof(uint16_t);
    auto* inject = static_cast<uint8_t*>(AscendC::GmAlloc(injectBytes));
    size_t dxBytes = 1 * 2 * 64 * sizeof(uint16_t);
    auto* dx = static_cast<uint8_t*>(AscendC::GmAlloc(dxBytes));
    size_t dwDownBytes = 16 * 64 * sizeof(uint16_t);
    auto* dwDown = static_cast<uint8_t*>(AscendC::GmAlloc(dwDownBytes));
    size_t dwUpBytes = 64 * 16 * sizeof(uint16_t);
    auto* dwUp = static_cast<uint8_t*>(AscendC::GmAlloc(dwUpBytes));
    size_t dwGateBytes = 4 * 64 * sizeof(uint16_t);
    auto* dwGate = static_cast<uint8_t*>(AscendC::GmAlloc(dwGateBytes));
    size_t dgammaBytes = 64 * sizeof(float);
    auto* dgamma = static_cast<uint8_t*>(AscendC::GmAlloc(dgammaBytes));
    auto* tiling = static_cast<uint8_t*>(AscendC::GmAlloc(sizeof(TextGatedResidualGradTilingData)));
    const Launch launch = SetTiling(reinterpret_cast<TextGatedResidualGradTilingData*>(tiling));
    auto* workspace = static_cast<uint8_t*>(AscendC::GmAlloc(std::max(launch.workspaceBytes, SYSTEM_WORKSPACE)));
    ASSERT_TRUE(ReadFile(data + "/grad_mixed.bin", gradMixedBytes, gradMixed, gradMixedBytes));
    ASSERT_TRUE(ReadFile(data + "/x.bin", xBytes, x, xBytes));
    ASSERT_TRUE(ReadFile(data + "/w_down.bin", wDownBytes, wDown, wDownBytes));
    ASSERT_TRUE(ReadFile(data + "/w_up.bin", wUpBytes, wUp, wUpBytes));
    ASSERT_TRUE(ReadFile(data + "/inv_rms.bin", invRmsBytes, invRms, invRmsBytes));
    ASSERT_TRUE(ReadFile(data + "/down_pre_act.bin", downPreActBytes, downPreAct, downPreActBytes));
    ASSERT_TRUE(ReadFile(data + "/up.bin", upBytes, up, upBytes));
    ASSERT_TRUE(ReadFile(data + "/grad_inject.bin", gradInjectBytes, gradInject, gradInjectBytes));
    ASSERT_TRUE(ReadFile(data + "/w_gate.bin", wGateBytes, wGate, wGateBytes));
    ASSERT_TRUE(ReadFile(data + "/gamma.bin", gammaBytes, gamma, gammaBytes));
    ASSERT_TRUE(ReadFile(data + "/inject.bin", injectBytes, inject, injectBytes));

    ICPU_SET_TILING_KEY(launch.tilingKey);
    AscendC::SetKernelMode(KernelMode::MIX_MODE);
    ICPU_RUN_KF(text_gated_residual_grad, launch.blocks, gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject,
                wGate, gamma, inject, dx, dwDown, dwUp, dwGate, dgamma, workspace, tiling);

    ASSERT_TRUE(WriteFile(data + "/dx.bin", dx, dxBytes));
    ASSERT_TRUE(WriteFile(data + "/dw_down.bin", dwDown, dwDownBytes));
    ASSERT_TRUE(WriteFile(data + "/dw_up.bin", dwUp, dwUpBytes));
    ASSERT_TRUE(WriteFile(data + "/dw_gate.bin", dwGate, dwGateBytes));
    ASSERT_TRUE(WriteFile(data + "/dgamma.bin", dgamma, dgammaBytes));
    AscendC::GmFree(gradMixed);
    AscendC::GmFree(x);
    AscendC::GmFree(wDown);
    AscendC::GmFree(wUp);
    AscendC::GmFree(invRms);
    AscendC::GmFree(downPreAct);
    AscendC::GmFree(up);
    AscendC::GmFree(gradInject);
    AscendC::GmFree(wGate);
    AscendC::GmFree(gamma);
    AscendC::GmFree(inject);
    AscendC::GmFree(dx);
    AscendC::GmFree(dwDown);
    AscendC::GmFree(dwUp);
    AscendC::GmFree(dwGate);
    AscendC::GmFree(dgamma);
    AscendC::GmFree(workspace);
    AscendC::GmFree(tiling);
    EXPECT_EQ(std::system(("python3 " + scripts + "/compare.py " + data).c_str()), 0);
}
} // namespace
