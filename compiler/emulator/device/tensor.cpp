// Tensors, queues, buffers and the flags between pipes.
#include "emulator/entry.h"

namespace emulator {

// ---- tensor.h ----

std::string Whose(const Tensor& t) {
    const std::vector<Buffer>& buffers = Current().buffers;
    return t.buffer < 0 || size_t(t.buffer) >= buffers.size() ? "" : " (buffer of InitBuffer at " + Place(buffers[size_t(t.buffer)].made) + ")";
}

bool CheckUse(const Tensor& t, const char* api, const char* role, Site site) {
    Core& core = Current();
    if (!t.valid) {
        ASCGRAD_REPORT("queue", site, "%s: %s is a tensor without a buffer", api, role);
        return false;
    }
    if (t.buffer < 0 || !core.launch.check) {
        return true;
    }
    if (size_t(t.buffer) >= core.buffers.size()) {
        ASCGRAD_REPORT("freed", site, "%s: %s belongs to a TPipe that was reset", api, role);
        return false;
    }
    const Buffer& buffer = core.buffers[size_t(t.buffer)];
    if (t.generation != buffer.generation || buffer.state == BufferState::Free) {
        ASCGRAD_REPORT("freed", site, "%s: %s is used after FreeTensor%s", api, role, Whose(t).c_str());
    } else if (buffer.state == BufferState::Enqued) {
        ASCGRAD_REPORT("queue", site, "%s: %s is used between EnQue and DeQue%s", api, role, Whose(t).c_str());
    }
    return true;
}

bool CheckPlace(const Tensor& t, uint32_t spaces, const char* api, const char* role, Site site) {
    if (!CheckUse(t, api, role, site)) {
        return false;
    }
    const Space space = SpaceOf(t.position);
    if (!(spaces & Bit(space))) {
        ASCGRAD_REPORT("position", site, "%s: %s is in %s, where this API does not reach", api, role, Name(space));
        return false;
    }
    if (Current().local[int(space)] == nullptr) {
        ASCGRAD_REPORT("position", site, "%s: %s is in %s, which a %s core does not have", api, role, Name(space),
                       Current().type == CoreType::AIC ? "cube" : "vector");
        return false;
    }
    return true;
}

uint64_t TensorBytes(const Tensor& t) {
    Core& core = Current();
    uint64_t end = UnifiedBuffer::ARENA;
    if (t.buffer >= 0 && size_t(t.buffer) < core.buffers.size()) {
        const Buffer& buffer = core.buffers[size_t(t.buffer)];
        end = buffer.address + buffer.bytes;
    }
    return t.address >= end ? 0 : std::min(t.bytes, end - t.address);
}

uint64_t FitTensor(const Tensor& t, uint64_t bytes, const char* api, const char* role, Site site) {
    uint64_t limit = TensorBytes(t);
    if (bytes > limit) {
        ASCGRAD_REPORT("bounds", site, "%s: %s would reach byte %llu of a tensor of %llu bytes%s", api, role,
                       (unsigned long long)bytes, (unsigned long long)limit, Whose(t).c_str());
        return limit;
    }
    return bytes;
}

// No memory lies so low: an address below is null and an offset.
constexpr uint64_t NULL_REACH = uint64_t(1) << 36;

GlobalSpan CheckGlobal(const uint8_t* address, uint64_t bytes, bool write, const char* api, Site site, const Tensor* local) {
    Launch& launch = Current().launch;
    const GlobalRange* entry = launch.gm.Find(address);
    const char* verb = write ? "written" : "read";
    const auto whose = [local] { return local != nullptr ? Whose(*local) : ""; };
    if (entry == nullptr) {
        const GlobalRange* near = address ? launch.gm.Nearest(address) : nullptr;
        if (address == nullptr) {
            launch.Report("bounds", site, "%s: a null address is %s%s", api, verb, whose().c_str());
        } else if (near != nullptr) {
            launch.Report("bounds", site, "%s: byte %llu of %s is %s, which has %llu bytes%s", api,
                          (unsigned long long)(address - near->range->base), near->range->name.c_str(), verb,
                          (unsigned long long)near->range->bytes, whose().c_str());
        } else {
            const bool null = uint64_t(uintptr_t(address)) < NULL_REACH;
            launch.Report("bounds", site, "%s: an address %s is %s%s", api, null ? "behind a null address" : "outside all arguments", verb,
                          whose().c_str());
        }
        return {};
    }
    uint64_t offset = uint64_t(address - entry->range->base);
    if (bytes > entry->range->bytes - offset) {
        launch.Report("bounds", site, "%s: bytes %llu to %llu of %s are %s, which has %llu bytes%s", api,
                      (unsigned long long)offset, (unsigned long long)(offset + bytes), entry->range->name.c_str(), verb,
                      (unsigned long long)entry->range->bytes, whose().c_str());
        return {};
    }
    if (write && !entry->range->writable) {
        launch.Report("bounds", site, "%s: %s is written, which is an input%s", api, entry->range->name.c_str(), whose().c_str());
        return {};
    }
    return {entry};
}

uint64_t LocalPointer(const Tensor& t) {
    const UnifiedBuffer* memory = Current().local[int(SpaceOf(t.position))];
    return memory != nullptr ? uint64_t(reinterpret_cast<uintptr_t>(memory->data + t.address)) : t.address;
}

void ScalarAccess(const char* name, const Tensor& t, uint64_t offset, void* value, uint64_t bytes, bool write,
                  Site site) {
    Core& core = Current();
    if (!write) {
        std::memset(value, 0, bytes);
    }
    if (!CheckTensor(t, name, "the tensor", site) || FitTensor(t, offset + bytes, name, "the element", site) < offset + bytes) {
        return;
    }
    uint64_t address = t.address + offset;
    if (write) {
        std::memcpy(core.ub->data + address, value, bytes);
        core.ub->Define(address, bytes);
    } else {
        if (core.launch.check && !core.ub->Clean(address, bytes)) {
            core.launch.Report("poison", site, "%s reads element %llu, which holds no defined value%s", name,
                               (unsigned long long)(offset / bytes), Whose(t).c_str());
            std::memset(value, 0, bytes);
        } else {
            std::memcpy(value, core.ub->data + address, bytes);
        }
    }
    Instruction instruction{name, PIPE_S, site, 1};
    instruction.Touch(Space::UB, write, address, bytes);
    core.Issue(instruction);
}

void GlobalScalarAccess(const char* name, uint8_t* address, void* value, uint64_t bytes, bool write, Site site, bool past) {
    Core& core = Current();
    const uint64_t word = uint64_t(reinterpret_cast<uintptr_t>(address));
    if (!write) {
        std::memset(value, 0, bytes);
    }
    GlobalSpan span = CheckGlobal(address, bytes, write, name, site);
    if (!span) {
        return;
    }
    uint8_t* defined = span.range->Defined(address);
    const bool shared = span.range->range->writable, fromMemory = !write && shared && (past || ReadsMemory(word));
    if (fromMemory) {
        Poll(site);
    } else if (!write && shared) {
        CountSpins(address, span.range->range->name, site);
    }
    uint64_t before = 0;
    std::memcpy(&before, address, std::min<uint64_t>(bytes, sizeof(before)));
    if (write) {
        std::memcpy(address, value, bytes);
        if (defined) {
            std::memset(defined, 0xFF, bytes);
        }
        core.counters.gmWrite += bytes;
        core.counters.scalarToGm += bytes;
    } else {
        if (defined && !AllBytes(defined, bytes, 0xFF)) {
            core.launch.Report("poison", site, "%s reads %s, which holds no defined value there", name,
                               span.range->range->name.c_str());
        } else {
            std::memcpy(value, address, bytes);
        }
        if (fromMemory && core.launch.check) {
            ReadWord(word, value, bytes, site);
        }
        if (span.range->tiling) {
            core.counters.tiling += bytes;
        } else {
            core.counters.gmRead += bytes;
            core.counters.gmToScalar += bytes;
        }
    }
    Instruction instruction{name, PIPE_S, site, 1};
    instruction.fromMemory = fromMemory;
    instruction.autoSync = !write;  // asc: key features of synchronisation; GetValue is in the list, SetValue is not
    instruction.cached = !past;
    const Access access = instruction.Touch(Space::GM, write, word, bytes);
    if (write && !past && core.launch.cores.size() > 1) {
        // asc: GlobalTensor::SetValue; cores that write words of one line overwrite one another
        const uint64_t line = word / CACHE_LINE * CACHE_LINE;
        instruction.Touch(Space::GM, true, line, CACHE_LINE).kind = AccessKind::Line;
    }
    core.Issue(instruction);
    if (core.launch.check && shared && !past) {
        TouchLine(instruction, access);
    }
    if (write && core.launch.check && core.launch.cores.size() > 1) {
        core.words.written.push_back({word, before, core.index, core.order.epoch[IndexOf(PIPE_S)], nullptr, {}});
        if (past) {
            PublishWords(word, word + 1);
        }
    }
}

// ---- pipe.h ----

void PoisonBuffer(const Buffer& buffer) {
    if (UnifiedBuffer* memory = Current().local[int(SpaceOf(buffer.position))]) {
        memory->Poison(buffer.address, buffer.bytes);
    }
}

int32_t NewBuffer(uint64_t bytes, uint64_t left, AscendC::TPosition pos, BufferState state, Site site) {
    Core& core = Current();
    Buffer buffer;
    const Space space = SpaceOf(pos);
    uint64_t& used = core.Used(space);
    buffer.address = used;
    buffer.bytes = std::min(bytes, UnifiedBuffer::ARENA - used);
    buffer.state = state;
    buffer.position = pos;
    buffer.allocated = buffer.made = site;
    if (used + bytes > core.Capacity(space)) {
        ASCGRAD_REPORT("capacity", site, "InitBuffer: %llu bytes are asked for, %llu of %llu in %s are left",
                       (unsigned long long)bytes, (unsigned long long)left, (unsigned long long)core.Capacity(space), Name(space));
    }
    used += buffer.bytes;
    core.Peak(space, used);
    // Memory that is handed out for the first time is undefined anyhow, or already holds what another core wrote to it.
    uint64_t& reached = core.handedOut[int(space)];
    if (buffer.address < reached) {
        PoisonBuffer(buffer);
    }
    reached = std::max(reached, used);
    core.buffers.push_back(buffer);
    core.ForgetSlot(int(core.buffers.size()) - 1);
    if (core.buffers.size() > core.launch.product.buffers) {
        ASCGRAD_REPORT("queue", site, "InitBuffer: this is buffer %zu of the kernel, at most %u are allowed",
                       core.buffers.size(), core.launch.product.buffers);
    }
    return int32_t(core.buffers.size()) - 1;
}

uint64_t Left(AscendC::TPosition pos) {
    Core& core = Current();
    const uint64_t capacity = core.Capacity(SpaceOf(pos)), used = core.Used(SpaceOf(pos));
    return used < capacity ? capacity - used : 0;
}

int8_t FreeEventId(const char* api, AscendC::HardEvent event, Site site) {
    Core& core = Current();
    for (int8_t id = 0; id < EVENT_IDS; ++id) {
        if (!(core.events[size_t(event)] >> id & 1)) {
            return id;
        }
    }
    int queues = 0;
    for (const Buffer& buffer : core.buffers) {
        queues += (buffer.freeId >= 0 && buffer.freed == event) + (buffer.enqueId >= 0 && buffer.enqued == event);
    }
    ASCGRAD_REPORT("event", site, "%s: all %d ids of %s are taken, %d of them by buffers of queues", api, EVENT_IDS, Name(event), queues);
    return -1;
}

void HoldEvent(int8_t& id, const char* api, AscendC::HardEvent event, bool keeps, Site site) {
    Core& core = Current();
    if (!QueuesHoldEvents() || id >= 0 || (id = FreeEventId(api, event, site)) < 0) {
        return;
    }
    core.events[size_t(event)] |= uint8_t(1u << id);
    bool& flag = core.flags[size_t(event)][id];
    if (flag && !keeps) {
        ASCGRAD_REPORT("event", site, "%s: flag %d of %s, which the queue takes, is set already (line %d)", api, id, Name(event),
                       core.flagSites[size_t(event)][id].line);
    }
    flag = flag || !keeps;
    core.flagSites[size_t(event)][id] = site;
}

void GiveBackEvent(int8_t& id, const char* api, AscendC::HardEvent event, Site site) {
    if (id < 0) {
        return;
    }
    Core& core = Current();
    if (!core.flags[size_t(event)][id]) {
        ASCGRAD_REPORT("event", site, "%s: flag %d of %s, which the queue holds, was waited for by hand", api, id, Name(event));
    }
    core.flags[size_t(event)][id] = false;
    core.events[size_t(event)] &= uint8_t(~(1u << id));
    id = -1;
}

Tensor Queue::View(int32_t index) const {
    const Buffer& buffer = Current().buffers[size_t(index)];
    Tensor t;
    t.address = buffer.address;
    t.bytes = buffer.bytes;
    t.buffer = index;
    t.generation = buffer.generation;
    t.position = buffer.position;
    t.valid = true;
    return t;
}

bool Queue::Ready(const char* api, Site site) const {
    if (first < 0 || size_t(first + count) > Current().buffers.size()) {
        ASCGRAD_REPORT("queue", site, "%s: the queue was never given buffers by InitBuffer", api);
        return false;
    }
    return true;
}

Tensor Queue::Alloc(AscendC::HardEvent freed, Site site) {
    Core& core = Current();
    if (!Ready("AllocTensor", site)) {
        return {};
    }
    int32_t index = -1;
    for (int32_t i = 0; i < count && index < 0; ++i) {
        int32_t candidate = first + (cursor + i) % count;
        if (core.buffers[size_t(candidate)].state == BufferState::Free) {
            index = candidate;
        }
    }
    if (index < 0) {
        ASCGRAD_REPORT("queue", site, "AllocTensor: all %d buffers of the %s queue are in use, none was freed", count,
                       Name(core.buffers[size_t(first)].position));
        index = first + cursor;
    }
    cursor = (index - first + 1) % count;
    Buffer& buffer = core.buffers[size_t(index)];
    buffer.state = BufferState::Occupied;
    buffer.allocated = site;
    PoisonBuffer(buffer);
    if (!buffer.keepsIds) {
        GiveBackEvent(buffer.freeId, "AllocTensor", freed, site);
    }
    core.Await(freed, index, site);
    return View(index);
}

bool Queue::EnQue(const Tensor& t, int32_t depth, AscendC::HardEvent event, Site site) {
    Core& core = Current();
    if (!Ready("EnQue", site)) {
        return false;
    }
    if (!Owns(t.buffer)) {
        ASCGRAD_REPORT("queue", site, "EnQue: the tensor does not come from this queue");
        return false;
    }
    Buffer& buffer = core.buffers[size_t(t.buffer)];
    // A tensor may be enqueued again after DeQue. asc-devkit: TQueBind::EnQue accepts OCCUPIED and DEQUE
    if (t.generation != buffer.generation ||
        (buffer.state != BufferState::Occupied && buffer.state != BufferState::Dequed)) {
        ASCGRAD_REPORT("queue", site, "EnQue: the buffer is %s, it has to be OCCUPIED (after AllocTensor) or DEQUE",
                       t.generation != buffer.generation ? "freed" : Name(buffer.state));
        return false;
    }
    if (int32_t(fifo.size()) >= std::max(depth, 1)) {
        ASCGRAD_REPORT("queue", site, "EnQue: %zu tensors wait already, the queue's depth is %d", fifo.size(), depth);
    }
    buffer.state = BufferState::Enqued;
    fifo.push_back(t.buffer);
    if (!buffer.keepsIds) {
        buffer.enqued = event;
        HoldEvent(buffer.enqueId, "EnQue", event, false, site);
    }
    core.Signal(event, t.buffer, site);
    return true;
}

Tensor Queue::DeQue(AscendC::HardEvent event, Site site) {
    Core& core = Current();
    if (!Ready("DeQue", site)) {
        return {};
    }
    if (fifo.empty()) {
        ASCGRAD_REPORT("queue", site, "DeQue: the %s queue is empty, this would wait for ever",
                       Name(core.buffers[size_t(first)].position));
        return View(first);
    }
    int32_t index = fifo.front();
    fifo.erase(fifo.begin());
    Buffer& buffer = core.buffers[size_t(index)];
    buffer.state = BufferState::Dequed;
    if (!buffer.keepsIds) {
        GiveBackEvent(buffer.enqueId, "DeQue", buffer.enqued, site);
    }
    core.Await(event, index, site);
    return View(index);
}

void Queue::Free(const Tensor& t, AscendC::HardEvent event, Site site) {
    Core& core = Current();
    if (!Ready("FreeTensor", site)) {
        return;
    }
    if (!Owns(t.buffer)) {
        ASCGRAD_REPORT("queue", site, "FreeTensor: the tensor does not come from this queue");
        return;
    }
    Buffer& buffer = core.buffers[size_t(t.buffer)];
    if (t.generation != buffer.generation || buffer.state == BufferState::Free) {
        ASCGRAD_REPORT("queue", site, "FreeTensor: the tensor was freed before");
        return;
    }
    if (buffer.state == BufferState::Enqued) {
        ASCGRAD_REPORT("queue", site, "FreeTensor: the tensor is in the queue, DeQue has to come first");
        for (size_t i = 0; i < fifo.size(); ++i) {
            if (fifo[i] == t.buffer) {
                fifo.erase(fifo.begin() + long(i));
            }
        }
    }
    buffer.state = BufferState::Free;
    buffer.generation += 1;
    if (!buffer.keepsIds) {
        buffer.freed = event;
        HoldEvent(buffer.freeId, "FreeTensor", event, false, site);
    }
    core.Signal(event, t.buffer, site);
}

static void CheckEvent(const char* api, AscendC::HardEvent event, int32_t id, Site site) {
    if (!HasEvent(Current().type, event)) {
        ASCGRAD_REPORT("event", site, "%s<%s>: a %s core does not have these pipes", api, Name(event),
                       Current().type == CoreType::AIC ? "cube" : "vector");
    }
    if (id < 0 || id > 7) {
        ASCGRAD_REPORT("event", site, "%s<%s>: id %d is outside 0 to 7", api, Name(event), id);
    } else if (id >= 6 && !((Current().events[size_t(event)] | Current().fetched[size_t(event)]) >> id & 1)) {
        // asc: SetFlag/WaitFlag; 6 and 7 belong to the framework, which may hand them out
        ASCGRAD_REPORT("event", site, "%s<%s>: id %d is reserved, 0 to 5 may be used by hand", api, Name(event), id);
    }
}

void SetFlag(AscendC::HardEvent event, int32_t id, Site site) {
    Core& core = Current();
    CheckEvent("SetFlag", event, id, site);
    bool& flag = core.flags[size_t(event)][id & 7];
    if (flag) {
        ASCGRAD_REPORT("event", site, "SetFlag<%s>: flag %d is set already (line %d) and nobody waited for it", Name(event),
                       id, core.flagSites[size_t(event)][id & 7].line);
    }
    flag = true;
    core.flagSites[size_t(event)][id & 7] = site;
    core.Signal(event, ~(id & 7), site);
}

void WaitFlag(AscendC::HardEvent event, int32_t id, Site site) {
    Core& core = Current();
    CheckEvent("WaitFlag", event, id, site);
    bool& flag = core.flags[size_t(event)][id & 7];
    if (!flag) {
        ASCGRAD_REPORT("event", site, "WaitFlag<%s>: flag %d was not set, this would wait for ever", Name(event), id);
    }
    flag = false;
    core.Await(event, ~(id & 7), site);
}

}  // namespace emulator

