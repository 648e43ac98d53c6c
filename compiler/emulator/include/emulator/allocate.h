// Local memory without queues: LocalMemAllocator, TBufPool, PopStackBuffer.
#pragma once

#include "emulator/pipe.h"

namespace AscendC {

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

// Tensors one behind the other, from the start of a memory. asc: LocalMemAllocator; addresses are not rounded up
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
public:
    template <class DataType, uint32_t tileSize>
    LocalTensor<DataType> Alloc(ASCGRAD_SITE) { return Next<DataType>(position, tileSize, site); }
    template <class DataType>
    LocalTensor<DataType> Alloc(uint32_t tileSize, ASCGRAD_SITE) { return Next<DataType>(position, tileSize, site); }
    template <TPosition pos, class DataType, uint32_t tileSize>
    LocalTensor<DataType> Alloc(ASCGRAD_SITE) { return Next<DataType>(pos, tileSize, site); }
    template <TPosition pos, class DataType>
    LocalTensor<DataType> Alloc(uint32_t tileSize, ASCGRAD_SITE) { return Next<DataType>(pos, tileSize, site); }
    uint32_t GetCurAddr() const { return head_; }

private:
    static constexpr TPosition position = hard == Hardware::UB    ? TPosition::VECCALC
                                          : hard == Hardware::L1  ? TPosition::A1
                                          : hard == Hardware::L0A ? TPosition::A2
                                          : hard == Hardware::L0B ? TPosition::B2
                                          : hard == Hardware::L0C ? TPosition::CO1
                                          : hard == Hardware::BIAS ? TPosition::C2
                                                                   : TPosition::C2PIPE2GM;
    template <class DataType>
    LocalTensor<DataType> Next(TPosition pos, uint32_t count, emulator::Site site) {
        const uint32_t at = head_;
        head_ += count * uint32_t(sizeof(DataType));
        return LocalTensor<DataType>(pos, at, count, site);
    }
    uint32_t head_ = 0;
};

constexpr uint32_t defaultBufIDSize = 4;

// A part of a memory that TPipe::InitBufPool took, and that is divided again after each Reset. asc: TBufPool
template <TPosition pos, uint32_t bufIDSize = defaultBufIDSize>
class TBufPool {
public:
    static constexpr TPosition position = pos;

    template <class T>
    bool InitBuffer(T& que, int64_t num, int64_t len, ASCGRAD_SITE) {
        que.queue_ = emulator::Queue();
        que.queue_.first = int32_t(emulator::Current().buffers.size());
        que.queue_.count = int32_t(num);
        for (int64_t i = 0; i < num; ++i) {
            Place(T::position, len, emulator::BufferState::Free, site);
        }
        return true;
    }
    template <TPosition bufPos>
    bool InitBuffer(TBuf<bufPos>& buf, int64_t len, ASCGRAD_SITE) {
        buf.index_ = Place(bufPos, len, emulator::BufferState::Fixed, site);
        buf.bytes_ = emulator::Current().buffers.back().bytes;
        return true;
    }
    template <class P>
    bool InitBufPool(P& pool, uint32_t len, ASCGRAD_SITE) {
        const uint64_t at = Take(len, site);
        return pool.Cover(at, Round(len));
    }
    template <class P, class S>
    bool InitBufPool(P& pool, uint32_t len, S& shareBuf, ASCGRAD_SITE) {
        if (len > shareBuf.bytes_) {
            ASCGRAD_REPORT("capacity", site, "InitBufPool: %u bytes are asked for, the shared pool has %llu", len, (unsigned long long)shareBuf.bytes_);
        }
        return pool.Cover(shareBuf.start_, std::min<uint64_t>(Round(len), shareBuf.bytes_));
    }
    void Reset(ASCGRAD_SITE) {
        emulator::Core& core = emulator::Current();
        for (int32_t index : indices_) {
            emulator::Buffer& buffer = core.buffers[size_t(index)];
            if (buffer.state != emulator::BufferState::Free && buffer.state != emulator::BufferState::Fixed) {
                ASCGRAD_REPORT("queue", site, "TBufPool::Reset: a tensor of a %s queue is still %s, FreeTensor is missing",
                               emulator::Name(buffer.position), emulator::Name(buffer.state));
            }
            buffer.generation += 1;
            buffer.state = emulator::BufferState::Free;
            emulator::PoisonBuffer(buffer);
        }
        indices_.clear();
        used_ = 0;
    }
    // What TPipe calls.
    bool Cover(uint64_t start, uint64_t bytes) {
        start_ = start;
        bytes_ = bytes;
        used_ = 0;
        indices_.clear();
        return true;
    }

private:
    template <TPosition, uint32_t>
    friend class TBufPool;
    friend class TPipe;
    static uint64_t Round(uint64_t len) { return (len + 31) / 32 * 32; }

