#include "../op_kernel/row_scale_grad_tiling_data.h"
#include "log/log.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "util/math_util.h"

namespace optiling {

struct RowScaleGradCompileInfo {
    int64_t cores = 0;
};

static ge::graphStatus TilingRowScaleGrad(gert::TilingContext* context)
{
    const auto* compileInfo = context->GetCompileInfo<RowScaleGradCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
    const gert::Shape& gradY = context->GetRequiredInputShape(0)->GetStorageShape();
    const size_t rank = gradY.GetDimNum();
    const int64_t columns = gradY.GetDim(rank - 1);
    OP_CHECK_IF(columns > 4096, OP_LOGE(context, "grad_y: got last dimension %ld, want at most 4096", columns),
                return ge::GRAPH_FAILED);
    auto* tiling = context->GetTilingData<RowScaleGradTilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    tiling->columns = columns;
    tiling->rows = columns == 0 ? 0 : gradY.GetShapeSize() / columns;
    tiling->rowsPerBlock = Ops::Base::CeilDiv(tiling->rows, compileInfo->cores);
    tiling->scale = *context->GetAttrs()->GetFloat(0);
    tiling->hasWeight = context->GetOptionalInputShape(1) != nullptr ? 1 : 0;
    tiling->shift[0] = static_cast<uint32_t>(context->GetIrInputInstanceInfo(2)->GetInstanceStart());
    tiling->shift[1] = static_cast<uint32_t>(context->GetComputeNodeInputNum());

    const int64_t blocks = tiling->rowsPerBlock == 0 ? 1 : Ops::Base::CeilDiv(tiling->rows, tiling->rowsPerBlock);
    context->SetBlockDim(static_cast<uint32_t>(blocks));
    context->SetTilingKey(tiling->hasWeight);
    context->SetScheduleMode(1);
    const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + blocks * columns * sizeof(float);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TilingParseRowScaleGrad(gert::TilingParseContext* context)
{
    const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    context->GetCompiledInfo<RowScaleGradCompileInfo>()->cores = platform.GetCoreNumAiv();
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(RowScaleGrad).Tiling(TilingRowScaleGrad).TilingParse<RowScaleGradCompileInfo>(TilingParseRowScaleGrad);

}  // namespace optiling
