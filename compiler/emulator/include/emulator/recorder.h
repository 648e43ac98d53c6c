// Writes down what a core does, for the cost model. Every hook returns at once when nobody asked for a timeline.
#pragma once

#include <algorithm>

#include "emulator/instruction.h"

namespace emulator {

class Recorder {
public:
    void Open(Timeline& timeline, bool cube, uint32_t block, uint32_t subBlock);
    bool on() const { return timeline_ != nullptr && timeline_->complete(); }

    // A step at the end of a pipe. The reference holds until the next step.
    Step& Add(const char* name, const char* file, int line, pipe_t pipe);
    uint32_t Move(const Transfer& transfer);
    // The next step of a pipe comes after all that was issued to another one so far.
    void Order(pipe_t before, pipe_t after) { Wait(after, last_[before]); }

    void Signal(AscendC::HardEvent event, int slot, const char* file, int line);
    void Await(AscendC::HardEvent event, int slot, const char* file, int line);
    void Barrier(pipe_t pipe, const char* file, int line);

    // Cross-core flags: sets line up until those of the other cores are there, raised flags until somebody waits.
    void Set(int mode, int flag, pipe_t pipe, const char* file, int line);
    template <class Cores>
    static uint32_t Gather(JoinKind kind, int mode, int flag, const Cores& setters) {
        return Gather(kind, setters, [&](Recorder& r) {
            return Take(r.sets_[mode * FLAGS + flag]);
        });
    }
    void Raise(int flag, uint32_t join);
    void WaitRaised(int flag, pipe_t pipe, const char* file, int line);

    // What this core did so far, for another one to wait for; after a barrier of all pipes.
    uint32_t Posted() {
        if (!on()) {
            return 0;
        }
        const uint32_t step = last_[PIPE_S];
        timeline_->cores[core_].steps[step - 1].arrives = uint32_t(timeline_->joins.size()) + 1;
        timeline_->joins.push_back({JoinKind::Group, {{core_, step}}});
        return uint32_t(timeline_->joins.size());
    }
    void WaitPosted(uint32_t join, const char* name, const char* file, int line) {
        if (on()) {
            Add(name, file, line, PIPE_S).join = join;
        }
    }

    // SyncAll: a core arrives, and goes on when its barrier is complete.
    void Arrive(const char* file, int line);
    template <class Cores>
    static void Release(const Cores& cores) {
        const uint32_t join = Gather(JoinKind::SyncAll, cores, [](Recorder& r) { return r.last_[PIPE_S]; });
        for (auto* core : cores) {
            Recorder& r = core->recorder;
            if (r.on()) {
                const Step arrival = r.timeline_->cores[r.core_].steps[r.last_[PIPE_S] - 1];
                r.Add("SyncAll", arrival.file, arrival.line, PIPE_S).join = join;
            }
        }
    }

private:
    static constexpr int FLAGS = 48, MODES = 5;

    template <class Cores, class Arrival>
    static uint32_t Gather(JoinKind kind, const Cores& cores, Arrival arrival) {
        Timeline* timeline = (*cores.begin())->recorder.timeline_;
        if (timeline == nullptr || !timeline->complete()) {
            return 0;
        }
        Join join{kind, {}};
        for (auto* core : cores) {
            const uint32_t step = arrival(core->recorder);
            timeline->cores[core->recorder.core_].steps[step - 1].arrives = uint32_t(timeline->joins.size()) + 1;
            join.arrivals.emplace_back(core->recorder.core_, step);
        }
        timeline->joins.push_back(std::move(join));
        return uint32_t(timeline->joins.size());
    }
    static uint32_t Take(std::vector<uint32_t>& line) {
        const uint32_t first = line.front();
        line.erase(line.begin());
        return first;
    }
    void Wait(pipe_t pipe, uint32_t step);
    // slot: a buffer of a queue, or for flags set by hand ~id.
    uint32_t& EventOf(AscendC::HardEvent event, int slot);

    Timeline* timeline_ = nullptr;
    uint32_t core_ = 0;
    uint32_t last_[PIPES] = {};
    std::vector<uint32_t> pending_[PIPES];  // what the next step of a pipe waits for
    std::vector<uint32_t> events_[size_t(AscendC::HardEvent::MAX)];
    std::vector<uint32_t> sets_[MODES * FLAGS], raised_[FLAGS];
};

}  // namespace emulator
