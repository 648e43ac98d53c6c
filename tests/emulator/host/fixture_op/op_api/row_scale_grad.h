#ifndef ROW_SCALE_GRAD_L0_H
#define ROW_SCALE_GRAD_L0_H

#include <array>

#include "opdev/op_executor.h"

namespace l0op {

std::array<const aclTensor*, 2> RowScaleGrad(const aclTensor* gradY, const aclTensor* weight, const aclTensor* x,
                                             float scale, aclOpExecutor* executor);

}  // namespace l0op

#endif
