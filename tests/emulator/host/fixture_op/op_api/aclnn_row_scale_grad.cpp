#include "aclnn_row_scale_grad.h"

#include "aclnn_kernels/common/op_error_check.h"
#include "aclnn_kernels/contiguous.h"
#include "opdev/common_types.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"
#include "opdev/op_executor.h"
#include "opdev/op_log.h"
#include "row_scale_grad.h"

using namespace op;

static const std::initializer_list<DataType> SUPPORTED = {DataType::DT_FLOAT16, DataType::DT_BF16, DataType::DT_FLOAT,
                                                          DataType::DT_DOUBLE};

static bool CheckNotNull(const aclTensor* gradY, const aclTensor* x, const aclTensor* weight, const aclTensor* gradX,
                         const aclTensor* gradWeight)
{
    OP_CHECK_NULL(gradY, return false);
    OP_CHECK_NULL(x, return false);
    OP_CHECK_NULL(gradX, return false);
    if (weight != nullptr) {
        OP_CHECK_NULL(gradWeight, return false);
    }
    return true;
}

static bool CheckTypesAndShapes(const aclTensor* gradY, const aclTensor* x, const aclTensor* weight,
                                const aclTensor* gradX)
{
    OP_CHECK_DTYPE_NOT_SUPPORT(gradY, SUPPORTED, return false);
    OP_CHECK_DTYPE_NOT_SAME(gradY, x, return false);
    OP_CHECK_SHAPE_NOT_EQUAL(x, gradY, return false);
    OP_CHECK_SHAPE_NOT_EQUAL(gradX, gradY, return false);
    OP_CHECK_MIN_DIM(gradY, 1, return false);
    if (weight != nullptr) {
        OP_CHECK_DTYPE_NOT_MATCH(weight, DataType::DT_FLOAT, return false);
        const Shape expected = {gradY->GetViewShape().GetDim(gradY->GetViewShape().GetDimNum() - 1)};
        OP_CHECK_SHAPE_NOT_EQUAL_WITH_EXPECTED_SIZE(weight, expected, return false);
    }
    return true;
}

extern "C" aclnnStatus aclnnRowScaleGradGetWorkspaceSize(const aclTensor* gradY, const aclTensor* x,
                                                         const aclTensor* weightOptional, double scale,
                                                         aclTensor* gradXOut, aclTensor* gradWeightOutOptional,
                                                         uint64_t* workspaceSize, aclOpExecutor** executor)
{
    L2_DFX_PHASE_1(aclnnRowScaleGrad, DFX_IN(gradY, x, weightOptional, scale),
                   DFX_OUT(gradXOut, gradWeightOutOptional));
    auto uniqueExecutor = CREATE_EXECUTOR();
    CHECK_RET(uniqueExecutor.get() != nullptr, ACLNN_ERR_INNER_CREATE_EXECUTOR);
    CHECK_RET(CheckNotNull(gradY, x, weightOptional, gradXOut, gradWeightOutOptional), ACLNN_ERR_PARAM_NULLPTR);
    CHECK_RET(CheckTypesAndShapes(gradY, x, weightOptional, gradXOut), ACLNN_ERR_PARAM_INVALID);

    if (gradY->IsEmpty() && weightOptional == nullptr) {
        *workspaceSize = 0;
        uniqueExecutor.ReleaseTo(executor);
        return ACLNN_SUCCESS;
    }

    const aclTensor* gradYContiguous = l0op::Contiguous(gradY, uniqueExecutor.get());
    CHECK_RET(gradYContiguous != nullptr, ACLNN_ERR_INNER_NULLPTR);
    const aclTensor* xContiguous = l0op::Contiguous(x, uniqueExecutor.get());
    CHECK_RET(xContiguous != nullptr, ACLNN_ERR_INNER_NULLPTR);
    const aclTensor* weight = nullptr;
    if (weightOptional != nullptr) {
        weight = l0op::Contiguous(weightOptional, uniqueExecutor.get());
        CHECK_RET(weight != nullptr, ACLNN_ERR_INNER_NULLPTR);
    }
    const auto result =
        l0op::RowScaleGrad(gradYContiguous, weight, xContiguous, static_cast<float>(scale), uniqueExecutor.get());
    CHECK_RET(result[0] != nullptr, ACLNN_ERR_INNER_TILING_ERROR);
    CHECK_RET(l0op::ViewCopy(result[0], gradXOut, uniqueExecutor.get()) != nullptr, ACLNN_ERR_INNER_NULLPTR);
    if (weight != nullptr) {
        CHECK_RET(l0op::ViewCopy(result[1], gradWeightOutOptional, uniqueExecutor.get()) != nullptr,
                  ACLNN_ERR_INNER_NULLPTR);
    }
    *workspaceSize = uniqueExecutor->GetWorkspaceSize();
    uniqueExecutor.ReleaseTo(executor);
    return ACLNN_SUCCESS;
}

extern "C" aclnnStatus aclnnRowScaleGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                         aclrtStream stream)
{
    L2_DFX_PHASE_2(aclnnRowScaleGrad);
    return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}
