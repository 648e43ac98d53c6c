// Data movement between global memory and local memories, and between local memories, of data as it is.
#pragma once

#include "emulator/fill.h"
#include "emulator/pipe.h"

namespace emulator {

enum class PadMode : uint8_t { None, First, Value, Random };

// A copy of blocks. Steps go from one block's start to the next one's.
struct Blocks {
    const char* name;
    Site site;
    uint64_t count = 0, bytes = 0;
    uint64_t gmStep = 0, ubStep = 0;
    uint64_t left = 0, right = 0;  // padding in the unified buffer around each block
    uint32_t elem = 1;
    PadMode pad = PadMode::None;
    uint64_t padValue = 0;
    bool plain = false;  // DataCopy, not DataCopyPad: reaches L1 too
};

int64_t Alignment(Space space);

void CheckAlignment(const char* api, const Tensor& t, int64_t alignment, const char* role, Site site);

void MoveIn(Blocks b, const Tensor& dst, const uint8_t* src);

enum class Atomic : uint8_t { ADD, MAX, MIN };

using AtomicFunction = void (*)(uint8_t*, const uint8_t*, uint64_t);

void MoveOut(Blocks b, uint8_t* dst, const Tensor& src, AtomicFunction atomic);

void MoveInside(Blocks b, const Tensor& dst, const Tensor& src, uint64_t srcStep);

// DataCopy(count): whole data blocks. asc: count * sizeof(T) is rounded down
bool CountBlocks(Blocks& b, int64_t count);

// DataCopyParams: everything in data blocks, 16 bits wide. asc: a blockCount or blockLen of 0 does nothing
bool BurstBlocks(Blocks& b, const AscendC::DataCopyParams& p, bool srcIsGm, uint64_t* srcStep = nullptr);

// DataCopyPad: lengths and strides of global memory in bytes, strides of the unified buffer in data blocks.
bool PadBlocks(Blocks& b, int64_t blockCount, int64_t blockLen, int64_t gmStride, int64_t ubStride, bool narrow);

// asc: DataCopyPad; without paddings the fill is the block's first element, with paddings it is paddingValue or,
// without isPad, anything, unless SetPadValue said what
bool PadOf(Blocks& b, bool isPad, int64_t left, int64_t right, uint64_t value, int64_t ubStride);

// 950: all blocks follow one another, only the end is padded.
void CompactIn(Blocks b, const Tensor& dst, const uint8_t* src);

template <class T>
inline uint64_t PatternOf(T value) {
    uint64_t pattern = 0;
    std::memcpy(&pattern, &value, std::min(sizeof(T), sizeof(pattern)));
    return pattern;
}

// Runs f(source offset, destination offset) in bytes for each pass of the loop mode that is set for a direction.
template <class F>
inline void EachLoop(AscendC::DataCopyMVType type, F f) {
    Core& core = Current();
    const int i = int(type);
    if (!core.loopModeSet[i]) {
        f(0, 0);
        return;
    }
    const AscendC::LoopModeParams& p = core.loopMode[i];
    for (uint64_t outer = 0; outer < std::max(p.loop2Size, 1u); ++outer) {
        for (uint64_t inner = 0; inner < std::max(p.loop1Size, 1u); ++inner) {
            f(outer * p.loop2SrcStride + inner * p.loop1SrcStride, outer * p.loop2DstStride + inner * p.loop1DstStride);
        }
    }
}

inline Tensor Shift(const Tensor& t, uint64_t bytes) {
    Tensor shifted = t;
    shifted.address += bytes;
    shifted.bytes = t.bytes > bytes ? t.bytes - bytes : 0;
    return shifted;
}

// The type that was set decides, whatever type is copied.
AtomicFunction AtomicInForce();

void SetAtomic(const char* name, bool on, Atomic operation, DType type, Site site);

using AscendC::DataCopyExtParams;
using AscendC::DataCopyMVType;
using AscendC::DataCopyPadExtParams;
using AscendC::DataCopyPadParams;
using AscendC::DataCopyParams;
using AscendC::GlobalTensor;

template <class T>
inline const uint8_t* Address(const GlobalTensor<T>& t) { return reinterpret_cast<const uint8_t*>(t.GetPhyAddr()); }
template <class T>
inline uint8_t* Address(GlobalTensor<T>& t) { return reinterpret_cast<uint8_t*>(t.GetPhyAddr()); }

// One dimension of a copy by NDDMA. Strides in elements.
struct Loop {
    uint64_t srcStride, dstStride, size, left, right;
};

// asc: DataCopy, NDDMA; dimensions from the fastest on, the padding lies in front of and behind each of them in dst
void MoveDimensions(const Tensor& dst, const uint8_t* src, const Loop loops[], int dimensions, bool nearest, uint64_t value,
                    uint32_t elem, Site site);

template <class T>
inline void PadIn(const LocalTensor<T>& dst, const GlobalTensor<T>& src, int64_t count, int64_t len, int64_t srcStride,
                  int64_t dstStride, bool isPad, int64_t left, int64_t right, uint64_t value, bool narrow, bool compact, Site site) {
    Blocks b{"DataCopyPad", site};
    b.elem = sizeof(T);
    if (!PadBlocks(b, count, len, srcStride, dstStride, narrow) || !PadOf(b, isPad, left, right, value, dstStride)) {
        return;
    }
    EachLoop(DataCopyMVType::OUT_TO_UB, [&](uint64_t from, uint64_t to) {
        if (compact) {
            CompactIn(b, Shift(dst, to), Address(src) + from);
        } else {
            MoveIn(b, Shift(dst, to), Address(src) + from);
        }
    });
}

template <class T>
inline void PadOut(const GlobalTensor<T>& dst, const LocalTensor<T>& src, int64_t count, int64_t len, int64_t srcStride,
                   int64_t dstStride, bool narrow, bool compact, Site site) {
    Blocks b{"DataCopyPad", site};
    b.elem = sizeof(T);
    b.left = ~0ull;  // names the strides in messages
    if (!PadBlocks(b, count, len, dstStride, srcStride, narrow)) {
        return;
    }
    if (compact) {
        b.ubStep = b.bytes;
    }
    EachLoop(DataCopyMVType::UB_TO_OUT, [&](uint64_t from, uint64_t to) {
        MoveOut(b, const_cast<uint8_t*>(Address(dst)) + to, Shift(src, from), AtomicInForce());
    });
}

}  // namespace emulator

