// A launch and its cores: findings, counters, and the one place through which every instruction goes.
#pragma once

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <unordered_set>

#include "emulator/memory.h"
#include "emulator/order.h"

namespace emulator {

struct Product {
    uint32_t arch, aic, aiv;
    uint64_t ub, ubReserved, l1, l0a, l0b, l0c, biasTable, fixpipe;
    int64_t ubAlignment, compareAlignment;
    int64_t l1Alignment, l0Alignment, l0cAlignment, l0cMmadAlignment, biasAlignment;
    int64_t nd2nzMatrices, nd2nzRows, nd2nzColumns, nd2nzPitch, nd2nzMatrixStride, nd2nzL1Stride, nd2nzL1MatrixStride;
    int64_t loadRepeat, mmadSize, fixpipeColumns, fixpipeRows, fixpipeRowsNd, flagCount;
    int64_t repeat, repeatStride, blockCount, blockBytes, padBytes, ubStride, gmStride;
    uint32_t buffers, queueEvents;
    bool zeroCountIsNop, vectorOrder;
};

struct Counters {
    uint64_t gmRead = 0, gmWrite = 0, tiling = 0;
    uint64_t vectorInstructions = 0, vectorElements = 0, ubLoaded = 0, ubStored = 0;
    uint64_t scalarReads = 0, barriers = 0, syncs = 0;
    uint64_t gmToUb = 0, ubToGm = 0, ubToUb = 0, gmToScalar = 0, scalarToGm = 0;
    uint64_t gmToL1 = 0, l1ToGm = 0, l1ToL0a = 0, l1ToL0b = 0, l0cToGm = 0, l0cToUb = 0, l0cToL1 = 0, ubToL1 = 0;
    uint64_t cubeMacs = 0, crossFlags = 0;
    uint64_t peakUb = 0, peakL1 = 0, peakL0a = 0, peakL0b = 0, peakL0c = 0;
};

enum class BufferState : uint8_t { Free, Occupied, Enqued, Dequed, Fixed };

inline const char* Name(BufferState state) {
    static const char* const names[] = {"FREE", "OCCUPIED", "ENQUE", "DEQUE", "a TBuf"};
    return names[int(state)];
}

// A place in the kernel's source as messages name it.
inline std::string Place(Site site) {
    const char* slash = std::strrchr(site.file, '/');
    return std::string(slash != nullptr ? slash + 1 : site.file) + ":" + std::to_string(site.line);
}

inline const char* Name(AscendC::TPosition pos) {
    static const char* const names[] = {"GM", "A1", "A2", "B1", "B2", "C1", "C2", "CO1", "CO2", "VECIN", "VECOUT",
                                        "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};
    return names[int(pos)];
}

// A buffer that TPipe handed out. A tensor knows its buffer and the generation it was made in.
struct Buffer {
    uint64_t address = 0, bytes = 0;
    BufferState state = BufferState::Free;
    uint32_t generation = 0;
    AscendC::TPosition position = AscendC::TPosition::VECCALC;
    Site allocated;  // by AllocTensor, before that by InitBuffer
    Site made;       // by InitBuffer
    int8_t enqueId = -1, freeId = -1;  // event ids that it holds, see Queue
    bool keepsIds = false;             // of a queue of depth 0: from InitBuffer on
    AscendC::HardEvent enqued = AscendC::HardEvent::MAX, freed = AscendC::HardEvent::MAX;
};

enum class CoreType : uint8_t { AIC, AIV };
enum class CoreState : uint8_t { Ready, Waiting, Done };

struct Launch;

// 32 bytes of global memory that one core sets and another one takes, see cross.h.
struct Post {
    bool set = false, paired = false;  // paired: has to be taken before the launch ends
    uint32_t join = 0;
    Shared told;
    Site site;
};

// Flags between cores. Every core counts the flags that were raised for it; sets that still wait for those of other
// cores are counted where they were made. asc: CrossCoreSetFlag, key features of synchronisation between cores
constexpr int FLAGS = 16;         // of modes 0 to 2
constexpr int DIRECT_FLAGS = 32;  // of mode 4, which has its own: 16 for each vector core, on the vector cores 16
struct CrossFlags {
    uint32_t raised[FLAGS + DIRECT_FLAGS] = {};
    Site raisedAt[FLAGS + DIRECT_FLAGS];
    std::vector<Shared> told[FLAGS + DIRECT_FLAGS];  // with each: what was complete when it was raised
    uint32_t pending[3][FLAGS] = {};
    Site pendingAt[3][FLAGS];
    std::vector<Shared> toTell[3][FLAGS];
};

// Where the pipes of a core are, what each knows, and what the flags and queues between them carry: by event and by
// slot, which is a queue's buffer, or ~id of a flag.
constexpr int SlotIndex(int slot) { return slot < 0 ? ~slot : 8 + slot; }
struct CoreOrder {
    uint32_t epoch[ORDERED_PIPES] = {1, 1, 1, 1, 1, 1, 1, 1};
    Clock known[ORDERED_PIPES];
    std::vector<Clock> carried[size_t(AscendC::HardEvent::MAX)];
    Accesses memory[SPACES];
};

// A word of global memory that a core wrote: what was there before, and what the core tells with it.
struct Word {
    uint64_t address, before;
    uint16_t core;
    uint32_t epoch;  // of the core's scalar unit
    Shared told;
    std::vector<uint16_t> readers;  // cores that have read it unordered, and got what was there before
};

// Words of global memory that this core writes or reads, see words.h.
struct Words {
    Clock settled;              // what the last DataSyncBarrier waited for
    std::vector<Word> written;  // that other cores may not see yet
    std::map<uint64_t, Site> pending;  // words that were read unordered once
    bool allFresh = false;          // of the cache's lines: all but those in `stale` come from memory; those in `fresh` do
    std::unordered_set<uint64_t> fresh, stale;
    const uint8_t* spinsAt = nullptr;
    uint32_t spins = 0;
};

struct Core {
    Core(Launch& launch_, CoreType type_, uint32_t block, uint32_t subBlock)
        : launch(launch_), type(type_), blockIdx(block), subBlockIdx(subBlock) {}

    Launch& launch;
    CoreType type;
    uint32_t blockIdx, subBlockIdx;
    uint16_t index = 0;  // among the cores of the launch
    UnifiedBuffer* ub = nullptr;
    UnifiedBuffer* local[SPACES] = {};  // what this core has of each memory; ub is local[UB]
    bool numbers() const;
    Core* cube = nullptr;               // the group: its cube core and its vector cores
    Core* vector[2] = {};
    CrossFlags cross;
    Counters counters;
    Recorder recorder;

    std::vector<Buffer> buffers;
    uint64_t ubUsed = 0;
    uint64_t usedOf[SPACES] = {};  // of the other memories
    uint64_t handedOut[SPACES] = {};  // how far buffers ever reached
    void* pipe = nullptr;
    uint32_t livePipes = 0;

    bool flags[size_t(AscendC::HardEvent::MAX)][8] = {};
    Site flagSites[size_t(AscendC::HardEvent::MAX)][8];
    uint8_t events[size_t(AscendC::HardEvent::MAX)] = {};  // bit set: allocated
    uint8_t fetched[size_t(AscendC::HardEvent::MAX)] = {};  // bit set: FetchEventID once gave it

    // Mask state of the vector pipe. asc: mask pages; reset by TPipe's constructor
    uint64_t vectorMask[2] = {~0ull, ~0ull};
    bool counterMode = false;
    Site maskSite, counterSite, atomicSite;  // where they were last changed
    uint8_t cmpMask[16] = {}, cmpMaskShadow[16] = {};
    bool atomicAdd = false;     // DMA to global memory combines with what is there
    uint8_t atomicOperation = 0, atomicType = 0;  // of emulator::Atomic and DType
    uint64_t padValue = 0;
    bool padValueSet = false;
    half deqScale = half(1.0f);
    Words words;
    bool polling = false;         // gave the others their turn before it reads a word of theirs
    uint16_t mergedOf[4] = {};    // what the last MrgSort took of each queue
    uint8_t reducedTo[8] = {};    // the last reduction's value, and the index behind it
    AscendC::LoopModeParams loopMode[2];
    bool loopModeSet[2] = {};

    CoreState state = CoreState::Ready;
    uint32_t reachedSyncs = 0;
    int waitKind = 0;  // 1: the vector cores, 2: all cores, 3: a flag, 4: a post
    uint64_t waitPost = 0;
    bool waitSet = false;  // whether the post has to be set or to be taken
    int waitFlag = 0;
    Site waitSite;
    uint32_t waitCores = 0;
    Shared syncTold;  // at a barrier: what the core tells the others
    pipe_t syncTrigger = PIPE_ALL, syncWait = PIPE_ALL;
    void* context = nullptr;  // of the fiber

    // Of the cube pipe. unitFlags: one for each 1024 bytes of L0C, set when results wait for Fixpipe.
    uint8_t unitFlags[1024] = {};
    Site unitSite;
    uint64_t mmadAddress = ~0ull;  // the last result that no barrier of PIPE_M covers

    uint64_t& Used(Space space) { return space == Space::UB ? ubUsed : usedOf[int(space)]; }
    uint64_t Capacity(Space space) const;
    void Peak(Space space, uint64_t end);

    Site lastSite;
    const char* lastName = "the kernel's entry";

    CoreOrder order;

    // Every instruction, flag, queue and barrier passes through these.
    void Issue(const Instruction& instruction);
    void WriteDown(const Instruction& instruction);
    // slot: a queue's buffer, or ~id of a flag.
    void Signal(AscendC::HardEvent event, int slot, Site site);
    void Await(AscendC::HardEvent event, int slot, Site site);
    void Barrier(pipe_t pipe, Site site);
    void ForgetSlot(int slot);

    bool HasPipe(pipe_t pipe) const;
    // All that the pipe has begun is complete in what is returned. Ends the pipe's epoch.
    Clock Complete(int pipe);
    // The same for other cores to know.
    Shared Tell(pipe_t pipe);
    // From here on the pipe, or all of them, starts after what another core told.
    void Learn(pipe_t pipe, const Shared& told);

private:
    void IssueOrder(const Instruction& instruction);
    void Check(const Record& now, const Access& access, const Accesses& memory);
    bool Synchronised(const Record& before, const Record& now);
    void ReportHazard(const Record& before, const Record& now, const Access& access, uint64_t at);
};

struct Launch {
    const LaunchRequest* request = nullptr;
    LaunchReport* report = nullptr;
    Product product = {};
    GlobalMemory gm;
    bool check = true;
    uint32_t aicPerGroup = 0, aivPerGroup = 1;
    std::vector<Core*> cores;
    GlobalAccesses accesses;
    Hazards hazards;
    std::vector<Pattern> syncAreas;  // where the soft form of SyncAll and IBSet count
    std::unordered_map<uint64_t, Word> words;    // by address, as other cores see them
    std::map<uint64_t, Post> posts;              // by address
    uint64_t progress = 0;                       // accesses that change global memory
    KernelMetaType kernelType = KERNEL_TYPE_MAX;

    void Report(const char* kind, Site site, const char* format, ...) __attribute__((format(printf, 4, 5))) {
        if (!check && !Essential(kind)) {
            return;
        }
        for (const Finding& finding : report->findings) {
            if (finding.line == site.line && finding.kind == kind && finding.file == site.file) {
                return;
            }
        }
        char text[512];
        va_list args;
        va_start(args, format);
        std::vsnprintf(text, sizeof(text), format, args);
        va_end(args);
        report->findings.push_back({kind, site.file, site.line, text});
    }

    // What is said even when nobody asked for checks: the run itself is not what it should be.
    static bool Essential(const std::string& kind) {
        return kind == "bounds" || kind == "crash" || kind == "sync" || kind == "deadlock" || kind == "request" || kind == "tiling";
    }

    double Figure(const char* key) {
        auto it = request->product.find(key);
        if (it == request->product.end()) {
            Report("request", {key, 0}, "the product has no figure %s", key);
            return 0;
        }
        return it->second;
    }

    void ReadProduct() {
        product.arch = uint32_t(Figure("npu_arch"));
        product.aic = uint32_t(Figure("cores.aic"));
        product.aiv = uint32_t(Figure("cores.aiv"));
        product.ub = uint64_t(Figure("memory.ub"));
        product.ubReserved = uint64_t(Figure("memory.ub_reserved"));
        product.ubAlignment = int64_t(Figure("alignment.ub"));
        product.compareAlignment = int64_t(Figure("alignment.compare"));
        product.repeat = int64_t(Figure("limits.repeat"));
        product.repeatStride = int64_t(Figure("limits.repeat_stride"));
        product.blockCount = int64_t(Figure("limits.copy_block_count"));
        product.blockBytes = int64_t(Figure("limits.copy_block_bytes"));
        product.padBytes = int64_t(Figure("limits.copy_pad_bytes"));
        product.ubStride = int64_t(Figure("limits.copy_ub_stride"));
        product.gmStride = int64_t(Figure("limits.copy_gm_stride"));
        product.buffers = uint32_t(Figure("limits.buffers"));
        product.queueEvents = uint32_t(Figure("limits.queue_events"));
        product.zeroCountIsNop = Figure("limits.zero_count_is_nop") != 0;
        product.l1 = uint64_t(Figure("memory.l1"));
        product.l0a = uint64_t(Figure("memory.l0a"));
        product.l0b = uint64_t(Figure("memory.l0b"));
        product.l0c = uint64_t(Figure("memory.l0c"));
        product.biasTable = uint64_t(Figure("memory.bias_table"));
        product.fixpipe = uint64_t(Figure("memory.fixpipe"));
        product.l1Alignment = int64_t(Figure("alignment.l1"));
        product.l0Alignment = int64_t(Figure("alignment.l0"));
        product.l0cAlignment = int64_t(Figure("alignment.l0c"));
        product.l0cMmadAlignment = int64_t(Figure("alignment.l0c_mmad"));
        product.biasAlignment = int64_t(Figure("alignment.bias_table"));
        product.nd2nzMatrices = int64_t(Figure("limits.nd2nz_matrices"));
        product.nd2nzRows = int64_t(Figure("limits.nd2nz_rows"));
        product.nd2nzColumns = int64_t(Figure("limits.nd2nz_columns"));
        product.nd2nzPitch = int64_t(Figure("limits.nd2nz_pitch"));
        product.nd2nzMatrixStride = int64_t(Figure("limits.nd2nz_matrix_stride"));
        product.nd2nzL1Stride = int64_t(Figure("limits.nd2nz_l1_stride"));
        product.nd2nzL1MatrixStride = int64_t(Figure("limits.nd2nz_l1_matrix_stride"));
        product.loadRepeat = int64_t(Figure("limits.load_repeat"));
        product.mmadSize = int64_t(Figure("limits.mmad_size"));
        product.fixpipeColumns = int64_t(Figure("limits.fixpipe_columns"));
        product.fixpipeRows = int64_t(Figure("limits.fixpipe_rows"));
        product.fixpipeRowsNd = int64_t(Figure("limits.fixpipe_rows_nd"));
        product.flagCount = int64_t(Figure("limits.flag_count"));
        product.vectorOrder = Figure("limits.vector_order_in_hardware") != 0;
    }
};

inline bool Core::numbers() const { return launch.request->numbers; }

inline Core* current = nullptr;
inline Core& Current() { return *current; }

#define ASCGRAD_REPORT(kind, site, ...) ::emulator::Current().launch.Report(kind, site, __VA_ARGS__)

// Accesses of an instruction are checked before any of them is kept: they are no hazard to one another.
ASCGRAD_OUTLINE void Core::IssueOrder(const Instruction& instruction) {
    for (bool add : {false, true}) {
        for (int i = 0; i < instruction.accesses; ++i) {
            const Access& access = instruction.access[i];
            const int pipe = IndexOf(instruction.pipe);
            Record now{access.pattern, order.epoch[pipe], index, uint8_t(pipe), access.kind, instruction.unitFlag,
                       instruction.autoSync, instruction.fromMemory, instruction.name, instruction.site};
            if (access.space != Space::GM) {
                Accesses& memory = (access.owner != nullptr ? access.owner : this)->order.memory[int(access.space)];
                if (add) {
                    memory.Add(now, false);
                } else {
                    Check(now, access, memory);
                }
                continue;
            }
            const GlobalRange* entry = launch.gm.Find(reinterpret_cast<const uint8_t*>(uintptr_t(access.pattern.begin)));
            if (entry == nullptr || !entry->range->writable) {
                continue;
            }
            launch.accesses.EachPage(access.pattern, [&](Accesses& page, const Pattern& part) {
                now.pattern = part;
                if (add) {
                    page.Add(now, true);
                } else {
                    Check(now, access, page);
                }
            });
        }
    }
}

inline void Core::Issue(const Instruction& instruction) {
    lastSite = instruction.site;
    lastName = instruction.name;
    if (launch.check) {
        IssueOrder(instruction);
    }
    uint64_t loaded = 0, stored = 0;
    for (int i = 0; i < instruction.accesses; ++i) {
        const Access& access = instruction.access[i];
        if (access.space == Space::UB) {
            (access.write() ? stored : loaded) += access.bytes;
        }
        launch.progress += access.space == Space::GM && access.write();
    }
    switch (instruction.pipe) {
        case PIPE_V:
            if (!instruction.computes) {
                break;
            }
            counters.vectorInstructions += 1;
            counters.vectorElements += instruction.elements;
            counters.ubLoaded += loaded;
            counters.ubStored += stored;
            break;
        case PIPE_S:
            counters.scalarReads += instruction.access[0].write() ? 0 : 1;
            break;
        default:
            break;
    }
    if (recorder.on()) {
        WriteDown(instruction);
    }
}

// The instruction as the cost model sees it.
ASCGRAD_OUTLINE void Core::WriteDown(const Instruction& instruction) {
    if (instruction.pipe == PIPE_S && launch.request->autoSync && instruction.access[0].space == Space::UB) {
        recorder.Order(PIPE_V, PIPE_S);  // asc: the compiler orders scalar accesses and vector instructions
    }
    Step& step = recorder.Add(instruction.name, instruction.site.file, instruction.site.line, instruction.pipe);
    step.work = true;
    step.amount = instruction.amount;
    step.width = instruction.width;
    step.from = uint8_t(Space::GM);  // of a fill, which reads nothing
    // What Fixpipe writes into the unified buffer of another core is no transfer of this one.
    step.to = uint8_t(instruction.pipe == PIPE_FIX ? Space::UB : Space::GM);
    for (int i = 0; i < instruction.accesses; ++i) {
        const Access& access = instruction.access[i];
        if (instruction.pipe == PIPE_FIX && access.owner != nullptr && access.owner != this) {
            continue;
        }
        (access.write() ? step.to : step.from) = uint8_t(access.space);
        if (access.space == Space::GM) {
            step.transfer = recorder.Move({access.pattern.begin, access.rows, access.bytes / std::max<uint64_t>(access.rows, 1),
                                           access.pitch, access.write(), access.kind == AccessKind::Add});
        }
        if (instruction.pipe != PIPE_V && instruction.pipe != PIPE_M && (access.space == Space::GM || step.transfer == 0)) {
            step.amount = access.bytes;
        }
    }
}

inline uint64_t Core::Capacity(Space space) const {
    const Product& p = launch.product;
    const uint64_t sizes[SPACES] = {p.ub, 0, p.l1, p.l0a, p.l0b, p.l0c, p.biasTable, p.fixpipe};
    return sizes[int(space)];
}

// Only the core that has the memory counts its use: the other side of a group lays out the same buffers for addresses.
inline void Core::Peak(Space space, uint64_t end) {
    if ((type == CoreType::AIV) != (space == Space::UB)) {
        return;
    }
    uint64_t* const peaks[SPACES] = {&counters.peakUb, nullptr, &counters.peakL1, &counters.peakL0a, &counters.peakL0b,
                                     &counters.peakL0c, nullptr, nullptr};
    if (peaks[int(space)] != nullptr) {
        *peaks[int(space)] = std::max(*peaks[int(space)], end);
    }
}

inline std::string CoreName(const Core& core) {
    return (core.type == CoreType::AIC ? "AIC " : "AIV ") + std::to_string(core.blockIdx);
}

// ---- Order ----

// asc: kernel_event.h of the public headers; a set on a pipe that the core lacks does nothing there
inline bool Core::HasPipe(pipe_t pipe) const {
    return pipe == PIPE_S || pipe == PIPE_MTE2 ||
           (type == CoreType::AIV ? pipe == PIPE_V || pipe == PIPE_MTE3
                                  : pipe == PIPE_M || pipe == PIPE_MTE1 || pipe == PIPE_FIX || (pipe == PIPE_MTE3 && __NPU_ARCH__ == 2201));
}

inline Clock Core::Complete(int pipe) {
    Clock clock = order.known[pipe];
    clock.own.of[pipe] = order.epoch[pipe]++;
    return clock;
}

inline void Core::Signal(AscendC::HardEvent event, int slot, Site site) {
    recorder.Signal(event, slot, site.file, site.line);
    if (!launch.check) {
        return;
    }
    slot = SlotIndex(slot);
    std::vector<Clock>& carried = order.carried[size_t(event)];
    if (size_t(slot) >= carried.size()) {
        carried.resize(size_t(slot) + 1);
    }
    carried[size_t(slot)] = Complete(IndexOf(PipesOf(event).first));
}

inline void Core::Await(AscendC::HardEvent event, int slot, Site site) {
    recorder.Await(event, slot, site.file, site.line);
    slot = SlotIndex(slot);
    std::vector<Clock>& carried = order.carried[size_t(event)];
    if (size_t(slot) < carried.size()) {
        const pipe_t pipe = PipesOf(event).second;
        for (int i = 0; i < ORDERED_PIPES; ++i) {
            if (pipe == PIPE_S || i == IndexOf(pipe)) {  // what the scalar unit waits for, it hands nothing out before
                order.known[i].Join(carried[size_t(slot)]);
            }
        }
        carried[size_t(slot)] = Clock();
    }
}

// A new buffer has no past.
inline void Core::ForgetSlot(int slot) {
    slot = SlotIndex(slot);
    for (std::vector<Clock>& carried : order.carried) {
        if (size_t(slot) < carried.size()) {
            carried[size_t(slot)] = Clock();
        }
    }
}

// asc: PipeBarrier; all that the pipe has begun is complete before it goes on
inline void Core::Barrier(pipe_t pipe, Site site) {
    recorder.Barrier(pipe, site.file, site.line);
    if (pipe == PIPE_M || pipe == PIPE_ALL) {
        mmadAddress = ~0ull;
    }
    if (!launch.check) {
        return;
    }
    if (pipe != PIPE_ALL) {
        const int i = IndexOf(pipe);
        order.known[i].Join(Complete(i));
        return;
    }
    Clock all;
    for (int i = 0; i < ORDERED_PIPES; ++i) {
        all.Join(Complete(i));
    }
    for (Clock& known : order.known) {
        known = all;
    }
    // Cube cores of 3510 write to the unified buffer of their vector cores, and those to L1.
    if (cube == nullptr || __NPU_ARCH__ != 3510) {
        for (Accesses& memory : order.memory) {
            memory.Clear();
        }
    }
}

inline Shared Core::Tell(pipe_t pipe) {
    if (!launch.check) {
        return nullptr;
    }
    Clock clock;
    for (int i = 0; i < ORDERED_PIPES; ++i) {
        if (pipe == PIPE_ALL || i == IndexOf(pipe)) {
            clock.Join(Complete(i));
        }
    }
    Everywhere told(launch.cores.size());
    if (clock.others != nullptr) {
        told = *clock.others;
    }
    told[index].Join(clock.own);
    return std::make_shared<const Everywhere>(std::move(told));
}

// asc: basic architecture, instruction streams; the scalar unit hands out the instructions of all pipes. Inferred: so a wait
// in PIPE_S holds the whole core. SyncAll of the public headers for 3510 relies on it.
inline void Core::Learn(pipe_t pipe, const Shared& told) {
    if (told == nullptr) {
        return;
    }
    for (int i = 0; i < ORDERED_PIPES; ++i) {
        if (pipe == PIPE_ALL || pipe == PIPE_S || i == IndexOf(pipe)) {
            Clock& known = order.known[i];
            known.others = Union(known.others, told);
            known.own.Join((*told)[index]);
        }
    }
}

// Whether the device compiler puts flags between the two. asc: key features of synchronisation inside a core,
// --cce-auto-sync: on vector cores, between PIPE_S and the others, for GetValue and SetValue
inline bool Core::Synchronised(const Record& before, const Record& now) {
    if (!launch.request->autoSync || type != CoreType::AIV || before.core != now.core || !before.autoSync || !now.autoSync ||
        (before.pipe != IndexOf(PIPE_S) && now.pipe != IndexOf(PIPE_S))) {
        return false;
    }
    order.known[now.pipe].Join(Complete(before.pipe));
    return true;
}

inline void Core::Check(const Record& now, const Access& access, const Accesses& memory) {
    const pipe_t pipe = PipeAt(now.pipe);
    // asc: V -> V; hardware on 3510, the device compiler on 2201. Of M -> M, Mmad looks after itself.
    const bool inOrder = pipe == PIPE_S || pipe == PIPE_M || (pipe == PIPE_V && (launch.product.vectorOrder || launch.request->autoSync));
    memory.EachUnordered(now, order.known[now.pipe], inOrder, [&](const Record& before, uint64_t at) {
        // asc: UnitFlag; Mmad and Fixpipe wait for one another at each 1024 bytes of L0C
        // A word that is read past the cache while another core writes it is polled.
        const bool polled = before.core != now.core && before.pipe == IndexOf(PIPE_S) && pipe == PIPE_S && (before.fromMemory || now.fromMemory);
        if (!(before.unitFlag && now.unitFlag) && !polled && !Synchronised(before, now)) {
            ReportHazard(before, now, access, at);
        }
    });
}

ASCGRAD_OUTLINE void Core::ReportHazard(const Record& before, const Record& now, const Access& access, uint64_t at) {
    Hazard hazard{before, now, std::max(before.pattern.begin, now.pattern.begin), std::min(before.pattern.end, now.pattern.end),
                  access.space == Space::GM, 0, Name(access.space), {"", ""}};
    uint64_t origin = 0;
    if (hazard.global) {
        if (const GlobalRange* entry = launch.gm.Find(reinterpret_cast<const uint8_t*>(uintptr_t(at)))) {
            origin = hazard.place = uint64_t(uintptr_t(entry->range->base));
            hazard.memory = entry->range->name;
        }
    } else {
        for (const Buffer& buffer : (access.owner != nullptr ? access.owner : this)->buffers) {
            if (SpaceOf(buffer.position) == access.space && at >= buffer.address && at < buffer.address + buffer.bytes) {
                origin = buffer.address;
                hazard.place = uint64_t(buffer.made.line);
                hazard.memory = std::string(Name(buffer.position)) + ", in the buffer of InitBuffer at " + Place(buffer.made);
                hazard.low = std::max(hazard.low, buffer.address);
            }
        }
    }
    hazard.low -= origin;
    hazard.high -= origin;
    launch.hazards.Add(std::move(hazard), [this](Hazard& h) {
        h.cores[0] = CoreName(*launch.cores[h.first.core]);
        h.cores[1] = CoreName(*launch.cores[h.second.core]);
    });
}

}  // namespace emulator
