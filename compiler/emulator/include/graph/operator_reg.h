// REG_OP and its clauses. Graph mode is not emulated: a proto is kept only to compare it with the definition (OP_ADD).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/operator.h"
#include "graph/types.h"

namespace ge {

struct TensorType {
    TensorType(DataType type) : types{type} {}
    TensorType(const std::initializer_list<DataType>& list) : types(list) {}
    static TensorType ALL() { return TensorType(std::initializer_list<DataType>{}); }  // no list: nothing to compare
    static TensorType BasicType() { return ALL(); }
    static TensorType NumberType() { return ALL(); }
    static TensorType RealNumberType() { return ALL(); }
    static TensorType FLOAT() { return TensorType({DT_FLOAT16, DT_FLOAT, DT_BF16, DT_DOUBLE}); }
    static TensorType IndexNumberType() { return TensorType({DT_INT32, DT_INT64}); }

    std::vector<DataType> types;
};

struct Promote {
    Promote(const std::initializer_list<const char*>&) {}
};

namespace proto {
using Int = int64_t;
using Float = float;
using Bool = bool;
using String = std::string;
using Type = DataType;
using ListInt = std::vector<int64_t>;
using ListFloat = std::vector<float>;
using ListBool = std::vector<bool>;
using ListString = std::vector<std::string>;
using ListType = std::vector<DataType>;
using ListListInt = std::vector<std::vector<int64_t>>;
using Tensor = int64_t;
}  // namespace proto

// One REG_OP in the order of its clauses. The constructor of the last clause hands it to the emulator.
struct OperatorProto {
    struct Port {
        std::string name;
        std::string kind;  // "required", "optional", "dynamic"
        std::vector<DataType> types;
    };
    struct Attribute {
        std::string name;
        std::string type;  // "Float", "Int", ...
        bool required;
    };

    OperatorProto(const char* type, const char* file, int line) : type(type), file(file), line(line) {}

    OperatorProto& Input(const char* name, const char* kind, const TensorType& types)
    {
        inputs.push_back({name, kind, types.types});
        return *this;
    }
    OperatorProto& Output(const char* name, const char* kind, const TensorType& types)
    {
        outputs.push_back({name, kind, types.types});
        return *this;
    }
    template <typename T>
    OperatorProto& Attr(const char* name, const char* attributeType, const T&)
    {
        attributes.push_back({name, attributeType, false});
        return *this;
    }
    OperatorProto& RequiredAttr(const char* name, const char* attributeType)
    {
        attributes.push_back({name, attributeType, true});
        return *this;
    }
    bool End();  // defined in the runtime

    std::string type;
    std::string file;
    int line;
    std::vector<Port> inputs;
    std::vector<Port> outputs;
    std::vector<Attribute> attributes;
};

}  // namespace ge

#define REG_OP(x)                                                   \
    namespace op {                                                  \
    class x : public ::ge::Operator {                               \
    public:                                                         \
        explicit x(const char* name = #x) : ::ge::Operator(name) {} \
    };                                                              \
    }                                                               \
    static const bool ascgradProto##x = ::ge::OperatorProto(#x, __FILE__, __LINE__)

#define INPUT(name, ...) Input(#name, "required", __VA_ARGS__)
#define OPTIONAL_INPUT(name, ...) Input(#name, "optional", __VA_ARGS__)
#define DYNAMIC_INPUT(name, ...) Input(#name, "dynamic", __VA_ARGS__)
#define OUTPUT(name, ...) Output(#name, "required", __VA_ARGS__)
#define DYNAMIC_OUTPUT(name, ...) Output(#name, "dynamic", __VA_ARGS__)
#define ATTR(name, Type, ...) Attr<::ge::proto::Type>(#name, #Type, __VA_ARGS__)
#define REQUIRED_ATTR(name, Type) RequiredAttr(#name, #Type)
#define OP_END_FACTORY_REG(x) \
    End();                    \
    static_assert(sizeof(op::x) > 0, "OP_END_FACTORY_REG names another operator than REG_OP");
