#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/tiling_data.h"

namespace fe {
class PlatFormInfos;
}

namespace emulator {

// What one call of a tiling function decides; the initial values are those that the framework resets to.
struct Tiling {
    explicit Tiling(size_t capacity) : data(capacity) {}

    uint64_t key = 0;
    uint32_t blockDim = 0;
    uint32_t scheduleMode = 0;
    int32_t condition = 0;
    bool needAtomic = false;
    uint32_t localMemory = 0;
    gert::TilingData data;
    size_t workspaces[8] = {};
    size_t workspaceCount = 0;

    uint64_t WorkspaceBytes() const
    {
        uint64_t bytes = 0;
        for (size_t index = 0; index < workspaceCount; ++index) {
            bytes += workspaces[index];
        }
        return bytes;
    }
};

void ReportTilingCapacity(const char* node, size_t bytes, size_t capacity);

}  // namespace emulator

namespace gert {

class TilingContext : public ExtendedKernelContext {
public:
    TilingContext(emulator::Node* node, emulator::Tiling* tiling, const void* compileInfo, fe::PlatFormInfos* platform,
                  int32_t deterministic)
        : ExtendedKernelContext(node),
          tiling_(tiling),
          compileInfo_(compileInfo),
          platform_(platform),
          deterministic_(deterministic)
    {
    }

    template <typename T>
    const T* GetCompileInfo() const
    {
        return static_cast<const T*>(compileInfo_);
    }
    const void* GetCompileInfo() const { return compileInfo_; }

    const StorageShape* GetInputShape(size_t instance) const
    {
        return instance < node_->inputs.size() ? &node_->inputs[instance].tensor.GetShape() : nullptr;
    }
    const StorageShape* GetRequiredInputShape(size_t port) const { return GetDynamicInputShape(port, 0); }
    const StorageShape* GetOptionalInputShape(size_t port) const { return GetDynamicInputShape(port, 0); }
    const StorageShape* GetDynamicInputShape(size_t port, size_t relative) const
    {
        const Tensor* tensor = GetDynamicInputTensor(port, relative);
        return tensor == nullptr ? nullptr : &tensor->GetShape();
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
    const StorageShape* GetOutputShape(size_t instance) const
    {
        return instance < node_->outputs.size() ? &node_->outputs[instance].tensor.GetShape() : nullptr;
    }

    ge::graphStatus SetTilingKey(uint64_t key)
    {
        tiling_->key = key;
        return ge::GRAPH_SUCCESS;
    }
    uint64_t GetTilingKey() const { return tiling_->key; }
    ge::graphStatus SetBlockDim(uint32_t blocks)
    {
        tiling_->blockDim = blocks;
        return ge::GRAPH_SUCCESS;
    }
    uint32_t GetBlockDim() const { return tiling_->blockDim; }
    ge::graphStatus SetSimdNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
    uint32_t GetSimdNumBlocks() const { return tiling_->blockDim; }
    ge::graphStatus SetScheduleMode(uint32_t mode)
    {
        tiling_->scheduleMode = mode;
        return ge::GRAPH_SUCCESS;
    }
    uint32_t GetScheduleMode() const { return tiling_->scheduleMode; }
    ge::graphStatus SetTilingCond(int32_t condition)
    {
        tiling_->condition = condition;
        return ge::GRAPH_SUCCESS;
    }
    int32_t GetTilingCond() const { return tiling_->condition; }
    ge::graphStatus SetNeedAtomic(bool atomic)
    {
        tiling_->needAtomic = atomic;
        return ge::GRAPH_SUCCESS;
    }
    bool NeedAtomic() const { return tiling_->needAtomic; }
    ge::graphStatus SetLocalMemorySize(uint32_t bytes)
    {
        tiling_->localMemory = bytes;
        return ge::GRAPH_SUCCESS;
    }
    uint32_t GetLocalMemorySize() const { return tiling_->localMemory; }

    // Null when the struct is larger than the capacity of .Tiling(fn, max): 2048 bytes by default.
    template <typename T>
    T* GetTilingData()
    {
        if (sizeof(T) > tiling_->data.GetCapacity()) {
            emulator::ReportTilingCapacity(GetNodeName(), sizeof(T), tiling_->data.GetCapacity());
            return nullptr;
        }
        tiling_->data.SetDataSize(sizeof(T));
        return static_cast<T*>(tiling_->data.GetData());
    }
    TilingData* GetRawTilingData() { return &tiling_->data; }

    size_t* GetWorkspaceSizes(size_t count)
    {
        if (count > sizeof(tiling_->workspaces) / sizeof(size_t)) {
            return nullptr;
        }
        tiling_->workspaceCount = count;
        return tiling_->workspaces;
    }
    size_t GetWorkspaceNum() const { return tiling_->workspaceCount; }
    fe::PlatFormInfos* GetPlatformInfo() const { return platform_; }
    int32_t GetDeterministic() const { return deterministic_; }

private:
    emulator::Tiling* tiling_;
    const void* compileInfo_;
    fe::PlatFormInfos* platform_;
    int32_t deterministic_;
};

}  // namespace gert
