// Made by ascgrad 0.1.0 from RowNormGrad for ascend950.

/*!
 * \file row_norm_grad_tiling.cpp
 * \brief Host tiling of RowNormGrad: checks shapes and attributes, then computes what the kernel needs.
 */

#include <algorithm>
#include <cstdint>
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "row_norm_grad_tiling_check.h"
#include "row_norm_grad_tiling_math.h"
#include "../op_kernel/row_norm_grad_tiling_data.h"

namespace optiling {
namespace {
using namespace row_norm_grad;

// Positions in the operator definition. An absent optional tensor has one, too.
constexpr size_t INPUT_GRAD_Y = 0;
constexpr size_t INPUT_X = 1;
constexpr size_t OUTPUT_GRAD_X = 0;
constexpr size_t ATTR_EPS = 0;

struct RowNormGradCompileInfo {};

// What one call asks for. The shape of an absent tensor is null.
struct Request {
    const gert::Shape* gradY = nullptr;
    const gert::Shape* x = nullptr;
    const gert::Shape* gradX = nullptr;
    float eps = 1e-06f;
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
    request.x = ShapeOf(context->GetRequiredInputShape(INPUT_X));
    request.gradX = OutputShape(context, OUTPUT_GRAD_X);
    const auto* attributes = context->GetAttrs();
    const auto* eps = attributes == nullptr ? nullptr : attributes->GetFloat(ATTR_EPS);
    request.eps = eps == nullptr ? request.eps : *eps;
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
    // Refused when eps is not above 0 (NaN included).
    if (!IsAccepted(context, "eps", request.eps, request.eps > 0, "a value above 0")) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the rank of a tensor is not supported.
    if (!HasRank(context, "grad_y", *request.gradY, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "x", *request.x, 1, 8)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the leading dimensions of x are not those of gradY.
    if (!CountRows(context, "grad_y", *request.gradY, 1, request.T)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRowsOf(context, "x", *request.x, 1, "grad_y", *request.gradY, 1)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the last dimension of x is not H.
    request.H = DimFromEnd(*request.gradY, 1);
    if (!HasDim(context, "x", *request.x, 1, request.H, "H")) {
        return ge::GRAPH_FAILED;
    }
    // Refused when H is outside [1, 4096].
    if (!IsWithin(context, "grad_y", *request.gradY, "H", request.H, 1, 4096)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the shape of gradX is not that of x.
    if (!HasShapeOf(context, "grad_x", *request.gradX, "x", *request.x)) {
        return ge::GRAPH_FAILED;
    }
    // Refused when the number of bytes of a tensor exceeds what INT64 holds.
    if (!FitsMemory(context, "grad_y", *request.gradY, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "x", *request.x, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    return ge::GRAPH_SUCCESS;
}

// Ascend 950PR/Ascend 950DT.
ge::graphStatus SetTiling(gert::TilingContext* context, const Request& request,
                          const platform_ascendc::PlatformAscendC& platform)
{
    auto* tiling = context->GetTilingData<RowNormGradTilingData>();
    size_t* workspaces = context->GetWorkspaceSizes(1);
    if (tiling == nullptr || workspaces == nullptr) {
        OP_LOGE(context, "tiling data: got no room, wants %zu bytes and one workspace", sizeof(RowNormGradTilingData));
        return ge::GRAPH_FAILED;
    }
    uint64_t ubSize = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
    const int64_t ubBytes = static_cast<int64_t>(ubSize);
    const int64_t coreNum = static_cast<int64_t>(platform.GetCoreNumAiv());
    const int64_t dtypeBytes = request.dtypeBytes;
    const int64_t T = request.T;
    const int64_t H = request.H;
    const float eps = request.eps;

    *tiling = RowNormGradTilingData{};
    // One bit per option that changes the computation.
    const int64_t tilingKey = 0;
    // Columns of a tile in full.
    const int64_t columns = H;
    // Vector cores.
    const int64_t blockDim = std::max<int64_t>(1, std::min<int64_t>(T, coreNum));
    // Bits of UB per element of a tile.
    const int64_t bitsPerElement =
        16 * dtypeBytes + // gradYQueue
        16 * dtypeBytes + // xQueue
        16 * dtypeBytes + // gradXQueue
        32 * RowNormGrad::WORK_SLOTS[tilingKey][dtypeBytes == 4 ? 1 : 0]; // workBuffer
    // Bytes of UB per row of a tile.
    const int64_t bytesPerRow =
        36 + // rowBuffer
        64; // blockBuffer
    // Bytes of UB per column of a whole row.
    const int64_t bytesPerColumn = 0;
    // Bytes of UB that do not depend on the tile.
    const int64_t fixedBytes =
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
    // Columns of a tile: rows are whole.
    const int64_t columnsPerTile = columns;
    // Elements from row to row of a tile.
    const int64_t tilePitch = pitch;
    // Rows of a tile that fit.
    const int64_t tileRowsThatFit = rowsThatFit;
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
                "H: got %ld, wants at most %ld: a whole row must fit the %ld bytes of the unified buffer",
                columns, maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
    tiling->columns = columns;
    tiling->rowsPerTile = rowsPerTile;
    tiling->columnsPerTile = columnsPerTile;
    tiling->tileElements = tileElements;
    tiling->totalRows = T;
    tiling->eps = eps;
    tiling->padding = 0.0f;

    // An empty tensor is launched, too, with nothing to do.
    context->SetBlockDim(static_cast<uint32_t>(std::max<int64_t>(1, blockDim)));
    context->SetTilingKey(tilingKey);
    context->SetScheduleMode(0);
    workspaces[0] = workspaceBytes;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingRowNormGrad(gert::TilingContext* context)
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

ge::graphStatus ParseRowNormGrad([[maybe_unused]] gert::TilingParseContext* context) { return ge::GRAPH_SUCCESS; }
} // namespace

IMPL_OP_OPTILING(RowNormGrad).Tiling(TilingRowNormGrad).TilingParse<RowNormGradCompileInfo>(ParseRowNormGrad);
} // namespace optiling
