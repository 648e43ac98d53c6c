// Cast, with the rounding modes.
#pragma once

#include "emulator/arithmetic.h"

namespace emulator {

using AscendC::RoundMode;

// Rounds a finite double to an integer. asc: precision conversion; ROUND is half away from zero
template <RoundMode mode>
inline double RoundToInteger(double v) {
    if constexpr (mode == RoundMode::CAST_FLOOR) return std::floor(v);
    else if constexpr (mode == RoundMode::CAST_CEIL) return std::ceil(v);
    else if constexpr (mode == RoundMode::CAST_TRUNC) return std::trunc(v);
    else if constexpr (mode == RoundMode::CAST_ROUND) return std::round(v);
    else return std::nearbyint(v);
}

// Shortens a float's significand to the `keep` bits after the leading one, by dropping `drop` bits of the pattern.
// The pattern is sign and magnitude, so one rule serves normal and subnormal targets.
template <RoundMode mode>
inline uint32_t RoundMagnitude(uint32_t magnitude, uint32_t drop, bool negative) {
    uint32_t kept = magnitude >> drop, rest = magnitude & ((1u << drop) - 1), half = 1u << (drop - 1);
    bool up = false;
    if constexpr (mode == RoundMode::CAST_FLOOR) up = negative && rest != 0;
    else if constexpr (mode == RoundMode::CAST_CEIL) up = !negative && rest != 0;
    else if constexpr (mode == RoundMode::CAST_ROUND) up = rest >= half;
    else if constexpr (mode == RoundMode::CAST_ODD) up = rest != 0 && !(kept & 1);
    else if constexpr (mode == RoundMode::CAST_TRUNC) up = false;
    else up = rest > half || (rest == half && (kept & 1));
    return kept + up;
}

// Overflow gives infinity: the chip's saturation is off in the runtime's default (INF/NAN) mode, inferred.
template <RoundMode mode>
inline uint16_t FloatToHalfBy(float f) {
    uint32_t bits = Bits<uint32_t>(f), magnitude = bits & 0x7fffffff;
    bool negative = bits >> 31;
    uint32_t out;
    if (magnitude > 0x7f800000) {
        out = 0x7e00;
    } else if (magnitude >= 0x47800000) {
        out = 0x7c00;
    } else if (magnitude >= 0x38800000) {
        out = RoundMagnitude<mode>(magnitude - 0x38000000, 13, negative);
    } else {
        // A subnormal half counts units of 2^-24; the remainder is kept exactly enough to decide.
        uint32_t exponent = magnitude >> 23, shift = 126 - exponent;
        uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
        if (exponent == 0 || shift > 25) {
            out = RoundMagnitude<mode>(magnitude != 0, 2, negative);
        } else {
            out = RoundMagnitude<mode>(significand, shift, negative);
        }
    }
    return uint16_t(out | (negative ? 0x8000 : 0));
}

template <RoundMode mode>
inline uint16_t FloatToBfloatBy(float f) {
    uint32_t bits = Bits<uint32_t>(f), magnitude = bits & 0x7fffffff;
    uint32_t out = magnitude > 0x7f800000    ? (magnitude >> 16) | 0x40
                   : magnitude == 0x7f800000 ? 0x7f80
                                             : RoundMagnitude<mode>(magnitude, 16, bits >> 31);
    return uint16_t(out | (bits >> 31 ? 0x8000 : 0));
}

// Integers saturate, NaN gives 0. asc: precision conversion, overflow saturates by default; NaN is inferred
template <class T, RoundMode mode>
inline T FloatToInteger(double v) {
    if (v != v) {
        return 0;
    }
    double r = RoundToInteger<mode>(v);
    return r >= double(highest<T>) ? highest<T> : r <= double(lowest<T>) ? lowest<T> : T(r);
}

template <class T, class U>
inline T Saturate(U v) {
    if constexpr (std::is_signed_v<U>) {
        int64_t w = int64_t(v);
        if (w < 0) {
            return w < int64_t(lowest<T>) ? lowest<T> : T(w);
        }
    }
    return uint64_t(v) > uint64_t(highest<T>) ? highest<T> : T(v);
}

// An integer to float under a rounding mode: the double nearest, corrected by the exact remainder.
template <RoundMode mode>
inline float IntegerToFloat(int64_t v) {
    uint64_t magnitude = v < 0 ? 0 - uint64_t(v) : uint64_t(v);
    if (magnitude < (1u << 24)) {
        return float(v);
    }
    int drop = 40 - __builtin_clzll(magnitude);
    uint64_t kept = magnitude >> drop, rest = magnitude & ((1ull << drop) - 1), half = 1ull << (drop - 1);
    bool negative = v < 0, up = false;
    if constexpr (mode == RoundMode::CAST_FLOOR) up = negative && rest != 0;
    else if constexpr (mode == RoundMode::CAST_CEIL) up = !negative && rest != 0;
    else if constexpr (mode == RoundMode::CAST_ROUND) up = rest >= half;
    else if constexpr (mode == RoundMode::CAST_TRUNC) up = false;
    else up = rest > half || (rest == half && (kept & 1));
    float f = std::ldexp(float(kept + up), drop);
    return negative ? -f : f;
}

template <class T, class U, RoundMode mode>
inline T Convert(U v) {
    if constexpr (std::is_same_v<U, half> || std::is_same_v<U, bfloat16_t>) {
        if constexpr (std::is_same_v<T, float>) return Lane<U>::Load(v);
        else return Convert<T, float, mode>(Lane<U>::Load(v));
    } else if constexpr (std::is_same_v<U, float>) {
        T r;
        if constexpr (std::is_same_v<T, half>) {
            if constexpr (mode == RoundMode::CAST_RINT) r.bits = FloatToHalf(v); else r.bits = FloatToHalfBy<mode>(v);
        } else if constexpr (std::is_same_v<T, bfloat16_t>) {
            if constexpr (mode == RoundMode::CAST_RINT) r.bits = FloatToBfloat(v); else r.bits = FloatToBfloatBy<mode>(v);
        } else if constexpr (std::is_same_v<T, float>) {
            r = float(RoundToInteger<mode>(v));
        } else {
            r = FloatToInteger<T, mode>(v);
        }
        return r;
    } else if constexpr (std::is_same_v<T, float>) {
        return IntegerToFloat<mode>(int64_t(v));
    } else if constexpr (std::is_same_v<T, half>) {
        return Convert<half, float, mode>(float(v));  // 8 and 16 bits are exact in float
    } else {
        return Saturate<T>(v);
    }
}

template <class T, class U>
inline constexpr bool convertible = TypeOf<T>() != DType::OTHER && TypeOf<U>() != DType::OTHER && !std::is_same_v<T, double> &&
                                    !std::is_same_v<U, double> && !(std::is_integral_v<U> && std::is_same_v<T, bfloat16_t>);

template <class T, class U, RoundMode mode>
inline void CastRun(VectorCall& call) {
    call.Run([&](uint8_t* const at[], uint32_t n) {
        T* d = reinterpret_cast<T*>(at[0]);
        const U* a = reinterpret_cast<const U*>(at[1]);
#pragma GCC ivdep
        for (uint32_t i = 0; i < n; ++i) {
            d[i] = Convert<T, U, mode>(a[i]);
        }
    });
}

template <class T, class U>
inline void CastLanes(VectorCall& call, RoundMode mode) {
    const DType to = TypeOf<T>(), from = TypeOf<U>();
    uint32_t modes = CastModes(from, to);
    if (modes == 0) {
        ASCGRAD_REPORT("api", call.site(), "Cast does not go from %s to %s on this product", Name(from), Name(to));
    } else if (!(modes & Mode(mode))) {
        ASCGRAD_REPORT("api", call.site(), "Cast from %s to %s does not take %s on this product", Name(from), Name(to), Name(mode));
    }
    if constexpr (convertible<T, U>) {
        if (!call.Begin()) {
            return;
        }
        if constexpr (std::is_same_v<U, int32_t> && std::is_same_v<T, half>) {
            // asc: the round mode has no effect, SetDeqScale's factor has
            const float scale = float(Current().deqScale);
            call.Run([&](uint8_t* const at[], uint32_t n) {
                for (uint32_t i = 0; i < n; ++i) {
                    reinterpret_cast<half*>(at[0])[i] = half(float(reinterpret_cast<const int32_t*>(at[1])[i]) * scale);
                }
            });
        } else {
            switch (mode) {
                case RoundMode::CAST_FLOOR: CastRun<T, U, RoundMode::CAST_FLOOR>(call); break;
                case RoundMode::CAST_CEIL: CastRun<T, U, RoundMode::CAST_CEIL>(call); break;
                case RoundMode::CAST_ROUND: CastRun<T, U, RoundMode::CAST_ROUND>(call); break;
                case RoundMode::CAST_TRUNC: CastRun<T, U, RoundMode::CAST_TRUNC>(call); break;
                case RoundMode::CAST_ODD: CastRun<T, U, RoundMode::CAST_ODD>(call); break;
                // asc: CAST_NONE means RINT where the conversion loses something
                default: CastRun<T, U, RoundMode::CAST_RINT>(call); break;
            }
        }
        call.Finish();
    }
}

// Two elements of half a byte and the two that they come from or go to: one lane. asc: Cast, int4b_t
template <class T, class U>
inline constexpr bool nibbles = std::is_same_v<T, AscendC::int4b_t> || std::is_same_v<U, AscendC::int4b_t>;

inline uint32_t NibbleModes(DType other, bool toNibble) {
    using namespace types;
    const uint32_t none = Mode(RoundMode::CAST_NONE), set = Bit(other);
    const uint32_t five = Mode(RoundMode::CAST_RINT) | Mode(RoundMode::CAST_FLOOR) | Mode(RoundMode::CAST_CEIL) |
                          Mode(RoundMode::CAST_ROUND) | Mode(RoundMode::CAST_TRUNC);
    if (__NPU_ARCH__ == 2201) {
        return set & F16 ? (toNibble ? five | none : none) : 0;
    }
    return set & F16 ? (toNibble ? five : none) : set & I16 ? none : set & BF16 && !toNibble ? none : 0;
}

template <RoundMode mode, class U>
inline uint8_t ToNibble(U v) { return uint8_t(std::min(7, std::max(-8, int(Convert<int16_t, U, mode>(v))))) & 15; }
template <class U>
inline uint8_t ToNibble(U v, RoundMode mode) {
    switch (mode) {
        case RoundMode::CAST_FLOOR: return ToNibble<RoundMode::CAST_FLOOR>(v);
        case RoundMode::CAST_CEIL: return ToNibble<RoundMode::CAST_CEIL>(v);
        case RoundMode::CAST_ROUND: return ToNibble<RoundMode::CAST_ROUND>(v);
        case RoundMode::CAST_TRUNC: return ToNibble<RoundMode::CAST_TRUNC>(v);
        default: return ToNibble<RoundMode::CAST_RINT>(v);
    }
}

template <class T, class U, class P>
inline void CastNibbles(const LocalTensor<T>& dst, const LocalTensor<U>& src, RoundMode mode, const AscendC::UnaryRepeatParams& p, P prepare,
                        Site site) {
    constexpr bool toNibble = std::is_same_v<T, AscendC::int4b_t>;
    using Other = std::conditional_t<toNibble, U, T>;
    VectorCall call(Api::Cast, site);
    call.Lane(dst, "dst", toNibble ? 1 : 2 * sizeof(T), true, p.dstBlkStride, p.dstRepStride);
    call.Lane(src, "src", toNibble ? 2 * sizeof(U) : 1, false, p.srcBlkStride, p.srcRepStride);
    const uint32_t modes = NibbleModes(TypeOf<Other>(), toNibble);
    const char* other = Name(TypeOf<Other>());
    if (modes == 0 || !(modes & Mode(mode))) {
        ASCGRAD_REPORT("api", site, "Cast from %s to %s does not take %s on this product", toNibble ? other : "int4b_t",
                       toNibble ? "int4b_t" : other, Name(mode));
    }
    if constexpr (sizeof(Other) == 2) {
        if (!prepare(call) || !call.Begin()) {
            return;
        }
        call.Run([&](uint8_t* const at[], uint32_t n) {
            for (uint32_t i = 0; i < 2 * n; ++i) {
                uint8_t& byte = at[toNibble ? 0 : 1][i / 2];
                Other& value = reinterpret_cast<Other*>(at[toNibble ? 1 : 0])[i];
                if constexpr (toNibble) {
                    byte = uint8_t(i % 2 == 0 ? ToNibble(value, mode) : (byte & 15) | ToNibble(value, mode) << 4);
                } else {
                    value = Lane<Other>::Store(decltype(Lane<Other>::Load(value))((byte >> (i % 2 * 4) & 15) ^ 8) - 8);
                }
            }
        });
        call.Finish();
    }
}

inline int64_t Pairs(int64_t count, const char* what, Site site) {
    if (count % 2 != 0) {
        ASCGRAD_REPORT("limit", site, "Cast: %s is %lld, int4b_t wants an even one", what, (long long)count);
    }
    return count / 2;
}
inline bool PairMask(VectorCall& call, const uint64_t mask[], int64_t repeat, bool setMask) {
    uint64_t pairs[2] = {0, 0};
    bool even = true;
    for (int i = 0; i < 64; ++i) {
        const uint64_t two = mask[i / 32] >> (i % 32 * 2) & 3;
        even = even && (two == 0 || two == 3);
        pairs[0] |= uint64_t(two != 0) << i;
    }
    if (!even) {
        ASCGRAD_REPORT("mask", call.site(), "Cast: the two bits of a byte of int4b_t have to be equal");
    }
    return call.Mask(pairs, repeat, setMask);
}

}  // namespace emulator

