// aclOpExecutor: the first phase records tasks and tensors, the second gives them addresses and queues them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "aclnn/acl_meta.h"
#include "opdev/common_types.h"
#include "opdev/data_type_utils.h"
#include "opdev/op_arg_def.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/op_log.h"

struct aclOpExecutor {
    aclTensor* AllocTensor(const op::Shape& shape, op::DataType type, op::Format format = op::Format::FORMAT_ND);
    aclTensor* AllocTensor(const op::Shape& storageShape, const op::Shape& originShape, op::DataType type,
                           op::Format storageFormat, op::Format originFormat);
    aclTensor* AllocTensor(op::DataType type, op::Format storageFormat, op::Format originFormat);

    template <typename T>
    aclTensor* AllocHostTensor(const T* values, uint64_t count, op::DataType type)
    {
        return HostTensor(values, count, sizeof(T), type);
    }
    aclTensor* CreateView(const aclTensor* tensor, const op::Shape& shape, int64_t offset);
    aclTensor* CreateView(const aclTensor* tensor, const op::Shape& originShape, const op::Shape& storageShape,
                          const op::Strides& strides, int64_t offset);

    aclIntArray* AllocIntArray(const int64_t* values, uint64_t count);
    aclFloatArray* AllocFloatArray(const float* values, uint64_t count);
    aclBoolArray* AllocBoolArray(const bool* values, uint64_t count);
    aclTensorList* AllocTensorList(const aclTensor* const* tensors, uint64_t count);
    aclScalar* AllocScalar(const void* value, op::DataType type);
    aclScalar* AllocScalar(float value) { return AllocScalar(&value, ge::DT_FLOAT); }
    aclScalar* AllocScalar(double value) { return AllocScalar(&value, ge::DT_DOUBLE); }
    aclScalar* AllocScalar(int64_t value) { return AllocScalar(&value, ge::DT_INT64); }
    aclScalar* AllocScalar(int32_t value) { return AllocScalar(&value, ge::DT_INT32); }
    const aclTensor* ConvertToTensor(const aclIntArray* values, op::DataType type);
    const aclTensor* ConvertToTensor(const aclFloatArray* values, op::DataType type);
    const aclTensor* ConvertToTensor(const aclBoolArray* values, op::DataType type);
    template <typename T>
    const aclTensor* ConvertToTensor(const T* values, uint64_t count, op::DataType type)
    {
        return HostTensor(values, count, sizeof(T), type);
    }

    uint64_t GetWorkspaceSize();
    aclrtStream GetStream() const { return stream; }
    void AbandonCache(bool = false) {}

    // The emulator's own part. A task runs when its stream does; tensors have their addresses by then.
    using Task = std::function<std::function<int()>()>;  // second phase: bind addresses -> what the stream will run

    uint64_t Reserve(uint64_t bytes);  // part of the workspace; returns its offset
    template <typename T>
    T* Own(T* object)
    {
        owned.emplace_back(object, [](void* pointer) { delete static_cast<T*>(pointer); });
        return object;
    }
    aclTensor* HostTensor(const void* values, uint64_t count, size_t bytes, op::DataType type);

    std::vector<Task> tasks;
    std::vector<aclTensor*> workspaceTensors;
    std::vector<std::shared_ptr<void>> owned;
    uint64_t workspaceBytes = 0;
    bool laidOut = false;  // workspace offsets are fixed
    bool repeatable = false;
    uint8_t* workspace = nullptr;
    aclrtStream stream = nullptr;
};

namespace op {
using OpExecutor = ::aclOpExecutor;
}

class UniqueExecutor {
public:
    explicit UniqueExecutor(const char* function);
    ~UniqueExecutor();
    UniqueExecutor(const UniqueExecutor&) = delete;
    UniqueExecutor& operator=(const UniqueExecutor&) = delete;

    aclOpExecutor* get() const { return executor_; }
    aclOpExecutor* operator->() { return executor_; }
    void ReleaseTo(aclOpExecutor** executor);

private:
    const char* function_;
    aclOpExecutor* executor_;
};

aclnnStatus CommonOpExecutorRun(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

namespace emulator {
aclnnStatus AddLaunch(const char* type, aclOpExecutor* executor, OpArguments&& arguments);
aclnnStatus InferShapes(const char* type, OpArguments&& arguments);
}  // namespace emulator
