// Gather, Gatherb, Scatter and TransDataTo5HD: elements and data blocks that go where an offset or an address says.
#pragma once

#include "emulator/fill.h"

namespace emulator {

// Bytes of the unified buffer with their shadow, taken out before others are written: sources may lie under results.
class Picked {
public:
    Picked(const UnifiedBuffer& ub, size_t count, uint32_t bytes) : ub_(ub), bytes_(bytes), data_(count * bytes), shadow_(count * bytes) {}
    void Take(size_t i, uint64_t address);
    void Put(UnifiedBuffer& ub, size_t i, uint64_t address) const;

private:
    const UnifiedBuffer& ub_;
    const uint32_t bytes_;
    std::vector<uint8_t> data_, shadow_;
};

// Offsets in bytes, `count` of them, each to `bytes` aligned bytes of `target`. Empty, with a finding, when they cannot be used.
std::vector<uint64_t> TakeOffsets(VectorCall& call, const Tensor& offsets, uint64_t count, const Tensor& target,
                                  uint64_t base, uint32_t bytes, uint64_t most);

// asc: Gather, Scatter; 950 limits offsets of 8-bit and 16-bit elements
template <class T>
constexpr uint64_t MostOffset() { return __NPU_ARCH__ != 3510 || sizeof(T) >= 4 ? 0xFFFFFFFFull : sizeof(T) == 2 ? 0x1FFFFull : 0xFFFFull; }

// Both ways: `packed` has an element for each lane, `spread` is reached through offsets.
template <class T, class P>
inline void Offsets(Api api, const LocalTensor<T>& packed, const LocalTensor<T>& spread, const Tensor& offsets, uint64_t base, int64_t rep,
                    bool countForm, P prepare, Site site) {
    const bool gather = api == Api::Gather;
    VectorCall call(api, site);
    call.Lane(packed, gather ? "dst" : "src", sizeof(T), gather, 1, rep);
    if (gather) {
        call.AllowWideStrides();  // asc: dstRepStride of Gather is 16 bits wide
    }
    if (!call.Type(TypeOf<T>(), countForm) || !prepare(call)) {
        return;
    }
    // The offset of a lane lies at the lane's place among all lanes of all repeats.
    const uint64_t perRepeat = call.PerRepeat();
    uint64_t count = 0;
    call.Walk([&](const uint64_t*, uint32_t n, uint32_t repeat, uint32_t lane) { count = std::max(count, repeat * perRepeat + lane + n); });
    const std::vector<uint64_t> list = TakeOffsets(call, offsets, count, spread, base, sizeof(T), MostOffset<T>());
    if (list.empty()) {
        return;
    }
    uint64_t low = ~0ull, high = 0;
    call.Walk([&](const uint64_t*, uint32_t n, uint32_t repeat, uint32_t lane) {
        for (uint64_t i = repeat * perRepeat + lane; i < repeat * perRepeat + lane + n; ++i) {
            low = std::min(low, list[i]);
            high = std::max(high, list[i] + sizeof(T));
        }
    });
    Tensor touched = spread;
    touched.address = low / BLOCK * BLOCK;
    touched.bytes = high - touched.address;
    call.Span(touched, gather ? "src" : "dst", high - touched.address, !gather);
    call.Span(offsets, gather ? "srcOffset" : "dstOffset", count * 4, false);
    if (!call.Begin()) {
        return;
    }
    UnifiedBuffer& ub = *call.core().ub;
    Picked picked(ub, count, sizeof(T));
    auto each = [&](auto f) {
        call.Walk([&](const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t lane) {
            for (uint64_t i = 0; i < n; ++i) {
                const uint64_t k = repeat * perRepeat + lane + i;
                f(k, address[0] + i * sizeof(T));
            }
        });
    };
    each([&](uint64_t k, uint64_t at) { picked.Take(k, gather ? list[k] : at); });
    each([&](uint64_t k, uint64_t at) { picked.Put(ub, k, gather ? at : list[k]); });
    call.Issue();
}

// The address in the unified buffer behind what GetPhyAddr gave.
bool LocalAddress(const char* api, uint64_t pointer, uint64_t& address, Site site);

// The `bytes` around the lowest and the highest of some addresses, as one operand.
Tensor Around(const uint64_t* address, uint64_t bytes);

// asc: TransDataTo5HD. 16 data blocks of a repeat are the rows of a matrix; its columns become data blocks: one each for
// 16-bit elements, two each for 32-bit ones, and half a data block each for one half of the 8-bit ones.
template <class T, class P>
inline void TransposeBlocks(const uint64_t* dstList, const uint64_t* srcList, const P& p, Site site) {
    constexpr uint32_t columns = sizeof(T) == 1 ? 16 : BLOCK / sizeof(T);
    VectorCall call(Api::TransDataTo5HD, site);
    Core& core = call.core();
    call.Type(TypeOf<T>(), true);
    if (p.repeatTimes < 0 || p.repeatTimes > core.launch.product.repeat) {
        ASCGRAD_REPORT("limit", site, "TransDataTo5HD: repeatTimes is %lld, 0 to %lld is allowed", (long long)p.repeatTimes,
                       (long long)core.launch.product.repeat);
        return;
    }
    if (p.repeatTimes == 0) {
        return;
    }
    uint64_t dst[16], src[16];
    // asc: with one repeat the strides shift the start
    const uint64_t first = p.repeatTimes == 1 ? 1 : 0;
    for (int i = 0; i < 16; ++i) {
        if (!LocalAddress("TransDataTo5HD", dstList[i], dst[i], site) || !LocalAddress("TransDataTo5HD", srcList[i], src[i], site)) {
            return;
        }
        dst[i] += first * uint64_t(p.dstRepStride) * BLOCK;
        src[i] += first * uint64_t(p.srcRepStride) * BLOCK;
    }
    const uint64_t repeats = uint64_t(p.repeatTimes);
    const Tensor to = Around(dst, (repeats - 1) * uint64_t(p.dstRepStride) * BLOCK + BLOCK);
    const Tensor from = Around(src, (repeats - 1) * uint64_t(p.srcRepStride) * BLOCK + BLOCK);
    call.Span(to, "dstList", to.bytes, true);
    call.Span(from, "srcList", from.bytes, false);
    call.AllowInPlaceSpan();
    if (!call.Begin()) {
        return;
    }
    UnifiedBuffer& ub = *core.ub;
    for (uint64_t r = 0; r < repeats; ++r) {
        Picked picked(ub, 16 * columns, sizeof(T));
        const uint64_t half = sizeof(T) == 1 && p.srcHighHalf ? BLOCK / 2 : 0;
        for (uint32_t row = 0; row < 16; ++row) {
            for (uint32_t column = 0; column < columns; ++column) {
                picked.Take(column * 16 + row, src[row] + r * uint64_t(p.srcRepStride) * BLOCK + half + column * sizeof(T));
            }
        }
        const uint32_t perBlock = sizeof(T) == 1 ? 16 : BLOCK / sizeof(T);
        const uint64_t into = sizeof(T) == 1 && p.dstHighHalf ? BLOCK / 2 : 0;
        for (uint32_t i = 0; i < 16 * columns; ++i) {
            picked.Put(ub, i, dst[i / perBlock] + r * uint64_t(p.dstRepStride) * BLOCK + into + i % perBlock * sizeof(T));
        }
    }
    call.Issue();
}

}  // namespace emulator

