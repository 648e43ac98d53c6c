// Elementwise arithmetic of the vector pipe.
#pragma once

#include <cfloat>
#include <cmath>

#include "emulator/vector_call.h"

namespace emulator {

// 16-bit floats are computed in float and rounded once per instruction: with 24 bits against 11 or 8 the second
// rounding of +, -, *, / and sqrt changes nothing.
template <class T>
struct Lane {
    using Compute = T;
    static T Load(T v) { return v; }
    static T Store(T v) { return v; }
};
template <>
struct Lane<half> {
    using Compute = float;
    static float Load(half v) { return HalfToFloat(v.bits); }
    static half Store(float v) {
        half h;
        h.bits = FloatToHalf(v);
        return h;
    }
};
template <>
struct Lane<bfloat16_t> {
    using Compute = float;
    static float Load(bfloat16_t v) { return BfloatToFloat(v.bits); }
    static bfloat16_t Store(float v) {
        bfloat16_t b;
        b.bits = FloatToBfloat(v);
        return b;
    }
};
template <class T>
using ComputeOf = typename Lane<T>::Compute;

// Destinations are the same as a source or apart from it (overlap rule), so lanes do not depend on each other.
template <class T, class U, class F>
inline void MapLanes(T* d, const U* a, uint32_t n, F f) {
#pragma GCC ivdep
    for (uint32_t i = 0; i < n; ++i) {
        d[i] = Lane<T>::Store(f(Lane<U>::Load(a[i])));
    }
}
template <class T, class U, class F>
inline void ZipLanes(T* d, const U* a, const U* b, uint32_t n, F f) {
#pragma GCC ivdep
    for (uint32_t i = 0; i < n; ++i) {
        d[i] = Lane<T>::Store(f(Lane<U>::Load(a[i]), Lane<U>::Load(b[i])));
    }
}
template <class T, class U, class F>
inline void ZipInto(T* d, const U* a, const U* b, uint32_t n, F f) {
#pragma GCC ivdep
    for (uint32_t i = 0; i < n; ++i) {
        d[i] = Lane<T>::Store(f(Lane<T>::Load(d[i]), ComputeOf<T>(Lane<U>::Load(a[i])), ComputeOf<T>(Lane<U>::Load(b[i]))));
    }
}

// Integers wrap. asc: CTRL[53] is 0 by default, truncation; inferred for 2201
template <class T>
inline constexpr bool isFloat = std::is_floating_point_v<T>;
template <class T>
using Wrap = std::make_unsigned_t<T>;
template <class T>
inline constexpr T highest = T(Wrap<T>(~Wrap<T>(0)) >> (std::is_signed_v<T> ? 1 : 0));
template <class T>
inline constexpr T lowest = std::is_signed_v<T> ? T(-highest<T> - 1) : T(0);

struct AddOp {
    template <class T>
    T operator()(T a, T b) const { if constexpr (isFloat<T>) return a + b; else return T(Wrap<T>(a) + Wrap<T>(b)); }
};
struct SubOp {
    template <class T>
    T operator()(T a, T b) const { if constexpr (isFloat<T>) return a - b; else return T(Wrap<T>(a) - Wrap<T>(b)); }
};
struct MulOp {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (isFloat<T>) return a * b;
        else if constexpr (sizeof(T) < 4) return T(uint32_t(a) * uint32_t(b));
        else return T(Wrap<T>(a) * Wrap<T>(b));
    }
};
// NaN wins over a number: inferred, the pages do not say.
struct MaxOp {
    template <class T>
    T operator()(T a, T b) const {
        T r = a > b ? a : b;
        if constexpr (isFloat<T>) r = a != a ? a : r;
        return r;
    }
};
struct MinOp {
    template <class T>
    T operator()(T a, T b) const {
        T r = a < b ? a : b;
        if constexpr (isFloat<T>) r = a != a ? a : r;
        return r;
    }
};
struct AbsOp {
    template <class T>
    T operator()(T a) const { if constexpr (isFloat<T>) return std::fabs(a); else return T(a < 0 ? -a : a); }
};
struct AndOp { template <class T> T operator()(T a, T b) const { return T(a & b); } };
struct OrOp { template <class T> T operator()(T a, T b) const { return T(a | b); } };

