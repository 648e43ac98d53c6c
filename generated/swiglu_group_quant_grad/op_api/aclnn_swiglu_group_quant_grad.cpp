// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file aclnn_swiglu_group_quant_grad.cpp
 * \brief The two-phase aclnn interface of SwigluGroupQuantGrad. Null pointers, dtypes and formats are checked here,
 * shapes and attributes by the host tiling, which the first phase runs.
 */

#include "aclnn_swiglu_group_quant_grad.h"
#include <initializer_list>
#include "swiglu_group_quant_grad.h"
#include "aclnn_kernels/contiguous.h"
#include "opdev/common_types.h"
#include "opdev/data_type_utils.h"
#include "opdev/format_utils.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/op_executor.h"
#include "opdev/op_log.h"

using namespace op;

namespace {
bool IsGiven(const char* name, const aclTensor* tensor)
{
    if (tensor != nullptr) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "%s: got a null pointer, wants a tensor", name);
    return false;
}

bool HasDtype(const char* name, const aclTensor* tensor, const std::initializer_list<DataType>& wanted,
              const char* wantedText)
{
    if (CheckType(tensor->GetDataType(), wanted)) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got data type %s, wants %s", name,
            ToString(tensor->GetDataType()).GetString(), wantedText);
    return false;
}

bool HasSameDtype(const char* name, const aclTensor* tensor, const char* otherName, const aclTensor* other)
{
    if (tensor->GetDataType() == other->GetDataType()) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got data type %s, wants that of %s, which is %s", name,
            ToString(tensor->GetDataType()).GetString(), otherName, ToString(other->GetDataType()).GetString());
    return false;
}

bool HasPlainFormat(const char* name, const aclTensor* tensor)
{
    if (!IsPrivateFormat(tensor->GetStorageFormat())) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got format %s, wants ND", name,
            ToString(tensor->GetStorageFormat()).GetString());
    return false;
}

aclnnStatus CheckParams(const aclTensor* gradY, const aclTensor* x, const aclTensor* weight, const aclTensor* yOrigin,
                        const aclTensor* groupIndex, const aclTensor* gradX, const aclTensor* gradWeight)
{
    // Refused when gradY, x, gradX, workspaceSize or executor is a null pointer.
    if (!IsGiven("gradY", gradY)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("x", x)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("gradX", gradX)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    // Refused when weight is supplied and gradWeight is a null pointer.
    if (weight != nullptr && !IsGiven("gradWeight", gradWeight)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    // Refused when the data type of gradY, x, yOrigin or gradX is none of FLOAT16, BFLOAT16 or FLOAT, or they differ.
    if (!HasDtype("gradY", gradY, {DataType::DT_FLOAT16, DataType::DT_BF16, DataType::DT_FLOAT},
                  "FLOAT16, BFLOAT16 or FLOAT")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("x", x, "gradY", gradY)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (yOrigin != nullptr && !HasSameDtype("yOrigin", yOrigin, "gradY", gradY)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("gradX", gradX, "gradY", gradY)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the data type of weight or gradWeight is not FLOAT; the data type of groupIndex is not INT64.
    if (weight != nullptr && !HasDtype("weight", weight, {DataType::DT_FLOAT}, "FLOAT")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (gradWeight != nullptr && !HasDtype("gradWeight", gradWeight, {DataType::DT_FLOAT}, "FLOAT")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (groupIndex != nullptr && !HasDtype("groupIndex", groupIndex, {DataType::DT_INT64}, "INT64")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the format of a tensor is a private one.
    if (!HasPlainFormat("gradY", gradY)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("x", x)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (weight != nullptr && !HasPlainFormat("weight", weight)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (yOrigin != nullptr && !HasPlainFormat("yOrigin", yOrigin)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (groupIndex != nullptr && !HasPlainFormat("groupIndex", groupIndex)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("gradX", gradX)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (gradWeight != nullptr && !HasPlainFormat("gradWeight", gradWeight)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    return ACLNN_SUCCESS;
}

// Replaces a strided input by a contiguous copy. An absent one stays null.
bool MakeContiguous(const aclTensor*& input, aclOpExecutor* executor)
{
    if (input == nullptr) {
        return true;
    }
    input = l0op::Contiguous(input, executor);
    return input != nullptr;
}

// A contiguous tensor of the shape and dtype of an output, for the kernel to write. An absent one stays null.
bool AllocResult(const aclTensor* output, const aclTensor*& result, aclOpExecutor* executor)
{
    if (output == nullptr) {
        return true;
    }
    result = executor->AllocTensor(output->GetViewShape(), output->GetDataType(), Format::FORMAT_ND);
    return result != nullptr;
}

// Brings a result to where the output is, whatever its strides.
bool CopyOut(const aclTensor* result, const aclTensor* output, aclOpExecutor* executor)
{
    return output == nullptr || l0op::ViewCopy(result, output, executor) != nullptr;
}
} // namespace

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnSwigluGroupQuantGradGetWorkspaceSize(const aclTensor* gradY, const aclTensor* x,
                                                      const aclTensor* weight, const aclTensor* yOrigin,
                                                      const aclTensor* groupIndex, double clampLimit,
                                                      const aclTensor* gradX, const aclTensor* gradWeight,
                                                      uint64_t* workspaceSize, aclOpExecutor** executor)
{
    L2_DFX_PHASE_1(aclnnSwigluGroupQuantGrad, DFX_IN(gradY, x, weight, yOrigin, groupIndex, clampLimit),
                   DFX_OUT(gradX, gradWeight));

    const aclnnStatus checked = CheckParams(gradY, x, weight, yOrigin, groupIndex, gradX, gradWeight);
    CHECK_RET(checked == ACLNN_SUCCESS, checked);

    // Without weight the rest of its option is ignored: yOrigin, gradWeight.
    if (weight == nullptr) {
        yOrigin = nullptr;
        gradWeight = nullptr;
    }

    auto uniqueExecutor = CREATE_EXECUTOR();
    CHECK_RET(uniqueExecutor.get() != nullptr, ACLNN_ERR_INNER_CREATE_EXECUTOR);

    CHECK_RET(MakeContiguous(gradY, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(x, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(weight, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(yOrigin, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(groupIndex, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);

    const aclTensor* gradXResult = nullptr;
    CHECK_RET(AllocResult(gradX, gradXResult, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    const aclTensor* gradWeightResult = nullptr;
    CHECK_RET(AllocResult(gradWeight, gradWeightResult, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);

    // Runs the host tiling, whose status is the caller's. An empty tensor is no exception: its shapes are checked, too.
    const aclnnStatus launched = l0op::SwigluGroupQuantGrad(gradY, x, weight, yOrigin, groupIndex,
                                                            static_cast<float>(clampLimit), gradXResult,
                                                            gradWeightResult, uniqueExecutor.get());
    CHECK_RET(launched == ACLNN_SUCCESS, launched);

    CHECK_RET(CopyOut(gradXResult, gradX, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(CopyOut(gradWeightResult, gradWeight, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);

    *workspaceSize = uniqueExecutor->GetWorkspaceSize();
    uniqueExecutor.ReleaseTo(executor);
    return ACLNN_SUCCESS;
}

aclnnStatus aclnnSwigluGroupQuantGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                      aclrtStream stream)
{
    L2_DFX_PHASE_2(aclnnSwigluGroupQuantGrad);
    return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}

#ifdef __cplusplus
}
#endif