namespace AscendC {

void TPipe::Open(emulator::Site site) {
    emulator::Core& core = emulator::Current();
    if (open_) {
        return;
    }
    if (core.livePipes++ > 0) {
        // asc: TPipe constructor; a second one needs Destroy of the first
        ASCGRAD_REPORT("queue", site, "TPipe: another TPipe is alive in this kernel");
    }
    if (core.recorder.on()) {
        core.recorder.Add("TPipe", site.file, site.line, PIPE_S).work = true;
    }
    open_ = true;
    site_ = site;
    core.pipe = this;
    ForgetBuffers();
    std::fill(std::begin(core.events), std::end(core.events), 0);
    if (core.type == emulator::CoreType::AIC) {
        // asc: TPipe::Init of kernel_tpipe_impl.h; for the Matmul library, which waits for them in its loop
        core.events[size_t(HardEvent::M_MTE1)] = 0b111;
        SetLibraryFlags(true, site);
    }
    core.vectorMask[0] = core.vectorMask[1] = ~0ull;
    core.counterMode = core.atomicAdd = false;
}

void TPipe::Close(emulator::Site site, bool barrier) {
    if (!open_) {
        return;
    }
    CheckBuffers();
    Settle(site);
    if (barrier) {
        emulator::Current().Barrier(PIPE_ALL, site);
    }
    ReleaseEvents();
    emulator::Core& core = emulator::Current();
    if (core.type == emulator::CoreType::AIC) {
        SetLibraryFlags(false, site_);
    }
    core.livePipes -= 1;
    if (core.pipe == this) {
        core.pipe = nullptr;
    }
    open_ = false;
}

void TPipe::Settle(emulator::Site site) {
    emulator::Core& core = emulator::Current();
    for (size_t i = 0; i < core.buffers.size(); ++i) {
        // A TBuf of a pool that was reset is free and has no event.
        if (core.buffers[i].state == emulator::BufferState::Free && core.buffers[i].freed != HardEvent::MAX) {
            core.Await(core.buffers[i].freed, int(i), site);
        }
    }
}

void TPipe::ForgetBuffers() {
    emulator::Core& core = emulator::Current();
    ReleaseEvents();
    core.buffers.clear();
    core.ubUsed = 0;
    std::fill(std::begin(core.usedOf), std::end(core.usedOf), 0);
}

void TPipe::SetLibraryFlags(bool on, emulator::Site site) {
    emulator::Core& core = emulator::Current();
    for (int id = 0; id < 3; ++id) {
        bool& flag = core.flags[size_t(HardEvent::M_MTE1)][id];
        if (flag == on) {
            ASCGRAD_REPORT("event", site, "TPipe: it keeps flag %d of M_MTE1 set, which was %s by hand", id, on ? "set" : "waited for");
        }
        flag = on;
        core.flagSites[size_t(HardEvent::M_MTE1)][id] = site;
    }
}

void TPipe::ReleaseEvents() {
    emulator::Core& core = emulator::Current();
    for (emulator::Buffer& buffer : core.buffers) {
        for (auto [id, event] : {std::pair(&buffer.freeId, buffer.freed), std::pair(&buffer.enqueId, buffer.enqued)}) {
            if (*id >= 0) {
                core.flags[size_t(event)][*id] = false;
                core.events[size_t(event)] &= uint8_t(~(1u << *id));
                *id = -1;
            }
        }
    }
}

void TPipe::CheckBuffers() {
    for (emulator::Buffer& buffer : emulator::Current().buffers) {
        if (buffer.state != emulator::BufferState::Free && buffer.state != emulator::BufferState::Fixed) {
            ASCGRAD_REPORT("queue", buffer.allocated, "AllocTensor: this tensor of a %s queue is still %s at the end, "
                           "FreeTensor is missing", emulator::Name(buffer.position), emulator::Name(buffer.state));
        }
    }
}

}  // namespace AscendC
