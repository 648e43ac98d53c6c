// The two phases: the first records launches and copies, the second gives them addresses and hands them to the stream.
#include "opdev/op_executor.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "acl/acl.h"
#include "aclnn_kernels/contiguous.h"
#include "host_state.h"
#include "opdev/shape_utils.h"
#include "opdev/tensor_view_utils.h"
#include "tensor_factory.h"

namespace emulator {
namespace {

constexpr uint64_t kWorkspaceAlignment = 512;  // asc: kernel argument addresses

// Executors that a client holds. A finished one stays in memory, empty, so that a second use is told from a wild
// pointer.
struct Executors {
    std::set<aclOpExecutor*> live;
    std::set<aclOpExecutor*> finished;
};

Executors& TheExecutors()
{
    static auto& executors = *new Executors;
    return executors;
}

// The instances of one side of a node, without the ports that are absent.
void AddPorts(const std::vector<PortTensors>& ports, std::vector<gert::AnchorInstanceInfo>& anchors,
              std::vector<Instance>& instances)
{
    for (const PortTensors& port : ports) {
        anchors.emplace_back(static_cast<uint32_t>(instances.size()), static_cast<uint32_t>(port.size()));
        for (const aclTensor* tensor : port) {
            const gert::StorageFormat format(tensor->GetOriginalFormat(), tensor->GetStorageFormat());
            // A kernel sees the view: it is contiguous by now, or the kernel handles strides itself.
            const gert::StorageShape shape(tensor->GetViewShape(), tensor->GetViewShape());
            void* values = tensor->GetPlacement() == gert::kOnHost ? tensor->Storage()->hostData.data() : nullptr;
            instances.push_back({gert::Tensor(shape, format, tensor->GetPlacement(), tensor->GetDataType(), values),
                                 gert::CompileTimeTensorDesc(tensor->GetDataType(), format)});
        }
    }
}

Node MakeNode(const char* type, const OpArguments& arguments, const Definition* definition)
{
    Node node;
    node.type = type;
    AddPorts(arguments.inputs, node.inputPorts, node.inputs);
    AddPorts(arguments.outputs, node.outputPorts, node.outputs);
    node.attributes = arguments.attributes;
    for (size_t index = 0; definition != nullptr && index < node.attributes.size(); ++index) {
        if (index < definition->def.attributes.size()) {
            node.attributes[index].name = definition->def.attributes[index].name;
        }
    }
    return node;
}

aclnnStatus Refuse(const char* phase, aclnnStatus status, const std::string& message)
{
    TheHost().phase = phase;
    LogError(std::to_string(status), "", 0, "%s", message.c_str());
    return status;
}

bool PortMatches(const ops::OpParamDef& port, const PortTensors& tensors, size_t column)
{
    return std::all_of(tensors.begin(), tensors.end(), [&](const aclTensor* tensor) {
        return column < port.dataTypes.size() && tensor->GetDataType() == port.dataTypes[column];
    });
}

// The column of the definition that has the data types at hand, or -1.
int FindColumn(const std::vector<const ops::OpParamDef*>& ports, const std::vector<PortTensors>& tensors)
{
    const size_t columns = ports.empty() ? 0 : ports[0]->dataTypes.size();
    for (size_t column = 0; column < columns; ++column) {
        size_t index = 0;
        while (index < ports.size() && PortMatches(*ports[index], tensors[index], column)) {
            ++index;
        }
        if (index == ports.size()) {
            return static_cast<int>(column);
        }
    }
    return -1;
}

std::string DescribeTypes(const std::vector<const ops::OpParamDef*>& ports, const std::vector<PortTensors>& tensors)
{
    std::string text;
    for (size_t index = 0; index < ports.size(); ++index) {
        if (!tensors[index].empty()) {
            text += (text.empty() ? "" : ", ") + ports[index]->name + " " +
                    ge::DataTypeName(tensors[index][0]->GetDataType());
        }
    }
    return text;
}

aclnnStatus CheckPorts(const char* type, const char* what, const std::vector<const ops::OpParamDef*>& ports,
                       const std::vector<PortTensors>& tensors)
{
    if (tensors.size() != ports.size()) {
        return Refuse("aclnn", ACLNN_ERR_INNER,
                      Format("%s: the launch passes %zu %ss, want %zu as the definition has", type, tensors.size(),
                             what, ports.size()));
    }
    for (size_t index = 0; index < ports.size(); ++index) {
        if (tensors[index].size() > 1) {
            return Refuse("kernel", ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                          Format("%s: %s %s is a list of tensors, which the emulator does not pass to kernels", type,
                                 what, ports[index]->name.c_str()));
        }
        if (tensors[index].empty() && ports[index]->paramType == ops::REQUIRED) {
            return Refuse("aclnn", ACLNN_ERR_INNER_NULLPTR,
                          Format("%s: the launch passes a null pointer for the required %s %s", type, what,
                                 ports[index]->name.c_str()));
        }
    }
    return ACLNN_SUCCESS;
}

void CheckAttributes(const Node& node, const ops::OpDef& def)
{
    for (size_t index = 0; index < node.attributes.size(); ++index) {
        const Attribute::Kind wanted = def.attributes[index].value.kind;
        if (node.attributes[index].kind != wanted) {
            Report("attribute", "", 0,
                   Format("%s: OP_ATTR passes %s as %s, the definition says %s", node.type.c_str(),
                          def.attributes[index].name.c_str(), KindName(node.attributes[index].kind), KindName(wanted)));
        }
    }
}

aclnnStatus RunInferShape(const char* type, Node& node)
{
    const Implementation& implementation = ImplementationOf(type);
    for (Instance& output : node.outputs) {
        output.tensor.GetShape().MutableOriginShape() = gert::Shape();
    }
    gert::InferShapeContext context(&node);
    if (implementation.inferShape == nullptr) {
        return Refuse("infershape", ACLNN_ERR_INNER_INFERSHAPE_ERROR, Format("%s: no InferShape is registered", type));
    }
    if (implementation.inferShape(&context) != ge::GRAPH_SUCCESS) {
        return Refuse("infershape", ACLNN_ERR_INNER_INFERSHAPE_ERROR, Format("%s: InferShape failed", type));
    }
    return ACLNN_SUCCESS;
}

// A hand-written op_api allocates outputs itself; graph mode trusts InferShape. The two must agree.
void CompareInferShape(const char* type, const OpArguments& arguments, const Definition* definition)
{
    const Implementation& implementation = ImplementationOf(type);
    Host& host = TheHost();
    Node node = MakeNode(type, arguments, definition);
    if (implementation.inferShape != nullptr) {
        const size_t logged = host.log.size();
        const char* phase = host.phase;
        const bool fine = RunInferShape(type, node) == ACLNN_SUCCESS;
        const std::string reason = host.log.size() > logged ? host.log[logged].text : "";
        host.log.resize(logged);
        host.phase = phase;
        if (!fine) {
            Report("infershape", "", 0, Format("InferShape refuses what op_api launches: %s", reason.c_str()));
            return;
        }
    }
    gert::InferDataTypeContext types(&node);
    const bool inferred =
        implementation.inferDataType != nullptr && implementation.inferDataType(&types) == ge::GRAPH_SUCCESS;
    for (size_t port = 0; port < arguments.outputs.size(); ++port) {
        if (arguments.outputs[port].size() != 1) {
            continue;
        }
        const aclTensor* tensor = arguments.outputs[port][0];
        const Instance& instance = node.outputs[node.outputPorts[port].GetInstanceStart()];
        const char* name = definition->def.outputs[port].name.c_str();
        const gert::Shape& shape = instance.tensor.GetOriginShape();
        const bool placeholder = tensor->IsFromWorkspace() && tensor->Numel() == 1;  // for an absent optional output
        if (implementation.inferShape != nullptr && !placeholder && shape != tensor->GetViewShape()) {
            Report("infershape", "", 0,
                   Format("output %s: InferShape says %s, op_api allocates %s", name, op::ToString(shape).GetString(),
                          op::ToString(tensor->GetViewShape()).GetString()));
        }
        if (inferred && instance.description.GetDataType() != tensor->GetDataType()) {
            Report(
                "infershape", "", 0,
                Format("output %s: InferDataType says %s, op_api allocates %s", name,
                       ge::DataTypeName(instance.description.GetDataType()), ge::DataTypeName(tensor->GetDataType())));
        }
    }
}

aclnnStatus RunTiling(const char* type, Node& node, Tiling& tiling)
{
    Host& host = TheHost();
    const Implementation& implementation = ImplementationOf(type);
    host.phase = "tiling";
    std::shared_ptr<void> compileInfo;
    if (implementation.tilingParse != nullptr) {
        compileInfo = implementation.makeCompileInfo();
        gert::TilingParseContext context(&node, compileInfo.get(), &host.platform);
        if (implementation.tilingParse(&context) != ge::GRAPH_SUCCESS) {
            return Refuse("tiling", ACLNN_ERR_INNER_TILING_ERROR, Format("%s: TilingParse failed", type));
        }
    }
    if (implementation.tiling == nullptr) {
        return Refuse("tiling", ACLNN_ERR_INNER_TILING_ERROR, Format("%s: no tiling function is registered", type));
    }
    gert::TilingContext context(&node, &tiling, compileInfo.get(), &host.platform, host.options.deterministic ? 1 : 0);
    if (implementation.tiling(&context) != ge::GRAPH_SUCCESS) {
        return Refuse("tiling", ACLNN_ERR_INNER_TILING_ERROR, Format("%s: tiling failed", type));
    }
    if (tiling.blockDim == 0) {
        Report("launch", "", 0, Format("the tiling of %s sets block dim 0", type));
    }
    const uint32_t cores = host.mixed ? host.CubeCores() : std::max(host.CubeCores(), host.VectorCores());
    if (tiling.scheduleMode == 1 && tiling.blockDim > cores) {
        Report("launch", "", 0,
               Format("schedule mode 1 starts all blocks together, but the tiling of %s asks for %u blocks on %u cores",
                      type, tiling.blockDim, cores));
    }
    return ACLNN_SUCCESS;
}

// Everything a launch needs beyond addresses.
struct Launch {
    std::string type;
    int column;
    Tiling tiling;
    std::vector<std::pair<std::string, PortTensors>> inputs;
    std::vector<std::pair<std::string, PortTensors>> outputs;
    uint64_t workspaceOffset;
};

void AddRanges(const std::vector<std::pair<std::string, PortTensors>>& ports, bool writable, LaunchRequest& request)
{
    for (const auto& [name, tensors] : ports) {
        if (tensors.empty()) {
            request.args.push_back(nullptr);
        }
        for (const aclTensor* tensor : tensors) {
            auto* address = static_cast<uint8_t*>(tensor->GetData());
            const uint64_t bytes = tensor->ReachBytes();
            request.args.push_back(address);
            bool poisoned = writable && request.numbers;
            for (const GmRange& known : request.ranges) {
                poisoned = poisoned && (address >= known.base + known.bytes || address + bytes <= known.base);
            }
            request.ranges.push_back({address, bytes, name, writable, poisoned});
        }
    }
}

bool MemoryIsThere(const LaunchRequest& request)
{
    bool fine = true;
    for (const GmRange& range : request.ranges) {
        if (range.name == "tiling" || range.bytes == 0) {
            continue;
        }
        const Allocation* allocation = FindAllocation(range.base);
        std::string message;
        if (allocation == nullptr) {
            message = range.name + " is not device memory";
        } else if (allocation->freed) {
            message = range.name + " was freed before the kernel ran";
        } else if (range.base + range.bytes > allocation->base + allocation->bytes) {
            message = Format("%s takes %llu bytes, its memory has %llu", range.name.c_str(),
                             static_cast<unsigned long long>(range.bytes),
                             static_cast<unsigned long long>(allocation->base + allocation->bytes - range.base));
        }
        if (!message.empty()) {
            Report(allocation != nullptr && allocation->freed ? "freed" : "bounds", "", 0, message);
            fine = false;
        }
    }
    return fine;
}

int Execute(const Launch& launch, LaunchRequest& request)
{
    if (request.blockDim == 0 || !MemoryIsThere(request)) {
        return ACL_ERROR_FAILURE;
    }
    for (const GmRange& range : request.ranges) {
        if (range.name == "workspace" && request.numbers) {
            Poison(range.base, range.bytes);
        }
    }
    RunKernel(launch.column, request);
    return ACL_SUCCESS;
}

std::function<int()> Bind(const std::shared_ptr<Launch>& launch, const aclOpExecutor& executor)
{
    const Host& host = TheHost();
    auto request = std::make_shared<LaunchRequest>();
    request->product = host.figures;
    request->tilingKey = launch->tiling.key;
    request->blockDim = launch->tiling.blockDim;
    request->scheduleMode = launch->tiling.scheduleMode;
    request->autoSync = host.options.autoSync;
    request->check = host.options.check;
    request->callers = host.options.callers;
    request->timeline = host.options.timeline;
    request->numbers = host.options.numbers;
    request->order = host.options.order;
    request->blocks = host.options.blocks;
    AddRanges(launch->inputs, false, *request);
    AddRanges(launch->outputs, true, *request);

    // The kernel's workspace argument points behind the system part (asc: workspace of a kernel in an operator
    // project).
    const uint64_t total = launch->tiling.WorkspaceBytes();
    const uint64_t system = std::min(total, static_cast<uint64_t>(host.Figure("memory.system_workspace")));
    if (total == 0) {
        request->args.push_back(nullptr);
    } else {
        uint8_t* user = executor.workspace + launch->workspaceOffset + system;
        request->args.push_back(user);
        request->ranges.push_back({user, total - system, "workspace", true, request->numbers});
    }

    const size_t bytes = launch->tiling.data.GetDataSize();
    std::shared_ptr<uint8_t> tiling(static_cast<uint8_t*>(std::aligned_alloc(512, (bytes + 512) / 512 * 512)),
                                    std::free);
    std::memcpy(tiling.get(), launch->tiling.data.GetData(), bytes);
    request->args.push_back(tiling.get());
    request->ranges.push_back({tiling.get(), bytes, "tiling", false, false});
    return [launch, request, tiling] { return Execute(*launch, *request); };
}

template <typename Ports, typename Tensors>
std::vector<std::pair<std::string, PortTensors>> Named(const Ports& ports, const Tensors& tensors)
{
    std::vector<std::pair<std::string, PortTensors>> result;
    for (size_t index = 0; index < ports.size(); ++index) {
        result.emplace_back(ports[index]->name, tensors[index]);
    }
    return result;
}

}  // namespace

void AddPort(std::vector<PortTensors>& ports, const aclTensorList* list)
{
    ports.emplace_back();
    for (uint64_t index = 0; list != nullptr && index < list->Size(); ++index) {
        ports.back().push_back((*list)[index]);
    }
}

void AddAttribute(std::vector<Attribute>& list, const aclIntArray* value)
{
    list.push_back(Attribute::ListInt(value == nullptr
                                          ? std::vector<int64_t>{}
                                          : std::vector<int64_t>(value->GetData(), value->GetData() + value->Size())));
}
void AddAttribute(std::vector<Attribute>& list, const aclFloatArray* value)
{
    list.push_back(Attribute::ListFloat(value == nullptr
                                            ? std::vector<float>{}
                                            : std::vector<float>(value->GetData(), value->GetData() + value->Size())));
}
void AddAttribute(std::vector<Attribute>& list, const aclBoolArray* value)
{
    list.push_back(Attribute::ListBool(value == nullptr
                                           ? std::vector<bool>{}
                                           : std::vector<bool>(value->GetData(), value->GetData() + value->Size())));
}

aclnnStatus InferShapes(const char* type, OpArguments&& arguments)
{
    Node node = MakeNode(type, arguments, FindDefinition(type));
    if (const aclnnStatus status = RunInferShape(type, node)) {
        return status;
    }
    size_t instance = 0;
    for (const PortTensors& port : arguments.outputs) {
        for (const aclTensor* tensor : port) {
            const gert::Shape& shape = node.outputs[instance++].tensor.GetOriginShape();
            auto* output = const_cast<aclTensor*>(tensor);
            output->SetViewShape(shape);
            output->SetStorageShape(shape);
            output->SetOriginalShape(shape);
            output->Storage()->bytes =
                static_cast<uint64_t>(shape.GetShapeSize()) * op::TypeSize(output->GetDataType());
        }
    }
    return ACLNN_SUCCESS;
}

aclnnStatus AddLaunch(const char* type, aclOpExecutor* executor, OpArguments&& arguments)
{
    Host& host = TheHost();
    if (executor == nullptr) {
        return Refuse("aclnn", ACLNN_ERR_PARAM_NULLPTR, Format("%s: the executor is a null pointer", type));
    }
    const Definition* definition = FindDefinition(type);
    if (definition == nullptr) {
        return Refuse("kernel", ACLNN_ERR_INNER_FIND_KERNEL_ERROR, Format("no definition (OP_ADD) of %s", type));
    }
    const std::string soc = host.Text("name");
    if (!host.options.unlisted && definition->def.aiCore.configs.count(soc) == 0) {
        return Refuse("kernel", ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                      Format("the definition of %s lists no AddConfig(\"%s\")", type, soc.c_str()));
    }
    const auto inputs = Ports(definition->def, soc, true);
    const auto outputs = Ports(definition->def, soc, false);
    if (const aclnnStatus status = CheckPorts(type, "input", inputs, arguments.inputs)) {
        return status;
    }
    if (const aclnnStatus status = CheckPorts(type, "output", outputs, arguments.outputs)) {
        return status;
    }
    if (arguments.attributes.size() != definition->def.attributes.size()) {
        return Refuse("aclnn", ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE,
                      Format("%s: OP_ATTR passes %zu attributes, want %zu as the definition has", type,
                             arguments.attributes.size(), definition->def.attributes.size()));
    }
    std::vector<const ops::OpParamDef*> ports = inputs;
    ports.insert(ports.end(), outputs.begin(), outputs.end());
    std::vector<PortTensors> tensors = arguments.inputs;
    tensors.insert(tensors.end(), arguments.outputs.begin(), arguments.outputs.end());
    const int column = FindColumn(ports, tensors);
    if (column < 0) {
        return Refuse(
            "kernel", ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
            Format("no dtype column of the definition of %s matches: %s", type, DescribeTypes(ports, tensors).c_str()));
    }
    if (!host.options.phase1Only && !HasKernel(column)) {
        return Refuse("kernel", ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                      Format("no kernel for dtype column %d of %s", column, type));
    }

    Node node = MakeNode(type, arguments, definition);
    CheckAttributes(node, definition->def);
    auto launch =
        std::make_shared<Launch>(Launch{type, column, Tiling(ImplementationOf(type).tilingCapacity),
                                        Named(inputs, arguments.inputs), Named(outputs, arguments.outputs), 0});
    if (const aclnnStatus status = RunTiling(type, node, launch->tiling)) {
        return status;
    }
    if (host.options.check) {
        CompareInferShape(type, arguments, definition);
    }
    const auto* bytes = static_cast<const uint8_t*>(launch->tiling.data.GetData());
    host.launches.push_back({type, column, launch->tiling.blockDim, launch->tiling.key, launch->tiling.scheduleMode,
                             launch->tiling.WorkspaceBytes(),
                             std::vector<uint8_t>(bytes, bytes + launch->tiling.data.GetDataSize())});
    launch->workspaceOffset = executor->Reserve(launch->tiling.WorkspaceBytes());
    executor->tasks.push_back([launch, executor] { return Bind(launch, *executor); });
    return ACLNN_SUCCESS;
}

void ForgetExecutors()
{
    Executors& executors = TheExecutors();
    for (aclOpExecutor* executor : executors.live) {
        delete executor;
    }
    for (aclOpExecutor* executor : executors.finished) {
        delete executor;
    }
    executors = {};
}

size_t UnusedExecutors() { return TheExecutors().live.size(); }

}  // namespace emulator

