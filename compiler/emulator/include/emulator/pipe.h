// TPipe, queues, buffers, and the flags between pipes.
#pragma once

#include "emulator/tensor.h"

namespace AscendC {
class TPipe;
template <TPosition pos, uint32_t bufIDSize>
class TBufPool;
}
inline AscendC::TPipe* GetTPipePtr() { return static_cast<AscendC::TPipe*>(emulator::Current().pipe); }

namespace emulator {

inline const char* Name(AscendC::HardEvent event) {
    static const char* const names[] = {
        "MTE2_MTE1", "MTE1_MTE2", "MTE1_M", "M_MTE1", "MTE2_V", "V_MTE2", "MTE3_V", "V_MTE3", "M_V", "V_M", "V_V",
        "MTE3_MTE1", "MTE1_MTE3", "MTE1_V", "MTE2_M", "M_MTE2", "V_MTE1", "M_FIX", "FIX_M", "MTE3_MTE2", "MTE2_MTE3",
        "S_V", "V_S", "S_MTE2", "MTE2_S", "S_MTE3", "MTE3_S", "MTE2_FIX", "FIX_MTE2", "FIX_S", "M_S", "FIX_MTE3",
        "MTE1_FIX", "FIX_MTE1", "FIX_FIX"};
    return names[int(event)];
}

// Makes the bytes of a buffer undefined, if they are in a memory of this core: cores of a group may lay out each
// other's memories to know the addresses.
void PoisonBuffer(const Buffer& buffer);

// Takes the next `bytes` of a memory and returns the index of the new buffer.
int32_t NewBuffer(uint64_t bytes, uint64_t left, AscendC::TPosition pos, BufferState state, Site site);

uint64_t Left(AscendC::TPosition pos);

// Event ids. There are 8 of each HardEvent, which AllocEventID, FetchEventID and the buffers of queues share: a buffer holds
// one of its enqueue event from EnQue to DeQue, and one of its free event from FreeTensor to the AllocTensor that takes it
// again, with the flag set meanwhile. At depth 0 it holds both from InitBuffer on. asc: TQue introduction, kernel_tquebind_impl.h,
// kernel_tpipe_impl.h. Vector cores of 3510 lock the buffer instead, which takes no event. asc: kernel_tpipe_impl_c310_vec.h
constexpr int EVENT_IDS = 8;
inline bool QueuesHoldEvents() { return __NPU_ARCH__ == 2201 || Current().type == CoreType::AIC; }

int8_t FreeEventId(const char* api, AscendC::HardEvent event, Site site);

// Gives a buffer its id, with the flag set unless it only keeps the id; GiveBack ends both.
void HoldEvent(int8_t& id, const char* api, AscendC::HardEvent event, bool keeps, Site site);

void GiveBackEvent(int8_t& id, const char* api, AscendC::HardEvent event, Site site);

// A queue, whatever its template arguments.
struct Queue {
    int32_t first = -1;
    int32_t count = 0;
    int32_t cursor = 0;
    std::vector<int32_t> fifo;

    bool Owns(int32_t buffer) const { return first >= 0 && buffer >= first && buffer < first + count; }

    Tensor View(int32_t index) const;

    bool Ready(const char* api, Site site) const;

    Tensor Alloc(AscendC::HardEvent freed, Site site);

    bool EnQue(const Tensor& t, int32_t depth, AscendC::HardEvent event, Site site);

    Tensor DeQue(AscendC::HardEvent event, Site site);

