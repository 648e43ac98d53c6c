// The cube side: global memory -> L1 -> L0A/L0B -> Mmad -> L0C -> Fixpipe. Memories hold the real fractal layouts, so a
// kernel that loads blocks in the wrong order gets wrong numbers.
//   C0    elements of 32 bytes: 16 of 16 bits, 8 of float
//   L1    as the kernel lays it out; ND2NZ makes NZ: columns of blocks of C0 elements, rows of 32 bytes
//   L0A   fractals of 16 x C0, rows of 32 bytes; 2201: ZZ, block (m, k) at m * K1 + k; 3510: NZ, at k * M1 + m
//   L0B   ZN: fractals of C0 x 16, stored as 16 columns of 32 bytes; block (k, n) at k * N1 + n
//   L0C   NZ: fractals of 16 x 16 float, rows of 64 bytes; block (m, n) at n * M1 + m
// asc: the Mmad and LoadData pages, fractal formats
#pragma once

#include "emulator/move.h"

// asc: Fixpipe, quantPre; those that are not here quantise
enum class QuantMode_t : uint8_t { NoQuant = 0, F322F16, F322BF16 };

namespace AscendC {

// Fields are wider than the device's, so that a value that would wrap there is seen and reported.
struct Nd2NzParams {
    Nd2NzParams() = default;
    Nd2NzParams(int64_t ndNum_, int64_t nValue_, int64_t dValue_, int64_t srcNdMatrixStride_, int64_t srcDValue_,
                int64_t dstNzC0Stride_, int64_t dstNzNStride_, int64_t dstNzMatrixStride_)
        : ndNum(ndNum_), nValue(nValue_), dValue(dValue_), srcNdMatrixStride(srcNdMatrixStride_), srcDValue(srcDValue_),
          dstNzC0Stride(dstNzC0Stride_), dstNzNStride(dstNzNStride_), dstNzMatrixStride(dstNzMatrixStride_) {}
    int64_t ndNum = 0, nValue = 0, dValue = 0, srcNdMatrixStride = 0, srcDValue = 0;
    int64_t dstNzC0Stride = 0, dstNzNStride = 0, dstNzMatrixStride = 0;
};

struct LoadData2DParams {
    LoadData2DParams() = default;
    LoadData2DParams(int64_t startIndex_, int64_t repeatTimes_, int64_t srcStride_, int64_t sid_, int64_t dstGap_,
                     bool ifTranspose_, int64_t addrMode_)
        : startIndex(startIndex_), dstGap(dstGap_), srcStride(srcStride_), ifTranspose(ifTranspose_), repeatTimes(repeatTimes_),
          sid(sid_), addrMode(addrMode_) {}
    int64_t startIndex = 0, dstGap = 0, srcStride = 0;
    bool ifTranspose = false;
    int64_t repeatTimes = 0, sid = 0, addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

struct LoadData2DParamsV2 {
    LoadData2DParamsV2() = default;
    LoadData2DParamsV2(int64_t mStart, int64_t kStart, int64_t mStep_, int64_t kStep_, int64_t srcStride_, int64_t dstStride_,
                       bool ifTranspose_, int64_t sid_)
        : mStartPosition(mStart), kStartPosition(kStart), mStep(mStep_), kStep(kStep_), srcStride(srcStride_),
          dstStride(dstStride_), ifTranspose(ifTranspose_), sid(sid_) {}
    int64_t mStartPosition = 0, kStartPosition = 0, mStep = 0, kStep = 0, srcStride = 0, dstStride = 0;
    bool ifTranspose = false;
    int64_t sid = 0;
};

struct LoadData2dTransposeParams {
    LoadData2dTransposeParams() = default;
    LoadData2dTransposeParams(int64_t startIndex_, int64_t repeatTimes_, int64_t srcStride_, int64_t dstGap_, int64_t dstFracGap_,
                              int64_t addrMode_ = 0)
        : startIndex(startIndex_), repeatTimes(repeatTimes_), srcStride(srcStride_), dstGap(dstGap_), dstFracGap(dstFracGap_),
          addrMode(addrMode_) {}
    int64_t startIndex = 0, repeatTimes = 0, srcStride = 0, dstGap = 0, dstFracGap = 0, addrMode = 0;
};

struct MmadParams {
    MmadParams() = default;
    MmadParams(int64_t m_, int64_t n_, int64_t k_, bool isBias_, int64_t fmOffset_, bool enSsparse_, bool winogradA, bool winogradB)
        : m(m_), n(n_), k(k_), isBias(isBias_), fmOffset(fmOffset_), enSsparse(enSsparse_), enWinogradA(winogradA),
          enWinogradB(winogradB) {}
    MmadParams(int64_t m_, int64_t n_, int64_t k_, int64_t unitFlag_, bool cmatrixSource_, bool cmatrixInitVal_)
        : m(m_), n(n_), k(k_), unitFlag(unitFlag_), cmatrixSource(cmatrixSource_), cmatrixInitVal(cmatrixInitVal_) {}
    int64_t m = 0, n = 0, k = 0;
    bool isBias = false;
    int64_t fmOffset = 0;
    bool enSsparse = false, enWinogradA = false, enWinogradB = false;
    int64_t unitFlag = 0;
    bool kDirectionAlign = false, cmatrixSource = false, cmatrixInitVal = true;
#if __NPU_ARCH__ == 3510
    bool disableGemv = false;
#endif
};

template <typename T>
struct InitConstValueParams {
    InitConstValueParams() = default;
    InitConstValueParams(int64_t repeat, int64_t blocks, int64_t gap, T value)
        : repeatTimes(repeat), blockNum(blocks), dstGap(gap), initValue(value) {}
    InitConstValueParams(int64_t repeat, T value) : repeatTimes(repeat), initValue(value) {}
    int64_t repeatTimes = 0, blockNum = 0, dstGap = 0;
    T initValue = T(0);
};

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
    CO2Layout format;
#if __NPU_ARCH__ == 3510
    bool isToUB;
    constexpr FixpipeConfig(CO2Layout format_, bool isToUB_ = false) : format(format_), isToUB(isToUB_) {}
#else
    constexpr FixpipeConfig(CO2Layout format_, bool = false) : format(format_) {}
#endif
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
inline constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

struct FixpipeParamsV220 {
    FixpipeParamsV220() = default;
    FixpipeParamsV220(int64_t n, int64_t m, int64_t src, int64_t dst, bool relu)
        : nSize(n), mSize(m), srcStride(src), dstStride(dst), reluEn(relu) {}
    FixpipeParamsV220(int64_t n, int64_t m, int64_t src, int64_t dst, bool relu, QuantMode_t quant, int64_t scalar, int64_t nds,
                      int64_t srcNd, int64_t dstNd, int64_t flag, bool split = false)
        : nSize(n), mSize(m), srcStride(src), dstStride(dst), quantPre(quant), deqScalar(uint64_t(scalar)), ndNum(nds),
          srcNdStride(srcNd), dstNdStride(dstNd), reluEn(relu), unitFlag(flag), isChannelSplit(split) {}
    int64_t nSize = 0, mSize = 0, srcStride = 0, dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
    int64_t ndNum = 1, srcNdStride = 0, dstNdStride = 0;
    bool reluEn = false;
    int64_t unitFlag = 0;
    bool isChannelSplit = false;
};

#if __NPU_ARCH__ == 3510
struct Nz2NdParams {
    int64_t ndNum = 1, srcNdStride = 0, dstNdStride = 0;
};
struct Nz2DnParams {
    int64_t dnNum = 1, srcNzMatrixStride = 0, dstDnMatrixStride = 0, srcNzC0Stride = 0;
};
template <CO2Layout format>
struct TransformParams {
    using PARAMS = uint8_t;
};
template <>
struct TransformParams<CO2Layout::ROW_MAJOR> {
    using PARAMS = Nz2NdParams;
};
template <>
struct TransformParams<CO2Layout::COLUMN_MAJOR> {
    using PARAMS = Nz2DnParams;
};
template <CO2Layout format = CO2Layout::ROW_MAJOR>
struct FixpipeParamsArch3510 {
    FixpipeParamsArch3510() = default;
    FixpipeParamsArch3510(int64_t n, int64_t m, int64_t src, int64_t dst) : nSize(n), mSize(m), srcStride(src), dstStride(dst) {}
    int64_t nSize = 0, mSize = 0, srcStride = 0, dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
    bool reluEn = false;
    int64_t unitFlag = 0;
    int64_t dualDstCtl = 0;
    bool subBlockId = false;
    typename TransformParams<format>::PARAMS params = {};
    bool isChannelSplit = false;
};
#endif

enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };

}  // namespace AscendC

