// aclTensor and its kin as library code sees them (opbase, opdev/common_types.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"
#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor.h"
#include "graph/ascend_string.h"
#include "graph/types.h"
#include "opdev/fast_vector.h"
#include "opdev/op_def.h"

namespace op {

constexpr uint64_t MAX_DIM_NUM = 25;

using Shape = gert::Shape;
using StorageShape = gert::StorageShape;
using Format = ge::Format;
using DataType = ge::DataType;
using TensorPlacement = gert::TensorPlacement;
using Strides = FVector<int64_t, MAX_DIM_NUM>;
using ShapeVector = FVector<int64_t, MAX_DIM_NUM>;

ge::AscendString ToString(DataType type);
size_t TypeSize(DataType type);
void ToContiguousStrides(const Shape& shape, Strides& strides);

}  // namespace op

// Memory behind one or several tensors. The address of a workspace storage is known in the second phase only.
struct aclStorage {
    void* address = nullptr;
    uint64_t bytes = 0;
    bool fromWorkspace = false;
    uint64_t workspaceOffset = 0;
    std::vector<uint8_t> hostData;  // tensors made of host values
};

class aclTensor {
public:
    const op::Shape& GetViewShape() const { return viewShape_; }
    const op::Shape& GetStorageShape() const { return storageShape_; }
    const op::Shape& GetOriginalShape() const { return originalShape_; }
    void SetViewShape(const op::Shape& shape);  // strides become contiguous
    void SetStorageShape(const op::Shape& shape) const { storageShape_ = shape; }
    void SetOriginalShape(const op::Shape& shape) const { originalShape_ = shape; }
    const op::Strides& GetViewStrides() const { return strides_; }
    void SetViewStrides(const op::Strides& strides) { strides_ = strides; }
    int64_t GetViewOffset() const { return viewOffset_; }
    void SetViewOffset(int64_t offset) const { viewOffset_ = offset; }
    int64_t GetStorageOffset() const { return storageOffset_; }
    void SetStorageOffset(int64_t offset) { storageOffset_ = offset; }

    op::DataType GetDataType() const { return dataType_; }
    void SetDataType(op::DataType type) { dataType_ = type; }
    op::Format GetViewFormat() const { return viewFormat_; }
    op::Format GetStorageFormat() const { return storageFormat_; }
    op::Format GetOriginalFormat() const { return originalFormat_; }
    void SetViewFormat(op::Format format) { viewFormat_ = format; }
    void SetStorageFormat(op::Format format) { storageFormat_ = format; }
    void SetOriginalFormat(op::Format format) { originalFormat_ = format; }
    op::TensorPlacement GetPlacement() const { return placement_; }

    void* GetStorageAddr() const { return storage_->address; }
    void* GetData() const;  // what a kernel receives
    int64_t Size() const { return storageShape_.GetShapeSize(); }
    int64_t Numel() const { return viewShape_.GetShapeSize(); }
    bool IsEmpty() const;
    bool IsFromWorkspace() const { return storage_->fromWorkspace; }
    bool IsView() const { return viewShape_ != storageShape_ || viewOffset_ != 0; }
    ge::AscendString ToString() const;

    // The emulator's own access.
    const std::shared_ptr<aclStorage>& Storage() const { return storage_; }
    uint64_t ReachBytes() const;  // from GetData() to the end of the last element of the view

private:
    friend class aclTensorFactory;

    op::Shape viewShape_;
    mutable op::Shape storageShape_;
    mutable op::Shape originalShape_;
    op::Strides strides_;
    mutable int64_t viewOffset_ = 0;
    int64_t storageOffset_ = 0;
    op::DataType dataType_ = ge::DT_UNDEFINED;
    op::Format viewFormat_ = ge::FORMAT_ND;
    op::Format storageFormat_ = ge::FORMAT_ND;
    op::Format originalFormat_ = ge::FORMAT_ND;
    op::TensorPlacement placement_ = gert::kOnDeviceHbm;
    std::shared_ptr<aclStorage> storage_ = std::make_shared<aclStorage>();
};

template <typename T, typename Stored = T>
class aclArray {
public:
    aclArray(const T* values, uint64_t size) : values_(values, values + size) {}
    uint64_t Size() const { return values_.size(); }
    Stored& operator[](uint64_t index) { return values_[index]; }
    const Stored& operator[](uint64_t index) const { return values_[index]; }
    const T* GetData() const { return reinterpret_cast<const T*>(values_.data()); }

private:
    std::vector<Stored> values_;
};

class aclIntArray : public aclArray<int64_t> {
    using aclArray::aclArray;
};
class aclFloatArray : public aclArray<float> {
    using aclArray::aclArray;
};
class aclBoolArray : public aclArray<bool, uint8_t> {  // std::vector<bool> has no data()
    using aclArray::aclArray;
};

class aclScalar {
public:
    aclScalar(const void* value, op::DataType type);
    op::DataType GetDataType() const { return type_; }
    double ToDouble() const;
    float ToFloat() const { return static_cast<float>(ToDouble()); }
    int64_t ToInt64() const;
    const void* GetData() const { return bytes_; }

private:
    op::DataType type_;
    alignas(8) uint8_t bytes_[16] = {};
};

class aclTensorList {
public:
    aclTensorList(const aclTensor* const* tensors, uint64_t size) : tensors_(tensors, tensors + size) {}
    uint64_t Size() const { return tensors_.size(); }
    const aclTensor* operator[](uint64_t index) const { return tensors_[index]; }
    const aclTensor* GetData(uint64_t index) const { return tensors_[index]; }

private:
    std::vector<const aclTensor*> tensors_;
};
