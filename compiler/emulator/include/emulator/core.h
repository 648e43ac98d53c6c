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
std::string Place(Site site);

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

// A line of a core's data cache, of global memory that somebody writes. Bits stand for its bytes.
struct CachedLine {
    uint64_t dirty = 0;  // the core has written them, memory does not have them yet
    uint64_t stale = 0;  // another core or a copy has written them since
    Site site;           // of the write, before that of the read that fetched the line
    const char* name = "";
    uint32_t epoch = 0;  // of the core's scalar unit at the write
    Record change;       // what wrote to memory since
};

// A Mutex between the pipes of a core.
struct Lock {
    bool held = false;
    pipe_t pipe = PIPE_S;  // that has it, or had it last
    bool used = false;
    Clock carried;         // what was complete when it was given back
    Site site;
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
    std::map<uint64_t, CachedLine> lines;  // by address / CACHE_LINE
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
    std::map<int, Lock> locks;    // by MutexID
    uint32_t locksTaken = 0;      // bit set: handed out by AllocMutexID
    bool polling = false;         // gave the others their turn before it reads a word of theirs
    uint16_t mergedOf[4] = {};    // what the last MrgSort took of each queue
    uint8_t reducedTo[8] = {};    // the last reduction's value, and the index behind it
    AscendC::LoopModeParams loopMode[2];
    bool loopModeSet[2] = {};

    CoreState state = CoreState::Ready;
    int waitKind = 0;  // 1: the vector cores, 2: all cores, 3: a flag, 4: a post
    uint32_t reachedSyncs[3] = {};  // of kinds 1 and 2, how often
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
    std::map<uint64_t, std::vector<Core*>> cached;  // line of global memory -> the cores whose data cache holds it
    uint64_t progress = 0;                       // accesses that change global memory
    KernelMetaType kernelType = KERNEL_TYPE_MAX;
    Site keyAsked;          // where the kernel last asked whether a tiling key is that of the launch
    bool keyFound = false;  // and whether one ever was

    void Report(const char* kind, Site site, const char* format, ...) __attribute__((format(printf, 4, 5)));

    // Where the calls stand that led here, as Finding has them; empty where nobody asked.
    std::vector<uint64_t> Callers() const;

    // What is said even when nobody asked for checks: the run itself is not what it should be.
    static bool Essential(const std::string& kind) {
        return kind == "bounds" || kind == "crash" || kind == "sync" || kind == "deadlock" || kind == "request" || kind == "tiling";
    }

    double Figure(const char* key);

    void ReadProduct();
};

inline bool Core::numbers() const { return launch.request->numbers; }

extern Core* current;
inline Core& Current() { return *current; }

#define ASCGRAD_REPORT(kind, site, ...) ::emulator::Current().launch.Report(kind, site, __VA_ARGS__)

std::string CoreName(const Core& core);

}  // namespace emulator
