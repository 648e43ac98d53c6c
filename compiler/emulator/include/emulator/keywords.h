// The language that a kernel is written in: qualifiers, dtype macros, scalar types and the enumerations of the API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/timeline.h"

#if !defined(__NPU_ARCH__)
#error "-D__NPU_ARCH__=<npu_arch of the product> is needed"
#elif __NPU_ARCH__ == 3510
#define __CCE_AICORE__ 310
#define __DAV_C310__ 1
#elif __NPU_ARCH__ == 2201
#define __CCE_AICORE__ 220
#define __DAV_C220__ 1
#else
#error "this __NPU_ARCH__ is not emulated"
#endif

#define __aicore__
#if !defined(ASCGRAD_SCAN)  // the preprocessed text of a kernel keeps what marks its entry
#define __global__
#define __vector__
#define __cube__
#define __mix__(aic, aiv)
#endif
#define __schedmode__(mode)
#if !defined(likely)
#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#endif
#define __gm__
#define __ubuf__
#define __local_mem__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __inout_pipe__(...)
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __sync_alias__
#define __sync_noalias__
#define __disable_kernel_type_autoinfer__
#define GM_ADDR __gm__ uint8_t*

// asc: kernel_type.h; macros, because kernels compare them in #if
#define DT_FLOAT 0
#define DT_FLOAT16 1
#define DT_INT8 2
#define DT_INT32 3
#define DT_UINT8 4
#define DT_INT16 6
#define DT_UINT16 7
#define DT_UINT32 8
#define DT_INT64 9
#define DT_UINT64 10
#define DT_DOUBLE 11
#define DT_BOOL 12
#define DT_BF16 27
#define DT_UNDEFINED 28
#define DT_INT4 29
#define DT_HIFLOAT8 34
#define DT_FLOAT8_E5M2 35
#define DT_FLOAT8_E4M3FN 36
#define DT_FLOAT8_E8M0 37
#define DT_FLOAT4_E2M1 40
#define DT_FLOAT4_E1M2 41
#define FORMAT_NCHW 0
#define FORMAT_NHWC 1
#define FORMAT_ND 2
#define FORMAT_FRACTAL_NZ 29

namespace emulator {

template <class To, class From>
inline To Bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof(to));
    return to;
}

// Conversions are written without branches so that loops over them become vector code.

inline float HalfToFloat(uint16_t h) {
    // Multiplying by 2^112 moves the exponent bias from 15 to 127 and normalises subnormals exactly.
    uint32_t magnitude = uint32_t(h & 0x7fff) << 13;
    uint32_t scaled = Bits<uint32_t>(Bits<float>(magnitude) * 0x1p112f);
    uint32_t special = magnitude | 0x7f800000;
    uint32_t bits = magnitude >= 0x0f800000 ? special : scaled;
    return Bits<float>(bits | uint32_t(h & 0x8000) << 16);
}

inline uint16_t FloatToHalf(float f) {
    uint32_t bits = Bits<uint32_t>(f);
    uint32_t sign = (bits >> 16) & 0x8000;
    uint32_t magnitude = bits & 0x7fffffff;
    // The sum's last place is the half's last place, so the addition rounds to nearest even.
    uint32_t subnormal = Bits<uint32_t>(Bits<float>(magnitude) + 0.5f) - 0x3f000000;
    uint32_t normal = (magnitude - 0x38000000 + 0xfff + ((magnitude >> 13) & 1)) >> 13;
    uint32_t finite = magnitude < 0x38800000 ? subnormal : normal;
    uint32_t special = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
    return uint16_t(sign | (magnitude >= 0x477ff000 ? special : finite));
}

inline float BfloatToFloat(uint16_t b) { return Bits<float>(uint32_t(b) << 16); }

