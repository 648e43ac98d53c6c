#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferShapeContext : public ExtendedKernelContext {
public:
    explicit InferShapeContext(emulator::Node* node) : ExtendedKernelContext(node) {}

    const Shape* GetInputShape(size_t instance) const
    {
        return instance < node_->inputs.size() ? &node_->inputs[instance].tensor.GetOriginShape() : nullptr;
    }
    const Shape* GetRequiredInputShape(size_t port) const { return GetDynamicInputShape(port, 0); }
    const Shape* GetOptionalInputShape(size_t port) const { return GetDynamicInputShape(port, 0); }
    const Shape* GetDynamicInputShape(size_t port, size_t relative) const
    {
        const Tensor* tensor = GetDynamicInputTensor(port, relative);
        return tensor == nullptr ? nullptr : &tensor->GetOriginShape();
    }
    const Tensor* GetInputTensor(size_t instance) const
    {
        return instance < node_->inputs.size() ? &node_->inputs[instance].tensor : nullptr;
    }
    const Tensor* GetRequiredInputTensor(size_t port) const { return GetDynamicInputTensor(port, 0); }
    const Tensor* GetOptionalInputTensor(size_t port) const { return GetDynamicInputTensor(port, 0); }
    const Tensor* GetDynamicInputTensor(size_t port, size_t relative) const
    {
        const emulator::Instance* input = Input(port, relative);
        return input == nullptr ? nullptr : &input->tensor;
    }
    Shape* GetOutputShape(size_t instance)
    {
        return instance < node_->outputs.size() ? &node_->outputs[instance].tensor.GetShape().MutableOriginShape()
                                                : nullptr;
    }
};

}  // namespace gert
