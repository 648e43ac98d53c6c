// One set of OP_LOG* for opdev/op_log.h (first argument of OP_LOGE: a status) and log/log.h (first argument: who).
#pragma once

#include "host/report.h"

#define OP_LOGE(source, ...) ASCGRAD_LOG_ERROR(source, __VA_ARGS__)
#define OP_LOGE_WITHOUT_REPORT(source, ...) ASCGRAD_LOG_ERROR(source, __VA_ARGS__)
#define D_OP_LOGE(source, ...) ASCGRAD_LOG_ERROR(source, __VA_ARGS__)

// OP_LOGW/I/D take a format first in opdev/op_log.h and a name first in log/log.h: neither is a message to a user.
namespace emulator {
template <typename... T>
inline void IgnoreLog(const T&...)
{
}
}  // namespace emulator

#define OP_LOGW(...) ::emulator::IgnoreLog(__VA_ARGS__)
#define OP_LOGI(...) ::emulator::IgnoreLog(__VA_ARGS__)
#define OP_LOGD(...) ::emulator::IgnoreLog(__VA_ARGS__)
#define OP_EVENT(...) ::emulator::IgnoreLog(__VA_ARGS__)
#define D_OP_LOGW(...) ::emulator::IgnoreLog(__VA_ARGS__)
#define D_OP_LOGI(...) ::emulator::IgnoreLog(__VA_ARGS__)
#define D_OP_LOGD(...) ::emulator::IgnoreLog(__VA_ARGS__)
