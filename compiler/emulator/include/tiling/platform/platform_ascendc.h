// What tiling asks about the product; every number comes from the product file.
#pragma once

#include <cstdint>
#include <memory>

#include "platform/platform_infos_def.h"
#include "platform/soc_spec.h"

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };
enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND310P,
    ASCEND310B,
    ASCEND910_95,
    ASCEND950 = ASCEND910_95,
    RESERVED_VERSION = 99999
};
enum class ReservedSize { RESERVED_SIZE_8K = 0, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

class PlatformAscendC {
public:
    PlatformAscendC() = delete;
    explicit PlatformAscendC(fe::PlatFormInfos* infos) : infos_(infos) {}

    uint32_t GetCoreNum() const { return GetCoreNumAiv(); }
    uint32_t GetCoreNumAic() const;
    uint32_t GetCoreNumAiv() const;
    uint32_t GetCoreNumVector() const { return GetCoreNumAiv(); }
    uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) const;
    uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t aic, uint32_t aiv) const
    {
        return CalcTschBlockDim(slices, aic, aiv);
    }
    uint32_t GetLibApiWorkSpaceSize() const;
    void GetCoreMemSize(const CoreMemType& type, uint64_t& size) const;
    void GetCoreMemBw(const CoreMemType& type, uint64_t& bandwidth) const;
    SocVersion GetSocVersion() const;
    NpuArch GetCurNpuArch() const;
    uint32_t GetVecRegLen() const;
    void ReserveLocalMemory(ReservedSize size);
    fe::PlatFormInfos* GetPlatFormInfo() const { return infos_; }

private:
    fe::PlatFormInfos* infos_;
    uint64_t reserved_ = 0;
};

class PlatformAscendCManager {
public:
    static PlatformAscendC* GetInstance();
    static PlatformAscendC* GetInstance(const char*) { return GetInstance(); }
};

}  // namespace platform_ascendc
