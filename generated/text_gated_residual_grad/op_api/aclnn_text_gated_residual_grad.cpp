// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file aclnn_text_gated_residual_grad.cpp
 * \brief The two-phase aclnn interface of TextGatedResidualGrad. Null pointers, dtypes, formats, shapes and attributes
 * are checked here, then the sizes against the specification of the product.
 */

#include "aclnn_text_gated_residual_grad.h"
#include <initializer_list>
#include <string>
#include <utility>
#include "aclnn_text_gated_residual_grad_check.h"
#include "text_gated_residual_grad.h"
#include "aclnn_kernels/contiguous.h"
#include "opdev/common_types.h"
#include "opdev/data_type_utils.h"
#include "opdev/format_utils.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/op_executor.h"
#include "opdev/op_log.h"
#include "opdev/platform.h"

using namespace op;
using namespace aclnn_text_gated_residual_grad;

namespace {
bool IsGiven(const char* name, const aclTensor* tensor)
{
    if (tensor != nullptr) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "%s: got a null pointer, wants a tensor", name);
    return false;
}

// Whether all tensors of a group are given, or none is.
bool IsWholeGroup(std::initializer_list<std::pair<const char*, const aclTensor*>> group)
{
    std::string given;
    std::string absent;
    for (const auto& [name, tensor] : group) {
        std::string& names = tensor == nullptr ? absent : given;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    if (given.empty() || absent.empty()) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "%s: got null, wants tensors because %s is given, or null for all of them",
            absent.c_str(), given.c_str());
    return false;
}

bool HasDtype(const char* name, const aclTensor* tensor, const std::initializer_list<DataType>& wanted,
              const char* wantedText)
{
    if (CheckType(tensor->GetDataType(), wanted)) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got data type %s, wants %s", name,
            ToString(tensor->GetDataType()).GetString(), wantedText);
    return false;
}

bool HasSameDtype(const char* name, const aclTensor* tensor, const char* otherName, const aclTensor* other)
{
    if (tensor->GetDataType() == other->GetDataType()) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got data type %s, wants that of %s, which is %s", name,
            ToString(tensor->GetDataType()).GetString(), otherName, ToString(other->GetDataType()).GetString());
    return false;
}

bool HasPlainFormat(const char* name, const aclTensor* tensor)
{
    if (!IsPrivateFormat(tensor->GetStorageFormat())) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s: got format %s, wants ND", name,
            ToString(tensor->GetStorageFormat()).GetString());
    return false;
}

