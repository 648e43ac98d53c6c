// Calls one operator through its aclnn interface, which interface.cpp knows, once for each request of a file.
//
//     harness --describe                    the definitions as JSON
//     harness REQUESTS RESULTS              one JSON object per request, a line each
//
// A request is a block of lines, closed by "end":
//     option NAME VALUE
//     tensor NAME null
//     tensor NAME DTYPE in|out DIMS STRIDES OFFSET STORAGE_DIMS file|zero|none [PATH]     lists as 2,3 or - when empty
//     attr VALUE
//     null workspaceSize|executor           passes a null pointer for it
//     twice                                 runs the second phase twice
// Tensors and attributes come in the order of the function's parameters.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

#include "acl/acl.h"
#include "harness.h"
#include "host_state.h"
#include "json.h"
#include "opdev/op_executor.h"

namespace emulator {

std::vector<int64_t> ParseList(const std::string& text)
{
    std::vector<int64_t> list;
    std::istringstream items(text == "-" ? "" : text);
    for (std::string item; std::getline(items, item, ',');) {
        list.push_back(std::stoll(item));
    }
    return list;
}

std::vector<float> ParseFloats(const std::string& text)
{
    std::vector<float> list;
    std::istringstream items(text == "-" ? "" : text);
    for (std::string item; std::getline(items, item, ',');) {
        list.push_back(std::strtof(item.c_str(), nullptr));
    }
    return list;
}

}  // namespace emulator

using namespace emulator;

namespace {

const std::map<std::string, aclDataType>& DataTypes()
{
    static const std::map<std::string, aclDataType> types = {
        {"float32", ACL_FLOAT}, {"float16", ACL_FLOAT16}, {"bfloat16", ACL_BF16}, {"float64", ACL_DOUBLE},
        {"int8", ACL_INT8},     {"int16", ACL_INT16},     {"int32", ACL_INT32},   {"int64", ACL_INT64},
        {"uint8", ACL_UINT8},   {"uint16", ACL_UINT16},   {"uint32", ACL_UINT32}, {"uint64", ACL_UINT64},
        {"bool", ACL_BOOL}};
    return types;
}

aclTensor* MakeTensor(const std::string& name, std::istringstream& words, const Options& options)
{
    std::string type;
    std::string role;
    std::string dims;
    std::string strides;
    int64_t offset = 0;
    std::string storageDims;
    std::string source;
    words >> type;
    if (type == "null") {
        return nullptr;
    }
    words >> role >> dims >> strides >> offset >> storageDims >> source;
    std::string path;
    std::getline(words >> std::ws, path);
    const aclDataType dataType = DataTypes().at(type);
    const std::vector<int64_t> view = ParseList(dims);
    const std::vector<int64_t> storage = ParseList(storageDims);
    const std::vector<int64_t> stride = ParseList(strides);
    uint64_t bytes = aclDataTypeSize(dataType);
    for (const int64_t dim : storage) {
        if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(dim < 0 ? 0 : dim), &bytes)) {
            bytes = 0;  // a shape beyond memory: for the checks of the operator only
            break;
        }
    }
    const bool output = role == "out";
    const Allocation* memory = source == "none" ? ReserveDevice(bytes < (uint64_t{1} << 42) ? bytes : 0, name)
                               : source == "zero"
                                   ? AllocateDevice(bytes, name, output && options.numbers ? Fill::POISON : Fill::NONE)
                                   : MapDevice(path, bytes, name, output, output ? Fill::POISON : Fill::NONE);
    return aclCreateTensor(view.data(), view.size(), dataType, strides == "-" ? nullptr : stride.data(), offset,
                           ACL_FORMAT_ND, storage.data(), storage.size(), memory->base);
}

