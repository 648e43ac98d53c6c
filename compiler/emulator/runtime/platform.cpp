#include "platform/platform_info.h"

#include "acl/acl_base.h"
#include "host_state.h"
#include "opdev/platform.h"
#include "tiling/platform/platform_ascendc.h"

using emulator::TheHost;

namespace fe {

bool PlatFormInfos::GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const
{
    const auto group = resources.find(label);
    if (group == resources.end()) {
        return false;
    }
    const auto entry = group->second.find(key);
    if (entry == group->second.end()) {
        return false;
    }
    value = entry->second;
    return true;
}

bool PlatFormInfos::GetPlatformRes(const std::string& label, std::map<std::string, std::string>& values) const
{
    const auto group = resources.find(label);
    if (group == resources.end()) {
        return false;
    }
    values = group->second;
    return true;
}

void PlatFormInfos::SetPlatformRes(const std::string& label, std::map<std::string, std::string>& values)
{
    resources[label] = values;
}

uint32_t PlatFormInfos::GetCoreNum() const { return TheHost().CubeCores(); }

uint32_t PlatFormInfos::GetCoreNumByType(const std::string& type) const
{
    return type == "VectorCore" ? TheHost().VectorCores() : TheHost().CubeCores();
}

void PlatFormInfos::GetLocalMemSize(const LocalMemType& type, uint64_t& size) const
{
    platform_ascendc::PlatformAscendC(const_cast<PlatFormInfos*>(this))
        .GetCoreMemSize(static_cast<platform_ascendc::CoreMemType>(type), size);
}

PlatformInfoManager& PlatformInfoManager::Instance()
{
    static PlatformInfoManager manager;
    return manager;
}

}  // namespace fe

namespace platform_ascendc {

uint32_t PlatformAscendC::GetCoreNumAic() const { return TheHost().CubeCores(); }
uint32_t PlatformAscendC::GetCoreNumAiv() const { return TheHost().VectorCores(); }

uint32_t PlatformAscendC::CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) const
{
    if (aic == 0 || aiv == 0 || aic > aiv) {
        return slices;
    }
    const uint32_t ratio = aiv / aic;
    return (slices + ratio - 1) / ratio;
}

uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const
{
    return static_cast<uint32_t>(TheHost().Figure("memory.system_workspace"));
}

void PlatformAscendC::GetCoreMemSize(const CoreMemType& type, uint64_t& size) const
{
    static const std::map<CoreMemType, const char*> names = {
        {CoreMemType::L0_A, "memory.l0a"}, {CoreMemType::L0_B, "memory.l0b"},   {CoreMemType::L0_C, "memory.l0c"},
        {CoreMemType::L1, "memory.l1"},    {CoreMemType::L2, "memory.l2"},      {CoreMemType::UB, "memory.ub"},
        {CoreMemType::HBM, "memory.hbm"},  {CoreMemType::FB, "memory.fixpipe"}, {CoreMemType::BT, "memory.bias_table"}};
    const auto found = names.find(type);
    size = found == names.end() ? 0 : static_cast<uint64_t>(TheHost().Figure(found->second));
    if (type == CoreMemType::UB) {
        size -= reserved_ < size ? reserved_ : size;
    }
}

void PlatformAscendC::GetCoreMemBw(const CoreMemType& type, uint64_t& bandwidth) const
{
    bandwidth = static_cast<uint64_t>(TheHost().Figure(type == CoreMemType::L2 ? "rates.l2_read" : "rates.hbm_read"));
}

// A3 parts answer ASCEND910B as well (asc-devkit, platform_ascendc.cpp).
SocVersion PlatformAscendC::GetSocVersion() const
{
    return TheHost().Figure("npu_arch") >= 3510 ? SocVersion::ASCEND950 : SocVersion::ASCEND910B;
}

NpuArch PlatformAscendC::GetCurNpuArch() const { return static_cast<NpuArch>(TheHost().Figure("npu_arch")); }

uint32_t PlatformAscendC::GetVecRegLen() const
{
    return TheHost().Figure("npu_arch") >= 3510 ? static_cast<uint32_t>(TheHost().Figure("alignment.vector")) : 0;
}

void PlatformAscendC::ReserveLocalMemory(ReservedSize size) { reserved_ = uint64_t{8192} << static_cast<int>(size); }

PlatformAscendC* PlatformAscendCManager::GetInstance()
{
    static PlatformAscendC platform(&TheHost().platform);
    return &platform;
}

}  // namespace platform_ascendc

namespace op {

SocVersion PlatformInfo::GetSocVersion() const
{
    const std::string name = TheHost().Text("name");
    if (GetCurNpuArch() == NpuArch::DAV_3510) {
        return SocVersion::ASCEND950;
    }
    return name == "ascend910_93" ? SocVersion::ASCEND910_93 : SocVersion::ASCEND910B;
}

const std::string& PlatformInfo::GetSocLongVersion() const
{
    static std::string version;
    version = TheHost().Text("soc_version");
    return version;
}

int64_t PlatformInfo::GetBlockSize() const { return static_cast<int64_t>(TheHost().Figure("alignment.ub")); }
uint32_t PlatformInfo::GetCubeCoreNum() const { return TheHost().CubeCores(); }
uint32_t PlatformInfo::GetVectorCoreNum() const { return TheHost().VectorCores(); }
NpuArch PlatformInfo::GetCurNpuArch() const { return static_cast<NpuArch>(TheHost().Figure("npu_arch")); }
fe::PlatFormInfos* PlatformInfo::GetPlatformInfos() const { return &TheHost().platform; }

const PlatformInfo& GetCurrentPlatformInfo()
{
    static PlatformInfo info;
    return info;
}

ge::AscendString ToString(SocVersion version)
{
    switch (version) {
        case SocVersion::ASCEND910B: return "Ascend910B";
        case SocVersion::ASCEND910_93: return "Ascend910_93";
        case SocVersion::ASCEND950: return "Ascend950";
        default: return "unknown";
    }
}

}  // namespace op

extern "C" const char* aclrtGetSocName() { return op::GetCurrentPlatformInfo().GetSocLongVersion().c_str(); }
