// Reductions. The order of additions is the documented one per product, because the last bits depend on it.
#pragma once

#include "emulator/select.h"

namespace emulator {

using AscendC::ReduceOrder;
using AscendC::ReduceType;

template <ReduceType type, class T>
struct Reduction {
    using C = ComputeOf<T>;
    static T Identity() {
        if constexpr (type == ReduceType::SUM) return T(0);
        else if constexpr (std::is_integral_v<T>) return type == ReduceType::MAX ? lowest<T> : highest<T>;
        else return T(type == ReduceType::MAX ? -INFINITY : INFINITY);
    }
    static T Join(T a, T b) {
        C x = Lane<T>::Load(a), y = Lane<T>::Load(b);
        if constexpr (type == ReduceType::SUM) return Lane<T>::Store(AddOp()(x, y));
        else if constexpr (type == ReduceType::MAX) return Lane<T>::Store(MaxOp()(x, y));
        else return Lane<T>::Store(MinOp()(x, y));
    }
    // asc: ReduceDataBlock page; neighbours are joined, then neighbours of the results, and so on
    static T Tree(T* v, uint32_t n) {
        for (; n > 1; n /= 2) {
            for (uint32_t i = 0; i < n / 2; ++i) {
                v[i] = Join(v[2 * i], v[2 * i + 1]);
            }
        }
        return v[0];
    }
    // Which of the n lanes is the extreme, the lowest on a tie. asc: ReduceMax
    static uint32_t Index(const T* v, uint32_t n) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < n; ++i) {
            C a = Lane<T>::Load(v[i]), b = Lane<T>::Load(v[best]);
            if (type == ReduceType::MAX ? a > b : a < b) {
                best = i;
            }
        }
        return best;
    }
};

// A reduction must not meet poison: it would spread into every result.
bool CheckReduced(VectorCall& call, int lane);

// Calls f(repeat, lanes of a full repeat with the identity in inactive places, bit i set if lane i is active).
template <ReduceType type, class T, class F>
inline void EachRepeat(VectorCall& call, F f) {
    constexpr uint32_t lanes = REPEAT / sizeof(T);
    const T identity = Reduction<type, T>::Identity();
    T v[lanes];
    uint64_t active[2] = {0, 0};
    int64_t open = -1;
    std::fill(v, v + lanes, identity);
    const uint8_t* base = call.core().ub->data;
    auto close = [&] {
        if (open >= 0) {
            f(uint64_t(open), v, active);
            std::fill(v, v + lanes, identity);
            active[0] = active[1] = 0;
        }
    };
    call.Walk([&](const uint64_t* address, uint32_t n, uint32_t repeat, uint32_t lane) {
        // The count form is one run over all repeats.
        for (uint32_t done = 0; done < n;) {
            uint32_t r = call.linear() ? done / lanes : repeat, at = call.linear() ? 0 : lane;
            uint32_t take = call.linear() ? std::min(n - done, lanes) : n;
            if (int64_t(r) != open) {
                close();
                open = r;
            }
            std::memcpy(v + at, base + address[0] + uint64_t(done) * sizeof(T), take * sizeof(T));
            for (uint32_t i = at; i < at + take; ++i) {
                active[i / 64] |= 1ull << (i % 64);
            }
            done += take;
        }
    });
    close();
}

inline bool IsActive(const uint64_t* active, uint32_t lane) { return active[lane / 64] >> (lane % 64) & 1; }

