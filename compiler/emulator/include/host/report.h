// What the host side of the emulator tells its caller: findings, and the log lines of the code that it runs.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace emulator {

// A rule of the toolkit or the runtime that does not hold, although the call itself may have gone through.
void Report(const std::string& kind, const char* file, int line, const std::string& message);

// An error line of the code that runs; the first of a request becomes its message.
void LogError(const std::string& source, const char* file, int line, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// The first argument of OP_LOGE is a status code in op_api files, a context or a name elsewhere.
template <typename T>
std::string LogSource(const T& first)
{
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        return std::to_string(static_cast<int64_t>(first));
    } else if constexpr (std::is_same_v<T, std::string>) {
        return first;
    } else if constexpr (std::is_convertible_v<T, const char*>) {
        const char* text = first;
        return text == nullptr ? "" : text;
    } else {
        return first == nullptr ? "" : first->GetNodeName();
    }
}

}  // namespace emulator

#define ASCGRAD_LOG_ERROR(source, ...) \
    ::emulator::LogError(::emulator::LogSource(source), __FILE__, __LINE__, __VA_ARGS__)
