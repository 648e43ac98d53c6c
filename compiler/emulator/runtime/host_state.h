// What the parts of the host runtime share: the product, the options of the run, and what the run found.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "emulator/launch.h"
#include "exe_graph/runtime/tiling_context.h"
#include "host/report.h"
#include "platform/platform_infos_def.h"
#include "register/op_def_registry.h"

namespace emulator {

struct LogLine {
    std::string source;
    std::string file;
    int line;
    std::string text;
};

// One kernel that the first phase put on the list.
struct LaunchRecord {
    std::string type;
    int column = 0;
    uint32_t blockDim = 0;
    uint64_t tilingKey = 0;
    uint32_t scheduleMode = 0;
    uint64_t workspaceBytes = 0;
    std::vector<uint8_t> tiling;
};

struct Options {
    bool autoSync = true;
    bool check = true;
    bool unlisted = false;  // run on a product that the definition does not list
    bool phase1Only = false;
    bool deterministic = false;
    uint32_t cores = 0;  // 0: as many as the product has
    std::string order = "forward";
    std::vector<uint32_t> blocks;
    bool callers = false;    // LaunchRequest::callers
    bool timeline = true;    // cycles are modelled
    bool numbers = true;     // LaunchRequest::numbers
    std::string trace;       // file for the timeline; empty: none

    // One option as text. Throws std::invalid_argument for a name or a value that is none.
    void Set(const std::string& name, const std::string& value);
};

struct Host {
    // The run's manifest: lines "figure NAME VALUE", "text NAME VALUE", "kernel COLUMN PATH", "command COLUMN SHELL".
    std::map<std::string, double> figures;
    std::map<std::string, std::string> texts;
    std::map<int, std::string> kernels;
    std::map<int, std::string> commands;
    bool mixed = false;  // the kernel uses cube and vector cores

    Options options;
    fe::PlatFormInfos platform;

    std::vector<Finding> findings;
    std::vector<LogLine> log;
    std::vector<LaunchRecord> launches;
    std::map<std::string, double> counters;
    const char* phase = "aclnn";

    void LoadManifest(const std::string& path);
    void SetOptions(const Options& given);  // also the figures that depend on them
    void Reset();                           // before the next request
    double Figure(const std::string& name) const;
    std::string Text(const std::string& name) const;
    uint32_t CubeCores() const;
    uint32_t VectorCores() const;
};

Host& TheHost();

// A finding of a kernel, whose file is as it was compiled.
void Report(Finding finding);

// Findings that were not yet shown, to standard error and to the file that ASCGRAD_REPORT names: for client programs.
void FlushFindings();

// The path behind __FILE__ of emitted code, whose directory is compiled as "@" so that objects can be shared.
std::string SourcePath(const std::string& file);

std::string Format(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Definitions (OP_ADD) and protos (REG_OP), and what is wrong with them.
struct Definition {
    ops::OpDef def;
    std::string file;
    int line;
};
const Definition* FindDefinition(const std::string& type);
const std::vector<Definition>& Definitions();
std::vector<Finding> DefinitionProblems();
// The ports of one product: those of its OpAICoreConfig where that has some.
std::vector<const ops::OpParamDef*> Ports(const ops::OpDef& def, const std::string& soc, bool inputs);

// Device memory. Every allocation has guard zones; a freed one keeps its addresses so that late uses are seen.
struct Allocation {
    uint8_t* base = nullptr;
    uint64_t bytes = 0;
    uint8_t* region = nullptr;
    uint64_t regionBytes = 0;
    std::string name;
    bool freed = false;
    bool accessible = true;
};

enum class Fill { NONE, POISON };

constexpr uint8_t kPoisonByte = 0xFF;                     // NaN in every floating-point type
constexpr uint64_t kLargestPoisoned = uint64_t{1} << 30;  // larger memory stays sparse

Allocation* AllocateDevice(uint64_t bytes, const std::string& name, Fill fill);
// A file as device memory: shared with the file, or private to this process. Throws std::runtime_error.
Allocation* MapDevice(const std::string& path, uint64_t bytes, const std::string& name, bool shared, Fill fill);
// Addresses without memory, for runs that end before the second phase.
Allocation* ReserveDevice(uint64_t bytes, const std::string& name);
Allocation* FindAllocation(const void* address);
void FreeDevice(Allocation* allocation);
void ReleaseAllDevice();
void CheckGuards();

// In a client program device memory can be touched only while one of these lives, that is inside calls of acl: a
// program that follows a device pointer itself ends, and is told which memory that was.
class DeviceAccess {
public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};
bool IsClient();

void Poison(void* address, uint64_t bytes);

// Kernels.
void RunKernel(int column, LaunchRequest& request);
bool HasKernel(int column);

// Streams and executors.
void Enqueue(void* stream, std::function<int()> work);
void ForgetExecutors();
size_t UnusedExecutors();

}  // namespace emulator
