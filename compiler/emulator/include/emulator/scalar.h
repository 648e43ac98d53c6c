// Scalar functions, control registers, and names of the standard library that the API has in a namespace of its own.
#pragma once

#include <limits>
#include <tuple>
#include <utility>

#include "emulator/cross.h"

struct AscgradBlockIndex {
    operator int64_t() const { return AscendC::GetBlockIdx(); }
};
struct AscgradBlockCount {
    operator int64_t() const { return AscendC::GetBlockNum(); }
};
inline const AscgradBlockIndex block_idx;
inline const AscgradBlockCount block_num;

namespace AscendC {

// asc: scalar computation pages. The names that begin with Scalar are older.
template <int countValue>
inline int64_t GetBitCount(uint64_t valueIn) { return countValue == 1 ? __builtin_popcountll(valueIn) : 64 - __builtin_popcountll(valueIn); }
template <int countValue>
inline int64_t ScalarGetCountOfValue(uint64_t valueIn) { return GetBitCount<countValue>(valueIn); }
inline int64_t CountLeadingZero(uint64_t valueIn) { return valueIn == 0 ? 64 : __builtin_clzll(valueIn); }
inline int64_t ScalarCountLeadingZero(uint64_t valueIn) { return CountLeadingZero(valueIn); }
// How many bits below the sign bit equal it; -1 for 0 and -1. asc: CountBitsCntSameAsSignBit
inline int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
    return valueIn == 0 || valueIn == -1 ? -1 : __builtin_clzll(uint64_t(valueIn < 0 ? ~valueIn : valueIn)) - 1;
}
// The lowest bit of that value, -1 when there is none. asc: GetSFFValue
template <int countValue>
inline int64_t GetSFFValue(uint64_t valueIn) {
    const uint64_t bits = countValue == 1 ? valueIn : ~valueIn;
    return bits == 0 ? -1 : __builtin_ctzll(bits);
}
template <int countValue>
inline int64_t ScalarGetSFFValue(uint64_t valueIn) { return GetSFFValue<countValue>(valueIn); }

inline bfloat16_t Cast(const float& value) { return bfloat16_t(value); }
inline float Cast(const bfloat16_t& value) { return float(value); }
template <typename T, typename U, RoundMode roundMode>
inline U Cast(T valueIn) { return emulator::Convert<U, T, roundMode>(valueIn); }

// Past the data cache. asc: ReadGmByPassDCache, WriteGmByPassDCache
template <typename T>
inline T ReadGmByPassDCache(__gm__ T* addr, ASCGRAD_SITE) {
    static_assert(std::is_integral_v<T>, "ReadGmByPassDCache reads integers");
    T value;
    emulator::GlobalScalarAccess("ReadGmByPassDCache", reinterpret_cast<uint8_t*>(addr), &value, sizeof(T), false, site, true);
    return value;
}
template <typename T>
inline void WriteGmByPassDCache(__gm__ T* addr, T value, ASCGRAD_SITE) {
    static_assert(std::is_integral_v<T>, "WriteGmByPassDCache writes integers");
    emulator::GlobalScalarAccess("WriteGmByPassDCache", reinterpret_cast<uint8_t*>(addr), &value, sizeof(T), true, site, true);
}

