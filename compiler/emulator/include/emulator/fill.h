// Duplicate, Copy, Brcb, GatherMask, Transpose: instructions of the vector pipe that move rather than compute.
#pragma once

#include "emulator/reduce.h"

namespace emulator {

template <class T, class P>
inline void DuplicateCall(const LocalTensor<T>& dst, T value, int64_t blk, int64_t rep, bool countForm, P prepare, Site site) {
    VectorCall call(Api::Duplicate, site);
    call.Lane(dst, "dst", sizeof(T), true, blk, rep);
    if (!call.Type(TypeOf<T>(), countForm) || !prepare(call) || !call.Begin()) {
        return;
    }
    call.Run([&](uint8_t* const at[], uint32_t n) { std::fill_n(reinterpret_cast<T*>(at[0]), n, value); });
    call.Define();
    call.Issue();
}

template <class T, class P>
inline void CopyCall(const LocalTensor<T>& dst, const LocalTensor<T>& src, const AscendC::CopyRepeatParams& p, bool countForm,
                     P prepare, Site site) {
    VectorCall call(Api::Copy, site);
    call.Lane(dst, "dst", sizeof(T), true, p.dstStride, p.dstRepeatSize);
    call.Lane(src, "src", sizeof(T), false, p.srcStride, p.srcRepeatSize);
    call.AllowWideStrides();
    if (!call.Type(TypeOf<T>(), countForm) || !prepare(call) || !call.Begin()) {
        return;
    }
    call.Run([&](uint8_t* const at[], uint32_t n) { std::memmove(at[0], at[1], uint64_t(n) * sizeof(T)); });
    call.Finish(true);
}

// The masked forms. asc: Copy; in counter mode the mask counts the elements of one repeat, and repeatTime holds
template <class T, class M>
inline void CopyMasked(const LocalTensor<T>& dst, const LocalTensor<T>& src, const M& mask, int32_t repeatTime, AscendC::CopyRepeatParams p,
                       bool setMask, Site site) {
    if (p.dstRepeatSize < 0 || p.dstRepeatSize > 4095 || p.srcRepeatSize < 0 || p.srcRepeatSize > 4095) {
        ASCGRAD_REPORT("limit", site, "Copy: dstRepeatSize is %lld and srcRepeatSize %lld, 0 to 4095 is allowed", (long long)p.dstRepeatSize,
                       (long long)p.srcRepeatSize);
    }
    if (!Current().counterMode) {
        CopyCall(dst, src, p, false, [&](VectorCall& c) { return c.Mask(mask, repeatTime, setMask); }, site);
        return;
    }
    const int64_t dstStep = p.dstRepeatSize * int64_t(BLOCK / sizeof(T)), srcStep = p.srcRepeatSize * int64_t(BLOCK / sizeof(T));
    p.dstRepeatSize = p.dstStride * 8;
    p.srcRepeatSize = p.srcStride * 8;
    for (int32_t r = 0; r < repeatTime; ++r) {
        CopyCall(dst[uint32_t(r * dstStep)], src[uint32_t(r * srcStep)], p, false, [&](VectorCall& c) { return c.Mask(mask, 1, setMask); }, site);
    }
}

// Which lanes of a repeat a built-in pattern takes. asc: GatherMask
inline bool InPattern(uint8_t pattern, uint64_t lane) {
    switch (pattern) {
        case 1: return lane % 2 == 0;
        case 2: return lane % 2 == 1;
        case 3: case 4: case 5: case 6: return lane % 4 == uint64_t(pattern - 3);
        default: return true;
    }
}

template <class T, class F>
inline uint64_t GatherCall(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Tensor* pattern, uint64_t patternStride,
                           bool counter, uint64_t mask, const AscendC::GatherMaskParams& p, F takes, Site site) {
    constexpr uint64_t lanes = REPEAT / sizeof(T);
    VectorCall call(Api::GatherMask, site);
    call.Type(TypeOf<T>(), true);
    // asc: in counter mode each repeat covers `mask` elements, otherwise 256 bytes
    const uint64_t perRepeat = counter ? mask : lanes;
    const uint64_t inner = (perRepeat + lanes - 1) / lanes;
    if (p.repeatTimes <= 0 || perRepeat == 0) {
        ASCGRAD_REPORT("count", site, "GatherMask: repeatTimes and mask have to be positive");
        return 0;
    }
    Core& core = Current();
    std::vector<uint64_t> from;
    const uint64_t perBlock = BLOCK / sizeof(T);
    uint64_t extent = 0;
    for (int64_t r = 0; r < p.repeatTimes; ++r) {
        for (uint64_t i = 0; i < perRepeat; ++i) {
            uint64_t at = uint64_t(r) * uint64_t(p.src0RepeatStride) * BLOCK + i / perBlock * uint64_t(p.src0BlockStride) * BLOCK +
                          i % perBlock * sizeof(T);
            extent = std::max(extent, at + sizeof(T));
            if (takes(uint64_t(r), i)) {
                from.push_back(at);
            }
        }
    }
    call.Span(src, "src0", extent, false);
    call.Span(dst, "dst", from.size() * sizeof(T), true);
    if (pattern != nullptr) {
        call.Span(*pattern, "src1Pattern", (uint64_t(p.repeatTimes) - 1) * patternStride + (inner * lanes + 7) / 8, false);
    }
    if (!call.Begin()) {
        return 0;
    }
    if (pattern != nullptr && core.launch.check && !core.ub->Clean(pattern->address, (perRepeat + 7) / 8)) {
        ASCGRAD_REPORT("poison", site, "GatherMask: src1Pattern holds bits that are not defined%s", Whose(*pattern).c_str());
    }
    std::vector<uint8_t> data(from.size() * sizeof(T)), shadow(data.size());
    for (size_t k = 0; k < from.size(); ++k) {
        std::memcpy(&data[k * sizeof(T)], core.ub->data + src.address + from[k], sizeof(T));
        std::memcpy(&shadow[k * sizeof(T)], core.ub->shadow + src.address + from[k], sizeof(T));
    }
    std::memcpy(core.ub->data + dst.address, data.data(), data.size());
    if (core.ub->track()) {
        std::memcpy(core.ub->shadow + dst.address, shadow.data(), shadow.size());
        core.ub->MarkDirty(dst.address, shadow.size());
    }
    call.Issue();
    return from.size();
}

}  // namespace emulator