namespace emulator {

constexpr uint64_t FRACTAL = 512;      // bytes of a fractal of L0A and L0B
constexpr uint64_t C_FRACTAL = 1024;   // bytes of a fractal of L0C
constexpr uint64_t C_ROW = 64;         // bytes of its row

inline uint64_t Ceil(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

bool Between(const char* api, const char* field, int64_t value, int64_t low, int64_t high, Site site);

// The memory of a tensor of this core, if it is aligned and has the bytes that an instruction touches.
UnifiedBuffer* Reach(const Tensor& t, uint32_t spaces, uint64_t bytes, int64_t alignment, const char* api,
                     const char* role, Site site);

// ---- Global memory -> L1 ----

void Nd2Nz(const Tensor& dst, const uint8_t* src, uint64_t elem, const AscendC::Nd2NzParams& p, Site site);

// ---- L1 -> L0A, L0B ----

// asc: LoadData (2D)
void Load2D(const Tensor& dst, const Tensor& src, uint64_t elem, const AscendC::LoadData2DParams& p, Site site);

// asc: LoadData (2D V2). The source is a matrix in NZ, blocks (m, k) at k * srcStride + m; so is the target, at
// k * dstStride + m, with m and k exchanged when each block is transposed (ZN is NZ of the transposed matrix).
void Load2DV2(const Tensor& dst, const Tensor& src, uint64_t elem, const AscendC::LoadData2DParamsV2& p, Site site);

// asc: LoadDataWithTranspose; squares of two consecutive fractals of float, or one of 16 bits
void LoadTransposed(const Tensor& dst, const Tensor& src, uint64_t elem, const AscendC::LoadData2dTransposeParams& p,
                    Site site);

// asc: Fill (InitConstValue); blocks of 32 bytes in L1, of 512 in L0A and L0B, which 3510 does not fill
void FillLocal(const char* api, const Tensor& dst, uint64_t elem, uint64_t pattern, int64_t repeat, int64_t blocks, int64_t gap, Site site);

// ---- Mmad ----

void Multiply(const Tensor& dst, const Tensor& fm, const Tensor& filter, const Tensor* bias, DType type,
              const AscendC::MmadParams& p, Site site);

// ---- Fixpipe ----

// Both products' parameters in one form. Strides in bytes.
struct Fixing {
    Site site;
    AscendC::CO2Layout layout;
    DType type;  // of the destination
    uint64_t n, m, srcStep, dstStep, matrices, srcMatrix, dstMatrix;
    bool relu;
    int64_t unitFlag, dual;
    AtomicFunction atomic = nullptr;
    uint64_t elem() const { return type == DType::F32 ? 4 : 2; }
};

bool CheckFixpipe(const Fixing& f, int64_t n, int64_t m, int64_t srcStride, int64_t dstStride, int64_t matrices,
                  QuantMode_t quant, bool split);

void FixpipeToGlobal(const Fixing& f, uint8_t* dst, const Tensor& src);

void FixpipeToLocal(const Fixing& f, const Tensor& dst, const Tensor& src, bool toUb, int subBlock);

template <class T>
constexpr DType FixpipeType() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>,
                  "Fixpipe to this type is not emulated");
    return TypeOf<T>();
}

