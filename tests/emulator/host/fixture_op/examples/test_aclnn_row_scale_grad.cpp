// A client as a user writes it. With an argument it makes one mistake.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_row_scale_grad.h"

#define CHECK(call)                                        \
    do {                                                   \
        const int status = (call);                         \
        if (status != 0) {                                 \
            std::printf("%s failed: %d\n", #call, status); \
            return 1;                                      \
        }                                                  \
    } while (0)

int main(int count, char** words)
{
    const std::string mistake = count > 1 ? words[1] : "";
    CHECK(aclInit(nullptr));
    std::printf("second aclInit: %d\n", aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    CHECK(aclrtCreateStream(&stream));

    const std::vector<int64_t> shape = {4, 8};
    const std::vector<float> ones(32, 1.0F);
    const size_t bytes = ones.size() * sizeof(float);
    void* memory[3] = {};
    aclTensor* tensors[3] = {};
    for (int index = 0; index < 3; ++index) {
        CHECK(aclrtMalloc(&memory[index], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        void* data = mistake == "host_pointer" && index == 1 ? const_cast<float*>(ones.data()) : memory[index];
        tensors[index] = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape.data(),
                                         shape.size(), data);
        if (index < 2) {
            CHECK(aclrtMemcpy(memory[index], bytes, ones.data(), bytes,
                              mistake == "kind" ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_HOST_TO_DEVICE));
        }
    }

    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnRowScaleGradGetWorkspaceSize(tensors[0], tensors[1], nullptr, 3.0, tensors[2], nullptr, &workspaceSize,
                                            &executor));
    void* workspace = nullptr;
    CHECK(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));
    if (mistake != "unused_executor") {
        CHECK(aclnnRowScaleGrad(workspace, mistake == "small_workspace" ? 16 : workspaceSize, executor, stream));
    }
    if (mistake == "twice") {
        std::printf("second run: %d\n", aclnnRowScaleGrad(workspace, workspaceSize, executor, stream));
    }
    for (const aclTensor* tensor : tensors) {
        aclDestroyTensor(tensor);  // allowed once the second phase has returned
    }
    if (mistake == "free") {
        CHECK(aclrtFree(workspace));
    }
    if (mistake == "host_access") {
        std::printf("%f\n", static_cast<float*>(memory[0])[0]);
    }
    std::vector<float> result(32, 0.0F);
    if (mistake == "no_wait") {
        CHECK(aclrtMemcpy(result.data(), bytes, memory[2], bytes, ACL_MEMCPY_DEVICE_TO_HOST));
        std::printf("result %f\n", result[0]);
        return 0;
    }
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(result.data(), bytes, memory[2], bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    std::printf("result %f\n", result[0]);
    for (void* address : memory) {
        CHECK(aclrtFree(address));
    }
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    std::printf("second aclFinalize: %d\n", aclFinalize());
    return 0;
}
