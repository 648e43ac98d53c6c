// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_infershape.cpp
 * \brief Shapes and dtypes of the outputs of TextGatedResidualGrad. Unknown dimensions and ranks pass through.
 */

#include "register/op_impl_registry.h"

namespace ops {
namespace {
constexpr size_t INPUT_GRAD_MIXED = 0;
constexpr size_t INPUT_X = 1;
constexpr size_t INPUT_W_DOWN = 2;
constexpr size_t INPUT_W_UP = 3;
constexpr size_t INPUT_W_GATE = 8;
constexpr size_t INPUT_GAMMA = 9;
constexpr size_t OUTPUT_DX = 0;
constexpr size_t OUTPUT_DW_DOWN = 1;
constexpr size_t OUTPUT_DW_UP = 2;
constexpr size_t OUTPUT_DW_GATE = 3;
constexpr size_t OUTPUT_DGAMMA = 4;

// The position of an output of the definition among those that the caller supplies; -1 when it is left out.
template <typename Context>
int64_t OutputPosition(const Context* context, size_t index)
{
    const auto* instance = context->GetIrOutputInstanceInfo(index);
    if (instance == nullptr) {
        return static_cast<int64_t>(index);
    }
    return instance->GetInstanceNum() == 0 ? -1 : static_cast<int64_t>(instance->GetInstanceStart());
}

// Gives an output the shape of the tensor whose gradient it is. Nothing happens when either is left out.
void CopyShape(gert::InferShapeContext* context, const gert::Shape* from, size_t index)
{
    const int64_t position = OutputPosition(context, index);
    gert::Shape* to = position < 0 ? nullptr : context->GetOutputShape(static_cast<size_t>(position));
    if (from != nullptr && to != nullptr) {
        *to = *from;
    }
}

ge::graphStatus SetDataType(gert::InferDataTypeContext* context, ge::DataType dtype, size_t index)
{
    const int64_t position = OutputPosition(context, index);
    return position < 0 ? ge::GRAPH_SUCCESS : context->SetOutputDataType(static_cast<size_t>(position), dtype);
}

ge::graphStatus InferShapeTextGatedResidualGrad(gert::InferShapeContext* context)
{
    CopyShape(context, context->GetRequiredInputShape(INPUT_X), OUTPUT_DX);
    CopyShape(context, context->GetRequiredInputShape(INPUT_W_DOWN), OUTPUT_DW_DOWN);
    CopyShape(context, context->GetRequiredInputShape(INPUT_W_UP), OUTPUT_DW_UP);
    CopyShape(context, context->GetOptionalInputShape(INPUT_W_GATE), OUTPUT_DW_GATE);
    CopyShape(context, context->GetOptionalInputShape(INPUT_GAMMA), OUTPUT_DGAMMA);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataTypeTextGatedResidualGrad(gert::InferDataTypeContext* context)
{
    const ge::DataType dxDtype = context->GetRequiredInputDataType(INPUT_X);
    if (SetDataType(context, dxDtype, OUTPUT_DX) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    const ge::DataType dwDownDtype = context->GetRequiredInputDataType(INPUT_W_DOWN);
    if (SetDataType(context, dwDownDtype, OUTPUT_DW_DOWN) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    const ge::DataType dwUpDtype = context->GetRequiredInputDataType(INPUT_W_UP);
    if (SetDataType(context, dwUpDtype, OUTPUT_DW_UP) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    const ge::DataType dwGateDtype = context->GetRequiredInputDataType(INPUT_GRAD_MIXED);
    if (SetDataType(context, dwGateDtype, OUTPUT_DW_GATE) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    const ge::DataType dgammaDtype = ge::DT_FLOAT;
    if (SetDataType(context, dgammaDtype, OUTPUT_DGAMMA) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_INFERSHAPE(TextGatedResidualGrad)
    .InferShape(InferShapeTextGatedResidualGrad)
    .InferDataType(InferDataTypeTextGatedResidualGrad);
} // namespace ops