bool FixpipeOf(Fixing& f, const AscendC::FixpipeParamsV220& p);

#if __NPU_ARCH__ == 3510
template <AscendC::CO2Layout format>
inline bool FixpipeOf(Fixing& f, const AscendC::FixpipeParamsArch3510<format>& p) {
    int64_t matrices = 1, srcNd = 0, dstNd = 0;
    if constexpr (format == AscendC::CO2Layout::ROW_MAJOR) {
        matrices = p.params.ndNum, srcNd = p.params.srcNdStride, dstNd = p.params.dstNdStride;
    }
    if (!CheckFixpipe(f, p.nSize, p.mSize, p.srcStride, p.dstStride, matrices, p.quantPre, p.isChannelSplit)) {
        return false;
    }
    if (matrices > 1 && (!Between("Fixpipe", "srcNdStride", srcNd, 0, 65535, f.site) ||
                         !Between("Fixpipe", "dstNdStride", dstNd, 1, 0xffffffffll, f.site))) {
        return false;
    }
    f.n = uint64_t(p.nSize), f.m = uint64_t(p.mSize), f.srcStep = uint64_t(p.srcStride) * C_ROW;
    f.dstStep = uint64_t(p.dstStride) * f.elem();  // asc: FixpipeParamsArch3510; elements for ND and NZ
    f.matrices = uint64_t(matrices);
    f.srcMatrix = uint64_t(srcNd) * C_ROW, f.dstMatrix = uint64_t(dstNd) * f.elem();
    f.relu = p.reluEn;
    f.dual = p.dualDstCtl;
    return true;
}
#endif

template <class T>
inline Fixing NewFixing(AscendC::CO2Layout layout, int64_t unitFlag, Site site) {
    Fixing f{site, layout, FixpipeType<T>(), 0, 0, 0, 0, 1, 0, 0, false, unitFlag, 0};
    f.atomic = AtomicInForce();
    return f;
}

}  // namespace emulator

namespace AscendC {

#if __NPU_ARCH__ == 3510
template <typename T, bool enableSmallC0 = false>
#else
template <typename T>
#endif
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& intriParams, ASCGRAD_SITE) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 1, "ND2NZ of this type is not emulated");
#if __NPU_ARCH__ == 3510
    static_assert(!enableSmallC0, "enableSmallC0 is not emulated");
#endif
    emulator::Nd2Nz(dst, emulator::Address(src), sizeof(T), intriParams, site);
}

