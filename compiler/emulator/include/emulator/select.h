// Compare and Select. A mask has one bit per lane, lowest bit first; its shadow is kept bit by bit.
#pragma once

#include "emulator/convert.h"

namespace emulator {

using AscendC::CMPMODE;
using AscendC::SELMODE;

template <CMPMODE mode, class C>
inline bool Holds(C a, C b) {
    if constexpr (mode == CMPMODE::LT) return a < b;
    else if constexpr (mode == CMPMODE::GT) return a > b;
    else if constexpr (mode == CMPMODE::EQ) return a == b;
    else if constexpr (mode == CMPMODE::LE) return a <= b;
    else if constexpr (mode == CMPMODE::GE) return a >= b;
    else return a != b;
}

// Eight 0/1 bytes to one byte of bits.
inline uint8_t PackByte(const uint8_t* flags) {
    uint64_t w;
    std::memcpy(&w, flags, 8);
    return uint8_t((w * 0x0102040810204080ull) >> 56);
}

// A byte of bits to eight 0/1 bytes, for each byte that `n` bits need.
inline void UnpackBits(const uint8_t* bits, uint32_t n, uint8_t* flags) {
    for (uint32_t i = 0; i < n; i += 8) {
        uint64_t spread = bits[i / 8] * 0x0101010101010101ull & 0x8040201008040201ull;
        spread = (spread + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull;
        std::memcpy(flags + i, &spread, 8);
    }
}

template <CMPMODE mode, class T, bool scalar>
inline void CompareLanes(uint8_t* bits, const T* a, const T* b, ComputeOf<T> s, uint32_t n) {
    uint8_t flags[256];
    for (uint32_t first = 0; first < n; first += 256) {
        uint32_t lanes = std::min(n - first, 256u);
        for (uint32_t i = 0; i < lanes; ++i) {
            ComputeOf<T> right;
            if constexpr (scalar) right = s; else right = Lane<T>::Load(b[first + i]);
            flags[i] = Holds<mode>(Lane<T>::Load(a[first + i]), right);
        }
        for (uint32_t i = lanes; i % 8 != 0; ++i) {
            flags[i] = 0;
        }
        for (uint32_t i = 0; i < lanes; i += 8) {
            bits[(first + i) / 8] = PackByte(flags + i);
        }
    }
}

template <class T, bool scalar>
inline void CompareBy(CMPMODE mode, uint8_t* bits, const T* a, const T* b, ComputeOf<T> s, uint32_t n) {
    switch (mode) {
        case CMPMODE::LT: return CompareLanes<CMPMODE::LT, T, scalar>(bits, a, b, s, n);
        case CMPMODE::GT: return CompareLanes<CMPMODE::GT, T, scalar>(bits, a, b, s, n);
        case CMPMODE::EQ: return CompareLanes<CMPMODE::EQ, T, scalar>(bits, a, b, s, n);
        case CMPMODE::LE: return CompareLanes<CMPMODE::LE, T, scalar>(bits, a, b, s, n);
        case CMPMODE::GE: return CompareLanes<CMPMODE::GE, T, scalar>(bits, a, b, s, n);
        default: return CompareLanes<CMPMODE::NE, T, scalar>(bits, a, b, s, n);
    }
}

void SetBits(uint8_t* bits, uint64_t first, uint32_t n, bool value);

// The shadow of mask bits: bit i is poisoned if lane i of a source is. Bits sit at `bitsAt`, `perRepeat` to a repeat.
void CompareShadow(VectorCall& call, uint64_t bitsAt, uint64_t bytes, int sources);

template <class T>
inline void CheckCompareTypes(VectorCall& call, CMPMODE mode) {
    const DType t = TypeOf<T>();
    if ((__NPU_ARCH__ == 2201 && t == DType::I32) || t == DType::F64) {
        if (mode != CMPMODE::EQ) {
            ASCGRAD_REPORT("api", call.site(), "%s takes %s only with CMPMODE::EQ on this product", call.name(), Name(t));
        }
    }
}

// Count form: src1 is null for a scalar.
template <class T>
inline void CompareCount(Called api, const Tensor& dst, const Tensor& src0, const Tensor* src1, ComputeOf<T> s, CMPMODE mode,
                         int64_t count, Site site) {
    VectorCall call(api, site);
    CheckCompareTypes<T>(call, mode);
    if (!call.Type(TypeOf<T>(), true)) {
        return;
    }
    const int64_t step = call.core().launch.product.compareAlignment;
    if (count * int64_t(sizeof(T)) % step != 0) {
        ASCGRAD_REPORT("alignment", site, "%s: count %lld of %s is %lld bytes, which is no multiple of %lld: the rest is not compared",
                       call.name(), (long long)count, Name(TypeOf<T>()), (long long)(count * int64_t(sizeof(T))), (long long)step);
        count = count * int64_t(sizeof(T)) / step * step / int64_t(sizeof(T));
        if (count == 0) {
            return;
        }
    }
    call.Lane(src0, "src0", sizeof(T), false);
    if (src1 != nullptr) {
        call.Lane(*src1, "src1", sizeof(T), false);
    }
    if (!call.Count(count)) {
        return;
    }
    const uint64_t bytes = (uint64_t(count) + 7) / 8;
    call.Span(dst, "dst", bytes, true);
    if (!call.Begin()) {
        return;
    }
    uint8_t* bits = call.core().ub->data + dst.address;
    call.Run([&](uint8_t* const at[], uint32_t n) {
        const T* a = reinterpret_cast<const T*>(at[0]);
        if (src1 != nullptr) {
            CompareBy<T, false>(mode, bits, a, reinterpret_cast<const T*>(at[1]), s, n);
        } else {
            CompareBy<T, true>(mode, bits, a, nullptr, s, n);
        }
    });
    CompareShadow(call, dst.address, bytes, src1 != nullptr ? 2 : 1);
    call.Issue();
}

// Mask form: the bits of the repeats follow one another.
template <class T, class M>
inline void CompareMask(Called api, const Tensor& dst, const Tensor& src0, const Tensor* src1, ComputeOf<T> s, CMPMODE mode, M mask,
                        int64_t repeat, const BinaryRepeatParams& p, bool setMask, Site site) {
    VectorCall call(api, site);
    CheckCompareTypes<T>(call, mode);
    call.Lane(src0, "src0", sizeof(T), false, p.src0BlkStride, p.src0RepStride);
    if (src1 != nullptr) {
        call.Lane(*src1, "src1", sizeof(T), false, p.src1BlkStride, p.src1RepStride);
    }
    const uint64_t perRepeat = REPEAT / sizeof(T);
    // asc: Compare page; 2201 ignores the mask of this form
    bool some = __NPU_ARCH__ == 2201 && !call.core().counterMode ? call.Mask(perRepeat, repeat, true)
                                                                 : call.Mask(mask, repeat, setMask);
    if (!call.Type(TypeOf<T>(), false) || !some) {
        return;
    }
    const uint64_t bytes = call.repeat() * perRepeat / 8;
    call.Span(dst, "dst", bytes, true);
    if (!call.Begin()) {
        return;
    }
    uint8_t* bits = call.core().ub->data + dst.address;
    // Bits of masked lanes are 0: inferred
    std::memset(bits, 0, bytes);
    uint8_t* base = call.core().ub->data;
    call.Walk([&](const uint64_t* address, uint32_t n, uint32_t r, uint32_t lane) {
        uint8_t part[32] = {};
        const T* a = reinterpret_cast<const T*>(base + address[0]);
        if (src1 != nullptr) {
            CompareBy<T, false>(mode, part, a, reinterpret_cast<const T*>(base + address[1]), s, n);
        } else {
            CompareBy<T, true>(mode, part, a, nullptr, s, n);
        }
        for (uint32_t i = 0; i < n; ++i) {
            if (part[i / 8] >> (i % 8) & 1) {
                SetBits(bits, r * perRepeat + lane + i, 1, true);
            }
        }
    });
    CompareShadow(call, dst.address, bytes, src1 != nullptr ? 2 : 1);
    call.Issue();
}

// dst = bit ? src0 : src1, where src1 may be a scalar. Bits are at `bits`; with `reuse` every repeat uses the same.
template <class T>
inline void SelectRun(VectorCall& call, const uint8_t* bits, const uint8_t* bitsShadow, bool tensor, bool scalarFirst, T scalar,
                      bool reuse) {
    UnifiedBuffer& ub = *call.core().ub;
    const uint64_t perRepeat = REPEAT / sizeof(T);
    call.Walk([&](const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t lane) {
        T* d = reinterpret_cast<T*>(ub.data + address[0]);
        const T* a = reinterpret_cast<const T*>(ub.data + address[1]);
        const T* b = tensor ? reinterpret_cast<const T*>(ub.data + address[2]) : nullptr;
        const uint64_t start = (reuse ? 0 : repeat * perRepeat) + lane;
        uint8_t flags[256];
        for (uint32_t first = 0; first < n; first += 256) {
            const uint32_t lanes = std::min(n - first, 256u);
            if (!reuse && (start + first) % 8 == 0) {
                UnpackBits(bits + (start + first) / 8, lanes, flags);
            } else {
                for (uint32_t i = 0; i < lanes; ++i) {
                    uint64_t k = start + first + i;
                    k = reuse ? k % perRepeat : k;
                    flags[i] = bits[k / 8] >> (k % 8) & 1;
                }
            }
            if (tensor) {
#pragma GCC ivdep
                for (uint32_t i = 0; i < lanes; ++i) {
                    T left = a[first + i], right = b[first + i];
                    d[first + i] = flags[i] ? left : right;
                }
            } else {
#pragma GCC ivdep
                for (uint32_t i = 0; i < lanes; ++i) {
                    T left = a[first + i];
                    d[first + i] = flags[i] != uint8_t(scalarFirst) ? left : scalar;
                }
            }
        }
    });
    if (!ub.track()) {
        return;
    }
    const uint64_t bitCount = reuse ? perRepeat : call.linear() ? call.total() : call.repeat() * perRepeat;
    if (AllBytes(bitsShadow, (bitCount + 7) / 8, 0) && call.CleanLanes(1) && (!tensor || call.CleanLanes(2))) {
        call.Define();
        return;
    }
    call.Walk([&](const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t lane) {
        const uint64_t start = (reuse ? 0 : repeat * perRepeat) + lane;
        for (uint32_t i = 0; i < n; ++i) {
            uint64_t k = start + i;
            k = reuse ? k % perRepeat : k;
            uint8_t* d = ub.shadow + address[0] + i * sizeof(T);
            const bool bit = bits[k / 8] >> (k % 8) & 1;
            if (bitsShadow[k / 8] >> (k % 8) & 1) {
                std::memset(d, POISON, sizeof(T));
            } else if (tensor) {
                std::memmove(d, ub.shadow + address[bit ? 1 : 2] + i * sizeof(T), sizeof(T));
            } else if (bit != scalarFirst) {
                std::memmove(d, ub.shadow + address[1] + i * sizeof(T), sizeof(T));
            } else {
                std::memset(d, 0, sizeof(T));
            }
        }
        ub.MarkDirty(address[0], uint64_t(n) * sizeof(T));
    });
}

void SelectLanes(VectorCall& call, const Tensor& dst, const Tensor& src0, const Tensor* src1, uint32_t elem,
                 const BinaryRepeatParams& p = {});

template <class T, class P>
inline void SelectCall(const Tensor& dst, const Tensor& selMask, const Tensor& src0, const Tensor* src1, bool scalarFirst, T scalar,
                       SELMODE mode, const BinaryRepeatParams& p, bool countForm, P prepare, Site site) {
    VectorCall call(Api::Select, site);
    SelectLanes(call, dst, src0, src1, sizeof(T), p);
    if (!call.Type(TypeOf<T>(), countForm) || !prepare(call)) {
        return;
    }
    if ((mode == SELMODE::VSEL_TENSOR_SCALAR_MODE) != (src1 == nullptr)) {
        ASCGRAD_REPORT("api", site, "Select: VSEL_TENSOR_SCALAR_MODE goes with a scalar src1, the other modes with a tensor");
    }
    const Product& product = call.core().launch.product;
    if (__NPU_ARCH__ == 2201 && mode != SELMODE::VSEL_CMPMASK_SPR && call.core().ubUsed > product.ub - product.ubReserved) {
        // asc: Select modes 1 and 2 use the reserved top of the unified buffer on 2201
        ASCGRAD_REPORT("capacity", site, "Select: %llu bytes are allocated, this mode uses the last %llu of %llu",
                       (unsigned long long)call.core().ubUsed, (unsigned long long)product.ubReserved, (unsigned long long)product.ub);
    }
    const bool reuse = mode == SELMODE::VSEL_CMPMASK_SPR;
    const uint64_t perRepeat = REPEAT / sizeof(T);
    const uint64_t bitCount = reuse ? perRepeat : call.linear() ? call.total() : call.repeat() * perRepeat;
    call.Span(selMask, "selMask", (bitCount + 7) / 8, false);
    if (!call.Begin()) {
        return;
    }
    UnifiedBuffer& ub = *call.core().ub;
    SelectRun<T>(call, ub.data + selMask.address, ub.shadow + selMask.address, src1 != nullptr, scalarFirst, scalar, reuse);
    call.Issue();
}

}  // namespace emulator

namespace AscendC {

template <typename T, typename U, bool isSetMask = true>
inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                    const uint64_t mask[], int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::CompareMask<T>(emulator::Api::Compare, dst, src0, &src1, {}, cmpMode, mask, repeatTime, repeatParams, isSetMask, site);
}
template <typename T, typename U, bool isSetMask = true>
inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                    const uint64_t mask, int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::CompareMask<T>(emulator::Api::Compare, dst, src0, &src1, {}, cmpMode, mask, repeatTime, repeatParams, isSetMask, site);
}
template <typename T, typename U>
inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                    uint32_t count, ASCGRAD_SITE) {
    emulator::CompareCount<T>(emulator::Api::Compare, dst, src0, &src1, {}, cmpMode, count, site);
}

