// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad.h
 * \brief Launch of the TextGatedResidualGrad kernel.
 */

#ifndef OP_API_INC_LEVEL0_TEXT_GATED_RESIDUAL_GRAD_H
#define OP_API_INC_LEVEL0_TEXT_GATED_RESIDUAL_GRAD_H

#include "opdev/op_executor.h"

namespace l0op {
// Runs the host tiling and queues the kernel. Inputs are contiguous; an absent optional tensor is null, and so is the
// kernel's pointer to it. Results are allocated by the caller. Returns the status of the tiling.
aclnnStatus TextGatedResidualGrad(const aclTensor* gradMixed, const aclTensor* x, const aclTensor* wDown,
                                  const aclTensor* wUp, const aclTensor* invRms, const aclTensor* downPreAct,
                                  const aclTensor* up, const aclTensor* gradInject, const aclTensor* wGate,
                                  const aclTensor* gamma, const aclTensor* inject, int64_t channels,
                                  const aclTensor* dx, const aclTensor* dwDown, const aclTensor* dwUp,
                                  const aclTensor* dwGate, const aclTensor* dgamma, aclOpExecutor* executor);
} // namespace l0op

#endif // OP_API_INC_LEVEL0_TEXT_GATED_RESIDUAL_GRAD_H