// One result for each repeat. asc: ReduceRepeat; dst needs only its element's alignment
template <ReduceType type, class D, class T, class M>
inline void ReduceRepeats(const char* name, const LocalTensor<D>& dst, const LocalTensor<T>& src, M mask, int64_t repeat,
                          int64_t dstRepStride, int64_t srcBlkStride, int64_t srcRepStride, ReduceOrder order, bool setMask, Site site) {
    VectorCall call({Api::ReduceRepeat, name}, site);
    call.Lane(src, "src", sizeof(T), false, srcBlkStride, srcRepStride);
    call.AllowInPlaceSpan();
    call.AllowWideStrides();
    if (!call.Type(TypeOf<T>(), false) || !call.Mask(mask, repeat, setMask)) {
        return;
    }
    const bool pair = type != ReduceType::SUM && (order == ReduceOrder::ORDER_VALUE_INDEX || order == ReduceOrder::ORDER_INDEX_VALUE);
    const bool onlyIndex = type != ReduceType::SUM && order == ReduceOrder::ORDER_ONLY_INDEX;
    const uint32_t unit = uint32_t(pair ? 2 * sizeof(D) : onlyIndex ? 4 : sizeof(D));
    const uint64_t repeats = call.repeat();
    const uint64_t bytes = (repeats - 1) * uint64_t(dstRepStride) * unit + unit;
    call.Span(dst, "dst", bytes, true, unit);
    if (!call.Begin()) {
        return;
    }
    CheckReduced(call, 0);
    UnifiedBuffer& ub = *call.core().ub;
    std::vector<uint8_t> results(repeats * unit);
    T extreme[2] = {};
    EachRepeat<type, T>(call, [&](uint64_t r, T* v, const uint64_t* active) {
        uint8_t* out = results.data() + r * unit;
        constexpr uint32_t lanes = REPEAT / sizeof(T);
        uint32_t index = 0;
        if (type != ReduceType::SUM) {
            index = Reduction<type, T>::Index(v, lanes);
            while (index < lanes - 1 && !IsActive(active, index)) {
                ++index;  // all active lanes equal the identity
            }
            const T known[2] = {extreme[0], v[index]};
            if (r == 0 || Reduction<type, T>::Index(known, 2) == 1) {
                const uint64_t place = r * lanes + index;
                extreme[0] = v[index];
                std::memcpy(&extreme[1], &place, std::min(sizeof(T), sizeof(place)));
            }
        }
        T tree[lanes];
        std::memcpy(tree, v, sizeof(tree));
        D value;
        if constexpr (std::is_same_v<D, T>) {
            value = Reduction<type, T>::Tree(tree, lanes);
        } else {
            value = 0;
            for (uint32_t i = 0; i < lanes; ++i) {
                value = D(value + D(v[i]));
            }
        }
        if (onlyIndex) {
            std::memcpy(out, &index, 4);
            return;
        }
        // The index is stored with the bits of an integer of the element's width. asc: ReduceRepeat
        uint8_t* valueAt = out + (pair && order == ReduceOrder::ORDER_INDEX_VALUE ? sizeof(D) : 0);
        std::memcpy(valueAt, &value, sizeof(D));
        if (pair) {
            std::memcpy(out + (order == ReduceOrder::ORDER_INDEX_VALUE ? 0 : sizeof(D)), &index, std::min<size_t>(4, sizeof(D)));
        }
    });
    for (uint64_t r = 0; r < repeats; ++r) {
        uint64_t at = dst.address + r * uint64_t(dstRepStride) * unit;
        std::memcpy(ub.data + at, results.data() + r * unit, unit);
        ub.Define(at, unit);
    }
    if (type != ReduceType::SUM) {
        std::memcpy(call.core().reducedTo, extreme, std::min(sizeof(extreme), sizeof(call.core().reducedTo)));
    }
    call.Issue();
}

// One result for each group of lanes: a data block, or a pair.
template <ReduceType type, class T, class M>
inline void ReduceGroups(Called api, uint32_t group, const LocalTensor<T>& dst, const LocalTensor<T>& src, M mask, int64_t repeat,
                         int64_t dstRepStride, int64_t srcBlkStride, int64_t srcRepStride, bool setMask, Site site) {
    constexpr uint32_t lanes = REPEAT / sizeof(T);
    VectorCall call(api, site);
    call.Lane(src, "src", sizeof(T), false, srcBlkStride, srcRepStride);
    call.AllowInPlaceSpan();
    call.AllowWideStrides();
    if (!call.Type(TypeOf<T>(), false) || !call.Mask(mask, repeat, setMask)) {
        return;
    }
    const uint32_t groups = lanes / group;
    const uint64_t unit = groups * sizeof(T), repeats = call.repeat();
    // asc: ReduceDataBlock; dst is aligned to 32 bytes for float, 16 for half; ReducePairElem; 32
    call.Span(dst, "dst", (repeats - 1) * uint64_t(dstRepStride) * unit + unit, true, uint32_t(std::min<uint64_t>(unit, 32)));
    if (!call.Begin()) {
        return;
    }
    CheckReduced(call, 0);
    UnifiedBuffer& ub = *call.core().ub;
    std::vector<T> results(repeats * groups);
    std::vector<uint8_t> written(repeats * groups);
    EachRepeat<type, T>(call, [&](uint64_t r, T* v, const uint64_t* active) {
        for (uint32_t g = 0; g < groups; ++g) {
            bool any = false;
            for (uint32_t i = g * group; i < (g + 1) * group; ++i) {
                any = any || IsActive(active, i);
            }
            // asc: a group without an active lane stays as it was on 2201, gets the identity on 3510
            written[r * groups + g] = any || __NPU_ARCH__ == 3510;
            results[r * groups + g] = Reduction<type, T>::Tree(v + g * group, group);
        }
    });
    for (uint64_t r = 0; r < repeats; ++r) {
        for (uint32_t g = 0; g < groups; ++g) {
            if (written[r * groups + g]) {
                uint64_t at = dst.address + r * uint64_t(dstRepStride) * unit + g * sizeof(T);
                std::memcpy(ub.data + at, &results[r * groups + g], sizeof(T));
                ub.Define(at, sizeof(T));
            }
        }
    }
    call.Issue();
}