// The 256/sizeof(T) results of one repeat go into the mask register, from where Select and GetCmpMask take them.
template <typename T, bool isSetMask = true, class M>
inline void AscgradCompareIntoRegister(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE mode, M mask,
                                const BinaryRepeatParams& p, emulator::Site site) {
    using namespace emulator;
    VectorCall call(emulator::Api::Compare, site);
    CheckCompareTypes<T>(call, mode);
    call.Lane(src0, "src0", sizeof(T), false, p.src0BlkStride, p.src0RepStride);
    call.Lane(src1, "src1", sizeof(T), false, p.src1BlkStride, p.src1RepStride);
    if (!call.Type(TypeOf<T>(), false) || !call.Mask(mask, 1, isSetMask) || !call.Begin()) {
        return;
    }
    Core& core = call.core();
    std::memset(core.cmpMask, 0, sizeof(core.cmpMask));
    std::memset(core.cmpMaskShadow, 0, sizeof(core.cmpMaskShadow));
    call.Walk([&](const uint64_t* address, uint32_t n, uint32_t, uint32_t lane) {
        uint8_t part[32] = {};
        CompareBy<T, false>(mode, part, reinterpret_cast<const T*>(core.ub->data + address[0]),
                            reinterpret_cast<const T*>(core.ub->data + address[1]), {}, n);
        for (uint32_t i = 0; i < n; ++i) {
            SetBits(core.cmpMask, lane + i, 1, part[i / 8] >> (i % 8) & 1);
            bool clean = core.ub->Clean(address[0] + i * sizeof(T), sizeof(T)) && core.ub->Clean(address[1] + i * sizeof(T), sizeof(T));
            SetBits(core.cmpMaskShadow, lane + i, 1, !clean);
        }
    });
    call.Issue();
}
template <typename T, bool isSetMask = true>
inline void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask[],
                    const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    AscgradCompareIntoRegister<T, isSetMask>(src0, src1, cmpMode, mask, repeatParams, site);
}
template <typename T, bool isSetMask = true>
inline void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask,
                    const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    AscgradCompareIntoRegister<T, isSetMask>(src0, src1, cmpMode, mask, repeatParams, site);
}
template <typename T>
inline void GetCmpMask(const LocalTensor<T>& dst, ASCGRAD_SITE) {
    emulator::VectorCall call("GetCmpMask", site);
    call.Span(dst, "dst", 16, true, 16);
    emulator::FitTensor(dst, 128, "GetCmpMask", "dst", site);  // asc: GetCmpMask; the least that dst has, whatever is written
    if (call.Begin()) {
        emulator::Core& core = call.core();
        std::memcpy(core.ub->data + dst.address, core.cmpMask, 16);
        std::memcpy(core.ub->shadow + dst.address, core.cmpMaskShadow, 16);
        core.ub->MarkDirty(dst.address, 16);
        call.Issue();
    }
}
template <typename T>
inline void SetCmpMask(const LocalTensor<T>& src, ASCGRAD_SITE) {
    emulator::VectorCall call("SetCmpMask", site);
    call.Span(src, "src", 16, false, 16);
    if (call.Begin()) {
        emulator::Core& core = call.core();
        std::memcpy(core.cmpMask, core.ub->data + src.address, 16);
        std::memcpy(core.cmpMaskShadow, core.ub->shadow + src.address, 16);
        call.Issue();
    }
}

