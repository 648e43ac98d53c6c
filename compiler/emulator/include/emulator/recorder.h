// Writes down what a core does, for the cost model. Every hook returns at once when nobody asked for a timeline.
#pragma once

#include <algorithm>

#include "emulator/instruction.h"

namespace emulator {

class Recorder {
public:
    void Open(Timeline& timeline, bool cube, uint32_t block, uint32_t subBlock) {
        timeline_ = &timeline;
        core_ = uint32_t(timeline.cores.size());
        timeline.cores.push_back({cube, block, subBlock, {}, {}, {}, {}});
    }
    bool on() const { return timeline_ != nullptr && timeline_->complete(); }

    // A step at the end of a pipe. The reference holds until the next step.
    Step& Add(const char* name, const char* file, int line, pipe_t pipe) {
        CoreTimeline& core = timeline_->cores[core_];
        timeline_->steps += 1;
        std::vector<uint32_t>& waits = pending_[pipe];
        const uint32_t step = uint32_t(core.steps.size()) + 1;
        (last_[pipe] != 0 ? core.steps[last_[pipe] - 1].next : core.first[pipe]) = step;
        last_[pipe] = step;
        core.steps.emplace_back();
        Step& s = core.steps.back();
        s.name = name;
        s.file = file;
        s.line = line;
        s.pipe = uint8_t(pipe);
        if (!waits.empty()) {
            s.waits = uint32_t(waits.size());
            s.firstWait = uint32_t(core.waits.size());
            core.waits.insert(core.waits.end(), waits.begin(), waits.end());
            waits.clear();
        }
        return s;
    }
    uint32_t Move(const Transfer& transfer) {
        std::vector<Transfer>& transfers = timeline_->cores[core_].transfers;
        transfers.push_back(transfer);
        return uint32_t(transfers.size());
    }
    // The next step of a pipe comes after all that was issued to another one so far.
    void Order(pipe_t before, pipe_t after) { Wait(after, last_[before]); }

    void Signal(AscendC::HardEvent event, int slot, const char* file, int line) {
        if (!on()) {
            return;
        }
        const pipe_t from = PipesOf(event).first;
        if (!pending_[from].empty()) {
            Add("SetFlag", file, line, from);
        }
        EventOf(event, slot) = from == PIPE_S ? 0 : last_[from];  // what the scalar unit did is issued before anyhow
    }
    void Await(AscendC::HardEvent event, int slot, const char* file, int line) {
        if (!on()) {
            return;
        }
        const pipe_t to = PipesOf(event).second;
        const uint32_t step = std::exchange(EventOf(event, slot), 0);
        Wait(to, step);
        if (to == PIPE_S && step != 0) {
            Add("WaitFlag", file, line, PIPE_S);
        }
    }
    void Barrier(pipe_t pipe, const char* file, int line) {
        if (!on()) {
            return;
        }
        if (pipe != PIPE_ALL) {
            Order(pipe, pipe);
            return;
        }
        for (int p = 1; p < PIPES; ++p) {
            Order(pipe_t(p), PIPE_S);
        }
        Add("PipeBarrier", file, line, PIPE_S);
    }

    // Cross-core flags: sets line up until those of the other cores are there, raised flags until somebody waits.
    void Set(int mode, int flag, pipe_t pipe, const char* file, int line) {
        if (on()) {
            Add("CrossCoreSetFlag", file, line, pipe);
            sets_[mode * FLAGS + flag].push_back(last_[pipe]);
        }
    }
    template <class Cores>
    static uint32_t Gather(JoinKind kind, int mode, int flag, const Cores& setters) {
        return Gather(kind, setters, [&](Recorder& r) {
            return Take(r.sets_[mode * FLAGS + flag]);
        });
    }
    void Raise(int flag, uint32_t join) {
        if (on()) {
            raised_[flag].push_back(join);
        }
    }
    void WaitRaised(int flag, pipe_t pipe, const char* file, int line) {
        if (on() && !raised_[flag].empty()) {
            Add("CrossCoreWaitFlag", file, line, pipe).join = Take(raised_[flag]);
        }
    }

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
    void Arrive(const char* file, int line) {
        if (on()) {
            Add("SyncAll", file, line, PIPE_S);
        }
    }
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
    void Wait(pipe_t pipe, uint32_t step) {
        std::vector<uint32_t>& waits = pending_[pipe];
        if (step != 0 && std::find(waits.begin(), waits.end(), step) == waits.end()) {
            waits.push_back(step);
        }
    }
    // slot: a buffer of a queue, or for flags set by hand ~id.
    uint32_t& EventOf(AscendC::HardEvent event, int slot) {
        std::vector<uint32_t>& events = events_[int(event)];
        const size_t at = slot < 0 ? size_t(~slot) * 2 : size_t(slot) * 2 + 1;
        if (events.size() <= at) {
            events.resize(at + 1);
        }
        return events[at];
    }

    Timeline* timeline_ = nullptr;
    uint32_t core_ = 0;
    uint32_t last_[PIPES] = {};
    std::vector<uint32_t> pending_[PIPES];  // what the next step of a pipe waits for
    std::vector<uint32_t> events_[size_t(AscendC::HardEvent::MAX)];
    std::vector<uint32_t> sets_[MODES * FLAGS], raised_[FLAGS];
};

}  // namespace emulator