// The sum of a whole vector from the sums of its repeats.
// asc: ReduceSum; 2201's count form adds the repeats in sequence, otherwise they form a tree again.
template <class T>
inline T SumRepeats(std::vector<T> partial, bool sequential) {
    using R = Reduction<ReduceType::SUM, T>;
    if (sequential) {
        T sum = partial[0];
        for (size_t i = 1; i < partial.size(); ++i) {
            sum = R::Join(sum, partial[i]);
        }
        return sum;
    }
    constexpr uint32_t lanes = REPEAT / sizeof(T);
    while (partial.size() > 1) {
        std::vector<T> next;
        for (size_t first = 0; first < partial.size(); first += lanes) {
            T v[lanes];
            std::fill(v, v + lanes, T(0));
            std::copy(partial.begin() + long(first), partial.begin() + long(std::min(first + lanes, partial.size())), v);
            next.push_back(R::Tree(v, lanes));
        }
        partial = next;
    }
    return partial[0];
}

template <ReduceType type, class T, class P>
inline void ReduceAll(Api api, const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& work, int64_t srcRepStride,
                      bool calIndex, bool countForm, P prepare, Site site) {
    constexpr uint32_t lanes = REPEAT / sizeof(T), perBlock = BLOCK / sizeof(T);
    VectorCall call(api, site);
    call.Lane(src, "src", sizeof(T), false, 1, srcRepStride);
    call.AllowInPlaceSpan();
    call.AllowWideStrides();
    if (!call.Type(TypeOf<T>(), countForm) || !prepare(call)) {
        return;
    }
    const uint64_t repeats = countForm ? (call.total() + lanes - 1) / lanes : call.repeat();
    call.Span(dst, "dst", calIndex ? 2 * sizeof(T) : sizeof(T), true, uint32_t(calIndex ? 2 * sizeof(T) : sizeof(T)));
    if (!call.Begin()) {
        return;
    }
    // Scratch elements. asc: ReduceSum and ReduceMax pages; 3510 sums up to four repeats and finds extremes without it
    auto round = [&](uint64_t n) { return (n + perBlock - 1) / perBlock * perBlock; };
    uint64_t scratch = 0;
    const bool sequential = __NPU_ARCH__ == 2201 && countForm && type == ReduceType::SUM;
    if (type == ReduceType::SUM) {
        scratch = sequential || (__NPU_ARCH__ == 3510 && countForm && repeats <= 4) || sizeof(T) == 8 ? 0 : round(repeats);
    } else if (__NPU_ARCH__ == 2201) {
        uint64_t outputs = repeats * 2;
        scratch = round(outputs);
        while (calIndex && outputs > 2) {
            outputs = (outputs + lanes - 1) / lanes * 2;
            scratch += round(outputs);
        }
    }
    if (scratch > 0 && CheckTensor(work, call.name(), "sharedTmpBuffer", site)) {
        uint64_t have = TensorBytes(work) / sizeof(T);
        if (scratch > have) {
            ASCGRAD_REPORT("bounds", site, "%s: sharedTmpBuffer has %llu elements, %llu are needed%s", call.name(),
                           (unsigned long long)have, (unsigned long long)scratch, Whose(work).c_str());
        }
    }
    CheckReduced(call, 0);
    UnifiedBuffer& ub = *call.core().ub;
    T result[2] = {T(0), T(0)};
    if (type == ReduceType::SUM) {
        if (__NPU_ARCH__ == 3510 && countForm && repeats >= 2 && (repeats <= 4 || sizeof(T) == 8)) {
            // asc: ReduceSum, third way; repeats are added lane by lane, then the tree. With four the second pair is
            // added first (asc-devkit, dav_3510 reduce implementation).
            T v[4][lanes];
            T sum[lanes];
            std::fill(sum, sum + lanes, T(0));
            for (auto& row : v) {
                std::fill(row, row + lanes, T(0));
            }
            auto add = [&](T* a, const T* b, const uint64_t* active) {
                for (uint32_t i = 0; i < lanes; ++i) {
                    a[i] = IsActive(active, i) ? Reduction<ReduceType::SUM, T>::Join(a[i], b[i]) : a[i];
                }
            };
            uint64_t masks[4][2] = {};
            EachRepeat<ReduceType::SUM, T>(call, [&](uint64_t r, T* row, const uint64_t* active) {
                if (sizeof(T) == 8) {
                    add(sum, row, active);
                } else {
                    std::copy(row, row + lanes, v[r]);
                    masks[r][0] = active[0];
                    masks[r][1] = active[1];
                }
            });
            if (sizeof(T) != 8) {
                std::copy(v[0], v[0] + lanes, sum);
                add(sum, v[1], masks[1]);
                if (repeats == 3) {
                    add(sum, v[2], masks[2]);
                } else if (repeats == 4) {
                    const uint64_t all[2] = {~0ull, ~0ull};
                    add(v[2], v[3], masks[3]);
                    add(sum, v[2], all);
                }
            }
            result[0] = Reduction<ReduceType::SUM, T>::Tree(sum, lanes);
        } else {
            std::vector<T> partial(repeats);
            EachRepeat<ReduceType::SUM, T>(call, [&](uint64_t r, T* v, const uint64_t*) {
                partial[r] = Reduction<ReduceType::SUM, T>::Tree(v, lanes);
            });
            result[0] = SumRepeats(partial, sequential);
        }
    } else {
        bool first = true;
        EachRepeat<type, T>(call, [&](uint64_t r, T* v, const uint64_t*) {
            uint32_t i = Reduction<type, T>::Index(v, lanes);
            ComputeOf<T> a = Lane<T>::Load(v[i]), b = Lane<T>::Load(result[0]);
            if (first || (type == ReduceType::MAX ? a > b : a < b)) {
                uint64_t index = r * lanes + i;
                result[0] = v[i];
                std::memcpy(&result[1], &index, sizeof(T));
                first = false;
            }
        });
    }
    // What the scratch holds afterwards is the implementation's business.
    if (scratch > 0) {
        ub.Poison(work.address, std::min(scratch * sizeof(T), TensorBytes(work)));
    }
    std::memcpy(ub.data + dst.address, result, calIndex ? 2 * sizeof(T) : sizeof(T));
    std::memcpy(call.core().reducedTo, result, std::min(sizeof(result), sizeof(call.core().reducedTo)));
    call.Define();
    call.Issue();
}

}  // namespace emulator

