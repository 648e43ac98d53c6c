// ops::OpDef: the definition of an operator, kept as plain data.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/operator.h"
#include "graph/types.h"
#include "register/op_impl_registry.h"

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FormatCheckOption : uint32_t { DEFAULT = 0, STRICT = 1, MAX };
enum class DependScope : uint32_t { ALL = 0, TILING = 1, INVALID_SCOPE };
enum class FollowType : uint32_t { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE };
enum class CommentSection : uint32_t {
    CATEGORY = 0,
    BRIEF = 1,
    CONSTRAINTS = 2,
    RESTRICTIONS = 3,
    SEE = 4,
    THIRDPARTYFWKCOMPAT = 5,
    SECTION_MAX
};

class OpParamDef {
public:
    explicit OpParamDef(const char* name) : name(name) {}

    OpParamDef& ParamType(Option option) { return Set(paramType, option); }
    OpParamDef& DataType(std::vector<ge::DataType> types) { return Set(dataTypes, types); }
    OpParamDef& DataTypeList(std::vector<ge::DataType> types) { return Set(dataTypeList, types); }
    OpParamDef& Format(std::vector<ge::Format> list) { return Set(formats, list); }
    OpParamDef& FormatList(std::vector<ge::Format>) { return *this; }
    OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
    OpParamDef& FormatForBinQuery(std::vector<ge::Format>) { return *this; }
    OpParamDef& UnknownShapeFormat(std::vector<ge::Format> list) { return Set(unknownShapeFormats, list); }
    OpParamDef& ValueDepend(Option option) { return Set(valueDepend, option); }
    OpParamDef& ValueDepend(Option option, DependScope) { return Set(valueDepend, option); }
    OpParamDef& IgnoreContiguous() { return *this; }
    OpParamDef& AutoContiguous() { return Set(autoContiguous, true); }
    OpParamDef& Scalar() { return *this; }
    OpParamDef& ScalarList() { return *this; }
    OpParamDef& To(ge::DataType) { return *this; }
    OpParamDef& To(const char*) { return *this; }
    OpParamDef& Version(uint32_t) { return *this; }
    OpParamDef& InitValue(uint64_t) { return *this; }
    OpParamDef& OutputShapeDependOnCompute() { return *this; }
    OpParamDef& Follow(const char*) { return *this; }
    OpParamDef& Follow(const char*, FollowType) { return *this; }
    OpParamDef& Comment(const char*) { return *this; }

    std::string name;
    Option paramType = IGNORE;
    std::vector<ge::DataType> dataTypes;
    std::vector<ge::DataType> dataTypeList;
    std::vector<ge::Format> formats;
    std::vector<ge::Format> unknownShapeFormats;
    Option valueDepend = IGNORE;
    bool autoContiguous = false;

private:
    template <typename T, typename V>
    OpParamDef& Set(T& field, const V& value)
    {
        field = value;
        return *this;
    }
};

class OpAttrDef {
public:
    explicit OpAttrDef(const char* name) : name(name) {}

    OpAttrDef& AttrType(Option option)
    {
        attrType = option;
        return *this;
    }
    OpAttrDef& Bool() { return Set(Kind::BOOL); }
    OpAttrDef& Bool(bool value) { return Set(emulator::Attribute::Bool(value)); }
    OpAttrDef& Float() { return Set(Kind::FLOAT); }
    OpAttrDef& Float(float value) { return Set(emulator::Attribute::Float(value)); }
    OpAttrDef& Int() { return Set(Kind::INT); }
    OpAttrDef& Int(int64_t value) { return Set(emulator::Attribute::Int(value)); }
    OpAttrDef& String() { return Set(Kind::STRING); }
    OpAttrDef& String(const char* value) { return Set(emulator::Attribute::String(value)); }
    OpAttrDef& ListBool() { return Set(Kind::LIST_BOOL); }
    OpAttrDef& ListBool(std::vector<bool> value) { return Set(emulator::Attribute::ListBool(value)); }
    OpAttrDef& ListFloat() { return Set(Kind::LIST_FLOAT); }
    OpAttrDef& ListFloat(std::vector<float> value) { return Set(emulator::Attribute::ListFloat(value)); }
    OpAttrDef& ListInt() { return Set(Kind::LIST_INT); }
    OpAttrDef& ListInt(std::vector<int64_t> value) { return Set(emulator::Attribute::ListInt(value)); }
    OpAttrDef& Version(uint32_t) { return *this; }
    OpAttrDef& Comment(const char*) { return *this; }

