// Sort32, MrgSort and what is built on them. An element is a score and its index, eight bytes. asc: Sort32
#pragma once

#include "emulator/gather.h"

namespace emulator {

constexpr uint32_t PAIR = 8;  // bytes of a score and its index; the score is in front, the index in the upper half

template <class T>
inline float Score(const UnifiedBuffer& ub, uint64_t address) {
    T value;
    std::memcpy(&value, ub.data + address, sizeof(T));
    return float(Lane<T>::Load(value));
}

bool Repeats(VectorCall& call, int64_t repeat);

void CheckScores(VectorCall& call, const Tensor& scores, uint64_t bytes);

}  // namespace emulator

namespace AscendC {

// 32 scores each in descending order, equal ones in the order of their places.
template <typename T>
inline void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1, const int32_t repeatTime, ASCGRAD_SITE) {
    using namespace emulator;
    VectorCall call(Api::Sort32, site);
    call.Type(TypeOf<T>(), false);
    if (!Repeats(call, repeatTime)) {
        return;
    }
    const uint64_t n = uint64_t(repeatTime) * 32;
    call.Span(dst, "dst", n * PAIR, true);
    call.Span(src0, "src0", n * sizeof(T), false);
    call.Span(src1, "src1", n * 4, false);
    if (!call.Begin()) {
        return;
    }
    CheckScores(call, src0, n * sizeof(T));
    UnifiedBuffer& ub = *call.core().ub;
    Picked scores(ub, n, sizeof(T)), indices(ub, n, 4);
    std::vector<uint32_t> order(n);
    for (uint64_t i = 0; i < n; ++i) {
        order[i] = uint32_t(i);
        scores.Take(i, src0.address + i * sizeof(T));
        indices.Take(i, src1.address + i * 4);
    }
    for (uint64_t first = 0; first < n; first += 32) {
        std::stable_sort(order.begin() + long(first), order.begin() + long(first) + 32, [&](uint32_t a, uint32_t b) {
            return Score<T>(ub, src0.address + a * sizeof(T)) > Score<T>(ub, src0.address + b * sizeof(T));
        });
    }
    for (uint64_t i = 0; i < n; ++i) {
        scores.Put(ub, order[i], dst.address + i * PAIR);
        indices.Put(ub, order[i], dst.address + i * PAIR + 4);
        if (sizeof(T) == 2) {
            ub.Define(dst.address + i * PAIR + 2, 2);
        }
    }
    call.Issue();
}

struct MrgSort4Info {
    MrgSort4Info() = default;
    MrgSort4Info(const uint16_t lengths[4], bool suspend, uint16_t valid, int64_t repeat)
        : ifExhaustedSuspension(suspend), validBit(valid), repeatTimes(repeat) {
        std::copy(lengths, lengths + 4, elementLengths);
    }
    uint16_t elementLengths[4] = {0};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    int64_t repeatTimes = 1;
};

template <typename T>
struct MrgSortSrcList {
    MrgSortSrcList() = default;
    MrgSortSrcList(const LocalTensor<T>& a, const LocalTensor<T>& b, const LocalTensor<T>& c, const LocalTensor<T>& d)
        : src1(a), src2(b), src3(c), src4(d) {}
    LocalTensor<T> src1, src2, src3, src4;
};

