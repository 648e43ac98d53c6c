#pragma once

#include <cstddef>
#include <vector>

namespace op {

template <typename T, size_t Inline = 8>
class FVector : public std::vector<T> {
public:
    using std::vector<T>::vector;
};

}  // namespace op
