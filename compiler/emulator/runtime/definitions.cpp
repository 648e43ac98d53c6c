// The maps behind OP_ADD, IMPL_OP and REG_OP, and the checks that the toolkit makes at build time.
#include <algorithm>

#include "graph/operator_reg.h"
#include "host_state.h"

namespace emulator {
namespace {

std::vector<Definition>& MutableDefinitions()
{
    static auto& definitions = *new std::vector<Definition>;
    return definitions;
}

std::vector<ge::OperatorProto>& Protos()
{
    static auto& protos = *new std::vector<ge::OperatorProto>;
    return protos;
}

// Column i of every list is one supported combination, so all lists of all ports have one length.
void CheckColumns(const Definition& definition, const std::vector<const ops::OpParamDef*>& ports,
                  std::vector<Finding>& problems)
{
    const ops::OpParamDef* first = nullptr;
    for (const ops::OpParamDef* port : ports) {
        const auto add = [&](const std::string& message) {
            problems.push_back(
                {"definition", SourcePath(definition.file), definition.line, definition.def.type + ": " + message});
        };
        if (port->paramType == ops::IGNORE) {
            add(port->name + " has no ParamType");
        }
        if (!port->dataTypeList.empty()) {
            add(port->name + " uses DataTypeList, which the emulator does not cross; use DataType");
            continue;
        }
        if (port->dataTypes.empty()) {
            add(port->name + " has no DataType");
            continue;
        }
        if (first == nullptr) {
            first = port;
        }
        if (port->dataTypes.size() != first->dataTypes.size()) {
            add(Format("%s lists %zu data types, want %zu as %s has", port->name.c_str(), port->dataTypes.size(),
                       first->dataTypes.size(), first->name.c_str()));
        }
        for (const auto* formats : {&port->formats, &port->unknownShapeFormats}) {
            if (!formats->empty() && formats->size() != port->dataTypes.size()) {
                add(Format("%s lists %zu formats, want %zu, one for each data type", port->name.c_str(),
                           formats->size(), port->dataTypes.size()));
            }
        }
    }
}

void CheckProto(const ge::OperatorProto& proto, std::vector<Finding>& problems)
{
    const auto add = [&](const std::string& message) {
        problems.push_back({"proto", SourcePath(proto.file), proto.line, proto.type + ": " + message});
    };
    const Definition* definition = FindDefinition(proto.type);
    if (definition == nullptr) {
        add("REG_OP names an operator without OP_ADD");
        return;
    }
    const auto compare = [&](const char* what, const std::vector<ge::OperatorProto::Port>& ports,
                             const std::deque<ops::OpParamDef>& defined) {
        if (ports.size() != defined.size()) {
            add(Format("%zu %ss, want %zu as the definition has", ports.size(), what, defined.size()));
            return;
        }
        for (size_t index = 0; index < ports.size(); ++index) {
            const ge::OperatorProto::Port& port = ports[index];
            if (port.name != defined[index].name) {
                add(Format("%s %zu is %s, want %s as in the definition", what, index, port.name.c_str(),
                           defined[index].name.c_str()));
            }
            if (std::string(what) == "input" &&
                (port.kind == "optional") != (defined[index].paramType == ops::OPTIONAL)) {
                add(port.name + " is optional in one of proto and definition only");
            }
            for (const ge::DataType type : defined[index].dataTypes) {
                if (!port.types.empty() && std::find(port.types.begin(), port.types.end(), type) == port.types.end()) {
                    add(Format("%s lacks %s, which the definition lists", port.name.c_str(), ge::DataTypeName(type)));
                }
            }
        }
    };
    compare("input", proto.inputs, definition->def.inputs);
    compare("output", proto.outputs, definition->def.outputs);
    if (proto.attributes.size() != definition->def.attributes.size()) {
        add(Format("%zu attributes, want %zu as the definition has", proto.attributes.size(),
                   definition->def.attributes.size()));
        return;
    }
    for (size_t index = 0; index < proto.attributes.size(); ++index) {
        if (proto.attributes[index].name != definition->def.attributes[index].name) {
            add(Format("attribute %zu is %s, want %s as in the definition", index, proto.attributes[index].name.c_str(),
                       definition->def.attributes[index].name.c_str()));
        }
    }
}

}  // namespace

Implementation& ImplementationOf(const std::string& type)
{
    static auto& implementations = *new std::map<std::string, Implementation>;
    return implementations[type];
}

bool RegisterDefinition(const ops::OpDef& definition, const char* file, int line)
{
    MutableDefinitions().push_back({definition, file, line});
    Implementation& implementation = ImplementationOf(definition.type);
    if (definition.inferShape != nullptr) {
        implementation.inferShape = definition.inferShape;
    }
    if (definition.inferDataType != nullptr) {
        implementation.inferDataType = definition.inferDataType;
    }
    if (definition.aiCore.tiling != nullptr) {
        implementation.tiling = definition.aiCore.tiling;
    }
    return true;
}

const std::vector<Definition>& Definitions() { return MutableDefinitions(); }

const Definition* FindDefinition(const std::string& type)
{
    for (const Definition& definition : Definitions()) {
        if (definition.def.type == type) {
            return &definition;
        }
    }
    return nullptr;
}

std::vector<const ops::OpParamDef*> Ports(const ops::OpDef& def, const std::string& soc, bool inputs)
{
    const auto config = def.aiCore.configs.find(soc);
    std::vector<const ops::OpParamDef*> result;
    for (const ops::OpParamDef& port : inputs ? def.inputs : def.outputs) {
        result.push_back(&port);
        if (config == def.aiCore.configs.end()) {
            continue;
        }
        for (const ops::OpParamDef& own : inputs ? config->second.inputs : config->second.outputs) {
            if (own.name == port.name) {
                result.back() = &own;
            }
        }
    }
    return result;
}

std::vector<Finding> DefinitionProblems()
{
    std::vector<Finding> problems;
    for (const Definition& definition : Definitions()) {
        std::vector<std::string> products = {""};
        for (const auto& [soc, config] : definition.def.aiCore.configs) {
            if (!config.inputs.empty() || !config.outputs.empty()) {
                products.push_back(soc);
            }
        }
        for (const std::string& soc : products) {
            std::vector<const ops::OpParamDef*> ports = Ports(definition.def, soc, true);
            for (const ops::OpParamDef* output : Ports(definition.def, soc, false)) {
                ports.push_back(output);
            }
            CheckColumns(definition, ports, problems);
        }
        if (definition.def.aiCore.configs.empty()) {
            problems.push_back({"definition", SourcePath(definition.file), definition.line,
                                definition.def.type + ": AddConfig names no product"});
        }
        if (ImplementationOf(definition.def.type).tiling == nullptr) {
            problems.push_back({"definition", SourcePath(definition.file), definition.line,
                                definition.def.type + ": no tiling function is registered"});
        }
    }
    for (const ge::OperatorProto& proto : Protos()) {
        CheckProto(proto, problems);
    }
    return problems;
}

// Attributes.

Attribute Attribute::Int(int64_t value)
{
    Attribute made;
    made.integer = value;
    return made;
}
Attribute Attribute::Bool(bool value)
{
    Attribute made;
    made.kind = Kind::BOOL;
    made.integer = value;
    return made;
}
Attribute Attribute::Float(float value)
{
    Attribute made;
    made.kind = Kind::FLOAT;
    made.single = value;
    return made;
}
Attribute Attribute::Double(double value)
{
    Attribute made;
    made.kind = Kind::DOUBLE;
    made.real = value;
    return made;
}
Attribute Attribute::String(const std::string& value)
{
    Attribute made;
    made.kind = Kind::STRING;
    made.text = value;
    return made;
}
Attribute Attribute::ListInt(std::vector<int64_t> value)
{
    Attribute made;
    made.kind = Kind::LIST_INT;
    made.integers = gert::TypedContinuousVector<int64_t>(std::move(value));
    return made;
}
Attribute Attribute::ListFloat(std::vector<float> value)
{
    Attribute made;
    made.kind = Kind::LIST_FLOAT;
    made.singles = gert::TypedContinuousVector<float>(std::move(value));
    return made;
}
Attribute Attribute::ListBool(const std::vector<bool>& value)
{
    Attribute made;
    made.kind = Kind::LIST_BOOL;
    made.booleans = gert::TypedContinuousVector<uint8_t>(std::vector<uint8_t>(value.begin(), value.end()));
    return made;
}

const void* Attribute::Address() const
{
    switch (kind) {
        case Kind::FLOAT: return &single;
        case Kind::DOUBLE: return &real;
        case Kind::STRING: return text.c_str();
        case Kind::LIST_INT: return &integers;
        case Kind::LIST_FLOAT: return &singles;
        case Kind::LIST_BOOL: return &booleans;
        default: return &integer;
    }
}

std::string Attribute::Text() const
{
    switch (kind) {
        case Kind::INT: return std::to_string(integer);
        case Kind::BOOL: return integer != 0 ? "true" : "false";
        case Kind::FLOAT: return Format("%.9g", static_cast<double>(single));
        case Kind::DOUBLE: return Format("%.17g", real);
        case Kind::STRING: return text;
        default: return "";
    }
}

const char* KindName(Attribute::Kind kind)
{
    static const char* const names[] = {"int",    "bool",     "float",      "double",
                                        "string", "list_int", "list_float", "list_bool"};
    return names[static_cast<int>(kind)];
}

void ReportAttributeType(const Attribute& attribute, const std::string& reader)
{
    Report("attribute", "", 0,
           Format("attribute %s was passed as %s and is read as %s", attribute.name.c_str(), KindName(attribute.kind),
                  reader.c_str()));
}

void ReportTilingCapacity(const char* node, size_t bytes, size_t capacity)
{
    Report("tiling", "", 0,
           Format("the tiling data of %s take %zu bytes, the capacity is %zu; raise the second argument of Tiling()",
                  node, bytes, capacity));
}

}  // namespace emulator

namespace ge {

bool OperatorProto::End()
{
    emulator::Protos().push_back(*this);
    return true;
}

}  // namespace ge