// asc: Exp, Ln, Sqrt, Rsqrt, Reciprocal and Div pages; 3510 flushes subnormal operands and results unless the
// algorithm is an FTZ_FALSE one. That float alone is concerned is inferred.
template <bool flush>
inline float Flush(float v) {
    if constexpr (flush) return std::fabs(v) < FLT_MIN ? std::copysign(0.0f, v) : v;
    else return v;
}
template <class T, bool keep>
inline constexpr bool flushes = __NPU_ARCH__ == 3510 && std::is_same_v<T, float> && !keep;

template <bool flush>
struct DivOp {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (isFloat<T>) return Flush<flush>(Flush<flush>(a) / Flush<flush>(b));
        else return b == 0 ? T(0) : T(a / b);
    }
};

// e^x within 0.51 units in the last place: the exponent's integer part goes into the scale, the rest into a series
// in double. Written without branches, so that the loop around it becomes vector code.
inline float Exponential(float x) {
    constexpr double log2e = 1.4426950408889634074, ln2 = 0.69314718055994530942, shift = 0x1.8p52;
    float clamped = x < -110.0f ? -110.0f : x;
    clamped = clamped > 90.0f ? 90.0f : clamped;
    double scaled = double(clamped) * log2e;
    double shifted = scaled + shift;
    double r = (scaled - (shifted - shift)) * ln2;
    double p = 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    uint64_t scale = Bits<uint64_t>(p) + (Bits<uint64_t>(shifted) << 52);
    float result = float(Bits<double>(scale));
    return x != x ? x : result;
}

// a * b + c with one rounding: the product is exact in double, the sum is rounded to odd, so that rounding it to
// float cannot round twice.
inline float MultiplyAdd(float a, float b, float c) {
    double p = double(a) * double(b), s = p + double(c);
    double t = s - p;
    double error = (p - (s - t)) + (double(c) - t);
    uint64_t bits = Bits<uint64_t>(s);
    uint64_t odd = error == 0 || (bits & 1) || error != error ? bits : bits + ((error > 0) == (s > 0) ? 1 : -1);
    return float(Bits<double>(odd));
}
template <class T>
inline T MultiplyAdd(T a, T b, T c) { return AddOp()(MulOp()(a, b), c); }

template <class T, class F>
inline void BinaryRun(VectorCall& call, F f, bool bitwise = false) {
    if (!call.Begin()) {
        return;
    }
    call.Run([&](uint8_t* const at[], uint32_t n) {
        ZipLanes(reinterpret_cast<T*>(at[0]), reinterpret_cast<const T*>(at[1]), reinterpret_cast<const T*>(at[2]), n, f);
    });
    call.Finish(bitwise);
}

template <class T, class F>
inline void UnaryRun(VectorCall& call, F f, bool bitwise = false) {
    if (!call.Begin()) {
        return;
    }
    call.Run([&](uint8_t* const at[], uint32_t n) {
        MapLanes(reinterpret_cast<T*>(at[0]), reinterpret_cast<const T*>(at[1]), n, f);
    });
    call.Finish(bitwise);
}

using AscendC::BinaryRepeatParams;
using AscendC::LocalTensor;
using AscendC::UnaryRepeatParams;

void BinaryLanes(VectorCall& call, const Tensor& dst, uint32_t dstElem, const Tensor& src0, const Tensor& src1,
                 uint32_t srcElem, const BinaryRepeatParams& p = {});
void UnaryLanes(VectorCall& call, const Tensor& dst, uint32_t dstElem, const Tensor& src, uint32_t srcElem,
                const UnaryRepeatParams& p = {});

template <class T, class F>
inline void BinaryCount(Api api, const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                        int64_t count, F f, bool bitwise, Site site) {
    VectorCall call(api, site);
    BinaryLanes(call, dst, sizeof(T), src0, src1, sizeof(T));
    if (call.Type(TypeOf<T>(), true) && call.Count(count)) {
        BinaryRun<T>(call, f, bitwise);
    }
}
template <class T, class M, class F>
inline void BinaryMask(Api api, const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, M mask,
                       int64_t repeat, const BinaryRepeatParams& p, bool setMask, F f, bool bitwise, Site site) {
    VectorCall call(api, site);
    BinaryLanes(call, dst, sizeof(T), src0, src1, sizeof(T), p);
    if (api == Api::Add || api == Api::Sub || api == Api::Mul || api == Api::Max || api == Api::Min) {
        call.AllowAccumulate();
    }
    if (call.Type(TypeOf<T>(), false) && call.Mask(mask, repeat, setMask)) {
        BinaryRun<T>(call, f, bitwise);
    }
}
template <class T, class F>
inline void UnaryCount(Api api, const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t count, bool setMask, F f,
                       bool bitwise, Site site) {
    VectorCall call(api, site);
    UnaryLanes(call, dst, sizeof(T), src, sizeof(T));
    if (call.Type(TypeOf<T>(), true) && (setMask || __NPU_ARCH__ == 3510 ? call.Count(count) : call.CountFromMask())) {
        UnaryRun<T>(call, f, bitwise);
    }
}
template <class T, class M, class F>
inline void UnaryMask(Api api, const LocalTensor<T>& dst, const LocalTensor<T>& src, M mask, int64_t repeat,
                      const UnaryRepeatParams& p, bool setMask, F f, bool bitwise, Site site) {
    VectorCall call(api, site);
    UnaryLanes(call, dst, sizeof(T), src, sizeof(T), p);
    if (call.Type(TypeOf<T>(), false) && call.Mask(mask, repeat, setMask)) {
        UnaryRun<T>(call, f, bitwise);
    }
}

