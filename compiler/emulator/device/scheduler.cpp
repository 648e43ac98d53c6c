// Runs the cores of a launch as fibers, from barrier to barrier, and says what is wrong at the end.
#include "emulator/entry.h"

#include <csignal>
#include <ucontext.h>

namespace emulator {
namespace {

constexpr size_t STACK = 1 << 20, STACK_GUARD = 64 << 10;

class Fiber {
public:
    Fiber() : stack_(MapPages(STACK)) { mprotect(stack_, STACK_GUARD, PROT_NONE); }
    ~Fiber() { munmap(stack_, STACK); }
    void Start(void (*entry)(), ucontext_t* back) {
        getcontext(&context);
        context.uc_stack.ss_sp = stack_ + STACK_GUARD;
        context.uc_stack.ss_size = STACK - STACK_GUARD;
        context.uc_link = back;
        makecontext(&context, entry, 0);
    }
    ucontext_t context;

private:
    uint8_t* stack_;
};

// Memory and stacks are kept from core to core and from launch to launch.
template <class T>
class Pool {
public:
    T* Take() {
        if (free_.empty()) {
            return new T;
        }
        T* item = free_.back();
        free_.pop_back();
        return item;
    }
    void Give(T* item) { free_.push_back(item); }

private:
    std::vector<T*> free_;
};

Pool<UnifiedBuffer> buffers;
Pool<Fiber> fibers;
ucontext_t scheduler;
volatile sig_atomic_t crashed = 0;
const KernelEntry* kernel = nullptr;
const std::vector<void*>* arguments = nullptr;

void RunKernel() {
    kernel->call(*arguments);
    current->state = CoreState::Done;
}

// A wild pointer ends the core, not the process.
void OnCrash(int signal) {
    crashed = signal;
    setcontext(&scheduler);
}

class CrashGuard {
public:
    CrashGuard() : stack_(MapPages(SIZE)) {
        stack_t alternate = {};
        alternate.ss_sp = stack_;
        alternate.ss_size = SIZE;
        sigaltstack(&alternate, &before_);
        struct sigaction action = {};
        action.sa_handler = OnCrash;
        action.sa_flags = SA_ONSTACK | SA_NODEFER;
        for (size_t i = 0; i < 4; ++i) {
            sigaction(SIGNALS[i], &action, &old_[i]);
        }
    }
    ~CrashGuard() {
        for (size_t i = 0; i < 4; ++i) {
            sigaction(SIGNALS[i], &old_[i], nullptr);
        }
        sigaltstack(&before_, nullptr);
        munmap(stack_, SIZE);
    }

private:
    static constexpr size_t SIZE = 64 << 10;
    static constexpr int SIGNALS[4] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    uint8_t* stack_;
    stack_t before_ = {};
    struct sigaction old_[4] = {};
};

// What the cores of a complete barrier learn of one another.
void Meet(Launch& launch, const std::vector<Core*>& cores) {
    Shared told;
    bool all = cores.size() == launch.cores.size();
    for (const Core* core : cores) {
        told = Union(told, core->syncTold);
        all = all && core->syncTrigger == PIPE_ALL && core->syncWait == PIPE_ALL;
    }
    for (Core* core : cores) {
        core->Learn(core->syncWait, told);
        core->syncTold = nullptr;
    }
    if (all) {
        // Nothing before can be a hazard to anything after.
        launch.accesses.Clear();
        for (Core* core : cores) {
            for (Accesses& memory : core->order.memory) {
                memory.Clear();
            }
        }
    }
}

struct Running {
    Core* core;
    Fiber* fiber = nullptr;
};

class Scheduler {
public:
    explicit Scheduler(Launch& launch) : launch_(launch) {
        const std::string& order = launch.request->order;
        if (order.rfind("random:", 0) == 0) {
            random_ = std::strtoull(order.c_str() + 7, nullptr, 10) * 2 + 1;
        }
        reverse_ = order == "reverse";
        if (random_ == 0 && !reverse_ && order != "forward") {
            launch.Report("request", {"order", 0}, "order is %s, it has to be forward, reverse or random:SEED", order.c_str());
        }
    }
    ~Scheduler() {
        for (Running& r : cores_) {
            delete r.core;
        }
    }
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    // The cores of a group know each other, and their memories live as long as the launch.
    void AddGroup(uint32_t group) {
        Core* cube = launch_.aicPerGroup > 0 ? new Core(launch_, CoreType::AIC, group, 0) : nullptr;
        Core* vector[2] = {};
        for (uint32_t i = 0; i < launch_.aivPerGroup; ++i) {
            vector[i] = new Core(launch_, CoreType::AIV, group * launch_.aivPerGroup + i, i);
        }
        for (Core* core : {cube, vector[0], vector[1]}) {
            if (core == nullptr) {
                continue;
            }
            core->cube = cube;
            core->vector[0] = vector[0];
            core->vector[1] = vector[1];
            core->index = uint16_t(launch_.cores.size());
            cores_.push_back({core, nullptr});
            launch_.cores.push_back(core);
            if (launch_.request->timeline) {
                core->recorder.Open(launch_.report->timeline, core == cube, core->blockIdx, core->subBlockIdx);
            }
            if (cube != nullptr) {
                TakeMemory(*core);
            }
        }
    }

