// Made by ascgrad 0.1.0 from RowNormGrad for ascend950.

/*!
 * \file row_norm_grad_apt.cpp
 * \brief Entry of RowNormGrad on Ascend 950PR/Ascend 950DT.
 */

#include "kernel_operator.h"
#include "arch35/row_norm_grad.h"
#include "row_norm_grad_tiling_data.h"

using namespace RowNormGrad;

template <typename T>
__aicore__ inline void Run(GM_ADDR gradY, GM_ADDR x, GM_ADDR gradX, GM_ADDR workspace,
                           const RowNormGradTilingData* tiling)
{
    TPipe pipe;
    RowNormGradKernel<T> kernel;
    kernel.Init(gradY, x, gradX, tiling, &pipe);
    kernel.Process();
}

extern "C" __global__ __aicore__ void row_norm_grad(GM_ADDR gradY, GM_ADDR x, GM_ADDR gradX, GM_ADDR workspace,
                                                    GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(RowNormGradTilingData);
    GET_TILING_DATA_WITH_STRUCT(RowNormGradTilingData, tilingData, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    if (TILING_KEY_IS(0)) { // no option
        Run<DTYPE_GRAD_Y>(gradY, x, gradX, workspace, &tilingData);
    }
}