namespace AscendC {

template <typename T, bool isSetMask = true>
inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask, const int32_t repeatTime,
                      const int32_t dstBlockStride, const int32_t dstRepeatStride, ASCGRAD_SITE) {
    emulator::DuplicateCall(dst, scalarValue, dstBlockStride, dstRepeatStride, false,
                            [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T, bool isSetMask = true>
inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const uint64_t mask[], const int32_t repeatTime,
                      const int32_t dstBlockStride, const int32_t dstRepeatStride, ASCGRAD_SITE) {
    emulator::DuplicateCall(dst, scalarValue, dstBlockStride, dstRepeatStride, false,
                            [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T>
inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const int32_t& count, ASCGRAD_SITE) {
    emulator::DuplicateCall(dst, scalarValue, 1, 8, true, [&](emulator::VectorCall& c) { return c.Count(count); }, site);
}
// 3510 alone: the first element of src fills dst.
template <typename T>
inline void Duplicate(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count, ASCGRAD_SITE) {
    if (__NPU_ARCH__ != 3510) {
        ASCGRAD_REPORT("api", site, "Duplicate of a tensor's element does not exist on this product");
    }
    T value = src.GetValue(0, site);
    emulator::DuplicateCall(dst, value, 1, 8, true, [&](emulator::VectorCall& c) { return c.Count(count); }, site);
}

template <typename T, bool isSetMask = true>
inline void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], const int32_t repeatTime,
                 const CopyRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::CopyMasked(dst, src, mask, repeatTime, repeatParams, isSetMask, site);
}
template <typename T, bool isSetMask = true>
inline void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask, const int32_t repeatTime,
                 const CopyRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::CopyMasked(dst, src, mask, repeatTime, repeatParams, isSetMask, site);
}
// 3510 alone.
template <typename T, bool isSetMask = true>
inline void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, ASCGRAD_SITE) {
    if (__NPU_ARCH__ != 3510) {
        ASCGRAD_REPORT("api", site, "Copy with a count does not exist on this product");
    }
    emulator::CopyCall(dst, src, {}, true, [&](emulator::VectorCall& c) { return c.Count(count); }, site);
}