    // Runs all cores to the next barrier, again and again.
    void Run() {
        for (;;) {
            std::vector<size_t> ready;
            for (size_t i = 0; i < cores_.size(); ++i) {
                if (cores_[i].core->state == CoreState::Ready) {
                    ready.push_back(i);
                }
            }
            if (ready.empty()) {
                return;
            }
            for (size_t i = ready.size(); i > 1; --i) {
                if (random_ != 0) {
                    std::swap(ready[i - 1], ready[Random() % i]);
                } else if (reverse_ && i > ready.size() - i + 1) {
                    std::swap(ready[i - 1], ready[ready.size() - i]);
                }
            }
            const uint64_t before = launch_.progress;
            bool polling = true;
            for (size_t i : ready) {
                Resume(cores_[i]);
                polling = polling && cores_[i].core->state == CoreState::Ready && cores_[i].core->polling;
            }
            Release();
            idle_ = polling && launch_.progress == before ? idle_ + 1 : 0;
            if (idle_ == MANY_ROUNDS) {
                return;
            }
        }
    }

    // What is wrong when nothing can go on any more.
    void Finish() {
        for (const Running& r : cores_) {
            const Core* core = r.core;
            if (core->state == CoreState::Ready && core->polling) {
                launch_.Report("deadlock", core->waitSite, "%s polls a word of global memory that no core changes any more", CoreName(*core).c_str());
                continue;
            }
            if (core->state == CoreState::Waiting && core->waitKind >= 3) {
                core->waitKind == 3 ? ReportWait(*core) : ReportPost(*core);
            }
        }
        ReportBarrier(1, "vector cores");
        ReportBarrier(2, "cores");
        for (const auto& [address, post] : launch_.posts) {
            if (post.set && post.paired) {
                launch_.Report("sync", post.site, "IBSet: no core waits for it with IBWait");
            }
        }
        for (Running& r : cores_) {
            if (r.fiber != nullptr) {
                Retire(r);
            }
            CheckFlags(*r.core);
            GiveMemory(*r.core);
        }
    }