namespace AscendC {

template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::CountBlocks(b, count)) {
        emulator::MoveIn(b, dst, emulator::Address(src));
    }
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::CountBlocks(b, count)) {
        emulator::MoveOut(b, const_cast<uint8_t*>(emulator::Address(dst)), src, emulator::AtomicInForce());
    }
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::CountBlocks(b, count)) {
        emulator::MoveInside(b, dst, src, b.ubStep);
    }
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& repeatParams, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::BurstBlocks(b, repeatParams, true)) {
        emulator::MoveIn(b, dst, emulator::Address(src));
    }
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& repeatParams, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    if (emulator::BurstBlocks(b, repeatParams, false)) {
        emulator::MoveOut(b, const_cast<uint8_t*>(emulator::Address(dst)), src, emulator::AtomicInForce());
    }
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& repeatParams, ASCGRAD_SITE) {
    emulator::Blocks b{"DataCopy", site};
    b.elem = sizeof(T);
    uint64_t srcStep = 0;
    if (emulator::SpaceOf(dst.position) == emulator::Space::BT) {
        // asc: the units of DataCopyParams differ per product on this path
        ASCGRAD_REPORT("api", site, "DataCopy: to the bias table only the form with a count is emulated");
        return;
    }
    if (emulator::BurstBlocks(b, repeatParams, false, &srcStep)) {
        emulator::MoveInside(b, dst, src, srcStep);
    }
}

