// Memories, what a core records of each instruction, the order of accesses, and findings.
#include "emulator/entry.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <tuple>

namespace emulator {

// ---- instruction.h ----

Pattern& Pattern::Times(uint64_t count, uint64_t step) {
    if (count > 1 && step > 0) {
        if (depth == 0 && step <= run) {
            run += (count - 1) * step;
        } else {
            level[depth++] = {count, step};
        }
        end += (count - 1) * step;
    }
    return *this;
}

void Pattern::Cut(uint64_t limit) {
    end = std::min(end, limit);
    if (depth == 0) {
        run = end - begin;
    }
}

uint64_t Pattern::Span(int levels) const {
    uint64_t span = run;
    for (int i = 0; i < levels; ++i) {
        span += (level[i].count - 1) * level[i].step;
    }
    return span;
}

uint64_t Pattern::Runs() const {
    uint64_t runs = 1;
    for (int i = 0; i < depth; ++i) {
        runs *= level[i].count;
    }
    return runs;
}

bool Pattern::Touches(uint64_t low, uint64_t high, uint64_t& at) const {
    return low < end && high > begin && Touches(depth, begin, low, std::min(high, end), at);
}

bool Pattern::Meets(const Pattern& other, uint64_t& at) const {
    if (begin >= other.end || other.begin >= end) {
        return false;
    }
    return other.Runs() < Runs() ? other.EachTouches(*this, other.depth, other.begin, at) : EachTouches(other, depth, begin, at);
}

bool Pattern::Covers(const Pattern& other) const {
    if (depth == 0) {
        return begin <= other.begin && other.end <= end;
    }
    if (begin != other.begin || end != other.end || run != other.run || depth != other.depth) {
        return false;
    }
    for (int i = 0; i < depth; ++i) {
        if (level[i].count != other.level[i].count || level[i].step != other.level[i].step) {
            return false;
        }
    }
    return true;
}

bool Pattern::Touches(int levels, uint64_t base, uint64_t low, uint64_t high, uint64_t& at) const {
    if (levels == 0) {
        at = std::max(base, low);
        return base < high && base + run > low;
    }
    const Level& l = level[levels - 1];
    const uint64_t span = Span(levels - 1);
    if (high <= base) {
        return false;
    }
    const uint64_t last = std::min((high - 1 - base) / l.step, l.count - 1);
    for (uint64_t i = low >= base + span ? (low - base - span) / l.step + 1 : 0; i <= last; ++i) {
        if (Touches(levels - 1, base + i * l.step, low, high, at)) {
            return true;
        }
    }
    return false;
}

bool Pattern::EachTouches(const Pattern& other, int levels, uint64_t base, uint64_t& at) const {
    if (levels == 0) {
        return other.Touches(base, std::min(base + run, end), at);
    }
    const uint64_t span = Span(levels - 1);
    for (uint64_t i = 0; i < level[levels - 1].count; ++i) {
        const uint64_t start = base + i * level[levels - 1].step;
        if (start < other.end && start + span > other.begin && EachTouches(other, levels - 1, start, at)) {
            return true;
        }
    }
    return false;
}

Access& Instruction::Touch(Space space, bool write, uint64_t bytes, const Pattern& pattern) {
    Access& a = access[accesses++];
    a = {space, write ? AccessKind::Write : AccessKind::Read, bytes, pattern, nullptr, 1, 0};
    return a;
}

Access& Instruction::Touch(Space space, bool write, uint64_t address, uint64_t bytes) {
    return Touch(space, write, bytes, Pattern(address, bytes));
}

// ---- memory.h ----

bool AllBytes(const uint8_t* p, uint64_t n, uint8_t value) {
    const uint64_t wide = value * 0x0101010101010101ull;
    uint64_t i = 0;
    for (; i + 32 <= n; i += 32) {
        uint64_t w[4];
        std::memcpy(w, p + i, 32);
        if (((w[0] ^ wide) | (w[1] ^ wide) | (w[2] ^ wide) | (w[3] ^ wide)) != 0) {
            return false;
        }
    }
    for (; i < n; ++i) {
        if (p[i] != value) {
            return false;
        }
    }
    return true;
}

uint8_t* MapPages(uint64_t bytes) {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<uint8_t*>(p);
}

void GlobalMemory::Open(const std::vector<GmRange>& ranges, bool check) {
    Close();
    for (const GmRange& range : ranges) {
        GlobalRange entry{&range, nullptr, range.name == "tiling"};
        if (range.poisoned && range.bytes > 0 && range.base != nullptr) {
            // Sparse ranges keep their holes, and nobody outside looks at the workspace: reading gives poison
            // through the shadow.
            if (range.bytes <= FILL_LIMIT && !(check && range.name == "workspace")) {
                std::memset(range.base, POISON, range.bytes);
            }
            entry.defined = check ? MapPages(range.bytes) : nullptr;
        }
        ranges_.push_back(entry);
    }
}

const GlobalRange* GlobalMemory::Find(const uint8_t* address) const {
    if (last_ < ranges_.size() && Holds(ranges_[last_], address)) {
        return &ranges_[last_];
    }
    for (size_t i = 0; i < ranges_.size(); ++i) {
        if (Holds(ranges_[i], address)) {
            last_ = i;
            return &ranges_[i];
        }
    }
    return nullptr;
}

const GlobalRange* GlobalMemory::Nearest(const uint8_t* address) const {
    const GlobalRange* best = nullptr;
    for (const GlobalRange& entry : ranges_) {
        const uint8_t* base = entry.range->base;
        if (base != nullptr && base <= address && (best == nullptr || base > best->range->base)) {
            best = &entry;
        }
    }
    return best;
}

const GlobalRange* GlobalMemory::Tiling() const {
    for (const GlobalRange& entry : ranges_) {
        if (entry.tiling) {
            return &entry;
        }
    }
    return nullptr;
}

void GlobalMemory::Close() {
    for (GlobalRange& entry : ranges_) {
        if (entry.defined != nullptr) {
            munmap(entry.defined, entry.range->bytes);
        }
    }
    ranges_.clear();
    last_ = 0;
}

UnifiedBuffer::UnifiedBuffer() {
    pages_ = MapPages(2 * GUARD + ARENA);
    mprotect(pages_, GUARD, PROT_NONE);
    mprotect(pages_ + GUARD + ARENA, GUARD, PROT_NONE);
    data = pages_ + GUARD;
    shadow = MapPages(ARENA);
    dirty_ = MapPages(ARENA / REPEAT);
}

UnifiedBuffer::~UnifiedBuffer() {
    munmap(pages_, 2 * GUARD + ARENA);
    munmap(shadow, ARENA);
    munmap(dirty_, ARENA / REPEAT);
}

void UnifiedBuffer::Reset(bool track, uint64_t bytes) {
    track_ = track;
    std::memset(data, POISON, bytes);
    std::memset(shadow, track ? POISON : 0, bytes);
    std::memset(dirty_, track ? 1 : 0, (bytes + REPEAT - 1) / REPEAT);
}

void UnifiedBuffer::Poison(uint64_t address, uint64_t bytes) {
    if (!track_ || bytes == 0) {
        return;
    }
    std::memset(data + address, POISON, bytes);
    std::memset(shadow + address, POISON, bytes);
    MarkDirty(address, bytes);
}

bool UnifiedBuffer::Clean(uint64_t address, uint64_t bytes) const {
    return Untouched(address, bytes) || AllBytes(shadow + address, bytes, 0);
}

void UnifiedBuffer::Define(uint64_t address, uint64_t bytes) {
    if (Untouched(address, bytes)) {
        return;
    }
    std::memset(shadow + address, 0, bytes);
    uint64_t first = address / REPEAT, last = (address + bytes - 1) / REPEAT;
    std::memset(dirty_ + first, 0, last - first + 1);
    for (uint64_t block : {first, last}) {
        dirty_[block] = !AllBytes(shadow + block * REPEAT, REPEAT, 0);
    }
}

void UnifiedBuffer::MarkDirty(uint64_t address, uint64_t bytes) {
    if (track_ && bytes > 0) {
        std::memset(dirty_ + address / REPEAT, 1, (address + bytes - 1) / REPEAT - address / REPEAT + 1);
    }
}

void UnifiedBuffer::Settle(uint64_t address, uint64_t bytes) {
    for (uint64_t block = address / REPEAT; track_ && block < (address + bytes + REPEAT - 1) / REPEAT; ++block) {
        dirty_[block] = !AllBytes(shadow + block * REPEAT, REPEAT, 0);
    }
}

bool UnifiedBuffer::Untouched(uint64_t address, uint64_t bytes) const {
    return !track_ || bytes == 0 ||
           AllBytes(dirty_ + address / REPEAT, (address + bytes - 1) / REPEAT - address / REPEAT + 1, 0);
}

// ---- recorder.h ----

void Recorder::Open(Timeline& timeline, bool cube, uint32_t block, uint32_t subBlock) {
    timeline_ = &timeline;
    core_ = uint32_t(timeline.cores.size());
    timeline.cores.push_back({cube, block, subBlock, {}, {}, {}, {}});
}

Step& Recorder::Add(const char* name, const char* file, int line, pipe_t pipe) {
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

uint32_t Recorder::Move(const Transfer& transfer) {
    std::vector<Transfer>& transfers = timeline_->cores[core_].transfers;
    transfers.push_back(transfer);
    return uint32_t(transfers.size());
}

void Recorder::Signal(AscendC::HardEvent event, int slot, const char* file, int line) {
    if (!on()) {
        return;
    }
    const pipe_t from = PipesOf(event).first;
    if (!pending_[from].empty()) {
        Add("SetFlag", file, line, from);
    }
    EventOf(event, slot) = from == PIPE_S ? 0 : last_[from];  // what the scalar unit did is issued before anyhow
}

void Recorder::Await(AscendC::HardEvent event, int slot, const char* file, int line) {
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

void Recorder::Barrier(pipe_t pipe, const char* file, int line) {
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

void Recorder::Set(int mode, int flag, pipe_t pipe, const char* file, int line) {
    if (on()) {
        Add("CrossCoreSetFlag", file, line, pipe);
        sets_[mode * FLAGS + flag].push_back(last_[pipe]);
    }
}

void Recorder::Raise(int flag, uint32_t join) {
    if (on()) {
        raised_[flag].push_back(join);
    }
}

void Recorder::WaitRaised(int flag, pipe_t pipe, const char* file, int line) {
    if (on() && !raised_[flag].empty()) {
        Add("CrossCoreWaitFlag", file, line, pipe).join = Take(raised_[flag]);
    }
}

void Recorder::Arrive(const char* file, int line) {
    if (on()) {
        Add("SyncAll", file, line, PIPE_S);
    }
}

void Recorder::Wait(pipe_t pipe, uint32_t step) {
    std::vector<uint32_t>& waits = pending_[pipe];
    if (step != 0 && std::find(waits.begin(), waits.end(), step) == waits.end()) {
        waits.push_back(step);
    }
}

uint32_t& Recorder::EventOf(AscendC::HardEvent event, int slot) {
    std::vector<uint32_t>& events = events_[int(event)];
    const size_t at = slot < 0 ? size_t(~slot) * 2 : size_t(slot) * 2 + 1;
    if (events.size() <= at) {
        events.resize(at + 1);
    }
    return events[at];
}

// ---- order.h ----

bool Holds(const Everywhere& a, const Everywhere& b) {
    for (size_t i = 0; i < a.size(); ++i) {
        if (!a[i].Holds(b[i])) {
            return false;
        }
    }
    return true;
}

Shared Union(const Shared& a, const Shared& b) {
    if (a == b || b == nullptr) {
        return a;
    }
    if (a == nullptr || Holds(*b, *a)) {
        return b;
    }
    if (Holds(*a, *b)) {
        return a;
    }
    Everywhere both = *a;
    for (size_t i = 0; i < both.size(); ++i) {
        both[i].Join((*b)[i]);
    }
    return std::make_shared<const Everywhere>(std::move(both));
}

bool Accesses::SameSite(const Record& a, const Record& b) {
    return a.kind == b.kind && a.site.line == b.site.line && a.site.file == b.site.file && a.unitFlag == b.unitFlag &&
           a.fromMemory == b.fromMemory;
}

bool Accesses::Extend(Pattern& p, const Pattern& q) {
    if (p.depth != 0 || q.depth != 0) {
        return false;
    }
    p = Pattern(std::min(p.begin, q.begin), std::max(p.end, q.end) - std::min(p.begin, q.begin));
    return true;
}

bool Accesses::AddRow(Pattern& p, const Pattern& q) {
    if (p.depth > 1 || q.depth != 0 || p.run != q.run || q.begin < p.end || (p.depth == 1 && q.begin != p.begin + p.level[0].count * p.level[0].step)) {
        return false;
    }
    if (p.depth == 0) {
        p.level[p.depth++] = {1, q.begin - p.begin};
    }
    p.level[0].count += 1;
    p.end = q.end;
    return true;
}

// Keeps what later accesses have to be compared with. In a memory of one core: whatever conflicts with an access that a
// write covers conflicts with the write, and is ordered after it only if it is after the other one too. Cores that
// share a memory come here in any order, and must find the same hazards in each: only a newer access of the same line
// takes the place of an older one.
void Accesses::Add(const Record& now, bool shared) {
    Record* grown = nullptr;
    for (size_t i = 0; i < records_.size();) {
        Record& before = records_[i];
        const bool same = before.SamePlace(now), apart = before.pattern.begin > now.pattern.end || now.pattern.begin > before.pattern.end;
        if (apart ? !same || grown != nullptr : shared && !SameSite(before, now)) {
            ++i;
            continue;
        }
        if (apart) {
            if (SameSite(before, now) && AddRow(before.pattern, now.pattern)) {
                grown = &before;
            }
            ++i;
            continue;
        }
        if (same && (before.kind == now.kind || before.kind == AccessKind::Write) && before.pattern.Covers(now.pattern)) {
            return;
        }
        const bool samePipe = before.core == now.core && before.pipe == now.pipe;
        if ((shared ? samePipe : now.kind == AccessKind::Write || (now.kind == before.kind && samePipe)) && now.pattern.Covers(before.pattern)) {
            if (grown == &records_.back()) {
                grown = &before;
            }
            before = records_.back();
            records_.pop_back();
            continue;
        }
        if (grown == nullptr && same && SameSite(before, now) && Extend(before.pattern, now.pattern)) {
            grown = &before;
        }
        ++i;
    }
    if (grown == nullptr) {
        records_.push_back(now);
    }
}

std::vector<Hazard> Hazards::Sorted() const {
    std::vector<Hazard> sorted = found_;
    std::sort(sorted.begin(), sorted.end(), [](const Hazard& a, const Hazard& b) {
        const int first = Compare(a.first, b.first), second = Compare(a.second, b.second);
        // Two lines that nothing orders between cores come before the same two in one core, whose remedy is not enough.
        const auto rest = [](const Hazard& h) { return std::make_tuple(h.OneCore(), h.first.core, h.second.core, h.place); };
        return first != 0 ? first < 0 : second != 0 ? second < 0 : rest(a) < rest(b);
    });
    return sorted;
}

int Hazards::Compare(const Record& a, const Record& b) {
    const int kinds = Rank(a.kind) - Rank(b.kind), files = std::strcmp(a.site.file, b.site.file);
    return kinds != 0 ? kinds : files != 0 ? files : a.site.line != b.site.line ? a.site.line - b.site.line : a.pipe - b.pipe;
}

// ---- core.h ----

Core* current = nullptr;

std::string Place(Site site) {
    const char* slash = std::strrchr(site.file, '/');
    return std::string(slash != nullptr ? slash + 1 : site.file) + ":" + std::to_string(site.line);
}

void Launch::Report(const char* kind, Site site, const char* format, ...) {
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
    report->findings.push_back({kind, site.file, site.line, text, Callers()});
}

std::vector<uint64_t> Launch::Callers() const {
    std::vector<uint64_t> offsets;
    if (request->callers) {
        void* addresses[64];
        Dl_info own, other;
        dladdr(&current, &own);
        const int depth = backtrace(addresses, 64);  // ends at the fiber's entry
        for (int i = 0; i < depth; ++i) {
            if (dladdr(addresses[i], &other) != 0 && other.dli_fbase == own.dli_fbase) {
                offsets.push_back(uint64_t(static_cast<char*>(addresses[i]) - static_cast<char*>(own.dli_fbase)) - 1);  // the call, not what follows
            }
        }
    }
    return offsets;
}

double Launch::Figure(const char* key) {
    auto it = request->product.find(key);
    if (it == request->product.end()) {
        Report("request", {key, 0}, "the product has no figure %s", key);
        return 0;
    }
    return it->second;
}

void Launch::ReadProduct() {
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
    product.vectorOrder = Figure("limits.vector_order_in_hardware") != 0;
}

// Accesses of an instruction are checked before any of them is kept: they are no hazard to one another.
void Core::IssueOrder(const Instruction& instruction) {
    for (bool add : {false, true}) {
        for (int i = 0; i < instruction.accesses; ++i) {
            const Access& access = instruction.access[i];
            const int pipe = IndexOf(instruction.pipe);
            Record now{access.pattern, order.epoch[pipe], index, uint8_t(pipe), access.kind, instruction.unitFlag,
                       instruction.autoSync, instruction.fromMemory, instruction.name, instruction.site};
            if (access.space != Space::GM) {
                Accesses& memory = (access.owner != nullptr ? access.owner : this)->order.memory[int(access.space)];
                if (add) {
                    memory.Add(now, false);
                } else {
                    Check(now, access, memory);
                }
                continue;
            }
            const GlobalRange* entry = launch.gm.Find(reinterpret_cast<const uint8_t*>(uintptr_t(access.pattern.begin)));
            if (entry == nullptr || !entry->range->writable) {
                continue;
            }
            launch.accesses.EachPage(access.pattern, [&](Accesses& page, const Pattern& part) {
                now.pattern = part;
                if (add) {
                    page.Add(now, true);
                } else {
                    Check(now, access, page);
                }
            });
        }
    }
}

void Core::Issue(const Instruction& instruction) {
    lastSite = instruction.site;
    lastName = instruction.name;
    if (launch.check) {
        IssueOrder(instruction);
    }
    uint64_t loaded = 0, stored = 0;
    for (int i = 0; i < instruction.accesses; ++i) {
        const Access& access = instruction.access[i];
        if (access.space == Space::UB) {
            (access.write() ? stored : loaded) += access.bytes;
        }
        launch.progress += access.space == Space::GM && access.write();
        if (access.space == Space::GM && launch.check && !launch.cached.empty() && access.kind != AccessKind::Line) {
            MeetCaches(instruction, access);
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
            counters.scalarReads += instruction.access[0].write() ? 0 : 1;
            break;
        default:
            break;
    }
    if (recorder.on()) {
        WriteDown(instruction);
    }
}

// The instruction as the cost model sees it.
void Core::WriteDown(const Instruction& instruction) {
    if (instruction.pipe == PIPE_S && launch.request->autoSync && instruction.access[0].space == Space::UB) {
        recorder.Order(PIPE_V, PIPE_S);  // asc: the compiler orders scalar accesses and vector instructions
    }
    Step& step = recorder.Add(instruction.name, instruction.site.file, instruction.site.line, instruction.pipe);
    step.work = true;
    step.amount = instruction.amount;
    step.width = instruction.width;
    step.from = uint8_t(Space::GM);  // of a fill, which reads nothing
    // What Fixpipe writes into the unified buffer of another core is no transfer of this one.
    step.to = uint8_t(instruction.pipe == PIPE_FIX ? Space::UB : Space::GM);
    for (int i = 0; i < instruction.accesses; ++i) {
        const Access& access = instruction.access[i];
        if ((instruction.pipe == PIPE_FIX && access.owner != nullptr && access.owner != this) || access.kind == AccessKind::Line) {
            continue;
        }
        (access.write() ? step.to : step.from) = uint8_t(access.space);
        if (access.space == Space::GM) {
            step.transfer = recorder.Move({access.pattern.begin, access.rows, access.bytes / std::max<uint64_t>(access.rows, 1),
                                           access.pitch, access.write(), access.kind == AccessKind::Add});
        }
        if (instruction.pipe != PIPE_V && instruction.pipe != PIPE_M && (access.space == Space::GM || step.transfer == 0)) {
            step.amount = access.bytes;
        }
    }
}

uint64_t Core::Capacity(Space space) const {
    const Product& p = launch.product;
    const uint64_t sizes[SPACES] = {p.ub, 0, p.l1, p.l0a, p.l0b, p.l0c, p.biasTable, p.fixpipe};
    return sizes[int(space)];
}

// Only the core that has the memory counts its use: the other side of a group lays out the same buffers for addresses.
void Core::Peak(Space space, uint64_t end) {
    if ((type == CoreType::AIV) != (space == Space::UB)) {
        return;
    }
    uint64_t* const peaks[SPACES] = {&counters.peakUb, nullptr, &counters.peakL1, &counters.peakL0a, &counters.peakL0b,
                                     &counters.peakL0c, nullptr, nullptr};
    if (peaks[int(space)] != nullptr) {
        *peaks[int(space)] = std::max(*peaks[int(space)], end);
    }
}

std::string CoreName(const Core& core) {
    return (core.type == CoreType::AIC ? "AIC " : "AIV ") + std::to_string(core.blockIdx);
}

// asc: kernel_event.h of the public headers; a set on a pipe that the core lacks does nothing there
bool Core::HasPipe(pipe_t pipe) const {
    return pipe == PIPE_S || pipe == PIPE_MTE2 ||
           (type == CoreType::AIV ? pipe == PIPE_V || pipe == PIPE_MTE3
                                  : pipe == PIPE_M || pipe == PIPE_MTE1 || pipe == PIPE_FIX || (pipe == PIPE_MTE3 && __NPU_ARCH__ == 2201));
}

Clock Core::Complete(int pipe) {
    Clock clock = order.known[pipe];
    clock.own.of[pipe] = order.epoch[pipe]++;
    return clock;
}

void Core::Signal(AscendC::HardEvent event, int slot, Site site) {
    recorder.Signal(event, slot, site.file, site.line);
    if (!launch.check) {
        return;
    }
    slot = SlotIndex(slot);
    std::vector<Clock>& carried = order.carried[size_t(event)];
    if (size_t(slot) >= carried.size()) {
        carried.resize(size_t(slot) + 1);
    }
    carried[size_t(slot)] = Complete(IndexOf(PipesOf(event).first));
}

void Core::Await(AscendC::HardEvent event, int slot, Site site) {
    recorder.Await(event, slot, site.file, site.line);
    slot = SlotIndex(slot);
    std::vector<Clock>& carried = order.carried[size_t(event)];
    if (size_t(slot) < carried.size()) {
        const pipe_t pipe = PipesOf(event).second;
        for (int i = 0; i < ORDERED_PIPES; ++i) {
            if (pipe == PIPE_S || i == IndexOf(pipe)) {  // what the scalar unit waits for, it hands nothing out before
                order.known[i].Join(carried[size_t(slot)]);
            }
        }
        carried[size_t(slot)] = Clock();
    }
}

// A new buffer has no past.
void Core::ForgetSlot(int slot) {
    slot = SlotIndex(slot);
    for (std::vector<Clock>& carried : order.carried) {
        if (size_t(slot) < carried.size()) {
            carried[size_t(slot)] = Clock();
        }
    }
}

// asc: PipeBarrier; all that the pipe has begun is complete before it goes on
void Core::Barrier(pipe_t pipe, Site site) {
    recorder.Barrier(pipe, site.file, site.line);
    if (pipe == PIPE_M || pipe == PIPE_ALL) {
        mmadAddress = ~0ull;
    }
    if (!launch.check) {
        return;
    }
    if (pipe != PIPE_ALL) {
        const int i = IndexOf(pipe);
        order.known[i].Join(Complete(i));
        return;
    }
    Clock all;
    for (int i = 0; i < ORDERED_PIPES; ++i) {
        all.Join(Complete(i));
    }
    for (Clock& known : order.known) {
        known = all;
    }
    // Cube cores of 3510 write to the unified buffer of their vector cores, and those to L1.
    if (cube == nullptr || __NPU_ARCH__ != 3510) {
        for (Accesses& memory : order.memory) {
            memory.Clear();
        }
    }
}

Shared Core::Tell(pipe_t pipe) {
    if (!launch.check) {
        return nullptr;
    }
    Clock clock;
    for (int i = 0; i < ORDERED_PIPES; ++i) {
        if (pipe == PIPE_ALL || i == IndexOf(pipe)) {
            clock.Join(Complete(i));
        }
    }
    Everywhere told(launch.cores.size());
    if (clock.others != nullptr) {
        told = *clock.others;
    }
    told[index].Join(clock.own);
    return std::make_shared<const Everywhere>(std::move(told));
}

// asc: basic architecture, instruction streams; the scalar unit hands out the instructions of all pipes. Inferred: so a wait
// in PIPE_S holds the whole core. SyncAll of the public headers for 3510 relies on it.
void Core::Learn(pipe_t pipe, const Shared& told) {
    if (told == nullptr) {
        return;
    }
    for (int i = 0; i < ORDERED_PIPES; ++i) {
        if (pipe == PIPE_ALL || pipe == PIPE_S || i == IndexOf(pipe)) {
            Clock& known = order.known[i];
            known.others = Union(known.others, told);
            known.own.Join((*told)[index]);
        }
    }
}

// Whether the device compiler puts flags between the two. asc: key features of synchronisation inside a core,
// --cce-auto-sync: on vector cores, between PIPE_S and the others, for GetValue and SetValue
bool Core::Synchronised(const Record& before, const Record& now) {
    if (!launch.request->autoSync || type != CoreType::AIV || before.core != now.core || !before.autoSync || !now.autoSync ||
        (before.pipe != IndexOf(PIPE_S) && now.pipe != IndexOf(PIPE_S))) {
        return false;
    }
    order.known[now.pipe].Join(Complete(before.pipe));
    return true;
}

void Core::Check(const Record& now, const Access& access, const Accesses& memory) {
    const pipe_t pipe = PipeAt(now.pipe);
    // asc: V -> V; hardware on 3510, the device compiler on 2201. Of M -> M, Mmad looks after itself.
    const bool inOrder = pipe == PIPE_S || pipe == PIPE_M || (pipe == PIPE_V && (launch.product.vectorOrder || launch.request->autoSync));
    memory.EachUnordered(now, order.known[now.pipe], inOrder, [&](const Record& before, uint64_t at) {
        // asc: UnitFlag; Mmad and Fixpipe wait for one another at each 1024 bytes of L0C
        const bool unitFlags = before.unitFlag && now.unitFlag;
        // A word that is read past the cache while another core writes it is polled.
        const bool polled = before.core != now.core && before.pipe == IndexOf(PIPE_S) && pipe == PIPE_S && (before.fromMemory || now.fromMemory);
        if (!unitFlags && !polled && !Synchronised(before, now)) {
            ReportHazard(before, now, access, at);
        }
    });
}

void Core::ReportHazard(const Record& before, const Record& now, const Access& access, uint64_t at) {
    Hazard hazard{before, now, std::max(before.pattern.begin, now.pattern.begin), std::min(before.pattern.end, now.pattern.end),
                  access.space == Space::GM, 0, Name(access.space), {"", ""}};
    uint64_t origin = 0;
    if (hazard.global) {
        if (const GlobalRange* entry = launch.gm.Find(reinterpret_cast<const uint8_t*>(uintptr_t(at)))) {
            origin = hazard.place = uint64_t(uintptr_t(entry->range->base));
            hazard.memory = entry->range->name;
        }
    } else {
        for (const Buffer& buffer : (access.owner != nullptr ? access.owner : this)->buffers) {
            if (SpaceOf(buffer.position) == access.space && at >= buffer.address && at < buffer.address + buffer.bytes) {
                origin = buffer.address;
                hazard.place = uint64_t(buffer.made.line);
                hazard.memory = std::string(Name(buffer.position)) + ", in the buffer of InitBuffer at " + Place(buffer.made);
                hazard.low = std::max(hazard.low, buffer.address);
            }
        }
    }
    hazard.low -= origin;
    hazard.high -= origin;
    launch.hazards.Add(std::move(hazard), [this](Hazard& h) {
        h.cores[0] = CoreName(*launch.cores[h.first.core]);
        h.cores[1] = CoreName(*launch.cores[h.second.core]);
        h.callers = h.first.core == index || h.OneCore() ? launch.Callers() : std::vector<uint64_t>();
    });
}

// ---- Mutex ----

constexpr int MUTEXES = 28;  // asc: Mutex; ids from here to 31 are the system's

static bool CheckMutex(const char* name, int id, Site site) {
    if (id >= MUTEXES) {
        ASCGRAD_REPORT("limit", site, "%s: MutexID %d, 0 to %d is allowed", name, id, MUTEXES - 1);
    }
    return id < 32;
}

void LockMutex(pipe_t pipe, int id, Site site) {
    Core& core = Current();
    if (!CheckMutex("Mutex::Lock", id, site)) {
        return;
    }
    Lock& lock = core.locks[id];
    if (lock.held) {
        ASCGRAD_REPORT("sync", site, "Mutex::Lock<%s>: %d was locked by %s at %s and not unlocked", Name(pipe), id, Name(lock.pipe),
                       Place(lock.site).c_str());
    }
    if (lock.used) {
        for (int i = 0; i < ORDERED_PIPES; ++i) {
            if (pipe == PIPE_S || i == IndexOf(pipe)) {
                core.order.known[i].Join(lock.carried);
            }
        }
        if (core.recorder.on()) {
            core.recorder.Order(lock.pipe, pipe);
        }
    }
    lock.held = lock.used = true;
    lock.pipe = pipe;
    lock.site = site;
}

void UnlockMutex(pipe_t pipe, int id, Site site) {
    Core& core = Current();
    if (!CheckMutex("Mutex::Unlock", id, site)) {
        return;
    }
    Lock& lock = core.locks[id];
    if (!lock.held || lock.pipe != pipe) {
        ASCGRAD_REPORT("sync", site, "Mutex::Unlock<%s>: %d is not locked by this pipe", Name(pipe), id);
    }
    lock.held = false;
    if (core.launch.check) {
        lock.carried = core.Complete(IndexOf(pipe));
    }
}

int TakeMutex(Site site) {
    Core& core = Current();
    for (int id = 0; id < MUTEXES; ++id) {
        if (!(core.locksTaken >> id & 1)) {
            core.locksTaken |= 1u << id;
            return id;
        }
    }
    ASCGRAD_REPORT("limit", site, "AllocMutexID: all %d are taken, ReleaseMutexID gives one back", MUTEXES);
    return MUTEXES - 1;
}

}  // namespace emulator
