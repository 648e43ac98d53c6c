// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file swiglu_group_quant_grad.h
 * \brief Launch of the SwigluGroupQuantGrad kernel.
 */

#ifndef OP_API_INC_LEVEL0_SWIGLU_GROUP_QUANT_GRAD_H
#define OP_API_INC_LEVEL0_SWIGLU_GROUP_QUANT_GRAD_H

#include "opdev/op_executor.h"

namespace l0op {
// Runs the host tiling and queues the kernel. Inputs are contiguous; an absent optional tensor is null, and so is the
// kernel's pointer to it. Results are allocated by the caller. Returns the status of the tiling.
aclnnStatus SwigluGroupQuantGrad(const aclTensor* gradY, const aclTensor* x, const aclTensor* weight,
                                 const aclTensor* yOrigin, const aclTensor* groupIndex, float clampLimit,
                                 const aclTensor* gradX, const aclTensor* gradWeight, aclOpExecutor* executor);
} // namespace l0op

#endif // OP_API_INC_LEVEL0_SWIGLU_GROUP_QUANT_GRAD_H