namespace AscendC {

template <typename T, typename U, bool isSetMask = true>
inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask[],
                 const int32_t repeatTime, const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    if constexpr (emulator::nibbles<T, U>) {
        emulator::CastNibbles(dst, src, roundMode, repeatParams,
                              [&](emulator::VectorCall& c) { return emulator::PairMask(c, mask, repeatTime, isSetMask); }, site);
        return;
    }
    emulator::VectorCall call(emulator::Api::Cast, site);
    emulator::UnaryLanes(call, dst, sizeof(T), src, sizeof(U), repeatParams);
    if (call.Mask(mask, repeatTime, isSetMask)) {
        emulator::CastLanes<T, U>(call, roundMode);
    }
}
template <typename T, typename U, bool isSetMask = true>
inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask,
                 const int32_t repeatTime, const UnaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    if constexpr (emulator::nibbles<T, U>) {
        const uint64_t pairs = uint64_t(emulator::Pairs(int64_t(mask), "mask", site));
        emulator::CastNibbles(dst, src, roundMode, repeatParams,
                              [&](emulator::VectorCall& c) { return c.Mask(pairs, repeatTime, isSetMask); }, site);
        return;
    }
    emulator::VectorCall call(emulator::Api::Cast, site);
    emulator::UnaryLanes(call, dst, sizeof(T), src, sizeof(U), repeatParams);
    if (call.Mask(mask, repeatTime, isSetMask)) {
        emulator::CastLanes<T, U>(call, roundMode);
    }
}
template <typename T, typename U>
inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint32_t count,
                 ASCGRAD_SITE) {
    if constexpr (emulator::nibbles<T, U>) {
        const int64_t pairs = emulator::Pairs(count, "count", site);
        emulator::CastNibbles(dst, src, roundMode, {}, [&](emulator::VectorCall& c) { return c.Count(pairs); }, site);
        return;
    }
    emulator::VectorCall call(emulator::Api::Cast, site);
    emulator::UnaryLanes(call, dst, sizeof(T), src, sizeof(U));
    if (call.Count(count)) {
        emulator::CastLanes<T, U>(call, roundMode);
    }
}

inline void SetDeqScale(half scale) { emulator::Current().deqScale = scale; }

// Scalar conversions.
inline bfloat16_t ToBfloat16(const float& v) { return bfloat16_t(v); }
inline float ToFloat(const bfloat16_t& v) { return float(v); }
template <typename T, typename U, RoundMode roundMode>
inline U ScalarCast(T value) { return emulator::Convert<U, T, roundMode>(value); }

}  // namespace AscendC
