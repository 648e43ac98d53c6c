#ifndef ROW_SCALE_GRAD_PROTO_H
#define ROW_SCALE_GRAD_PROTO_H

#include "graph/operator_reg.h"

namespace ge {

REG_OP(RowScaleGrad)
    .INPUT(grad_y, TensorType({DT_FLOAT16, DT_BF16, DT_FLOAT}))
    .OPTIONAL_INPUT(weight, TensorType({DT_FLOAT}))
    .INPUT(x, TensorType({DT_FLOAT16, DT_BF16, DT_FLOAT}))
    .OUTPUT(grad_x, TensorType({DT_FLOAT16, DT_BF16, DT_FLOAT}))
    .OUTPUT(grad_weight, TensorType({DT_FLOAT}))
    .ATTR(scale, Float, 1.0)
    .OP_END_FACTORY_REG(RowScaleGrad)

}  // namespace ge

#endif