using namespace emulator;

aclTensor* aclOpExecutor::AllocTensor(const op::Shape& shape, op::DataType type, op::Format format)
{
    return AllocTensor(shape, shape, type, format, format);
}

aclTensor* aclOpExecutor::AllocTensor(const op::Shape& storageShape, const op::Shape& originShape, op::DataType type,
                                      op::Format storageFormat, op::Format originFormat)
{
    if (storageShape.GetShapeSize() < 0) {
        return nullptr;
    }
    op::Strides strides;
    op::ToContiguousStrides(originShape, strides);
    aclTensor* tensor = Own(aclTensorFactory::Make(originShape, storageShape, strides, 0, type, storageFormat));
    tensor->SetOriginalShape(originShape);
    tensor->SetOriginalFormat(originFormat);
    tensor->SetViewFormat(originFormat);
    tensor->Storage()->fromWorkspace = true;
    tensor->Storage()->bytes = static_cast<uint64_t>(storageShape.GetShapeSize()) * op::TypeSize(type);
    workspaceTensors.push_back(tensor);
    return tensor;
}

aclTensor* aclOpExecutor::AllocTensor(op::DataType type, op::Format storageFormat, op::Format originFormat)
{
    return AllocTensor(op::Shape(), op::Shape(), type, storageFormat, originFormat);
}