namespace AscendC {

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

struct GatherRepeatParams {
    GatherRepeatParams() = default;
    GatherRepeatParams(int64_t dstBlk, int64_t dstRep) : dstBlkStride(dstBlk), dstRepStride(dstRep) {}
    int64_t dstBlkStride = 1, dstRepStride = 8;
};

struct TransDataTo5HDParams {
    TransDataTo5HDParams() = default;
    TransDataTo5HDParams(bool dstHigh, bool srcHigh, int64_t repeats, int64_t dstRep, int64_t srcRep)
        : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeats), dstRepStride(dstRep), srcRepStride(srcRep) {}
    bool dstHighHalf = false, srcHighHalf = false;
    int64_t repeatTimes = 1, dstRepStride = 0, srcRepStride = 0;
};

template <typename T>
inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                   const uint32_t count, ASCGRAD_SITE) {
    emulator::Offsets(emulator::Api::Gather, dst, src, srcOffset, srcBaseAddr, 8, true,
                      [&](emulator::VectorCall& c) { return c.Count(count); }, site);
}
template <typename T>
inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                   const uint64_t mask[], const int32_t repeatTime, const int32_t dstRepStride, ASCGRAD_SITE) {
    emulator::Offsets(emulator::Api::Gather, dst, src, srcOffset, srcBaseAddr, dstRepStride, false,
                      [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, true); }, site);
}
template <typename T>
inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                   const uint64_t mask, const int32_t repeatTime, const int32_t dstRepStride, ASCGRAD_SITE) {
    emulator::Offsets(emulator::Api::Gather, dst, src, srcOffset, srcBaseAddr, dstRepStride, false,
                      [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, true); }, site);
}