namespace AscendC {

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
inline void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask, const int32_t repeatTime,
                         const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,
                         ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, ASCGRAD_SITE) {
    emulator::ReduceRepeats<reduceType>("ReduceRepeat", dst, src, uint64_t(mask), repeatTime, dstRepStride, srcBlkStride, srcRepStride,
                                        order, isSetMask, site);
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
inline void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[], const int32_t repeatTime,
                         const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,
                         ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, ASCGRAD_SITE) {
    emulator::ReduceRepeats<reduceType>("ReduceRepeat", dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order,
                                        isSetMask, site);
}

// Older names. RepeatReduceSum has its strides in another order and no order of value and index.
#define ASCGRAD_WHOLE(name, type)                                                                                       \
    template <typename T, bool isSetMask = true>                                                                        \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask, const int32_t repeatTime, \
                     const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                \
                     ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, ASCGRAD_SITE) {                                \
        emulator::ReduceRepeats<ReduceType::type>(#name, dst, src, uint64_t(mask), repeatTime, dstRepStride,            \
                                                  srcBlkStride, srcRepStride, order, isSetMask, site);                  \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],                       \
                     const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,                  \
                     const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, ASCGRAD_SITE) {    \
        emulator::ReduceRepeats<ReduceType::type>(#name, dst, src, mask, repeatTime, dstRepStride, srcBlkStride,        \
                                                  srcRepStride, order, isSetMask, site);                                \
    }