// Parts of a tensor of up to eight dimensions, the fastest first. asc: DataCopy of slices
struct SliceInfo {
    SliceInfo() = default;
    SliceInfo(uint32_t start, uint32_t end, uint32_t gap, uint32_t burst, uint32_t shape = 0)
        : startIndex(start), endIndex(end), stride(gap), burstLen(burst), shapeValue(shape) {}
    uint32_t startIndex = 0, endIndex = 0, stride = 0, burstLen = 0, shapeValue = 0;
};

// Where the slices begin, in elements and in their order. Empty, with a finding, when they do not fit their dimension.
inline std::vector<uint64_t> AscgradSlices(const SliceInfo info[], uint32_t dimensions, uint32_t elem, const char* role, emulator::Site site) {
    std::vector<uint64_t> places = {0};
    uint64_t step = 1;
    for (uint32_t d = 0; d < dimensions; ++d) {
        const SliceInfo& s = info[d];
        const uint64_t length = d == 0 ? uint64_t(s.burstLen) * emulator::BLOCK / elem : 1, period = length + s.stride;
        const uint64_t covered = uint64_t(s.endIndex) - s.startIndex + 1 + s.stride;
        if (length == 0 || s.endIndex < s.startIndex || covered % period != 0 || s.endIndex > s.shapeValue || (d > 0 && s.burstLen != 1)) {
            ASCGRAD_REPORT("limit", site, "DataCopy: dimension %u of %s: slices of %llu elements with gaps of %u do not make %u to %u of %u", d, role,
                           (unsigned long long)length, s.stride, s.startIndex, s.endIndex, s.shapeValue);
            return {};
        }
        std::vector<uint64_t> next;
        for (uint64_t i = 0; i < covered / period; ++i) {
            for (uint64_t place : places) {
                next.push_back(place + (s.startIndex + i * period) * step);
            }
        }
        places = next;
        step *= s.shapeValue;
    }
    return places;
}
template <typename D, typename S>
inline void AscgradCopySlices(const D& dst, const S& src, const SliceInfo dstSlices[], const SliceInfo srcSlices[], uint32_t dimensions,
                              emulator::Site site) {
    using T = typename D::PrimType;
    if (dimensions < 1 || dimensions > 8 || dstSlices[0].burstLen != srcSlices[0].burstLen) {
        ASCGRAD_REPORT("limit", site, "DataCopy: dimValue is %u, 1 to 8 is allowed; burstLen is %u and %u, both have to be the same", dimensions,
                       dstSlices[0].burstLen, srcSlices[0].burstLen);
        return;
    }
    const std::vector<uint64_t> to = AscgradSlices(dstSlices, dimensions, sizeof(T), "dst", site);
    const std::vector<uint64_t> from = AscgradSlices(srcSlices, dimensions, sizeof(T), "src", site);
    if (to.size() != from.size()) {
        ASCGRAD_REPORT("limit", site, "DataCopy: dst has %zu slices, src has %zu", to.size(), from.size());
    }
    for (size_t i = 0; i < std::min(to.size(), from.size()); ++i) {
        DataCopy(dst[to[i]], src[from[i]], DataCopyParams(1, srcSlices[0].burstLen, 0, 0), site);
    }
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[],
                     const uint32_t dimValue = 1, ASCGRAD_SITE) {
    AscgradCopySlices(dst, src, dstSliceInfo, srcSliceInfo, dimValue, site);
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[],
                     const uint32_t dimValue = 1, ASCGRAD_SITE) {
    AscgradCopySlices(dst, src, dstSliceInfo, srcSliceInfo, dimValue, site);
}