    void Free(const Tensor& t, AscendC::HardEvent event, Site site);
};

// asc: synchronisation inside a core, the tables of pairs: M, MTE1 and FIX are pipes of cube cores, V of vector cores
constexpr bool HasEvent(CoreType type, AscendC::HardEvent event) {
    using AscendC::HardEvent;
    switch (event) {
        case HardEvent::MTE2_V: case HardEvent::V_MTE2: case HardEvent::MTE3_V: case HardEvent::V_MTE3: case HardEvent::V_V:
        case HardEvent::S_V: case HardEvent::V_S:
            return type == CoreType::AIV;
        case HardEvent::MTE3_MTE2: case HardEvent::MTE2_MTE3: case HardEvent::S_MTE2: case HardEvent::MTE2_S:
        case HardEvent::S_MTE3: case HardEvent::MTE3_S:
            return true;
        case HardEvent::M_V: case HardEvent::V_M: case HardEvent::MTE1_V: case HardEvent::V_MTE1:
            return false;
        default:
            return type == CoreType::AIC;
    }
}

void SetFlag(AscendC::HardEvent event, int32_t id, Site site);

void WaitFlag(AscendC::HardEvent event, int32_t id, Site site);

// The two positions between which a queue moves. asc: GetBufferLogicPos of the public headers (kernel_event.h)
constexpr AscendC::TPosition SourceOf(AscendC::TPosition pos) {
    using AscendC::TPosition;
    return pos == TPosition::A2 ? TPosition::A1 : pos == TPosition::B2 ? TPosition::B1 : pos == TPosition::C2 ? TPosition::C1
           : pos == TPosition::C2PIPE2GM ? TPosition::B1 : pos == TPosition::CO1 || pos == TPosition::VECOUT ? pos : TPosition::GM;
}
constexpr AscendC::TPosition TargetOf(AscendC::TPosition pos) {
    using AscendC::TPosition;
    return pos == TPosition::CO1 ? TPosition::CO2 : pos == TPosition::VECOUT ? TPosition::GM : pos;
}
// Where its buffers are. asc: GetPosition, the same file
constexpr AscendC::TPosition BufferPosition(AscendC::TPosition src, AscendC::TPosition dst) {
    return dst == AscendC::TPosition::GM || dst == AscendC::TPosition::CO2 ? src : dst;
}
// The event of EnQue and DeQue, and that of FreeTensor and AllocTensor. asc: GetQueEvt, the same file
constexpr AscendC::HardEvent QueueEvent(AscendC::TPosition src, AscendC::TPosition dst, bool forward) {
    using AscendC::HardEvent;
    const Space from = SpaceOf(src), to = SpaceOf(dst);
    if (from == Space::GM) {
        return to == Space::UB   ? (forward ? HardEvent::MTE2_V : HardEvent::V_MTE2)
               : to == Space::L1 ? (forward ? HardEvent::MTE2_MTE1 : HardEvent::MTE1_MTE2)
                                 : (forward ? HardEvent::MTE2_M : HardEvent::M_MTE2);
    }
    if (from == Space::UB) {
        return to == Space::GM   ? (forward ? HardEvent::V_MTE3 : HardEvent::MTE3_V)
               : to == Space::L1 ? (forward ? HardEvent::MTE3_MTE1 : HardEvent::MTE1_MTE3)
                                 : (forward ? HardEvent::MTE2_MTE3 : HardEvent::MTE3_MTE2);
    }
    if (from == Space::L1) {
        return to == Space::UB   ? (forward ? HardEvent::MTE1_V : HardEvent::V_MTE1)
               : to == Space::FB ? (forward ? HardEvent::MTE1_FIX : HardEvent::FIX_MTE1)
                                 : (forward ? HardEvent::MTE1_M : HardEvent::M_MTE1);
    }
    return forward ? HardEvent::M_FIX : HardEvent::FIX_M;
}
constexpr AscendC::HardEvent EnqueueEvent(AscendC::TPosition src, AscendC::TPosition dst) { return QueueEvent(src, dst, true); }
constexpr AscendC::HardEvent FreeEvent(AscendC::TPosition src, AscendC::TPosition dst) { return QueueEvent(src, dst, false); }

}  // namespace emulator