// Up to four sorted queues become one. asc: MrgSort; on a tie the queue in front comes first
template <typename T>
inline void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params, ASCGRAD_SITE) {
    using namespace emulator;
    VectorCall call(Api::MrgSort, site);
    Core& core = call.core();
    call.Type(TypeOf<T>(), false);
    if (!Repeats(call, params.repeatTimes)) {
        return;
    }
    if (params.validBit != 3 && params.validBit != 7 && params.validBit != 15) {
        ASCGRAD_REPORT("limit", site, "MrgSort: validBit is %u, 3, 7 or 15 is allowed", params.validBit);
        return;
    }
    const int queues = params.validBit == 3 ? 2 : params.validBit == 7 ? 3 : 4;
    const Tensor* sources[4] = {&src.src1, &src.src2, &src.src3, &src.src4};
    uint64_t total = 0;
    bool even = queues == 4 && !params.ifExhaustedSuspension;
    for (int q = 0; q < queues; ++q) {
        const uint64_t length = params.elementLengths[q];
        if (length > 4095) {
            ASCGRAD_REPORT("limit", site, "MrgSort: elementLengths[%d] is %llu, 0 to 4095 is allowed", q, (unsigned long long)length);
            return;
        }
        even = even && length == params.elementLengths[0] && sources[q]->address == sources[0]->address + q * length * PAIR;
        total += length;
    }
    if (params.repeatTimes > 1 && !even) {
        ASCGRAD_REPORT("limit", site, "MrgSort: repeatTimes %lld takes effect with four queues of one length, one behind the other, that are not suspended",
                       (long long)params.repeatTimes);
    }
    const uint64_t repeats = even ? uint64_t(params.repeatTimes) : 1;
    for (int q = 0; q < queues; ++q) {
        const uint64_t bytes = repeats > 1 ? (q == 0 ? repeats * total * PAIR : 0) : params.elementLengths[q] * uint64_t(PAIR);
        if (bytes == 0) {
            continue;
        }
        if (!CheckTensor(*sources[q], "MrgSort", "src", site) || FitTensor(*sources[q], bytes, "MrgSort", "src", site) < bytes) {
            return;
        }
        if (sources[q]->address % PAIR != 0) {
            ASCGRAD_REPORT("alignment", site, "MrgSort: src%d starts at byte %llu of the unified buffer, which is no multiple of 8", q + 1,
                           (unsigned long long)sources[q]->address);
        }
        if (sources[q]->address < dst.address + repeats * total * PAIR && dst.address < sources[q]->address + bytes) {
            ASCGRAD_REPORT("overlap", site, "MrgSort: dst overlaps src%d", q + 1);
        }
        CheckScores(call, *sources[q], bytes);
    }
    call.Span(dst, "dst", repeats * total * PAIR, true);
    if (!call.Begin()) {
        return;
    }
    UnifiedBuffer& ub = *core.ub;
    uint64_t out = 0, low = ~0ull, high = 0;
    std::fill(std::begin(core.mergedOf), std::end(core.mergedOf), 0);
    std::vector<std::pair<Picked, uint64_t>> moved;
    for (uint64_t r = 0; r < repeats; ++r) {
        uint64_t at[4], end[4], taken[4] = {};
        for (int q = 0; q < queues; ++q) {
            at[q] = sources[q]->address + r * total * PAIR;
            end[q] = at[q] + params.elementLengths[q] * uint64_t(PAIR);
            low = std::min(low, at[q]);
            high = std::max(high, end[q]);
        }
        for (;;) {
            int best = -1;
            bool exhausted = false;
            for (int q = 0; q < queues; ++q) {
                exhausted = exhausted || at[q] == end[q];
                if (at[q] != end[q] && (best < 0 || Score<T>(ub, at[q]) > Score<T>(ub, at[best]))) {
                    best = q;
                }
            }
            if (best < 0 || (exhausted && params.ifExhaustedSuspension)) {
                break;
            }
            Picked one(ub, 1, PAIR);
            one.Take(0, at[best]);
            moved.push_back({one, dst.address + out * PAIR});
            at[best] += PAIR;
            taken[best] += 1;
            ++out;
        }
        for (int q = 0; q < queues; ++q) {
            core.mergedOf[q] = uint16_t(taken[q]);
        }
    }
    for (const auto& [one, to] : moved) {
        one.Put(ub, 0, to);
    }
    Instruction instruction{"MrgSort", PIPE_V, site, out};
    instruction.Touch(Space::UB, true, out * PAIR, Pattern(dst.address, repeats * total * PAIR));
    if (high > low) {
        for (int q = 0; q < (repeats > 1 ? 1 : queues); ++q) {
            const uint64_t bytes = repeats > 1 ? repeats * total * PAIR : params.elementLengths[q] * uint64_t(PAIR);
            instruction.Touch(Space::UB, false, sources[q]->address, bytes);
        }
    }
    core.Issue(instruction);
}

// How many elements of each queue the last MrgSort took.
inline void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2, uint16_t& mrgSortList3, uint16_t& mrgSortList4) {
    const emulator::Core& core = emulator::Current();
    mrgSortList1 = core.mergedOf[0];
    mrgSortList2 = core.mergedOf[1];
    mrgSortList3 = core.mergedOf[2];
    mrgSortList4 = core.mergedOf[3];
}

}  // namespace AscendC
