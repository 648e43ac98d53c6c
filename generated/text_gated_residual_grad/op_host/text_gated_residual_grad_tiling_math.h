// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_tiling_math.h
 * \brief Integer arithmetic of the tiling of TextGatedResidualGrad.
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_TILING_MATH_H
#define TEXT_GATED_RESIDUAL_GRAD_TILING_MATH_H

#include <cstdint>

namespace optiling::text_gated_residual_grad {
// a / b, rounded up, for a >= 0 and b > 0.
constexpr int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b == 0 ? 0 : 1); }

// The largest multiple of b that is not above a.
constexpr int64_t AlignDown(int64_t a, int64_t b) { return a / b * b; }

// The smallest multiple of b that is not below a.
constexpr int64_t AlignUp(int64_t a, int64_t b) { return CeilDiv(a, b) * b; }
} // namespace optiling::text_gated_residual_grad

#endif // TEXT_GATED_RESIDUAL_GRAD_TILING_MATH_H