// False at the end of the file.
bool ReadRequest(std::istream& file, Request& request)
{
    bool any = false;
    for (std::string line; std::getline(file, line);) {
        any = true;
        std::istringstream words(line);
        std::string kind;
        std::string name;
        words >> kind;
        if (kind == "end") {
            return true;
        }
        words >> name;
        if (kind == "option") {
            std::string value;
            std::getline(words >> std::ws, value);
            request.options.Set(name, value);
        } else if (kind == "tensor") {
            request.tensors.push_back(MakeTensor(name, words, request.options));
        } else if (kind == "attr") {
            request.attributes.push_back(line.substr(std::strlen("attr ")));
        } else if (kind == "null") {
            (name == "executor" ? request.nullExecutor : request.nullWorkspaceSize) = true;
        } else if (kind == "twice") {
            request.twice = true;
        } else {
            throw std::invalid_argument("request: unknown line: " + line);
        }
    }
    if (any) {
        throw std::invalid_argument("request: no end");
    }
    return false;
}

std::string Hex(const std::vector<uint8_t>& bytes)
{
    std::string text;
    for (const uint8_t byte : bytes) {
        text += Format("%02x", byte);
    }
    return text;
}

std::string Describe(const LaunchRecord& launch)
{
    return JsonObject()
        .Add("op", launch.type)
        .Add("column", launch.column)
        .Add("block_dim", launch.blockDim)
        .Add("tiling_key", launch.tilingKey)
        .Add("schedule_mode", launch.scheduleMode)
        .Add("workspace_bytes", launch.workspaceBytes)
        .Add("tiling", Hex(launch.tiling))
        .Text();
}

std::string Run(const Request& request)
{
    Host& host = TheHost();
    host.SetOptions(request.options);
    uint64_t workspaceSize = UINT64_MAX;
    aclOpExecutor* executor = nullptr;
    Arguments arguments{request, request.nullWorkspaceSize ? nullptr : &workspaceSize,
                        request.nullExecutor ? nullptr : &executor};
    aclnnStatus status = FirstPhase(arguments);
    if (status == ACLNN_SUCCESS && executor == nullptr) {
        Report("executor", "", 0, "the first phase returned success without ReleaseTo(executor)");
    }
    if (status == ACLNN_SUCCESS && workspaceSize == UINT64_MAX) {
        Report("executor", "", 0, "the first phase returned success without setting workspaceSize");
        workspaceSize = 0;
    }
    aclnnStatus second = ACLNN_SUCCESS;
    if (status == ACLNN_SUCCESS && executor != nullptr && !request.options.phase1Only) {
        void* workspace = workspaceSize == 0 ? nullptr : AllocateDevice(workspaceSize, "workspace", Fill::NONE)->base;
        status = SecondPhase(workspace, workspaceSize, executor);
        if (request.twice) {
            second = SecondPhase(workspace, workspaceSize, executor);
        }
        const int result = aclrtSynchronizeStream(nullptr);
        if (status == ACLNN_SUCCESS && result != ACL_SUCCESS) {
            status = ACLNN_ERR_RUNTIME_ERROR;
        }
    }
    JsonObject object;
    object.Add("status", status).Add("phase", host.phase);
    const std::string reason = status == ACLNN_SUCCESS || host.findings.empty() ? "" : host.findings.front().message;
    object.Add("message", host.log.empty() ? reason : host.log.front().text);
    object.AddText("log", ToJsonList(host.log, [](const LogLine& line) {
                       return JsonObject()
                           .Add("source", line.source)
                           .Add("file", line.file)
                           .Add("line", line.line)
                           .Add("text", line.text)
                           .Text();
                   }));
    object.AddText("findings", ToJsonList(host.findings, [](const Finding& finding) { return ToJson(finding); }));
    object.Add("workspace_bytes", status == ACLNN_SUCCESS ? workspaceSize : uint64_t{0});
    object.AddText("launches", ToJsonList(host.launches, Describe));
    JsonObject counters;
    for (const auto& [name, value] : host.counters) {
        counters.Add(name.c_str(), value);
    }
    object.AddText("counters", counters.Text());
    if (request.twice) {
        object.Add("second_status", second);
    }
    return object.Text();
}

std::string Describe(const std::vector<const ops::OpParamDef*>& ports)
{
    return ToJsonList(ports, [](const ops::OpParamDef* port) {
        static const char* const kinds[] = {"ignore", "optional", "required", "dynamic", "virtual"};
        return JsonObject()
            .Add("name", port->name)
            .Add("param_type", kinds[port->paramType])
            .AddText("dtypes",
                     ToJsonList(port->dataTypes, [](ge::DataType type) { return ToJson(ge::DataTypeName(type)); }))
            .Text();
    });
}

