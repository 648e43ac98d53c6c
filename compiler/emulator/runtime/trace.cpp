// The timeline of a launch as Chrome trace JSON.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "json.h"
#include "placement.h"

namespace emulator {
namespace {

class Trace {
public:
    Trace(const std::string& path, const Timeline& timeline, const Placement& placement, double cyclesPerMicrosecond)
        : file_(std::fopen(path.c_str(), "w"), &std::fclose), timeline_(timeline), placement_(placement), clock_(cyclesPerMicrosecond)
    {
    }
    bool open() const { return file_ != nullptr; }

    void Write(size_t most)
    {
        std::fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", file_.get());
        const std::vector<size_t> chosen = Choose(most);
        for (const size_t core : chosen) {
            WriteCore(core);
        }
        std::fprintf(file_.get(), "\n],\"otherData\":{\"cores\":%zu,\"cores_shown\":%zu,\"cycles\":%.0f,\"clock_mhz\":%.0f}}\n",
                     timeline_.cores.size(), chosen.size(), placement_.cycles, clock_);
    }

private:
    // The core that ends last, then cores in the order of their index, as many as make `most` steps.
    std::vector<size_t> Choose(size_t most) const
    {
        std::vector<size_t> order;
        double latest = -1;
        for (size_t i = 0; i < timeline_.cores.size(); ++i) {
            double end = 0;
            for (const Placed& step : placement_.steps[i]) {
                end = std::max(end, step.ends);
            }
            order.push_back(i);
            if (end > latest) {
                latest = end;
                std::rotate(order.begin(), order.end() - 1, order.end());
            }
        }
        std::sort(order.begin() + (order.empty() ? 0 : 1), order.end());
        size_t steps = 0, taken = 0;
        while (taken < order.size() && (taken == 0 || steps + timeline_.cores[order[taken]].steps.size() <= most)) {
            steps += timeline_.cores[order[taken++]].steps.size();
        }
        order.resize(taken);
        return order;
    }

    void WriteCore(size_t index)
    {
        const CoreTimeline& core = timeline_.cores[index];
        const std::string name = std::string(core.cube ? "AIC " : "AIV ") + std::to_string(core.block);
        Meta(index, 0, "process_name", name.c_str());
        Event(index, PIPE_S, "kernel head", "wait", 0, placement_.head);
        std::fputs("}", file_.get());
        for (int pipe = 0; pipe < PIPES; ++pipe) {
            if (core.first[pipe] == 0) {
                continue;
            }
            Meta(index, pipe, "thread_name", PipeName(pipe));
            double free = placement_.head;
            for (uint32_t step = core.first[pipe]; step != 0; step = core.steps[step - 1].next) {
                WriteStep(index, step, free);
            }
        }
    }

    void WriteStep(size_t index, uint32_t number, double& free)
    {
        const CoreTimeline& core = timeline_.cores[index];
        const Step& step = core.steps[number - 1];
        const Placed& placed = placement_.steps[index][number - 1];
        if (placed.start < 0) {
            return;  // it never happened
        }
        const double since = std::max(free, placed.issued);
        if (placed.start > since && (step.join != 0 || placed.held != 0)) {
            const std::string what = step.join != 0 ? step.name : PipeName(core.steps[placed.held - 1].pipe);
            Event(index, step.pipe, ("wait for " + what).c_str(), "wait", since, placed.start);
            std::fputs("}", file_.get());
        }
        if (step.work) {
            Event(index, step.pipe, step.name, "work", placed.start, placed.leaves);
            const char* const amount = step.pipe == PIPE_V ? "repeats" : step.pipe == PIPE_M ? "multiply-adds" : "bytes";
            // Files of an operator are compiled under "@", its directory.
            const char* const file = std::strncmp(step.file, "@/", 2) == 0 ? step.file + 2 : step.file;
            std::fprintf(file_.get(), ",\"args\":{\"at\":%s,\"cycles\":%.0f,\"%s\":%llu}}", ToJson(file + (":" + std::to_string(step.line))).c_str(),
                         placed.leaves - placed.start, amount, static_cast<unsigned long long>(step.amount));
        }
        free = placed.leaves;
    }

    // Without the closing brace.
    void Event(size_t core, int pipe, const char* name, const char* category, double start, double end)
    {
        std::fprintf(file_.get(), "%s\n{\"ph\":\"X\",\"pid\":%zu,\"tid\":%d,\"ts\":%.4f,\"dur\":%.4f,\"name\":%s,\"cat\":\"%s\"", Comma(), core, pipe,
                     start / clock_, (end - start) / clock_, ToJson(name).c_str(), category);
    }
    void Meta(size_t core, int pipe, const char* what, const char* name)
    {
        std::fprintf(file_.get(), "%s\n{\"ph\":\"M\",\"pid\":%zu,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}}", Comma(), core, pipe, what, name);
    }
    const char* Comma()
    {
        const bool first = first_;
        first_ = false;
        return first ? "" : ",";
    }

    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    const Timeline& timeline_;
    const Placement& placement_;
    double clock_;
    bool first_ = true;
};

}  // namespace

bool WriteTrace(const std::string& path, const Timeline& timeline, const Placement& placement, double cyclesPerMicrosecond,
                size_t most)
{
    Trace trace(path, timeline, placement, cyclesPerMicrosecond);
    if (trace.open()) {
        trace.Write(most);
    }
    return trace.open();
}

}  // namespace emulator
