// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_proto.h
 * \brief Prototype of TextGatedResidualGrad for graph mode.
 */

#ifndef OPS_BUILT_IN_OP_PROTO_INC_TEXT_GATED_RESIDUAL_GRAD_PROTO_H
#define OPS_BUILT_IN_OP_PROTO_INC_TEXT_GATED_RESIDUAL_GRAD_PROTO_H

#include "graph/operator_reg.h"

namespace ge {
/**
 * @brief `TextGatedResidualGrad` is the backward operator of `TextGatedResidual`. It computes gradients of input `x`
 *     and weights `wDown`, `wUp`, `wGate`, and `gamma` from the upstream gradients of the mixed and injection outputs
 *     and tensors saved during the forward pass.
 *
 * @par Inputs:
 * @li grad_mixed: Upstream gradient of the mixed output mixed. Shape [B,S,H]; FLOAT16, BFLOAT16.
 * @li x: Forward input. Shape [B,S,D]; FLOAT16, BFLOAT16.
 * @li w_down: Down-projection weight. Shape [R,D]; FLOAT16, BFLOAT16.
 * @li w_up: Up-projection weight. Shape [D,R]; FLOAT16, BFLOAT16.
 * @li inv_rms: Per-channel reciprocal root mean square saved during the forward pass. Shape [B,S,C]; FLOAT32.
 * @li down_pre_act: Down-projection result xNorm@wDownᵀ saved during the forward pass. Shape [B,S,R]; FLOAT16,
 *     BFLOAT16.
 * @li up: Up-projection result act@wUpᵀ saved during the forward pass. Shape [B,S,D]; FLOAT16, BFLOAT16.
 * @li grad_inject: optional. Upstream gradient of the injection output inject. Shape [B,S,C]; FLOAT16, BFLOAT16.
 * @li w_gate: optional. Injection branch weight. Shape [C,D]; FLOAT16, BFLOAT16.
 * @li gamma: optional. Normalization scale weight; the actual scale is 1+gamma. Shape [D]; FLOAT32.
 * @li inject: optional. Injection output 2*sigmoid((xNorm@wGateᵀ)/C) saved during the forward pass. Shape [B,S,C];
 *     FLOAT16, BFLOAT16.
 *
 * @par Attributes:
 * @li channels: Number of channels C. C is a positive integer, C ≤ 20. Required.
 *
 * @par Outputs:
 * @li dx: Gradient of x. Shape of x; FLOAT16, BFLOAT16.
 * @li dw_down: Gradient of wDown. Shape of w_down; FLOAT16, BFLOAT16.
 * @li dw_up: Gradient of wUp. Shape of w_up; FLOAT16, BFLOAT16.
 * @li dw_gate: optional. Gradient of wGate. Shape of w_gate; FLOAT16, BFLOAT16.
 * @li dgamma: optional. Gradient of gamma. Shape of gamma; FLOAT32.
 */
REG_OP(TextGatedResidualGrad)
    .INPUT(grad_mixed, TensorType({DT_FLOAT16, DT_BF16}))
    .INPUT(x, TensorType({DT_FLOAT16, DT_BF16}))
    .INPUT(w_down, TensorType({DT_FLOAT16, DT_BF16}))
    .INPUT(w_up, TensorType({DT_FLOAT16, DT_BF16}))
    .INPUT(inv_rms, TensorType({DT_FLOAT}))
    .INPUT(down_pre_act, TensorType({DT_FLOAT16, DT_BF16}))
    .INPUT(up, TensorType({DT_FLOAT16, DT_BF16}))
    .OPTIONAL_INPUT(grad_inject, TensorType({DT_FLOAT16, DT_BF16}))
    .OPTIONAL_INPUT(w_gate, TensorType({DT_FLOAT16, DT_BF16}))
    .OPTIONAL_INPUT(gamma, TensorType({DT_FLOAT}))
    .OPTIONAL_INPUT(inject, TensorType({DT_FLOAT16, DT_BF16}))
    .OUTPUT(dx, TensorType({DT_FLOAT16, DT_BF16}))
    .OUTPUT(dw_down, TensorType({DT_FLOAT16, DT_BF16}))
    .OUTPUT(dw_up, TensorType({DT_FLOAT16, DT_BF16}))
    .OUTPUT(dw_gate, TensorType({DT_FLOAT16, DT_BF16}))
    .OUTPUT(dgamma, TensorType({DT_FLOAT}))
    .REQUIRED_ATTR(channels, Int)
    .OP_END_FACTORY_REG(TextGatedResidualGrad)
} // namespace ge

#endif // OPS_BUILT_IN_OP_PROTO_INC_TEXT_GATED_RESIDUAL_GRAD_PROTO_H