    std::string name;
    Option attrType = REQUIRED;
    emulator::Attribute value;  // its kind; and the default, if there is one
    bool hasDefault = false;

private:
    using Kind = emulator::Attribute::Kind;

    OpAttrDef& Set(Kind kind)
    {
        value.kind = kind;
        return *this;
    }
    OpAttrDef& Set(const emulator::Attribute& given)
    {
        value = given;
        hasDefault = true;
        return *this;
    }
};

// Its ports and attributes stand in for those of the operator on one product.
class OpAICoreConfig {
public:
    OpAICoreConfig() = default;
    explicit OpAICoreConfig(const char*) {}

    OpParamDef& Input(const char* name) { return Port(inputs, name); }
    OpParamDef& Output(const char* name) { return Port(outputs, name); }
    OpAICoreConfig& DynamicCompileStaticFlag(bool) { return *this; }
    OpAICoreConfig& DynamicFormatFlag(bool) { return *this; }
    OpAICoreConfig& DynamicRankSupportFlag(bool) { return *this; }
    OpAICoreConfig& DynamicShapeSupportFlag(bool) { return *this; }
    OpAICoreConfig& NeedCheckSupportFlag(bool) { return *this; }
    OpAICoreConfig& PrecisionReduceFlag(bool) { return *this; }
    OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value)
    {
        extended[key] = value;
        return *this;
    }

    static OpParamDef& Port(std::deque<OpParamDef>& ports, const char* name)
    {
        for (OpParamDef& port : ports) {
            if (port.name == name) {
                return port;
            }
        }
        ports.emplace_back(name);
        return ports.back();
    }

    std::deque<OpParamDef> inputs;  // deque: Input() hands out references
    std::deque<OpParamDef> outputs;
    std::map<std::string, std::string> extended;
};

class OpAICoreDef {
public:
    OpAICoreDef& SetTiling(ge::graphStatus (*function)(gert::TilingContext*))
    {
        tiling = function;
        return *this;
    }
    OpAICoreDef& SetCheckSupport(ge::graphStatus (*)(const ge::Operator&, ge::AscendString&)) { return *this; }
    OpAICoreDef& SetOpSelectFormat(ge::graphStatus (*)(const ge::Operator&, ge::AscendString&)) { return *this; }
    OpAICoreDef& AddConfig(const char* soc) { return AddConfig(soc, *std::make_unique<OpAICoreConfig>()); }
    OpAICoreDef& AddConfig(const char* soc, OpAICoreConfig& config)
    {
        configs[soc] = config;
        return *this;
    }

    ge::graphStatus (*tiling)(gert::TilingContext*) = nullptr;
    std::map<std::string, OpAICoreConfig> configs;
};

class OpDef {
public:
    explicit OpDef(const char* type) : type(type) {}

    OpParamDef& Input(const char* name) { return OpAICoreConfig::Port(inputs, name); }
    OpParamDef& Output(const char* name) { return OpAICoreConfig::Port(outputs, name); }
    OpAttrDef& Attr(const char* name)
    {
        attributes.emplace_back(name);
        return attributes.back();
    }
    OpDef& Comment(CommentSection, const char*) { return *this; }
    OpDef& SetInferShape(ge::graphStatus (*function)(gert::InferShapeContext*))
    {
        inferShape = function;
        return *this;
    }
    OpDef& SetInferDataType(ge::graphStatus (*function)(gert::InferDataTypeContext*))
    {
        inferDataType = function;
        return *this;
    }
    OpDef& FormatMatchMode(FormatCheckOption) { return *this; }
    OpDef& EnableFallBack() { return *this; }
    OpAICoreDef& AICore() { return aiCore; }

    std::string type;
    std::deque<OpParamDef> inputs;
    std::deque<OpParamDef> outputs;
    std::deque<OpAttrDef> attributes;
    OpAICoreDef aiCore;
    ge::graphStatus (*inferShape)(gert::InferShapeContext*) = nullptr;
    ge::graphStatus (*inferDataType)(gert::InferDataTypeContext*) = nullptr;
};

}  // namespace ops

namespace emulator {
bool RegisterDefinition(const ops::OpDef& definition, const char* file, int line);
}
