// What each API takes on each product: one row per API. Sources are the API pages of the Ascend C documentation
// (Memory vector computing), which give the list per product and say which types only the count form takes.
#pragma once

#include "emulator/core.h"

namespace emulator {

enum class DType : uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64, OTHER };

inline const char* Name(DType t) {
    static const char* const names[] = {"int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
                                        "uint64_t", "half", "bfloat16_t", "float", "double", "another type"};
    return names[int(t)];
}

template <class T>
constexpr DType TypeOf() {
    if constexpr (std::is_same_v<T, half>) return DType::F16;
    else if constexpr (std::is_same_v<T, bfloat16_t>) return DType::BF16;
    else if constexpr (std::is_same_v<T, float>) return DType::F32;
    else if constexpr (std::is_same_v<T, double>) return DType::F64;
    else if constexpr (std::is_same_v<T, bool>) return DType::U8;
    else if constexpr (std::is_integral_v<T>) {
        constexpr int base = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
        return DType(base + (std::is_unsigned_v<T> ? 1 : 0));
    } else return DType::OTHER;
}

namespace types {
constexpr uint32_t Bit(DType t) { return 1u << int(t); }
constexpr uint32_t I8 = Bit(DType::I8), U8 = Bit(DType::U8), I16 = Bit(DType::I16), U16 = Bit(DType::U16);
constexpr uint32_t I32 = Bit(DType::I32), U32 = Bit(DType::U32), I64 = Bit(DType::I64), U64 = Bit(DType::U64);
constexpr uint32_t F16 = Bit(DType::F16), BF16 = Bit(DType::BF16), F32 = Bit(DType::F32), F64 = Bit(DType::F64);
constexpr uint32_t B8 = I8 | U8, B64 = I64 | U64, NONE = 0;
constexpr uint32_t ARITH = I16 | F16 | I32 | F32;              // what 2201's vector unit adds and multiplies
constexpr uint32_t WIDE = ARITH | BF16 | U16 | U32;            // what 3510's does
constexpr uint32_t FLOATS = F16 | F32;
constexpr uint32_t MOVED = I16 | U16 | F16 | BF16 | I32 | U32 | F32;
}  // namespace types

// name, 2201 (all forms), 3510 (all forms), 3510 (count form only)
#define ASCGRAD_APIS(X)                                                      \
    X(Add, ARITH, WIDE, B8 | B64)                                            \
    X(Sub, ARITH, WIDE, B8 | B64)                                            \
    X(Mul, ARITH, WIDE, B64)                                                 \
    X(Div, FLOATS, I16 | U16 | FLOATS | I32 | U32, B64)                      \
    X(Max, ARITH, WIDE, B8 | B64)                                            \
    X(Min, ARITH, WIDE, B8 | B64)                                            \
    X(AddRelu, I16 | FLOATS, I16 | FLOATS, B64)                              \
    X(SubRelu, I16 | FLOATS, I16 | FLOATS, B64)                              \
    X(MulAddDst, FLOATS, FLOATS, B64)                                        \
    X(FusedMulAdd, FLOATS, FLOATS | BF16, B64)                               \
    X(MulAddRelu, FLOATS, FLOATS, B64)                                       \
    X(And, I16 | U16, I16 | U16 | I32 | U32, B8 | B64)                       \
    X(Or, I16 | U16, I16 | U16 | I32 | U32, B8 | B64)                        \
    X(Not, I16 | U16, I16 | U16 | FLOATS | I32 | U32, B8 | B64)              \
    X(ShiftLeft, I16 | U16 | I32 | U32, I16 | U16 | I32 | U32, B8 | B64)     \
    X(ShiftRight, I16 | U16 | I32 | U32, I16 | U16 | I32 | U32, B8 | B64)    \
    X(Adds, ARITH, ARITH | BF16, B8 | B64)                                   \
    X(Muls, ARITH, ARITH | BF16, B64)                                        \
    X(Maxs, ARITH, ARITH | BF16, B8 | B64)                                   \
    X(Mins, ARITH, ARITH | BF16, B8 | B64)                                   \
    X(Subs, NONE, ARITH | BF16, B64)                                         \
    X(Divs, NONE, FLOATS, B64)                                               \
    X(LeakyRelu, FLOATS, FLOATS, NONE)                                       \
    X(Axpy, FLOATS, FLOATS | BF16, B64)                                      \
    X(Exp, FLOATS, FLOATS, NONE)                                             \
    X(Ln, FLOATS, FLOATS, NONE)                                              \
    X(Sqrt, FLOATS, FLOATS, NONE)                                            \
    X(Rsqrt, FLOATS, FLOATS, NONE)                                           \
    X(Reciprocal, FLOATS, FLOATS, B64)                                       \
    X(Abs, FLOATS, I16 | FLOATS | I32, I8 | I64)                             \
    X(Relu, FLOATS | I32, FLOATS | I32, I64)                                 \
    X(Neg, NONE, NONE, I8 | I16 | FLOATS | I32 | I64)                        \
    X(Duplicate, MOVED, MOVED, B8 | B64)                                     \
    X(Copy, MOVED, MOVED | B8 | B64, NONE)                                   \
    X(Brcb, MOVED, MOVED | B8 | B64, NONE)                                   \
    X(GatherMask, MOVED, MOVED | B8 | B64, NONE)                             \
    X(Gather, MOVED, MOVED | B64, B8)                                        \
    X(Gatherb, U16 | U32, MOVED | B8 | B64, NONE)                            \
    X(Scatter, NONE, MOVED | B64, B8)                                        \
    X(TransDataTo5HD, B8 | I16 | U16 | F16 | I32 | U32 | F32, B8 | MOVED, NONE) \
    X(MulCast, F16, F16, I64)                                                \
    X(AddReluCast, I16 | FLOATS, I16 | FLOATS, I64)                          \
    X(SubReluCast, I16 | FLOATS, I16 | FLOATS, I64)                          \
    X(Prelu, NONE, NONE, FLOATS)                                             \
    X(AbsSub, NONE, NONE, FLOATS)                                            \
    X(FusedAbsSub, NONE, NONE, FLOATS)                                       \
    X(ExpSub, NONE, NONE, FLOATS)                                            \
    X(Ands, NONE, I16 | U16, B64)                                            \
    X(Ors, NONE, I16 | U16, B64)                                             \
    X(Interleave, NONE, NONE, MOVED | B8 | B64)                              \
    X(DeInterleave, NONE, NONE, MOVED | B8 | B64)                            \
    X(Sort32, FLOATS, FLOATS, NONE)                                          \
    X(MrgSort, FLOATS, FLOATS, NONE)                                         \
    X(Transpose, I16 | U16 | F16, I16 | U16 | F16, NONE)                     \
    X(CreateVecIndex, ARITH, ARITH, I8 | I64)                                \
    X(Compare, FLOATS | I32, WIDE, B8 | B64 | F64)                           \
    X(Compares, FLOATS | I32, WIDE, B8 | B64 | F64)                          \
    X(Select, FLOATS, WIDE, B8 | B64)                                        \
    X(ReduceSum, FLOATS, FLOATS | I32 | U32, B64)                            \
    X(ReduceMax, FLOATS, WIDE & ~BF16, B64)                                  \
    X(ReduceMin, FLOATS, WIDE & ~BF16, B64)                                  \
    X(ReduceRepeat, FLOATS, WIDE & ~BF16, NONE)                              \
    X(ReduceDataBlock, FLOATS, FLOATS, NONE)                                 \
    X(ReducePairElem, FLOATS, FLOATS, NONE)                                  \
    X(Cast, MOVED | B8 | I64, MOVED | B8 | I64, NONE)