aclTensor* aclOpExecutor::CreateView(const aclTensor* tensor, const op::Shape& shape, int64_t offset)
{
    op::Strides strides;
    op::ToContiguousStrides(shape, strides);
    return CreateView(tensor, shape, shape, strides, offset);
}

aclTensor* aclOpExecutor::CreateView(const aclTensor* tensor, const op::Shape& originShape,
                                     const op::Shape& storageShape, const op::Strides& strides, int64_t offset)
{
    if (tensor == nullptr) {
        return nullptr;
    }
    aclTensor* view = Own(aclTensorFactory::Make(originShape, storageShape, strides, offset, tensor->GetDataType(),
                                                 tensor->GetStorageFormat()));
    aclTensorFactory::Share(view, tensor->Storage());
    return view;
}

aclTensor* aclOpExecutor::HostTensor(const void* values, uint64_t count, size_t bytes, op::DataType type)
{
    if (values == nullptr || bytes != op::TypeSize(type)) {
        return nullptr;  // values of another width would need a conversion
    }
    const op::Shape shape{static_cast<int64_t>(count)};
    aclTensor* tensor = Own(aclTensorFactory::Make(shape, shape, {1}, 0, type, ge::FORMAT_ND));
    const auto* data = static_cast<const uint8_t*>(values);
    tensor->Storage()->hostData.assign(data, data + count * bytes);
    tensor->Storage()->address = tensor->Storage()->hostData.data();
    aclTensorFactory::SetPlacement(tensor, gert::kOnHost);
    return tensor;
}