    Counters Sum() const {
        Counters sum;
        for (const Running& r : cores_) {
            const Counters& c = r.core->counters;
            sum.gmRead += c.gmRead, sum.gmWrite += c.gmWrite, sum.tiling += c.tiling;
            sum.vectorInstructions += c.vectorInstructions, sum.vectorElements += c.vectorElements;
            sum.ubLoaded += c.ubLoaded, sum.ubStored += c.ubStored;
            sum.scalarReads += c.scalarReads, sum.barriers += c.barriers, sum.syncs += c.syncs;
            sum.gmToUb += c.gmToUb, sum.ubToGm += c.ubToGm, sum.ubToUb += c.ubToUb;
            sum.gmToScalar += c.gmToScalar, sum.scalarToGm += c.scalarToGm;
            sum.gmToL1 += c.gmToL1, sum.l1ToGm += c.l1ToGm, sum.l1ToL0a += c.l1ToL0a, sum.l1ToL0b += c.l1ToL0b;
            sum.l0cToGm += c.l0cToGm, sum.l0cToUb += c.l0cToUb, sum.l0cToL1 += c.l0cToL1, sum.ubToL1 += c.ubToL1;
            sum.cubeMacs += c.cubeMacs, sum.crossFlags += c.crossFlags;
            sum.peakUb = std::max(sum.peakUb, c.peakUb);
            sum.peakL1 = std::max(sum.peakL1, c.peakL1);
            sum.peakL0a = std::max(sum.peakL0a, c.peakL0a);
            sum.peakL0b = std::max(sum.peakL0b, c.peakL0b);
            sum.peakL0c = std::max(sum.peakL0c, c.peakL0c);
        }
        return sum;
    }

private:
    size_t Random() {
        random_ = random_ * 6364136223846793005ull + 1442695040888963407ull;
        return size_t(random_ >> 33);
    }

    void Resume(Running& r) {
        if (r.fiber == nullptr) {
            r.fiber = fibers.Take();
            if (r.core->cube == nullptr) {
                TakeMemory(*r.core);
            }
            r.core->context = &r.fiber->context;
            r.fiber->Start(RunKernel, &scheduler);
        }
        current = r.core;
        crashed = 0;
        swapcontext(&scheduler, &r.fiber->context);
        if (crashed != 0) {
            const char* what = crashed == SIGFPE ? "an arithmetic trap" : crashed == SIGILL ? "an illegal instruction" : "a wild pointer";
            launch_.Report("crash", r.core->lastSite, "block %u was stopped by %s after %s", r.core->blockIdx, what, r.core->lastName);
            r.core->state = CoreState::Done;
        } else if (r.core->state == CoreState::Done) {
            CheckEnd(*r.core);
        }
        if (r.core->state == CoreState::Done) {
            Retire(r);
        }
        current = nullptr;
    }

    void Retire(Running& r) {
        fibers.Give(r.fiber);
        r.fiber = nullptr;
        if (r.core->cube == nullptr) {
            GiveMemory(*r.core);
        }
    }

    void TakeMemory(Core& core) {
        static const std::vector<Space> cube = {Space::L1, Space::L0A, Space::L0B, Space::L0C, Space::BT, Space::FB};
        static const std::vector<Space> vector = {Space::UB};
        for (Space space : core.type == CoreType::AIC ? cube : vector) {
            UnifiedBuffer* memory = buffers.Take();
            memory->Reset(launch_.check, std::min(core.Capacity(space), UnifiedBuffer::ARENA));
            core.local[int(space)] = memory;
        }
        core.ub = core.local[int(Space::UB)];
    }

    void GiveMemory(Core& core) {
        for (UnifiedBuffer*& memory : core.local) {
            if (memory != nullptr) {
                buffers.Give(memory);
                memory = nullptr;
            }
        }
        core.ub = nullptr;
    }

