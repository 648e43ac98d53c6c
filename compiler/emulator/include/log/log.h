// Logging of host code by context or name (opbase, op_common/log/log.h; not part of 8.1.RC1).
#pragma once

#include <sstream>
#include <string>

#include "exe_graph/runtime/shape.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"
#include "host/log_macros.h"

#define OP_LOGE_IF(condition, result, name, ...) \
    do {                                         \
        if (condition) {                         \
            OP_LOGE(name, __VA_ARGS__);          \
            return result;                       \
        }                                        \
    } while (0)

// Acts when the condition is true: the opposite of OP_CHECK of opdev/op_log.h.
#define OP_CHECK_IF(condition, log, ...) \
    do {                                 \
        if (condition) {                 \
            log;                         \
            __VA_ARGS__;                 \
        }                                \
    } while (0)

#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer)            \
    do {                                                        \
        if ((pointer) == nullptr) {                             \
            OP_LOGE(context, "%s is a null pointer", #pointer); \
            return ::ge::GRAPH_FAILED;                          \
        }                                                       \
    } while (0)
