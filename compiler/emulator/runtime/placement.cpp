#include "placement.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <queue>
#include <unordered_map>

namespace emulator {
namespace {

// ---- What an instruction costs ----

class Rates {
public:
    explicit Rates(const std::map<std::string, double>& product) : product_(product)
    {
        const double clock = Of("cores.clock_mhz") * 1e6;
        perNanosecond = clock / 1e9;
        l2 = Rate("l2_bytes_per_second") / clock;
        hbm = Rate("hbm_bytes_per_second") * Rate("hbm_efficiency") / clock;
        burst = Rate("hbm_burst");
        sector = static_cast<uint64_t>(Rate("l2_sector"));
        capacity = static_cast<uint64_t>(Of("memory.l2"));
        atomic = Rate("atomic_add");
        request = static_cast<uint64_t>(Rate("copy_request"));
        unaligned = Rate("unaligned_rows");
        copyStart = Rate("copy_start");
        loadStart = Rate("load_start");
        latency = Rate("gm_latency_ns") * perNanosecond;
        coldLatency = Rate("gm_cold_latency_ns") * perNanosecond;
        slot = 256 / Rate("vector") * Rate("vector_overhead");
        vectorStart = Rate("vector_start");
        macs16 = Rate("cube_macs_16");
        macs32 = Rate("cube_macs_32");
        cubeEfficiency = Rate("cube_efficiency");
        cubeLatency = Rate("cube_latency");
        issue = Rate("scalar_issue");
        event = Rate("event");
        scalar = Rate("scalar_access");
        head = Rate("kernel_head_ns") * perNanosecond;
        pipeStart = Rate("pipe_start_ns") * perNanosecond;
        joins[int(JoinKind::SyncAll)] = Rate("sync_all_ns") * perNanosecond;
        joins[int(JoinKind::AllCores)] = Rate("flag_all_ns") * perNanosecond;
        joins[int(JoinKind::Group)] = Rate("flag_group_ns") * perNanosecond;
        queue = static_cast<uint32_t>(Rate("queue"));
    }

    // Bytes per cycle on the way from one memory to another.
    double Path(Space from, Space to)
    {
        double& rate = paths_[int(from)][int(to)];
        if (rate == 0) {
            static const char* const names[] = {"ub", "gm", "l1", "l0a", "l0b", "l0c", "bt", "fb"};
            rate = Rate(("paths." + std::string(names[int(from)]) + "_to_" + names[int(to)]).c_str());
        }
        return rate;
    }

    // Slots of 256 bytes that a vector instruction takes for a repeat.
    double Slots(const char* name)
    {
        const auto known = slots_.find(name);
        if (known != slots_.end()) {
            return known->second;
        }
        const auto found = product_.find(std::string("rates.slots.") + name);
        return slots_[name] = found != product_.end() ? found->second : Rate("slots.default");
    }

    double perNanosecond, l2, hbm, burst, atomic, unaligned, copyStart, loadStart, latency, coldLatency, slot, vectorStart;
    double macs16, macs32, cubeEfficiency, cubeLatency, issue, event, scalar, head, pipeStart, joins[3];
    uint64_t sector, capacity, request;
    uint32_t queue;

private:
    double Of(const std::string& name) const
    {
        const auto found = product_.find(name);
        if (found == product_.end()) {
            throw RateError{name};
        }
        return found->second;
    }
    double Rate(const char* name) const { return Of(std::string("rates.") + name); }

