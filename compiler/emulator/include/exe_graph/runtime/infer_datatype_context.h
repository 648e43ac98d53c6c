#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferDataTypeContext : public ExtendedKernelContext {
public:
    explicit InferDataTypeContext(emulator::Node* node) : ExtendedKernelContext(node) {}

    ge::DataType GetInputDataType(size_t instance) const
    {
        const CompileTimeTensorDesc* description = GetInputDesc(instance);
        return description == nullptr ? ge::DT_UNDEFINED : description->GetDataType();
    }
    ge::DataType GetRequiredInputDataType(size_t port) const { return GetDynamicInputDataType(port, 0); }
    ge::DataType GetOptionalInputDataType(size_t port) const { return GetDynamicInputDataType(port, 0); }
    ge::DataType GetDynamicInputDataType(size_t port, size_t relative) const
    {
        const CompileTimeTensorDesc* description = GetDynamicInputDesc(port, relative);
        return description == nullptr ? ge::DT_UNDEFINED : description->GetDataType();
    }
    ge::DataType GetOutputDataType(size_t instance) const
    {
        const CompileTimeTensorDesc* description = GetOutputDesc(instance);
        return description == nullptr ? ge::DT_UNDEFINED : description->GetDataType();
    }
    ge::graphStatus SetOutputDataType(size_t instance, ge::DataType type)
    {
        if (instance >= node_->outputs.size()) {
            return ge::GRAPH_FAILED;
        }
        node_->outputs[instance].description.SetDataType(type);
        return ge::GRAPH_SUCCESS;
    }
};

}  // namespace gert