// dst = f(dst, src0, src1)
template <class T, class U, class F>
inline void IntoRun(VectorCall& call, F f) {
    if (!call.Begin()) {
        return;
    }
    call.Run([&](uint8_t* const at[], uint32_t n) {
        ZipInto(reinterpret_cast<T*>(at[0]), reinterpret_cast<const U*>(at[1]), reinterpret_cast<const U*>(at[2]), n, f);
    });
    call.Finish();
}
void IntoLanes(VectorCall& call, const Tensor& dst, uint32_t dstElem, const Tensor& src0, const Tensor& src1,
               uint32_t srcElem, const BinaryRepeatParams& p = {});
template <class T, class U>
inline bool SameOrWidening(VectorCall& call) {
    constexpr bool ok = std::is_same_v<T, U> || (std::is_same_v<T, float> && std::is_same_v<U, half>);
    if (!ok) {
        ASCGRAD_REPORT("api", call.site(), "%s does not take %s and %s together", call.name(), Name(TypeOf<T>()), Name(TypeOf<U>()));
    }
    return ok;
}

// The scalar operand of an Adds-like call: a number, or on 3510 one element of a tensor.
template <class T>
struct TensorOf : std::false_type {};
template <class T>
struct TensorOf<LocalTensor<T>> : std::true_type { using Type = T; };

}  // namespace emulator