// firstValue, firstValue + 1, ...
template <typename T>
inline void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint32_t count, ASCGRAD_SITE) {
    emulator::VectorCall call(emulator::Api::CreateVecIndex, site);
    call.Lane(dst, "dst", sizeof(T), true);
    if (!call.Type(emulator::TypeOf<T>(), true) || !call.Count(count) || !call.Begin()) {
        return;
    }
    const auto first = emulator::Lane<T>::Load(firstValue);
    call.Run([&](uint8_t* const at[], uint32_t n) {
        for (uint32_t i = 0; i < n; ++i) {
            reinterpret_cast<T*>(at[0])[i] = emulator::Lane<T>::Store(decltype(first)(first + decltype(first)(i)));
        }
    });
    call.Define();
    call.Issue();
}

// With a mask: element k of repeat r is firstValue + k + r times the elements of a repeat, where the mask takes it.
template <typename T, class M>
inline void AscgradIndexMasked(const LocalTensor<T>& dst, const T& firstValue, const M& mask, int32_t repeatTime, int64_t blk, int64_t rep,
                               emulator::Site site) {
    emulator::VectorCall call(emulator::Api::CreateVecIndex, site);
    call.Lane(dst, "dst", sizeof(T), true, blk, rep);
    if (!call.Type(emulator::TypeOf<T>(), false) || !call.Mask(mask, repeatTime, true) || !call.Begin()) {
        return;
    }
    const auto first = emulator::Lane<T>::Load(firstValue);
    const uint64_t perRepeat = call.PerRepeat();
    uint8_t* data = call.core().ub->data;
    call.Walk([&](const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t lane) {
        for (uint32_t i = 0; i < n; ++i) {
            reinterpret_cast<T*>(data + address[0])[i] =
                emulator::Lane<T>::Store(decltype(first)(first + decltype(first)(repeat * perRepeat + lane + i)));
        }
    });
    call.Define();
    call.Issue();
}
template <typename T>
inline void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, const uint64_t mask[], int32_t repeatTime, int64_t dstBlkStride,
                           int64_t dstRepStride, ASCGRAD_SITE) {
    AscgradIndexMasked(dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride, site);
}
template <typename T>
inline void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask, int32_t repeatTime, int64_t dstBlkStride,
                           int64_t dstRepStride, ASCGRAD_SITE) {
    AscgradIndexMasked(dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride, site);
}

// Eight elements of src fill a data block each, per repeat.
template <typename T>
inline void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const BrcbRepeatParams& repeatParams,
                 ASCGRAD_SITE) {
    using namespace emulator;
    VectorCall call(emulator::Api::Brcb, site);
    call.Type(TypeOf<T>(), true);
    Core& core = call.core();
    if (repeatTime <= 0 || repeatTime > core.launch.product.repeat) {
        if (repeatTime != 0 || !core.launch.product.zeroCountIsNop) {
            ASCGRAD_REPORT(repeatTime == 0 ? "count" : "limit", site, "Brcb: repeatTime is %d, 1 to %lld is allowed", repeatTime,
                           (long long)core.launch.product.repeat);
        }
        return;
    }
    if (repeatParams.dstBlkStride == 0) {
        ASCGRAD_REPORT("limit", site, "Brcb: dstBlkStride is 0");
    }
    const uint64_t repeats = uint64_t(repeatTime);
    const uint64_t blk = uint64_t(repeatParams.dstBlkStride) * BLOCK, rep = uint64_t(repeatParams.dstRepStride) * BLOCK;
    call.Span(src, "src", repeats * 8 * sizeof(T), false);
    call.Span(dst, "dst", (repeats - 1) * rep + 7 * blk + BLOCK, true);
    if (!call.Begin()) {
        return;
    }
    if (dst.address < src.address + repeats * 8 * sizeof(T) && src.address < dst.address + (repeats - 1) * rep + 7 * blk + BLOCK) {
        ASCGRAD_REPORT("overlap", site, "Brcb: dst overlaps src");
    }
    std::vector<uint8_t> data(repeats * 8 * sizeof(T)), shadow(data.size());
    std::memcpy(data.data(), core.ub->data + src.address, data.size());
    std::memcpy(shadow.data(), core.ub->shadow + src.address, data.size());
    for (uint64_t k = 0; k < repeats * 8; ++k) {
        uint64_t at = dst.address + k / 8 * rep + k % 8 * blk;
        for (uint64_t e = 0; e < BLOCK; e += sizeof(T)) {
            std::memcpy(core.ub->data + at + e, &data[k * sizeof(T)], sizeof(T));
            if (core.ub->track()) {
                std::memcpy(core.ub->shadow + at + e, &shadow[k * sizeof(T)], sizeof(T));
            }
        }
        core.ub->MarkDirty(at, BLOCK);
    }
    call.Issue();
}

