// A launch and its cores: findings, counters, and the one place through which every instruction goes.
#pragma once

#include <cstdarg>
#include <cstdio>

#include "emulator/keywords.h"
#include "emulator/memory.h"

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
    uint64_t ub, ubReserved;
    int64_t ubAlignment, compareAlignment;
    int64_t repeat, repeatStride, blockCount, blockBytes, padBytes, ubStride, gmStride;
    uint32_t buffers, queueEvents;
    bool zeroCountIsNop;
};

struct Counters {
    uint64_t gmRead = 0, gmWrite = 0, tiling = 0;
    uint64_t vectorInstructions = 0, vectorElements = 0, ubLoaded = 0, ubStored = 0;
    uint64_t scalarReads = 0, barriers = 0, syncs = 0;
    uint64_t gmToUb = 0, ubToGm = 0, ubToUb = 0, gmToScalar = 0, scalarToGm = 0;
    uint64_t peakUb = 0;
};

enum class Space : uint8_t { UB, GM };

// What one operand of an instruction touches: `bytes` in all, within `extent` bytes from `address` on.
struct Access {
    Space space;
    bool write;
    uint64_t address;
    uint64_t bytes;
    uint64_t extent;
};

struct Instruction {
    const char* name;
    pipe_t pipe;
    Site site;
    uint64_t elements = 0;
    bool computes = true;  // false: a copy, which the vector counters leave out
    Access access[8] = {};
    int accesses = 0;

    void Touch(Space space, bool write, uint64_t address, uint64_t bytes, uint64_t extent) {
        access[accesses++] = {space, write, address, bytes, extent};
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
};

enum class CoreType : uint8_t { AIC, AIV };
enum class CoreState : uint8_t { Ready, Waiting, Done };

struct Launch;

struct Core {
    Core(Launch& launch_, CoreType type_, uint32_t block, uint32_t subBlock)
        : launch(launch_), type(type_), blockIdx(block), subBlockIdx(subBlock) {}

    Launch& launch;
    CoreType type;
    uint32_t blockIdx, subBlockIdx;
    UnifiedBuffer* ub = nullptr;
    Counters counters;

    std::vector<Buffer> buffers;
    uint64_t ubUsed = 0;
    void* pipe = nullptr;
    uint32_t livePipes = 0;

    bool flags[size_t(AscendC::HardEvent::MAX)][8] = {};
    Site flagSites[size_t(AscendC::HardEvent::MAX)][8];
    uint8_t events[size_t(AscendC::HardEvent::MAX)] = {};  // bit set: allocated

    // Mask state of the vector pipe. asc: mask pages; reset by TPipe's constructor
    uint64_t vectorMask[2] = {~0ull, ~0ull};
    bool counterMode = false;
    uint8_t cmpMask[16] = {}, cmpMaskShadow[16] = {};
    bool atomicAdd = false;
    uint64_t padValue = 0;
    bool padValueSet = false;
    half deqScale = half(1.0f);
    AscendC::LoopModeParams loopMode[2];
    bool loopModeSet[2] = {};

    CoreState state = CoreState::Ready;
    uint32_t reachedSyncs = 0;
    int waitKind = 0;
    Site waitSite;
    uint32_t waitCores = 0;
    void* context = nullptr;  // of the fiber

    Site lastSite;
    const char* lastName = "the kernel's entry";

    void Issue(const Instruction& instruction);
    // Order between pipes. Nothing looks at it yet: queues, events and barriers already pass through here, so that
    // a happens-before check needs no change in the APIs.
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
        return kind == "bounds" || kind == "crash" || kind == "sync" || kind == "request" || kind == "tiling";
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
    }
};

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
}

inline void Core::Signal(AscendC::HardEvent, int, Site) {}
inline void Core::Await(AscendC::HardEvent, int, Site) {}
inline void Core::Barrier(pipe_t, Site) {}

}  // namespace emulator