    // Cores that wait in a barrier, and what one does that does not come: the one that has been there least often.
    void ReportBarrier(int kind, const char* cores) {
        const Core *here = nullptr, *missing = nullptr;
        size_t waiting = 0, concerned = 0;
        for (const Running& r : cores_) {
            const Core* core = r.core;
            if (kind == 1 && core->type != CoreType::AIV) {
                continue;
            }
            concerned += 1;
            const bool waits = core->state == CoreState::Waiting && core->waitKind == kind;
            waiting += waits;
            if (waits) {
                here = here == nullptr || core->reachedSyncs[kind] > here->reachedSyncs[kind] ? core : here;
            } else {
                missing = missing == nullptr || core->reachedSyncs[kind] < missing->reachedSyncs[kind] ? core : missing;
            }
        }
        if (here == nullptr) {
            return;
        }
        const std::string other = missing == nullptr ? "" : ", " + CoreName(*missing) + " " + std::to_string(missing->reachedSyncs[kind]) +
                                                            " times and " + Doing(*missing);
        launch_.Report("deadlock", here->waitSite, "SyncAll: %zu of %zu %s wait for ever; %s reached it %u times%s", waiting, concerned, cores,
                       CoreName(*here).c_str(), here->reachedSyncs[kind], other.c_str());
    }

    // What a core does at the end of everything.
    static std::string Doing(const Core& core) {
        if (core.state != CoreState::Waiting) {
            return core.state == CoreState::Done ? "has ended" : "polls a word of global memory";
        }
        const std::string what = core.waitKind == 3   ? "waits for flag " + std::to_string(core.waitFlag % FLAGS)
                                 : core.waitKind == 4 ? "waits for a word of global memory"
                                                      : "waits in SyncAll";
        return what + " at " + Place(core.waitSite);
    }

    // Who waits for a flag that nobody can raise any more, and what those do who could have.
    void ReportWait(const Core& core) {
        const bool direct = core.waitFlag >= FLAGS;
        const int flag = direct ? core.waitFlag - FLAGS : core.waitFlag;
        std::string others;
        for (const Core* other : {core.cube, core.vector[0], core.vector[1]}) {
            if (other == nullptr || other == &core) {
                continue;
            }
            uint32_t sets = 0;
            for (int mode = 0; mode < 3 && !direct; ++mode) {
                sets += other->cross.pending[mode][flag];
            }
            others += "; " + CoreName(*other) + (sets > 0 ? " has set it, " : " ") + Doing(*other);
        }
        launch_.Report("deadlock", core.waitSite, "CrossCoreWaitFlag: %s waits for flag %d for ever%s", CoreName(core).c_str(), flag,
                       others.c_str());
    }

    void ReportPost(const Core& core) {
        const GlobalRange* entry = launch_.gm.Find(reinterpret_cast<const uint8_t*>(uintptr_t(core.waitPost)));
        const uint64_t place = entry == nullptr ? 0 : core.waitPost - uint64_t(uintptr_t(entry->range->base));
        launch_.Report("deadlock", core.waitSite, "%s: %s waits for ever at byte %llu of %s, which nobody %s", core.lastName, CoreName(core).c_str(),
                       static_cast<unsigned long long>(place), entry == nullptr ? "no argument" : entry->range->name.c_str(),
                       launch_.posts[core.waitPost].set ? "takes" : "sets");
    }

    // Flags that were raised or set and never waited for. asc: sets and waits come in pairs; on 3510 the next kernel
    // would see what is left
    void CheckFlags(const Core& core) {
        const CrossFlags& cross = core.cross;
        for (int i = 0; i < FLAGS + DIRECT_FLAGS; ++i) {
            if (cross.raised[i] > 0) {
                launch_.Report("sync", cross.raisedAt[i], "CrossCoreSetFlag: %s has not waited for flag %d, which is raised %u times at the end",
                               CoreName(core).c_str(), i < FLAGS ? i : i - FLAGS, cross.raised[i]);
            }
        }
        for (int mode = 0; mode < 3; ++mode) {
            for (int i = 0; i < FLAGS; ++i) {
                if (cross.pending[mode][i] > 0) {
                    launch_.Report("sync", cross.pendingAt[mode][i], "CrossCoreSetFlag: flag %d of mode %d set by %s takes no effect, the others "
                                   "of the set have not set it as often", i, mode, CoreName(core).c_str());
                }
            }
        }
    }

