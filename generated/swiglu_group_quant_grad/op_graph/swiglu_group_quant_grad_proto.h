// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file swiglu_group_quant_grad_proto.h
 * \brief Prototype of SwigluGroupQuantGrad for graph mode.
 */

#ifndef OPS_BUILT_IN_OP_PROTO_INC_SWIGLU_GROUP_QUANT_GRAD_PROTO_H
#define OPS_BUILT_IN_OP_PROTO_INC_SWIGLU_GROUP_QUANT_GRAD_PROTO_H

#include "graph/operator_reg.h"

namespace ge {
/**
 * @brief Computes the gradients of the grouped SwiGLU activation: the input gradient `gradX` and the weight gradient
 *     `gradWeight`. It serves MoE (`groupIndex` supplied) and non-MoE use (`groupIndex` absent), an optional clamp and
 *     an optional weight gradient.
 *
 * @par Inputs:
 * @li grad_y: Gradient of the forward output y. Shape [..., H]; FLOAT16, BFLOAT16, FLOAT.
 * @li x: Forward input; the first half of its last dimension is x0, the second half is x1. Shape [..., 2*H]; FLOAT16,
 *     BFLOAT16, FLOAT.
 * @li weight: optional. Weight of each row. Shape any shape of T elements; FLOAT.
 * @li y_origin: optional. SwiGLU activation of the forward before it is multiplied by weight. Shape [..., H]; FLOAT16,
 *     BFLOAT16, FLOAT.
 * @li group_index: optional. Number of rows of each expert group (counts, not a running sum). Shape [G]; INT64.
 *
 * @par Attributes:
 * @li clamp_limit: Threshold c of the clamp. -1.0 switches the clamp off; otherwise it must be above 0.0. Default -1.0.
 *
 * @par Outputs:
 * @li grad_x: Gradient of x. Shape of x; FLOAT16, BFLOAT16, FLOAT.
 * @li grad_weight: optional. Gradient of weight. Shape of weight; FLOAT.
 */
REG_OP(SwigluGroupQuantGrad)
    .INPUT(grad_y, TensorType({DT_FLOAT16, DT_BF16, DT_FLOAT}))
    .INPUT(x, TensorType({DT_FLOAT16, DT_BF16, DT_FLOAT}))
    .OPTIONAL_INPUT(weight, TensorType({DT_FLOAT}))
    .OPTIONAL_INPUT(y_origin, TensorType({DT_FLOAT16, DT_BF16, DT_FLOAT}))
    .OPTIONAL_INPUT(group_index, TensorType({DT_INT64}))
    .OUTPUT(grad_x, TensorType({DT_FLOAT16, DT_BF16, DT_FLOAT}))
    .OUTPUT(grad_weight, TensorType({DT_FLOAT}))
    .ATTR(clamp_limit, Float, -1.0)
    .OP_END_FACTORY_REG(SwigluGroupQuantGrad)
} // namespace ge

#endif // OPS_BUILT_IN_OP_PROTO_INC_SWIGLU_GROUP_QUANT_GRAD_PROTO_H
