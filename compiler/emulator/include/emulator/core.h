// A launch and its cores: findings, counters, and the one place through which every instruction goes.
#pragma once

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "emulator/keywords.h"
#include "emulator/memory.h"
#include "emulator/recorder.h"

namespace emulator {

// Where the kernel calls an API. Every API ends with this parameter; the builtins give the caller's place.
struct Site {
    const char* file = "";
    int line = 0;
    constexpr Site() = default;
    constexpr Site(const char* f, int l) : file(f), line(l) {}
};
#define ASCGRAD_SITE ::emulator::Site site = ::emulator::Site(__builtin_FILE(), __builtin_LINE())

struct Product {
    uint32_t arch, aic, aiv;
    uint64_t ub, ubReserved, l1, l0a, l0b, l0c, biasTable, fixpipe;
    int64_t ubAlignment, compareAlignment;
    int64_t l1Alignment, l0Alignment, l0cAlignment, l0cMmadAlignment, biasAlignment;
    int64_t nd2nzMatrices, nd2nzRows, nd2nzColumns, nd2nzPitch, nd2nzMatrixStride, nd2nzL1Stride, nd2nzL1MatrixStride;
    int64_t loadRepeat, mmadSize, fixpipeColumns, fixpipeRows, fixpipeRowsNd, flagCount;
    int64_t repeat, repeatStride, blockCount, blockBytes, padBytes, ubStride, gmStride;
    uint32_t buffers, queueEvents;
    bool zeroCountIsNop;
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

inline const char* Name(Space space) {
    static const char* const names[] = {"the unified buffer", "global memory", "L1", "L0A", "L0B", "L0C", "the bias table",
                                        "the fixpipe buffer"};
    return names[int(space)];
}

// asc: general constraints, position -> memory; GM for positions without a memory in the core
constexpr Space SpaceOf(AscendC::TPosition pos) {
    using AscendC::TPosition;
    return pos == TPosition::VECIN || pos == TPosition::VECOUT || pos == TPosition::VECCALC ? Space::UB
           : pos == TPosition::A1 || pos == TPosition::B1 || pos == TPosition::C1 || pos == TPosition::TSCM ? Space::L1
           : pos == TPosition::A2        ? Space::L0A
           : pos == TPosition::B2        ? Space::L0B
           : pos == TPosition::CO1       ? Space::L0C
           : pos == TPosition::C2        ? Space::BT
           : pos == TPosition::C2PIPE2GM ? Space::FB
                                         : Space::GM;
}

// What one operand of an instruction touches: `bytes` in all, within `extent` bytes from `address` on.
struct Access {
    Space space;
    bool write;
    uint64_t address;
    uint64_t bytes;
    uint64_t extent;
    uint64_t rows, pitch;  // of global memory: runs of bytes / rows, from start to start
};

struct Instruction {
    const char* name;
    pipe_t pipe;
    Site site;
    uint64_t elements = 0;
    bool computes = true;  // false: a copy, which the vector counters leave out
    uint64_t amount = 0;   // what the cost model counts: repeats of 256 bytes, or multiply-adds of whole fractals
    uint8_t width = 0;     // bytes of an operand's element, of the cube
    Access access[8] = {};
    int accesses = 0;

    void Touch(Space space, bool write, uint64_t address, uint64_t bytes, uint64_t extent, uint64_t rows = 1, uint64_t pitch = 0) {
        access[accesses++] = {space, write, address, bytes, extent, rows, pitch};
    }
};

enum class BufferState : uint8_t { Free, Occupied, Enqued, Dequed, Fixed };

inline const char* Name(BufferState state) {
    static const char* const names[] = {"FREE", "OCCUPIED", "ENQUE", "DEQUE", "a TBuf"};
    return names[int(state)];
}

// A buffer that TPipe handed out. A tensor knows its buffer and the generation it was made in.
struct Buffer {
    uint64_t address = 0, bytes = 0;
    BufferState state = BufferState::Free;
    uint32_t generation = 0;
    AscendC::TPosition position = AscendC::TPosition::VECCALC;
    Site allocated;
    int8_t enqueId = -1, freeId = -1;  // event ids that it holds, see Queue
    bool keepsIds = false;             // of a queue of depth 0: from InitBuffer on
    AscendC::HardEvent enqued = AscendC::HardEvent::MAX, freed = AscendC::HardEvent::MAX;
};

enum class CoreType : uint8_t { AIC, AIV };
enum class CoreState : uint8_t { Ready, Waiting, Done };

struct Launch;

// Flags between cores. Every core counts the flags that were raised for it; sets that still wait for those of other
// cores are counted where they were made. asc: CrossCoreSetFlag, key features of synchronisation between cores
constexpr int FLAGS = 16;         // of modes 0 to 2
constexpr int DIRECT_FLAGS = 32;  // of mode 4, which has its own: 16 for each vector core, on the vector cores 16
struct CrossFlags {
    uint32_t raised[FLAGS + DIRECT_FLAGS] = {};
    Site raisedAt[FLAGS + DIRECT_FLAGS];
    uint32_t pending[3][FLAGS] = {};
    Site pendingAt[3][FLAGS];
};

struct Core {
    Core(Launch& launch_, CoreType type_, uint32_t block, uint32_t subBlock)
        : launch(launch_), type(type_), blockIdx(block), subBlockIdx(subBlock) {}