template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& loadDataParams, ASCGRAD_SITE) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "LoadData of this type is not emulated");
    emulator::Load2D(dst, src, sizeof(T), loadDataParams, site);
}
template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParamsV2& loadDataParams, ASCGRAD_SITE) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "LoadData of this type is not emulated");
    emulator::Load2DV2(dst, src, sizeof(T), loadDataParams, site);
}
template <typename T>
inline void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2dTransposeParams& loadDataParams,
                                  ASCGRAD_SITE) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "LoadDataWithTranspose of this type is not emulated");
    emulator::LoadTransposed(dst, src, sizeof(T), loadDataParams, site);
}

template <typename T>
inline void Fill(const LocalTensor<T>& dst, const InitConstValueParams<T>& p, ASCGRAD_SITE) {
    emulator::FillLocal("Fill", dst, sizeof(T), emulator::PatternOf(p.initValue), p.repeatTimes, p.blockNum, p.dstGap, site);
}
template <typename T>
inline void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<T>& p, ASCGRAD_SITE) {
    emulator::FillLocal("InitConstValue", dst, sizeof(T), emulator::PatternOf(p.initValue), p.repeatTimes, p.blockNum, p.dstGap, site);
}

template <typename T, typename U, typename S>
inline void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter, const MmadParams& mmadParams,
                 ASCGRAD_SITE) {
    static_assert(std::is_same_v<T, float> && std::is_same_v<U, S> &&
                      (std::is_same_v<U, float> || std::is_same_v<U, half> || std::is_same_v<U, bfloat16_t>),
                  "Mmad takes half, bfloat16_t or float on both sides and gives float; other types are not emulated");
    emulator::Multiply(dst, fm, filter, nullptr, emulator::TypeOf<U>(), mmadParams, site);
}
template <typename T, typename U, typename S, typename V>
inline void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter, const LocalTensor<V>& bias,
                 const MmadParams& mmadParams, ASCGRAD_SITE) {
    static_assert(std::is_same_v<T, float> && std::is_same_v<U, S> && std::is_same_v<V, float> &&
                      (std::is_same_v<U, float> || std::is_same_v<U, half> || std::is_same_v<U, bfloat16_t>),
                  "Mmad takes half, bfloat16_t or float on both sides and gives float; other types are not emulated");
    emulator::Multiply(dst, fm, filter, &bias, emulator::TypeOf<U>(), mmadParams, site);
}

template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
inline void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& intriParams, ASCGRAD_SITE) {
    static_assert(std::is_same_v<U, float>, "Fixpipe from this type is not emulated");
    emulator::Fixing f = emulator::NewFixing<T>(config.format, intriParams.unitFlag, site);
    if (emulator::FixpipeOf(f, intriParams)) {
        emulator::FixpipeToGlobal(f, const_cast<uint8_t*>(emulator::Address(dst)), src);
    }
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
inline void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& intriParams, ASCGRAD_SITE) {
    static_assert(std::is_same_v<U, float>, "Fixpipe from this type is not emulated");
    emulator::Fixing f = emulator::NewFixing<T>(config.format, intriParams.unitFlag, site);
    if (emulator::FixpipeOf(f, intriParams)) {
        emulator::FixpipeToLocal(f, dst, src, false, 0);
    }
}
#if __NPU_ARCH__ == 3510
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
inline void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsArch3510<config.format>& intriParams,
                    ASCGRAD_SITE) {
    static_assert(std::is_same_v<U, float>, "Fixpipe from this type is not emulated");
    emulator::Fixing f = emulator::NewFixing<T>(config.format, intriParams.unitFlag, site);
    if (emulator::FixpipeOf(f, intriParams)) {
        emulator::FixpipeToGlobal(f, const_cast<uint8_t*>(emulator::Address(dst)), src);
    }
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
inline void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsArch3510<config.format>& intriParams,
                    ASCGRAD_SITE) {
    static_assert(std::is_same_v<U, float>, "Fixpipe from this type is not emulated");
    emulator::Fixing f = emulator::NewFixing<T>(config.format, intriParams.unitFlag, site);
    if (emulator::FixpipeOf(f, intriParams)) {
        emulator::FixpipeToLocal(f, dst, src, config.isToUB, intriParams.subBlockId ? 1 : 0);
    }
}
#endif

// Order of the cube's own work; results do not depend on it.
inline void SetMMRowMajor() {}
inline void SetMMColumnMajor() {}
inline void SetMMLayoutTransform(bool) {}
inline void SetHF32Mode(bool enable, ASCGRAD_SITE) {
    if (enable) {
        ASCGRAD_REPORT("api", site, "SetHF32Mode: rounding operands of float to HF32 is not emulated");
    }
}
inline void SetHF32Mode(HF32Mode mode, ASCGRAD_SITE) { SetHF32Mode(mode == HF32Mode::ENABLE, site); }

}  // namespace AscendC
