// Writing JSON.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "emulator/launch.h"

namespace emulator {

inline std::string ToJson(const std::string& text)
{
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') {
            result += '\\';
            result += character;
        } else if (static_cast<unsigned char>(character) < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof(escaped), "\\u%04x", character);
            result += escaped;
        } else {
            result += character;
        }
    }
    return result + '"';
}
inline std::string ToJson(const char* text) { return ToJson(std::string(text)); }
inline std::string ToJson(bool value) { return value ? "true" : "false"; }
inline std::string ToJson(double value)
{
    if (!std::isfinite(value)) {
        return "null";
    }
    char text[32];
    std::snprintf(text, sizeof(text), "%.17g", value);
    return text;
}
inline std::string ToJson(int64_t value) { return std::to_string(value); }
inline std::string ToJson(uint64_t value) { return std::to_string(value); }
inline std::string ToJson(int value) { return std::to_string(value); }
inline std::string ToJson(uint32_t value) { return std::to_string(value); }

template <typename T, typename F>
std::string ToJsonList(const T& items, F&& toJson)
{
    std::string result = "[";
    for (const auto& item : items) {
        result += (result.size() > 1 ? "," : "") + toJson(item);
    }
    return result + "]";
}

// Fields in the order of the calls.
class JsonObject {
public:
    template <typename T>
    JsonObject& Add(const char* name, const T& value)
    {
        return AddText(name, ToJson(value));
    }
    JsonObject& AddText(const char* name, const std::string& json)
    {
        text_ += (text_.empty() ? "" : ",") + ToJson(name) + ":" + json;
        return *this;
    }
    std::string Text() const { return "{" + text_ + "}"; }

private:
    std::string text_;
};

inline std::string ToJson(const Finding& finding)
{
    return JsonObject()
        .Add("kind", finding.kind)
        .Add("file", finding.file)
        .Add("line", finding.line)
        .Add("message", finding.message)
        .AddText("callers", ToJsonList(finding.callers, [](uint64_t offset) { return ToJson(offset); }))
        .Text();
}

}  // namespace emulator
