// The profiling macros: what they check is kept, what they measure is not.
#pragma once

#include <tuple>

#include "aclnn/acl_meta.h"
#include "graph/ascend_string.h"
#include "opdev/format_utils.h"
#include "opdev/op_arg_def.h"
#include "opdev/op_log.h"

namespace op {

constexpr bool ValidDfxName(const char* expected, const char* actual)
{
    while (*expected != '\0' && *expected == *actual) {
        ++expected;
        ++actual;
    }
    return *expected == *actual;
}

struct OpDfxGuard {
    explicit OpDfxGuard(const char* name);
};

}  // namespace op

aclnnStatus CheckPhase1Params(aclOpExecutor** executor, uint64_t* workspaceSize);
void InitL2Phase2Context(const char* name, aclOpExecutor* executor);

#define DFX_IN(...) std::make_tuple(__VA_ARGS__)
#define DFX_OUT(...) std::make_tuple(__VA_ARGS__)

#define OP_TYPE_REGISTER(Op)                                            \
    [[maybe_unused]] uint32_t Op##_kernelName_Be_Defined_Multi_Times__; \
    [[maybe_unused]] inline const char* Op##OpTypeId() { return #Op; }

#define L2_DFX_PHASE_1(Api, in, out)                                               \
    static_assert(op::ValidDfxName(#Api "GetWorkspaceSize", __func__),             \
                  "L2_DFX_PHASE_1: the function is not " #Api "GetWorkspaceSize"); \
    if (CheckPhase1Params(executor, workspaceSize) != ACLNN_SUCCESS) {             \
        return ACLNN_ERR_PARAM_NULLPTR;                                            \
    }                                                                              \
    (void)in;                                                                      \
    (void)out;                                                                     \
    [[maybe_unused]] op::OpDfxGuard opDfxGuard(__func__)

#define L2_DFX_PHASE_1_WITHOUT_CACHE(Api, in, out) L2_DFX_PHASE_1(Api, in, out)

#define L2_DFX_PHASE_2(Api)                                                                       \
    static_assert(op::ValidDfxName(#Api, __func__), "L2_DFX_PHASE_2: the function is not " #Api); \
    InitL2Phase2Context(#Api, executor);                                                          \
    [[maybe_unused]] op::OpDfxGuard opDfxGuard(__func__)

#define L0_DFX(Name, ...)                                                                   \
    static_assert(op::ValidDfxName(#Name, __func__), "L0_DFX: the function is not " #Name); \
    (void)executor;                                                                         \
    (void)std::make_tuple(__VA_ARGS__);                                                     \
    [[maybe_unused]] op::OpDfxGuard opDfxGuard(__func__)
