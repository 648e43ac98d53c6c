// gert::Shape with the run-time behaviour of exe_graph/runtime/shape.h, its traps included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gert {

class Shape {
public:
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

    Shape() = default;
    Shape(std::initializer_list<int64_t> dims)
    {
        if (dims.size() > kMaxDimNum) {
            return;
        }
        for (const int64_t dim : dims) {
            dims_[dimNum_++] = dim;
        }
    }

    bool operator==(const Shape& other) const
    {
        if (dimNum_ != other.dimNum_) {
            return false;
        }
        for (size_t axis = 0; axis < dimNum_; ++axis) {
            if (dims_[axis] != other.dims_[axis]) {
                return false;
            }
        }
        return true;
    }
    bool operator!=(const Shape& other) const { return !(*this == other); }

    // A scalar has one element; a product that overflows is kInvalidDimValue.
    int64_t GetShapeSize() const
    {
        int64_t size = 1;
        for (size_t axis = 0; axis < dimNum_; ++axis) {
            if (__builtin_mul_overflow(size, dims_[axis], &size)) {
                return kInvalidDimValue;
            }
        }
        return size;
    }

    bool IsScalar() const { return dimNum_ == 0; }
    void SetScalar() { dimNum_ = 0; }
    size_t GetDimNum() const { return dimNum_; }
    void SetDimNum(size_t dimNum) { dimNum_ = dimNum > kMaxDimNum ? 0 : dimNum; }

    // The toolkit checks against the capacity only, not against the number of dimensions.
    int64_t GetDim(size_t axis) const { return axis >= kMaxDimNum ? kInvalidDimValue : dims_[axis]; }
    int64_t operator[](size_t axis) const { return GetDim(axis); }
    int64_t& operator[](size_t axis)
    {
        static int64_t invalid;
        invalid = kInvalidDimValue;
        return axis >= kMaxDimNum ? invalid : dims_[axis];
    }

    // Raises the number of dimensions to axis only, not to axis + 1, as the toolkit does.
    void SetDim(size_t axis, int64_t value)
    {
        if (axis >= kMaxDimNum) {
            return;
        }
        dims_[axis] = value;
        dimNum_ = dimNum_ < axis ? axis : dimNum_;
    }
    Shape& AppendDim(int64_t value)
    {
        if (dimNum_ < kMaxDimNum) {
            dims_[dimNum_++] = value;
        }
        return *this;
    }

private:
    size_t dimNum_ = 0;
    int64_t dims_[kMaxDimNum] = {};
};

}  // namespace gert