aclIntArray* aclOpExecutor::AllocIntArray(const int64_t* values, uint64_t count)
{
    return Own(new aclIntArray(values, count));
}
aclFloatArray* aclOpExecutor::AllocFloatArray(const float* values, uint64_t count)
{
    return Own(new aclFloatArray(values, count));
}
aclBoolArray* aclOpExecutor::AllocBoolArray(const bool* values, uint64_t count)
{
    return Own(new aclBoolArray(values, count));
}
aclTensorList* aclOpExecutor::AllocTensorList(const aclTensor* const* tensors, uint64_t count)
{
    return Own(new aclTensorList(tensors, count));
}
aclScalar* aclOpExecutor::AllocScalar(const void* value, op::DataType type) { return Own(new aclScalar(value, type)); }
const aclTensor* aclOpExecutor::ConvertToTensor(const aclIntArray* values, op::DataType type)
{
    return HostTensor(values->GetData(), values->Size(), sizeof(int64_t), type);
}
const aclTensor* aclOpExecutor::ConvertToTensor(const aclFloatArray* values, op::DataType type)
{
    return HostTensor(values->GetData(), values->Size(), sizeof(float), type);
}
const aclTensor* aclOpExecutor::ConvertToTensor(const aclBoolArray* values, op::DataType type)
{
    return HostTensor(values->GetData(), values->Size(), sizeof(bool), type);
}

