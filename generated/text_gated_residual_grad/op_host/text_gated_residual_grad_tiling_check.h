// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_tiling_check.h
 * \brief Checks of the tiling of TextGatedResidualGrad. One that does not hold logs one line: the parameter, what it
 * got and what it wants.
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_TILING_CHECK_H
#define TEXT_GATED_RESIDUAL_GRAD_TILING_CHECK_H

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include "exe_graph/runtime/tiling_context.h"

#if __has_include("log/log.h")
#include "log/log.h"
#else // a stand-alone project has no log/log.h
#include <cstdio>
#define OP_LOGE(context, format, ...) \
    (void)std::fprintf(stderr, "[ERROR] %s: " format "\n", (context)->GetNodeName(), ##__VA_ARGS__)
#endif

namespace optiling::text_gated_residual_grad {
// The product of non-negative numbers; -1 when it exceeds int64_t.
inline int64_t Product(std::initializer_list<int64_t> factors)
{
    int64_t product = 1;
    bool overflow = false;
    for (const int64_t factor : factors) {
        if (factor == 0) {
            return 0;
        }
        overflow = overflow || factor < 0 || product > std::numeric_limits<int64_t>::max() / factor;
        product = overflow ? 1 : product * factor;
    }
    return overflow ? -1 : product;
}

// The product of the dimensions from `begin` to `end`; -1 when it exceeds int64_t or a dimension is unknown.
inline int64_t Product(const gert::Shape& shape, size_t begin, size_t end)
{
    int64_t product = 1;
    bool empty = false;
    for (size_t i = begin; i < end; ++i) {
        const int64_t dim = shape.GetDim(i);
        empty = empty || dim == 0;
        product = product < 0 || dim < 0 ? -1 : Product({product, dim == 0 ? 1 : dim});
    }
    return empty && product >= 0 ? 0 : product;
}

// The sum of non-negative numbers; -1 when it exceeds int64_t or a summand is negative.
inline int64_t Sum(std::initializer_list<int64_t> summands)
{
    int64_t sum = 0;
    for (const int64_t summand : summands) {
        const bool fits = sum >= 0 && summand >= 0 && sum <= std::numeric_limits<int64_t>::max() - summand;
        sum = fits ? sum + summand : -1;
    }
    return sum;
}

// The dimension that is `back` places from the end: 1 is the last one.
inline int64_t DimFromEnd(const gert::Shape& shape, size_t back) { return shape.GetDim(shape.GetDimNum() - back); }

inline std::string ToText(const gert::Shape& shape)
{
    std::string text = "[";
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(shape.GetDim(i));
    }
    return text + "]";
}

// `reason` names the option that asks for the tensor.
inline bool IsGiven(const gert::TilingContext* context, const char* name, const gert::Shape* shape,
                    const char* reason = nullptr)
{
    if (shape != nullptr) {
        return true;
    }
    OP_LOGE(context, "%s: got no tensor, wants one%s%s%s", name, reason == nullptr ? "" : " because ",
            reason == nullptr ? "" : reason, reason == nullptr ? "" : " is given");
    return false;
}

// Whether two tensors of a group are both given or both absent.
inline bool IsGivenWith(const gert::TilingContext* context, const char* name, const gert::Shape* shape,
                        const char* firstName, const gert::Shape* first)
{
    if ((shape == nullptr) == (first == nullptr)) {
        return true;
    }
    OP_LOGE(context, "%s: got %s tensor, wants %s because %s is %s", name, shape == nullptr ? "no" : "a",
            shape == nullptr ? "one" : "none", firstName, first == nullptr ? "absent" : "given");
    return false;
}

inline bool IsInRange(const gert::TilingContext* context, const char* name, int64_t value, int64_t low, int64_t high)
{
    if (value >= low && value <= high) {
        return true;
    }
    OP_LOGE(context, "%s: got %ld, wants %ld to %ld", name, static_cast<long>(value), static_cast<long>(low),
            static_cast<long>(high));
    return false;
}

inline bool HasRank(const gert::TilingContext* context, const char* name, const gert::Shape& shape, size_t low,
                    size_t high)
{
    if (shape.GetDimNum() >= low && shape.GetDimNum() <= high) {
        return true;
    }
    const std::string wanted = std::to_string(low) + (low == high ? "" : " to " + std::to_string(high));
    OP_LOGE(context, "%s: got shape %s of rank %zu, wants rank %s", name, ToText(shape).c_str(), shape.GetDimNum(),
            wanted.c_str());
    return false;
}

// Sets `rows` to the product of all dimensions but the last `features`.
inline bool CountRows(const gert::TilingContext* context, const char* name, const gert::Shape& shape, size_t features,
                      int64_t& rows)
{
    rows = Product(shape, 0, shape.GetDimNum() - features);
    if (rows >= 0) {
        return true;
    }
    OP_LOGE(context, "%s: got shape %s, wants known dimensions whose product fits in int64", name,
            ToText(shape).c_str());
    return false;
}

// Whether the leading dimensions, all but the last `features`, are those of `other`.
inline bool HasRowsOf(const gert::TilingContext* context, const char* name, const gert::Shape& shape, size_t features,
                      const char* otherName, const gert::Shape& other, size_t otherFeatures)
{
    const size_t leading = other.GetDimNum() - otherFeatures;
    bool same = shape.GetDimNum() == leading + features;
    for (size_t i = 0; same && i < leading; ++i) {
        same = shape.GetDim(i) == other.GetDim(i);
    }
    if (same) {
        return true;
    }
    OP_LOGE(context, "%s: got shape %s, wants the leading dimensions of %s, which is %s", name, ToText(shape).c_str(),
            otherName, ToText(other).c_str());
    return false;
}

// Whether an attribute divides the dimension that is `back` places from the end.
inline bool Divides(const gert::TilingContext* context, const char* name, int64_t value, const char* shapeName,
                    const gert::Shape& shape, size_t back)
{
    if (DimFromEnd(shape, back) % value == 0) {
        return true;
    }
    OP_LOGE(context, "%s: got %ld, wants a divisor of dimension %zu of %s, which is %s", name, static_cast<long>(value),
            shape.GetDimNum() - back, shapeName, ToText(shape).c_str());
    return false;
}

inline bool HasDim(const gert::TilingContext* context, const char* name, const gert::Shape& shape, size_t back,
                   int64_t wanted, const char* formula)
{
    if (DimFromEnd(shape, back) == wanted) {
        return true;
    }
    OP_LOGE(context, "%s: got shape %s, wants %s = %ld as dimension %zu", name, ToText(shape).c_str(), formula,
            static_cast<long>(wanted), shape.GetDimNum() - back);
    return false;
}

inline bool IsWithin(const gert::TilingContext* context, const char* name, const gert::Shape& shape, const char* symbol,
                     int64_t value, int64_t low, int64_t high)
{
    if (value >= low && value <= high) {
        return true;
    }
    OP_LOGE(context, "%s: got shape %s with %s = %ld, wants %s from %ld to %ld", name, ToText(shape).c_str(), symbol,
            static_cast<long>(value), symbol, static_cast<long>(low), static_cast<long>(high));
    return false;
}

inline bool HasShapeOf(const gert::TilingContext* context, const char* name, const gert::Shape& shape,
                       const char* otherName, const gert::Shape& other)
{
    if (shape == other) {
        return true;
    }
    OP_LOGE(context, "%s: got shape %s, wants the shape of %s, which is %s", name, ToText(shape).c_str(), otherName,
            ToText(other).c_str());
    return false;
}

inline bool FitsMemory(const gert::TilingContext* context, const char* name, const gert::Shape& shape,
                       int64_t elementBytes)
{
    const int64_t elements = Product(shape, 0, shape.GetDimNum());
    if (elements >= 0 && Product({elements, elementBytes}) >= 0) {
        return true;
    }
    OP_LOGE(context, "%s: got shape %s, wants a number of bytes that fits in int64", name, ToText(shape).c_str());
    return false;
}

inline bool IsMultiple(const gert::TilingContext* context, const char* symbol, int64_t value, int64_t of)
{
    if (value % of == 0) {
        return true;
    }
    OP_LOGE(context, "%s: got %ld, wants a multiple of %ld", symbol, static_cast<long>(value), static_cast<long>(of));
    return false;
}

inline bool IsAtLeast(const gert::TilingContext* context, const char* symbol, int64_t value, int64_t low)
{
    if (value >= low) {
        return true;
    }
    OP_LOGE(context, "%s: got %ld, wants at least %ld", symbol, static_cast<long>(value), static_cast<long>(low));
    return false;
}

// `value` is -1 where it exceeds int64_t.
inline bool IsAtMost(const gert::TilingContext* context, const char* formula, int64_t value, const char* boundName,
                     int64_t bound)
{
    if (value >= 0 && value <= bound) {
        return true;
    }
    const std::string got = value < 0 ? "more than int64 holds" : std::to_string(value);
    OP_LOGE(context, "%s: got %s, wants at most %s = %ld", formula, got.c_str(), boundName, static_cast<long>(bound));
    return false;
}
} // namespace optiling::text_gated_residual_grad

#endif // TEXT_GATED_RESIDUAL_GRAD_TILING_CHECK_H