aclnnStatus CheckParams(const aclTensor* gradMixed, const aclTensor* x, const aclTensor* wDown, const aclTensor* wUp,
                        const aclTensor* invRms, const aclTensor* downPreAct, const aclTensor* up,
                        const aclTensor* gradInject, const aclTensor* wGate, const aclTensor* gamma,
                        const aclTensor* inject, const aclTensor* dx, const aclTensor* dwDown, const aclTensor* dwUp,
                        const aclTensor* dwGate, const aclTensor* dgamma)
{
    // Refused when gradMixed, x, wDown, wUp, invRms, downPreAct, up, dx, dwDown, dwUp, workspaceSize or executor is a
    // null pointer.
    if (!IsGiven("gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("x", x)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("wDown", wDown)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("wUp", wUp)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("invRms", invRms)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("downPreAct", downPreAct)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("up", up)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("dx", dx)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("dwDown", dwDown)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsGiven("dwUp", dwUp)) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    // Refused when only some of wGate, gradInject, inject and dwGate are supplied; only some of gamma and dgamma are
    // supplied.
    if (!IsWholeGroup({{"wGate", wGate}, {"gradInject", gradInject}, {"inject", inject}, {"dwGate", dwGate}})) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    if (!IsWholeGroup({{"gamma", gamma}, {"dgamma", dgamma}})) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    // Refused when the data type of gradMixed, x, wDown, wUp, downPreAct, up, gradInject, wGate, inject, dx, dwDown,
    // dwUp or dwGate is none of FLOAT16 or BFLOAT16, or they differ.
    if (!HasDtype("gradMixed", gradMixed, {DataType::DT_FLOAT16, DataType::DT_BF16}, "FLOAT16 or BFLOAT16")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("x", x, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("wDown", wDown, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("wUp", wUp, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("downPreAct", downPreAct, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("up", up, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (gradInject != nullptr && !HasSameDtype("gradInject", gradInject, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (wGate != nullptr && !HasSameDtype("wGate", wGate, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (inject != nullptr && !HasSameDtype("inject", inject, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("dx", dx, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("dwDown", dwDown, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasSameDtype("dwUp", dwUp, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (dwGate != nullptr && !HasSameDtype("dwGate", dwGate, "gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the data type of invRms, gamma or dgamma is not FLOAT.
    if (!HasDtype("invRms", invRms, {DataType::DT_FLOAT}, "FLOAT")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (gamma != nullptr && !HasDtype("gamma", gamma, {DataType::DT_FLOAT}, "FLOAT")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (dgamma != nullptr && !HasDtype("dgamma", dgamma, {DataType::DT_FLOAT}, "FLOAT")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the format of a tensor is a private one.
    if (!HasPlainFormat("gradMixed", gradMixed)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("x", x)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("wDown", wDown)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("wUp", wUp)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("invRms", invRms)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("downPreAct", downPreAct)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("up", up)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (gradInject != nullptr && !HasPlainFormat("gradInject", gradInject)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (wGate != nullptr && !HasPlainFormat("wGate", wGate)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (gamma != nullptr && !HasPlainFormat("gamma", gamma)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (inject != nullptr && !HasPlainFormat("inject", inject)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("dx", dx)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("dwDown", dwDown)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasPlainFormat("dwUp", dwUp)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (dwGate != nullptr && !HasPlainFormat("dwGate", dwGate)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (dgamma != nullptr && !HasPlainFormat("dgamma", dgamma)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    return ACLNN_SUCCESS;
}

// What one call asks for. The shape of an absent tensor is null.
struct Request {
    const Shape* gradMixed = nullptr;
    const Shape* x = nullptr;
    const Shape* wDown = nullptr;
    const Shape* wUp = nullptr;
    const Shape* invRms = nullptr;
    const Shape* downPreAct = nullptr;
    const Shape* up = nullptr;
    const Shape* gradInject = nullptr;
    const Shape* wGate = nullptr;
    const Shape* gamma = nullptr;
    const Shape* inject = nullptr;
    const Shape* dx = nullptr;
    const Shape* dwDown = nullptr;
    const Shape* dwUp = nullptr;
    const Shape* dwGate = nullptr;
    const Shape* dgamma = nullptr;
    int64_t channels = 0;
    // Bytes of one element of gradMixed.
    int64_t dtypeBytes = 0;
    // The product of the leading dimensions.
    int64_t T = 0;
    int64_t H = 0;
    int64_t C = 0;
    int64_t R = 0;
};

const Shape* ShapeOf(const aclTensor* tensor) { return tensor == nullptr ? nullptr : &tensor->GetViewShape(); }

Request MakeRequest(const aclTensor* gradMixed, const aclTensor* x, const aclTensor* wDown, const aclTensor* wUp,
                    const aclTensor* invRms, const aclTensor* downPreAct, const aclTensor* up,
                    const aclTensor* gradInject, const aclTensor* wGate, const aclTensor* gamma,
                    const aclTensor* inject, const aclTensor* dx, const aclTensor* dwDown, const aclTensor* dwUp,
                    const aclTensor* dwGate, const aclTensor* dgamma, int64_t channels)
{
    Request request;
    request.gradMixed = ShapeOf(gradMixed);
    request.x = ShapeOf(x);
    request.wDown = ShapeOf(wDown);
    request.wUp = ShapeOf(wUp);
    request.invRms = ShapeOf(invRms);
    request.downPreAct = ShapeOf(downPreAct);
    request.up = ShapeOf(up);
    request.gradInject = ShapeOf(gradInject);
    request.wGate = ShapeOf(wGate);
    request.gamma = ShapeOf(gamma);
    request.inject = ShapeOf(inject);
    request.dx = ShapeOf(dx);
    request.dwDown = ShapeOf(dwDown);
    request.dwUp = ShapeOf(dwUp);
    request.dwGate = ShapeOf(dwGate);
    request.dgamma = ShapeOf(dgamma);
    request.channels = channels;
    request.dtypeBytes = ge::GetSizeByDataType(gradMixed->GetDataType());
    return request;
}

// Refuses shapes and attributes that the parameter table does not have, and reads the sizes from the shapes.
aclnnStatus CheckShapes(Request& request)
{
    // Refused when channels is outside [1,20] or does not divide D.
    request.C = request.channels;
    if (!IsInRange(ACLNN_ERR_PARAM_INVALID, "channels", request.channels, 1, 20)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the rank of a tensor is not supported.
    if (!HasRank(ACLNN_ERR_PARAM_INVALID, "gradMixed", *request.gradMixed, 3, 3)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRank(ACLNN_ERR_PARAM_INVALID, "x", *request.x, 3, 3)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRank(ACLNN_ERR_PARAM_INVALID, "wDown", *request.wDown, 2, 2)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRank(ACLNN_ERR_PARAM_INVALID, "wUp", *request.wUp, 2, 2)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRank(ACLNN_ERR_PARAM_INVALID, "invRms", *request.invRms, 3, 3)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRank(ACLNN_ERR_PARAM_INVALID, "downPreAct", *request.downPreAct, 3, 3)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRank(ACLNN_ERR_PARAM_INVALID, "up", *request.up, 3, 3)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.gradInject != nullptr && !HasRank(ACLNN_ERR_PARAM_INVALID, "gradInject", *request.gradInject, 3, 3)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.wGate != nullptr && !HasRank(ACLNN_ERR_PARAM_INVALID, "wGate", *request.wGate, 2, 2)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.gamma != nullptr && !HasRank(ACLNN_ERR_PARAM_INVALID, "gamma", *request.gamma, 1, 1)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.inject != nullptr && !HasRank(ACLNN_ERR_PARAM_INVALID, "inject", *request.inject, 3, 3)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the last dimension of gradMixed is not H; the last dimension of x is not C*H; the last dimension of
    // wDown is not C*H; the last 2 dimensions of wUp are not C*H, R; the last dimension of invRms is not C; the last
    // dimension of downPreAct is not R; the last dimension of up is not C*H; the last dimension of gradInject is not C;
    // the last 2 dimensions of wGate are not C, C*H; the last dimension of gamma is not C*H; the last dimension of
    // inject is not C.
    request.H = DimFromEnd(*request.x, 1) / request.C;
    request.R = DimFromEnd(*request.wDown, 2);
    if (!Divides(ACLNN_ERR_PARAM_INVALID, "channels", request.channels, "x", *request.x, 1)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasDim(ACLNN_ERR_PARAM_INVALID, "gradMixed", *request.gradMixed, 1, request.H, "H")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasDim(ACLNN_ERR_PARAM_INVALID, "x", *request.x, 1, Product({request.C, request.H}), "C * H")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasDim(ACLNN_ERR_PARAM_INVALID, "wDown", *request.wDown, 1, Product({request.C, request.H}), "C * H")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasDim(ACLNN_ERR_PARAM_INVALID, "wUp", *request.wUp, 2, Product({request.C, request.H}), "C * H")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasDim(ACLNN_ERR_PARAM_INVALID, "wUp", *request.wUp, 1, request.R, "R")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasDim(ACLNN_ERR_PARAM_INVALID, "invRms", *request.invRms, 1, request.C, "C")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasDim(ACLNN_ERR_PARAM_INVALID, "downPreAct", *request.downPreAct, 1, request.R, "R")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasDim(ACLNN_ERR_PARAM_INVALID, "up", *request.up, 1, Product({request.C, request.H}), "C * H")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.gradInject != nullptr &&
        !HasDim(ACLNN_ERR_PARAM_INVALID, "gradInject", *request.gradInject, 1, request.C, "C")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.wGate != nullptr && !HasDim(ACLNN_ERR_PARAM_INVALID, "wGate", *request.wGate, 2, request.C, "C")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.wGate != nullptr &&
        !HasDim(ACLNN_ERR_PARAM_INVALID, "wGate", *request.wGate, 1, Product({request.C, request.H}), "C * H")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.gamma != nullptr &&
        !HasDim(ACLNN_ERR_PARAM_INVALID, "gamma", *request.gamma, 1, Product({request.C, request.H}), "C * H")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.inject != nullptr && !HasDim(ACLNN_ERR_PARAM_INVALID, "inject", *request.inject, 1, request.C, "C")) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when R is outside [1, 640].
    if (!IsWithin(ACLNN_ERR_PARAM_INVALID, "wDown", *request.wDown, "R", request.R, 1, 640)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the leading dimensions of x, invRms, downPreAct, up, gradInject or inject are not those of
    // gradMixed.
    if (!CountRows(ACLNN_ERR_PARAM_INVALID, "gradMixed", *request.gradMixed, 1, request.T)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRowsOf(ACLNN_ERR_PARAM_INVALID, "x", *request.x, 1, "gradMixed", *request.gradMixed, 1)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRowsOf(ACLNN_ERR_PARAM_INVALID, "invRms", *request.invRms, 1, "gradMixed", *request.gradMixed, 1)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRowsOf(ACLNN_ERR_PARAM_INVALID, "downPreAct", *request.downPreAct, 1, "gradMixed", *request.gradMixed, 1)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasRowsOf(ACLNN_ERR_PARAM_INVALID, "up", *request.up, 1, "gradMixed", *request.gradMixed, 1)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.gradInject != nullptr &&
        !HasRowsOf(ACLNN_ERR_PARAM_INVALID, "gradInject", *request.gradInject, 1, "gradMixed", *request.gradMixed, 1)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.inject != nullptr &&
        !HasRowsOf(ACLNN_ERR_PARAM_INVALID, "inject", *request.inject, 1, "gradMixed", *request.gradMixed, 1)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the shape of dx is not that of x; the shape of dwDown is not that of wDown; the shape of dwUp is not
    // that of wUp; the shape of dwGate is not that of wGate; the shape of dgamma is not that of gamma.
    if (!HasShapeOf(ACLNN_ERR_PARAM_INVALID, "dx", *request.dx, "x", *request.x)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasShapeOf(ACLNN_ERR_PARAM_INVALID, "dwDown", *request.dwDown, "wDown", *request.wDown)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!HasShapeOf(ACLNN_ERR_PARAM_INVALID, "dwUp", *request.dwUp, "wUp", *request.wUp)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.dwGate != nullptr && request.wGate != nullptr &&
        !HasShapeOf(ACLNN_ERR_PARAM_INVALID, "dwGate", *request.dwGate, "wGate", *request.wGate)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.dgamma != nullptr && request.gamma != nullptr &&
        !HasShapeOf(ACLNN_ERR_PARAM_INVALID, "dgamma", *request.dgamma, "gamma", *request.gamma)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    // Refused when the number of bytes of a tensor exceeds what INT64 holds.
    if (!FitsMemory(ACLNN_ERR_PARAM_INVALID, "gradMixed", *request.gradMixed, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!FitsMemory(ACLNN_ERR_PARAM_INVALID, "x", *request.x, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!FitsMemory(ACLNN_ERR_PARAM_INVALID, "wDown", *request.wDown, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!FitsMemory(ACLNN_ERR_PARAM_INVALID, "wUp", *request.wUp, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!FitsMemory(ACLNN_ERR_PARAM_INVALID, "downPreAct", *request.downPreAct, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (!FitsMemory(ACLNN_ERR_PARAM_INVALID, "up", *request.up, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.gradInject != nullptr &&
        !FitsMemory(ACLNN_ERR_PARAM_INVALID, "gradInject", *request.gradInject, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.wGate != nullptr && !FitsMemory(ACLNN_ERR_PARAM_INVALID, "wGate", *request.wGate, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    if (request.inject != nullptr &&
        !FitsMemory(ACLNN_ERR_PARAM_INVALID, "inject", *request.inject, request.dtypeBytes)) {
        return ACLNN_ERR_PARAM_INVALID;
    }
    return ACLNN_SUCCESS;
}

// K of the specification on the product that runs.
int64_t KOfProduct(const Request& request)
{
    switch (GetCurrentPlatformInfo().GetSocVersion()) {
        case SocVersion::ASCEND950:
            return 62448 - 16 * CeilDiv(request.C, 8);
        case SocVersion::ASCEND910B:
        case SocVersion::ASCEND910_93:
            return 39664 - 16 * CeilDiv(request.C, 8);
        default: // no product of the documents
            return -1;
    }
}

// Refuses sizes that are well-formed but beyond the specification of the product.
aclnnStatus CheckSpecification(const Request& request)
{
    // Refused when the specification does not hold: H >= 1, H % 16 == 0, R % 16 == 0, 13 * H <= K, 3 * H + 8 * R <= K,
    // 7 * H + 6 * R <= K.
    const int64_t K = KOfProduct(request);
    if (!IsAtLeast(ACLNN_ERR_INNER_NULLPTR, "H", request.H, 1)) {
        return ACLNN_ERR_INNER_NULLPTR;
    }
    if (!IsMultiple(ACLNN_ERR_INNER_NULLPTR, "H", request.H, 16)) {
        return ACLNN_ERR_INNER_NULLPTR;
    }
    if (!IsMultiple(ACLNN_ERR_INNER_NULLPTR, "R", request.R, 16)) {
        return ACLNN_ERR_INNER_NULLPTR;
    }
    if (!IsAtMost(ACLNN_ERR_INNER_NULLPTR, "13 * H", Product({13, request.H}), "K", K)) {
        return ACLNN_ERR_INNER_NULLPTR;
    }
    if (!IsAtMost(ACLNN_ERR_INNER_NULLPTR, "3 * H + 8 * R", Sum({Product({3, request.H}), Product({8, request.R})}),
                  "K", K)) {
        return ACLNN_ERR_INNER_NULLPTR;
    }
    if (!IsAtMost(ACLNN_ERR_INNER_NULLPTR, "7 * H + 6 * R", Sum({Product({7, request.H}), Product({6, request.R})}),
                  "K", K)) {
        return ACLNN_ERR_INNER_NULLPTR;
    }
    return ACLNN_SUCCESS;
}

// Replaces a strided input by a contiguous copy. An absent one stays null.
bool MakeContiguous(const aclTensor*& input, aclOpExecutor* executor)
{
    if (input == nullptr) {
        return true;
    }
    input = l0op::Contiguous(input, executor);
    return input != nullptr;
}

// A contiguous tensor of the shape and dtype of an output, for the kernel to write. An absent one stays null.
bool AllocResult(const aclTensor* output, const aclTensor*& result, aclOpExecutor* executor)
{
    if (output == nullptr) {
        return true;
    }
    result = executor->AllocTensor(output->GetViewShape(), output->GetDataType(), Format::FORMAT_ND);
    return result != nullptr;
}

// Brings a result to where the output is, whatever its strides.
bool CopyOut(const aclTensor* result, const aclTensor* output, aclOpExecutor* executor)
{
    return output == nullptr || l0op::ViewCopy(result, output, executor) != nullptr;
}
} // namespace

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnTextGatedResidualGradGetWorkspaceSize(
    const aclTensor* gradMixed, const aclTensor* x, const aclTensor* wDown, const aclTensor* wUp,
    const aclTensor* invRms, const aclTensor* downPreAct, const aclTensor* up, const aclTensor* gradInject,
    const aclTensor* wGate, const aclTensor* gamma, const aclTensor* inject, int64_t channels, aclTensor* dx,
    aclTensor* dwDown, aclTensor* dwUp, aclTensor* dwGate, aclTensor* dgamma, uint64_t* workspaceSize,
    aclOpExecutor** executor)
{
    L2_DFX_PHASE_1(aclnnTextGatedResidualGrad,
                   DFX_IN(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, channels),
                   DFX_OUT(dx, dwDown, dwUp, dwGate, dgamma));

    const aclnnStatus checked = CheckParams(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma,
                                            inject, dx, dwDown, dwUp, dwGate, dgamma);
    CHECK_RET(checked == ACLNN_SUCCESS, checked);
    Request request = MakeRequest(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject,
                                  dx, dwDown, dwUp, dwGate, dgamma, channels);
    const aclnnStatus shaped = CheckShapes(request);
    CHECK_RET(shaped == ACLNN_SUCCESS, shaped);

    auto uniqueExecutor = CREATE_EXECUTOR();
    CHECK_RET(uniqueExecutor.get() != nullptr, ACLNN_ERR_INNER_CREATE_EXECUTOR);
    const aclnnStatus specified = CheckSpecification(request);
    CHECK_RET(specified == ACLNN_SUCCESS, specified);

    CHECK_RET(MakeContiguous(gradMixed, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(x, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(wDown, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(wUp, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(invRms, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(downPreAct, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(up, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(gradInject, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(wGate, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(gamma, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(MakeContiguous(inject, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);

    const aclTensor* dxResult = nullptr;
    CHECK_RET(AllocResult(dx, dxResult, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    const aclTensor* dwDownResult = nullptr;
    CHECK_RET(AllocResult(dwDown, dwDownResult, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    const aclTensor* dwUpResult = nullptr;
    CHECK_RET(AllocResult(dwUp, dwUpResult, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    const aclTensor* dwGateResult = nullptr;
    CHECK_RET(AllocResult(dwGate, dwGateResult, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    const aclTensor* dgammaResult = nullptr;
    CHECK_RET(AllocResult(dgamma, dgammaResult, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);

    // Runs the host tiling, whose status is the caller's. An empty tensor is no exception: sums over no rows are zeros,
    // which the kernel writes.
    const aclnnStatus launched = l0op::TextGatedResidualGrad(
        gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, channels, dxResult,
        dwDownResult, dwUpResult, dwGateResult, dgammaResult, uniqueExecutor.get());
    CHECK_RET(launched == ACLNN_SUCCESS, launched);

    CHECK_RET(CopyOut(dxResult, dx, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(CopyOut(dwDownResult, dwDown, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(CopyOut(dwUpResult, dwUp, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(CopyOut(dwGateResult, dwGate, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(CopyOut(dgammaResult, dgamma, uniqueExecutor.get()), ACLNN_ERR_INNER_NULLPTR);

    *workspaceSize = uniqueExecutor->GetWorkspaceSize();
    uniqueExecutor.ReleaseTo(executor);
    return ACLNN_SUCCESS;
}

aclnnStatus aclnnTextGatedResidualGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                       aclrtStream stream)
{
    L2_DFX_PHASE_2(aclnnTextGatedResidualGrad);
    return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}

#ifdef __cplusplus
}
#endif
