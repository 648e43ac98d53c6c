// Kernels: one shared object per dtype column, built before the run or, for client programs, when first needed.
#include <dlfcn.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "host_state.h"
#include "placement.h"

namespace emulator {
namespace {

using Entry = void (*)(const LaunchRequest*, LaunchReport*);

Entry Load(const std::string& path)
{
    static auto& loaded = *new std::map<std::string, Entry>;
    Entry& entry = loaded[path];
    if (entry == nullptr) {
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            throw std::runtime_error(std::string("cannot load the kernel: ") + dlerror());
        }
        entry = reinterpret_cast<Entry>(dlsym(library, "ascgrad_run"));
        if (entry == nullptr) {
            throw std::runtime_error(path + " exports no ascgrad_run");
        }
    }
    return entry;
}

// When the steps of a launch happen, added to the counters: cycles in all and, on average over the cores of a kind, those
// that a pipe works.
void CountCycles(const Timeline& timeline, const LaunchRequest& request)
{
    Host& host = TheHost();
    const Placement placement = Place(timeline, request.product, request.ranges);
    if (!host.options.trace.empty() &&
        !WriteTrace(host.options.trace, timeline, placement, host.Figure("cores.clock_mhz"))) {
        Report("request", "", 0, "the trace cannot be written to " + host.options.trace);
    }
    auto& counters = host.counters;
    counters["cycles.total"] += std::round(placement.cycles);
    counters["cycles.gm_bytes"] += placement.gmBytes;
    counters["cycles.hbm_bytes"] += placement.hbmBytes;
    counters["cycles.vector_slots"] += placement.vectorSlots;
    counters["cycles.cube_cycles"] += placement.cubeCycles;
    for (const bool cube : {false, true}) {
        for (int pipe = 0; pipe < PIPES; ++pipe) {
            double sum = 0, cores = 0;
            bool used = false;
            for (size_t i = 0; i < timeline.cores.size(); ++i) {
                if (timeline.cores[i].cube == cube) {
                    cores += 1;
                    sum += placement.busy[i][pipe];
                    used = used || timeline.cores[i].first[pipe] != 0;
                }
            }
            if (used) {
                counters[std::string("cycles.") + (cube ? "aic." : "aiv.") + PipeName(pipe)] += std::round(sum / cores);
            }
        }
    }
}

}  // namespace

bool HasKernel(int column)
{
    const Host& host = TheHost();
    const auto kernel = host.kernels.find(column);
    if (kernel == host.kernels.end()) {
        return false;
    }
    if (access(kernel->second.c_str(), R_OK) == 0) {
        return true;
    }
    const auto command = host.commands.find(column);
    return command != host.commands.end() && std::system(command->second.c_str()) == 0 &&
           access(kernel->second.c_str(), R_OK) == 0;
}

void RunKernel(int column, LaunchRequest& request)
{
    Host& host = TheHost();
    LaunchReport report;
    Load(host.kernels.at(column))(&request, &report);
    for (const Finding& finding : report.findings) {
        Report(finding);
    }
    for (const auto& [name, value] : report.counters) {
        double& sum = host.counters[name];
        sum = name.rfind("peak.", 0) == 0 ? std::max(sum, value) : sum + value;
    }
    if (request.timeline && !report.timeline.complete()) {
        if (!host.options.trace.empty()) {
            Report("request", "", 0, Format("the launch has more than %llu steps, its timeline is not modelled",
                                            static_cast<unsigned long long>(Timeline::MOST)));
        }
    } else if (request.timeline) {
        try {
            CountCycles(report.timeline, request);
        } catch (const RateError& error) {
            Report("request", "", 0, "the product has no figure " + error.name + ", cycles cannot be modelled");
        }
    }
}

}  // namespace emulator
