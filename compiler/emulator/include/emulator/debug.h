// Printing and asserting. What a kernel prints goes to standard error.
#pragma once

#include <cassert>

#include "emulator/cross.h"

namespace emulator {

template <class T>
auto Printable(const T& value) {
    if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>) return double(float(value));
    else if constexpr (std::is_enum_v<T>) return int64_t(value);
    else return value;
}

// asc: Trap, assert; the core ends where it is
void StopCore(const char* what, const char* expression, Site site);

template <class... A>
void Print(const char* format, A... values) { std::fprintf(stderr, format, Printable(values)...); }

template <class T>
void DumpValues(const char* place, const T* values, uint32_t desc, uint64_t count) {
    std::fprintf(stderr, "DumpTensor: desc=%u, position=%s, dump_size=%llu\n[", desc, place, (unsigned long long)count);
    for (uint64_t i = 0; i < count; ++i) {
        std::fprintf(stderr, "%s%.9g", i == 0 ? "" : ", ", double(Lane<T>::Load(values[i])));
    }
    std::fprintf(stderr, "]\n");
}

}  // namespace emulator

#undef assert
#define assert(expression, ...) \
    ((expression) ? void() : ::emulator::StopCore("assert ", #expression, ::emulator::Site(__builtin_FILE(), __builtin_LINE())))
#define ascendc_assert(...) assert(__VA_ARGS__)
#if !defined(ASSERT)
#define ASSERT(...) assert(__VA_ARGS__)
#endif
#define ASCENDC_ASSERT(expression, ...) assert(expression)

namespace AscendC {

template <class... Args>
inline void printf(const char* format, Args&&... values) { emulator::Print(format, values...); }
template <class... Args>
inline void PRINTF(const char* format, Args&&... values) { emulator::Print(format, values...); }

struct ShapeInfo {
    ShapeInfo() = default;
    template <class... A>
    ShapeInfo(A&&...) {}
};

template <typename T>
inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, ASCGRAD_SITE) {
    const uint64_t bytes = emulator::FitTensor(tensor, uint64_t(dumpSize) * sizeof(T), "DumpTensor", "the tensor", site);
    if (const emulator::UnifiedBuffer* memory = emulator::Current().local[int(emulator::SpaceOf(tensor.position))]) {
        emulator::DumpValues(emulator::Name(emulator::SpaceOf(tensor.position)), reinterpret_cast<const T*>(memory->data + tensor.address), desc,
                             bytes / sizeof(T));
    }
}
template <typename T>
inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, ASCGRAD_SITE) {
    if (emulator::CheckGlobal(emulator::Address(tensor), uint64_t(dumpSize) * sizeof(T), false, "DumpTensor", site)) {
        emulator::DumpValues("GM", tensor.GetPhyAddr(), desc, dumpSize);
    }
}
template <class Tensor>
inline void DumpTensor(const Tensor& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo&, ASCGRAD_SITE) {
    DumpTensor(tensor, desc, dumpSize, site);
}
template <class Tensor>
inline void DumpAccChkPoint(const Tensor& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize, ASCGRAD_SITE) {
    DumpTensor(tensor[countOff], index, dumpSize, site);
}

inline void Trap(ASCGRAD_SITE) { emulator::StopCore("Trap", "", site); }
inline void PrintTimeStamp(uint32_t) {}
inline void MetricsProfStart() {}
inline void MetricsProfStop() {}
inline int64_t GetProgramCounter() { return 0; }
inline void ICachePreLoad(const int64_t) {}
inline int64_t GetICachePreloadStatus() { return 0; }
template <class... Args>
inline void Nop(Args&&...) {}

}  // namespace AscendC
