#ifndef ACLNN_ROW_SCALE_GRAD_H
#define ACLNN_ROW_SCALE_GRAD_H

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The weight comes last here and second in the definition. */
__attribute__((visibility("default"))) aclnnStatus aclnnRowScaleGradGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* x, const aclTensor* weightOptional, double scale, aclTensor* gradXOut,
    aclTensor* gradWeightOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

__attribute__((visibility("default"))) aclnnStatus aclnnRowScaleGrad(void* workspace, uint64_t workspaceSize,
                                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
