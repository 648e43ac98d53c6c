#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"

namespace fe {
class PlatFormInfos;
}

namespace gert {

class TilingParseContext : public ExtendedKernelContext {
public:
    TilingParseContext(emulator::Node* node, void* compileInfo, fe::PlatFormInfos* platform)
        : ExtendedKernelContext(node),
          compileInfo_(compileInfo),
          platform_(platform)
    {
    }
    const char* GetCompiledJson() const { return "{}"; }
    template <typename T>
    T* GetCompiledInfo() const
    {
        return static_cast<T*>(compileInfo_);
    }
    fe::PlatFormInfos* GetPlatformInfo() const { return platform_; }

private:
    void* compileInfo_;
    fe::PlatFormInfos* platform_;
};

}  // namespace gert