namespace AscendC {

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
public:
    template <typename T>
    LocalTensor<T> AllocTensor(ASCGRAD_SITE) { return LocalTensor<T>(queue_.Alloc(freed, site)); }
    template <typename T>
    void AllocTensor(LocalTensor<T>& tensor, ASCGRAD_SITE) { tensor = LocalTensor<T>(queue_.Alloc(freed, site)); }
    template <typename T>
    void FreeTensor(LocalTensor<T>& tensor, ASCGRAD_SITE) { queue_.Free(tensor, freed, site); }
    template <typename T>
    bool EnQue(const LocalTensor<T>& tensor, ASCGRAD_SITE) { return queue_.EnQue(tensor, depth, enqued, site); }
    template <TPosition srcUser, TPosition dstUser, typename T>
    bool EnQue(const LocalTensor<T>& tensor, ASCGRAD_SITE) {
        return queue_.EnQue(tensor, depth, emulator::EnqueueEvent(srcUser, dstUser), site);
    }
    template <typename T>
    LocalTensor<T> DeQue(ASCGRAD_SITE) { return LocalTensor<T>(queue_.DeQue(enqued, site)); }
    template <typename T>
    void DeQue(LocalTensor<T>& tensor, ASCGRAD_SITE) { tensor = LocalTensor<T>(queue_.DeQue(enqued, site)); }
    template <TPosition srcUser, TPosition dstUser, typename T>
    LocalTensor<T> DeQue(ASCGRAD_SITE) { return LocalTensor<T>(queue_.DeQue(emulator::EnqueueEvent(srcUser, dstUser), site)); }
    bool VacantInQue() const { return int32_t(queue_.fifo.size()) < depth; }
    bool HasTensorInQue() const { return !queue_.fifo.empty(); }
    int32_t GetTensorCountInQue() const { return int32_t(queue_.fifo.size()); }
    bool HasIdleBuffer() const {
        for (int32_t i = 0; i < queue_.count; ++i) {
            if (emulator::Current().buffers[size_t(queue_.first + i)].state == emulator::BufferState::Free) {
                return true;
            }
        }
        return false;
    }
    // asc: waits for what FreeTensor set
    void FreeAllEvent(ASCGRAD_SITE) {
        for (int32_t i = 0; i < queue_.count && queue_.Ready("FreeAllEvent", site); ++i) {
            emulator::GiveBackEvent(emulator::Current().buffers[size_t(queue_.first + i)].freeId, "FreeAllEvent", freed, site);
            emulator::Current().Await(freed, queue_.first + i, site);
        }
    }

private:
    friend class TPipe;
    template <TPosition, uint32_t>
    friend class TBufPool;
    static constexpr bool isTQue = true;
    static constexpr bool inPlace = depth == 0;
    static constexpr TPosition position = emulator::BufferPosition(src, dst);
    static constexpr HardEvent enqued = emulator::EnqueueEvent(src, dst);
    static constexpr HardEvent freed = emulator::FreeEvent(src, dst);
    emulator::Queue queue_;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<emulator::SourceOf(pos), emulator::TargetOf(pos), depth, mask> {};

template <TPosition pos = TPosition::LCM>
class TBuf {
public:
    template <typename T>
    LocalTensor<T> Get(ASCGRAD_SITE) { return View<T>(0, bytes_, site); }
    template <typename T>
    LocalTensor<T> Get(uint32_t len, ASCGRAD_SITE) { return View<T>(0, uint64_t(len) * sizeof(T), site); }
    template <typename T>
    LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset, ASCGRAD_SITE) {
        return View<T>(bufOffset, uint64_t(size) * sizeof(T), site);
    }
    // asc: TBuf introduction; its tensor needs no queue, these do nothing but hand it on
    template <typename T>
    LocalTensor<T> AllocTensor(ASCGRAD_SITE) { return Get<T>(site); }
    template <typename T>
    void EnQue(const LocalTensor<T>&) {}
    template <typename T>
    LocalTensor<T> DeQue(ASCGRAD_SITE) { return Get<T>(site); }
    template <typename T>
    void FreeTensor(LocalTensor<T>&) {}

private:
    friend class TPipe;
    template <TPosition, uint32_t>
    friend class TBufPool;

    template <typename T>
    LocalTensor<T> View(uint64_t offset, uint64_t bytes, emulator::Site site) {
        emulator::Core& core = emulator::Current();
        if (index_ < 0 || size_t(index_) >= core.buffers.size()) {
            ASCGRAD_REPORT("queue", site, "TBuf::Get: the buffer was never given memory by InitBuffer");
            return {};
        }
        if (offset % 32 != 0 || bytes % 32 != 0) {
            ASCGRAD_REPORT("alignment", site, "TBuf::Get: %llu bytes at %llu, both have to be multiples of 32",
                           (unsigned long long)bytes, (unsigned long long)offset);
        }
        if (offset + bytes > bytes_) {
            ASCGRAD_REPORT("bounds", site, "TBuf::Get: bytes %llu to %llu of a buffer of %llu", (unsigned long long)offset,
                           (unsigned long long)(offset + bytes), (unsigned long long)bytes_);
            offset = std::min(offset, bytes_);
            bytes = bytes_ - offset;
        }
        const emulator::Buffer& buffer = core.buffers[size_t(index_)];
        LocalTensor<T> t;
        t.address = buffer.address + offset;
        t.bytes = bytes;
        t.buffer = index_;
        t.generation = buffer.generation;
        t.position = pos;
        t.valid = true;
        return t;
    }

    int32_t index_ = -1;
    uint64_t bytes_ = 0;
};

class TPipe {
public:
    TPipe(ASCGRAD_SITE) { Open(site); }
    ~TPipe() { Close(site_); }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;

    void Init(ASCGRAD_SITE) { Open(site); }
    // asc: Destroy of the public headers (kernel_tpipe_impl.h) ends with PipeBarrier<PIPE_ALL>
    void Destroy(ASCGRAD_SITE) { Close(site); }
    void DestroyWithoutPipeAll(ASCGRAD_SITE) { Close(site, false); }
    void Reset(ASCGRAD_SITE) {
        CheckBuffers();
        Settle(site);
        ForgetBuffers();
    }

