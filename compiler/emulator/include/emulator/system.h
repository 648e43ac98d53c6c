// Tiling, kernel types, core indices, mask registers, and synchronisation of all cores.
#pragma once

#include "emulator/move.h"

namespace emulator {

// The kernel types that the source declares, known before the kernel runs. A negative key is the default.
struct DeclaredType {
    int64_t key;
    KernelMetaType type;
};
std::vector<DeclaredType>& DeclaredTypes();
template <int64_t key, KernelMetaType type>
struct KernelTypeTag {
    static const bool declared;
};
template <int64_t key, KernelMetaType type>
const bool KernelTypeTag<key, type>::declared = (DeclaredTypes().push_back({key, type}), true);

// Whether the launch has that tiling key. asc: TILING_KEY_IS; a kernel is compiled for the keys that it asks for
bool TilingKeyIs(uint64_t key, Site site);

void CopyTiling(void* to, uint64_t offset, uint64_t bytes, uint64_t structBytes, const uint8_t* from, Site site);

// Gives the other cores their turn; returns when this one may go on.
void Suspend();

// Kinds of barrier: among the vector cores, or among all.
// The pipes that `trigger` names have to come so far, those of `wait` are held back.
void SyncCores(bool hard, bool vectorOnly, uint32_t cores, pipe_t trigger, pipe_t wait, Site site);

}  // namespace emulator

#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, tiling_data, tiling_arg)                                       \
    tiling_struct tiling_data;                                                                                    \
    ::emulator::CopyTiling(&tiling_data, 0, sizeof(tiling_struct), sizeof(tiling_struct),                         \
                           reinterpret_cast<const uint8_t*>(tiling_arg), ::emulator::Site{__FILE__, __LINE__})
#define GET_TILING_DATA(tiling_data, tiling_arg) GET_TILING_DATA_WITH_STRUCT(AscgradDefaultTiling, tiling_data, tiling_arg)
#define GET_TILING_DATA_MEMBER(tiling_type, member, var, tiling_arg)                                              \
    decltype(tiling_type::member) var;                                                                            \
    ::emulator::CopyTiling(&var, offsetof(tiling_type, member), sizeof(var), sizeof(tiling_type),                 \
                           reinterpret_cast<const uint8_t*>(tiling_arg), ::emulator::Site{__FILE__, __LINE__})
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, dst_ptr, tiling_ptr) \
    __gm__ tiling_struct* dst_ptr = reinterpret_cast<__gm__ tiling_struct*>(tiling_ptr)
#define REGISTER_TILING_DEFAULT(tiling_struct) using AscgradDefaultTiling [[maybe_unused]] = tiling_struct
#define REGISTER_TILING_FOR_TILINGKEY(expression, tiling_struct) static_assert(sizeof(tiling_struct) > 0)
#define REGISTER_NONE_TILING static_assert(true)
#define TILING_KEY_VAR (::emulator::Current().launch.request->tilingKey)
#define TILING_KEY_IS(k) (::emulator::TilingKeyIs(k, ::emulator::Site{__FILE__, __LINE__}))
#define KERNEL_TASK_TYPE(key, value) (void)&::emulator::KernelTypeTag<(key), (value)>::declared
#define KERNEL_TASK_TYPE_DEFAULT(value) (void)&::emulator::KernelTypeTag<-1, (value)>::declared
#define ENABLE_DETERMINISTIC() static_assert(true)

// A constant in the toolkit, where each side of a kernel is compiled by itself.
struct AscgradCoreType {
    operator int32_t() const { return emulator::Current().type == emulator::CoreType::AIC ? AscendC::AIC : AscendC::AIV; }
};
inline const AscgradCoreType g_coreType;
#define ASCEND_IS_AIV (g_coreType == AscendC::AIV)
#define ASCEND_IS_AIC (g_coreType == AscendC::AIC)
#define ASCEND_IS_NOT_AIV (g_coreType != AscendC::AIV)
#define ASCEND_IS_NOT_AIC (g_coreType != AscendC::AIC)

