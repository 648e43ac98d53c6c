// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file swiglu_group_quant_grad.cpp
 * \brief Launch of the SwigluGroupQuantGrad kernel.
 */

#include "swiglu_group_quant_grad.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_def.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/op_executor.h"
#include "opdev/op_log.h"

using namespace op;

namespace l0op {
OP_TYPE_REGISTER(SwigluGroupQuantGrad);

aclnnStatus SwigluGroupQuantGrad(const aclTensor* gradY, const aclTensor* x, const aclTensor* weight,
                                 const aclTensor* yOrigin, const aclTensor* groupIndex, float clampLimit,
                                 const aclTensor* gradX, const aclTensor* gradWeight, aclOpExecutor* executor)
{
    L0_DFX(SwigluGroupQuantGrad, gradY, x, weight, yOrigin, groupIndex, clampLimit, gradX, gradWeight);

    const aclnnStatus status = ADD_TO_LAUNCHER_LIST_AICORE(SwigluGroupQuantGrad,
                                                           OP_INPUT(gradY, x, weight, yOrigin, groupIndex),
                                                           OP_OUTPUT(gradX, gradWeight), OP_ATTR(clampLimit));
    if (status != ACLNN_SUCCESS) {
        OP_LOGE(status, "SwigluGroupQuantGrad: got a tiling that failed, see the line before");
    }
    return status;
}
} // namespace l0op
