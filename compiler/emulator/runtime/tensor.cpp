// aclTensor and its kin, and the helpers of opdev that look at shapes and strides.
#include "opdev/common_types.h"

#include <cstring>

#include "host_state.h"
#include "opdev/format_utils.h"
#include "opdev/op_errno.h"
#include "opdev/op_executor.h"
#include "opdev/shape_utils.h"
#include "opdev/tensor_view_utils.h"
#include "tensor_factory.h"

using emulator::Format;

void* aclTensor::GetData() const
{
    if (storage_->address == nullptr) {
        return nullptr;
    }
    return static_cast<uint8_t*>(storage_->address) + (viewOffset_ + storageOffset_) * op::TypeSize(dataType_);
}

bool aclTensor::IsEmpty() const
{
    for (size_t axis = 0; axis < viewShape_.GetDimNum(); ++axis) {
        if (viewShape_.GetDim(axis) == 0) {
            return true;
        }
    }
    return false;
}

void aclTensor::SetViewShape(const op::Shape& shape)
{
    viewShape_ = shape;
    op::ToContiguousStrides(shape, strides_);
}

ge::AscendString aclTensor::ToString() const
{
    return ge::AscendString(Format("%s %s", op::ToString(dataType_).GetString(), op::ToString(viewShape_).GetString()));
}

uint64_t aclTensor::ReachBytes() const
{
    if (IsEmpty()) {
        return 0;
    }
    int64_t last = 0;
    for (size_t axis = 0; axis < viewShape_.GetDimNum(); ++axis) {
        last += (viewShape_.GetDim(axis) - 1) * strides_[axis];
    }
    return static_cast<uint64_t>(last + 1) * op::TypeSize(dataType_);
}

aclScalar::aclScalar(const void* value, op::DataType type) : type_(type)
{
    std::memcpy(bytes_, value, op::TypeSize(type));
}

double aclScalar::ToDouble() const
{
    switch (type_) {
        case ge::DT_FLOAT: return *reinterpret_cast<const float*>(bytes_);
        case ge::DT_DOUBLE: return *reinterpret_cast<const double*>(bytes_);
        case ge::DT_FLOAT16: return aclFloat16ToFloat(*reinterpret_cast<const uint16_t*>(bytes_));
        default: return static_cast<double>(ToInt64());
    }
}

int64_t aclScalar::ToInt64() const
{
    switch (type_) {
        case ge::DT_INT64: return *reinterpret_cast<const int64_t*>(bytes_);
        case ge::DT_INT32: return *reinterpret_cast<const int32_t*>(bytes_);
        case ge::DT_INT16: return *reinterpret_cast<const int16_t*>(bytes_);
        case ge::DT_INT8: return *reinterpret_cast<const int8_t*>(bytes_);
        case ge::DT_UINT8:
        case ge::DT_BOOL: return bytes_[0];
        case ge::DT_UINT32: return *reinterpret_cast<const uint32_t*>(bytes_);
        case ge::DT_UINT64: return static_cast<int64_t>(*reinterpret_cast<const uint64_t*>(bytes_));
        default: return static_cast<int64_t>(ToDouble());
    }
}

namespace op {

ge::AscendString ToString(DataType type) { return ge::DataTypeName(type); }

ge::AscendString ToString(const std::initializer_list<DataType>& types)
{
    std::string text = "[";
    for (const DataType type : types) {
        text += (text.size() > 1 ? ", " : "") + std::string(ge::DataTypeName(type));
    }
    return ge::AscendString(text + "]");
}

ge::AscendString ToString(ge::Format format)
{
    return format == ge::FORMAT_ND ? ge::AscendString("ND") : ge::AscendString(std::to_string(format));
}

size_t TypeSize(DataType type)
{
    const int size = ge::GetSizeByDataType(type);
    return size > 0 && size < ge::kDataTypeSizeBitOffset ? static_cast<size_t>(size) : 1;
}

void ToContiguousStrides(const Shape& shape, Strides& strides)
{
    strides.assign(shape.GetDimNum(), 1);
    int64_t stride = 1;
    for (size_t axis = shape.GetDimNum(); axis > 0; --axis) {
        strides[axis - 1] = stride;
        stride *= shape.GetDim(axis - 1);
    }
}

ge::AscendString ToString(const Strides& strides)
{
    std::string text = "[";
    for (const int64_t stride : strides) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(stride);
    }
    return ge::AscendString(text + "]");
}

ge::AscendString ToString(const Shape& shape) { return ToString(ToShapeVector(shape)); }

void ToShape(const int64_t* dims, uint64_t count, Shape& shape)
{
    shape.SetDimNum(0);
    for (uint64_t axis = 0; axis < count; ++axis) {
        shape.AppendDim(dims[axis]);
    }
}

void ToShape(const ShapeVector& dims, Shape& shape) { ToShape(dims.data(), dims.size(), shape); }

ShapeVector ToShapeVector(const Shape& shape)
{
    ShapeVector dims;
    for (size_t axis = 0; axis < shape.GetDimNum(); ++axis) {
        dims.push_back(shape.GetDim(axis));
    }
    return dims;
}