namespace AscendC {

using ::GetTPipePtr;

inline int64_t GetBlockNum() { return emulator::Current().launch.request->blockDim; }
inline int64_t GetBlockIdx() { return emulator::Current().blockIdx; }
inline int64_t GetSubBlockIdx() { return emulator::Current().subBlockIdx; }
inline int64_t GetSubBlockNum() {
    const emulator::Core& core = emulator::Current();
    return core.type == emulator::CoreType::AIV ? int64_t(std::max(core.launch.aivPerGroup, 1u)) : 1;
}
// asc: system variables; 2 on the vector cores of a 1:2 kernel, else 1
inline int64_t GetTaskRatio() {
    const emulator::Core& core = emulator::Current();
    return core.type == emulator::CoreType::AIV && core.launch.aicPerGroup > 0 ? int64_t(core.launch.aivPerGroup) : 1;
}
inline int64_t GetTaskRation() { return GetTaskRatio(); }  // the older name
inline uint32_t GetUBSizeInBytes() { return uint32_t(emulator::Current().launch.product.ub); }
inline uint32_t GetRuntimeUBSize() { return uint32_t(emulator::Current().launch.product.ub); }
constexpr int16_t GetDataBlockSizeInBytes() { return 32; }
constexpr uint32_t GetVecLen() { return 256; }
inline int64_t GetSystemCycle() { return 0; }

// The workspace argument of an operator project points to the user's part already. asc: workspace pages
inline __gm__ uint8_t* GetUserWorkspace(GM_ADDR workspace) { return workspace; }
inline void SetSysWorkspace(GM_ADDR) {}
inline __gm__ uint8_t* GetSysWorkSpacePtr() { return nullptr; }

inline void InitSocState() {
    emulator::Core& core = emulator::Current();
    core.vectorMask[0] = core.vectorMask[1] = ~0ull;
    core.counterMode = core.atomicAdd = false;
}

inline void SetMaskCount(ASCGRAD_SITE) {
    emulator::Current().counterMode = true;
    emulator::Current().counterSite = site;
}
inline void SetMaskNorm() { emulator::Current().counterMode = false; }
inline void ResetMask() { emulator::Current().vectorMask[0] = emulator::Current().vectorMask[1] = ~0ull; }
template <typename T, MaskMode mode = MaskMode::NORMAL>
inline void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow, ASCGRAD_SITE) {
    emulator::Current().vectorMask[0] = maskLow;
    emulator::Current().vectorMask[1] = maskHigh;
    emulator::Current().maskSite = site;
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
inline void SetVectorMask(int32_t len, ASCGRAD_SITE) {
    const uint64_t n = uint64_t(len);
    if (mode == MaskMode::COUNTER) {
        SetVectorMask<T, mode>(0, n, site);
    } else {
        SetVectorMask<T, mode>(n <= 64 ? 0 : n >= 128 ? ~0ull : (1ull << (n - 64)) - 1, n >= 64 ? ~0ull : (1ull << n) - 1, site);
    }
}

#if __NPU_ARCH__ == 3510
template <bool isAIVOnly = true, const SyncAllConfig& config = DEFAULT_SYNC_ALL_CONFIG>
#else
template <bool isAIVOnly = true>
#endif
inline void SyncAll(ASCGRAD_SITE) {
#if __NPU_ARCH__ == 3510
    // asc: SyncAll; the configuration is for vector cores alone
    if constexpr (isAIVOnly) {
        emulator::SyncCores(true, isAIVOnly, 0, config.triggerPipe, config.waitPipe, site);
        return;
    }
#endif
    emulator::SyncCores(true, isAIVOnly, 0, PIPE_ALL, PIPE_ALL, site);
}

// The soft form: vector cores count each other in global memory, 32 bytes a core. asc: SyncAll
template <bool isAIVOnly = true>
inline void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, const int32_t usedCores = 0,
                    ASCGRAD_SITE) {
    emulator::Core& core = emulator::Current();
    const uint64_t bytes = uint64_t(GetBlockNum()) * 32;
    const uint8_t* address = emulator::Address(gmWorkspace);
    emulator::GlobalSpan span = emulator::CheckGlobal(address, bytes, true, "SyncAll", site);
    emulator::FitTensor(ubWorkspace, bytes, "SyncAll", "ubWorkspace", site);
    if (span && core.launch.check && core.reachedSyncs[isAIVOnly ? 1 : 2] == 0) {
        const uint8_t* defined = span.range->Defined(address);
        if (defined != nullptr && !emulator::AllBytes(defined, bytes, 0xFF)) {
            core.launch.Report("poison", site, "SyncAll: gmWorkspace has to be zero, it holds no defined value");
        } else if (!emulator::AllBytes(address, bytes, 0)) {
            core.launch.Report("sync", site, "SyncAll: gmWorkspace has to be zero");
        }
    }
    core.launch.syncAreas.push_back(emulator::Pattern(uint64_t(uintptr_t(address)), bytes));
    emulator::SyncCores(false, true, uint32_t(usedCores), PIPE_ALL, PIPE_ALL, site);
}

template <typename T, typename U>
constexpr auto CeilDivision(T a, U b) { return (a + b - 1) / b; }

namespace Std {
template <typename T>
constexpr T min(const T& a, const T& b) { return b < a ? b : a; }
template <typename T>
constexpr T max(const T& a, const T& b) { return a < b ? b : a; }
}  // namespace Std

}  // namespace AscendC
