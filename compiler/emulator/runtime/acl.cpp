// acl: memory, copies, streams. Work of a stream runs when something waits for it, so that a program which does not
// wait reads what was there before.
#include "acl/acl.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>

#include "aclnn/aclnn_base.h"
#include "graph/types.h"
#include "host_state.h"

namespace emulator {
namespace {

constexpr int kContextNull = 107002;  // ACL_ERROR_RT_CONTEXT_NULL

struct Stream {
    std::deque<std::function<int()>> queue;
};

struct Event {
    Stream* stream = nullptr;
    bool reached = false;
    std::chrono::steady_clock::time_point time;
};

struct Runtime {
    bool initialised = false;
    bool finalised = false;
    bool deviceSet = false;
    std::set<Stream*> streams;
    Stream defaultStream;
    std::set<void*> hostBlocks;
    std::string lastError;
    int64_t satMode = 0;
    uint64_t allocations = 0;
};

Runtime& TheRuntime()
{
    static auto& runtime = *new Runtime;
    return runtime;
}

Stream* StreamOf(void* handle)
{
    if (handle == nullptr) {
        return &TheRuntime().defaultStream;
    }
    auto* stream = static_cast<Stream*>(handle);
    return TheRuntime().streams.count(stream) != 0 ? stream : nullptr;
}

aclError Fail(aclError code, const std::string& message)
{
    TheRuntime().lastError = message;
    Report("acl", "", 0, message);
    FlushFindings();
    return code;
}

aclError Drain(Stream* stream, const Event* until = nullptr)
{
    const DeviceAccess access;
    aclError status = ACL_SUCCESS;
    while (!stream->queue.empty() && (until == nullptr || !until->reached)) {
        const auto work = std::move(stream->queue.front());
        stream->queue.pop_front();
        const int result = work();
        status = status == ACL_SUCCESS ? result : status;
    }
    CheckGuards();
    FlushFindings();
    return status;
}

// Whether a range of one side of a copy is what the kind of the copy says.
aclError CheckSide(const char* function, const char* which, const void* address, size_t bytes, bool device)
{
    const Allocation* allocation = FindAllocation(address);
    if (!device) {
        return allocation == nullptr ? ACL_SUCCESS
                                     : Fail(ACL_ERROR_INVALID_PARAM,
                                            Format("%s: %s is device memory, the kind says host", function, which));
    }
    if (allocation == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, Format("%s: %s is host memory, the kind says device", function, which));
    }
    if (allocation->freed) {
        return Fail(ACL_ERROR_INVALID_PARAM, Format("%s: %s was freed before", function, which));
    }
    const size_t rest = allocation->bytes - (static_cast<const uint8_t*>(address) - allocation->base);
    if (bytes > rest) {
        return Fail(ACL_ERROR_INVALID_PARAM,
                    Format("%s: %s takes %zu bytes, its memory has %zu", function, which, bytes, rest));
    }
    return ACL_SUCCESS;
}

aclError Copy(const char* function, void* target, size_t capacity, const void* source, size_t bytes,
              aclrtMemcpyKind kind)
{
    if (bytes == 0) {
        return ACL_SUCCESS;
    }
    if (target == nullptr || source == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, Format("%s: null pointer", function));
    }
    if (bytes > capacity) {
        return Fail(ACL_ERROR_INVALID_PARAM,
                    Format("%s: %zu bytes do not fit the destination of %zu", function, bytes, capacity));
    }
    const bool toDevice = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    const bool fromDevice = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    if (kind != ACL_MEMCPY_DEFAULT) {
        if (const aclError status = CheckSide(function, "the destination", target, bytes, toDevice)) {
            return status;
        }
        if (const aclError status = CheckSide(function, "the source", source, bytes, fromDevice)) {
            return status;
        }
    }
    const DeviceAccess access;
    std::memmove(target, source, bytes);
    return ACL_SUCCESS;
}

