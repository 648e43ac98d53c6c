// The aclnn interface of one operator, with the arguments of a request. Compiled for each operator with
//     -DACLNN_HEADER="aclnn_x.h" -DACLNN_GET_WORKSPACE=aclnnXGetWorkspaceSize -DACLNN_EXECUTE=aclnnX
#include <cstdlib>
#include <tuple>

#include ACLNN_HEADER
#include "harness.h"

namespace emulator {
namespace {

template <typename T>
T Parse(const std::string& text)
{
    if constexpr (std::is_same_v<T, bool>) {
        return text == "1";
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(std::stoll(text));
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(std::strtod(text.c_str(), nullptr));  // also inf and nan
    } else if constexpr (std::is_convertible_v<char*, T>) {
        return const_cast<char*>(text.c_str());
    } else if constexpr (std::is_convertible_v<aclIntArray*, T>) {
        const std::vector<int64_t> list = ParseList(text);
        return aclCreateIntArray(list.data(), list.size());
    } else {
        static_assert(std::is_convertible_v<aclFloatArray*, T>, "a parameter type that the harness does not know");
        const std::vector<float> list = ParseFloats(text);
        return aclCreateFloatArray(list.data(), list.size());
    }
}

template <typename T>
T Next(Arguments& arguments)
{
    if constexpr (std::is_same_v<T, uint64_t*>) {
        return arguments.workspaceSize;
    } else if constexpr (std::is_same_v<T, aclOpExecutor**>) {
        return arguments.executor;
    } else if constexpr (std::is_same_v<T, const aclTensor*> || std::is_same_v<T, aclTensor*>) {
        return arguments.NextTensor();
    } else {
        return Parse<T>(arguments.NextAttribute());
    }
}

template <typename... P>
aclnnStatus Call(aclnnStatus (*function)(P...), Arguments& arguments)
{
    // Braces fix the order of evaluation from left to right.
    const std::tuple<P...> values{Next<P>(arguments)...};
    if (!arguments.Done()) {
        throw std::invalid_argument("request: more tensors or attributes than parameters");
    }
    return std::apply(function, values);
}

}  // namespace

aclnnStatus FirstPhase(Arguments& arguments) { return Call(&ACLNN_GET_WORKSPACE, arguments); }

aclnnStatus SecondPhase(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor)
{
    return ACLNN_EXECUTE(workspace, workspaceSize, executor, nullptr);
}

}  // namespace emulator