#if __NPU_ARCH__ == 3510
// One step of the scalar unit on a word of global memory, past the data cache. It can be a lock, so it hands on what its
// core knows, and takes what the core before it handed on. asc: AtomicAdd, AtomicMax, AtomicMin, AtomicCas, AtomicExch
template <typename T, class F>
inline T AscgradAtomic(const char* name, T* address, bool known, F change, emulator::Site site) {
    using namespace emulator;
    Core& core = Current();
    if (!known) {
        ASCGRAD_REPORT("api", site, "%s does not take %s on this product", name, Name(TypeOf<T>()));
    }
    uint8_t* bytes = reinterpret_cast<uint8_t*>(address);
    GlobalSpan span = CheckGlobal(bytes, sizeof(T), true, name, site);
    if (!span) {
        return T(0);
    }
    Poll(site);
    const uint8_t* defined = span.range->Defined(bytes);
    if (defined != nullptr && !AllBytes(defined, sizeof(T), 0xFF)) {
        ASCGRAD_REPORT("poison", site, "%s reads %s, which holds no defined value there", name, span.range->range->name.c_str());
    }
    T before;
    std::memcpy(&before, bytes, sizeof(T));
    const T after = change(before);
    std::memcpy(bytes, &after, sizeof(T));
    core.counters.scalarToGm += sizeof(T);
    core.counters.gmToScalar += sizeof(T);
    core.counters.gmRead += sizeof(T);
    core.counters.gmWrite += sizeof(T);
    const uint64_t word = uint64_t(reinterpret_cast<uintptr_t>(bytes));
    auto told = core.launch.words.find(word);
    if (told != core.launch.words.end()) {
        core.Learn(PIPE_S, told->second.told);
    }
    Instruction instruction{name, PIPE_S, site, 1};
    instruction.autoSync = false;
    instruction.fromMemory = true;
    instruction.Touch(Space::GM, before != after, word, sizeof(T)).kind = before != after ? AccessKind::Add : AccessKind::Read;
    core.Issue(instruction);
    if (core.launch.check && core.launch.cores.size() > 1) {
        uint64_t old = 0;
        std::memcpy(&old, &before, sizeof(T));
        core.words.written.push_back({word, old, core.index, core.order.epoch[IndexOf(PIPE_S)], nullptr, {}});
        PublishWords(word, word + 1);
    }
    return before;
}
template <typename T>
inline constexpr bool ascgradAtomicNumber = std::is_same_v<T, float> || (std::is_integral_v<T> && sizeof(T) >= 4);
template <typename T>
inline constexpr bool ascgradAtomicBits = std::is_integral_v<T> && std::is_unsigned_v<T> && sizeof(T) >= 4;
template <typename T>
inline T AtomicAdd(__gm__ T* address, T value, ASCGRAD_SITE) {
    return AscgradAtomic("AtomicAdd", address, ascgradAtomicNumber<T>, [=](T old) {
        using L = emulator::Lane<T>;
        return L::Store(emulator::AddOp()(L::Load(old), L::Load(value)));  // integers wrap, inferred
    }, site);
}
template <typename T>
inline T AtomicMax(__gm__ T* address, T value, ASCGRAD_SITE) {
    return AscgradAtomic("AtomicMax", address, ascgradAtomicNumber<T>, [=](T old) { return std::max(old, value); }, site);
}
template <typename T>
inline T AtomicMin(__gm__ T* address, T value, ASCGRAD_SITE) {
    return AscgradAtomic("AtomicMin", address, ascgradAtomicNumber<T>, [=](T old) { return std::min(old, value); }, site);
}
template <typename T>
inline T AtomicCas(__gm__ T* address, T value1, T value2, ASCGRAD_SITE) {
    return AscgradAtomic("AtomicCas", address, ascgradAtomicBits<T>, [=](T old) { return old == value1 ? value2 : old; }, site);
}
template <typename T>
inline T AtomicExch(__gm__ T* address, T value, ASCGRAD_SITE) {
    return AscgradAtomic("AtomicExch", address, ascgradAtomicBits<T>, [=](T) { return value; }, site);
}
#endif