uint64_t aclOpExecutor::Reserve(uint64_t bytes)
{
    const uint64_t offset = workspaceBytes;
    workspaceBytes += (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
    return offset;
}

// The toolkit reuses memory of tensors that are no longer alive; here every tensor keeps its own, which finds more.
uint64_t aclOpExecutor::GetWorkspaceSize()
{
    if (!laidOut) {
        laidOut = true;
        for (aclTensor* tensor : workspaceTensors) {
            if (tensor->IsFromWorkspace()) {
                tensor->Storage()->workspaceOffset = Reserve(tensor->Storage()->bytes);
            }
        }
    }
    return workspaceBytes;
}

UniqueExecutor::UniqueExecutor(const char* function) : function_(function), executor_(new aclOpExecutor) {}

UniqueExecutor::~UniqueExecutor()
{
    delete executor_;  // an error return; a success without ReleaseTo leaves the client's pointer null, which it will
                       // notice
}

void UniqueExecutor::ReleaseTo(aclOpExecutor** executor)
{
    if (executor != nullptr) {
        TheExecutors().live.insert(executor_);
        *executor = executor_;
        executor_ = nullptr;
    }
}

op::OpDfxGuard::OpDfxGuard(const char*) {}

aclnnStatus CheckPhase1Params(aclOpExecutor** executor, uint64_t* workspaceSize)
{
    TheHost().phase = "aclnn";
    if (executor == nullptr || workspaceSize == nullptr) {
        return Refuse("aclnn", ACLNN_ERR_PARAM_NULLPTR,
                      Format("%s is a null pointer", executor == nullptr ? "executor" : "workspaceSize"));
    }
    return ACLNN_SUCCESS;
}

void InitL2Phase2Context(const char*, aclOpExecutor*) {}

aclnnStatus CommonOpExecutorRun(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream)
{
    Host& host = TheHost();
    host.phase = "run";
    Executors& executors = TheExecutors();
    if (executor == nullptr) {
        return Refuse("run", ACLNN_ERR_PARAM_NULLPTR, "executor is a null pointer");
    }
    if (executors.live.count(executor) == 0) {
        const bool finished = executors.finished.count(executor) != 0;
        const char* message = finished
                                  ? "the executor was used before; it serves one second phase unless made repeatable"
                                  : "executor is not one that a first phase returned";
        Report("executor", "", 0, message);
        return Refuse("run", ACLNN_ERR_INNER, message);
    }
    const auto finish = [&] {
        if (!executor->repeatable) {
            executors.live.erase(executor);
            executors.finished.insert(executor);
            executor->tasks.clear();
            executor->workspaceTensors.clear();
            executor->owned.clear();
        }
    };
    if (workspaceSize > 0 && workspace == nullptr) {
        finish();
        return Refuse(
            "run", ACLNN_ERR_PARAM_NULLPTR,
            Format("workspace is a null pointer, want %llu bytes", static_cast<unsigned long long>(workspaceSize)));
    }
    const uint64_t needed = executor->GetWorkspaceSize();
    const Allocation* allocation = needed == 0 ? nullptr : FindAllocation(workspace);
    if (workspaceSize < needed || (needed > 0 && allocation == nullptr)) {
        finish();
        const std::string message = workspaceSize < needed ? Format("workspaceSize: got %llu bytes, want %llu",
                                                                    static_cast<unsigned long long>(workspaceSize),
                                                                    static_cast<unsigned long long>(needed))
                                                           : "workspace is not device memory";
        Report("workspace", "", 0, message);
        return Refuse("run", ACLNN_ERR_PARAM_INVALID, message);
    }
    executor->workspace = static_cast<uint8_t*>(workspace);
    executor->stream = stream;
    for (aclTensor* tensor : executor->workspaceTensors) {
        if (tensor->IsFromWorkspace()) {
            tensor->Storage()->address = executor->workspace + tensor->Storage()->workspaceOffset;
        }
    }
    // Work that the stream runs later must not touch the executor or the client's tensors: addresses are bound now.
    std::vector<std::pair<void*, uint64_t>> fresh;
    for (const aclTensor* tensor : executor->workspaceTensors) {
        if (tensor->IsFromWorkspace()) {
            fresh.emplace_back(tensor->GetStorageAddr(), tensor->Storage()->bytes);
        }
    }
    if (!fresh.empty()) {
        Enqueue(stream, [fresh, workspace] {
            const Allocation* memory = FindAllocation(workspace);
            for (const auto& [address, bytes] : fresh) {
                if (memory != nullptr && !memory->freed) {
                    Poison(address, bytes);
                }
            }
            return ACL_SUCCESS;
        });
    }
    // Memory of host tensors lives with the executor; the stream needs it longer.
    const std::vector<std::shared_ptr<void>> kept = executor->owned;
    for (const aclOpExecutor::Task& task : executor->tasks) {
        Enqueue(stream, [work = task(), kept] { return work(); });
    }
    finish();
    return ACLNN_SUCCESS;
}

extern "C" aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor)
{
    if (TheExecutors().live.count(executor) == 0) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    executor->repeatable = true;
    return OK;
}