// A program that ends with work in a stream, or with an executor that it never ran, has a mistake.
void AtExit()
{
    size_t queued = TheRuntime().defaultStream.queue.size();
    for (const Stream* stream : TheRuntime().streams) {
        queued += stream->queue.size();
    }
    if (queued != 0) {
        Report("order", "", 0, Format("the program ended with %zu tasks that no synchronise call waited for", queued));
    }
    if (UnusedExecutors() != 0) {
        Report("executor", "", 0,
               Format("the program ended with %zu executors that no second phase ran", UnusedExecutors()));
    }
    const DeviceAccess access;
    CheckGuards();
    FlushFindings();
}

[[maybe_unused]] const bool watched = IsClient() && std::atexit(AtExit) == 0;

}  // namespace

void Enqueue(void* handle, std::function<int()> work)
{
    Stream* stream = StreamOf(handle);
    if (stream == nullptr) {
        Fail(ACL_ERROR_INVALID_PARAM, "the stream does not exist, or was destroyed before");
        return;
    }
    stream->queue.push_back(std::move(work));
}

}  // namespace emulator

using namespace emulator;

extern "C" {

aclError aclInit(const char*)
{
    Runtime& runtime = TheRuntime();
    if (runtime.initialised) {
        runtime.lastError = "aclInit: called before";
        return ACL_ERROR_REPEAT_INITIALIZE;
    }
    runtime.initialised = true;
    return ACL_SUCCESS;
}

aclError aclFinalize()
{
    Runtime& runtime = TheRuntime();
    if (!runtime.initialised) {
        runtime.lastError = "aclFinalize: not initialised";
        return runtime.finalised ? ACL_ERROR_REPEAT_FINALIZE : ACL_ERROR_UNINITIALIZE;
    }
    runtime.initialised = false;
    runtime.finalised = true;
    return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t deviceId)
{
    if (deviceId != 0) {
        return Fail(ACL_ERROR_INVALID_PARAM, Format("aclrtSetDevice: got device %d, there is device 0 only", deviceId));
    }
    TheRuntime().deviceSet = true;
    return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t)
{
    const aclError status = aclrtSynchronizeDevice();
    TheRuntime().deviceSet = false;
    return status;
}

aclError aclrtGetDevice(int32_t* deviceId)
{
    *deviceId = 0;
    return TheRuntime().deviceSet ? ACL_SUCCESS : kContextNull;
}

aclError aclrtGetDeviceCount(uint32_t* count)
{
    *count = 1;
    return ACL_SUCCESS;
}

aclError aclrtGetRunMode(aclrtRunMode* mode)
{
    *mode = ACL_HOST;
    return ACL_SUCCESS;
}

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId)
{
    *context = &TheRuntime();
    return aclrtSetDevice(deviceId);
}
aclError aclrtDestroyContext(aclrtContext) { return ACL_SUCCESS; }
aclError aclrtSetCurrentContext(aclrtContext) { return ACL_SUCCESS; }
aclError aclrtGetCurrentContext(aclrtContext* context)
{
    *context = &TheRuntime();
    return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream* stream)
{
    if (!TheRuntime().deviceSet) {
        return Fail(kContextNull, "aclrtCreateStream: no device is set");
    }
    auto* made = new Stream;
    TheRuntime().streams.insert(made);
    *stream = made;
    return ACL_SUCCESS;
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) { return aclrtCreateStream(stream); }

aclError aclrtDestroyStream(aclrtStream handle)
{
    Stream* stream = handle == nullptr ? nullptr : StreamOf(handle);
    if (stream == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "aclrtDestroyStream: the stream does not exist");
    }
    const aclError status = Drain(stream);
    TheRuntime().streams.erase(stream);
    delete stream;
    return status;
}

aclError aclrtSynchronizeStream(aclrtStream handle)
{
    Stream* stream = StreamOf(handle);
    if (stream == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "aclrtSynchronizeStream: the stream does not exist");
    }
    return Drain(stream);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t) { return aclrtSynchronizeStream(stream); }

