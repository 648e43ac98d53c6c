#pragma once

#include <string>

#include "aclnn/aclnn_base.h"
#include "graph/ascend_string.h"
#include "platform/platform_info.h"
#include "platform/soc_spec.h"

namespace op {

enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND910_93,
    ASCEND910_95,
    ASCEND950 = ASCEND910_95,
    ASCEND910E,
    ASCEND310,
    ASCEND310P,
    ASCEND310B,
    RESERVED_VERSION = 99999
};

class PlatformInfo {
public:
    SocVersion GetSocVersion() const;
    const std::string& GetSocLongVersion() const;
    int32_t GetDeviceId() const { return 0; }
    int64_t GetBlockSize() const;
    uint32_t GetCubeCoreNum() const;
    uint32_t GetVectorCoreNum() const;
    bool Valid() const { return true; }
    NpuArch GetCurNpuArch() const;
    fe::PlatFormInfos* GetPlatformInfos() const;
};

const PlatformInfo& GetCurrentPlatformInfo();
ge::AscendString ToString(SocVersion version);

}  // namespace op
