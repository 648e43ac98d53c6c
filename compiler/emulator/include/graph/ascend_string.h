#pragma once

#include <cstddef>
#include <string>

namespace ge {

class AscendString {
public:
    AscendString() = default;
    AscendString(const char* text) : text_(text == nullptr ? "" : text) {}
    AscendString(const char* text, size_t length) : text_(text, length) {}
    explicit AscendString(const std::string& text) : text_(text) {}

    const char* GetString() const { return text_.c_str(); }
    size_t GetLength() const { return text_.size(); }
    bool operator<(const AscendString& other) const { return text_ < other.text_; }
    bool operator==(const AscendString& other) const { return text_ == other.text_; }
    bool operator!=(const AscendString& other) const { return text_ != other.text_; }
    bool operator==(const char* other) const { return text_ == other; }

private:
    std::string text_;
};

}  // namespace ge