aclError aclrtSynchronizeDevice()
{
    aclError status = Drain(&TheRuntime().defaultStream);
    for (Stream* stream : TheRuntime().streams) {
        const aclError result = Drain(stream);
        status = status == ACL_SUCCESS ? result : status;
    }
    return status;
}

aclError aclrtCreateEvent(aclrtEvent* event)
{
    *event = new Event;
    return ACL_SUCCESS;
}

aclError aclrtDestroyEvent(aclrtEvent event)
{
    aclrtSynchronizeEvent(event);  // queued work refers to it
    delete static_cast<Event*>(event);
    return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent handle, aclrtStream stream)
{
    auto* event = static_cast<Event*>(handle);
    event->stream = StreamOf(stream);
    event->reached = false;
    Enqueue(stream, [event] {
        event->reached = true;
        event->time = std::chrono::steady_clock::now();
        return ACL_SUCCESS;
    });
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent handle)
{
    auto* event = static_cast<Event*>(handle);
    return event->stream == nullptr || event->reached ? ACL_SUCCESS : Drain(event->stream, event);
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
    Enqueue(stream, [event] { return aclrtSynchronizeEvent(event); });
    return ACL_SUCCESS;
}

aclError aclrtEventElapsedTime(float* milliseconds, aclrtEvent start, aclrtEvent end)
{
    *milliseconds =
        std::chrono::duration<float, std::milli>(static_cast<Event*>(end)->time - static_cast<Event*>(start)->time)
            .count();
    return ACL_SUCCESS;
}

aclError aclrtMalloc(void** address, size_t bytes, aclrtMemMallocPolicy)
{
    if (address == nullptr || bytes == 0) {
        return Fail(ACL_ERROR_INVALID_PARAM, "aclrtMalloc: got a null pointer or 0 bytes");
    }
    if (!TheRuntime().deviceSet) {
        return Fail(kContextNull, "aclrtMalloc: no device is set");
    }
    *address = AllocateDevice(bytes,
                              Format("the aclrtMalloc of %zu bytes, number %llu", bytes,
                                     static_cast<unsigned long long>(++TheRuntime().allocations)),
                              Fill::POISON)
                   ->base;
    return ACL_SUCCESS;
}

aclError aclrtMallocAlign32(void** address, size_t bytes, aclrtMemMallocPolicy policy)
{
    return aclrtMalloc(address, bytes, policy);
}

aclError aclrtFree(void* address)
{
    Allocation* allocation = address == nullptr ? nullptr : FindAllocation(address);
    if (allocation == nullptr || allocation->base != address || allocation->freed) {
        return Fail(ACL_ERROR_INVALID_PARAM, "aclrtFree: not an address of aclrtMalloc, or freed before");
    }
    {
        const DeviceAccess access;
        FreeDevice(allocation);
    }
    FlushFindings();
    return ACL_SUCCESS;
}

aclError aclrtMallocHost(void** address, size_t bytes)
{
    if (address == nullptr || bytes == 0) {
        return Fail(ACL_ERROR_INVALID_PARAM, "aclrtMallocHost: got a null pointer or 0 bytes");
    }
    *address = std::malloc(bytes);
    Poison(*address, bytes);
    TheRuntime().hostBlocks.insert(*address);
    return ACL_SUCCESS;
}

aclError aclrtFreeHost(void* address)
{
    if (TheRuntime().hostBlocks.erase(address) == 0) {
        return Fail(ACL_ERROR_INVALID_PARAM, "aclrtFreeHost: not an address of aclrtMallocHost, or freed before");
    }
    std::free(address);
    return ACL_SUCCESS;
}

aclError aclrtMemcpy(void* target, size_t capacity, const void* source, size_t bytes, aclrtMemcpyKind kind)
{
    return Copy("aclrtMemcpy", target, capacity, source, bytes, kind);
}