// The padding mode is a template argument on 3510 only.
#if __NPU_ARCH__ == 3510
#define ASCGRAD_PAD_TEMPLATE template <typename T, PaddingMode mode = PaddingMode::Normal>
#define ASCGRAD_COMPACT (mode == PaddingMode::Compact)
#else
#define ASCGRAD_PAD_TEMPLATE template <typename T>
#define ASCGRAD_COMPACT false
#endif
ASCGRAD_PAD_TEMPLATE
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& p,
                        const DataCopyPadExtParams<T>& pad, ASCGRAD_SITE) {
    emulator::PadIn(dst, src, p.blockCount, p.blockLen, p.srcStride, p.dstStride, pad.isPad, pad.leftPadding, pad.rightPadding,
                    emulator::PatternOf(pad.paddingValue), false, ASCGRAD_COMPACT, site);
}
ASCGRAD_PAD_TEMPLATE
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& p, const DataCopyPadParams& pad,
                        ASCGRAD_SITE) {
    emulator::PadIn(dst, src, p.blockCount, p.blockLen, p.srcStride, p.dstStride, pad.isPad, pad.leftPadding, pad.rightPadding,
                    pad.paddingValue, true, ASCGRAD_COMPACT, site);
}
ASCGRAD_PAD_TEMPLATE
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& p, ASCGRAD_SITE) {
    emulator::PadOut(dst, src, p.blockCount, p.blockLen, p.srcStride, p.dstStride, false, ASCGRAD_COMPACT, site);
}
ASCGRAD_PAD_TEMPLATE
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p, ASCGRAD_SITE) {
    emulator::PadOut(dst, src, p.blockCount, p.blockLen, p.srcStride, p.dstStride, true, ASCGRAD_COMPACT, site);
}

#if __NPU_ARCH__ == 3510
struct NdDmaConfig {
    static constexpr uint16_t unsetPad = 0xffff;
    bool isNearestValueMode = false;
    uint16_t loopLpSize = unsetPad, loopRpSize = unsetPad;  // of all dimensions, in place of those of each
    bool ascOptimize = false;
};
using MultiCopyConfig = NdDmaConfig;
inline constexpr NdDmaConfig kDefaultNdDmaConfig = {}, kDefaultMultiCopyConfig = {};

template <uint8_t dim>
struct MultiCopyLoopInfo {
    static_assert(dim >= 1 && dim <= 5);
    uint64_t loopSrcStride[dim] = {};
    uint32_t loopDstStride[dim] = {};
    uint32_t loopSize[dim] = {};
    uint8_t loopLpSize[dim] = {};
    uint8_t loopRpSize[dim] = {};
};
template <uint8_t dim>
using NdDmaLoopInfo = MultiCopyLoopInfo<dim>;
template <typename T, uint8_t dim>
struct MultiCopyParams {
    MultiCopyLoopInfo<dim> loopInfo;
    T constantValue;
};
template <typename T, uint8_t dim>
using NdDmaParams = MultiCopyParams<T, dim>;

// What the cache of these copies holds is always fresh here.
inline void NdDmaDci() {}
template <typename T, uint8_t dim, const NdDmaConfig& config = kDefaultNdDmaConfig>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const MultiCopyParams<T, dim>& params, ASCGRAD_SITE) {
    static_assert((config.loopLpSize < 256 || config.loopLpSize == NdDmaConfig::unsetPad) &&
                  (config.loopRpSize < 256 || config.loopRpSize == NdDmaConfig::unsetPad), "paddings of all dimensions have to be below 256");
    emulator::Loop loops[dim];
    const auto& info = params.loopInfo;
    for (int d = 0; d < dim; ++d) {
        loops[d] = {info.loopSrcStride[d], info.loopDstStride[d], info.loopSize[d],
                    config.loopLpSize == NdDmaConfig::unsetPad ? info.loopLpSize[d] : config.loopLpSize,
                    config.loopRpSize == NdDmaConfig::unsetPad ? info.loopRpSize[d] : config.loopRpSize};
    }
    emulator::MoveDimensions(dst, emulator::Address(src), loops, dim, config.isNearestValueMode, emulator::PatternOf(params.constantValue),
                             sizeof(T), site);
}
#endif

