#pragma once

#include "opdev/op_executor.h"

namespace l0op {

// x itself, a view of it, or a contiguous copy in the workspace; null when the view leaves its storage.
const aclTensor* Contiguous(const aclTensor* x, aclOpExecutor* executor);

// Brings x into y. A contiguous y takes over the storage of a workspace tensor x: no copy.
const aclTensor* ViewCopy(const aclTensor* x, const aclTensor* y, aclOpExecutor* executor);

}  // namespace l0op
