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

// The end of a message about a local tensor: where its buffer was made. A line that many stages call tells none of them.
std::string Whose(const Tensor& t);

// Whether the tensor may be used now, wherever it is. Says why not.
bool CheckUse(const Tensor& t, const char* api, const char* role, Site site);

constexpr uint32_t Bit(Space space) { return 1u << int(space); }

// Whether the tensor is in one of some memories of this core. Says why not.
bool CheckPlace(const Tensor& t, uint32_t spaces, const char* api, const char* role, Site site);

inline bool CheckTensor(const Tensor& t, const char* api, const char* role, Site site) {
    return CheckPlace(t, Bit(Space::UB), api, role, site);
}

// Bytes that may be touched from the tensor's start: to its end, and never past its buffer.
uint64_t TensorBytes(const Tensor& t);

// Cuts `bytes` down to what the tensor has. Bounds are checked even when findings are off.
uint64_t FitTensor(const Tensor& t, uint64_t bytes, const char* api, const char* role, Site site);

struct GlobalSpan {
    const GlobalRange* range = nullptr;
    explicit operator bool() const { return range != nullptr; }
};

// The range that holds all of [address, address + bytes); reports when there is none. local: the other side of a copy.
GlobalSpan CheckGlobal(const uint8_t* address, uint64_t bytes, bool write, const char* api, Site site, const Tensor* local = nullptr);

// The address on this machine; of a memory that this core does not have, the offset in it.
uint64_t LocalPointer(const Tensor& t);

void ScalarAccess(const char* name, const Tensor& t, uint64_t offset, void* value, uint64_t bytes, bool write,
                  Site site);

// past: the data cache is left out.
void GlobalScalarAccess(const char* name, uint8_t* address, void* value, uint64_t bytes, bool write, Site site, bool past = false);

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