enum class Api : uint8_t {
#define X(name, a, b, c) name,
    ASCGRAD_APIS(X)
#undef X
};

struct ApiRow {
    const char* name;
    uint32_t on2201, on3510, countOn3510;
};

inline const ApiRow& Row(Api api) {
    using namespace types;
    static const ApiRow rows[] = {
#define X(name, a, b, c) {#name, (a), (b), (c)},
        ASCGRAD_APIS(X)
#undef X
    };
    return rows[int(api)];
}

// A row, and the name that the kernel calls it by: older names share the row of the newer one.
struct Called {
    Called(Api api_) : Called(api_, Row(api_).name) {}
    Called(Api api_, const char* name_) : api(api_), name(name_) {}
    Api api;
    const char* name;
};

inline bool Supports(Api api, DType type, bool countForm) {
    const ApiRow& row = Row(api);
    uint32_t set = __NPU_ARCH__ == 2201 ? row.on2201 : row.on3510 | (countForm ? row.countOn3510 : 0);
    return (set & types::Bit(type)) != 0;
}

// Cast: the round modes that a pair of types takes. asc: table of the Cast page, per product
constexpr uint32_t Mode(AscendC::RoundMode m) { return 1u << (int(m) & 15); }

inline uint32_t CastModes(DType src, DType dst) {
    using AscendC::RoundMode;
    using namespace types;
    constexpr bool a2 = __NPU_ARCH__ == 2201;
    const uint32_t none = Mode(RoundMode::CAST_NONE);
    const uint32_t five = Mode(RoundMode::CAST_RINT) | Mode(RoundMode::CAST_FLOOR) | Mode(RoundMode::CAST_CEIL) |
                          Mode(RoundMode::CAST_ROUND) | Mode(RoundMode::CAST_TRUNC);
    const uint32_t to = Bit(dst);
    switch (src) {
        case DType::I8: return to & F16 ? none : !a2 && to & (I16 | I32) ? none : 0;
        case DType::U8: return to & F16 ? none : !a2 && to & (U16 | U32) ? none : 0;
        case DType::I16:
            return to & F16 ? (a2 ? five | none : five) : to & F32 ? none : !a2 && to & (U8 | I32 | U32) ? none : 0;
        case DType::U16: return !a2 && to & (U8 | U32) ? none : 0;
        case DType::I32:
            return to & F32 ? (a2 ? five | none : five) : to & (I16 | I64) ? none : to & F16 ? five | none
                   : !a2 && to & (U8 | U16) ? none : 0;
        case DType::U32: return !a2 && to & (U8 | I16 | U16) ? none : 0;
        case DType::I64: return to & I32 ? none : to & F32 ? five : 0;
        case DType::F16:
            return to & F32 ? none : to & (I16 | I32) ? five : to & (I8 | U8) ? (a2 ? five | none : five)
                   : !a2 && to & BF16 ? five : 0;
        case DType::BF16: return to & F32 ? none : to & I32 ? five : !a2 && to & F16 ? five : 0;
        case DType::F32:
            return to & F16 ? five | none | Mode(RoundMode::CAST_ODD) : to & (BF16 | I16 | I32 | I64 | F32) ? five : 0;
        default: return 0;
    }
}

inline const char* Name(AscendC::RoundMode mode) {
    static const char* const names[] = {"CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC",
                                        "CAST_ODD", "CAST_HYBRID", "CAST_EVEN", "CAST_ZERO"};
    return uint8_t(mode) < 10 ? names[int(mode)] : "UNKNOWN";
}

}  // namespace emulator
