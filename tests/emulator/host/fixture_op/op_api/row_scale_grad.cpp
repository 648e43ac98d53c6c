#include "row_scale_grad.h"

#include "opdev/make_op_executor.h"
#include "opdev/op_def.h"
#include "opdev/op_dfx.h"
#include "opdev/op_log.h"
#include "opdev/shape_utils.h"

using namespace op;

namespace l0op {

OP_TYPE_REGISTER(RowScaleGrad);

std::array<const aclTensor*, 2> RowScaleGrad(const aclTensor* gradY, const aclTensor* weight, const aclTensor* x,
                                             float scale, aclOpExecutor* executor)
{
    L0_DFX(RowScaleGrad, gradY, weight, x, scale);
    const aclTensor* gradX = executor->AllocTensor(gradY->GetViewShape(), gradY->GetDataType(), Format::FORMAT_ND);
    const aclTensor* gradWeight =
        weight == nullptr ? nullptr
                          : executor->AllocTensor(weight->GetViewShape(), DataType::DT_FLOAT, Format::FORMAT_ND);
    const auto status = ADD_TO_LAUNCHER_LIST_AICORE(RowScaleGrad, OP_INPUT(gradY, weight, x),
                                                    OP_OUTPUT(gradX, gradWeight), OP_ATTR(scale));
    if (status != ACLNN_SUCCESS) {
        OP_LOGE(status, "RowScaleGrad: the launch is refused");
        return {nullptr, nullptr};
    }
    return {gradX, gradWeight};
}

}  // namespace l0op