extern "C" aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor)
{
    if (TheExecutors().live.erase(executor) == 0) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    delete executor;
    return OK;
}

namespace {

// A view as the copies need it: what remains when the executor and the tensors are gone.
struct View {
    uint8_t* data;
    op::ShapeVector dims;
    op::Strides strides;
    uint64_t elementBytes;
};

View ViewOf(const aclTensor* tensor)
{
    return {static_cast<uint8_t*>(tensor->GetData()), op::ToShapeVector(tensor->GetViewShape()),
            tensor->GetViewStrides(), op::TypeSize(tensor->GetDataType())};
}

bool Reachable(const View& view, const char* what)
{
    const Allocation* allocation = FindAllocation(view.data);
    if (allocation == nullptr || allocation->freed) {
        Report(allocation == nullptr ? "bounds" : "freed", "", 0,
               Format("the %s of a copy %s", what,
                      allocation == nullptr ? "is not device memory" : "was freed before the copy ran"));
        return false;
    }
    return true;
}

int CopyView(const View& source, const View& target)
{
    int64_t count = 1;
    for (const int64_t dim : source.dims) {
        count *= dim;
    }
    if (count == 0) {
        return ACL_SUCCESS;
    }
    if (!Reachable(source, "source") || !Reachable(target, "destination")) {
        return ACL_ERROR_FAILURE;
    }
    op::ShapeVector index(source.dims.size(), 0);
    int64_t from = 0;
    int64_t to = 0;
    for (int64_t element = 0; element < count; ++element) {
        std::memcpy(target.data + to * source.elementBytes, source.data + from * source.elementBytes,
                    source.elementBytes);
        for (size_t axis = index.size(); axis > 0; --axis) {
            const size_t a = axis - 1;
            from += source.strides[a];
            to += target.strides[a];
            if (++index[a] < source.dims[a]) {
                break;
            }
            from -= source.strides[a] * source.dims[a];
            to -= target.strides[a] * source.dims[a];
            index[a] = 0;
        }
    }
    TheHost().counters["host_copy_bytes"] +=
        2.0 * static_cast<double>(count) * static_cast<double>(source.elementBytes);
    return ACL_SUCCESS;
}

void AddCopy(const aclTensor* source, const aclTensor* target, aclOpExecutor* executor)
{
    executor->tasks.push_back([source, target] {
        View to = ViewOf(target);
        const View from = ViewOf(source);
        if (to.dims != from.dims) {  // two one-element tensors of different rank
            to.dims = from.dims;
            to.strides = from.strides;
        }
        return [from, to] { return CopyView(from, to); };
    });
}

}  // namespace

