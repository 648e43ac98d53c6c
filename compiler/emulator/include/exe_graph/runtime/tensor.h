#pragma once

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor_data.h"
#include "graph/types.h"

namespace gert {

// As tiling sees a tensor: the data pointer is null unless the host holds the values.
class Tensor {
public:
    Tensor() = default;
    Tensor(const StorageShape& shape, const StorageFormat& format, TensorPlacement placement, ge::DataType type,
           void* address = nullptr)
        : shape_(shape),
          format_(format),
          placement_(placement),
          type_(type),
          address_(address)
    {
    }

    int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
    template <typename T>
    const T* GetData() const
    {
        return static_cast<const T*>(address_);
    }
    template <typename T>
    T* GetData()
    {
        return static_cast<T*>(address_);
    }
    const void* GetAddr() const { return address_; }
    void* GetAddr() { return address_; }
    size_t GetSize() const { return static_cast<size_t>(GetShapeSize()) * ge::GetSizeByDataType(type_); }
    ge::DataType GetDataType() const { return type_; }
    const StorageShape& GetShape() const { return shape_; }
    StorageShape& GetShape() { return shape_; }
    const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
    const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
    const StorageFormat& GetFormat() const { return format_; }
    TensorPlacement GetPlacement() const { return placement_; }

private:
    StorageShape shape_;
    StorageFormat format_;
    TensorPlacement placement_ = kOnDeviceHbm;
    ge::DataType type_ = ge::DT_UNDEFINED;
    void* address_ = nullptr;
};

}  // namespace gert