std::string Describe(const ops::OpDef& def)
{
    const std::string soc = TheHost().Text("name");
    std::vector<std::string> socs;
    JsonObject extended;
    for (const auto& [name, config] : def.aiCore.configs) {
        socs.push_back(name);
        JsonObject entries;
        for (const auto& [key, value] : config.extended) {
            entries.Add(key.c_str(), value);
        }
        extended.AddText(name.c_str(), entries.Text());
    }
    return JsonObject()
        .Add("type", def.type)
        .AddText("inputs", Describe(Ports(def, soc, true)))
        .AddText("outputs", Describe(Ports(def, soc, false)))
        .AddText("attrs", ToJsonList(def.attributes,
                                     [](const ops::OpAttrDef& attribute) {
                                         JsonObject object;
                                         object.Add("name", attribute.name)
                                             .Add("type", KindName(attribute.value.kind))
                                             .Add("required", attribute.attrType == ops::REQUIRED);
                                         if (attribute.hasDefault) {
                                             object.Add("default", attribute.value.Text());
                                         }
                                         return object.Text();
                                     }))
        .AddText("socs", ToJsonList(socs, [](const std::string& name) { return ToJson(name); }))
        .AddText("config", extended.Text())
        .Text();
}

int resultsDescriptor = -1;

// Names what ran; the caller goes on with the next request in a new process.
void OnCrash(int signal)
{
    const char* name = signal == SIGSEGV  ? "SIGSEGV"
                       : signal == SIGFPE ? "SIGFPE"
                       : signal == SIGBUS ? "SIGBUS"
                                          : "SIGABRT";
    char text[160];
    const int length =
        std::snprintf(text, sizeof(text), "{\"crash\":\"received %s\",\"phase\":\"%s\"}\n", name, TheHost().phase);
    const ssize_t ignored = write(resultsDescriptor, text, static_cast<size_t>(length));
    (void)ignored;
    _exit(3);
}

std::string RunGuarded(const Request& request)
{
    try {
        return Run(request);
    } catch (const std::invalid_argument&) {
        throw;  // a request that does not fit the function
    } catch (const std::exception& error) {
        return JsonObject().Add("crash", std::string("threw: ") + error.what()).Add("phase", TheHost().phase).Text();
    }
}

int ServeRequests(const char* requests, const char* results)
{
    std::ifstream file(requests);
    resultsDescriptor = open(results, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (!file || resultsDescriptor < 0) {
        std::cerr << "cannot open " << (file ? results : requests) << "\n";
        return 2;
    }
    static char stack[1 << 16];
    const stack_t alternate{stack, 0, sizeof(stack)};
    sigaltstack(&alternate, nullptr);
    struct sigaction action = {};
    action.sa_handler = OnCrash;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGFPE, SIGBUS, SIGABRT}) {
        sigaction(signal, &action, nullptr);
    }
    aclInit(nullptr);
    aclrtSetDevice(0);
    for (Request request; ReadRequest(file, request); request = Request()) {
        const std::string line = RunGuarded(request) + "\n";
        if (write(resultsDescriptor, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
            std::cerr << "cannot write " << results << "\n";
            return 2;
        }
        for (const aclTensor* tensor : request.tensors) {
            aclDestroyTensor(tensor);
        }
        ForgetExecutors();
        ReleaseAllDevice();
        TheHost().Reset();
    }
    return 0;
}

}  // namespace

int main(int count, char** words)
{
    try {
        if (count == 2 && std::strcmp(words[1], "--describe") == 0) {
            std::cout << JsonObject()
                             .AddText("problems", ToJsonList(DefinitionProblems(),
                                                             [](const Finding& problem) { return ToJson(problem); }))
                             .AddText("operators",
                                      ToJsonList(Definitions(),
                                                 [](const Definition& definition) { return Describe(definition.def); }))
                             .Text()
                      << "\n";
            return 0;
        }
        if (count != 3) {
            std::cerr << "usage: harness --describe | harness REQUESTS RESULTS\n";
            return 2;
        }
        return ServeRequests(words[1], words[2]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
