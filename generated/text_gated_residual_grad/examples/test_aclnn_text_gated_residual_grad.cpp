// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file test_aclnn_text_gated_residual_grad.cpp
 * \brief Calls TextGatedResidualGrad once through acl and aclnn and prints the first values of each output, beside what
 * they must be.
 */

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include "acl/acl.h"
#include "aclnnop/aclnn_text_gated_residual_grad.h"

namespace {
constexpr int32_t DEVICE_ID = 0;
constexpr int64_t B = 1;
constexpr int64_t S = 2;
constexpr int64_t C = 4;
constexpr int64_t H = 16;
constexpr int64_t R = 16;
constexpr int64_t D = C * H;
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

// Prints the first elements of an output beside the value that all of them must have.
template <typename Element, typename ToFloat>
void Show(const char* name, const std::vector<Element>& values, ToFloat toFloat, float expected)
{
    for (size_t i = 0; i < values.size() && i < static_cast<size_t>(SHOWN); ++i) {
        std::printf("%s[%zu] = %.1f (expected %.1f)\n", name, i, static_cast<double>(toFloat(values[i])),
                    static_cast<double>(expected));
    }
}
} // namespace

int main()
{
    Session session;
    if (!session.Open()) {
        return 1;
    }

    DeviceTensor gradMixed;
    DeviceTensor x;
    DeviceTensor wDown;
    DeviceTensor wUp;
    DeviceTensor invRms;
    DeviceTensor downPreAct;
    DeviceTensor up;
    DeviceTensor gradInject;
    DeviceTensor wGate;
    DeviceTensor gamma;
    DeviceTensor inject;
    DeviceTensor dx;
    DeviceTensor dwDown;
    DeviceTensor dwUp;
    DeviceTensor dwGate;
    DeviceTensor dgamma;
    if (!Create(session, {B, S, H}, ACL_BF16, std::vector<uint16_t>(B * S * H, ToBf16(1.0F)), gradMixed)) {
        return 1;
    }
    if (!Create(session, {B, S, D}, ACL_BF16, std::vector<uint16_t>(B * S * D, ToBf16(0.0F)), x)) {
        return 1;
    }
    if (!Create(session, {R, D}, ACL_BF16, std::vector<uint16_t>(R * D, ToBf16(0.0F)), wDown)) {
        return 1;
    }
    if (!Create(session, {D, R}, ACL_BF16, std::vector<uint16_t>(D * R, ToBf16(0.0F)), wUp)) {
        return 1;
    }
    if (!Create(session, {B, S, C}, ACL_FLOAT, std::vector<float>(B * S * C, 1000.0F), invRms)) {
        return 1;
    }
    if (!Create(session, {B, S, R}, ACL_BF16, std::vector<uint16_t>(B * S * R, ToBf16(0.0F)), downPreAct)) {
        return 1;
    }
    if (!Create(session, {B, S, D}, ACL_BF16, std::vector<uint16_t>(B * S * D, ToBf16(0.0F)), up)) {
        return 1;
    }
    if (!Create(session, {B, S, C}, ACL_BF16, std::vector<uint16_t>(B * S * C, ToBf16(1.0F)), gradInject)) {
        return 1;
    }
    if (!Create(session, {C, D}, ACL_BF16, std::vector<uint16_t>(C * D, ToBf16(0.0F)), wGate)) {
        return 1;
    }
    if (!Create(session, {D}, ACL_FLOAT, std::vector<float>(D, 0.0F), gamma)) {
        return 1;
    }
    if (!Create(session, {B, S, C}, ACL_BF16, std::vector<uint16_t>(B * S * C, ToBf16(1.0F)), inject)) {
        return 1;
    }
    if (!Create(session, {B, S, D}, ACL_BF16, std::vector<uint16_t>(B * S * D), dx)) {
        return 1;
    }
    if (!Create(session, {R, D}, ACL_BF16, std::vector<uint16_t>(R * D), dwDown)) {
        return 1;
    }
    if (!Create(session, {D, R}, ACL_BF16, std::vector<uint16_t>(D * R), dwUp)) {
        return 1;
    }
    if (!Create(session, {C, D}, ACL_BF16, std::vector<uint16_t>(C * D), dwGate)) {
        return 1;
    }
    if (!Create(session, {D}, ACL_FLOAT, std::vector<float>(D), dgamma)) {
        return 1;
    }

    const int64_t channels = C;
    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    aclnnStatus status = aclnnTextGatedResidualGradGetWorkspaceSize(
        gradMixed.tensor, x.tensor, wDown.tensor, wUp.tensor, invRms.tensor, downPreAct.tensor, up.tensor,
        gradInject.tensor, wGate.tensor, gamma.tensor, inject.tensor, channels, dx.tensor, dwDown.tensor, dwUp.tensor,
        dwGate.tensor, dgamma.tensor, &workspaceSize, &executor);
    if (!Succeeded(status, "aclnnTextGatedResidualGradGetWorkspaceSize")) {
        return 1;
    }
    void* workspace = workspaceSize > 0 ? session.Allocate(workspaceSize) : nullptr;
    if (workspaceSize > 0 && workspace == nullptr) {
        return 1;
    }
    status = aclnnTextGatedResidualGrad(workspace, workspaceSize, executor, session.stream);
    if (!Succeeded(status, "aclnnTextGatedResidualGrad") ||
        !Succeeded(aclrtSynchronizeStream(session.stream), "aclrtSynchronizeStream")) {
        return 1;
    }

    std::vector<uint16_t> dxHost(B * S * D);
    if (!Read(dx, dxHost)) {
        return 1;
    }
    Show("dx", dxHost, FromBf16, 125.0F);
    std::vector<uint16_t> dwDownHost(R * D);
    if (!Read(dwDown, dwDownHost)) {
        return 1;
    }
    Show("dwDown", dwDownHost, FromBf16, 0.0F);
    std::vector<uint16_t> dwUpHost(D * R);
    if (!Read(dwUp, dwUpHost)) {
        return 1;
    }
    Show("dwUp", dwUpHost, FromBf16, 0.0F);
    std::vector<uint16_t> dwGateHost(C * D);
    if (!Read(dwGate, dwGateHost)) {
        return 1;
    }
    Show("dwGate", dwGateHost, FromBf16, 0.0F);
    std::vector<float> dgammaHost(D);
    if (!Read(dgamma, dgammaHost)) {
        return 1;
    }
    Show("dgamma", dgammaHost, [](float value) { return value; }, 0.0F);
    return 0;
}
