// Made by ascgrad 0.1.0 from RowNormGrad for ascend950.

/*!
 * \file row_norm_grad_tiling_math.h
 * \brief Integer arithmetic of the tiling of RowNormGrad.
 */

#ifndef ROW_NORM_GRAD_TILING_MATH_H
#define ROW_NORM_GRAD_TILING_MATH_H

#include <cstdint>

namespace optiling::row_norm_grad {
// a / b, rounded up, for a >= 0 and b > 0.
constexpr int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b == 0 ? 0 : 1); }

// The largest multiple of b that is not above a.
constexpr int64_t AlignDown(int64_t a, int64_t b) { return a / b * b; }

// The smallest multiple of b that is not below a.
constexpr int64_t AlignUp(int64_t a, int64_t b) { return CeilDiv(a, b) * b; }
} // namespace optiling::row_norm_grad

#endif // ROW_NORM_GRAD_TILING_MATH_H