aclError aclrtMemcpyAsync(void* target, size_t capacity, const void* source, size_t bytes, aclrtMemcpyKind kind,
                          aclrtStream stream)
{
    Enqueue(stream, [=] { return Copy("aclrtMemcpyAsync", target, capacity, source, bytes, kind); });
    return ACL_SUCCESS;
}

aclError aclrtMemset(void* target, size_t capacity, int32_t value, size_t bytes)
{
    if (bytes == 0) {
        return ACL_SUCCESS;
    }
    if (target == nullptr || bytes > capacity) {
        return Fail(ACL_ERROR_INVALID_PARAM, Format("aclrtMemset: null pointer, or %zu bytes in %zu", bytes, capacity));
    }
    if (const aclError status = CheckSide("aclrtMemset", "the destination", target, bytes, true)) {
        return status;
    }
    const DeviceAccess access;
    std::memset(target, value, bytes);
    return ACL_SUCCESS;
}

aclError aclrtMemsetAsync(void* target, size_t capacity, int32_t value, size_t bytes, aclrtStream stream)
{
    Enqueue(stream, [=] { return aclrtMemset(target, capacity, value, bytes); });
    return ACL_SUCCESS;
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t* free, size_t* total)
{
    *free = *total = static_cast<size_t>(TheHost().Figure("memory.hbm"));
    return ACL_SUCCESS;
}

aclError aclrtSetSysParamOpt(aclSysParamOpt option, int64_t value)
{
    if (option == ACL_OPT_DETERMINISTIC) {
        TheHost().options.deterministic = value != 0;
    }
    return ACL_SUCCESS;
}
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt option, int64_t value) { return aclrtSetSysParamOpt(option, value); }

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode)
{
    TheRuntime().satMode = mode;
    return ACL_SUCCESS;
}
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode)
{
    *mode = static_cast<aclrtFloatOverflowMode>(TheRuntime().satMode);
    return ACL_SUCCESS;
}

const char* aclGetRecentErrMsg()
{
    const Host& host = TheHost();
    static std::string message;
    message = host.log.empty() ? TheRuntime().lastError : host.log.back().text;
    return message.empty() ? nullptr : message.c_str();
}

size_t aclDataTypeSize(aclDataType type)
{
    const int size = ge::GetSizeByDataType(static_cast<ge::DataType>(type));
    return size > 0 && size < ge::kDataTypeSizeBitOffset ? static_cast<size_t>(size) : 0;
}

float aclFloat16ToFloat(aclFloat16 value)
{
    const int exponent = (value >> 10) & 0x1F;
    const int fraction = value & 0x3FF;
    float result;
    if (exponent == 0x1F) {
        result = fraction == 0 ? INFINITY : NAN;
    } else if (exponent == 0) {
        result = std::ldexp(static_cast<float>(fraction), -24);
    } else {
        result = std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
    }
    return (value & 0x8000) != 0 ? -result : result;
}

// Nearest, ties to even: nearbyint in units of the last place of the result.
aclFloat16 aclFloatToFloat16(float value)
{
    const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const float size = std::fabs(value);
    if (std::isnan(value)) {
        return static_cast<uint16_t>(sign | 0x7E00);
    }
    if (size >= 65520.0F) {
        return static_cast<uint16_t>(sign | 0x7C00);
    }
    const int exponent = size < 0x1p-14F ? -14 : std::ilogb(size);
    const auto units = static_cast<int>(std::nearbyint(std::ldexp(size, 10 - exponent)));
    // Adding carries a rounded-up fraction into the exponent.
    return static_cast<uint16_t>(sign | (size < 0x1p-14F ? units : ((exponent + 14) << 10) + units));
}

aclnnStatus aclnnInit(const char*) { return OK; }
aclnnStatus aclnnFinalize() { return OK; }

}  // extern "C"
