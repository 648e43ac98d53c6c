// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file aclnn_swiglu_group_quant_grad.h
 * \brief The two-phase aclnn interface of SwigluGroupQuantGrad.
 */

#ifndef OP_API_INC_LEVEL2_ACLNN_SWIGLU_GROUP_QUANT_GRAD_H
#define OP_API_INC_LEVEL2_ACLNN_SWIGLU_GROUP_QUANT_GRAD_H

#include "aclnn/aclnn_base.h"

#ifndef ACLNN_API
#define ACLNN_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * First phase: checks the parameters, returns the size of the workspace and an executor.
 * @param [in] gradY: input. Gradient of the forward output y. Its shape is [..., H]. FLOAT16, BFLOAT16, FLOAT.
 * @param [in] x: input. Forward input; the first half of its last dimension is x0, the second half is x1. Its shape is
 *     [..., 2*H]. Its data type is that of gradY. FLOAT16, BFLOAT16, FLOAT.
 * @param [in] weight: optional input. Weight of each row. Its number of elements is the product of the leading
 *     dimensions of gradY. When supplied, yOrigin must be supplied too. FLOAT.
 * @param [in] yOrigin: optional input. SwiGLU activation of the forward before it is multiplied by weight. Its shape is
 *     [..., H]. Its data type is that of gradY. Used for gradWeight alone; ignored when weight is absent. FLOAT16,
 *     BFLOAT16, FLOAT.
 * @param [in] groupIndex: optional input. Number of rows of each expert group (counts, not a running sum). Its shape is
 *     [G]. The sum is clamped to [0, T]; rows beyond it are not read and their outputs are 0. INT64.
 * @param [out] gradX: output. Gradient of x. Its shape is [..., 2*H]. Its shape and data type are that of x. FLOAT16,
 *     BFLOAT16, FLOAT.
 * @param [out] gradWeight: optional output. Gradient of weight. Its number of elements is the product of the leading
 *     dimensions of gradY. Its shape and data type are that of weight. Must be supplied when weight is. FLOAT.
 * @param [in] clampLimit: Threshold c of the clamp. -1.0 switches the clamp off; otherwise it must be above 0.0.
 * @param [out] workspaceSize: bytes of device memory that the second phase needs.
 * @param [out] executor: holds the prepared computation.
 * @return 161001: gradY, x, gradX, workspaceSize or executor is a null pointer. weight is supplied and gradWeight is a
 *     null pointer.
 * @return 161002: The data type of gradY, x, yOrigin or gradX is none of FLOAT16, BFLOAT16 or FLOAT, or they differ.
 *     The data type of weight or gradWeight is not FLOAT; the data type of groupIndex is not INT64. The format of a
 *     tensor is a private one.
 * @return 561002: clampLimit is neither -1.0 nor above 0 (NaN included). weight is supplied without yOrigin. The rank
 *     of a tensor is not supported. The leading dimensions of x or yOrigin are not those of gradY. The last dimension
 *     of x is not 2*H; the last dimension of yOrigin is not H. H is 0. The number of elements of weight is not the
 *     product of the leading dimensions of gradY. The shape of gradX is not that of x; the shape of gradWeight is not
 *     that of weight. The number of bytes of a tensor exceeds what INT64 holds.
 * @return 561101: The executor cannot be created.
 * @return 561103: An intermediate tensor cannot be created, or a strided tensor exceeds its storage.
 */
ACLNN_API aclnnStatus aclnnSwigluGroupQuantGradGetWorkspaceSize(const aclTensor* gradY, const aclTensor* x,
                                                                const aclTensor* weight, const aclTensor* yOrigin,
                                                                const aclTensor* groupIndex, double clampLimit,
                                                                const aclTensor* gradX, const aclTensor* gradWeight,
                                                                uint64_t* workspaceSize, aclOpExecutor** executor);

/**
 * Second phase: queues the computation on the stream.
 * @param [in] workspace: device memory of workspaceSize bytes; may be null when workspaceSize is 0.
 * @param [in] workspaceSize: as the first phase returned it.
 * @param [in] executor: as the first phase returned it.
 * @param [in] stream: the stream that computes.
 */
ACLNN_API aclnnStatus aclnnSwigluGroupQuantGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif // OP_API_INC_LEVEL2_ACLNN_SWIGLU_GROUP_QUANT_GRAD_H
