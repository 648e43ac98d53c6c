#pragma once

#include "opdev/common_types.h"

namespace op {

// Strides against row-major ones, dimensions of size 1 left out; the offset does not count. Null is contiguous.
bool IsContiguous(const aclTensor* tensor);
// The smallest and the largest element that the view addresses lie inside the storage.
bool Validate(const aclTensor* tensor);
bool CanPickViewAsContiguous(const aclTensor* tensor);

}  // namespace op
