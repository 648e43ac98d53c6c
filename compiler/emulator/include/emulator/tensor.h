// LocalTensor and GlobalTensor, and scalar access through them.
#pragma once

#include "emulator/words.h"

namespace emulator {

// What every local tensor is, whatever its element type.
struct Tensor {
    uint64_t address = 0;
    uint64_t bytes = 0;       // up to the tensor's end
    int32_t buffer = -1;      // -1: placed by hand, or empty
    uint32_t generation = 0;
    AscendC::TPosition position = AscendC::TPosition::VECCALC;
    bool valid = false;
};

// Whether the tensor may be used now, wherever it is. Says why not.
ASCGRAD_OUTLINE bool CheckUse(const Tensor& t, const char* api, const char* role, Site site) {
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
        ASCGRAD_REPORT("freed", site, "%s: %s is used after FreeTensor", api, role);
    } else if (buffer.state == BufferState::Enqued) {
        ASCGRAD_REPORT("queue", site, "%s: %s is used between EnQue and DeQue", api, role);
    }
    return true;
}

constexpr uint32_t Bit(Space space) { return 1u << int(space); }

// Whether the tensor is in one of some memories of this core. Says why not.
ASCGRAD_OUTLINE bool CheckPlace(const Tensor& t, uint32_t spaces, const char* api, const char* role, Site site) {
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

inline bool CheckTensor(const Tensor& t, const char* api, const char* role, Site site) {
    return CheckPlace(t, Bit(Space::UB), api, role, site);
}

// Bytes that may be touched from the tensor's start: to its end, and never past its buffer.
inline uint64_t TensorBytes(const Tensor& t) {
    Core& core = Current();
    uint64_t end = UnifiedBuffer::ARENA;
    if (t.buffer >= 0 && size_t(t.buffer) < core.buffers.size()) {
        const Buffer& buffer = core.buffers[size_t(t.buffer)];
        end = buffer.address + buffer.bytes;
    }
    return t.address >= end ? 0 : std::min(t.bytes, end - t.address);
}

// Cuts `bytes` down to what the tensor has. Bounds are checked even when findings are off.
ASCGRAD_OUTLINE uint64_t FitTensor(const Tensor& t, uint64_t bytes, const char* api, const char* role, Site site) {
    uint64_t limit = TensorBytes(t);
    if (bytes > limit) {
        ASCGRAD_REPORT("bounds", site, "%s: %s would reach byte %llu of a tensor of %llu bytes", api, role,
                       (unsigned long long)bytes, (unsigned long long)limit);
        return limit;
    }
    return bytes;
}

struct GlobalSpan {
    const GlobalRange* range = nullptr;
    explicit operator bool() const { return range != nullptr; }
};

// The range that holds all of [address, address + bytes); reports when there is none.
ASCGRAD_OUTLINE GlobalSpan CheckGlobal(const uint8_t* address, uint64_t bytes, bool write, const char* api, Site site) {
    Launch& launch = Current().launch;
    const GlobalRange* entry = launch.gm.Find(address);
    const char* verb = write ? "written" : "read";
    if (entry == nullptr) {
        const GlobalRange* near = address ? launch.gm.Nearest(address) : nullptr;
        if (address == nullptr) {
            launch.Report("bounds", site, "%s: a null address is %s", api, verb);
        } else if (near != nullptr) {
            launch.Report("bounds", site, "%s: byte %llu of %s is %s, which has %llu bytes", api,
                          (unsigned long long)(address - near->range->base), near->range->name.c_str(), verb,
                          (unsigned long long)near->range->bytes);
        } else {
            launch.Report("bounds", site, "%s: an address outside all arguments is %s", api, verb);
        }
        return {};
    }
    uint64_t offset = uint64_t(address - entry->range->base);
    if (bytes > entry->range->bytes - offset) {
        launch.Report("bounds", site, "%s: bytes %llu to %llu of %s are %s, which has %llu bytes", api,
                      (unsigned long long)offset, (unsigned long long)(offset + bytes), entry->range->name.c_str(), verb,
                      (unsigned long long)entry->range->bytes);
        return {};
    }
    if (write && !entry->range->writable) {
        launch.Report("bounds", site, "%s: %s is written, which is an input", api, entry->range->name.c_str());
        return {};
    }
    return {entry};
}

// The address on this machine; of a memory that this core does not have, the offset in it.
inline uint64_t LocalPointer(const Tensor& t) {
    const UnifiedBuffer* memory = Current().local[int(SpaceOf(t.position))];
    return memory != nullptr ? uint64_t(reinterpret_cast<uintptr_t>(memory->data + t.address)) : t.address;
}

ASCGRAD_OUTLINE void ScalarAccess(const char* name, const Tensor& t, uint64_t offset, void* value, uint64_t bytes, bool write,
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
            core.launch.Report("poison", site, "%s reads element %llu, which holds no defined value", name,
                               (unsigned long long)(offset / bytes));
            std::memset(value, 0, bytes);
        } else {
            std::memcpy(value, core.ub->data + address, bytes);
        }
    }
    Instruction instruction{name, PIPE_S, site, 1};
    instruction.Touch(Space::UB, write, address, bytes);
    core.Issue(instruction);
}

// past: the data cache is left out.
ASCGRAD_OUTLINE void GlobalScalarAccess(const char* name, uint8_t* address, void* value, uint64_t bytes, bool write, Site site, bool past = false) {
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
    std::memcpy(&before, address, bytes);
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
    instruction.Touch(Space::GM, write, word, bytes);
    core.Issue(instruction);
    if (write && core.launch.check && core.launch.cores.size() > 1) {
        core.words.written.push_back({word, before, core.index, core.order.epoch[IndexOf(PIPE_S)], nullptr, {}});
        if (past) {
            PublishWords(word, word + 1);
        }
    }
}

}  // namespace emulator

