// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad.cpp
 * \brief Launch of the TextGatedResidualGrad kernel.
 */

#include "text_gated_residual_grad.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_def.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/op_executor.h"
#include "opdev/op_log.h"

using namespace op;

namespace l0op {
OP_TYPE_REGISTER(TextGatedResidualGrad);

aclnnStatus TextGatedResidualGrad(const aclTensor* gradMixed, const aclTensor* x, const aclTensor* wDown,
                                  const aclTensor* wUp, const aclTensor* invRms, const aclTensor* downPreAct,
                                  const aclTensor* up, const aclTensor* gradInject, const aclTensor* wGate,
                                  const aclTensor* gamma, const aclTensor* inject, int64_t channels,
                                  const aclTensor* dx, const aclTensor* dwDown, const aclTensor* dwUp,
                                  const aclTensor* dwGate, const aclTensor* dgamma, aclOpExecutor* executor)
{
    L0_DFX(TextGatedResidualGrad, gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject,
           channels, dx, dwDown, dwUp, dwGate, dgamma);

    const aclnnStatus status = ADD_TO_LAUNCHER_LIST_AICORE(
        TextGatedResidualGrad,
        OP_INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject),
        OP_OUTPUT(dx, dwDown, dwUp, dwGate, dgamma), OP_ATTR(channels));
    if (status != ACLNN_SUCCESS) {
        OP_LOGE(status, "TextGatedResidualGrad: got a tiling that failed, see the line before");
    }
    return status;
}
} // namespace l0op
