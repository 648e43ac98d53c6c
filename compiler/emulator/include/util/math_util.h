// Ops::Base integer helpers (opbase, op_common/op_host/util/math_util.h).
#pragma once

#include <type_traits>

namespace Ops {
namespace Base {

template <typename T>
T FloorDiv(T value, T factor)
{
    static_assert(std::is_integral_v<T>);
    return factor == 0 ? value : value / factor;
}

template <typename T>
T FloorAlign(T value, T align)
{
    static_assert(std::is_integral_v<T>);
    return align == 0 ? 0 : value / align * align;
}

template <typename T>
T CeilDiv(T value, T factor)
{
    static_assert(std::is_integral_v<T>);
    if (factor == 0) {
        return value;
    }
    const T quotient = value / factor;
    return value % factor != 0 && (value < 0) == (factor < 0) ? quotient + 1 : quotient;
}

template <typename T>
T CeilAlign(T value, T align)
{
    return align == 0 ? 0 : CeilDiv(value, align) * align;
}

}  // namespace Base
}  // namespace Ops
