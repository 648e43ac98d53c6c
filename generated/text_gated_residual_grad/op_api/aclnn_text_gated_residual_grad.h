// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file aclnn_text_gated_residual_grad.h
 * \brief The two-phase aclnn interface of TextGatedResidualGrad.
 */

#ifndef OP_API_INC_LEVEL2_ACLNN_TEXT_GATED_RESIDUAL_GRAD_H
#define OP_API_INC_LEVEL2_ACLNN_TEXT_GATED_RESIDUAL_GRAD_H

#include "aclnn/aclnn_base.h"

#ifndef ACLNN_API
#define ACLNN_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * First phase: checks the parameters, returns the size of the workspace and an executor.
 * @param [in] gradMixed: input. Upstream gradient of the mixed output mixed. The data type is that of x. FLOAT16,
 *     BFLOAT16.
 * @param [in] x: input. Forward input. D=C*H. FLOAT16, BFLOAT16.
 * @param [in] wDown: input. Down-projection weight. The data type is that of x. FLOAT16, BFLOAT16.
 * @param [in] wUp: input. Up-projection weight. The data type is that of x. FLOAT16, BFLOAT16.
 * @param [in] invRms: input. Per-channel reciprocal root mean square saved during the forward pass. The result of the
 *     forward normalization, which includes the effect of its epsilon. FLOAT32.
 * @param [in] downPreAct: input. Down-projection result xNorm@wDownᵀ saved during the forward pass. Saved before the
 *     division by C and before SiLU; the data type is that of x. FLOAT16, BFLOAT16.
 * @param [in] up: input. Up-projection result act@wUpᵀ saved during the forward pass. Saved before the sigmoid; the
 *     data type is that of x. FLOAT16, BFLOAT16.
 * @param [in] gradInject: optional input. Upstream gradient of the injection output inject. The data type is that of x;
 *     supplied together with wGate, inject and dwGate, or omitted together with them. FLOAT16, BFLOAT16.
 * @param [in] wGate: optional input. Injection branch weight. The data type is that of x; supplied together with
 *     gradInject, inject and dwGate, or omitted together with them. FLOAT16, BFLOAT16.
 * @param [in] gamma: optional input. Normalization scale weight; the actual scale is 1+gamma. The gamma itself, without
 *     the 1; supplied together with dgamma, or omitted together with it. FLOAT32.
 * @param [in] inject: optional input. Injection output 2*sigmoid((xNorm@wGateᵀ)/C) saved during the forward pass. The
 *     data type is that of x; supplied together with wGate, gradInject and dwGate, or omitted together with them.
 *     FLOAT16, BFLOAT16.
 * @param [out] dx: output. Gradient of x. The shape and data type are those of x. FLOAT16, BFLOAT16.
 * @param [out] dwDown: output. Gradient of wDown. The shape and data type are those of wDown. FLOAT16, BFLOAT16.
 * @param [out] dwUp: output. Gradient of wUp. The shape and data type are those of wUp. FLOAT16, BFLOAT16.
 * @param [out] dwGate: optional output. Gradient of wGate. The shape and data type are those of wGate; supplied
 *     together with wGate, gradInject and inject, or omitted together with them. FLOAT16, BFLOAT16.
 * @param [out] dgamma: optional output. Gradient of gamma. The shape is that of gamma; supplied together with gamma, or
 *     omitted together with it. FLOAT32.
 * @param [in] channels: Number of channels C. C is a positive integer, C ≤ 20.
 * @param [out] workspaceSize: bytes of device memory that the second phase needs.
 * @param [out] executor: holds the prepared computation.
 * @return 161001: A required tensor, workspaceSize, or executor is a null pointer, or optional parameters are not
 *     supplied in the required groups.
 * @return 161002: The data type, rank, or shape of a tensor does not match the parameter table; channels is outside
 *     [1,20] or does not divide D; R is outside [1,640]; B or S is negative, or B*S exceeds the INT64 range.
 * @return 561101: The executor cannot be created.
 * @return 561103: The combination of sizes does not satisfy the specification, or a tensor needed for the computation
 *     cannot be created.
 */
ACLNN_API aclnnStatus aclnnTextGatedResidualGradGetWorkspaceSize(
    const aclTensor* gradMixed, const aclTensor* x, const aclTensor* wDown, const aclTensor* wUp,
    const aclTensor* invRms, const aclTensor* downPreAct, const aclTensor* up, const aclTensor* gradInject,
    const aclTensor* wGate, const aclTensor* gamma, const aclTensor* inject, int64_t channels, aclTensor* dx,
    aclTensor* dwDown, aclTensor* dwUp, aclTensor* dwGate, aclTensor* dgamma, uint64_t* workspaceSize,
    aclOpExecutor** executor);

/**
 * Second phase: queues the computation on the stream.
 * @param [in] workspace: device memory of workspaceSize bytes; may be null when workspaceSize is 0.
 * @param [in] workspaceSize: as the first phase returned it.
 * @param [in] executor: as the first phase returned it.
 * @param [in] stream: the stream that computes.
 */
ACLNN_API aclnnStatus aclnnTextGatedResidualGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif // OP_API_INC_LEVEL2_ACLNN_TEXT_GATED_RESIDUAL_GRAD_H
