// Instructions that compute and convert in one, and those of 950 that join two steps.
#pragma once

#include "emulator/convert.h"

namespace emulator {

// Which pairs of types an instruction takes. asc: MulCast, AddReluCast and SubReluCast pages
bool TakesPair(Api api, DType from, DType to);

// dst = convert(f(src0, src1)). That the result of f is rounded to the source's type before it is converted, and then to
// the nearest, is inferred.
template <class T, class U, class P, class F>
inline void CombineAndCast(Api api, const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                           const BinaryRepeatParams& p, bool countForm, P prepare, F f, Site site) {
    VectorCall call(api, site);
    BinaryLanes(call, dst, sizeof(T), src0, src1, sizeof(U), p);
    if (!TakesPair(api, TypeOf<U>(), TypeOf<T>())) {
        ASCGRAD_REPORT("api", site, "%s does not go from %s to %s on this product", call.name(), Name(TypeOf<U>()), Name(TypeOf<T>()));
    }
    if (!call.Type(TypeOf<U>(), countForm) || !prepare(call) || !call.Begin()) {
        return;
    }
    call.Run([&](uint8_t* const at[], uint32_t n) {
        T* d = reinterpret_cast<T*>(at[0]);
        const U* a = reinterpret_cast<const U*>(at[1]);
        const U* b = reinterpret_cast<const U*>(at[2]);
        for (uint32_t i = 0; i < n; ++i) {
            d[i] = Convert<T, U, RoundMode::CAST_RINT>(Lane<U>::Store(f(Lane<U>::Load(a[i]), Lane<U>::Load(b[i]))));
        }
    });
    call.Finish();
}

template <class T>
inline T Positive(T v) { return v > 0 ? v : T(0); }

}  // namespace emulator

namespace AscendC {

#define ASCGRAD_COMBINED(name, op)                                                                                          \
    template <typename T, typename U, bool isSetMask = true>                                                                \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const uint64_t mask[], \
                     const int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {                      \
        emulator::CombineAndCast(emulator::Api::name, dst, src0, src1, repeatParams, false,                                 \
                                 [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, op, site);   \
    }                                                                                                                       \
    template <typename T, typename U, bool isSetMask = true>                                                                \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,      \
                     const int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {                      \
        emulator::CombineAndCast(emulator::Api::name, dst, src0, src1, repeatParams, false,                                 \
                                 [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, op, site);   \
    }                                                                                                                       \
    template <typename T, typename U>                                                                                       \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const uint32_t count, \
                     ASCGRAD_SITE) {                                                                                        \
        emulator::CombineAndCast(emulator::Api::name, dst, src0, src1, {}, true,                                            \
                                 [&](emulator::VectorCall& c) { return c.Count(count); }, op, site);                        \
    }
ASCGRAD_COMBINED(MulCast, emulator::MulOp())
ASCGRAD_COMBINED(AddReluCast, ([](auto a, auto b) { return emulator::Positive(emulator::AddOp()(a, b)); }))
ASCGRAD_COMBINED(SubReluCast, ([](auto a, auto b) { return emulator::Positive(emulator::SubOp()(a, b)); }))
#undef ASCGRAD_COMBINED

// 950 alone, with a count alone.
#define ASCGRAD_PAIR(name, op)                                                                                         \
    template <typename T>                                                                                              \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                \
                     const uint32_t count, ASCGRAD_SITE) {                                                             \
        emulator::BinaryCount(emulator::Api::name, dst, src0, src1, count, op, false, site);                           \
    }
ASCGRAD_PAIR(Prelu, ([](auto a, auto b) { return a >= 0 ? a : emulator::MulOp()(a, b); }))
ASCGRAD_PAIR(AbsSub, ([](auto a, auto b) { return emulator::AbsOp()(emulator::SubOp()(a, b)); }))
ASCGRAD_PAIR(FusedAbsSub, ([](auto a, auto b) { return emulator::AbsOp()(emulator::SubOp()(a, b)); }))
#undef ASCGRAD_PAIR

// asc: ExpSub; half operands are widened first
#define ASCGRAD_EXP_SUB(name)                                                                                          \
    template <typename T, typename U>                                                                                  \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,                \
                     const uint32_t count, ASCGRAD_SITE) {                                                             \
        emulator::VectorCall call(emulator::Api::ExpSub, site);                                                        \
        emulator::BinaryLanes(call, dst, sizeof(T), src0, src1, sizeof(U));                                            \
        if (!call.Type(emulator::TypeOf<U>(), true) || !call.Type(emulator::TypeOf<T>(), true) || !call.Count(count) || !call.Begin()) { \
            return;                                                                                                    \
        }                                                                                                              \
        call.Run([&](uint8_t* const at[], uint32_t n) {                                                                \
            emulator::ZipLanes(reinterpret_cast<T*>(at[0]), reinterpret_cast<const U*>(at[1]), reinterpret_cast<const U*>(at[2]), n, \
                               [](float a, float b) { return emulator::Exponential(a - b); });                         \
        });                                                                                                            \
        call.Finish();                                                                                                 \
    }
ASCGRAD_EXP_SUB(ExpSub)
ASCGRAD_EXP_SUB(FusedExpSub)
#undef ASCGRAD_EXP_SUB

}  // namespace AscendC
