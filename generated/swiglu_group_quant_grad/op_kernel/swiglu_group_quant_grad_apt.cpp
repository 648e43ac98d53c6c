// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file swiglu_group_quant_grad_apt.cpp
 * \brief Entry of SwigluGroupQuantGrad on Ascend 950PR/Ascend 950DT.
 */

#include "kernel_operator.h"
#include "arch35/swiglu_group_quant_grad.h"
#include "swiglu_group_quant_grad_tiling_data.h"

using namespace SwigluGroupQuantGrad;

template <typename T, bool HAS_WEIGHT, bool HAS_CLAMP>
__aicore__ inline void Run(GM_ADDR gradY, GM_ADDR x, GM_ADDR weight, GM_ADDR yOrigin, GM_ADDR groupIndex, GM_ADDR gradX,
                           GM_ADDR gradWeight, GM_ADDR workspace, const SwigluGroupQuantGradTilingData* tiling)
{
    TPipe pipe;
    SwigluGroupQuantGradKernel<T, HAS_WEIGHT, HAS_CLAMP> kernel;
    kernel.Init(gradY, x, weight, yOrigin, groupIndex, gradX, gradWeight, tiling, &pipe);
    kernel.Process();
}

extern "C" __global__ __aicore__ void swiglu_group_quant_grad(GM_ADDR gradY, GM_ADDR x, GM_ADDR weight, GM_ADDR yOrigin,
    GM_ADDR groupIndex, GM_ADDR gradX, GM_ADDR gradWeight, GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(SwigluGroupQuantGradTilingData);
    GET_TILING_DATA_WITH_STRUCT(SwigluGroupQuantGradTilingData, tilingData, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    if (TILING_KEY_IS(0)) { // no option
        Run<DTYPE_GRAD_Y, false, false>(gradY, x, weight, yOrigin, groupIndex, gradX, gradWeight, workspace,
                                        &tilingData);
    } else if (TILING_KEY_IS(1)) { // weight
        Run<DTYPE_GRAD_Y, true, false>(gradY, x, weight, yOrigin, groupIndex, gradX, gradWeight, workspace,
                                       &tilingData);
    } else if (TILING_KEY_IS(2)) { // clamp
        Run<DTYPE_GRAD_Y, false, true>(gradY, x, weight, yOrigin, groupIndex, gradX, gradWeight, workspace,
                                       &tilingData);
    } else if (TILING_KEY_IS(3)) { // weight, clamp
        Run<DTYPE_GRAD_Y, true, true>(gradY, x, weight, yOrigin, groupIndex, gradX, gradWeight, workspace, &tilingData);
    }
}