// Eight data blocks a repeat.
template <typename T>
inline void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offset, const int32_t repeatTime,
                    const GatherRepeatParams& repeatParams, ASCGRAD_SITE) {
    using namespace emulator;
    VectorCall call(Api::Gatherb, site);
    call.Type(TypeOf<T>(), true);
    Core& core = call.core();
    if (repeatTime < 0 || repeatTime > core.launch.product.repeat) {
        ASCGRAD_REPORT("limit", site, "Gatherb: repeatTime is %d, 0 to %lld is allowed", repeatTime, (long long)core.launch.product.repeat);
        return;
    }
    if (repeatTime == 0) {
        if (!core.launch.product.zeroCountIsNop) {
            ASCGRAD_REPORT("count", site, "Gatherb: repeatTime is 0, which is not guaranteed to do nothing on this product");
        }
        return;
    }
    // asc: Gatherb; a stride of 0 stands for 1
    const uint64_t blk = std::max<uint64_t>(uint64_t(repeatParams.dstBlkStride), 1) * BLOCK, rep = uint64_t(repeatParams.dstRepStride) * BLOCK;
    const uint64_t count = uint64_t(repeatTime) * 8;
    const std::vector<uint64_t> list = TakeOffsets(call, offset, count, src, 0, BLOCK, 0xFFFFFFFFull);
    if (list.empty()) {
        return;
    }
    Tensor touched = src;
    touched.address = *std::min_element(list.begin(), list.end());
    touched.bytes = *std::max_element(list.begin(), list.end()) + BLOCK - touched.address;
    call.Span(touched, "src", touched.bytes, false);
    call.Span(dst, "dst", (count / 8 - 1) * rep + 7 * blk + BLOCK, true);
    call.Span(offset, "offset", count * 4, false);
    if (!call.Begin()) {
        return;
    }
    if (dst.address < touched.address + touched.bytes && touched.address < dst.address + (count / 8 - 1) * rep + 7 * blk + BLOCK) {
        ASCGRAD_REPORT("overlap", site, "Gatherb: dst overlaps src");
    }
    Picked picked(*core.ub, count, BLOCK);
    for (uint64_t k = 0; k < count; ++k) {
        picked.Take(k, list[k]);
    }
    for (uint64_t k = 0; k < count; ++k) {
        picked.Put(*core.ub, k, dst.address + k / 8 * rep + k % 8 * blk);
    }
    call.Issue();
}

// 950 alone.
template <typename T>
inline void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
                    const uint32_t count, ASCGRAD_SITE) {
    emulator::Offsets(emulator::Api::Scatter, src, dst, dstOffset, dstBaseAddr, 8, true,
                      [&](emulator::VectorCall& c) { return c.Count(count); }, site);
}
template <typename T>
inline void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
                    const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, ASCGRAD_SITE) {
    emulator::Offsets(emulator::Api::Scatter, src, dst, dstOffset, dstBaseAddr, srcRepStride, false,
                      [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, true); }, site);
}
template <typename T>
inline void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
                    const uint64_t mask, const int32_t repeatTime, const int32_t srcRepStride, ASCGRAD_SITE) {
    emulator::Offsets(emulator::Api::Scatter, src, dst, dstOffset, dstBaseAddr, srcRepStride, false,
                      [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, true); }, site);
}

