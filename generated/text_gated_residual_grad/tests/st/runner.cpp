// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file runner.cpp
 * \brief Reads a case that gen_data.py wrote, calls TextGatedResidualGrad through aclnn, and writes its outputs beside
 * the inputs.
 */

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include "acl/acl.h"
#include "aclnnop/aclnn_text_gated_residual_grad.h"

namespace {
struct CaseTensor {
    bool input = false;
    aclTensor* tensor = nullptr; // null when absent
    void* address = nullptr;
    size_t bytes = 0;
};

struct Case {
    std::map<std::string, CaseTensor> tensors;
    std::map<std::string, double> attributes;
};

void Require(bool holds, const std::string& what)
{
    if (!holds) {
        std::printf("%s failed\n", what.c_str());
        std::exit(1);
    }
}

void Upload(const std::string& file, const CaseTensor& tensor)
{
    std::vector<char> bytes(tensor.bytes);
    std::ifstream stream(file, std::ios::binary);
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    Require(static_cast<size_t>(stream.gcount()) == bytes.size(), "reading " + file);
    Require(bytes.empty() || aclrtMemcpy(tensor.address, bytes.size(), bytes.data(), bytes.size(),
                                         ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS,
            "copying " + file);
}

void Download(const std::string& file, const CaseTensor& tensor)
{
    std::vector<char> bytes(tensor.bytes);
    Require(bytes.empty() || aclrtMemcpy(bytes.data(), bytes.size(), tensor.address, bytes.size(),
                                         ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS,
            "copying " + file);
    std::ofstream stream(file, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    Require(stream.good(), "writing " + file);
}

CaseTensor Create(std::istringstream& words, const std::string& dtype)
{
    static const std::map<std::string, std::pair<aclDataType, size_t>> DTYPES = {
        {"float16", {ACL_FLOAT16, 2}}, {"bfloat16", {ACL_BF16, 2}}, {"float32", {ACL_FLOAT, 4}},
        {"int64", {ACL_INT64, 8}},     {"bool", {ACL_BOOL, 1}},
    };
    size_t rank = 0;
    words >> rank;
    std::vector<int64_t> shape(rank);
    CaseTensor created;
    created.bytes = DTYPES.at(dtype).second;
    for (int64_t& dim : shape) {
        words >> dim;
        created.bytes *= static_cast<size_t>(dim);
    }
    const size_t allocated = created.bytes > 0 ? created.bytes : 1;
    Require(aclrtMalloc(&created.address, allocated, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS, "aclrtMalloc");
    created.tensor = aclCreateTensor(shape.data(), rank, DTYPES.at(dtype).first, nullptr, 0, ACL_FORMAT_ND,
                                     shape.data(), rank, created.address);
    Require(created.tensor != nullptr, "aclCreateTensor");
    return created;
}

Case Load(const std::string& folder)
{
    Case loaded;
    std::ifstream lines(folder + "/case.txt");
    Require(lines.good(), "opening " + folder + "/case.txt");
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string role;
        std::string name;
        std::string value;
        words >> role >> name >> value;
        if (role == "attribute") {
            loaded.attributes[name] = std::atof(value.c_str());
        } else if (value != "absent") {
            CaseTensor& tensor = loaded.tensors[name];
            tensor = Create(words, value);
            tensor.input = role == "input";
            if (tensor.input) {
                Upload(folder + "/" + name + ".bin", tensor);
            }
        }
    }
    return loaded;
}
} // namespace

int main(int argc, char** argv)
{
    Require(argc > 1, "runner CASE [DEVICE]: naming the case");
    const std::string folder = argv[1];
    const int32_t device = argc > 2 ? std::atoi(argv[2]) : 0;
    aclrtStream stream = nullptr;
    Require(aclInit(nullptr) == ACL_SUCCESS, "aclInit");
    Require(aclrtSetDevice(device) == ACL_SUCCESS, "aclrtSetDevice");
    Require(aclrtCreateStream(&stream) == ACL_SUCCESS, "aclrtCreateStream");
    Case loaded = Load(folder);

    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    auto status = aclnnTextGatedResidualGradGetWorkspaceSize(
        loaded.tensors["grad_mixed"].tensor, loaded.tensors["x"].tensor, loaded.tensors["w_down"].tensor,
        loaded.tensors["w_up"].tensor, loaded.tensors["inv_rms"].tensor, loaded.tensors["down_pre_act"].tensor,
        loaded.tensors["up"].tensor, loaded.tensors["grad_inject"].tensor, loaded.tensors["w_gate"].tensor,
        loaded.tensors["gamma"].tensor, loaded.tensors["inject"].tensor,
        static_cast<int64_t>(loaded.attributes["channels"]), loaded.tensors["dx"].tensor,
        loaded.tensors["dw_down"].tensor, loaded.tensors["dw_up"].tensor, loaded.tensors["dw_gate"].tensor,
        loaded.tensors["dgamma"].tensor, &workspaceSize, &executor);
    Require(status == 0, "first phase with status " + std::to_string(status));
    void* workspace = nullptr;
    if (workspaceSize > 0) {
        Require(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS, "aclrtMalloc");
    }
    status = aclnnTextGatedResidualGrad(workspace, workspaceSize, executor, stream);
    Require(status == 0, "second phase with status " + std::to_string(status));
    Require(aclrtSynchronizeStream(stream) == ACL_SUCCESS, "aclrtSynchronizeStream");

    for (auto& [name, tensor] : loaded.tensors) {
        if (!tensor.input) {
            Download(folder + "/" + name + ".bin", tensor);
        }
        (void)aclDestroyTensor(tensor.tensor);
        (void)aclrtFree(tensor.address);
    }
    if (workspace != nullptr) {
        (void)aclrtFree(workspace);
    }
    (void)aclrtDestroyStream(stream);
    (void)aclrtResetDevice(device);
    (void)aclFinalize();
    return 0;
}