    const std::map<std::string, double>& product_;
    std::unordered_map<const char*, double> slots_;
    double paths_[SPACES][SPACES] = {};
};

// ---- L2 ----

class L2 {
public:
    L2(const std::vector<GmRange>& ranges, uint64_t sector, uint64_t bytes) : sector_(sector)
    {
        for (const GmRange& range : ranges) {
            const uint64_t sectors = range.bytes / sector + 2;
            void* pages = mmap(nullptr, sectors * sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            ranges_.push_back({reinterpret_cast<uint64_t>(range.base), range.bytes, static_cast<uint32_t*>(pages), sectors});
        }
        capacity_ = static_cast<uint32_t>(std::max<uint64_t>(bytes / sector, 1));
        lines_.resize(1);
    }
    ~L2()
    {
        for (const Range& range : ranges_) {
            munmap(range.line, range.sectors * sizeof(uint32_t));
        }
    }
    L2(const L2&) = delete;
    L2& operator=(const L2&) = delete;

    // Bytes that a transfer makes HBM move.
    uint64_t Touch(const Transfer& t)
    {
        Range* range = Find(t.address);
        if (range == nullptr) {
            return 0;
        }
        uint64_t missed = 0;
        const bool one = t.pitch == t.bytes;
        const uint64_t rows = one ? 1 : t.rows, bytes = one ? t.rows * t.bytes : t.bytes;
        for (uint64_t row = 0; row < rows && bytes > 0; ++row) {
            const uint64_t at = t.address - range->base + row * t.pitch;
            const uint64_t last = std::min((at + bytes - 1) / sector_, range->sectors - 1);
            for (uint64_t sector = at / sector_; sector <= last; ++sector) {
                missed += Touch(range->line[sector], t.write);
            }
        }
        return missed * sector_;
    }

private:
    struct Range {
        uint64_t base, bytes;
        uint32_t* line;  // of each sector; 0: not in L2
        uint64_t sectors;
    };
    struct Line {
        uint32_t* owner = nullptr;
        uint32_t before = 0, after = 0;  // line 0 closes the ring of lines: after it the last used one
        bool dirty = false;
    };

    Range* Find(uint64_t address)
    {
        for (size_t i = 0; i < ranges_.size(); ++i) {
            Range& range = ranges_[(found_ + i) % ranges_.size()];
            if (address >= range.base && address < range.base + range.bytes) {
                found_ = (found_ + i) % ranges_.size();
                return &range;
            }
        }
        return nullptr;
    }

    bool Touch(uint32_t& owner, bool write)
    {
        bool moved = owner == 0;
        uint32_t index = owner;
        if (index == 0) {
            if (lines_.size() <= capacity_) {
                index = static_cast<uint32_t>(lines_.size());
                lines_.emplace_back();
            } else {
                index = lines_[0].before;
                *lines_[index].owner = 0;
                Unlink(index);
            }
            lines_[index].owner = &owner;
            lines_[index].dirty = false;
            owner = index;
        } else {
            Unlink(index);
        }
        Line& line = lines_[index];
        moved = moved || (write && !line.dirty);
        line.dirty = line.dirty || write;
        line.before = 0;
        line.after = lines_[0].after;
        lines_[line.after].before = index;
        lines_[0].after = index;
        return moved;
    }
    void Unlink(uint32_t index)
    {
        const Line& line = lines_[index];
        lines_[line.before].after = line.after;
        lines_[line.after].before = line.before;
    }

    uint64_t sector_;
    uint32_t capacity_;
    size_t found_ = 0;
    std::vector<Range> ranges_;
    std::vector<Line> lines_;
};

// ---- Placing steps ----

class Simulation {
public:
    Simulation(const Timeline& timeline, const std::map<std::string, double>& product, const std::vector<GmRange>& ranges)
        : timeline_(timeline), rates_(product), l2_(ranges, rates_.sector, rates_.capacity)
    {
        for (const CoreTimeline& core : timeline.cores) {
            result.steps.emplace_back(core.steps.size());
            result.busy.emplace_back(PIPES);
            cores_.emplace_back(core, rates_.queue);
            cores_.back().scalar = result.head = rates_.head;
        }
        for (const Join& join : timeline.joins) {
            joins_.push_back({join.arrivals.size(), 0});
        }
    }

    void Run()
    {
        for (uint32_t core = 0; core < cores_.size(); ++core) {
            Advance(core);
        }
        for (;;) {
            while (complete_) {
                complete_ = false;
                for (uint32_t core = 0; core < cores_.size(); ++core) {
                    Advance(core);
                }
            }
            if (starts_.empty()) {
                break;
            }
            const Start next = starts_.top();
            starts_.pop();
            State& state = cores_[next.core];
            const uint32_t step = state.head[next.pipe];
            PlaceStep(next.core, step, next.time);
            state.head[next.pipe] = timeline_.cores[next.core].steps[step - 1].next;
            state.waiting[next.pipe] = false;
            Advance(next.core);
        }
        for (const State& state : cores_) {
            result.cycles = std::max(result.cycles, state.scalar);
            for (const double end : state.ends) {
                result.cycles = std::max(result.cycles, end);
            }
        }
    }