    uint64_t Take(uint64_t len, emulator::Site site) {
        const uint64_t at = start_ + used_;
        if (used_ + Round(len) > bytes_) {
            ASCGRAD_REPORT("capacity", site, "TBufPool: %llu bytes are asked for, %llu of %llu in the pool are left", (unsigned long long)len,
                           (unsigned long long)(bytes_ - used_), (unsigned long long)bytes_);
            return start_;
        }
        used_ += Round(len);
        return at;
    }
    int32_t Place(TPosition at, int64_t len, emulator::BufferState state, emulator::Site site) {
        emulator::Core& core = emulator::Current();
        emulator::Buffer buffer;
        buffer.address = Take(uint64_t(len), site);
        buffer.bytes = std::min(Round(uint64_t(len)), start_ + bytes_ - buffer.address);
        buffer.state = state;
        buffer.position = at;
        buffer.allocated = site;
        emulator::PoisonBuffer(buffer);
        core.buffers.push_back(buffer);
        indices_.push_back(int32_t(core.buffers.size()) - 1);
        if (indices_.size() > bufIDSize) {
            ASCGRAD_REPORT("queue", site, "TBufPool: this is buffer %zu of the pool, its second template argument allows %u", indices_.size(), bufIDSize);
        }
        return indices_.back();
    }
    uint64_t start_ = 0, bytes_ = 0, used_ = 0;
    std::vector<int32_t> indices_;
};

template <class P>
bool TPipe::InitBufPool(P& bufPool, uint32_t len, emulator::Site site) {
    const uint64_t bytes = (uint64_t(len) + 31) / 32 * 32;
    const int32_t index = emulator::NewBuffer(bytes, emulator::Left(P::position), P::position, emulator::BufferState::Fixed, site);
    return bufPool.Cover(emulator::Current().buffers[size_t(index)].address, bytes);
}
// asc: InitBufPool; the new pool starts where the other one does
template <class P, class S>
bool TPipe::InitBufPool(P& bufPool, uint32_t len, S& shareBuf, emulator::Site site) {
    if (len > shareBuf.bytes_) {
        ASCGRAD_REPORT("capacity", site, "InitBufPool: %u bytes are asked for, the shared pool has %llu", len, (unsigned long long)shareBuf.bytes_);
    }
    return bufPool.Cover(shareBuf.start_, std::min<uint64_t>((uint64_t(len) + 31) / 32 * 32, shareBuf.bytes_));
}

// Everything that is left of a memory. asc: PopStackBuffer
template <typename T, TPosition pos>
inline bool PopStackBuffer(LocalTensor<T>& popLocal) {
    emulator::Core& core = emulator::Current();
    const emulator::Space space = emulator::SpaceOf(pos);
    emulator::Tensor rest;
    rest.address = core.Used(space);
    rest.bytes = core.Capacity(space) > rest.address ? core.Capacity(space) - rest.address : 0;
    rest.position = pos;
    rest.valid = true;
    popLocal = LocalTensor<T>(rest);
    return rest.bytes > 0;
}

}  // namespace AscendC
