// IMPL_OP...: the functions of an operator, in one map of the process; several macros for one operator merge.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/kernel_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace emulator {

struct Implementation {
    ge::graphStatus (*inferShape)(gert::InferShapeContext*) = nullptr;
    ge::graphStatus (*inferDataType)(gert::InferDataTypeContext*) = nullptr;
    ge::graphStatus (*tiling)(gert::TilingContext*) = nullptr;
    ge::graphStatus (*tilingParse)(gert::TilingParseContext*) = nullptr;
    std::shared_ptr<void> (*makeCompileInfo)() = nullptr;
    size_t tilingCapacity = 2048;
};

Implementation& ImplementationOf(const std::string& type);

}  // namespace emulator

namespace gert {

class OpImplRegisterV2 {
public:
    explicit OpImplRegisterV2(const char* type) : implementation_(&emulator::ImplementationOf(type)) {}

    OpImplRegisterV2& InferShape(ge::graphStatus (*function)(InferShapeContext*))
    {
        implementation_->inferShape = function;
        return *this;
    }
    OpImplRegisterV2& InferDataType(ge::graphStatus (*function)(InferDataTypeContext*))
    {
        implementation_->inferDataType = function;
        return *this;
    }
    OpImplRegisterV2& Tiling(ge::graphStatus (*function)(TilingContext*), size_t maxTilingDataSize = 2048)
    {
        implementation_->tiling = function;
        implementation_->tilingCapacity = maxTilingDataSize;
        return *this;
    }
    template <typename T>
    OpImplRegisterV2& TilingParse(ge::graphStatus (*function)(TilingParseContext*))
    {
        implementation_->tilingParse = function;
        implementation_->makeCompileInfo = [] { return std::shared_ptr<void>(std::make_shared<T>()); };
        return *this;
    }
    OpImplRegisterV2& InputsDataDependency(std::initializer_list<int32_t>) { return *this; }
    OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t>) { return *this; }
    OpImplRegisterV2& HostInputs(std::initializer_list<int32_t>) { return *this; }
    OpImplRegisterV2& OutputShapeDependOnCompute(std::initializer_list<int32_t>) { return *this; }

private:
    emulator::Implementation* implementation_;
};

}  // namespace gert

#define IMPL_OP(Op) static gert::OpImplRegisterV2 opImplRegister##Op = gert::OpImplRegisterV2(#Op)
#define IMPL_OP_INFERSHAPE(Op) static gert::OpImplRegisterV2 opImplRegisterInferShape##Op = gert::OpImplRegisterV2(#Op)
#define IMPL_OP_OPTILING(Op) static gert::OpImplRegisterV2 opImplRegisterTiling##Op = gert::OpImplRegisterV2(#Op)