namespace AscendC {

#define ASCGRAD_BINARY(name, op, bitwise)                                                                              \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                \
                     const uint64_t mask[], const int32_t repeatTime, const BinaryRepeatParams& repeatParams,          \
                     ASCGRAD_SITE) {                                                                                   \
        emulator::BinaryMask(emulator::Api::name, dst, src0, src1, mask, repeatTime, repeatParams, isSetMask, op, bitwise, site); \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask, \
                     const int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {                 \
        emulator::BinaryMask(emulator::Api::name, dst, src0, src1, mask, repeatTime, repeatParams, isSetMask, op, bitwise, site); \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                \
                     const int32_t& count, ASCGRAD_SITE) {                                                             \
        emulator::BinaryCount(emulator::Api::name, dst, src0, src1, count, op, bitwise, site);                                   \
    }

ASCGRAD_BINARY(Add, emulator::AddOp(), false)
ASCGRAD_BINARY(Sub, emulator::SubOp(), false)
ASCGRAD_BINARY(Mul, emulator::MulOp(), false)
ASCGRAD_BINARY(Max, emulator::MaxOp(), false)
ASCGRAD_BINARY(Min, emulator::MinOp(), false)
ASCGRAD_BINARY(And, emulator::AndOp(), true)
ASCGRAD_BINARY(Or, emulator::OrOp(), true)
ASCGRAD_BINARY(AddRelu, ([](auto a, auto b) { auto s = emulator::AddOp()(a, b); return s > 0 ? s : decltype(s)(0); }), false)
ASCGRAD_BINARY(SubRelu, ([](auto a, auto b) { auto s = emulator::SubOp()(a, b); return s > 0 ? s : decltype(s)(0); }), false)
#undef ASCGRAD_BINARY

// Functions whose treatment of subnormals is configured on 3510. asc: the CONFIG template argument exists there only
#if __NPU_ARCH__ == 3510
#define ASCGRAD_CONFIG_MASK(Config, DEFAULT) template <typename T, bool isSetMask = true, const Config& config = DEFAULT>
#define ASCGRAD_CONFIG_COUNT(Config, DEFAULT) template <typename T, const Config& config = DEFAULT>
#define ASCGRAD_FLUSH(...) emulator::flushes<T, (__VA_ARGS__)>
#else
#define ASCGRAD_CONFIG_MASK(Config, DEFAULT) template <typename T, bool isSetMask = true>
#define ASCGRAD_CONFIG_COUNT(Config, DEFAULT) template <typename T>
#define ASCGRAD_FLUSH(...) false
#endif
#define ASCGRAD_DIV_OP \
    emulator::DivOp<ASCGRAD_FLUSH(config.algo == DivAlgo::PRECISION_0ULP_FTZ_FALSE || config.algo == DivAlgo::PRECISION_1ULP_FTZ_FALSE)>()
ASCGRAD_CONFIG_MASK(DivConfig, DEFAULT_DIV_CONFIG)
inline void Div(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const uint64_t mask[],
                const int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::BinaryMask(emulator::Api::Div, dst, src0, src1, mask, repeatTime, repeatParams, isSetMask, ASCGRAD_DIV_OP, false, site);
}
ASCGRAD_CONFIG_MASK(DivConfig, DEFAULT_DIV_CONFIG)
inline void Div(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                const int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::BinaryMask(emulator::Api::Div, dst, src0, src1, mask, repeatTime, repeatParams, isSetMask, ASCGRAD_DIV_OP, false, site);
}
ASCGRAD_CONFIG_COUNT(DivConfig, DEFAULT_DIV_CONFIG)
inline void Div(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count,
                ASCGRAD_SITE) {
    emulator::BinaryCount(emulator::Api::Div, dst, src0, src1, count, ASCGRAD_DIV_OP, false, site);
}

// dst = f(dst, src0, src1). That the product is not rounded by itself is inferred (one rounding per instruction).
#define ASCGRAD_INTO(name, op)                                                                                          \
    template <typename T, typename U, bool isSetMask = true, class M>                                                   \
    inline void Ascgrad##name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, M mask,   \
                           int64_t repeat, const BinaryRepeatParams& p, emulator::Site site) {                          \
        emulator::VectorCall call(emulator::Api::name, site);                                                                     \
        emulator::IntoLanes(call, dst, sizeof(T), src0, src1, sizeof(U), p);                                            \
        if (call.Type(emulator::TypeOf<T>(), false) && emulator::SameOrWidening<T, U>(call) &&                          \
            call.Mask(mask, repeat, isSetMask)) {                                                                       \
            emulator::IntoRun<T, U>(call, op);                                                                          \
        }                                                                                                               \
    }                                                                                                                   \
    template <typename T, typename U>                                                                                   \
    inline void Ascgrad##name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,           \
                           int64_t count, emulator::Site site) {                                                        \
        emulator::VectorCall call(emulator::Api::name, site);                                                                     \
        emulator::IntoLanes(call, dst, sizeof(T), src0, src1, sizeof(U));                                               \
        if (call.Type(emulator::TypeOf<T>(), true) && emulator::SameOrWidening<T, U>(call) && call.Count(count)) {      \
            emulator::IntoRun<T, U>(call, op);                                                                          \
        }                                                                                                               \
    }
ASCGRAD_INTO(MulAddDst, ([](auto d, auto a, auto b) { return emulator::MultiplyAdd(a, b, d); }))
ASCGRAD_INTO(FusedMulAdd, ([](auto d, auto a, auto b) { return emulator::MultiplyAdd(a, d, b); }))
ASCGRAD_INTO(MulAddRelu, ([](auto d, auto a, auto b) { auto s = emulator::MultiplyAdd(a, d, b); return s > 0 ? s : decltype(s)(0); }))
#undef ASCGRAD_INTO

