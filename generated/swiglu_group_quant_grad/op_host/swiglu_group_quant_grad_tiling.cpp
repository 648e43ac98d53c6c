// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file swiglu_group_quant_grad_tiling.cpp
 * \brief Host tiling of SwigluGroupQuantGrad: checks shapes and attributes, then computes what the kernel needs.
 */

#include <algorithm>
#include <cstdint>
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "swiglu_group_quant_grad_tiling_check.h"
#include "swiglu_group_quant_grad_tiling_math.h"
#include "../op_kernel/swiglu_group_quant_grad_tiling_data.h"

namespace optiling {
namespace {
using namespace swiglu_group_quant_grad;

// Positions in the operator definition. An absent optional tensor has one, too.
constexpr size_t INPUT_GRAD_Y = 0;
constexpr size_t INPUT_X = 1;
constexpr size_t INPUT_WEIGHT = 2;
constexpr size_t INPUT_Y_ORIGIN = 3;
constexpr size_t INPUT_GROUP_INDEX = 4;
constexpr size_t OUTPUT_GRAD_X = 0;
constexpr size_t OUTPUT_GRAD_WEIGHT = 1;
constexpr size_t ATTR_CLAMP_LIMIT = 0;

struct SwigluGroupQuantGradCompileInfo {};

// What one call asks for. The shape of an absent tensor is null.
struct Request {
    const gert::Shape* gradY = nullptr;
    const gert::Shape* x = nullptr;
    const gert::Shape* weight = nullptr;
    const gert::Shape* yOrigin = nullptr;
    const gert::Shape* groupIndex = nullptr;
    const gert::Shape* gradX = nullptr;
    const gert::Shape* gradWeight = nullptr;
    float clampLimit = -1.0f;
    // Bytes of one element of grad_y.
    int64_t dtypeBytes = 0;
    // The product of the leading dimensions.
    int64_t T = 0;
    int64_t H = 0;
    int64_t G = 0;
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
    request.x = ShapeOf(context->GetRequiredInputShape(INPUT_X));
    request.weight = ShapeOf(context->GetOptionalInputShape(INPUT_WEIGHT));
    request.yOrigin = ShapeOf(context->GetOptionalInputShape(INPUT_Y_ORIGIN));
    request.groupIndex = ShapeOf(context->GetOptionalInputShape(INPUT_GROUP_INDEX));
    request.gradX = OutputShape(context, OUTPUT_GRAD_X);
    request.gradWeight = OutputShape(context, OUTPUT_GRAD_WEIGHT);
    if (request.weight == nullptr) { // without weight the rest of the option is ignored
        request.yOrigin = nullptr;
        request.gradWeight = nullptr;
    }
    const auto* attributes = context->GetAttrs();
    const auto* clampLimit = attributes == nullptr ? nullptr : attributes->GetFloat(ATTR_CLAMP_LIMIT);
    request.clampLimit = clampLimit == nullptr ? request.clampLimit : *clampLimit;
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
    if (!IsGiven(context, "x", request.x)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "grad_x", request.gradX)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when clampLimit is neither -1.0 nor above 0 (NaN included).
    if (!IsAccepted(context, "clamp_limit", request.clampLimit, request.clampLimit == -1.0f || request.clampLimit > 0,
                    "-1.0 or a value above 0")) {
        return ge::GRAPH_FAILED;
    }
    // Refused when weight is supplied without yOrigin.
    if (request.weight != nullptr && !IsGiven(context, "y_origin", request.yOrigin, "weight")) {
        return ge::GRAPH_FAILED;
    }
    if (request.weight != nullptr && !IsGiven(context, "grad_weight", request.gradWeight, "weight")) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the rank of a tensor is not supported.
    if (!HasRank(context, "grad_y", *request.gradY, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "x", *request.x, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (request.weight != nullptr && !HasRank(context, "weight", *request.weight, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (request.yOrigin != nullptr && !HasRank(context, "y_origin", *request.yOrigin, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (request.groupIndex != nullptr && !HasRank(context, "group_index", *request.groupIndex, 1, 1)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the leading dimensions of x or yOrigin are not those of gradY.
    if (!CountRows(context, "grad_y", *request.gradY, 1, request.T)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRowsOf(context, "x", *request.x, 1, "grad_y", *request.gradY, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (request.yOrigin != nullptr &&
        !HasRowsOf(context, "y_origin", *request.yOrigin, 1, "grad_y", *request.gradY, 1)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the last dimension of x is not 2*H; the last dimension of yOrigin is not H.
    request.H = DimFromEnd(*request.gradY, 1);
    request.G = request.groupIndex == nullptr ? 0 : DimFromEnd(*request.groupIndex, 1);
    if (!HasDim(context, "x", *request.x, 1, Product({2, request.H}), "2 * H")) {
        return ge::GRAPH_FAILED;
    }
    if (request.yOrigin != nullptr && !HasDim(context, "y_origin", *request.yOrigin, 1, request.H, "H")) {
        return ge::GRAPH_FAILED;
    }
    // Refused when H is 0.
    if (!IsPositive(context, "grad_y", *request.gradY, "H", request.H)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the number of elements of weight is not the product of the leading dimensions of gradY.
    if (request.weight != nullptr && !HasElements(context, "weight", *request.weight, request.T, "T")) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the shape of gradX is not that of x; the shape of gradWeight is not that of weight.
    if (!HasShapeOf(context, "grad_x", *request.gradX, "x", *request.x)) {
        return ge::GRAPH_FAILED;
    }
    if (request.gradWeight != nullptr && request.weight != nullptr &&
        !HasShapeOf(context, "grad_weight", *request.gradWeight, "weight", *request.weight)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the number of bytes of a tensor exceeds what INT64 holds.
    if (!FitsMemory(context, "grad_y", *request.gradY, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "x", *request.x, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (request.yOrigin != nullptr && !FitsMemory(context, "y_origin", *request.yOrigin, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    return ge::GRAPH_SUCCESS;
}

// Ascend 950PR/Ascend 950DT.
ge::graphStatus SetTiling(gert::TilingContext* context, const Request& request,
                          const platform_ascendc::PlatformAscendC& platform)
{
    auto* tiling = context->GetTilingData<SwigluGroupQuantGradTilingData>();
    size_t* workspaces = context->GetWorkspaceSizes(1);
    if (tiling == nullptr || workspaces == nullptr) {
        OP_LOGE(context, "tiling data: got no room, wants %zu bytes and one workspace",
                sizeof(SwigluGroupQuantGradTilingData));
        return ge::GRAPH_FAILED;
    }
    uint64_t ubSize = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
    const int64_t ubBytes = static_cast<int64_t>(ubSize);
    const int64_t coreNum = static_cast<int64_t>(platform.GetCoreNumAiv());
    const int64_t dtypeBytes = request.dtypeBytes;
    const int64_t T = request.T;
    const int64_t H = request.H;
    const int64_t G = request.G;
    const bool hasWeight = request.weight != nullptr;
    const bool hasGroupIndex = request.groupIndex != nullptr;
    const bool hasClamp = request.clampLimit != -1.0f;
    const float clampLimit = request.clampLimit;

    *tiling = SwigluGroupQuantGradTilingData{};
    // One bit per option that changes the computation.
    const int64_t tilingKey = 2 * hasClamp + hasWeight;
    // Columns of a tile in full.
    const int64_t columns = H;
    // Vector cores.
    const int64_t blockDim = std::max<int64_t>(1, std::min<int64_t>(T, coreNum));
    // Bits of UB per element of a tile.
    const int64_t bitsPerElement =
        16 * dtypeBytes + // gradYQueue
        32 * dtypeBytes + // xQueue
        (hasWeight ? 16 * dtypeBytes : 0) + // yOriginQueue
        32 * dtypeBytes + // gradXQueue
        32 * SwigluGroupQuantGrad::WORK_SLOTS[tilingKey][dtypeBytes == 4 ? 1 : 0] + // workBuffer
        (hasClamp ? SwigluGroupQuantGrad::MASK_SLOTS[tilingKey][dtypeBytes == 4 ? 1 : 0] : 0); // maskBuffer
    // Bytes of UB per row of a tile.
    const int64_t bytesPerRow =
        (hasWeight ? 8 : 0) + // weightQueue
        (hasWeight ? 8 : 0) + // gradWeightQueue
        (hasWeight ? 8 : 0) + // rowBuffer
        (hasWeight ? 32 : 0); // blockBuffer
    // Bytes of UB per column of a whole row.
    const int64_t bytesPerColumn = 0;
    // Bytes of UB that do not depend on the tile.
    const int64_t fixedBytes =
        2048 + // countBuffer
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
    const int64_t workspaceBytes = 0;
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
    tiling->groups = hasGroupIndex ? G : -1;
    tiling->clampLimit = clampLimit;
    tiling->padding = 0.0f;

    // An empty tensor is launched, too, with nothing to do.
    context->SetBlockDim(static_cast<uint32_t>(std::max<int64_t>(1, blockDim)));
    context->SetTilingKey(tilingKey);
    context->SetScheduleMode(0);
    workspaces[0] = workspaceBytes;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingSwigluGroupQuantGrad(gert::TilingContext* context)
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

ge::graphStatus ParseSwigluGroupQuantGrad([[maybe_unused]] gert::TilingParseContext* context)
{
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_OPTILING(SwigluGroupQuantGrad)
    .Tiling(TilingSwigluGroupQuantGrad)
    .TilingParse<SwigluGroupQuantGradCompileInfo>(ParseSwigluGroupQuantGrad);
} // namespace optiling
