// Made by ascgrad 0.1.0 from ScaledProductGrad for ascend950.

/*!
 * \file scaled_product_grad_apt.cpp
 * \brief Entry of ScaledProductGrad on Ascend 950PR/Ascend 950DT.
 */

#include "kernel_operator.h"
#include "arch35/scaled_product_grad.h"
#include "scaled_product_grad_tiling_data.h"

using namespace ScaledProductGrad;

template <typename T>
__aicore__ inline void Run(GM_ADDR gradY, GM_ADDR a, GM_ADDR b, GM_ADDR rowScale, GM_ADDR columnScale, GM_ADDR gradA,
                           GM_ADDR gradB, GM_ADDR gradRowScale, GM_ADDR gradColumnScale, GM_ADDR workspace,
                           const ScaledProductGradTilingData* tiling)
{
    TPipe pipe;
    ScaledProductGradKernel<T> kernel;
    kernel.Init(gradY, a, b, rowScale, columnScale, gradA, gradB, gradRowScale, gradColumnScale, workspace, tiling,
                &pipe);
    kernel.Process();
    kernel.FinishColumns();
}

extern "C" __global__ __aicore__ void scaled_product_grad(GM_ADDR gradY, GM_ADDR a, GM_ADDR b, GM_ADDR rowScale,
                                                          GM_ADDR columnScale, GM_ADDR gradA, GM_ADDR gradB,
                                                          GM_ADDR gradRowScale, GM_ADDR gradColumnScale,
                                                          GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(ScaledProductGradTilingData);
    GET_TILING_DATA_WITH_STRUCT(ScaledProductGradTilingData, tilingData, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    if (TILING_KEY_IS(0)) { // no option
        Run<DTYPE_GRAD_Y>(gradY, a, b, rowScale, columnScale, gradA, gradB, gradRowScale, gradColumnScale,
                          GetUserWorkspace(workspace), &tilingData);
    }
}