template <typename T, typename U, GatherMaskMode mode = GatherMaskMode::VERSION_V2>
inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern, const bool reduceMode,
                       const uint32_t mask, const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt, ASCGRAD_SITE) {
    emulator::Core& core = emulator::Current();
    const uint64_t stride = uint64_t(gatherMaskParams.src1RepeatStride) * emulator::BLOCK;
    const uint8_t* bits = core.ub->data + src1Pattern.address;
    const uint64_t limit = emulator::TensorBytes(src1Pattern);
    rsvdCnt = emulator::GatherCall(dst, src0, &src1Pattern, stride, reduceMode, mask, gatherMaskParams,
                                   [&](uint64_t repeat, uint64_t lane) {
        uint64_t byte = repeat * stride + lane / 8;
        return byte < limit && (bits[byte] >> (lane % 8) & 1);
    }, site);
}
template <typename T, GatherMaskMode mode = GatherMaskMode::VERSION_V2>
inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern, const bool reduceMode,
                       const uint32_t mask, const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt, ASCGRAD_SITE) {
    if (src1Pattern < 1 || src1Pattern > 7) {
        ASCGRAD_REPORT("limit", site, "GatherMask: src1Pattern is %u, 1 to 7 is allowed", src1Pattern);
    }
    rsvdCnt = emulator::GatherCall(dst, src0, nullptr, 0, reduceMode, mask, gatherMaskParams,
                                   [&](uint64_t, uint64_t lane) { return emulator::InPattern(src1Pattern, lane); }, site);
}

// A 16 x 16 matrix of 16-bit elements.
template <typename T>
inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, ASCGRAD_SITE) {
    using namespace emulator;
    static_assert(sizeof(T) == 2);
    VectorCall call(emulator::Api::Transpose, site);
    call.Span(src, "src", 512, false);
    call.Span(dst, "dst", 512, true);
    if (!call.Type(TypeOf<T>(), false) || !call.Begin()) {
        return;
    }
    UnifiedBuffer& ub = *call.core().ub;
    uint16_t data[256], shadow[256];
    std::memcpy(data, ub.data + src.address, 512);
    std::memcpy(shadow, ub.shadow + src.address, 512);
    for (int i = 0; i < 256; ++i) {
        std::memcpy(ub.data + dst.address + i * 2, &data[i % 16 * 16 + i / 16], 2);
        if (ub.track()) {
            std::memcpy(ub.shadow + dst.address + i * 2, &shadow[i % 16 * 16 + i / 16], 2);
        }
    }
    ub.MarkDirty(dst.address, 512);
    call.Issue();
}

enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE, TRANSPOSE_NZ2ND_0213, TRANSPOSE_NZ2NZ_0213, TRANSPOSE_NZ2NZ_012_WITH_N, TRANSPOSE_NZ2ND_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITHOUT_N, TRANSPOSE_NZ2NZ_012_WITHOUT_N, TRANSPOSE_ND2ND_ONLY, TRANSPOSE_ND_UB_GM, TRANSPOSE_GRAD_ND_UB_GM,
    TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC, TRANSPOSE_NHWC2NCHW,
};
struct TransposeParamsExt {
    TransposeParamsExt() = default;
    TransposeParamsExt(int64_t n, int64_t c, int64_t h, int64_t w, TransposeType type)
        : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}
    int64_t nSize = 0, cSize = 0, hSize = 0, wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