    void CheckEnd(Core& core) {
        ReportEarlyReads(core);
        for (const auto& [id, lock] : core.locks) {
            if (lock.held) {
                launch_.Report("sync", lock.site, "Mutex::Lock: %d is still locked when the kernel ends", id);
            }
        }
        for (size_t event = 0; event < size_t(AscendC::HardEvent::MAX); ++event) {
            for (int id = 0; id < 8; ++id) {
                if (core.flags[event][id]) {
                    launch_.Report("event", core.flagSites[event][id], "SetFlag<%s>: flag %d is still set when the kernel ends",
                                   Name(AscendC::HardEvent(event)), id);
                }
            }
        }
        for (uint8_t flag : core.unitFlags) {
            if (flag != 0) {
                launch_.Report("sync", core.unitSite, "Mmad: results of unitFlag 3 are never taken by a Fixpipe with unitFlag");
                break;
            }
        }
        // asc: DisableDmaAtomic, SetMaskCount, SetVectorMask; each page asks to restore the default after use
        if (core.atomicAdd) {
            launch_.Report("state", core.atomicSite, "an atomic operation is still in force when the kernel ends, DisableDmaAtomic ends it");
        }
        if (core.counterMode) {
            launch_.Report("state", core.counterSite, "SetMaskCount is still in force when the kernel ends, SetMaskNorm ends it");
        }
        if (core.vectorMask[0] != ~0ull || core.vectorMask[1] != ~0ull) {
            launch_.Report("state", core.maskSite, "SetVectorMask: the mask is still changed when the kernel ends, ResetMask restores it");
        }
        if (core.loopModeSet[0] || core.loopModeSet[1]) {
            launch_.Report("state", core.lastSite, "SetLoopModePara is still in force when the kernel ends");
        }
    }

    // Lets go the cores whose barrier is complete.
    void Release() {
        for (int kind : {1, 2}) {
            std::vector<Core*> waiting;
            size_t needed = 0;
            for (Running& r : cores_) {
                if (kind == 2 || r.core->type == CoreType::AIV) {
                    needed += 1;
                }
                if (r.core->state == CoreState::Waiting && r.core->waitKind == kind) {
                    waiting.push_back(r.core);
                }
            }
            if (!waiting.empty() && waiting[0]->waitCores > 0) {
                needed = waiting[0]->waitCores;
            }
            if (!waiting.empty() && waiting.size() >= needed) {
                Meet(launch_, waiting);
                Recorder::Release(waiting);
                for (Core* core : waiting) {
                    core->state = CoreState::Ready;
                }
            }
        }
        for (Running& r : cores_) {
            Core& core = *r.core;
            if (core.state != CoreState::Waiting) {
                continue;
            }
            if ((core.waitKind == 3 && core.cross.raised[core.waitFlag] > 0) ||
                (core.waitKind == 4 && launch_.posts[core.waitPost].set == core.waitSet)) {
                core.state = CoreState::Ready;
            }
        }
    }

