#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

namespace gert {

class TilingData {
public:
    explicit TilingData(size_t capacity) : bytes_(capacity + sizeof(uint64_t)), capacity_(capacity)
    {
        // What tiling does not write is not zero on the device either.
        std::memset(bytes_.data(), kPoison, bytes_.size());
    }

    static constexpr unsigned char kPoison = 0xCD;

    size_t GetCapacity() const { return capacity_; }
    size_t GetDataSize() const { return size_; }
    void SetDataSize(size_t size) { size_ = size; }
    void* GetData() { return bytes_.data(); }
    const void* GetData() const { return bytes_.data(); }

    template <typename T, typename std::enable_if<std::is_standard_layout<T>::value, int>::type = 0>
    int Append(const T& value)
    {
        return Append(&value, 1);
    }
    template <typename T>
    int Append(const T* values, size_t count)
    {
        void* target = Expand(sizeof(T) * count);
        if (target == nullptr) {
            return -1;
        }
        std::memcpy(target, values, sizeof(T) * count);
        return 0;
    }
    void* Expand(size_t bytes)
    {
        if (bytes > capacity_ - size_) {
            return nullptr;
        }
        void* target = bytes_.data() + size_;
        size_ += bytes;
        return target;
    }

private:
    std::vector<unsigned char> bytes_;
    size_t capacity_;
    size_t size_ = 0;
};

}  // namespace gert