namespace l0op {

const aclTensor* Contiguous(const aclTensor* x, aclOpExecutor* executor)
{
    if (x == nullptr || !op::Validate(x)) {
        LogError("Contiguous", "", 0, "%s",
                 x == nullptr ? "Contiguous: null pointer" : "Contiguous: the view leaves its storage");
        return nullptr;
    }
    if (op::IsContiguous(x)) {
        if (x->GetViewShape() == x->GetStorageShape() && x->GetViewShape() == x->GetOriginalShape()) {
            return x;
        }
        return executor->CreateView(x, x->GetViewShape(), x->GetViewOffset());
    }
    aclTensor* copy = executor->AllocTensor(x->GetViewShape(), x->GetDataType(), x->GetViewFormat());
    AddCopy(x, copy, executor);
    return copy;
}

const aclTensor* ViewCopy(const aclTensor* x, const aclTensor* y, aclOpExecutor* executor)
{
    const char* refusal = nullptr;
    if (x == nullptr || y == nullptr) {
        refusal = "null pointer";  // the toolkit dereferences it
    } else if (y->IsFromWorkspace()) {
        refusal = "the destination is a workspace tensor";
    } else if (x->GetDataType() != y->GetDataType()) {
        refusal = "the data types differ";
    } else if (x->GetViewFormat() != y->GetViewFormat() && x->GetViewFormat() != ge::FORMAT_ND) {
        refusal = "the formats differ";
    } else if (x->GetViewShape() != y->GetViewShape() && !(x->Numel() == 1 && y->Numel() == 1)) {
        refusal = "the shapes differ";
    } else if (!op::Validate(y)) {
        refusal = "the destination leaves its storage";
    }
    if (refusal != nullptr) {
        LogError("ViewCopy", "", 0, "ViewCopy: %s", refusal);
        return nullptr;
    }
    const bool contiguous = op::IsContiguous(y);
    if (contiguous && x->IsFromWorkspace() && x->GetViewOffset() == 0) {
        aclStorage& storage = *x->Storage();
        storage.fromWorkspace = false;
        storage.address = y->GetData();
        storage.bytes = y->ReachBytes();
        return y;
    }
    if (contiguous && !x->IsFromWorkspace() && x->GetData() == y->GetData()) {
        return y;
    }
    AddCopy(x, y, executor);
    return y;
}

}  // namespace l0op