    template <class T>
    bool InitBuffer(T& que, int64_t num, int64_t len, ASCGRAD_SITE) {
        emulator::Core& core = emulator::Current();
        if (emulator::SpaceOf(T::position) == emulator::Space::GM) {
            ASCGRAD_REPORT("api", site, "InitBuffer: position %s is not emulated", emulator::Name(T::position));
            return false;
        }
        if (num < 1 || len < 1) {
            ASCGRAD_REPORT("queue", site, "InitBuffer: num %lld and len %lld have to be positive", (long long)num, (long long)len);
            return false;
        }
        uint64_t bytes = Round(len), left = emulator::Left(T::position);
        que.queue_.first = int32_t(core.buffers.size());
        que.queue_.count = int32_t(num);
        que.queue_.cursor = 0;
        que.queue_.fifo.clear();
        if (bytes * uint64_t(num) > left) {
            const emulator::Space space = emulator::SpaceOf(T::position);
            ASCGRAD_REPORT("capacity", site, "InitBuffer: %lld buffers of %llu bytes are asked for, %llu of %llu in %s are left",
                           (long long)num, (unsigned long long)bytes, (unsigned long long)left,
                           (unsigned long long)core.Capacity(space), emulator::Name(space));
        }
        for (int64_t i = 0; i < num; ++i) {
            emulator::NewBuffer(bytes, left, T::position, emulator::BufferState::Free, site);
            core.buffers.back().enqued = T::enqued;
            core.buffers.back().freed = T::freed;
            if (T::inPlace) {
                emulator::Buffer& buffer = core.buffers.back();
                buffer.keepsIds = true;
                emulator::HoldEvent(buffer.enqueId, "InitBuffer", T::enqued, true, site);
                emulator::HoldEvent(buffer.freeId, "InitBuffer", T::freed, true, site);
            }
        }
        uint32_t events = 0;
        for (const emulator::Buffer& buffer : core.buffers) {
            events += buffer.position == T::position && buffer.state != emulator::BufferState::Fixed;
        }
        // asc: TQue introduction; each buffer of a queue holds an event of its position
        if (events > core.launch.product.queueEvents) {
            ASCGRAD_REPORT("queue", site, "InitBuffer: the queues at %s have %u buffers, events suffice for %u",
                           emulator::Name(T::position), events, core.launch.product.queueEvents);
        }
        return true;
    }
    template <TPosition pos>
    bool InitBuffer(TBuf<pos>& buf, int64_t len, ASCGRAD_SITE) {
        if (emulator::SpaceOf(pos) == emulator::Space::GM) {
            ASCGRAD_REPORT("api", site, "InitBuffer: position %s is not emulated", emulator::Name(pos));
            return false;
        }
        if (len < 1) {
            ASCGRAD_REPORT("queue", site, "InitBuffer: len %lld has to be positive", (long long)len);
            return false;
        }
        buf.bytes_ = Round(len);
        buf.index_ = emulator::NewBuffer(buf.bytes_, emulator::Left(pos), pos, emulator::BufferState::Fixed, site);
        buf.bytes_ = emulator::Current().buffers.back().bytes;
        return true;
    }

    template <class P>
    bool InitBufPool(P& bufPool, uint32_t len, ASCGRAD_SITE);
    template <class P, class S>
    bool InitBufPool(P& bufPool, uint32_t len, S& shareBuf, ASCGRAD_SITE);

    template <HardEvent event>
    TEventID AllocEventID(ASCGRAD_SITE) {
        const int8_t id = emulator::FreeEventId("AllocEventID", event, site);
        emulator::Current().events[size_t(event)] |= uint8_t(id < 0 ? 0 : 1u << id);
        return TEventID(id < 0 ? 0 : id);
    }
    template <HardEvent event>
    void ReleaseEventID(TEventID id, ASCGRAD_SITE) {
        uint8_t& taken = emulator::Current().events[size_t(event)];
        if (!(taken >> (id & 7) & 1)) {
            ASCGRAD_REPORT("event", site, "ReleaseEventID<%s>: id %d is not allocated", emulator::Name(event), id);
        }
        taken &= uint8_t(~(1u << (id & 7)));
    }
    template <HardEvent event>
    TEventID FetchEventID(ASCGRAD_SITE) { return FetchEventID(event, site); }
    TEventID FetchEventID(HardEvent event, ASCGRAD_SITE) {
        const int8_t id = emulator::FreeEventId("FetchEventID", event, site);
        emulator::Current().fetched[size_t(event)] |= uint8_t(id < 0 ? 0 : 1u << id);
        return TEventID(id < 0 ? 0 : id);
    }

private:
    static uint64_t Round(int64_t len) { return (uint64_t(len) + 31) / 32 * 32; }

