#pragma once

#include "opdev/common_types.h"

// The one way to make an aclTensor inside the runtime.
class aclTensorFactory {
public:
    static aclTensor* Make(const op::Shape& view, const op::Shape& storage, const op::Strides& strides, int64_t offset,
                           op::DataType type, op::Format format)
    {
        auto* tensor = new aclTensor;
        tensor->viewShape_ = view;
        tensor->storageShape_ = storage;
        tensor->originalShape_ = storage;
        tensor->strides_ = strides;
        tensor->viewOffset_ = offset;
        tensor->dataType_ = type;
        tensor->viewFormat_ = tensor->storageFormat_ = tensor->originalFormat_ = format;
        return tensor;
    }
    static void Share(aclTensor* tensor, const std::shared_ptr<aclStorage>& storage) { tensor->storage_ = storage; }
    static void SetPlacement(aclTensor* tensor, op::TensorPlacement placement) { tensor->placement_ = placement; }
};