namespace AscendC {

template <typename T>
class LocalTensor : public emulator::Tensor {
public:
    using PrimType = T;

    LocalTensor() = default;
    explicit LocalTensor(const emulator::Tensor& t) : emulator::Tensor(t) {}
    // Static placement: byte address and number of elements.
    LocalTensor(TPosition pos, uint32_t byteAddress, uint32_t count, ASCGRAD_SITE) {
        emulator::Core& core = emulator::Current();
        address = byteAddress;
        bytes = uint64_t(count) * sizeof(T);
        position = pos;
        valid = true;
        const emulator::Space space = emulator::SpaceOf(pos);
        if (address + bytes > core.Capacity(space)) {
            ASCGRAD_REPORT("capacity", site, "LocalTensor: bytes %u to %llu are asked for, %s has %llu", byteAddress,
                           (unsigned long long)(address + bytes), emulator::Name(space), (unsigned long long)core.Capacity(space));
            bytes = address < emulator::UnifiedBuffer::ARENA
                        ? std::min(bytes, emulator::UnifiedBuffer::ARENA - address) : 0;
        }
        core.Peak(space, address + bytes);
    }

    uint64_t GetPhyAddr() const { return emulator::LocalPointer(*this); }
    uint64_t GetPhyAddr(uint32_t offset) const { return emulator::LocalPointer(*this) + uint64_t(offset) * sizeof(T); }

    T GetValue(uint32_t index, ASCGRAD_SITE) const {
        T value;
        emulator::ScalarAccess("GetValue", *this, uint64_t(index) * sizeof(T), &value, sizeof(T), false, site);
        return value;
    }
    template <typename S>
    void SetValue(uint32_t index, S value, ASCGRAD_SITE) const {
        T converted = T(value);
        emulator::ScalarAccess("SetValue", *this, uint64_t(index) * sizeof(T), &converted, sizeof(T), true, site);
    }

    class Element {
    public:
        Element(const LocalTensor& t, uint32_t i) : tensor_(t), index_(i) {}
        operator T() const { return tensor_.GetValue(index_, emulator::Current().lastSite); }
        Element& operator=(T value) {
            tensor_.SetValue(index_, value, emulator::Current().lastSite);
            return *this;
        }
    private:
        LocalTensor tensor_;
        uint32_t index_;
    };
    Element operator()(uint32_t offset) const { return Element(*this, offset); }

    LocalTensor operator[](uint32_t offset) const {
        LocalTensor t = *this;
        uint64_t skip = uint64_t(offset) * sizeof(T) / PER_BYTE;
        t.address += skip;
        t.bytes = skip < bytes ? bytes - skip : 0;
        return t;
    }
    template <typename U>
    LocalTensor<U> ReinterpretCast() const { return LocalTensor<U>(static_cast<const emulator::Tensor&>(*this)); }

    uint32_t GetSize() const { return uint32_t(bytes / sizeof(T) * PER_BYTE); }
    uint32_t GetLength() const { return uint32_t(bytes); }
    void SetSize(uint32_t size) { bytes = uint64_t(size) * sizeof(T) / PER_BYTE; }
    void SetBufferLen(uint32_t length) { bytes = length; }
    int32_t GetPosition() const { return int32_t(position); }
    void SetUserTag(int32_t tag) { tag_ = tag; }
    int32_t GetUserTag() const { return tag_; }

private:
    static constexpr uint32_t PER_BYTE = std::is_same_v<T, int4b_t> ? 2 : 1;

    int32_t tag_ = -1;
};

template <typename T>
class GlobalTensor {
public:
    using PrimType = T;

    void SetGlobalBuffer(__gm__ T* buffer, uint64_t size) { address_ = buffer, bufferSize_ = size; }
    void SetGlobalBuffer(__gm__ T* buffer) { address_ = buffer, bufferSize_ = 0; }
    __gm__ T* GetPhyAddr() const { return address_; }
    __gm__ T* GetPhyAddr(uint64_t offset) const { return address_ + offset; }
    uint64_t GetSize() const { return bufferSize_; }

    T GetValue(uint64_t offset, ASCGRAD_SITE) const {
        T value;
        emulator::GlobalScalarAccess("GlobalTensor::GetValue", reinterpret_cast<uint8_t*>(address_ + offset), &value,
                                     sizeof(T), false, site);
        return value;
    }
    void SetValue(uint64_t offset, T value, ASCGRAD_SITE) {
        emulator::GlobalScalarAccess("GlobalTensor::SetValue", reinterpret_cast<uint8_t*>(address_ + offset), &value,
                                     sizeof(T), true, site);
    }
    T operator()(uint64_t offset) const { return GetValue(offset, emulator::Current().lastSite); }
    GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor t = *this;
        t.address_ = address_ + offset;
        t.bufferSize_ = offset < bufferSize_ ? bufferSize_ - offset : 0;
        return t;
    }
    template <CacheRwMode mode = CacheRwMode::RW>
    void SetL2CacheHint(CacheMode) {}
#if __NPU_ARCH__ == 3510
    template <typename U>
    GlobalTensor<U> ReinterpretCast() const {
        GlobalTensor<U> t;
        t.SetGlobalBuffer(reinterpret_cast<U*>(address_), bufferSize_ * sizeof(T) / sizeof(U));
        return t;
    }
#endif

    uint64_t bufferSize_ = 0;

private:
    T* address_ = nullptr;
};

}  // namespace AscendC