    Placement result;

private:
    struct State {
        State(const CoreTimeline& core, uint32_t queue) : started(PIPES, std::vector<double>(queue))
        {
            std::copy(std::begin(core.first), std::end(core.first), head);
            for (int pipe = 1; pipe < PIPES; ++pipe) {
                if (head[pipe] != 0) {
                    pipes.push_back(pipe);
                }
            }
        }
        std::vector<int> pipes;  // that have steps, the scalar unit apart
        uint32_t walked = 0;  // steps that the scalar unit is done with
        double scalar = 0;    // when it is free
        uint32_t head[PIPES];
        bool waiting[PIPES] = {};  // the head's start is in the queue of starts
        double free[PIPES] = {}, ends[PIPES] = {};
        uint32_t issued[PIPES] = {}, placed[PIPES] = {};
        std::vector<std::vector<double>> started;  // of the last steps of each pipe
        bool warm[PIPES] = {};  // its pipe has accessed global memory
        uint64_t line = ~0ull;  // what the scalar unit read last
    };
    struct Start {
        double time;
        uint32_t core;
        int pipe;
        bool operator<(const Start& other) const  // the queue has its largest in front
        {
            return time != other.time ? time > other.time : core != other.core ? core > other.core : pipe > other.pipe;
        }
    };
    struct Pending {
        size_t missing;
        double time;
    };

    // When what a step waits for has happened; below 0 while that is not known.
    double Ready(uint32_t core, const Step& step, uint32_t& held) const
    {
        const std::vector<uint32_t>& waits = timeline_.cores[core].waits;
        double time = 0;
        for (uint32_t i = 0; i < step.waits; ++i) {
            const uint32_t other = waits[step.firstWait + i];
            const Placed& placed = result.steps[core][other - 1];
            if (placed.start < 0) {
                return -1;
            }
            const bool same = timeline_.cores[core].steps[other - 1].pipe == step.pipe;
            if (placed.ends + (same ? 0 : rates_.event) > time) {
                time = placed.ends + (same ? 0 : rates_.event);
                held = other;
            }
        }
        if (step.join != 0) {
            const Pending& join = joins_[step.join - 1];
            if (join.missing > 0) {
                return -1;
            }
            time = std::max(time, join.time + rates_.joins[int(timeline_.joins[step.join - 1].kind)]);
        }
        return time;
    }

    void Advance(uint32_t core)
    {
        Walk(core);
        State& state = cores_[core];
        for (const int pipe : state.pipes) {
            const uint32_t head = state.head[pipe];
            if (head == 0 || head > state.walked || state.waiting[pipe]) {
                continue;
            }
            Placed& placed = result.steps[core][head - 1];
            const double ready = Ready(core, timeline_.cores[core].steps[head - 1], placed.held);
            if (ready >= 0) {
                state.waiting[pipe] = true;
                starts_.push({std::max({state.free[pipe], placed.issued, ready}), core, pipe});
            }
        }
    }

    // The scalar unit: on to the first step that it has to wait for.
    void Walk(uint32_t core)
    {
        State& state = cores_[core];
        const std::vector<Step>& steps = timeline_.cores[core].steps;
        for (; state.walked < steps.size(); ++state.walked) {
            const Step& step = steps[state.walked];
            Placed& placed = result.steps[core][state.walked];
            if (step.pipe == PIPE_S) {
                const double ready = Ready(core, step, placed.held);
                if (ready < 0) {
                    return;
                }
                placed.issued = state.scalar;
                PlaceStep(core, state.walked + 1, std::max(state.scalar, ready));
                state.scalar = placed.leaves;
                continue;
            }
            const uint32_t issued = state.issued[step.pipe];
            if (issued - state.placed[step.pipe] >= rates_.queue) {
                return;
            }
            if (issued >= rates_.queue) {
                state.scalar = std::max(state.scalar, state.started[step.pipe][issued % rates_.queue]);
            }
            state.scalar += rates_.issue * (1 + step.waits);
            placed.issued = state.scalar;
            state.issued[step.pipe] += 1;
        }
    }

    void PlaceStep(uint32_t core, uint32_t index, double time)
    {
        State& state = cores_[core];
        const Step& step = timeline_.cores[core].steps[index - 1];
        Placed& placed = result.steps[core][index - 1];
        const int pipe = step.pipe;
        placed.start = time;
        placed.leaves = placed.ends = time;
        if (step.work) {
            Work(core, step, placed);
            result.busy[core][pipe] += placed.leaves - placed.start;
        }
        placed.ends = std::max(placed.ends, state.ends[pipe]);  // in order
        state.free[pipe] = placed.leaves;
        state.ends[pipe] = placed.ends;
        state.started[pipe][state.placed[pipe] % rates_.queue] = placed.start;
        state.placed[pipe] += 1;
        if (step.arrives != 0) {
            Pending& join = joins_[step.arrives - 1];
            join.time = std::max(join.time, placed.ends);
            join.missing -= 1;
            complete_ = complete_ || join.missing == 0;
        }
    }