// CompareScalar is the older name of Compares.
#define ASCGRAD_COMPARES(name)                                                                                          \
    template <typename T, typename U, bool isSetMask = true>                                                            \
    inline void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,        \
                     const uint64_t mask[], int32_t repeatTime, const UnaryRepeatParams& p, ASCGRAD_SITE) {             \
        emulator::CompareMask<T>({emulator::Api::Compares, #name}, dst, src0, nullptr, emulator::Lane<T>::Load(src1Scalar), cmpMode, mask, \
                                 repeatTime, {1, p.srcBlkStride, 1, 8, p.srcRepStride, 8}, isSetMask, site);            \
    }                                                                                                                   \
    template <typename T, typename U, bool isSetMask = true>                                                            \
    inline void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,        \
                     const uint64_t mask, int32_t repeatTime, const UnaryRepeatParams& p, ASCGRAD_SITE) {               \
        emulator::CompareMask<T>({emulator::Api::Compares, #name}, dst, src0, nullptr, emulator::Lane<T>::Load(src1Scalar), cmpMode, mask, \
                                 repeatTime, {1, p.srcBlkStride, 1, 8, p.srcRepStride, 8}, isSetMask, site);            \
    }                                                                                                                   \
    template <typename T, typename U>                                                                                   \
    inline void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,        \
                     uint32_t count, ASCGRAD_SITE) {                                                                    \
        emulator::CompareCount<T>({emulator::Api::Compares, #name}, dst, src0, nullptr, emulator::Lane<T>::Load(src1Scalar), cmpMode,      \
                                  count, site);                                                                         \
    }
ASCGRAD_COMPARES(Compares)
ASCGRAD_COMPARES(CompareScalar)
#undef ASCGRAD_COMPARES

// 3510 alone: one of src0 and src1 is a number, or one element of a tensor.
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true,
          const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4>
inline void Compares(const T2& dst, const T3& src0, const T4& src1, CMPMODE cmpMode, uint32_t count, ASCGRAD_SITE) {
    constexpr bool tensor0 = emulator::TensorOf<T3>::value, tensor1 = emulator::TensorOf<T4>::value;
    if (__NPU_ARCH__ != 3510) {
        ASCGRAD_REPORT("api", site, "Compares with this scalar operand does not exist on this product");
    }
    if constexpr (tensor0 && (!tensor1 || config.scalarTensorIndex != 0)) {
        using P = typename T3::PrimType;
        P s;
        if constexpr (tensor1) s = src1.GetValue(0, site); else s = P(src1);
        emulator::CompareCount<P>(emulator::Api::Compares, dst, src0, nullptr, emulator::Lane<P>::Load(s), cmpMode, count, site);
    } else {
        using P = typename T4::PrimType;
        P s;
        if constexpr (tensor0) s = src0.GetValue(0, site); else s = P(src0);
        // s OP t is t OP' s with the comparison turned round.
        const CMPMODE turned = cmpMode == CMPMODE::LT   ? CMPMODE::GT
                               : cmpMode == CMPMODE::GT ? CMPMODE::LT
                               : cmpMode == CMPMODE::LE ? CMPMODE::GE
                               : cmpMode == CMPMODE::GE ? CMPMODE::LE
                                                        : cmpMode;
        emulator::CompareCount<P>(emulator::Api::Compares, dst, src1, nullptr, emulator::Lane<P>::Load(s), turned, count, site);
    }
}

template <typename T, typename U, bool isSetMask = true>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                   SELMODE selMode, const uint64_t mask[], int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::SelectCall<T>(dst, selMask, src0, &src1, false, T(0), selMode, repeatParams, false,
                            [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T, typename U, bool isSetMask = true>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                   SELMODE selMode, uint64_t mask, int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::SelectCall<T>(dst, selMask, src0, &src1, false, T(0), selMode, repeatParams, false,
                            [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T, typename U>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                   SELMODE selMode, uint32_t count, ASCGRAD_SITE) {
    emulator::SelectCall<T>(dst, selMask, src0, &src1, false, T(0), selMode, {}, true,
                            [&](emulator::VectorCall& c) { return c.Count(count); }, site);
}
template <typename T, typename U, bool isSetMask = true>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1, SELMODE selMode,
                   const uint64_t mask[], int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::SelectCall<T>(dst, selMask, src0, nullptr, false, src1, selMode, repeatParams, false,
                            [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T, typename U, bool isSetMask = true>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1, SELMODE selMode,
                   uint64_t mask, int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::SelectCall<T>(dst, selMask, src0, nullptr, false, src1, selMode, repeatParams, false,
                            [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T, typename U>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1, SELMODE selMode,
                   uint32_t count, ASCGRAD_SITE) {
    emulator::SelectCall<T>(dst, selMask, src0, nullptr, false, src1, selMode, {}, true,
                            [&](emulator::VectorCall& c) { return c.Count(count); }, site);
}
// By the bits in the mask register, the same for each repeat; which elements take part, SetVectorMask says.
template <typename T, SELMODE selMode>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, int32_t repeatTime,
                   const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    emulator::VectorCall call(emulator::Api::Select, site);
    emulator::SelectLanes(call, dst, src0, &src1, sizeof(T), repeatParams);
    if (selMode != SELMODE::VSEL_CMPMASK_SPR) {
        ASCGRAD_REPORT("api", site, "Select without a mask is emulated in VSEL_CMPMASK_SPR alone");
        return;
    }
    if (!call.Type(emulator::TypeOf<T>(), false) || !call.Mask(uint64_t(0), repeatTime, false) || !call.Begin()) {
        return;
    }
    const emulator::Core& core = call.core();
    emulator::SelectRun<T>(call, core.cmpMask, core.cmpMaskShadow, true, false, T(0), true);
    call.Issue();
}
#if __NPU_ARCH__ == 3510
// One of src0 and src1 is a number, or one element of a tensor: of two tensors the one that the configuration names.
template <const BinaryConfig& config, class T2, class U, class T3, class T4, class P>
inline void AscgradSelectScalar(const T2& dst, const LocalTensor<U>& selMask, const T3& src0, const T4& src1, SELMODE selMode,
                                const BinaryRepeatParams& p, bool countForm, P prepare, emulator::Site site) {
    using T = typename T2::PrimType;
    constexpr bool tensor0 = emulator::TensorOf<T3>::value, tensor1 = emulator::TensorOf<T4>::value;
    if constexpr (tensor0 && (!tensor1 || config.scalarTensorIndex != 0)) {
        T scalar;
        if constexpr (tensor1) scalar = src1.GetValue(0, site); else scalar = T(src1);
        emulator::SelectCall<T>(dst, selMask, src0, nullptr, false, scalar, selMode, p, countForm, prepare, site);
    } else {
        T scalar;
        if constexpr (tensor0) scalar = src0.GetValue(0, site); else scalar = T(src0);
        emulator::SelectCall<T>(dst, selMask, src1, nullptr, true, scalar, selMode, p, countForm, prepare, site);
    }
}
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, const BinaryConfig& config = DEFAULT_BINARY_CONFIG,
          typename T2, typename T3, typename T4>
inline void Select(const T2& dst, const LocalTensor<T1>& selMask, const T3& src0, const T4& src1, SELMODE selMode, uint32_t count,
                   ASCGRAD_SITE) {
    AscgradSelectScalar<config>(dst, selMask, src0, src1, selMode, {}, true, [&](emulator::VectorCall& c) { return c.Count(count); }, site);
}
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true,
          const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4>
inline void Select(const T2& dst, const LocalTensor<T1>& selMask, const T3& src0, const T4& src1, SELMODE selMode, const uint64_t mask[],
                   int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    AscgradSelectScalar<config>(dst, selMask, src0, src1, selMode, repeatParams, false,
                                [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, site);
}
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true,
          const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4>
inline void Select(const T2& dst, const LocalTensor<T1>& selMask, const T3& src0, const T4& src1, SELMODE selMode, uint64_t mask,
                   int32_t repeatTime, const BinaryRepeatParams& repeatParams, ASCGRAD_SITE) {
    AscgradSelectScalar<config>(dst, selMask, src0, src1, selMode, repeatParams, false,
                                [&](emulator::VectorCall& c) { return c.Mask(mask, repeatTime, isSetMask); }, site);
}
#endif

}  // namespace AscendC
