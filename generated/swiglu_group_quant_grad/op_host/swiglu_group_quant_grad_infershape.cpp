// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file swiglu_group_quant_grad_infershape.cpp
 * \brief Shapes and dtypes of the outputs of SwigluGroupQuantGrad. Unknown dimensions and ranks pass through.
 */

#include "register/op_impl_registry.h"

namespace ops {
namespace {
constexpr size_t INPUT_X = 1;
constexpr size_t INPUT_WEIGHT = 2;
constexpr size_t OUTPUT_GRAD_X = 0;
constexpr size_t OUTPUT_GRAD_WEIGHT = 1;

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

ge::graphStatus InferShapeSwigluGroupQuantGrad(gert::InferShapeContext* context)
{
    CopyShape(context, context->GetRequiredInputShape(INPUT_X), OUTPUT_GRAD_X);
    CopyShape(context, context->GetOptionalInputShape(INPUT_WEIGHT), OUTPUT_GRAD_WEIGHT);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataTypeSwigluGroupQuantGrad(gert::InferDataTypeContext* context)
{
    const ge::DataType gradXDtype = context->GetRequiredInputDataType(INPUT_X);
    if (SetDataType(context, gradXDtype, OUTPUT_GRAD_X) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    const ge::DataType gradWeightDtype = ge::DT_FLOAT;
    if (SetDataType(context, gradWeightDtype, OUTPUT_GRAD_WEIGHT) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_INFERSHAPE(SwigluGroupQuantGrad)
    .InferShape(InferShapeSwigluGroupQuantGrad)
    .InferDataType(InferDataTypeSwigluGroupQuantGrad);
} // namespace ops
