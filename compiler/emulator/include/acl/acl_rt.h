#pragma once

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ACL_DEVICE, ACL_HOST } aclrtRunMode;

typedef enum {
    ACL_MEM_MALLOC_HUGE_FIRST,
    ACL_MEM_MALLOC_HUGE_ONLY,
    ACL_MEM_MALLOC_NORMAL_ONLY,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P,
    ACL_MEM_MALLOC_HUGE1G_ONLY,
    ACL_MEM_MALLOC_HUGE1G_ONLY_P2P
} aclrtMemMallocPolicy;

typedef enum {
    ACL_MEMCPY_HOST_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEFAULT
} aclrtMemcpyKind;

typedef enum {
    ACL_OPT_DETERMINISTIC = 0,
    ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
    ACL_OPT_STRONG_CONSISTENCY = 2
} aclSysParamOpt;
typedef enum {
    ACL_RT_OVERFLOW_MODE_SATURATION = 0,
    ACL_RT_OVERFLOW_MODE_INFNAN,
    ACL_RT_OVERFLOW_MODE_UNDEF
} aclrtFloatOverflowMode;
typedef enum { ACL_HBM_MEM, ACL_DDR_MEM } aclrtMemAttr;

aclError aclInit(const char* configPath);
aclError aclFinalize();

aclError aclrtSetDevice(int32_t deviceId);
aclError aclrtResetDevice(int32_t deviceId);
aclError aclrtGetDevice(int32_t* deviceId);
aclError aclrtGetDeviceCount(uint32_t* count);
aclError aclrtGetRunMode(aclrtRunMode* mode);

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);
aclError aclrtDestroyContext(aclrtContext context);
aclError aclrtSetCurrentContext(aclrtContext context);
aclError aclrtGetCurrentContext(aclrtContext* context);

aclError aclrtCreateStream(aclrtStream* stream);
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeoutMilliseconds);
aclError aclrtSynchronizeDevice();

aclError aclrtCreateEvent(aclrtEvent* event);
aclError aclrtDestroyEvent(aclrtEvent event);
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtSynchronizeEvent(aclrtEvent event);
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);
aclError aclrtEventElapsedTime(float* milliseconds, aclrtEvent start, aclrtEvent end);

aclError aclrtMalloc(void** address, size_t bytes, aclrtMemMallocPolicy policy);
aclError aclrtMallocAlign32(void** address, size_t bytes, aclrtMemMallocPolicy policy);
aclError aclrtFree(void* address);
aclError aclrtMallocHost(void** address, size_t bytes);
aclError aclrtFreeHost(void* address);
aclError aclrtMemcpy(void* target, size_t capacity, const void* source, size_t bytes, aclrtMemcpyKind kind);
aclError aclrtMemcpyAsync(void* target, size_t capacity, const void* source, size_t bytes, aclrtMemcpyKind kind,
                          aclrtStream stream);
aclError aclrtMemset(void* target, size_t capacity, int32_t value, size_t bytes);
aclError aclrtMemsetAsync(void* target, size_t capacity, int32_t value, size_t bytes, aclrtStream stream);
aclError aclrtGetMemInfo(aclrtMemAttr attribute, size_t* free, size_t* total);

aclError aclrtSetSysParamOpt(aclSysParamOpt option, int64_t value);
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt option, int64_t value);
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode);

#ifdef __cplusplus
}
#endif