    Launch& launch_;
    std::vector<Running> cores_;
    static constexpr uint32_t MANY_ROUNDS = 1000;
    uint32_t idle_ = 0;    // rounds in which cores only polled
    uint64_t random_ = 0;  // state of the generator; 0: cores are not shuffled
    bool reverse_ = false;
};

// Whether the memory behind each parameter that is a value has its size; a struct may be padded to 8 bytes.
bool CheckValues(Launch& launch, const std::vector<size_t>& sizes) {
    for (size_t i = 0; i < sizes.size(); ++i) {
        uint64_t have = 0;
        for (const GmRange& range : launch.request->ranges) {
            have = range.base == launch.request->args[i] ? range.bytes : have;
        }
        if (sizes[i] > 0 && (have + 7) / 8 != (sizes[i] + 7) / 8) {
            launch.Report("request", {"", 0}, "parameter %zu of the kernel takes %zu bytes by value, %llu are given", i + 1, sizes[i],
                          static_cast<unsigned long long>(have));
            return false;
        }
    }
    return true;
}

// asc: kernel types; how many cores of each kind a block has
void ApplyKernelType(Launch& launch, KernelMetaType entry) {
    KernelMetaType type = entry;
    for (const DeclaredType& declared : DeclaredTypes()) {
        if (declared.key < 0 && type == entry) {
            type = declared.type;
        } else if (declared.key >= 0 && uint64_t(declared.key) == launch.request->tilingKey) {
            type = declared.type;
            break;
        }
    }
    launch.kernelType = type;
    launch.aicPerGroup = type == KERNEL_TYPE_AIC_ONLY || type == KERNEL_TYPE_MIX_AIC_1_0 || type == KERNEL_TYPE_MIX_AIC_1_1 ||
                         type == KERNEL_TYPE_MIX_AIC_1_2;
    launch.aivPerGroup = type == KERNEL_TYPE_AIC_ONLY || type == KERNEL_TYPE_MIX_AIC_1_0 ? 0 : type == KERNEL_TYPE_MIX_AIC_1_2 ? 2 : 1;
}

// Accesses that nothing orders. A finding is where the later one is; of two cores, where the one that writes is.
void ReportHazards(Launch& launch) {
    const std::vector<Hazard> hazards = launch.hazards.Sorted();
    for (const Hazard& hazard : hazards) {
        const bool counted = std::any_of(launch.syncAreas.begin(), launch.syncAreas.end(), [&](const Pattern& area) {
            return hazard.global && area.begin <= hazard.place + hazard.low && hazard.place + hazard.high <= area.end;
        });
        if (counted) {
            continue;  // asc: SyncAll, soft form; each core sets all of gmWorkspace to zero
        }
        const auto told = [&](const Hazard& before) { return before.SamePlaces(hazard); };
        if (hazard.OfLine() && std::any_of(hazards.data(), &hazard, told)) {
            continue;
        }
        const bool oneCore = hazard.OneCore();
        const Record &here = oneCore ? hazard.second : hazard.first, &there = oneCore ? hazard.first : hazard.second;
        const std::string hereOn = Name(PipeAt(here.pipe)), thereOn = Name(PipeAt(there.pipe));
        const std::string remedy = hazard.OfLine()     ? "what cores write has to lie in cache lines of 64 bytes of their own"
                                   : !oneCore          ? "neither SyncAll nor a flag between the cores orders them"
                                   : hereOn == thereOn ? "PipeBarrier<" + hereOn + "> has to come between"
                                                       : "a queue or a flag " + thereOn.substr(5) + "_" + hereOn.substr(5) + " has to come between";
        launch.report->findings.push_back(
            {"hazard", here.site.file, here.site.line,
             std::string(here.name) + " on " + hereOn + " of " + hazard.cores[oneCore ? 1 : 0] + " " + Verb(here.kind) + " bytes " +
                 std::to_string(hazard.low) + " to " + std::to_string(hazard.high) + " of " + hazard.memory + ", which " + there.name + " on " +
                 thereOn + (oneCore ? "" : " of " + hazard.cores[1]) + " " + Verb(there.kind) + " at " + Place(there.site) + ": " + remedy,
             hazard.callers});
    }
}

}  // namespace

void Execute(const KernelEntry& entry, const LaunchRequest& request, LaunchReport& report) {
    Launch launch;
    launch.request = &request;
    launch.report = &report;
    launch.check = request.check;
    launch.ReadProduct();
    if (launch.product.arch != __NPU_ARCH__) {
        launch.Report("request", {"", 0}, "the kernel is compiled for architecture %d, the product has %u", __NPU_ARCH__, launch.product.arch);
        return;
    }
    if (request.args.size() != entry.valueBytes.size()) {
        launch.Report("request", {"", 0}, "the kernel takes %zu arguments, the launch has %zu", entry.valueBytes.size(),
                      request.args.size());
        return;
    }
    if (!CheckValues(launch, entry.valueBytes)) {
        return;
    }
    ApplyKernelType(launch, entry.type);
    // asc: SIMD BuiltIn keywords, numBlocks; groups of cube and vector cores run all at once
    const bool groups = launch.aicPerGroup > 0 && launch.aivPerGroup > 0;
    const uint32_t most = groups ? launch.product.aic : uint32_t(launch.Figure("limits.blocks"));
    if (request.blockDim == 0 || request.blockDim > most) {
        launch.Report("request", {"", 0}, "blockDim is %u, wants 1 to %u, the %s", request.blockDim, most,
                      groups ? "groups of cube and vector cores that there are" : "blocks that can be launched");
        return;
    }
    launch.gm.Open(request.ranges, request.check);
    kernel = &entry;
    arguments = &request.args;

    Scheduler cores(launch);
    for (uint32_t group = 0; group < request.blockDim; ++group) {
        bool wanted = request.blocks.empty();
        for (uint32_t block : request.blocks) {
            wanted = wanted || block == group;
        }
        if (!wanted) {
            continue;
        }
        cores.AddGroup(group);
    }
    {
        CrashGuard guard;
        cores.Run();
    }
    cores.Finish();
    ReportHazards(launch);
    if (launch.keyAsked.line != 0 && !launch.keyFound && request.tilingKey != 0) {  // 0: nobody gave the launch a key
        launch.Report("tiling", launch.keyAsked, "TILING_KEY_IS: the launch has tiling key %llu, which the kernel never asks for",
                      static_cast<unsigned long long>(request.tilingKey));
    }

    const Counters sum = cores.Sum();
    auto& c = report.counters;
    c["gm_read_bytes"] = double(sum.gmRead);
    c["gm_write_bytes"] = double(sum.gmWrite);
    c["tiling_bytes"] = double(sum.tiling);
    c["vector_instructions"] = double(sum.vectorInstructions);
    c["vector_elements"] = double(sum.vectorElements);
    c["vector_function_launches"] = 0;
    c["ub_bytes_loaded"] = double(sum.ubLoaded);
    c["ub_bytes_stored"] = double(sum.ubStored);
    c["cube_macs"] = double(sum.cubeMacs);
    c["scalar_reads"] = double(sum.scalarReads);
    c["barriers"] = double(sum.barriers);
    c["sync_alls"] = double(sum.syncs);
    c["paths.gm_to_ub"] = double(sum.gmToUb);
    c["paths.ub_to_gm"] = double(sum.ubToGm);
    c["paths.ub_to_ub"] = double(sum.ubToUb);
    c["paths.gm_to_scalar"] = double(sum.gmToScalar);
    c["paths.scalar_to_gm"] = double(sum.scalarToGm);
    c["cross_flags"] = double(sum.crossFlags);
    c["paths.gm_to_l1"] = double(sum.gmToL1);
    c["paths.l1_to_gm"] = double(sum.l1ToGm);
    c["paths.l1_to_l0a"] = double(sum.l1ToL0a);
    c["paths.l1_to_l0b"] = double(sum.l1ToL0b);
    c["paths.l0c_to_gm"] = double(sum.l0cToGm);
    c["paths.l0c_to_ub"] = double(sum.l0cToUb);
    c["paths.l0c_to_l1"] = double(sum.l0cToL1);
    c["paths.ub_to_l1"] = double(sum.ubToL1);
    c["peak.ub"] = double(sum.peakUb);
    c["peak.l1"] = double(sum.peakL1);
    c["peak.l0a"] = double(sum.peakL0a);
    c["peak.l0b"] = double(sum.peakL0b);
    c["peak.l0c"] = double(sum.peakL0c);
}

void Suspend() {
    auto* context = static_cast<ucontext_t*>(current->context);
    swapcontext(context, &scheduler);
}

}  // namespace emulator