    void Open(emulator::Site site);
    void Close(emulator::Site site, bool barrier = true);
    // What a TPipe that lets go of its buffers waits for, which is not all that was done with them. asc: Reset and
    // DestroyWithoutPipeAll of the public headers (kernel_tpipe_impl.h; dav_3510/kernel_tpipe_impl_c310.h)
    static void Settle(emulator::Site site);
    static void ForgetBuffers();
    // A TPipe of a cube core keeps ids 0 to 2 of M_MTE1 with their flags set.
    static void SetLibraryFlags(bool on, emulator::Site site);
    // asc: TPipe::Destroy waits for the flags of freed buffers
    static void ReleaseEvents();
    static void CheckBuffers();

    bool open_ = false;
    emulator::Site site_;
};

template <HardEvent event>
inline void SetFlag(int32_t eventId, ASCGRAD_SITE) { emulator::SetFlag(event, eventId, site); }
template <HardEvent event>
inline void WaitFlag(int32_t eventId, ASCGRAD_SITE) { emulator::WaitFlag(event, eventId, site); }

template <pipe_t pipe>
inline void PipeBarrier(ASCGRAD_SITE) {
    emulator::Core& core = emulator::Current();
    if (pipe == PIPE_S) {
        ASCGRAD_REPORT("api", site, "PipeBarrier<PIPE_S> does not exist");
    }
    core.counters.barriers += 1;
    core.Barrier(pipe, site);
}
template <MemDsbT kind>
inline void DataSyncBarrier() { emulator::SettleAccesses(kind != MemDsbT::UB, kind == MemDsbT::ALL || kind == MemDsbT::UB); }

template <pipe_t src, pipe_t dst>
class TQueSync {
public:
    void SetFlag(TEventID id, ASCGRAD_SITE) { emulator::SetFlag(Event(), id, site); }
    void WaitFlag(TEventID id, ASCGRAD_SITE) { emulator::WaitFlag(Event(), id, site); }
private:
    static constexpr HardEvent Event() {
        return src == PIPE_MTE2 ? (dst == PIPE_V ? HardEvent::MTE2_V : dst == PIPE_MTE3 ? HardEvent::MTE2_MTE3 : HardEvent::MTE2_S)
               : src == PIPE_V  ? (dst == PIPE_MTE2 ? HardEvent::V_MTE2 : dst == PIPE_MTE3 ? HardEvent::V_MTE3 : HardEvent::V_S)
               : src == PIPE_MTE3 ? (dst == PIPE_MTE2 ? HardEvent::MTE3_MTE2 : dst == PIPE_V ? HardEvent::MTE3_V : HardEvent::MTE3_S)
                                  : (dst == PIPE_MTE2 ? HardEvent::S_MTE2 : dst == PIPE_V ? HardEvent::S_V : HardEvent::S_MTE3);
    }
};

}  // namespace AscendC

// The device compiler's own names, which older kernels call. Inferred from the headers of the API, which call them.
namespace emulator {
inline AscendC::HardEvent EventBetween(const char* name, pipe_t from, pipe_t to, Site site) {
    for (size_t event = 0; event < size_t(AscendC::HardEvent::MAX); ++event) {
        if (PipesOf(AscendC::HardEvent(event)) == std::make_pair(from, to)) {
            return AscendC::HardEvent(event);
        }
    }
    ASCGRAD_REPORT("api", site, "%s: there is no event from %s to %s", name, Name(from), Name(to));
    return AscendC::HardEvent::MAX;
}
}  // namespace emulator
inline void set_flag(pipe_t from, pipe_t to, int32_t eventId, ASCGRAD_SITE) {
    const AscendC::HardEvent event = emulator::EventBetween("set_flag", from, to, site);
    if (event != AscendC::HardEvent::MAX) {
        emulator::SetFlag(event, eventId, site);
    }
}
inline void wait_flag(pipe_t from, pipe_t to, int32_t eventId, ASCGRAD_SITE) {
    const AscendC::HardEvent event = emulator::EventBetween("wait_flag", from, to, site);
    if (event != AscendC::HardEvent::MAX) {
        emulator::WaitFlag(event, eventId, site);
    }
}
inline void pipe_barrier(pipe_t pipe, ASCGRAD_SITE) {
    emulator::Current().counters.barriers += 1;
    emulator::Current().Barrier(pipe, site);
}

