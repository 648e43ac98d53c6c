// What harness.cpp asks of the operator that it calls, and what the two phases of its interface take.
#pragma once

#include <stdexcept>

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "host_state.h"

namespace emulator {

struct Request {
    Options options;
    std::vector<aclTensor*> tensors;
    std::vector<std::string> attributes;
    bool nullWorkspaceSize = false;
    bool nullExecutor = false;
    bool twice = false;
};

// The arguments of the first phase, from left to right.
struct Arguments {
    const Request& request;
    uint64_t* workspaceSize;
    aclOpExecutor** executor;
    size_t tensor = 0, attribute = 0;  // those that were taken

    aclTensor* NextTensor()
    {
        if (tensor == request.tensors.size()) {
            throw std::invalid_argument("request: too few tensors");
        }
        return request.tensors[tensor++];
    }
    const std::string& NextAttribute()
    {
        if (attribute == request.attributes.size()) {
            throw std::invalid_argument("request: too few attributes");
        }
        return request.attributes[attribute++];
    }
    bool Done() const { return tensor == request.tensors.size() && attribute == request.attributes.size(); }
};

// "2,3", or "-" for an empty list.
std::vector<int64_t> ParseList(const std::string& text);
std::vector<float> ParseFloats(const std::string& text);

// The operator's interface: interface.cpp.
aclnnStatus FirstPhase(Arguments& arguments);
aclnnStatus SecondPhase(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor);

}  // namespace emulator