template <typename T, TPosition pos = TPosition::MAX>
inline void SetPadValue(T paddingValue) {
    emulator::Current().padValue = emulator::PatternOf(paddingValue);
    emulator::Current().padValueSet = true;
}

#if __NPU_ARCH__ == 3510
inline void SetLoopModePara(const LoopModeParams& loopParams, DataCopyMVType type) {
    emulator::Current().loopMode[int(type)] = loopParams;
    emulator::Current().loopModeSet[int(type)] = true;
}
inline void ResetLoopModePara(DataCopyMVType type) { emulator::Current().loopModeSet[int(type)] = false; }
#endif

template <typename T>
inline void SetAtomicAdd(ASCGRAD_SITE) { emulator::SetAtomic("SetAtomicAdd", true, emulator::Atomic::ADD, emulator::TypeOf<T>(), site); }
template <typename T>
inline void SetAtomicMax(ASCGRAD_SITE) { emulator::SetAtomic("SetAtomicMax", true, emulator::Atomic::MAX, emulator::TypeOf<T>(), site); }
template <typename T>
inline void SetAtomicMin(ASCGRAD_SITE) { emulator::SetAtomic("SetAtomicMin", true, emulator::Atomic::MIN, emulator::TypeOf<T>(), site); }
template <typename T>
inline void SetAtomicType(ASCGRAD_SITE) {
    const emulator::Core& core = emulator::Current();
    emulator::SetAtomic("SetAtomicType", core.atomicAdd, emulator::Atomic(core.atomicOperation), emulator::TypeOf<T>(), site);
}
inline void SetAtomicNone() { emulator::Current().atomicAdd = false; }
inline void DisableDmaAtomic() { emulator::Current().atomicAdd = false; }

// Values are always coherent here; what a kernel forgets to clean is reported, see words.h.
template <typename T, CacheLine entireType, DcciDst dcciDst>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    emulator::DropLines(entireType == CacheLine::ENTIRE_DATA_CACHE ? nullptr : emulator::Address(dst));
}
template <typename T, CacheLine entireType, DcciDst dcciDst>
inline void DataCacheCleanAndInvalid(const LocalTensor<T>&) {}
template <typename T, CacheLine entireType>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    DataCacheCleanAndInvalid<T, entireType, DcciDst::CACHELINE_OUT>(dst);
}
template <typename T>
inline void DataCachePreload(const GlobalTensor<uint64_t>&, const T) {}

// Fills global memory. asc: InitOutput and Fill; `size` counts elements
template <typename T>
inline void AscgradFill(const char* api, GlobalTensor<T> gm, uint64_t size, const T& value, emulator::Site site) {
    emulator::Core& core = emulator::Current();
    uint8_t* address = emulator::Address(gm);
    if (size == 0) {
        return;
    }
    emulator::GlobalSpan span = emulator::CheckGlobal(address, size * sizeof(T), true, api, site);
    if (!span) {
        return;
    }
    for (uint64_t i = 0; core.numbers() && i < size; ++i) {
        std::memcpy(address + i * sizeof(T), &value, sizeof(T));
    }
    if (uint8_t* defined = span.range->Defined(address)) {
        std::memset(defined, 0xFF, size * sizeof(T));
    }
    core.counters.gmWrite += size * sizeof(T);
    core.counters.ubToGm += size * sizeof(T);
    emulator::Instruction instruction{api, PIPE_MTE3, site, size};
    instruction.Touch(emulator::Space::GM, true, uint64_t(uintptr_t(address)), size * sizeof(T));
    core.Issue(instruction);
}
template <typename T>
inline void Fill(GlobalTensor<T> gm, uint64_t size, const T& value, ASCGRAD_SITE) { AscgradFill("Fill", gm, size, value, site); }
template <typename T>
inline void InitOutput(GlobalTensor<T> gm, uint32_t size, T value = 0, ASCGRAD_SITE) { AscgradFill("InitOutput", gm, size, value, site); }

}  // namespace AscendC