// asc: Transpose, enhanced; 16 x 16 as above, or [N, C, H * W] and [N, H * W, C] into each other
template <typename T>
inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const TransposeParamsExt& transposeParams, ASCGRAD_SITE) {
    using namespace emulator;
    const TransposeParamsExt& p = transposeParams;
    const bool toLast = p.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC;
    if (p.transposeType == TransposeType::TRANSPOSE_ND2ND_B16) {
        if (p.hSize != 16 || p.wSize != 16) {
            ASCGRAD_REPORT("limit", site, "Transpose: hSize and wSize are %lld and %lld, TRANSPOSE_ND2ND_B16 wants 16", (long long)p.hSize,
                           (long long)p.wSize);
        }
        if constexpr (sizeof(T) == 2) {
            if (__NPU_ARCH__ == 2201 && TypeOf<T>() != DType::U16) {
                ASCGRAD_REPORT("api", site, "Transpose: TRANSPOSE_ND2ND_B16 takes uint16_t alone on this product");
            }
            Transpose(dst, src, site);
        } else {
            ASCGRAD_REPORT("api", site, "Transpose: TRANSPOSE_ND2ND_B16 does not take %s", Name(TypeOf<T>()));
        }
        return;
    }
    if (!toLast && p.transposeType != TransposeType::TRANSPOSE_NHWC2NCHW) {
        if (p.transposeType != TransposeType::TRANSPOSE_TYPE_NONE) {
            ASCGRAD_REPORT("api", site, "Transpose: transposeType %d is not supported on this product", int(p.transposeType));
        }
        return;
    }
    const uint64_t plane = uint64_t(p.hSize * p.wSize), n = uint64_t(p.nSize), c = uint64_t(p.cSize);
    if (n > 65535 || c > 4095 || plane > 4095 || plane * sizeof(T) % BLOCK != 0) {
        ASCGRAD_REPORT("limit", site, "Transpose: nSize %llu, cSize %llu, hSize * wSize %llu: at most 65535, 4095 and 4095 are allowed, the last "
                       "times %zu bytes a multiple of 32", (unsigned long long)n, (unsigned long long)c, (unsigned long long)plane, sizeof(T));
    }
    if (n * c * plane == 0) {
        return;
    }
    const uint64_t bytes = n * c * plane * sizeof(T), tile = (sizeof(T) == 1 ? 32 : 16) * BLOCK;
    VectorCall call("Transpose", site);
    call.Span(src, "src", bytes, false);
    call.Span(dst, "dst", bytes, true);
    call.Span(sharedTmpBuffer, "sharedTmpBuffer", (toLast ? c + 2 : c * 2 + 1) * tile, true);
    if (!(types::Bit(TypeOf<T>()) & (types::B8 | (__NPU_ARCH__ == 2201 ? types::MOVED & ~types::BF16 : types::MOVED)))) {
        ASCGRAD_REPORT("api", site, "Transpose: between NCHW and NHWC it does not take %s on this product", Name(TypeOf<T>()));
    }
    if (!call.Begin()) {
        return;
    }
    if (dst.address < src.address + bytes && src.address < dst.address + bytes) {
        ASCGRAD_REPORT("overlap", site, "Transpose: dst overlaps src");
    }
    UnifiedBuffer& ub = *call.core().ub;
    const std::vector<uint8_t> data(ub.data + src.address, ub.data + src.address + bytes);
    const std::vector<uint8_t> shadow(ub.shadow + src.address, ub.shadow + src.address + bytes);
    const uint64_t rows = toLast ? c : plane, columns = toLast ? plane : c;
    for (uint64_t i = 0; i < n * c * plane; ++i) {
        const uint64_t image = i / (c * plane), at = i % (c * plane);
        const uint64_t from = (image * c * plane + at % rows * columns + at / rows) * sizeof(T), to = dst.address + i * sizeof(T);
        std::memcpy(ub.data + to, &data[from], sizeof(T));
        if (ub.track()) {
            std::memcpy(ub.shadow + to, &shadow[from], sizeof(T));
        }
    }
    ub.MarkDirty(dst.address, bytes);
    ub.Poison(sharedTmpBuffer.address, (toLast ? c + 2 : c * 2 + 1) * tile);
    call.Issue();
}

}  // namespace AscendC
