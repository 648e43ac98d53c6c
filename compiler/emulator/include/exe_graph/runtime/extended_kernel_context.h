#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/tensor.h"
#include "graph/ge_error_codes.h"

namespace emulator {

struct Instance {
    gert::Tensor tensor;
    gert::CompileTimeTensorDesc description;
};

// One node as the contexts see it. A null optional port adds no instance, so the instance index of every later
// port is one lower than its index in the definition (opbase, kernel_context_holder.cpp).
struct Node {
    std::string type;
    std::vector<gert::AnchorInstanceInfo> inputPorts;
    std::vector<gert::AnchorInstanceInfo> outputPorts;
    std::vector<Instance> inputs;
    std::vector<Instance> outputs;
    std::vector<Attribute> attributes;
};

}  // namespace emulator

namespace gert {

class ComputeNodeInfo {
public:
    explicit ComputeNodeInfo(const emulator::Node* node) : node_(node) {}
    const char* GetNodeType() const { return node_->type.c_str(); }
    const char* GetNodeName() const { return node_->type.c_str(); }
    size_t GetIrInputsNum() const { return node_->inputPorts.size(); }
    size_t GetIrOutputsNum() const { return node_->outputPorts.size(); }
    size_t GetInputsNum() const { return node_->inputs.size(); }
    size_t GetOutputsNum() const { return node_->outputs.size(); }

private:
    const emulator::Node* node_;
};

class ExtendedKernelContext {
public:
    explicit ExtendedKernelContext(emulator::Node* node) : node_(node), attributes_(&node->attributes), info_(node) {}

    const CompileTimeTensorDesc* GetInputDesc(size_t instance) const
    {
        return instance < node_->inputs.size() ? &node_->inputs[instance].description : nullptr;
    }
    const CompileTimeTensorDesc* GetRequiredInputDesc(size_t port) const { return GetDynamicInputDesc(port, 0); }
    const CompileTimeTensorDesc* GetOptionalInputDesc(size_t port) const { return GetDynamicInputDesc(port, 0); }
    const CompileTimeTensorDesc* GetDynamicInputDesc(size_t port, size_t relative) const
    {
        const emulator::Instance* input = Input(port, relative);
        return input == nullptr ? nullptr : &input->description;
    }
    const CompileTimeTensorDesc* GetOutputDesc(size_t instance) const
    {
        return instance < node_->outputs.size() ? &node_->outputs[instance].description : nullptr;
    }
    const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t port) const
    {
        return port < node_->inputPorts.size() ? &node_->inputPorts[port] : nullptr;
    }
    const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t port) const
    {
        return port < node_->outputPorts.size() ? &node_->outputPorts[port] : nullptr;
    }
    size_t GetComputeNodeInputNum() const { return node_->inputs.size(); }
    size_t GetComputeNodeOutputNum() const { return node_->outputs.size(); }
    const RuntimeAttrs* GetAttrs() const { return &attributes_; }
    const char* GetNodeType() const { return node_->type.c_str(); }
    const char* GetNodeName() const { return node_->type.c_str(); }
    const ComputeNodeInfo* GetComputeNodeInfo() const { return &info_; }

protected:
    const emulator::Instance* Input(size_t port, size_t relative) const
    {
        if (port >= node_->inputPorts.size() || relative >= node_->inputPorts[port].GetInstanceNum()) {
            return nullptr;
        }
        return &node_->inputs[node_->inputPorts[port].GetInstanceStart() + relative];
    }

    emulator::Node* node_;

private:
    RuntimeAttrs attributes_;
    ComputeNodeInfo info_;
};

}  // namespace gert