bool BroadcastInferShape(const Shape& self, const Shape& other, Shape& result)
{
    const size_t rank = std::max(self.GetDimNum(), other.GetDimNum());
    result.SetDimNum(rank);
    for (size_t axis = 1; axis <= rank; ++axis) {
        const int64_t a = axis > self.GetDimNum() ? 1 : self.GetDim(self.GetDimNum() - axis);
        const int64_t b = axis > other.GetDimNum() ? 1 : other.GetDim(other.GetDimNum() - axis);
        if (a != b && a != 1 && b != 1) {
            return false;
        }
        result.SetDim(rank - axis, a == 1 ? b : a);
    }
    return true;
}

bool CheckBroadcastShape(const Shape& self, const Shape& other)
{
    Shape ignored;
    return BroadcastInferShape(self, other, ignored);
}

bool IsContiguous(const aclTensor* tensor)
{
    if (tensor == nullptr || IsPrivateFormat(tensor->GetStorageFormat()) || tensor->Numel() <= 1) {
        return true;
    }
    int64_t expected = 1;
    const Shape& shape = tensor->GetViewShape();
    for (size_t axis = shape.GetDimNum(); axis > 0; --axis) {
        if (shape.GetDim(axis - 1) != 1 && tensor->GetViewStrides()[axis - 1] != expected) {
            return false;
        }
        expected *= shape.GetDim(axis - 1);
    }
    return true;
}

bool Validate(const aclTensor* tensor)
{
    if (tensor == nullptr) {
        return false;
    }
    if (tensor->IsEmpty()) {
        return true;
    }
    int64_t smallest = tensor->GetViewOffset();
    int64_t largest = smallest;
    for (size_t axis = 0; axis < tensor->GetViewShape().GetDimNum(); ++axis) {
        const int64_t reach = (tensor->GetViewShape().GetDim(axis) - 1) * tensor->GetViewStrides()[axis];
        (reach < 0 ? smallest : largest) += reach;
    }
    return smallest >= 0 && largest < tensor->Size();
}

bool CanPickViewAsContiguous(const aclTensor* tensor) { return IsContiguous(tensor); }

}  // namespace op

namespace {

template <typename T>
aclnnStatus Destroy(const T* object)
{
    delete object;
    return OK;
}

aclnnStatus CopyOut(const op::ShapeVector& values, int64_t** out, uint64_t* count)
{
    *count = values.size();
    *out = new int64_t[values.size()];
    std::copy(values.begin(), values.end(), *out);
    return OK;
}

}  // namespace

extern "C" {

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t* stride,
                           int64_t offset, aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                           void* tensorData)
{
    if ((viewDims == nullptr && viewDimsNum > 0) || (storageDims == nullptr && storageDimsNum > 0) ||
        viewDimsNum > op::MAX_DIM_NUM || storageDimsNum > op::MAX_DIM_NUM) {
        return nullptr;
    }
    op::Shape view;
    op::Shape storage;
    op::ToShape(viewDims, viewDimsNum, view);
    op::ToShape(storageDims, storageDimsNum, storage);
    op::Strides strides;
    if (stride == nullptr) {
        op::ToContiguousStrides(view, strides);
    } else {
        strides.assign(stride, stride + viewDimsNum);
    }
    aclTensor* tensor = aclTensorFactory::Make(view, storage, strides, offset, static_cast<ge::DataType>(dataType),
                                               static_cast<ge::Format>(format));
    tensor->Storage()->address = tensorData;
    tensor->Storage()->bytes = static_cast<uint64_t>(storage.GetShapeSize()) * op::TypeSize(tensor->GetDataType());
    return tensor;
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) { return Destroy(tensor); }
aclScalar* aclCreateScalar(void* value, aclDataType dataType)
{
    return value == nullptr ? nullptr : new aclScalar(value, static_cast<ge::DataType>(dataType));
}
aclnnStatus aclDestroyScalar(const aclScalar* scalar) { return Destroy(scalar); }
aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) { return new aclIntArray(value, size); }
aclnnStatus aclDestroyIntArray(const aclIntArray* array) { return Destroy(array); }
aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) { return new aclFloatArray(value, size); }
aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) { return Destroy(array); }
aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) { return new aclBoolArray(value, size); }
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) { return Destroy(array); }
aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size)
{
    return new aclTensorList(value, size);
}

// The list owns its tensors.
aclnnStatus aclDestroyTensorList(const aclTensorList* list)
{
    for (uint64_t index = 0; list != nullptr && index < list->Size(); ++index) {
        aclDestroyTensor((*list)[index]);
    }
    return Destroy(list);
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum)
{
    return tensor == nullptr ? ACLNN_ERR_PARAM_NULLPTR
                             : CopyOut(op::ToShapeVector(tensor->GetViewShape()), viewDims, viewDimsNum);
}
aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims, uint64_t* storageDimsNum)
{
    return tensor == nullptr ? ACLNN_ERR_PARAM_NULLPTR
                             : CopyOut(op::ToShapeVector(tensor->GetStorageShape()), storageDims, storageDimsNum);
}
aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** strides, uint64_t* stridesNum)
{
    return tensor == nullptr ? ACLNN_ERR_PARAM_NULLPTR : CopyOut(tensor->GetViewStrides(), strides, stridesNum);
}
aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset)
{
    *offset = tensor->GetViewOffset();
    return OK;
}
aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format)
{
    *format = static_cast<aclFormat>(tensor->GetViewFormat());
    return OK;
}
aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType)
{
    *dataType = static_cast<aclDataType>(tensor->GetDataType());
    return OK;
}

}  // extern "C"