inline uint16_t FloatToBfloat(float f) {
    uint32_t bits = Bits<uint32_t>(f);
    uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    uint32_t nan = (bits >> 16) | 0x40;
    return uint16_t((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}

}  // namespace emulator

// Conversion to float is explicit: the device compiler refuses scalar arithmetic on both types.
struct half {
    uint16_t bits;
    half() = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    half(T value) : bits(emulator::FloatToHalf(float(value))) {}
    explicit operator float() const { return emulator::HalfToFloat(bits); }
    template <class T, class = std::enable_if_t<std::is_integral_v<T> || std::is_same_v<T, double>>>
    explicit operator T() const { return T(emulator::HalfToFloat(bits)); }
};

struct bfloat16_t {
    uint16_t bits;
    bfloat16_t() = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    bfloat16_t(T value) : bits(emulator::FloatToBfloat(float(value))) {}
    explicit operator float() const { return emulator::BfloatToFloat(bits); }
};

// The pipes of a core, as the hardware names them. asc: kernel_reg.h
enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

enum KernelMetaType : uint32_t {
    KERNEL_TYPE_AIV_ONLY,
    KERNEL_TYPE_AIC_ONLY,
    KERNEL_TYPE_MIX_AIV_1_0,
    KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1,
    KERNEL_TYPE_MIX_AIC_1_2,
    KERNEL_TYPE_AICORE,  // this and the next three say nothing on the products that are emulated
    KERNEL_TYPE_VECTORCORE,
    KERNEL_TYPE_MIX_AICORE,
    KERNEL_TYPE_MIX_VECTOR_CORE,
    KERNEL_TYPE_MAX,
};

namespace AscendC {

constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;
constexpr int32_t MIX = 3;

using TEventID = int8_t;
using MutexID = uint8_t;

enum class TPosition : uint8_t {
    GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM,
    C2PIPE2LOCAL, MAX,
};
using QuePosition = TPosition;

enum class HardEvent : uint8_t {
    MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_V, V_MTE2, MTE3_V, V_MTE3, M_V, V_M, V_V, MTE3_MTE1, MTE1_MTE3, MTE1_V,
    MTE2_M, M_MTE2, V_MTE1, M_FIX, FIX_M, MTE3_MTE2, MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, MTE2_FIX,
    FIX_MTE2, FIX_S, M_S, FIX_MTE3, MTE1_FIX, FIX_MTE1, FIX_FIX, MAX,
};

enum class RoundMode : uint8_t {
    CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD,
#if __NPU_ARCH__ == 3510
    CAST_HYBRID, CAST_EVEN, CAST_ZERO,
#endif
    UNKNOWN = 0xFF,
};
enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX = 0, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class ReduceType : uint8_t { SUM, MAX, MIN };
enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
enum class PaddingMode : uint8_t { Normal = 0, Compact };
enum class CacheMode { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL = 1, CACHE_MODE_LAST = 2, CACHE_MODE_PERSISTENT = 4 };
enum class CacheRwMode { READ = 1, WRITE = 2, RW = 3 };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class DataCopyMVType : uint8_t { UB_TO_OUT = 0, OUT_TO_UB = 1 };
enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
enum class MemDsbT : uint64_t { ALL = 0, DDR, UB, SEQ };

// Half a byte; a tensor of these has two elements for each of its bytes. Cast alone takes it. asc: Cast
struct int4b_t {
    uint8_t bits;
};

template <typename T, typename U>
struct IsSameType {
    static constexpr bool value = std::is_same_v<T, U>;
};

constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t ONE_REPEAT_BYTE_SIZE = 256;
// Further constants of the toolkit that kernels use. asc-devkit: kernel_utils_constants.h
constexpr uint32_t BLOCK_CUBE = 16, TWO_BLK_SIZE = 64, ONE_BLK_HALF_NUM = 16, ONE_BLK_FLOAT_NUM = 8;
constexpr uint32_t ONE_REPEAT_FLOAT_SIZE = 64, ONE_REPEAT_HALF_SIZE = 128, MAX_REPEAT_TIMES = 255;
constexpr int32_t DEFAULT_BLK_NUM = 8, DEFAULT_BLK_STRIDE = 1, FULL_MASK_LEN = 128, HALF_MASK_LEN = 64, K_MAX_DIM = 8;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8, HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr uint8_t B64_BYTE_SIZE = 8, B32_BYTE_SIZE = 4, B16_BYTE_SIZE = 2, B8_BYTE_SIZE = 1;

struct SyncAllConfig {
    pipe_t triggerPipe;
    pipe_t waitPipe;
};
inline constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {PIPE_ALL, PIPE_ALL};

// Fields are wider than the device's, so that a value that would wrap there is seen and reported.
struct UnaryRepeatParams {
    UnaryRepeatParams() = default;
    UnaryRepeatParams(int64_t dstBlk, int64_t srcBlk, int64_t dstRep, int64_t srcRep)
        : dstBlkStride(dstBlk), srcBlkStride(srcBlk), dstRepStride(dstRep), srcRepStride(srcRep) {}
    int64_t dstBlkStride = 1, srcBlkStride = 1, dstRepStride = 8, srcRepStride = 8;
};

struct BinaryRepeatParams {
    BinaryRepeatParams() = default;
    BinaryRepeatParams(int64_t dstBlk, int64_t src0Blk, int64_t src1Blk, int64_t dstRep, int64_t src0Rep, int64_t src1Rep)
        : dstBlkStride(dstBlk), src0BlkStride(src0Blk), src1BlkStride(src1Blk), dstRepStride(dstRep),
          src0RepStride(src0Rep), src1RepStride(src1Rep) {}
    int64_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1;
    int64_t dstRepStride = 8, src0RepStride = 8, src1RepStride = 8;
};

struct BrcbRepeatParams {
    BrcbRepeatParams() = default;
    BrcbRepeatParams(int64_t dstBlk, int64_t dstRep) : dstBlkStride(dstBlk), dstRepStride(dstRep) {}
    int64_t dstBlkStride = 1, dstRepStride = 8;
};

struct CopyRepeatParams {
    CopyRepeatParams() = default;
    CopyRepeatParams(int64_t dst, int64_t src, int64_t dstRep, int64_t srcRep)
        : dstStride(dst), srcStride(src), dstRepeatSize(dstRep), srcRepeatSize(srcRep) {}
    int64_t dstStride = 1, srcStride = 1, dstRepeatSize = 8, srcRepeatSize = 8;
};

struct GatherMaskParams {
    GatherMaskParams() = default;
    GatherMaskParams(int64_t src0Blk, int64_t repeat, int64_t src0Rep, int64_t src1Rep)
        : src0BlockStride(src0Blk), repeatTimes(repeat), src0RepeatStride(src0Rep), src1RepeatStride(src1Rep) {}
    int64_t src0BlockStride = 1, repeatTimes = 0, src0RepeatStride = 8, src1RepeatStride = 8;
};

struct DataCopyParams {
    DataCopyParams() = default;
    DataCopyParams(int64_t count, int64_t len, int64_t src, int64_t dst)
        : blockCount(count), blockLen(len), srcGap(src), dstGap(dst) {}
    int64_t blockCount = 1, blockLen = 0;
    union {
        int64_t srcGap = 0;
        int64_t srcStride;
    };
    union {
        int64_t dstGap = 0;
        int64_t dstStride;
    };
};

struct DataCopyExtParams {
    DataCopyExtParams() = default;
    DataCopyExtParams(int64_t count, int64_t len, int64_t src, int64_t dst, int64_t reserved)
        : blockCount(count), blockLen(len), srcStride(src), dstStride(dst), rsv(reserved) {}
    int64_t blockCount = 1, blockLen = 0, srcStride = 0, dstStride = 0, rsv = 0;
};

struct DataCopyPadParams {
    DataCopyPadParams() = default;
    DataCopyPadParams(bool pad, int64_t left, int64_t right, uint64_t value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
    bool isPad = false;
    int64_t leftPadding = 0, rightPadding = 0;
    uint64_t paddingValue = 0;
};

template <typename T>
struct DataCopyPadExtParams {
    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(bool pad, int64_t left, int64_t right, T value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
    bool isPad = false;
    int64_t leftPadding = 0, rightPadding = 0;
    T paddingValue = T(0);
};

struct LoopModeParams {
    LoopModeParams() = default;
    LoopModeParams(uint32_t size1, uint32_t size2, uint64_t src1, uint64_t dst1, uint64_t src2, uint64_t dst2)
        : loop1Size(size1), loop2Size(size2), loop1SrcStride(src1), loop1DstStride(dst1), loop2SrcStride(src2),
          loop2DstStride(dst2) {}
    uint32_t loop1Size = 0, loop2Size = 0;
    uint64_t loop1SrcStride = 0, loop1DstStride = 0, loop2SrcStride = 0, loop2DstStride = 0;
};

struct BinaryConfig {
    int8_t scalarTensorIndex = 1;
};
inline constexpr BinaryConfig DEFAULT_BINARY_CONFIG = {1};
struct BinaryDefaultType {};

// asc: kernel_reg_compute_utils.h. FTZ_FALSE keeps subnormal results, every other algorithm flushes them.
enum class ExpAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class LnAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class ReciprocalAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class DivAlgo {
    INTRINSIC = 0, DIFF_COMPENSATION, PRECISION_1ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE,
    PRECISION_1ULP_FTZ_FALSE,
};
enum class SqrtAlgo {
    INTRINSIC = 0, FAST_INVERSE, PRECISION_1ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE, PRECISION_1ULP_FTZ_FALSE,
};
enum class RsqrtAlgo {
    INTRINSIC = 0, FAST_INVERSE, PRECISION_1ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE, PRECISION_1ULP_FTZ_FALSE,
};
struct ExpConfig { ExpAlgo algo = ExpAlgo::INTRINSIC; };
struct LnConfig { LnAlgo algo = LnAlgo::INTRINSIC; };
struct ReciprocalConfig { ReciprocalAlgo algo = ReciprocalAlgo::INTRINSIC; };
struct DivConfig { DivAlgo algo = DivAlgo::INTRINSIC; };
struct SqrtConfig { SqrtAlgo algo = SqrtAlgo::INTRINSIC; };
struct RsqrtConfig { RsqrtAlgo algo = RsqrtAlgo::INTRINSIC; };
inline constexpr ExpConfig DEFAULT_EXP_CONFIG = {};
inline constexpr LnConfig DEFAULT_LN_CONFIG = {};
inline constexpr ReciprocalConfig DEFAULT_RECIPROCAL_CONFIG = {};
inline constexpr DivConfig DEFAULT_DIV_CONFIG = {};
inline constexpr SqrtConfig DEFAULT_SQRT_CONFIG = {};
inline constexpr RsqrtConfig DEFAULT_RSQRT_CONFIG = {};

}  // namespace AscendC
