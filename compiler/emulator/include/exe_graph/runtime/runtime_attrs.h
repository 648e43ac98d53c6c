#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "exe_graph/runtime/continuous_vector.h"
#include "host/report.h"

namespace emulator {

// An attribute as the aclnn path stores it: by the C++ type that OP_ATTR received (opbase, kernel_context_holder.h).
// Integers of every width, and bool, take 8 bytes; float takes 4 and double 8.
struct Attribute {
    enum class Kind { INT, BOOL, FLOAT, DOUBLE, STRING, LIST_INT, LIST_FLOAT, LIST_BOOL };

    static Attribute Int(int64_t value);
    static Attribute Bool(bool value);
    static Attribute Float(float value);
    static Attribute Double(double value);
    static Attribute String(const std::string& value);
    static Attribute ListInt(std::vector<int64_t> value);
    static Attribute ListFloat(std::vector<float> value);
    static Attribute ListBool(const std::vector<bool>& value);

    const void* Address() const;
    std::string Text() const;

    std::string name;
    Kind kind = Kind::INT;
    int64_t integer = 0;  // INT and BOOL: little-endian, so its first byte is the bool
    float single = 0;
    double real = 0;
    std::string text;
    gert::TypedContinuousVector<int64_t> integers;
    gert::TypedContinuousVector<float> singles;
    gert::TypedContinuousVector<uint8_t> booleans;
};

const char* KindName(Attribute::Kind kind);

// Which kind a reader of type T expects.
template <typename T>
constexpr bool Reads(Attribute::Kind kind)
{
    if constexpr (std::is_same_v<T, bool>) {
        return kind == Attribute::Kind::BOOL;
    } else if constexpr (std::is_same_v<T, char>) {
        return kind == Attribute::Kind::STRING;
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        return kind == Attribute::Kind::INT && sizeof(T) == sizeof(int64_t);
    } else if constexpr (std::is_same_v<T, float>) {
        return kind == Attribute::Kind::FLOAT;
    } else if constexpr (std::is_same_v<T, double>) {
        return kind == Attribute::Kind::DOUBLE;
    } else if constexpr (std::is_same_v<T, gert::TypedContinuousVector<int64_t>>) {
        return kind == Attribute::Kind::LIST_INT;
    } else if constexpr (std::is_same_v<T, gert::TypedContinuousVector<float>>) {
        return kind == Attribute::Kind::LIST_FLOAT;
    } else {
        return true;
    }
}

template <typename T>
std::string TypeName()
{
    if constexpr (std::is_same_v<T, bool>) {
        return "bool";
    } else if constexpr (std::is_same_v<T, char>) {
        return "string";
    } else if constexpr (std::is_arithmetic_v<T>) {
        return (std::is_floating_point_v<T> ? "float" : "int") + std::to_string(8 * sizeof(T));
    } else {
        return "another type";
    }
}

void ReportAttributeType(const Attribute& attribute, const std::string& reader);

}  // namespace emulator

namespace gert {

class RuntimeAttrs {
public:
    explicit RuntimeAttrs(const std::vector<emulator::Attribute>* attributes) : attributes_(attributes) {}

    // The toolkit cannot tell a read with another type than the stored one; here it is a finding.
    template <typename T>
    const T* GetAttrPointer(size_t index) const
    {
        if (index >= attributes_->size()) {
            return nullptr;
        }
        const emulator::Attribute& attribute = (*attributes_)[index];
        if (!emulator::Reads<T>(attribute.kind)) {
            emulator::ReportAttributeType(attribute, emulator::TypeName<T>());
        }
        return static_cast<const T*>(attribute.Address());
    }
    const int64_t* GetInt(size_t index) const { return GetAttrPointer<int64_t>(index); }
    const float* GetFloat(size_t index) const { return GetAttrPointer<float>(index); }
    const bool* GetBool(size_t index) const { return GetAttrPointer<bool>(index); }
    const char* GetStr(size_t index) const { return GetAttrPointer<char>(index); }
    const TypedContinuousVector<int64_t>* GetListInt(size_t index) const
    {
        return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
    }
    const TypedContinuousVector<float>* GetListFloat(size_t index) const
    {
        return GetAttrPointer<TypedContinuousVector<float>>(index);
    }
    size_t GetAttrNum() const { return attributes_->size(); }

private:
    const std::vector<emulator::Attribute>* attributes_;
};

}  // namespace gert
