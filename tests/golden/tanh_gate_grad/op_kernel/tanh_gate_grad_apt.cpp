// Made by ascgrad 0.1.0 from TanhGateGrad for ascend950.

/*!
 * \file tanh_gate_grad_apt.cpp
 * \brief Entry of TanhGateGrad on Ascend 950PR/Ascend 950DT.
 */

#include "kernel_operator.h"
#include "arch35/tanh_gate_grad.h"
#include "tanh_gate_grad_tiling_data.h"

using namespace TanhGateGrad;

template <typename T>
__aicore__ inline void Run(GM_ADDR gradY, GM_ADDR x, GM_ADDR gradX, GM_ADDR workspace,
                           const TanhGateGradTilingData* tiling)
{
    TPipe pipe;
    TanhGateGradKernel<T> kernel;
    kernel.Init(gradY, x, gradX, tiling, &pipe);
    kernel.Process();
}

extern "C" __global__ __aicore__ void tanh_gate_grad(GM_ADDR gradY, GM_ADDR x, GM_ADDR gradX, GM_ADDR workspace,
                                                     GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(TanhGateGradTilingData);
    GET_TILING_DATA_WITH_STRUCT(TanhGateGradTilingData, tilingData, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    if (TILING_KEY_IS(0)) { // no option
        Run<DTYPE_GRAD_Y>(gradY, x, gradX, workspace, &tilingData);
    }
}
