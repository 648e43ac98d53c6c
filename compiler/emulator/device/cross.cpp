// Tiling, and what cores wait for.
#include "emulator/entry.h"

namespace emulator {

// ---- system.h ----

std::vector<DeclaredType>& DeclaredTypes() {
    static std::vector<DeclaredType> types;
    return types;
}

bool TilingKeyIs(uint64_t key, Site site) {
    Launch& launch = Current().launch;
    const bool found = launch.request->tilingKey == key;
    launch.keyAsked = site;
    launch.keyFound |= found;
    return found;
}

void CopyTiling(void* to, uint64_t offset, uint64_t bytes, uint64_t structBytes, const uint8_t* from, Site site) {
    Core& core = Current();
    std::memset(to, 0, bytes);
    const GlobalRange* entry = from != nullptr ? core.launch.gm.Find(from) : nullptr;
    if (entry == nullptr) {
        ASCGRAD_REPORT("tiling", site, "the tiling data is read from an address that is no argument");
        return;
    }
    uint64_t have = entry->range->bytes - uint64_t(from - entry->range->base);
    // Host and device pad the struct to a multiple of 8. asc: tiling structs
    if (entry->tiling && (structBytes + 7) / 8 * 8 != (have + 7) / 8 * 8) {
        ASCGRAD_REPORT("tiling", site, "the kernel's tiling struct has %llu bytes, the host handed over %llu",
                       (unsigned long long)structBytes, (unsigned long long)have);
    }
    if (offset < have) {
        std::memcpy(to, from + offset, std::min(bytes, have - offset));
    }
    core.counters.tiling += bytes;
}

// What waiting for cores of other blocks asks of the host.
static void CheckSchedule(const char* api, Site site) {
    Launch& launch = Current().launch;
    if (launch.request->scheduleMode != 1) {
        // asc: SetScheduleMode; otherwise blocks that do not run at once can wait for each other
        launch.Report("sync", site, "%s: the host has to call SetScheduleMode(1), it set %u", api, launch.request->scheduleMode);
    }
    if (launch.cores.size() < size_t(launch.request->blockDim) * (launch.aicPerGroup + launch.aivPerGroup)) {
        launch.Report("blocks", site, "%s waits for all blocks", api);
    }
    const uint32_t physical = launch.aivPerGroup == 0 || launch.aicPerGroup > 0 ? launch.product.aic : launch.product.aiv;
    if (launch.request->blockDim > physical) {
        launch.Report("sync", site, "%s: %u blocks cannot run at once on %u cores", api, launch.request->blockDim, physical);
    }
}

void SyncCores(bool hard, bool vectorOnly, uint32_t cores, pipe_t trigger, pipe_t wait, Site site) {
    Core& core = Current();
    Launch& launch = core.launch;
    const KernelMetaType type = launch.kernelType;
    if (hard && (type == KERNEL_TYPE_AIV_ONLY || type == KERNEL_TYPE_AIC_ONLY)) {
        // asc: CrossCoreSetFlag and SyncAll, constraints; the hardware leaves its scheduling module off in these two
        launch.Report("sync", site, "SyncAll: the hard form does not work in a kernel of type %s, KERNEL_TYPE_MIX_AIV_1_0 does",
                      type == KERNEL_TYPE_AIV_ONLY ? "KERNEL_TYPE_AIV_ONLY" : "KERNEL_TYPE_AIC_ONLY");
    }
    if (hard && !vectorOnly && launch.aicPerGroup == 0) {
        launch.Report("sync", site, "SyncAll<false>: this kernel has no cube cores, it would wait for ever");
    }
    if (hard && vectorOnly && core.type == CoreType::AIC) {
        // asc: SyncAll; inferred that a cube core passes the barrier of the vector cores
        launch.Report("sync", site, "SyncAll: a cube core takes no part in it, SyncAll<false> is the barrier of all cores");
        return;
    }
    CheckSchedule("SyncAll", site);
    core.Barrier(trigger, site);
    core.syncTold = core.Tell(trigger);
    core.syncTrigger = trigger;
    core.syncWait = wait;
    core.recorder.Arrive(site.file, site.line);
    core.counters.syncs += 1;
    core.waitKind = vectorOnly ? 1 : 2;
    core.reachedSyncs[core.waitKind] += 1;
    core.waitCores = cores;
    core.waitSite = site;
    core.state = CoreState::Waiting;
    Suspend();
}

// ---- cross.h ----

// What a set and a wait have to keep in common. asc: CrossCoreSetFlag, CrossCoreWaitFlag
static bool CheckFlag(const char* api, int mode, pipe_t pipe, int flag, bool pipeMatters, Site site) {
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

static void Raise(Core& core, int index, uint32_t join, const Shared& told, Site site) {
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
static void Collect(int mode, int flag, const std::vector<Core*>& setters, const std::vector<Core*>& receivers, Site site) {
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

static std::vector<Core*> VectorCores(const Core& core) {
    std::vector<Core*> cores;
    for (Core* vector : core.vector) {
        if (vector != nullptr) {
            cores.push_back(vector);
        }
    }
    return cores;
}

void SetCrossFlag(int mode, pipe_t pipe, int flag, Site site) {
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

void WaitCrossFlag(int mode, pipe_t pipe, int flag, Site site) {
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

// One core sets a post when all that it did is complete, and another one goes on from there. A post that is set is set
// again only after it was taken.
static void WaitForPost(const char* api, uint64_t address, bool set, Site site) {
    Core& core = Current();
    Launch& launch = core.launch;
    core.Barrier(PIPE_ALL, site);
    while (launch.posts[address].set != set) {  // another core may have been faster
        core.waitKind = 4;
        core.waitPost = address;
        core.waitSet = set;
        core.waitSite = core.lastSite = site;
        core.lastName = api;
        core.state = CoreState::Waiting;
        Suspend();
    }
    const Post& post = launch.posts[address];
    core.Learn(PIPE_ALL, post.told);
    core.recorder.WaitPosted(post.join, api, site.file, site.line);
}

static void TurnPost(uint64_t address, bool set, bool paired, Site site) {
    Core& core = Current();
    core.launch.posts[address] = {set, paired, core.recorder.Posted(), core.Tell(PIPE_ALL), site};
    core.launch.progress += 1;
}

// The memory that a kernel lends to a post: `local` and `global` bytes are the least that the page asks for.
static bool CheckPost(const char* api, const uint8_t* gm, uint64_t global, const Tensor& ub, uint64_t local, Site site) {
    Core& core = Current();
    GlobalSpan span = CheckGlobal(gm, global, true, api, site);
    if (!span || !CheckTensor(ub, api, "ubWorkspace", site) || FitTensor(ub, local, api, "ubWorkspace", site) != local) {
        return false;
    }
    core.launch.syncAreas.push_back(Pattern(uint64_t(uintptr_t(gm)), global));
    CheckSchedule(api, site);
    return true;
}

void BlockPost(const char* api, uint8_t* gm, const Tensor& ub, int32_t block, int32_t event, bool vectorOnly, bool set, Site site) {
    Core& core = Current();
    Launch& launch = core.launch;
    if (core.type == CoreType::AIC) {
        return;  // asc: IBSet; vector cores alone take part
    }
    const int64_t blocks = int64_t(launch.request->blockDim) * (vectorOnly ? 1 : 2);
    if (block < 0 || block >= blocks || event < 0) {
        ASCGRAD_REPORT("limit", site, "%s: blockIdx is %d, 0 to %lld is allowed, eventID is %d", api, block, (long long)blocks - 1, event);
        return;
    }
    const uint64_t offset = uint64_t(blocks * event + block) * BLOCK;
    if (!CheckPost(api, gm, offset + BLOCK, ub, BLOCK, site)) {
        return;
    }
    const uint64_t address = uint64_t(uintptr_t(gm)) + offset;
    if (launch.posts.count(address) == 0) {
        const uint8_t* defined = launch.gm.Find(gm)->Defined(gm + offset);
        const bool known = defined == nullptr || AllBytes(defined, BLOCK, 0xFF);
        if (launch.check && (!known || !AllBytes(gm + offset, 4, 0))) {
            launch.Report(known ? "sync" : "poison", site, "%s: gmWorkspace has to be zero%s", api, known ? "" : ", it holds no defined value");
        }
    }
    WaitForPost(api, address, !set, site);
    TurnPost(address, set, set, site);
}

void TakeTurns(const char* api, uint8_t* gm, const Tensor& ub, Turn turn, Site site) {
    Core& core = Current();
    const uint64_t blocks = core.launch.request->blockDim;
    if (core.type == CoreType::AIC || !CheckPost(api, gm, blocks * BLOCK, ub, blocks * BLOCK + BLOCK, site)) {
        return;
    }
    const uint64_t own = uint64_t(uintptr_t(gm)) + core.blockIdx * BLOCK, next = uint64_t(uintptr_t(gm)) + (core.blockIdx + 1) % blocks * BLOCK;
    if (turn == Turn::Begin) {
        core.Barrier(PIPE_ALL, site);
        if (core.blockIdx == 0) {
            TurnPost(own, true, false, site);
        }
    } else if (turn == Turn::Wait) {
        WaitForPost(api, own, true, site);
        TurnPost(own, false, false, site);
    } else {
        core.Barrier(PIPE_ALL, site);
        if (core.launch.posts[own].set) {
            ASCGRAD_REPORT("sync", site, "NotifyNextBlock: %s has not waited for its turn with WaitPreBlock", CoreName(core).c_str());
        }
        TurnPost(next, true, false, site);
    }
}

// ---- debug.h ----

void StopCore(const char* what, const char* expression, Site site) {
    Core& core = Current();
    core.launch.Report("crash", site, "%s%s: block %u stops here", what, expression, core.blockIdx);
    core.state = CoreState::Done;
    Suspend();
}

}  // namespace emulator
