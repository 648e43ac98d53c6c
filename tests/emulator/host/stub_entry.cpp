// Stands in for runtime/kernel_entry.cpp: runs a kernel of plain C++ block by block, without rules.
#include <cstdint>
#include <cstring>

#include "emulator/launch.h"

#define __global__
#define __aicore__
#define GM_ADDR uint8_t*

static int64_t currentBlock;
static int64_t GetBlockIdx() { return currentBlock; }

struct bfloat16_t {
    bfloat16_t(float value)
    {
        uint32_t word;
        std::memcpy(&word, &value, sizeof(word));
        bits = static_cast<uint16_t>((word + 0x7FFF + ((word >> 16) & 1)) >> 16);
    }
    operator float() const
    {
        const uint32_t word = uint32_t{bits} << 16;
        float value;
        std::memcpy(&value, &word, sizeof(value));
        return value;
    }
    uint16_t bits;
};
using half = _Float16;

#include ASCGRAD_KERNEL_FILE

template <typename... P, size_t... I>
static void Call(void (*kernel)(P...), const std::vector<void*>& args, std::index_sequence<I...>)
{
    kernel(static_cast<P>(args[I])...);
}

template <typename... P>
static void Call(void (*kernel)(P...), const std::vector<void*>& args)
{
    Call(kernel, args, std::index_sequence_for<P...>());
}

extern "C" __attribute__((visibility("default"))) void ascgrad_run(const emulator::LaunchRequest* request, emulator::LaunchReport* report)
{
    std::vector<uint32_t> blocks = request->blocks;
    for (uint32_t block = 0; request->blocks.empty() && block < request->blockDim; ++block) {
        blocks.push_back(block);
    }
    for (const uint32_t block : blocks) {
        currentBlock = block;
        Call(ASCGRAD_KERNEL_NAME, request->args);
    }
    report->counters["blocks"] = static_cast<double>(blocks.size());
    report->counters["paths.gm_to_ub"] = static_cast<double>(request->ranges[0].bytes);
    report->counters["ranges"] = static_cast<double>(request->ranges.size());
    for (const emulator::GmRange& range : request->ranges) {
        report->counters["bytes_of." + range.name] = static_cast<double>(range.bytes);
    }
    if (request->order == "reverse") {
        report->findings.push_back({"order", __FILE__, __LINE__, "the stub reports whatever runs in reverse"});
    }
}
