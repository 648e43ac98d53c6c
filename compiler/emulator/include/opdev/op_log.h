#pragma once

#include "host/log_macros.h"
#include "opdev/op_errno.h"

#define CHECK_RET(condition, result) \
    do {                             \
        if (!(condition)) {          \
            return result;           \
        }                            \
    } while (0)

#define CHECK_RET_CODE(call, ...)                \
    do {                                         \
        const auto checkedStatus = (call);       \
        if (checkedStatus != ACLNN_SUCCESS) {    \
            OP_LOGE(checkedStatus, __VA_ARGS__); \
            return checkedStatus;                \
        }                                        \
    } while (0)

#define CHECK_COND(condition, result, ...) \
    do {                                   \
        if (!(condition)) {                \
            OP_LOGE(result, __VA_ARGS__);  \
            return result;                 \
        }                                  \
    } while (0)

// Acts when the condition is false: the opposite of OP_CHECK_IF of log/log.h.
#define OP_CHECK(condition, log, ...) \
    do {                              \
        if (!(condition)) {           \
            log;                      \
            __VA_ARGS__;              \
        }                             \
    } while (0)

#define OP_CHECK_NO_RETURN(condition, log) \
    do {                                   \
        if (!(condition)) {                \
            log;                           \
        }                                  \
    } while (0)
