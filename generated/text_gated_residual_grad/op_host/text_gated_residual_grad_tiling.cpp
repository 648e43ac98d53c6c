// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_tiling.cpp
 * \brief Host tiling of TextGatedResidualGrad: checks shapes and attributes, then computes what the kernel needs.
 */

#include <algorithm>
#include <cstdint>
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "text_gated_residual_grad_tiling_check.h"
#include "text_gated_residual_grad_tiling_math.h"
#include "../op_kernel/text_gated_residual_grad_tiling_data.h"

namespace optiling {
namespace {
using namespace text_gated_residual_grad;

// Positions in the operator definition. An absent optional tensor has one, too.
constexpr size_t INPUT_GRAD_MIXED = 0;
constexpr size_t INPUT_X = 1;
constexpr size_t INPUT_W_DOWN = 2;
constexpr size_t INPUT_W_UP = 3;
constexpr size_t INPUT_INV_RMS = 4;
constexpr size_t INPUT_DOWN_PRE_ACT = 5;
constexpr size_t INPUT_UP = 6;
constexpr size_t INPUT_GRAD_INJECT = 7;
constexpr size_t INPUT_W_GATE = 8;
constexpr size_t INPUT_GAMMA = 9;
constexpr size_t INPUT_INJECT = 10;
constexpr size_t OUTPUT_DX = 0;
constexpr size_t OUTPUT_DW_DOWN = 1;
constexpr size_t OUTPUT_DW_UP = 2;
constexpr size_t OUTPUT_DW_GATE = 3;
constexpr size_t OUTPUT_DGAMMA = 4;
constexpr size_t ATTR_CHANNELS = 0;

struct TextGatedResidualGradCompileInfo {};

// What one call asks for. The shape of an absent tensor is null.
struct Request {
    const gert::Shape* gradMixed = nullptr;
    const gert::Shape* x = nullptr;
    const gert::Shape* wDown = nullptr;
    const gert::Shape* wUp = nullptr;
    const gert::Shape* invRms = nullptr;
    const gert::Shape* downPreAct = nullptr;
    const gert::Shape* up = nullptr;
    const gert::Shape* gradInject = nullptr;
    const gert::Shape* wGate = nullptr;
    const gert::Shape* gamma = nullptr;
    const gert::Shape* inject = nullptr;
    const gert::Shape* dx = nullptr;
    const gert::Shape* dwDown = nullptr;
    const gert::Shape* dwUp = nullptr;
    const gert::Shape* dwGate = nullptr;
    const gert::Shape* dgamma = nullptr;
    int64_t channels = 0;
    // Bytes of one element of grad_mixed.
    int64_t dtypeBytes = 0;
    // The product of the leading dimensions.
    int64_t T = 0;
    int64_t H = 0;
    int64_t C = 0;
    int64_t R = 0;
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
    request.gradMixed = ShapeOf(context->GetRequiredInputShape(INPUT_GRAD_MIXED));
    request.x = ShapeOf(context->GetRequiredInputShape(INPUT_X));
    request.wDown = ShapeOf(context->GetRequiredInputShape(INPUT_W_DOWN));
    request.wUp = ShapeOf(context->GetRequiredInputShape(INPUT_W_UP));
    request.invRms = ShapeOf(context->GetRequiredInputShape(INPUT_INV_RMS));
    request.downPreAct = ShapeOf(context->GetRequiredInputShape(INPUT_DOWN_PRE_ACT));
    request.up = ShapeOf(context->GetRequiredInputShape(INPUT_UP));
    request.gradInject = ShapeOf(context->GetOptionalInputShape(INPUT_GRAD_INJECT));
    request.wGate = ShapeOf(context->GetOptionalInputShape(INPUT_W_GATE));
    request.gamma = ShapeOf(context->GetOptionalInputShape(INPUT_GAMMA));
    request.inject = ShapeOf(context->GetOptionalInputShape(INPUT_INJECT));
    request.dx = OutputShape(context, OUTPUT_DX);
    request.dwDown = OutputShape(context, OUTPUT_DW_DOWN);
    request.dwUp = OutputShape(context, OUTPUT_DW_UP);
    request.dwGate = OutputShape(context, OUTPUT_DW_GATE);
    request.dgamma = OutputShape(context, OUTPUT_DGAMMA);
    const auto* attributes = context->GetAttrs();
    const auto* channels = attributes == nullptr ? nullptr : attributes->GetInt(ATTR_CHANNELS);
    request.channels = channels == nullptr ? request.channels : *channels;
    const auto* desc = context->GetRequiredInputDesc(INPUT_GRAD_MIXED);
    if (desc == nullptr) {
        OP_LOGE(context, "grad_mixed: got no tensor, wants one");
        return ge::GRAPH_FAILED;
    }
    request.dtypeBytes = ge::GetSizeByDataType(desc->GetDataType());
    return ge::GRAPH_SUCCESS;
}

// K of the specification on the product that runs.
int64_t KOfProduct(const gert::TilingContext* context, const Request& request)
{
    const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    switch (platform.GetSocVersion()) {
        case platform_ascendc::SocVersion::ASCEND950:
            return 62448 - 16 * CeilDiv(request.C, 8);
        case platform_ascendc::SocVersion::ASCEND910B:
            return 39664 - 16 * CeilDiv(request.C, 8);
        default: // no product of the documents
            return -1;
    }
}

// Refuses what the kernel does not serve, and reads the sizes from the shapes.
ge::graphStatus CheckRequest(const gert::TilingContext* context, Request& request)
{
    if (!IsGiven(context, "grad_mixed", request.gradMixed)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "x", request.x)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "w_down", request.wDown)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "w_up", request.wUp)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "inv_rms", request.invRms)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "down_pre_act", request.downPreAct)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "up", request.up)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "dx", request.dx)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "dw_down", request.dwDown)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGiven(context, "dw_up", request.dwUp)) {
        return ge::GRAPH_FAILED;
    }
    request.C = request.channels;
    if (!IsInRange(context, "channels", request.channels, 1, 20)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGivenWith(context, "grad_inject", request.gradInject, "w_gate", request.wGate)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGivenWith(context, "inject", request.inject, "w_gate", request.wGate)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGivenWith(context, "dw_gate", request.dwGate, "w_gate", request.wGate)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsGivenWith(context, "dgamma", request.dgamma, "gamma", request.gamma)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "grad_mixed", *request.gradMixed, 3, 3)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "x", *request.x, 3, 3)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "w_down", *request.wDown, 2, 2)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "w_up", *request.wUp, 2, 2)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "inv_rms", *request.invRms, 3, 3)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "down_pre_act", *request.downPreAct, 3, 3)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRank(context, "up", *request.up, 3, 3)) {
        return ge::GRAPH_FAILED;
    }
    if (request.gradInject != nullptr && !HasRank(context, "grad_inject", *request.gradInject, 3, 3)) {
        return ge::GRAPH_FAILED;
    }
    if (request.wGate != nullptr && !HasRank(context, "w_gate", *request.wGate, 2, 2)) {
        return ge::GRAPH_FAILED;
    }
    if (request.gamma != nullptr && !HasRank(context, "gamma", *request.gamma, 1, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (request.inject != nullptr && !HasRank(context, "inject", *request.inject, 3, 3)) {
        return ge::GRAPH_FAILED;
    }
    if (!CountRows(context, "grad_mixed", *request.gradMixed, 1, request.T)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRowsOf(context, "x", *request.x, 1, "grad_mixed", *request.gradMixed, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRowsOf(context, "inv_rms", *request.invRms, 1, "grad_mixed", *request.gradMixed, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRowsOf(context, "down_pre_act", *request.downPreAct, 1, "grad_mixed", *request.gradMixed, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasRowsOf(context, "up", *request.up, 1, "grad_mixed", *request.gradMixed, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (request.gradInject != nullptr &&
        !HasRowsOf(context, "grad_inject", *request.gradInject, 1, "grad_mixed", *request.gradMixed, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (request.inject != nullptr &&
        !HasRowsOf(context, "inject", *request.inject, 1, "grad_mixed", *request.gradMixed, 1)) {
        return ge::GRAPH_FAILED;
    }
    request.H = DimFromEnd(*request.x, 1) / request.C;
    request.R = DimFromEnd(*request.wDown, 2);
    if (!Divides(context, "channels", request.channels, "x", *request.x, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "grad_mixed", *request.gradMixed, 1, request.H, "H")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "x", *request.x, 1, Product({request.C, request.H}), "C * H")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "w_down", *request.wDown, 1, Product({request.C, request.H}), "C * H")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "w_up", *request.wUp, 2, Product({request.C, request.H}), "C * H")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "w_up", *request.wUp, 1, request.R, "R")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "inv_rms", *request.invRms, 1, request.C, "C")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "down_pre_act", *request.downPreAct, 1, request.R, "R")) {
        return ge::GRAPH_FAILED;
    }
    if (!HasDim(context, "up", *request.up, 1, Product({request.C, request.H}), "C * H")) {
        return ge::GRAPH_FAILED;
    }
    if (request.gradInject != nullptr && !HasDim(context, "grad_inject", *request.gradInject, 1, request.C, "C")) {
        return ge::GRAPH_FAILED;
    }
    if (request.wGate != nullptr && !HasDim(context, "w_gate", *request.wGate, 2, request.C, "C")) {
        return ge::GRAPH_FAILED;
    }
    if (request.wGate != nullptr &&
        !HasDim(context, "w_gate", *request.wGate, 1, Product({request.C, request.H}), "C * H")) {
        return ge::GRAPH_FAILED;
    }
    if (request.gamma != nullptr &&
        !HasDim(context, "gamma", *request.gamma, 1, Product({request.C, request.H}), "C * H")) {
        return ge::GRAPH_FAILED;
    }
    if (request.inject != nullptr && !HasDim(context, "inject", *request.inject, 1, request.C, "C")) {
        return ge::GRAPH_FAILED;
    }
    if (!IsWithin(context, "w_down", *request.wDown, "R", request.R, 1, 640)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasShapeOf(context, "dx", *request.dx, "x", *request.x)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasShapeOf(context, "dw_down", *request.dwDown, "w_down", *request.wDown)) {
        return ge::GRAPH_FAILED;
    }
    if (!HasShapeOf(context, "dw_up", *request.dwUp, "w_up", *request.wUp)) {
        return ge::GRAPH_FAILED;
    }
    if (request.dwGate != nullptr && request.wGate != nullptr &&
        !HasShapeOf(context, "dw_gate", *request.dwGate, "w_gate", *request.wGate)) {
        return ge::GRAPH_FAILED;
    }
    if (request.dgamma != nullptr && request.gamma != nullptr &&
        !HasShapeOf(context, "dgamma", *request.dgamma, "gamma", *request.gamma)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "grad_mixed", *request.gradMixed, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "x", *request.x, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "w_down", *request.wDown, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "w_up", *request.wUp, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "down_pre_act", *request.downPreAct, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (!FitsMemory(context, "up", *request.up, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (request.gradInject != nullptr && !FitsMemory(context, "grad_inject", *request.gradInject, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (request.wGate != nullptr && !FitsMemory(context, "w_gate", *request.wGate, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    if (request.inject != nullptr && !FitsMemory(context, "inject", *request.inject, request.dtypeBytes)) {
        return ge::GRAPH_FAILED;
    }
    const int64_t K = KOfProduct(context, request);
    if (!IsAtLeast(context, "H", request.H, 1)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsMultiple(context, "H", request.H, 16)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsMultiple(context, "R", request.R, 16)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsAtMost(context, "13 * H", Product({13, request.H}), "K", K)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsAtMost(context, "3 * H + 8 * R", Sum({Product({3, request.H}), Product({8, request.R})}), "K", K)) {
        return ge::GRAPH_FAILED;
    }
    if (!IsAtMost(context, "7 * H + 6 * R", Sum({Product({7, request.H}), Product({6, request.R})}), "K", K)) {
        return ge::GRAPH_FAILED;
    }
    return ge::GRAPH_SUCCESS;
}

// Ascend 950PR/Ascend 950DT.
ge::graphStatus SetTiling1(gert::TilingContext* context, const Request& request,
                           const platform_ascendc::PlatformAscendC& platform)
{
    auto* tiling = context->GetTilingData<TextGatedResidualGradTilingData>();
    size_t* workspaces = context->GetWorkspaceSizes(1);
    if (tiling == nullptr || workspaces == nullptr) {
        OP_LOGE(context, "tiling data: got no room, wants %zu bytes and one workspace",
                sizeof(TextGatedResidualGradTilingData));
        return ge::GRAPH_FAILED;
    }
    uint64_t ubSize = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
    const int64_t ubBytes = static_cast<int64_t>(ubSize);
    const int64_t cubeCoreNum = static_cast<int64_t>(platform.GetCoreNumAic());
    const int64_t coreNum = static_cast<int64_t>(platform.GetCoreNumAiv());
    const int64_t dtypeBytes = request.dtypeBytes;
    const int64_t T = request.T;
    const int64_t H = request.H;
    const int64_t C = request.C;
    const int64_t R = request.R;
    const bool hasInject = request.wGate != nullptr;
    const bool hasGamma = request.gamma != nullptr;

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
    if (T > mostTotalRows) {
        OP_LOGE(context, "rows: got %ld, wants at most %ld", T, mostTotalRows);
        return ge::GRAPH_FAILED;
    }
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
    if (vector1Tile.rows < 1) {
        OP_LOGE(context,
                "H: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                vector1Columns, vector1Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    if (vector2Tile.rows < 1) {
        OP_LOGE(context,
                "C: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                vector2Columns, vector2Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    if (vector3Tile.rows < 1) {
        OP_LOGE(context,
                "R: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                vector3Columns, vector3Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    if (vector4Tile.rows < 1) {
        OP_LOGE(context,
                "R: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                vector4Columns, vector4Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    if (vector5Tile.rows < 1) {
        OP_LOGE(context,
                "H: got %ld, wants at most %ld: a whole row must fit the %ld bytes of the unified buffer",
                vector5Columns, vector5Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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

    // An empty tensor is launched, too, with nothing to do but to write the zeros of a sum over rows.
    context->SetBlockDim(static_cast<uint32_t>(std::max<int64_t>(1, groups)));
    context->SetTilingKey(tilingKey);
    context->SetScheduleMode(1); // all blocks start together: the kernel synchronises them
    workspaces[0] = workspaceBytes;
    return ge::GRAPH_SUCCESS;
}

// Atlas A2, Atlas A3.
ge::graphStatus SetTiling2(gert::TilingContext* context, const Request& request,
                           const platform_ascendc::PlatformAscendC& platform)
{
    auto* tiling = context->GetTilingData<TextGatedResidualGradTilingData>();
    size_t* workspaces = context->GetWorkspaceSizes(1);
    if (tiling == nullptr || workspaces == nullptr) {
        OP_LOGE(context, "tiling data: got no room, wants %zu bytes and one workspace",
                sizeof(TextGatedResidualGradTilingData));
        return ge::GRAPH_FAILED;
    }
    uint64_t ubSize = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
    const int64_t ubBytes = static_cast<int64_t>(ubSize);
    const int64_t cubeCoreNum = static_cast<int64_t>(platform.GetCoreNumAic());
    const int64_t coreNum = static_cast<int64_t>(platform.GetCoreNumAiv());
    const int64_t dtypeBytes = request.dtypeBytes;
    const int64_t T = request.T;
    const int64_t H = request.H;
    const int64_t C = request.C;
    const int64_t R = request.R;
    const bool hasInject = request.wGate != nullptr;
    const bool hasGamma = request.gamma != nullptr;

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
    if (T > mostTotalRows) {
        OP_LOGE(context, "rows: got %ld, wants at most %ld", T, mostTotalRows);
        return ge::GRAPH_FAILED;
    }
    // Rows of a block whose bytes stay in half of L2.
    const int64_t mostRows = std::max<int64_t>(128, AlignDown(100663296 / rowBytes, 128));
    // Rows of a block.
    const int64_t blockRows = std::min<int64_t>(mostRows, AlignUp(CeilDiv(std::max<int64_t>(1, T), 8), 128));
    tiling->blockRows = blockRows;
    // How a product of m x n elements, summed over k, is cut.
    struct Cut {
        int64_t rows, columns, partK, parts;
    };
    const auto cut = [](int64_t m, int64_t n, int64_t k, int64_t split) {
        // Rows of the largest tile.
        const int64_t mostRows = 128;
        // Columns of the largest tile.
        const int64_t mostColumns = k - 1023 > 0 ? 256 : 128;
        // Largest tiles along m.
        const int64_t rowTiles = CeilDiv(m, mostRows);
        // Largest tiles along n.
        const int64_t columnTiles = CeilDiv(n, mostColumns);
        // Parts of k that idle cores may take.
        const int64_t partsWanted = split > 0
                                    ? std::max<int64_t>(1,
                                                        std::min<int64_t>(8,
                                                                          std::min<int64_t>(k / 512,
                                                                          24 / (columnTiles * rowTiles)))) : 1;
        // Tiles of the fullest core.
        const int64_t rounds = CeilDiv(columnTiles * partsWanted * rowTiles, 24);
        // Columns of a tile: cut until every core has as many.
        const int64_t columns = AlignUp(CeilDiv(n,
                                                std::max<int64_t>(columnTiles,
                                                                  std::min<int64_t>(n / 64,
                                                                  (24 * rounds) / (partsWanted * rowTiles)))), 16);
        // Rows of a tile, likewise.
        const int64_t rows = AlignUp(CeilDiv(m,
                                             std::max<int64_t>(rowTiles,
                                                               std::min<int64_t>(m / 64,
                                                               (24 * rounds) / (CeilDiv(n, columns) * partsWanted)))),
                                     16);
        // Elements of k in a part.
        const int64_t partK = AlignUp(CeilDiv(k, partsWanted), 64);
        // Parts of k.
        const int64_t parts = CeilDiv(k, partK);
        return Cut{rows, columns, partK, parts};
    };
    const Cut gradActCut = cut(std::max<int64_t>(1, std::min<int64_t>(T, blockRows)), R, C * H, 1);
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
    const int64_t vector1FreeBits = 8 * ubBytes - 8 * vector1FixedBytes - 65536;
    const Tile vector1Tile = fitColumns(vector1Columns, vector1BitsPerElement, vector1BytesPerRow, vector1FreeBits,
                                        rowsOfACore);
    if (vector1Tile.rows < 1) {
        OP_LOGE(context,
                "H: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                vector1Columns, vector1Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    const int64_t vector2FreeBits = 8 * ubBytes - 65536;
    const Tile vector2Tile = fitColumns(vector2Columns, vector2BitsPerElement, 0, vector2FreeBits, rowsOfACore);
    if (vector2Tile.rows < 1) {
        OP_LOGE(context,
                "C: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                vector2Columns, vector2Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    const int64_t vector3FreeBits = 8 * ubBytes - 65536;
    const Tile vector3Tile = fitColumns(vector3Columns, vector3BitsPerElement, 0, vector3FreeBits, rowsOfACore);
    if (vector3Tile.rows < 1) {
        OP_LOGE(context,
                "R: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                vector3Columns, vector3Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    // Bits of UB left for tiles.
    const int64_t vector4FreeBits = 8 * ubBytes - 65536;
    const Tile vector4Tile = fitColumns(vector4Columns, vector4BitsPerElement, 0, vector4FreeBits, rowsOfACore);
    if (vector4Tile.rows < 1) {
        OP_LOGE(context,
                "R: got %ld, wants at most %ld: 32 bytes of a row must fit the %ld bytes of the unified buffer",
                vector4Columns, vector4Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    const int64_t vector5FreeBits = 8 * ubBytes - 8 * vector5FixedBytes - 65536;
    const Tile vector5Tile = fitWholeRows(vector5Columns, vector5BitsPerElement, vector5BytesPerRow, vector5FreeBits,
                                          rowsOfACore);
    if (vector5Tile.rows < 1) {
        OP_LOGE(context,
                "H: got %ld, wants at most %ld: a whole row must fit the %ld bytes of the unified buffer",
                vector5Columns, vector5Tile.maxColumns, ubBytes);
        return ge::GRAPH_FAILED;
    }
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
    const int64_t gradXNormOffset = AlignUp(8 * R * blockRows * gradActParts, 512) + gradActOffset;
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

    // An empty tensor is launched, too, with nothing to do but to write the zeros of a sum over rows.
    context->SetBlockDim(static_cast<uint32_t>(std::max<int64_t>(1, groups)));
    context->SetTilingKey(tilingKey);
    context->SetScheduleMode(1); // all blocks start together: the kernel synchronises them
    workspaces[0] = workspaceBytes;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingTextGatedResidualGrad(gert::TilingContext* context)
{
    if (context->GetPlatformInfo() == nullptr) {
        OP_LOGE(context, "platform: got no information, wants that of the device");
        return ge::GRAPH_FAILED;
    }
    Request request;
    if (ReadRequest(context, request) != ge::GRAPH_SUCCESS || CheckRequest(context, request) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    switch (platform.GetSocVersion()) {
        case platform_ascendc::SocVersion::ASCEND950:
            return SetTiling1(context, request, platform);
        case platform_ascendc::SocVersion::ASCEND910B:
            return SetTiling2(context, request, platform);
        default:
            OP_LOGE(context, "platform: got product %d, wants ascend950, ascend910b, ascend910_93",
                    static_cast<int>(platform.GetSocVersion()));
            return ge::GRAPH_FAILED;
    }
}

ge::graphStatus ParseTextGatedResidualGrad([[maybe_unused]] gert::TilingParseContext* context)
{
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_OPTILING(TextGatedResidualGrad)
    .Tiling(TilingTextGatedResidualGrad)
    .TilingParse<TextGatedResidualGradCompileInfo>(ParseTextGatedResidualGrad);
} // namespace optiling
