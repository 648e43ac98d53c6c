// fe::PlatFormInfos over the figures of the product file.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace fe {

enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

class PlatFormInfos {
public:
    bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const;
    bool GetPlatformResWithLock(const std::string& label, const std::string& key, std::string& value) const
    {
        return GetPlatformRes(label, key, value);
    }
    bool GetPlatformRes(const std::string& label, std::map<std::string, std::string>& values) const;
    void SetPlatformRes(const std::string& label, std::map<std::string, std::string>& values);
    uint32_t GetCoreNum() const;
    uint32_t GetCoreNumByType(const std::string& type) const;
    void GetLocalMemSize(const LocalMemType& type, uint64_t& size) const;

    std::map<std::string, std::map<std::string, std::string>> resources;
};

struct OptionalInfos {};

class PlatformInfoManager {
public:
    static PlatformInfoManager& Instance();
};

}  // namespace fe