template <typename T>
struct NumericLimits {
    static constexpr T Max() { return std::numeric_limits<T>::max(); }
    static constexpr T Min() { return std::numeric_limits<T>::min(); }
    static constexpr T Lowest() { return std::numeric_limits<T>::lowest(); }
    static constexpr T Infinity() { return std::numeric_limits<T>::infinity(); }
    static constexpr T NegativeInfinity() { return -std::numeric_limits<T>::infinity(); }
    static constexpr T QuietNaN() { return std::numeric_limits<T>::quiet_NaN(); }
    static constexpr T DeNormMin() { return std::numeric_limits<T>::denorm_min(); }
};
template <typename T, uint16_t max, uint16_t min, uint16_t infinity, uint16_t nan>
struct AscgradShortLimits {
    static T Of(uint16_t bits) { return emulator::Bits<T>(bits); }
    static T Max() { return Of(max); }
    static T Min() { return Of(min); }
    static T Lowest() { return Of(max | 0x8000); }
    static T Infinity() { return Of(infinity); }
    static T NegativeInfinity() { return Of(infinity | 0x8000); }
    static T QuietNaN() { return Of(nan); }
    static T DeNormMin() { return Of(1); }
};
template <>
struct NumericLimits<half> : AscgradShortLimits<half, 0x7bff, 0x0400, 0x7c00, 0x7e00> {};
template <>
struct NumericLimits<bfloat16_t> : AscgradShortLimits<bfloat16_t, 0x7f7f, 0x0080, 0x7f80, 0x7fc0> {};

// The control register. asc: SetCtrlSpr; numbers are those of the default modes alone, so that other modes are findings. Of bit 48
// the page has 0, which saturates, as default; 1 is inferred from the host's default of INF and NaN, as in FloatToHalfBy.
// Bit 60 says which of two places holds the mode, and both hold the default.
template <int8_t startBit, int8_t endBit>
inline void SetCtrlSpr(int64_t value, ASCGRAD_SITE) {
    const int64_t usual = startBit == 48 || startBit == 60 ? 1 : 0;
    if (startBit != 60 && value != usual) {
        ASCGRAD_REPORT("api", site, "SetCtrlSpr<%d, %d>: only the default %lld is emulated, got %lld", startBit, endBit, (long long)usual, (long long)value);
    }
    (void)value;
}
template <int8_t startBit, int8_t endBit>
inline int64_t GetCtrlSpr() { return startBit == 48 || startBit == 60 ? 1 : 0; }
template <int8_t startBit, int8_t endBit>
inline void ResetCtrlSpr() {}
inline void SetSaturationFlag(bool saturate, ASCGRAD_SITE) {
    if (saturate) {
        ASCGRAD_REPORT("api", site, "SetSaturationFlag: the saturating mode is not emulated");
    }
}
inline bool GetSaturationFlag() { return false; }

// What kernels use of the toolkit's own helpers, and of the device compiler's variables.
struct AscendCUtils {
    template <typename T, bool isSetMask = true>
    static void SetMask(uint64_t maskHigh, uint64_t maskLow) { SetVectorMask<T>(maskHigh, maskLow); }
    template <typename T, bool isSetMask = true>
    static void SetMask(int32_t len) { SetVectorMask<T>(len); }
    static constexpr int32_t GetBitSize(int32_t byteSize) { return byteSize * 8; }
    static constexpr int32_t GetC0Count(int32_t dtypeSize) { return int32_t(ONE_BLK_SIZE) / dtypeSize; }
};

template <bool condition, class T, class U>
struct Conditional {
    using type = std::conditional_t<condition, T, U>;
};
template <typename T, typename U>
constexpr auto DivCeil(T a, U b) { return (a + b - 1) / b; }
template <typename T, typename U>
constexpr auto AlignUp(T a, U b) { return b == 0 ? T(0) : T((a + b - 1) / b * b); }
inline void SetNextTaskStart() {}
inline void WaitPreTaskEnd() {}

namespace Std {
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::get;
using std::index_sequence;
using std::integral_constant;
using std::is_base_of;
using std::is_base_of_v;
using std::is_const;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_reference;
using std::is_same;
using std::is_same_v;
using std::is_void;
using std::make_index_sequence;
using std::make_tuple;
using std::move;
using std::remove_const;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_reference;
using std::remove_reference_t;
using std::swap;
using std::tie;
using std::true_type;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
using std::tuple_size_v;
}  // namespace Std

}  // namespace AscendC
