#include "log/log.h"
#include "register/op_impl_registry.h"

namespace ops {

static ge::graphStatus InferShapeRowScaleGrad(gert::InferShapeContext* context)
{
    const gert::Shape* gradY = context->GetRequiredInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, gradY);
    *context->GetOutputShape(0) = *gradY;
    const gert::Shape* weight = context->GetOptionalInputShape(1);
    gert::Shape* gradWeight = context->GetOutputShape(1);
    if (weight != nullptr && gradWeight != nullptr) {
        *gradWeight = *weight;
    }
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeRowScaleGrad(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, context->GetRequiredInputDataType(0));
    context->SetOutputDataType(1, ge::DT_FLOAT);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_INFERSHAPE(RowScaleGrad).InferShape(InferShapeRowScaleGrad).InferDataType(InferDataTypeRowScaleGrad);

}  // namespace ops