template <typename T, typename U, bool isSetMask = true>
inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const uint64_t mask[],
                      const int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    AscgradMulAddDst<T, U, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams, site);
}
template <typename T, typename U, bool isSetMask = true>
inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,
                      const int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    AscgradMulAddDst<T, U, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams, site);
}
template <typename T, typename U>
inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const int32_t& count,
                      ASCGRAD_SITE) {
    AscgradMulAddDst(dst, src0, src1, count, site);
}
#define ASCGRAD_FUSED(name)                                                                                             \
    template <typename T, bool isSetMask = true>                                                                        \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                 \
                     const uint64_t mask[], const int32_t repeatTime, const BinaryRepeatParams& repeatParams,           \
                     ASCGRAD_SITE) {                                                                                    \
        Ascgrad##name<T, T, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams, site);                             \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,  \
                     const int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {                  \
        Ascgrad##name<T, T, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams, site);                             \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                 \
                     const int32_t& count, ASCGRAD_SITE) {                                                              \
        Ascgrad##name(dst, src0, src1, count, site);                                                                       \
    }
ASCGRAD_FUSED(FusedMulAdd)
ASCGRAD_FUSED(MulAddRelu)
#undef ASCGRAD_FUSED

#define ASCGRAD_UNARY(name, op, bitwise)                                                                              \
    template <typename T, bool isSetMask = true>                                                                      \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],                     \
                     const int32_t repeatTime, const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {                 \
        emulator::UnaryMask(emulator::Api::name, dst, src, mask, repeatTime, repeatParams, isSetMask, op, bitwise, site);       \
    }                                                                                                                 \
    template <typename T, bool isSetMask = true>                                                                      \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const int32_t repeatTime,   \
                     const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {                                           \
        emulator::UnaryMask(emulator::Api::name, dst, src, mask, repeatTime, repeatParams, isSetMask, op, bitwise, site);       \
    }                                                                                                                 \
    template <typename T>                                                                                             \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count, ASCGRAD_SITE) {      \
        emulator::UnaryCount(emulator::Api::name, dst, src, count, true, op, bitwise, site);                                    \
    }
ASCGRAD_UNARY(Abs, emulator::AbsOp(), false)
ASCGRAD_UNARY(Relu, ([](auto a) { return a > 0 || a != a ? a : decltype(a)(0); }), false)
ASCGRAD_UNARY(Not, ([](auto a) { return decltype(a)(~a); }), true)
#undef ASCGRAD_UNARY

