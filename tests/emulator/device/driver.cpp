// A C face of the launch contract for the tests.
#include "emulator/launch.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
struct Launch {
    emulator::LaunchRequest request;
    emulator::LaunchReport report;
};
}  // namespace

EXPORT void* launch_new() { return new Launch; }
EXPORT void launch_free(void* s) { delete static_cast<Launch*>(s); }
EXPORT void launch_figure(void* s, const char* key, double value) { static_cast<Launch*>(s)->request.product[key] = value; }
EXPORT void launch_option(void* s, uint64_t key, uint32_t blocks, uint32_t schedule, int check, const char* order,
                          int autoSync) {
    auto& r = static_cast<Launch*>(s)->request;
    r.tilingKey = key;
    r.blockDim = blocks;
    r.scheduleMode = schedule;
    r.check = check != 0;
    r.order = order;
    r.autoSync = autoSync != 0;
}
EXPORT void launch_block(void* s, uint32_t block) { static_cast<Launch*>(s)->request.blocks.push_back(block); }
EXPORT void launch_arg(void* s, void* base, uint64_t bytes, const char* name, int writable, int poisoned) {
    auto& r = static_cast<Launch*>(s)->request;
    r.args.push_back(base);
    if (base != nullptr) {
        r.ranges.push_back({static_cast<uint8_t*>(base), bytes, name, writable != 0, poisoned != 0});
    }
}
EXPORT void launch_run(void* s, void (*run)(const emulator::LaunchRequest*, emulator::LaunchReport*)) {
    run(&static_cast<Launch*>(s)->request, &static_cast<Launch*>(s)->report);
}
EXPORT int launch_findings(void* s) { return int(static_cast<Launch*>(s)->report.findings.size()); }
EXPORT const char* launch_finding(void* s, int i, int field, int* line) {
    auto& f = static_cast<Launch*>(s)->report.findings[size_t(i)];
    *line = f.line;
    return (field == 0 ? f.kind : field == 1 ? f.file : f.message).c_str();
}
EXPORT double launch_counter(void* s, const char* name) {
    auto& c = static_cast<Launch*>(s)->report.counters;
    return c.count(name) ? c[name] : -1;
}