    Launch& launch;
    CoreType type;
    uint32_t blockIdx, subBlockIdx;
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
    uint16_t mergedOf[4] = {};    // what the last MrgSort took of each queue
    uint8_t reducedTo[8] = {};    // the last reduction's value, and the index behind it
    AscendC::LoopModeParams loopMode[2];
    bool loopModeSet[2] = {};

    CoreState state = CoreState::Ready;
    uint32_t reachedSyncs = 0;
    int waitKind = 0;  // 1: the vector cores, 2: all cores, 3: a flag
    int waitFlag = 0;
    Site waitSite;
    uint32_t waitCores = 0;
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

    void Issue(const Instruction& instruction);
    void Record(const Instruction& instruction);
    // Order between pipes: queues, events and barriers pass through here. slot: a queue's buffer, or ~id of a flag.
    void Signal(AscendC::HardEvent event, int slot, Site site);
    void Await(AscendC::HardEvent event, int slot, Site site);
    void Barrier(pipe_t pipe, Site site);
};

struct Launch {
    const LaunchRequest* request = nullptr;
    LaunchReport* report = nullptr;
    Product product = {};
    GlobalMemory gm;
    bool check = true;
    uint32_t aicPerGroup = 0, aivPerGroup = 1;
    std::vector<Core*> cores;
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
    }
};

inline bool Core::numbers() const { return launch.request->numbers; }

inline Core* current = nullptr;
inline Core& Current() { return *current; }

// For functions that every call of an API would otherwise carry a copy of.
#define ASCGRAD_OUTLINE __attribute__((noinline)) inline

#define ASCGRAD_REPORT(kind, site, ...) ::emulator::Current().launch.Report(kind, site, __VA_ARGS__)

inline void Core::Issue(const Instruction& instruction) {
    lastSite = instruction.site;
    lastName = instruction.name;
    uint64_t loaded = 0, stored = 0;
    for (int i = 0; i < instruction.accesses; ++i) {
        const Access& access = instruction.access[i];
        if (access.space == Space::UB) {
            (access.write ? stored : loaded) += access.bytes;
        }
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
            counters.scalarReads += instruction.access[0].write ? 0 : 1;
            break;
        default:
            break;
    }
    if (recorder.on()) {
        Record(instruction);
    }
}

// The instruction as the cost model sees it.
ASCGRAD_OUTLINE void Core::Record(const Instruction& instruction) {
    if (instruction.pipe == PIPE_S && launch.request->autoSync && instruction.access[0].space == Space::UB) {
        recorder.Order(PIPE_V, PIPE_S);  // asc: the compiler orders scalar accesses and vector instructions
    }
    Step& step = recorder.Add(instruction.name, instruction.site.file, instruction.site.line, instruction.pipe);
    step.work = true;
    step.amount = instruction.amount;
    step.width = instruction.width;
    step.from = uint8_t(Space::GM);  // of a fill, which reads nothing
    // Fixpipe into the unified buffer of another core touches nothing here.
    step.to = uint8_t(instruction.pipe == PIPE_FIX ? Space::UB : Space::GM);
    for (int i = 0; i < instruction.accesses; ++i) {
        const Access& access = instruction.access[i];
        (access.write ? step.to : step.from) = uint8_t(access.space);
        if (access.space == Space::GM) {
            step.transfer = recorder.Move({access.address, access.rows, access.bytes / std::max<uint64_t>(access.rows, 1),
                                           access.pitch, access.write, access.write && atomicAdd});
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

inline void Core::Signal(AscendC::HardEvent event, int slot, Site site) { recorder.Signal(event, slot, site.file, site.line); }
inline void Core::Await(AscendC::HardEvent event, int slot, Site site) { recorder.Await(event, slot, site.file, site.line); }
inline void Core::Barrier(pipe_t pipe, Site site) {
    recorder.Barrier(pipe, site.file, site.line);
    if (pipe == PIPE_M || pipe == PIPE_ALL) {
        mmadAddress = ~0ull;
    }
}

}  // namespace emulator
