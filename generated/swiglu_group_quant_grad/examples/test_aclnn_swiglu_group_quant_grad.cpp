// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file test_aclnn_swiglu_group_quant_grad.cpp
 * \brief Calls SwigluGroupQuantGrad once through acl and aclnn and prints the first values of each output.
 */

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include "acl/acl.h"
#include "aclnnop/aclnn_swiglu_group_quant_grad.h"

namespace {
constexpr int32_t DEVICE_ID = 0;
constexpr int64_t T = 8;
constexpr int64_t H = 512;
constexpr int64_t G = 2;
constexpr int64_t SHOWN = 4; // values printed per output

bool Succeeded(int status, const char* action)
{
    if (status != ACL_SUCCESS) {
        std::printf("%s failed with status %d\n", action, status);
    }
    return status == ACL_SUCCESS;
}

// float -> bfloat16 bits, rounded to nearest, ties to even. The example has no NaN.
uint16_t ToBf16(float value)
{
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

float FromBf16(uint16_t value)
{
    const uint32_t bits = static_cast<uint32_t>(value) << 16U;
    float result = 0.0F;
    std::memcpy(&result, &bits, sizeof(result));
    return result;
}

// Releases everything at the end of main, also after a failure.
struct Session {
    bool initialized = false;
    bool deviceSet = false;
    aclrtStream stream = nullptr;
    std::vector<aclTensor*> tensors;
    std::vector<void*> buffers;

    ~Session()
    {
        if (stream != nullptr) {
            (void)aclrtSynchronizeStream(stream);
        }
        for (aclTensor* tensor : tensors) {
            (void)aclDestroyTensor(tensor);
        }
        for (void* buffer : buffers) {
            (void)aclrtFree(buffer);
        }
        if (stream != nullptr) {
            (void)aclrtDestroyStream(stream);
        }
        if (deviceSet) {
            (void)aclrtResetDevice(DEVICE_ID);
        }
        if (initialized) {
            (void)aclFinalize();
        }
    }

    bool Open()
    {
        initialized = Succeeded(aclInit(nullptr), "aclInit");
        deviceSet = initialized && Succeeded(aclrtSetDevice(DEVICE_ID), "aclrtSetDevice");
        return deviceSet && Succeeded(aclrtCreateStream(&stream), "aclrtCreateStream");
    }

    void* Allocate(size_t bytes)
    {
        void* address = nullptr;
        if (!Succeeded(aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc")) {
            return nullptr;
        }
        buffers.push_back(address);
        return address;
    }
};

struct DeviceTensor {
    aclTensor* tensor = nullptr;
    void* address = nullptr;
};

// A contiguous tensor on the device that holds `values`. Element is what the host holds an element in.
template <typename Element>
bool Create(Session& session, const std::vector<int64_t>& shape, aclDataType dtype, const std::vector<Element>& values,
            DeviceTensor& created)
{
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t i = shape.size(); i > 1; --i) {
        strides[i - 2] = strides[i - 1] * shape[i - 1];
    }
    const size_t bytes = values.size() * sizeof(Element);
    created.address = session.Allocate(bytes);
    if (created.address == nullptr ||
        !Succeeded(aclrtMemcpy(created.address, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE),
                   "aclrtMemcpy to the device")) {
        return false;
    }
    created.tensor = aclCreateTensor(shape.data(), shape.size(), dtype, strides.data(), 0, ACL_FORMAT_ND, shape.data(),
                                     shape.size(), created.address);
    if (created.tensor == nullptr) {
        std::printf("aclCreateTensor failed\n");
        return false;
    }
    session.tensors.push_back(created.tensor);
    return true;
}

template <typename Element>
bool Read(const DeviceTensor& from, std::vector<Element>& values)
{
    const size_t bytes = values.size() * sizeof(Element);
    return Succeeded(aclrtMemcpy(values.data(), bytes, from.address, bytes, ACL_MEMCPY_DEVICE_TO_HOST),
                     "aclrtMemcpy to the host");
}

// Small values of both signs that differ from tensor to tensor.
float Sample(int64_t i, int64_t seed) { return 0.25F * static_cast<float>((i * (2 * seed + 3) + seed) % 17 - 8); }

std::vector<uint16_t> Bf16s(int64_t count, int64_t seed)
{
    std::vector<uint16_t> values(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
        values[static_cast<size_t>(i)] = ToBf16(Sample(i, seed));
    }
    return values;
}

std::vector<float> Floats(int64_t count, int64_t seed)
{
    std::vector<float> values(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
        values[static_cast<size_t>(i)] = Sample(i, seed);
    }
    return values;
}
} // namespace

int main()
{
    Session session;
    if (!session.Open()) {
        return 1;
    }

    DeviceTensor gradY;
    DeviceTensor x;
    DeviceTensor weight;
    DeviceTensor yOrigin;
    DeviceTensor groupIndex;
    DeviceTensor gradX;
    DeviceTensor gradWeight;
    if (!Create(session, {T, H}, ACL_BF16, Bf16s(T * H, 1), gradY)) {
        return 1;
    }
    if (!Create(session, {T, 2 * H}, ACL_BF16, Bf16s(T * 2 * H, 2), x)) {
        return 1;
    }
    if (!Create(session, {T}, ACL_FLOAT, Floats(T, 3), weight)) {
        return 1;
    }
    if (!Create(session, {T, H}, ACL_BF16, Bf16s(T * H, 4), yOrigin)) {
        return 1;
    }
    if (!Create(session, {G}, ACL_INT64, std::vector<int64_t>(G, 3 * T / 4 / (G)), groupIndex)) {
        return 1;
    }
    if (!Create(session, {T, 2 * H}, ACL_BF16, std::vector<uint16_t>(T * 2 * H), gradX)) {
        return 1;
    }
    if (!Create(session, {T}, ACL_FLOAT, std::vector<float>(T), gradWeight)) {
        return 1;
    }

    const double clampLimit = 1.5;
    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    aclnnStatus status = aclnnSwigluGroupQuantGradGetWorkspaceSize(
        gradY.tensor, x.tensor, weight.tensor, yOrigin.tensor, groupIndex.tensor, clampLimit, gradX.tensor,
        gradWeight.tensor, &workspaceSize, &executor);
    if (!Succeeded(status, "aclnnSwigluGroupQuantGradGetWorkspaceSize")) {
        return 1;
    }
    void* workspace = workspaceSize > 0 ? session.Allocate(workspaceSize) : nullptr;
    if (workspaceSize > 0 && workspace == nullptr) {
        return 1;
    }
    status = aclnnSwigluGroupQuantGrad(workspace, workspaceSize, executor, session.stream);
    if (!Succeeded(status, "aclnnSwigluGroupQuantGrad") ||
        !Succeeded(aclrtSynchronizeStream(session.stream), "aclrtSynchronizeStream")) {
        return 1;
    }

    std::vector<uint16_t> gradXHost(T * 2 * H);
    if (!Read(gradX, gradXHost)) {
        return 1;
    }
    for (int64_t i = 0; i < SHOWN && i < static_cast<int64_t>(gradXHost.size()); ++i) {
        std::printf("gradX[%d] = %g\n", static_cast<int>(i), FromBf16(gradXHost[static_cast<size_t>(i)]));
    }
    std::vector<float> gradWeightHost(T);
    if (!Read(gradWeight, gradWeightHost)) {
        return 1;
    }
    for (int64_t i = 0; i < SHOWN && i < static_cast<int64_t>(gradWeightHost.size()); ++i) {
        std::printf("gradWeight[%d] = %g\n", static_cast<int>(i),
                    static_cast<double>(gradWeightHost[static_cast<size_t>(i)]));
    }
    return 0;
}