    void Work(uint32_t core, const Step& step, Placed& placed)
    {
        const Space from = Space(step.from), to = Space(step.to);
        switch (step.pipe) {
            case PIPE_V: {
                const double slots = step.amount * rates_.Slots(step.name);
                result.vectorSlots += slots;
                placed.leaves += rates_.vectorStart + slots * rates_.slot;
                break;
            }
            case PIPE_M: {
                const double cycles = step.amount / (step.width == 4 ? rates_.macs32 : rates_.macs16);
                result.cubeCycles += cycles;
                placed.leaves += cycles / rates_.cubeEfficiency;
                placed.ends = placed.leaves + rates_.cubeLatency;
                return;
            }
            case PIPE_S:
                if (std::strcmp(step.name, "TPipe") == 0) {
                    placed.leaves += rates_.pipeStart;
                } else if (step.transfer != 0) {
                    Scalar(core, timeline_.cores[core].transfers[step.transfer - 1], placed);
                } else {
                    placed.leaves += rates_.scalar;
                }
                break;
            default:
                if (step.transfer != 0) {
                    Global(core, step, timeline_.cores[core].transfers[step.transfer - 1], placed);
                    return;
                }
                if (from == Space::GM) {  // nothing is read: a fill
                    placed.leaves += rates_.loadStart + step.amount / rates_.Path(Space::GM, Space::L1);
                } else {
                    placed.leaves += rates_.loadStart + step.amount / rates_.Path(from, to);
                }
        }
        placed.ends = placed.leaves;
    }

    // One element of global memory, through the data cache of the scalar unit.
    void Scalar(uint32_t core, const Transfer& t, Placed& placed)
    {
        constexpr uint64_t LINE = 64;
        State& state = cores_[core];
        placed.leaves += rates_.scalar;
        if (t.write || state.line != t.address / LINE) {
            const uint64_t missed = l2_.Touch(t);
            result.gmBytes += t.bytes;
            result.hbmBytes += missed;
            placed.leaves += t.write ? 0 : rates_.latency;
            state.line = t.address / LINE;
        }
    }

    void Global(uint32_t core, const Step& step, const Transfer& t, Placed& placed)
    {
        const double bytes = double(t.rows) * t.bytes;
        const uint64_t asked = t.pitch == t.bytes ? RoundUp(t.rows * t.bytes) : t.rows * RoundUp(t.bytes);
        const bool unaligned = Space(step.to) == Space::L1 && t.rows > 1 && t.pitch % 32 != 0;
        const Space from = t.write ? Space(step.from) : Space::GM, to = t.write ? Space::GM : Space(step.to);
        const double port = rates_.copyStart + asked / rates_.Path(t.write && from == Space::GM ? Space::UB : from, to) *
                                                   (unaligned ? rates_.unaligned : 1);
        const uint64_t missed = l2_.Touch(t);
        l2Free_ = std::max(l2Free_, placed.start) + bytes * (t.atomic ? rates_.atomic : 1) / rates_.l2;
        placed.leaves = std::max(placed.start + port, l2Free_);
        if (missed > 0) {
            hbmFree_ = std::max(hbmFree_, placed.start) + (missed + rates_.burst) / rates_.hbm;
            placed.leaves = std::max(placed.leaves, hbmFree_);
        }
        bool& warm = cores_[core].warm[step.pipe];
        placed.ends = placed.leaves + (warm ? rates_.latency : rates_.coldLatency);
        warm = true;
        result.gmBytes += bytes;
        result.hbmBytes += missed;
    }
    uint64_t RoundUp(uint64_t bytes) const { return (bytes + rates_.request - 1) / rates_.request * rates_.request; }

    const Timeline& timeline_;
    Rates rates_;
    L2 l2_;
    std::vector<State> cores_;
    std::vector<Pending> joins_;
    std::priority_queue<Start> starts_;
    bool complete_ = false;  // a join became complete, cores may go on
    double l2Free_ = 0, hbmFree_ = 0;
};

}  // namespace

Placement Place(const Timeline& timeline, const std::map<std::string, double>& product, const std::vector<GmRange>& ranges)
{
    Simulation simulation(timeline, product, ranges);
    simulation.Run();
    return std::move(simulation.result);
}

const char* PipeName(int pipe)
{
    static const char* const names[PIPES] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", nullptr, nullptr, nullptr, nullptr, "FIX"};
    return names[pipe];
}

}  // namespace emulator
