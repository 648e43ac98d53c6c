// Flags between the cores of a launch.
#pragma once

#include "emulator/system.h"

namespace emulator {

// What a set and a wait have to keep in common. asc: CrossCoreSetFlag, CrossCoreWaitFlag
ASCGRAD_OUTLINE bool CheckFlag(const char* api, int mode, pipe_t pipe, int flag, bool pipeMatters, Site site) {
    Core& core = Current();
    Launch& launch = core.launch;
    const KernelMetaType type = launch.kernelType;
    if (mode < 0 || mode > 4 || mode == 3 || (mode == 4 && __NPU_ARCH__ != 3510)) {
        launch.Report("api", site, "%s: this product has no mode %d", api, mode);
        return false;
    }
    const bool pair = type == KERNEL_TYPE_MIX_AIC_1_1 || type == KERNEL_TYPE_MIX_AIC_1_2;
    if ((mode == 0 && !pair && type != KERNEL_TYPE_MIX_AIV_1_0 && type != KERNEL_TYPE_MIX_AIC_1_0) ||
        ((mode == 1 || mode == 2) && !pair) || (mode == 4 && type != KERNEL_TYPE_MIX_AIC_1_2)) {
        launch.Report("sync", site, "%s: mode %d does not work with this kernel type, %s does", api, mode,
                      mode == 0 ? "KERNEL_TYPE_MIX_*" : mode == 4 ? "KERNEL_TYPE_MIX_AIC_1_2" : "KERNEL_TYPE_MIX_AIC_1_1 or 1_2");
        return false;
    }
    if (pipeMatters && (pipe == PIPE_ALL || (pipe == PIPE_S && mode != 4))) {
        launch.Report("api", site, "%s: %s is not supported in mode %d", api, Name(pipe), mode);
    } else if (pipeMatters && !core.HasPipe(pipe)) {
        launch.Report("api", site, "%s: %s has no %s, nothing would happen", api, CoreName(core).c_str(), Name(pipe));
        return false;
    }
    // On a cube core the ids of its second vector core start at 16.
    const bool second = mode == 4 && core.type == CoreType::AIC && flag >= 16;
    if (mode == 4 ? (second ? flag - 16 : flag) < 0 || (second ? flag - 16 : flag) > 10 : flag < 0 || flag > 15) {
        launch.Report("limit", site, "%s: flag %d, %s is allowed", api, flag,
                      mode != 4 ? "0 to 15" : core.type == CoreType::AIC ? "0 to 10 or 16 to 26" : "0 to 10");
        return false;
    }
    if (mode == 0) {
        CheckSchedule(api, site);
    }
    return true;
}

inline void Raise(Core& core, int index, uint32_t join, const Shared& told, Site site) {
    core.recorder.Raise(index, join);
    CrossFlags& cross = core.cross;
    cross.raised[index] += 1;
    cross.told[index].push_back(told);
    cross.raisedAt[index] = site;
    if (int64_t(cross.raised[index]) > core.launch.product.flagCount) {
        ASCGRAD_REPORT("sync", site, "CrossCoreSetFlag: flag %d of %s is raised %u times and not waited for, its counter ends at %lld",
                       index % FLAGS, CoreName(core).c_str(), cross.raised[index], (long long)core.launch.product.flagCount);
    }
}

// Raises a flag of `receivers` when every one of `setters` has set it.
inline void Collect(int mode, int flag, const std::vector<Core*>& setters, const std::vector<Core*>& receivers, Site site) {
    for (const Core* core : setters) {
        if (core->cross.pending[mode][flag] == 0) {
            return;
        }
    }
    Shared told;
    for (Core* core : setters) {
        core->cross.pending[mode][flag] -= 1;
        std::vector<Shared>& toTell = core->cross.toTell[mode][flag];
        told = Union(told, toTell.front());
        toTell.erase(toTell.begin());
    }
    const uint32_t join = Recorder::Gather(mode == 0 ? JoinKind::AllCores : JoinKind::Group, mode, flag, setters);
    for (Core* core : receivers) {
        Raise(*core, flag, join, told, site);
    }
}

inline std::vector<Core*> VectorCores(const Core& core) {
    std::vector<Core*> cores;
    for (Core* vector : core.vector) {
        if (vector != nullptr) {
            cores.push_back(vector);
        }
    }
    return cores;
}

ASCGRAD_OUTLINE void SetCrossFlag(int mode, pipe_t pipe, int flag, Site site) {
    Core& core = Current();
    core.counters.crossFlags += 1;
    if (!CheckFlag("CrossCoreSetFlag", mode, pipe, flag, true, site)) {
        return;
    }
    if (mode != 4 && flag >= 11 && flag <= 14) {
        ASCGRAD_REPORT("sync", site, "CrossCoreSetFlag: flag %d is one of 11 to 14, which SyncAll uses", flag);
    }
    core.recorder.Set(mode, flag, pipe, site.file, site.line);
    if (mode == 4) {
        Core* receiver = core.type == CoreType::AIC ? core.vector[flag / 16] : core.cube;
        const uint32_t join = Recorder::Gather(JoinKind::Group, mode, flag, std::vector<Core*>{&core});
        if (receiver != nullptr) {
            Raise(*receiver, FLAGS + (core.type == CoreType::AIC ? flag % 16 : flag + 16 * int(core.subBlockIdx)), join, core.Tell(pipe), site);
        }
        return;
    }
    CrossFlags& cross = core.cross;
    cross.pending[mode][flag] += 1;
    cross.pendingAt[mode][flag] = site;
    cross.toTell[mode][flag].push_back(core.Tell(pipe));
    if (int64_t(cross.pending[mode][flag]) > core.launch.product.flagCount) {
        // Inferred: what is not complete yet is counted as the flag itself is.
        ASCGRAD_REPORT("sync", site, "CrossCoreSetFlag: %s has set flag %d %u times, other cores of the set less often by more than %lld",
                       CoreName(core).c_str(), flag, cross.pending[mode][flag], (long long)core.launch.product.flagCount);
    }
    if (mode == 0) {
        std::vector<Core*> all;
        for (Core* other : core.launch.cores) {
            if (other->type == core.type) {
                all.push_back(other);
            }
        }
        Collect(mode, flag, all, all, site);
    } else if (mode == 1) {
        Collect(mode, flag, VectorCores(core), VectorCores(core), site);
    } else if (core.type == CoreType::AIC) {
        Collect(mode, flag, {&core}, VectorCores(core), site);
    } else {
        Collect(mode, flag, VectorCores(core), {core.cube}, site);
    }
}

ASCGRAD_OUTLINE void WaitCrossFlag(int mode, pipe_t pipe, int flag, Site site) {
    Core& core = Current();
    // asc: mode and pipe of a wait have an effect on 3510 only. There the wait holds back one pipe, elsewhere all of them.
    if (!CheckFlag("CrossCoreWaitFlag", __NPU_ARCH__ == 3510 ? mode : mode == 4 ? 4 : core.cube != nullptr && core.vector[0] != nullptr ? 2 : 0,
                   pipe, flag, __NPU_ARCH__ == 3510, site)) {
        return;
    }
    core.waitFlag = mode == 4 ? FLAGS + flag : flag;
    if (core.cross.raised[core.waitFlag] == 0) {
        core.waitKind = 3;
        core.waitSite = site;
        core.state = CoreState::Waiting;
        core.lastSite = site;
        core.lastName = "CrossCoreWaitFlag";
        Suspend();
    }
    if (core.cross.raised[core.waitFlag] > 0) {
        core.cross.raised[core.waitFlag] -= 1;
        std::vector<Shared>& told = core.cross.told[core.waitFlag];
        core.Learn(__NPU_ARCH__ == 3510 ? pipe : PIPE_ALL, told.front());
        told.erase(told.begin());
    }
    // asc: on 2201 the wait holds back every pipe, on 3510 the one that it names
    core.recorder.WaitRaised(core.waitFlag, __NPU_ARCH__ == 3510 ? pipe : PIPE_S, site.file, site.line);
}

}  // namespace emulator

namespace AscendC {

template <uint8_t modeId, pipe_t pipe>
inline void CrossCoreSetFlag(uint16_t flagId, ASCGRAD_SITE) { emulator::SetCrossFlag(modeId, pipe, flagId, site); }
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
inline void CrossCoreWaitFlag(uint16_t flagId, ASCGRAD_SITE) { emulator::WaitCrossFlag(modeId, pipe, flagId, site); }

}  // namespace AscendC