ASCGRAD_WHOLE(WholeReduceMax, MAX)
ASCGRAD_WHOLE(WholeReduceMin, MIN)
#undef ASCGRAD_WHOLE
template <typename T, bool isSetMask = true>
inline void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask, const int32_t repeatTime,
                           const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ASCGRAD_SITE) {
    emulator::ReduceRepeats<ReduceType::SUM>("WholeReduceSum", dst, src, uint64_t(mask), repeatTime, dstRepStride, srcBlkStride, srcRepStride,
                                             ReduceOrder::ORDER_ONLY_VALUE, isSetMask, site);
}
template <typename T, bool isSetMask = true>
inline void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], const int32_t repeatTime,
                           const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ASCGRAD_SITE) {
    emulator::ReduceRepeats<ReduceType::SUM>("WholeReduceSum", dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride,
                                             ReduceOrder::ORDER_ONLY_VALUE, isSetMask, site);
}
template <typename T, bool isSetMask = true>
inline void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t mask,
                            const int32_t dstBlkStride, const int32_t srcBlkStride, const int32_t dstRepStride,
                            const int32_t srcRepStride, ASCGRAD_SITE) {
    (void)dstBlkStride;
    emulator::ReduceRepeats<ReduceType::SUM>("RepeatReduceSum", dst, src, uint64_t(mask), repeatTime, dstRepStride, srcBlkStride, srcRepStride,
                                             ReduceOrder::ORDER_ONLY_VALUE, isSetMask, site);
}

