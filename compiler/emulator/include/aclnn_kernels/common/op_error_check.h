// The checks of op_api code; the last argument is a statement such as `return false`.
#pragma once

#include "opdev/common_types.h"
#include "opdev/data_type_utils.h"
#include "opdev/op_log.h"
#include "opdev/shape_utils.h"

#define OP_CHECK_NULL(param, ...)                                                        \
    if ((param) == nullptr) {                                                            \
        OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "%s is a null pointer, want a tensor", #param); \
        __VA_ARGS__;                                                                     \
    }

#define OP_CHECK_DTYPE_NOT_SUPPORT(tensor, supported, ...)                                               \
    if (!op::CheckType((tensor)->GetDataType(), supported)) {                                            \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got dtype %s, want one of %s", #tensor,                    \
                op::ToString((tensor)->GetDataType()).GetString(), op::ToString(supported).GetString()); \
        __VA_ARGS__;                                                                                     \
    }

#define OP_CHECK_DTYPE_NOT_MATCH(tensor, expected, ...)                                                 \
    if ((tensor)->GetDataType() != (expected)) {                                                        \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got dtype %s, want %s", #tensor,                          \
                op::ToString((tensor)->GetDataType()).GetString(), op::ToString(expected).GetString()); \
        __VA_ARGS__;                                                                                    \
    }

#define OP_CHECK_DTYPE_NOT_SAME(first, second, ...)                                                                  \
    if ((first)->GetDataType() != (second)->GetDataType()) {                                                         \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got dtype %s, want %s as %s has", #second,                             \
                op::ToString((second)->GetDataType()).GetString(), op::ToString((first)->GetDataType()).GetString(), \
                #first);                                                                                             \
        __VA_ARGS__;                                                                                                 \
    }

#define OP_CHECK_SHAPE_NOT_EQUAL(first, second, ...)                                                                   \
    if ((first)->GetViewShape() != (second)->GetViewShape()) {                                                         \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got shape %s, want %s as %s has", #first,                                \
                op::ToString((first)->GetViewShape()).GetString(), op::ToString((second)->GetViewShape()).GetString(), \
                #second);                                                                                              \
        __VA_ARGS__;                                                                                                   \
    }

#define OP_CHECK_SHAPE_NOT_EQUAL_WITH_EXPECTED_SIZE(tensor, shape, ...)                               \
    if ((tensor)->GetViewShape() != (shape)) {                                                        \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got shape %s, want %s", #tensor,                        \
                op::ToString((tensor)->GetViewShape()).GetString(), op::ToString(shape).GetString()); \
        __VA_ARGS__;                                                                                  \
    }

#define OP_CHECK_WRONG_DIMENSION(tensor, dimensions, ...)                               \
    if ((tensor)->GetViewShape().GetDimNum() != static_cast<size_t>(dimensions)) {      \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got %zu dimensions, want %zu", #tensor,   \
                (tensor)->GetViewShape().GetDimNum(), static_cast<size_t>(dimensions)); \
        __VA_ARGS__;                                                                    \
    }

#define OP_CHECK_MAX_DIM(tensor, dimensions, ...)                                             \
    if ((tensor)->GetViewShape().GetDimNum() > static_cast<size_t>(dimensions)) {             \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got %zu dimensions, want at most %zu", #tensor, \
                (tensor)->GetViewShape().GetDimNum(), static_cast<size_t>(dimensions));       \
        __VA_ARGS__;                                                                          \
    }

#define OP_CHECK_MIN_DIM(tensor, dimensions, ...)                                              \
    if ((tensor)->GetViewShape().GetDimNum() < static_cast<size_t>(dimensions)) {              \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got %zu dimensions, want at least %zu", #tensor, \
                (tensor)->GetViewShape().GetDimNum(), static_cast<size_t>(dimensions));        \
        __VA_ARGS__;                                                                           \
    }

#define OP_CHECK_BROADCAST(first, second, ...)                                         \
    if (!op::CheckBroadcastShape((first)->GetViewShape(), (second)->GetViewShape())) { \
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s %s and %s %s do not broadcast", #first,   \
                op::ToString((first)->GetViewShape()).GetString(), #second,            \
                op::ToString((second)->GetViewShape()).GetString());                   \
        __VA_ARGS__;                                                                   \
    }

#define OP_CHECK_COMM_INPUT(workspaceSize, executor)                                     \
    if ((workspaceSize) == nullptr || (executor) == nullptr) {                           \
        OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "workspaceSize or executor is a null pointer"); \
        return ACLNN_ERR_PARAM_NULLPTR;                                                  \
    }

#define OP_CHECK_ADD_TO_LAUNCHER_LIST_AICORE(condition, result, ...)    \
    if (condition) {                                                    \
        OP_LOGE(ACLNN_ERR_INNER_STATIC_WORKSPACE_INVALID, __VA_ARGS__); \
        result;                                                         \
    }

#define OP_CHECK_INFERSHAPE(condition, result, ...)             \
    if (condition) {                                            \
        OP_LOGE(ACLNN_ERR_INNER_INFERSHAPE_ERROR, __VA_ARGS__); \
        result;                                                 \
    }