template <typename T>
inline void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                           const TransDataTo5HDParams& nchwconvParams, ASCGRAD_SITE) {
    emulator::TransposeBlocks<T>(dstList, srcList, nchwconvParams, site);
}
template <typename T>
inline void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE], const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                           const TransDataTo5HDParams& nchwconvParams, ASCGRAD_SITE) {
    uint64_t dst[16], src[16];
    for (int i = 0; i < 16; ++i) {
        dst[i] = dstList[i].GetPhyAddr();
        src[i] = srcList[i].GetPhyAddr();
    }
    emulator::TransposeBlocks<T>(dst, src, nchwconvParams, site);
}
template <typename T>
inline void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src, const TransDataTo5HDParams& nchwconvParams,
                           ASCGRAD_SITE) {
    uint64_t to[16], from[16];
    for (int i = 0; i < 16; ++i) {
        to[i] = dst.GetValue(i, site);
        from[i] = src.GetValue(i, site);
    }
    emulator::TransposeBlocks<T>(to, from, nchwconvParams, site);
}

// 950 alone: the lanes of two vectors in turn, and back. asc: Interleave, DeInterleave
template <typename T>
inline void AscgradWeave(emulator::Api api, const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src0, const emulator::Tensor* src1,
                         int32_t count, emulator::Site site) {
    using namespace emulator;
    VectorCall call(api, site);
    call.Type(TypeOf<T>(), true);
    if (count <= 0 || count % 2 != 0) {
        ASCGRAD_REPORT("count", site, "%s: count is %d, it has to be even and positive", call.name(), count);
        return;
    }
    // One source is as long as two.
    const uint64_t n = src1 != nullptr ? uint64_t(count) : uint64_t(count) / 2, bytes = n * sizeof(T);
    call.Lane(dst0, "dst0", sizeof(T), true);
    call.Lane(dst1, "dst1", sizeof(T), true);
    call.Span(src0, "src0", src1 != nullptr ? bytes : 2 * bytes, false);
    if (src1 != nullptr) {
        call.Span(*src1, "src1", bytes, false);
    }
    if (!call.Count(int64_t(n)) || !call.Begin()) {
        return;
    }
    UnifiedBuffer& ub = *call.core().ub;
    Picked picked(ub, 2 * n, sizeof(T));
    for (uint64_t i = 0; i < n; ++i) {
        picked.Take(i, src0.address + i * sizeof(T));
        picked.Take(n + i, src1 != nullptr ? src1->address + i * sizeof(T) : src0.address + (n + i) * sizeof(T));
    }
    for (uint64_t i = 0; i < 2 * n; ++i) {
        // Place i of both results, one behind the other.
        const uint64_t from = api == Api::Interleave ? i / 2 + i % 2 * n : i < n ? 2 * i : 2 * (i - n) + 1;
        picked.Put(ub, from, (i < n ? dst0.address : dst1.address) + i % n * sizeof(T));
    }
    call.Issue();
}
template <typename T>
inline void Interleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                       const int32_t count, ASCGRAD_SITE) {
    AscgradWeave(emulator::Api::Interleave, dst0, dst1, src0, &src1, count, site);
}
template <typename T>
inline void DeInterleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                         const int32_t count, ASCGRAD_SITE) {
    AscgradWeave(emulator::Api::DeInterleave, dst0, dst1, src0, &src1, count, site);
}
template <typename T>
inline void DeInterleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src, const int32_t srcCount, ASCGRAD_SITE) {
    AscgradWeave(emulator::Api::DeInterleave, dst0, dst1, src, nullptr, srcCount, site);
}

}  // namespace AscendC