#define ASCGRAD_FUNCTION(name, Config, DEFAULT, keep, expression)                                                       \
    template <bool flush>                                                                                               \
    struct Ascgrad##name##Op {                                                                                                   \
        float operator()(float v) const {                                                                               \
            float x = emulator::Flush<flush>(v);                                                                        \
            return emulator::Flush<flush>(expression);                                                                  \
        }                                                                                                               \
    };                                                                                                                  \
    ASCGRAD_CONFIG_MASK(Config, DEFAULT)                                                                                \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],                       \
                     const int32_t repeatTime, const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {                   \
        emulator::UnaryMask(emulator::Api::name, dst, src, mask, repeatTime, repeatParams, isSetMask,                             \
                            Ascgrad##name##Op<ASCGRAD_FLUSH(keep)>(), false, site);                                              \
    }                                                                                                                   \
    ASCGRAD_CONFIG_MASK(Config, DEFAULT)                                                                                \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const int32_t repeatTime,     \
                     const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {                                             \
        emulator::UnaryMask(emulator::Api::name, dst, src, mask, repeatTime, repeatParams, isSetMask,                             \
                            Ascgrad##name##Op<ASCGRAD_FLUSH(keep)>(), false, site);                                              \
    }                                                                                                                   \
    ASCGRAD_CONFIG_COUNT(Config, DEFAULT)                                                                               \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count, ASCGRAD_SITE) {        \
        emulator::UnaryCount(emulator::Api::name, dst, src, count, true, Ascgrad##name##Op<ASCGRAD_FLUSH(keep)>(), false, site);           \
    }
// Results are the nearest float; 2201's Rsqrt and Reciprocal are documented as less exact than that.
ASCGRAD_FUNCTION(Exp, ExpConfig, DEFAULT_EXP_CONFIG, config.algo == ExpAlgo::PRECISION_1ULP_FTZ_FALSE, emulator::Exponential(x))
ASCGRAD_FUNCTION(Ln, LnConfig, DEFAULT_LN_CONFIG, config.algo == LnAlgo::PRECISION_1ULP_FTZ_FALSE, std::log(x))
ASCGRAD_FUNCTION(Sqrt, SqrtConfig, DEFAULT_SQRT_CONFIG,
                 config.algo == SqrtAlgo::PRECISION_0ULP_FTZ_FALSE || config.algo == SqrtAlgo::PRECISION_1ULP_FTZ_FALSE ||
                     config.algo == SqrtAlgo::FAST_INVERSE,
                 std::sqrt(x))
ASCGRAD_FUNCTION(Rsqrt, RsqrtConfig, DEFAULT_RSQRT_CONFIG,
                 config.algo == RsqrtAlgo::PRECISION_0ULP_FTZ_FALSE || config.algo == RsqrtAlgo::PRECISION_1ULP_FTZ_FALSE ||
                     config.algo == RsqrtAlgo::FAST_INVERSE,
                 float(1.0 / std::sqrt(double(x))))
ASCGRAD_FUNCTION(Reciprocal, ReciprocalConfig, DEFAULT_RECIPROCAL_CONFIG,
                 config.algo == ReciprocalAlgo::PRECISION_1ULP_FTZ_FALSE, 1.0f / x)
#undef ASCGRAD_FUNCTION

// What follows exists on 3510 alone. It is declared for 2201 too, so that its use there is a finding with a line.
template <typename T>
inline void Neg(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, ASCGRAD_SITE) {
    emulator::UnaryCount(emulator::Api::Neg, dst, src, count, true, [](auto a) { return decltype(a)(-a); }, false, site);
}

// Tensor and scalar.
#define ASCGRAD_SCALAR(name, expression)                                                                               \
    struct Ascgrad##name##Scalar {                                                                                              \
        template <class T>                                                                                             \
        T operator()(T a, T s) const { return expression; }                                                            \
    };                                                                                                                 \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const uint64_t mask[], \
                     const int32_t repeatTime, const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {                  \
        const emulator::ComputeOf<T> s = emulator::Lane<T>::Load(scalarValue);                                                   \
        emulator::UnaryMask(emulator::Api::name, dst, src, mask, repeatTime, repeatParams, isSetMask,                            \
                            [s](emulator::ComputeOf<T> a) { return Ascgrad##name##Scalar()(a, s); }, false, site);                        \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask,        \
                     const int32_t repeatTime, const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {                  \
        const emulator::ComputeOf<T> s = emulator::Lane<T>::Load(scalarValue);                                                   \
        emulator::UnaryMask(emulator::Api::name, dst, src, mask, repeatTime, repeatParams, isSetMask,                            \
                            [s](emulator::ComputeOf<T> a) { return Ascgrad##name##Scalar()(a, s); }, false, site);                        \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count, \
                     ASCGRAD_SITE) {                                                                                   \
        const emulator::ComputeOf<T> s = emulator::Lane<T>::Load(scalarValue);                                                   \
        emulator::UnaryCount(emulator::Api::name, dst, src, count, isSetMask,                                                    \
                             [s](emulator::ComputeOf<T> a) { return Ascgrad##name##Scalar()(a, s); }, false, site);                       \
    }
ASCGRAD_SCALAR(Adds, emulator::AddOp()(a, s))
ASCGRAD_SCALAR(Muls, emulator::MulOp()(a, s))
ASCGRAD_SCALAR(Maxs, emulator::MaxOp()(a, s))
ASCGRAD_SCALAR(Mins, emulator::MinOp()(a, s))
ASCGRAD_SCALAR(LeakyRelu, (a > 0 ? a : T(a * s)))
#undef ASCGRAD_SCALAR

}  // namespace AscendC
namespace emulator {
// asc: flexible scalar position; one of the two sources is a number or one element of a tensor. Which tensor is the
// scalar follows config.scalarTensorIndex.
template <class T, bool first, class M, class U, class S, class V, class F>
inline void FlexibleRun(VectorCall& call, const U& dst, const S& src0, const V& src1, const UnaryRepeatParams& p, M prepare,
                        bool countForm, F f) {
    constexpr bool tensor0 = TensorOf<S>::value, tensor1 = TensorOf<V>::value;
    static_assert(tensor0 || tensor1, "one of the sources has to be a tensor");
    constexpr bool scalarFirst = !tensor0 || (tensor1 && first);
    if (__NPU_ARCH__ != 3510) {
        ASCGRAD_REPORT("api", call.site(), "%s with this scalar operand does not exist on this product", call.name());
    }
    ComputeOf<T> s;
    const Tensor* lanes;
    if constexpr (scalarFirst) {
        if constexpr (tensor0) s = Lane<T>::Load(src0.GetValue(0, call.site())); else s = Lane<T>::Load(T(src0));
        lanes = &src1;
    } else {
        if constexpr (tensor1) s = Lane<T>::Load(src1.GetValue(0, call.site())); else s = Lane<T>::Load(T(src1));
        lanes = &src0;
    }
    UnaryLanes(call, dst, sizeof(T), *lanes, sizeof(T), p);
    if (call.Type(TypeOf<T>(), countForm) && prepare(call)) {
        UnaryRun<T>(call, [s, f](ComputeOf<T> a) { return scalarFirst ? f(s, a) : f(a, s); });
    }
}
}  // namespace emulator
namespace AscendC {
#define ASCGRAD_FLEXIBLE(name, op)                                                                                    \
    template <typename T = BinaryDefaultType, bool isSetMask = true,                                                  \
              const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V>                 \
    inline void name(const U& dst, const S& src0, const V& src1, const uint64_t mask[], const int32_t repeatTime,     \
                     const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {                                           \
        using P = typename U::PrimType;                                                                               \
        emulator::VectorCall call(emulator::Api::name, site);                                                                   \
        emulator::FlexibleRun<P, config.scalarTensorIndex == 0>(                                                      \
            call, dst, src0, src1, repeatParams,                                                                      \
            [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, false, op);                 \
    }                                                                                                                 \
    template <typename T = BinaryDefaultType, bool isSetMask = true,                                                  \
              const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V>                 \
    inline void name(const U& dst, const S& src0, const V& src1, uint64_t mask, const int32_t repeatTime,             \
                     const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {                                           \
        using P = typename U::PrimType;                                                                               \
        emulator::VectorCall call(emulator::Api::name, site);                                                                   \
        emulator::FlexibleRun<P, config.scalarTensorIndex == 0>(                                                      \
            call, dst, src0, src1, repeatParams,                                                                      \
            [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, false, op);                 \
    }                                                                                                                 \
    template <typename T = BinaryDefaultType, bool isSetMask = true,                                                  \
              const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V>                 \
    inline void name(const U& dst, const S& src0, const V& src1, const int32_t& count, ASCGRAD_SITE) {                \
        using P = typename U::PrimType;                                                                               \
        emulator::VectorCall call(emulator::Api::name, site);                                                                   \
        emulator::FlexibleRun<P, config.scalarTensorIndex == 0>(                                                      \
            call, dst, src0, src1, {}, [&](emulator::VectorCall& c) { return c.Count(count); }, true, op);            \
    }
ASCGRAD_FLEXIBLE(Adds, emulator::AddOp())
ASCGRAD_FLEXIBLE(Muls, emulator::MulOp())
ASCGRAD_FLEXIBLE(Maxs, emulator::MaxOp())
ASCGRAD_FLEXIBLE(Mins, emulator::MinOp())
ASCGRAD_FLEXIBLE(Subs, emulator::SubOp())
ASCGRAD_FLEXIBLE(Divs, (emulator::DivOp<emulator::flushes<P, false>>()))
ASCGRAD_FLEXIBLE(Ands, emulator::AndOp())
ASCGRAD_FLEXIBLE(Ors, emulator::OrOp())
#undef ASCGRAD_FLEXIBLE

// dst = src * scalar + dst
template <typename T, typename U, class P>
inline void AscgradAxpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, U scalar, const UnaryRepeatParams& p, bool countForm,
                     P prepare, emulator::Site site) {
    emulator::VectorCall call(emulator::Api::Axpy, site);
    emulator::UnaryLanes(call, dst, sizeof(T), src, sizeof(U), p);
    call.Lane(dst, "dst", sizeof(T), false, p.dstBlkStride, p.dstRepStride);
    if (!call.Type(emulator::TypeOf<T>(), countForm) || !emulator::SameOrWidening<T, U>(call) || !prepare(call) || !call.Begin()) {
        return;
    }
    using C = emulator::ComputeOf<T>;
    const C s = C(emulator::Lane<U>::Load(scalar));
    call.Run([&](uint8_t* const at[], uint32_t n) {
        T* d = reinterpret_cast<T*>(at[0]);
        const U* a = reinterpret_cast<const U*>(at[1]);
#pragma GCC ivdep
        for (uint32_t i = 0; i < n; ++i) {
            d[i] = emulator::Lane<T>::Store(
                emulator::MultiplyAdd(C(emulator::Lane<U>::Load(a[i])), s, emulator::Lane<T>::Load(d[i])));
        }
    });
    call.Finish();
}
template <typename T, typename U, bool isSetMask = true>
inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, uint64_t mask,
                 const int32_t repeatTime, const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    AscgradAxpy(dst, src, scalarValue, repeatParams, false,
             [&](emulator::VectorCall& call) { return call.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T, typename U, bool isSetMask = true>
inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, const uint64_t mask[],
                 const int32_t repeatTime, const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    AscgradAxpy(dst, src, scalarValue, repeatParams, false,
             [&](emulator::VectorCall& call) { return call.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T, typename U>
inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, const int32_t& count, ASCGRAD_SITE) {
    AscgradAxpy(dst, src, scalarValue, {}, true, [&](emulator::VectorCall& call) { return call.Count(count); }, site);
}

// Shifts by a number of bits. asc: ShiftLeft; of signed types the sign stays and the bits below it move. asc: ShiftRight;
// arithmetic for signed types, for which roundEn adds half of the last place that stays
template <typename T>
inline T AscgradShiftLeft(T a, uint64_t s) {
    constexpr uint64_t sign = std::is_signed_v<T> ? 1ull << (sizeof(T) * 8 - 1) : 0;
    return s > sizeof(T) * 8 ? T(0) : T(((s < 64 ? uint64_t(a) << s : 0) & ~sign) | (uint64_t(a) & sign));
}
template <typename T>
inline T AscgradShiftRight(T a, uint64_t s, bool roundEn) {
    const bool up = roundEn && std::is_signed_v<T> && s > 0 && s <= sizeof(T) * 8 && (a >> (s - 1) & 1);
    return T((s < sizeof(T) * 8 ? a >> s : a < T(0) ? T(-1) : T(0)) + T(up));
}
// asc: scalarValue is not negative; on 2201 at most the width of the type
template <typename T>
inline void AscgradCheckShift(const char* name, T s, emulator::Site site) {
    if (s < T(0) || (__NPU_ARCH__ == 2201 && uint64_t(s) > sizeof(T) * 8)) {
        ASCGRAD_REPORT("limit", site, "%s: scalarValue is %lld, 0 to %zu is allowed", name, (long long)s, sizeof(T) * 8);
    }
}
#define ASCGRAD_SHIFT(name, expression)                                                                                \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count, \
                     ASCGRAD_SITE) {                                                                                   \
        const T s = scalarValue;                                                                                       \
        AscgradCheckShift(#name, s, site);                                                                             \
        const bool roundEn = false;                                                                                    \
        emulator::UnaryCount(emulator::Api::name, dst, src, count, isSetMask,                                          \
                             [=](T a) { (void)roundEn; return T(expression); }, false, site);                          \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask,        \
                     const int32_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn = false, ASCGRAD_SITE) { \
        const T s = scalarValue;                                                                                       \
        AscgradCheckShift(#name, s, site);                                                                             \
        emulator::UnaryMask(emulator::Api::name, dst, src, mask, repeatTime, repeatParams, isSetMask,                  \
                            [=](T a) { (void)roundEn; return T(expression); }, false, site);                           \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const uint64_t mask[], \
                     const int32_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn = false, ASCGRAD_SITE) { \
        const T s = scalarValue;                                                                                       \
        AscgradCheckShift(#name, s, site);                                                                             \
        emulator::UnaryMask(emulator::Api::name, dst, src, mask, repeatTime, repeatParams, isSetMask,                  \
                            [=](T a) { (void)roundEn; return T(expression); }, false, site);                           \
    }
ASCGRAD_SHIFT(ShiftLeft, AscgradShiftLeft<T>(a, uint64_t(s)))
ASCGRAD_SHIFT(ShiftRight, AscgradShiftRight<T>(a, uint64_t(s), roundEn))
#undef ASCGRAD_SHIFT

#if __NPU_ARCH__ == 3510
// By as many bits as another tensor says. asc: ShiftLeft and ShiftRight, number of bits in a tensor
template <typename T, typename U, class F>
inline void AscgradShiftBy(emulator::Api api, const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1, int32_t count,
                           F shift, emulator::Site site) {
    static_assert(sizeof(T) == sizeof(U) && std::is_signed_v<U>, "src1 holds signed integers as wide as those of src0");
    emulator::BinaryCount(api, dst, src0, src1.template ReinterpretCast<T>(), count, [=](auto a, auto b) {
        const T bits = T(b);
        if (U(bits) < 0) {
            ASCGRAD_REPORT("limit", site, "src1 holds a negative number of bits");
        }
        return decltype(a)(shift(T(a), uint64_t(bits)));
    }, false, site);
}
template <typename T, typename U>
inline void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1, const int32_t& count, ASCGRAD_SITE) {
    AscgradShiftBy(emulator::Api::ShiftLeft, dst, src0, src1, count, [](T a, uint64_t s) { return AscgradShiftLeft<T>(a, s); }, site);
}
template <typename T, typename U>
inline void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1, const int32_t& count, ASCGRAD_SITE) {
    AscgradShiftBy(emulator::Api::ShiftRight, dst, src0, src1, count, [](T a, uint64_t s) { return AscgradShiftRight<T>(a, s, false); }, site);
}
#endif

}  // namespace AscendC
