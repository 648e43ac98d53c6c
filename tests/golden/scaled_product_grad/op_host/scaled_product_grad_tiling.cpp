// Made by ascgrad 0.1.0 from ScaledProductGrad for ascend950.

/*!
 * \file scaled_product_grad_tiling.cpp
 * \brief Host tiling of ScaledProductGrad: checks shapes and attributes, then computes what the kernel needs.
 */

#include <algorithm>
#include <cstdint>
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "scaled_product_grad_tiling_check.h"
#include "scaled_product_grad_tiling_math.h"
#include "../op_kernel/scaled_product_grad_tiling_data.h"

namespace optiling {
namespace {
using namespace scaled_product_grad;

// Positions in the operator definition. An absent optional tensor has one, too.
constexpr size_t INPUT_GRAD_Y = 0;
constexpr size_t INPUT_A = 1;
constexpr size_t INPUT_B = 2;
constexpr size_t INPUT_ROW_SCALE = 3;
constexpr size_t INPUT_COLUMN_SCALE = 4;
constexpr size_t OUTPUT_GRAD_A = 0;
constexpr size_t OUTPUT_GRAD_B = 1;
constexpr size_t OUTPUT_GRAD_ROW_SCALE = 2;
constexpr size_t OUTPUT_GRAD_COLUMN_SCALE = 3;

struct ScaledProductGradCompileInfo {};

// What one call asks for. The shape of an absent tensor is null.
struct Request {
    const gert::Shape* gradY = nullptr;
    const gert::Shape* a = nullptr;
    const gert::Shape* b = nullptr;
    const gert::Shape* rowScale = nullptr;
    const gert::Shape* columnScale = nullptr;
    const gert::Shape* gradA = nullptr;
    const gert::Shape* gradB = nullptr;
    const gert::Shape* gradRowScale = nullptr;
    const gert::Shape* gradColumnScale = nullptr;
    // Bytes of one element of grad_y.
    int64_t dtypeBytes = 0;
    // The product of the leading dimensions.
    int64_t T = 0;
    int64_t H = 0;
};

const gert::Shape* ShapeOf(const gert::StorageShape* shape)
{
    return shape == nullptr ? nullptr : &shape->GetStorageShape();
}

// The shape of an output of the definition; null when the caller leaves it out, which moves later outputs forward.
const gert::Shape* OutputShape(const gert::TilingContext* context, size_t index)
{
    const auto* instance = context->GetIrOutputInstanceInfo(index);
    if (instance == nullptr) {
        return ShapeOf(context->GetOutputShape(index));
    }
    return instance->GetInstanceNum() == 0 ? nullptr : ShapeOf(context->GetOutputShape(instance->GetInstanceStart()));
}

ge::graphStatus ReadRequest(const gert::TilingContext* context, Request& request)
{
    request.gradY = ShapeOf(context->GetRequiredInputShape(INPUT_GRAD_Y));
    request.a = ShapeOf(context->GetRequiredInputShape(INPUT_A));
    request.b = ShapeOf(context->GetRequiredInputShape(INPUT_B));
    request.rowScale = ShapeOf(context->GetRequiredInputShape(INPUT_ROW_SCALE));
    request.columnScale = ShapeOf(context->GetRequiredInputShape(INPUT_COLUMN_SCALE));
    request.gradA = OutputShape(context, OUTPUT_GRAD_A);
    request.gradB = OutputShape(context, OUTPUT_GRAD_B);
    request.gradRowScale = OutputShape(context, OUTPUT_GRAD_ROW_SCALE);
    request.gradColumnScale = OutputShape(context, OUTPUT_GRAD_COLUMN_SCALE);
    const auto* desc = context->GetRequiredInputDesc(INPUT_GRAD_Y);
    if (desc == nullptr) {
        OP_LOGE(context, "grad_y: got no tensor, wants one");
        return ge::GRAPH_FAILED;
    }
    request.dtypeBytes = ge::GetSizeByDataType(desc->GetDataType());
    return ge::GRAPH_SUCCESS;
}

// Refuses what the kernel does not serve, and reads the sizes from the shapes.
ge::graphStatus CheckRequest(const gert::TilingContext* context, Request& request)
{
    if (!IsGiven(context, "grad_y", request.gradY)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "a", request.a)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "b", request.b)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "row_scale", request.rowScale)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "column_scale", request.columnScale)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "grad_a", request.gradA)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "grad_b", request.gradB)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "grad_row_scale", request.gradRowScale)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "grad_column_scale", request.gradColumnScale)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the rank of a tensor is not supported.
    if (!HasRank(context, "grad_y", *request.gradY, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "a", *request.a, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "b", *request.b, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "row_scale", *request.rowScale, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "column_scale", *request.columnScale, 1, 1)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the leading dimensions of a or b are not those of gradY.
    if (!CountRows(context, "grad_y", *request.gradY, 1, request.T)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRowsOf(context, "a", *request.a, 1, "grad_y", *request.gradY, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRowsOf(context, "b", *request.b, 1, "grad_y", *request.gradY, 1)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the last dimension of a is not H; the last dimension of b is not H; the last dimension of
    // columnScale is not H.
    request.H = DimFromEnd(*request.gradY, 1);
    if (!HasDim(context, "a", *request.a, 1, request.H, "H")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "b", *request.b, 1, request.H, "H")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "column_scale", *request.columnScale, 1, request.H, "H")) {
        return ge::GRAPH_FAILED;
    }
    // Refused when H is 0.
    if (!IsPositive(context, "grad_y", *request.gradY, "H", request.H)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the number of elements of rowScale is not the product of the leading dimensions of gradY.
    if (!HasElements(context, "row_scale", *request.rowScale, request.T, "T")) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the shape of gradA is not that of a; the shape of gradB is not that of b; the shape of gradRowScale
    // is not that of rowScale; the shape of gradColumnScale is not that of columnScale.
    if (!HasShapeOf(context, "grad_a", *request.gradA, "a", *request.a)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasShapeOf(context, "grad_b", *request.gradB, "b", *request.b)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasShapeOf(context, "grad_row_scale", *request.gradRowScale, "row_scale", *request.rowScale)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasShapeOf(context, "grad_column_scale", *request.gradColumnScale, "column_scale", *request.columnScale)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the number of bytes of a tensor exceeds what INT64 holds.
    if (!FitsMemory(context, "grad_y", *request.gradY, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "a", *request.a, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "b", *request.b, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    return ge::GRAPH_SUCCESS;
}

// Ascend 950PR/Ascend 950DT.
ge::graphStatus SetTiling(gert::TilingContext* context, const Request& request,
                          const platform_ascendc::PlatformAscendC& platform)
{
    auto* tiling = context->GetTilingData<ScaledProductGradTilingData>();
    size_t* workspaces = context->GetWorkspaceSizes(1);
    if (tiling == nullptr || workspaces == nullptr) {
        OP_LOGE(context, "tiling data: got no room, wants %zu bytes and one workspace",
                sizeof(ScaledProductGradTilingData));
        return ge::GRAPH_FAILED;
    }
    uint64_t ubSize = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
    const int64_t ubBytes = static_cast<int64_t>(ubSize);
    const int64_t coreNum = static_cast<int64_t>(platform.GetCoreNumAiv());
    const int64_t dtypeBytes = request.dtypeBytes;
    const int64_t T = request.T;
    const int64_t H = request.H;

    *tiling = ScaledProductGradTilingData{};
    // One bit per option that changes the computation.
    const int64_t tilingKey = 0;
    // Columns of a tile in full.
    const int64_t columns = H;
    // Vector cores.
    const int64_t blockDim = std::max<int64_t>(1, std::min<int64_t>(T, coreNum));
    // Bits of UB per element of a tile.
    const int64_t bitsPerElement =
        16 * dtypeBytes + // gradYQueue
        16 * dtypeBytes + // aQueue
        16 * dtypeBytes + // bQueue
        16 * dtypeBytes + // gradAQueue
        16 * dtypeBytes + // gradBQueue
        32 * ScaledProductGrad::WORK_SLOTS[tilingKey][dtypeBytes == 4 ? 1 : 0]; // workBuffer
    // Bytes of UB per row of a tile.
    const int64_t bytesPerRow =
        4 + // rowScaleQueue
        8 + // gradRowScaleQueue
        8 + // rowBuffer
        32; // blockBuffer
    // Bytes of UB per column of a whole row.
    const int64_t bytesPerColumn =
        8; // columnBuffer
    // Bytes of UB that do not depend on the tile.
    const int64_t fixedBytes =
        256 * blockDim + 256 + // partialBuffer
        8 * bytesPerRow + // row vectors are rounded up to 8 rows
        AlignUp(columns, 8) * bytesPerColumn; // vectors over columns
    // Bits of UB left for tiles.
    const int64_t freeBits = 8 * ubBytes - 8 * fixedBytes;
    // Elements from row to row of a whole row in UB.
    const int64_t pitch = AlignUp(columns, 32 / dtypeBytes);
    // Elements that rounding up a tile of whole rows may take.
    const int64_t rowRounding = pitch % 256 > 0 ? 255 : 0;
    // Whole rows that fit.
    const int64_t rowsThatFit = std::max<int64_t>(0, freeBits - bitsPerElement * rowRounding) /
                                (8 * bytesPerRow + bitsPerElement * pitch);
    // Columns of one row that fit.
    const int64_t maxColumns = AlignDown(std::max<int64_t>(0, freeBits - 8 * bytesPerRow) / bitsPerElement, 256);
    // Tiles along a row.
    const int64_t columnTiles = rowsThatFit > 0 ? 1 : CeilDiv(columns, std::max<int64_t>(1, maxColumns));
    // Columns of a tile, balanced.
    const int64_t columnsPerTile = rowsThatFit > 0 ? columns : AlignUp(CeilDiv(columns, columnTiles), 16);
    // Elements from row to row of a tile.
    const int64_t tilePitch = AlignUp(columnsPerTile, 32 / dtypeBytes);
    // Elements that rounding up a tile may take.
    const int64_t tileRounding = tilePitch % 256 > 0 ? 255 : 0;
    // Rows of a tile that fit; a part of one row that was cut to fit does.
    const int64_t tileRowsThatFit = std::max<int64_t>(std::min<int64_t>(1, maxColumns),
                                                      std::max<int64_t>(0, freeBits - bitsPerElement * tileRounding) /
                                                      (8 * bytesPerRow + bitsPerElement * tilePitch));
    // Rows of the fullest core.
    const int64_t rowsOfACore = std::max<int64_t>(1, CeilDiv(T, blockDim));
    // Most rows of a tile; a repeat covers at most 255.
    const int64_t rowsPerTile = std::min<int64_t>(tileRowsThatFit, std::min<int64_t>(255, rowsOfACore));
    // Elements a tile buffer holds.
    const int64_t tileElements = AlignUp(rowsPerTile * tilePitch, 256);
    // Workspace.
    const int64_t workspaceBytes = 4 * AlignUp(columns, 8) * blockDim + 16777216;
    if (rowsPerTile < 1) {
        OP_LOGE(context,
                "H: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                columns, maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
    tiling->columns = columns;
    tiling->rowsPerTile = rowsPerTile;
    tiling->columnsPerTile = columnsPerTile;
    tiling->tileElements = tileElements;
    tiling->totalRows = T;

    // An empty tensor is launched, too, with nothing to do but to write the zeros of a sum over rows.
    context->SetBlockDim(static_cast<uint32_t>(std::max<int64_t>(1, blockDim)));
    context->SetTilingKey(tilingKey);
    context->SetScheduleMode(1); // all blocks start together: the kernel synchronises them
    workspaces[0] = workspaceBytes;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingScaledProductGrad(gert::TilingContext* context)
{
    Request request;
    if (ReadRequest(context, request) != ge::GRAPH_SUCCESS || CheckRequest(context, request) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    if (context->GetPlatformInfo() == nullptr) {
        OP_LOGE(context, "platform: got no information, wants that of the device");
        return ge::GRAPH_FAILED;
    }
    const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    return SetTiling(context, request, platform);
}

ge::graphStatus ParseScaledProductGrad([[maybe_unused]] gert::TilingParseContext* context) { return ge::GRAPH_SUCCESS; }
} // namespace

IMPL_OP_OPTILING(ScaledProductGrad)
    .Tiling(TilingScaledProductGrad)
    .TilingParse<ScaledProductGradCompileInfo>(ParseScaledProductGrad);
} // namespace optiling
