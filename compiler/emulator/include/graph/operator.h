#pragma once

#include <string>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace ge {

class Operator {
public:
    explicit Operator(const char* name = "") : name_(name) {}
    virtual ~Operator() = default;
    const std::string& GetName() const { return name_; }

private:
    std::string name_;
};

}  // namespace ge
