// OP_INPUT, OP_OUTPUT, OP_ATTR: typed lists of what a kernel launch receives.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "exe_graph/runtime/runtime_attrs.h"
#include "opdev/common_types.h"

namespace emulator {

// One port: no tensor for an absent optional, several for a dynamic one.
using PortTensors = std::vector<const aclTensor*>;

struct OpArguments {
    std::vector<PortTensors> inputs;
    std::vector<PortTensors> outputs;
    std::vector<Attribute> attributes;
};

struct InputArguments {
    std::vector<PortTensors> ports;
};
struct OutputArguments {
    std::vector<PortTensors> ports;
};
struct AttributeArguments {
    std::vector<Attribute> attributes;
};
struct IgnoredArguments {};

inline void AddPort(std::vector<PortTensors>& ports, std::nullptr_t) { ports.emplace_back(); }
inline void AddPort(std::vector<PortTensors>& ports, const aclTensor* tensor)
{
    ports.push_back(tensor == nullptr ? PortTensors{} : PortTensors{tensor});
}
void AddPort(std::vector<PortTensors>& ports, const aclTensorList* list);

inline void AddAttribute(std::vector<Attribute>& list, const char* value)
{
    list.push_back(Attribute::String(value == nullptr ? "" : value));
}
inline void AddAttribute(std::vector<Attribute>& list, const std::string& value)
{
    list.push_back(Attribute::String(value));
}
void AddAttribute(std::vector<Attribute>& list, const aclIntArray* value);
void AddAttribute(std::vector<Attribute>& list, const aclFloatArray* value);
void AddAttribute(std::vector<Attribute>& list, const aclBoolArray* value);
template <typename T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, int> = 0>
void AddAttribute(std::vector<Attribute>& list, T value)
{
    if constexpr (std::is_same_v<T, bool>) {
        list.push_back(Attribute::Bool(value));
    } else if constexpr (std::is_same_v<T, float>) {
        list.push_back(Attribute::Float(value));
    } else if constexpr (std::is_same_v<T, double>) {
        list.push_back(Attribute::Double(value));
    } else {
        list.push_back(Attribute::Int(static_cast<int64_t>(value)));
    }
}

template <typename... T>
InputArguments MakeInputs(const T&... tensors)
{
    InputArguments result;
    (AddPort(result.ports, tensors), ...);
    return result;
}
template <typename... T>
OutputArguments MakeOutputs(const T&... tensors)
{
    OutputArguments result;
    (AddPort(result.ports, tensors), ...);
    return result;
}
template <typename... T>
AttributeArguments MakeAttributes(const T&... values)
{
    AttributeArguments result;
    (AddAttribute(result.attributes, values), ...);
    return result;
}
template <typename... T>
IgnoredArguments MakeIgnored(const T&...)
{
    return {};
}

inline void Collect(OpArguments& arguments, InputArguments&& given) { arguments.inputs = std::move(given.ports); }
inline void Collect(OpArguments& arguments, OutputArguments&& given) { arguments.outputs = std::move(given.ports); }
inline void Collect(OpArguments& arguments, AttributeArguments&& given)
{
    arguments.attributes = std::move(given.attributes);
}
inline void Collect(OpArguments&, IgnoredArguments&&) {}

template <typename... T>
OpArguments CollectAll(T&&... groups)
{
    OpArguments arguments;
    (Collect(arguments, std::forward<T>(groups)), ...);
    return arguments;
}

}  // namespace emulator

#define OP_INPUT(...) ::emulator::MakeInputs(__VA_ARGS__)
#define OP_OUTPUT(...) ::emulator::MakeOutputs(__VA_ARGS__)
#define OP_ATTR(...) ::emulator::MakeAttributes(__VA_ARGS__)
#define OP_WORKSPACE(...) ::emulator::MakeIgnored(__VA_ARGS__)
#define OP_OUTSHAPE(...) ::emulator::MakeIgnored(__VA_ARGS__)
#define OP_OPTION(...) ::emulator::MakeIgnored(__VA_ARGS__)
#define OP_MODE(...) ::emulator::MakeIgnored(__VA_ARGS__)
#define OP_EMPTY_ARG ::emulator::MakeIgnored()