#define ASCGRAD_GROUPS(name, api, group)                                                                                \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                     \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask, const int32_t repeatTime, \
                     const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ASCGRAD_SITE) { \
        emulator::ReduceGroups<reduceType>({emulator::Api::api, #name}, group, dst, src, uint64_t(mask), repeatTime, dstRepStride,         \
                                           srcBlkStride, srcRepStride, isSetMask, site);                                \
    }                                                                                                                   \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                     \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],                       \
                     const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,                  \
                     const int32_t srcRepStride, ASCGRAD_SITE) {                                                        \
        emulator::ReduceGroups<reduceType>({emulator::Api::api, #name}, group, dst, src, mask, repeatTime, dstRepStride, srcBlkStride,     \
                                           srcRepStride, isSetMask, site);                                              \
    }
ASCGRAD_GROUPS(ReduceDataBlock, ReduceDataBlock, uint32_t(emulator::BLOCK / sizeof(T)))
ASCGRAD_GROUPS(ReducePairElem, ReducePairElem, 2u)
#undef ASCGRAD_GROUPS
// Older names; repeatTime comes before mask.
#define ASCGRAD_OLD_GROUPS(name, api, group, type)                                                                      \
    template <typename T, bool isSetMask = true>                                                                        \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t mask, \
                     const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ASCGRAD_SITE) { \
        emulator::ReduceGroups<ReduceType::type>({emulator::Api::api, #name}, group, dst, src, uint64_t(mask), repeatTime, dstRepStride,   \
                                                 srcBlkStride, srcRepStride, isSetMask, site);                          \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,                    \
                     const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride,                     \
                     const int32_t srcRepStride, ASCGRAD_SITE) {                                                        \
        emulator::ReduceGroups<ReduceType::type>({emulator::Api::api, #name}, group, dst, src, mask, repeatTime, dstRepStride,             \
                                                 srcBlkStride, srcRepStride, isSetMask, site);                          \
    }
ASCGRAD_OLD_GROUPS(BlockReduceSum, ReduceDataBlock, uint32_t(emulator::BLOCK / sizeof(T)), SUM)
ASCGRAD_OLD_GROUPS(BlockReduceMax, ReduceDataBlock, uint32_t(emulator::BLOCK / sizeof(T)), MAX)
ASCGRAD_OLD_GROUPS(BlockReduceMin, ReduceDataBlock, uint32_t(emulator::BLOCK / sizeof(T)), MIN)
ASCGRAD_OLD_GROUPS(PairReduceSum, ReducePairElem, 2u, SUM)
#undef ASCGRAD_OLD_GROUPS

template <typename T, bool isSetMask = true>
inline void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
                      const int32_t count, ASCGRAD_SITE) {
    emulator::ReduceAll<ReduceType::SUM>(emulator::Api::ReduceSum, dst, src, sharedTmpBuffer, 8, false, true, [&](emulator::VectorCall& call) {
        return isSetMask || __NPU_ARCH__ == 3510 ? call.Count(count) : call.CountFromMask();
    }, site);
}
template <typename T, class M, class = std::enable_if_t<std::is_integral_v<M> || std::is_pointer_v<M>>>
inline void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, M mask,
                      const int32_t repeatTime, const int32_t srcRepStride, ASCGRAD_SITE) {
    emulator::ReduceAll<ReduceType::SUM>(emulator::Api::ReduceSum, dst, src, sharedTmpBuffer, srcRepStride, false, false,
                                         [&](emulator::VectorCall& call) {
        if constexpr (std::is_pointer_v<M>) return call.Mask(mask, repeatTime, true);
        else return call.Mask(uint64_t(mask), repeatTime, true);
    }, site);
}
#define ASCGRAD_EXTREME(name, type)                                                                                     \
    template <typename T>                                                                                               \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,       \
                     const int32_t count, bool calIndex = 0, ASCGRAD_SITE) {                                            \
        emulator::ReduceAll<ReduceType::type>(emulator::Api::name, dst, src, sharedTmpBuffer, 8, calIndex, true,                  \
                                              [&](emulator::VectorCall& call) { return call.Count(count); }, site);     \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,       \
                     const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0,       \
                     ASCGRAD_SITE) {                                                                                    \
        emulator::ReduceAll<ReduceType::type>(                                                                          \
            emulator::Api::name, dst, src, sharedTmpBuffer, srcRepStride, calIndex, false,                                        \
            [&](emulator::VectorCall& call) { return call.Mask(uint64_t(mask), repeatTime, true); }, site);             \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    inline void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,       \
                     const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0,    \
                     ASCGRAD_SITE) {                                                                                    \
        emulator::ReduceAll<ReduceType::type>(                                                                          \
            emulator::Api::name, dst, src, sharedTmpBuffer, srcRepStride, calIndex, false,                                        \
            [&](emulator::VectorCall& call) { return call.Mask(mask, repeatTime, true); }, site);                       \
    }
ASCGRAD_EXTREME(ReduceMax, MAX)
ASCGRAD_EXTREME(ReduceMin, MIN)
#undef ASCGRAD_EXTREME

// What the last reduction came to. asc: GetReduceRepeatSumSpr, of ReduceSum with a count; GetReduceRepeatMaxMinSpr, of
// ReduceRepeat, ReduceMax and ReduceMin, on 2201 alone. The index has the bits of an integer.
template <typename T>
inline T GetReduceRepeatSumSpr() {
    T value;
    std::memcpy(&value, emulator::Current().reducedTo, sizeof(T));
    return value;
}
template <typename T>
inline void AscgradLastExtreme(const char* api, T& maxMinValue, T& maxMinIndex, emulator::Site site) {
    if (__NPU_ARCH__ != 2201) {
        ASCGRAD_REPORT("api", site, "%s does not exist on this product", api);
    }
    std::memcpy(&maxMinValue, emulator::Current().reducedTo, sizeof(T));
    std::memcpy(&maxMinIndex, emulator::Current().reducedTo + sizeof(T), sizeof(T));
}
template <typename T>
inline void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex, ASCGRAD_SITE) {
    AscgradLastExtreme("GetReduceRepeatMaxMinSpr", maxMinValue, maxMinIndex, site);
}
// Older names; without a type the bits of the value.
template <typename T>
inline void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex, ASCGRAD_SITE) {
    AscgradLastExtreme("GetReduceMaxMinCount", maxMinValue, maxMinIndex, site);
}
template <typename T>
inline T GetAccVal() { return GetReduceRepeatSumSpr<T>(); }
inline int64_t GetAccVal() { return GetReduceRepeatSumSpr<int64_t>(); }

}  // namespace AscendC
