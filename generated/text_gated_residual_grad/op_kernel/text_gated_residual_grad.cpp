// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad.cpp
 * \brief Entry of TextGatedResidualGrad on Atlas A3.
 *
 * Rows are cut into blocks. In step s, the work of level l is on block s - l, so that vector and cube cores are busy at
 * the same time; after each step all of them wait for one another. Products over all rows come last.
 *   0  vector  gradUp, xNorm
 *   0  vector  factorOfWGate   (HAS_INJECT)
 *   0  vector  act
 *   1  cube    gradAct = gradUp @ wUp
 *   1  cube    factorOfWGateByWGate = factorOfWGate @ wGate   (HAS_INJECT)
 *   2  vector  gradDownPreAct
 *   3  cube    gradDownPreActByWDown = gradDownPreAct @ wDown
 *   4  vector  dx, dgamma
 *   -  cube    dwUp = gradUp^T @ act
 *   -  cube    dwGate = factorOfWGate^T @ xNorm   (HAS_INJECT)
 *   -  cube    dwDown = gradDownPreAct^T @ xNorm
 */

#include "kernel_operator.h"
#include "arch22/text_gated_residual_grad_vector1.h"
#include "arch22/text_gated_residual_grad_vector2.h"
#include "arch22/text_gated_residual_grad_vector3.h"
#include "arch22/text_gated_residual_grad_vector4.h"
#include "arch22/text_gated_residual_grad_vector5.h"
#include "arch22/text_gated_residual_grad_cube.h"
#include "text_gated_residual_grad_tiling_data.h"

using namespace TextGatedResidualGrad;

// A run of rows that the stages hand from one to the next.
struct Block {
    int64_t index;
    int64_t first;
    int64_t rows; // 0 before the first block and after the last
};

__aicore__ inline Block BlockAt(int64_t index, const TextGatedResidualGradTilingData* tiling)
{
    const int64_t first = index * tiling->blockRows;
    const int64_t left = tiling->totalRows - first;
    const int64_t rows = index < 0 || left < 0 ? 0 : (left < tiling->blockRows ? left : tiling->blockRows);
    return Block{index, first, rows};
}

// The first row of the block in a tensor of all rows.
__aicore__ inline GM_ADDR RowsOf(GM_ADDR tensor, const Block& block, int64_t rowBytes)
{
    return tensor == nullptr ? nullptr : tensor + block.first * rowBytes;
}

// The block's place in a ring of `slots` blocks.
__aicore__ inline GM_ADDR SlotOf(GM_ADDR ring, const Block& block, int64_t slots, int64_t blockBytes)
{
    return ring + block.index % slots * blockBytes;
}

// Sums over no rows are zeros.
template <typename U>
__aicore__ inline void FillZeros(TBuf<QuePosition::VECCALC>& buffer, GM_ADDR to, int64_t count)
{
    GlobalTensor<U> tensor;
    tensor.SetGlobalBuffer((__gm__ U*)to);
    const int64_t cores = GetBlockNum() * GetTaskRatio();
    constexpr int64_t BURST = 8192 / sizeof(U);
    LocalTensor<U> zeros = buffer.Get<U>();
    for (int64_t at = GetBlockIdx() * BURST; at < count; at += cores * BURST) {
        StoreRun(tensor[at], zeros, static_cast<int32_t>(count - at < BURST ? count - at : BURST));
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void ZeroSums(GM_ADDR gradMixed, GM_ADDR x, GM_ADDR wDown, GM_ADDR wUp, GM_ADDR invRms,
                                GM_ADDR downPreAct, GM_ADDR up, GM_ADDR gradInject, GM_ADDR wGate, GM_ADDR gamma,
                                GM_ADDR inject, GM_ADDR dx, GM_ADDR dwDown, GM_ADDR dwUp, GM_ADDR dwGate,
                                GM_ADDR dgamma, GM_ADDR workspace, const TextGatedResidualGradTilingData* tiling)
{
    TPipe pipe;
    TBuf<QuePosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 8192);
    Duplicate(buffer.Get<float>(), 0.0f, 8192 / sizeof(float));
    WaitFor<HardEvent::V_MTE3>();
    FillZeros<T>(buffer, dwDown, tiling->sizeC * tiling->sizeH * tiling->sizeR);
    FillZeros<T>(buffer, dwUp, tiling->sizeC * tiling->sizeH * tiling->sizeR);
    if constexpr (HAS_INJECT) {
        FillZeros<T>(buffer, dwGate, tiling->sizeC * tiling->sizeC * tiling->sizeH);
    }
    if constexpr (HAS_GAMMA) {
        FillZeros<float>(buffer, dgamma, tiling->sizeC * tiling->sizeH);
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void Run(GM_ADDR gradMixed, GM_ADDR x, GM_ADDR wDown, GM_ADDR wUp, GM_ADDR invRms, GM_ADDR downPreAct,
                           GM_ADDR up, GM_ADDR gradInject, GM_ADDR wGate, GM_ADDR gamma, GM_ADDR inject, GM_ADDR dx,
                           GM_ADDR dwDown, GM_ADDR dwUp, GM_ADDR dwGate, GM_ADDR dgamma, GM_ADDR workspace,
                           const TextGatedResidualGradTilingData* tiling)
{
    if (tiling->totalRows == 0) {
        if ASCEND_IS_AIV {
            ZeroSums<T, HAS_INJECT, HAS_GAMMA>(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate,
                                               gamma, inject, dx, dwDown, dwUp, dwGate, dgamma, workspace, tiling);
        }
        return;
    }
    // Bytes of a row.
    const int64_t gradMixedRow = tiling->sizeH * sizeof(T);
    const int64_t xRow = tiling->sizeC * tiling->sizeH * sizeof(T);
    const int64_t invRmsRow = tiling->sizeC * sizeof(float);
    const int64_t downPreActRow = tiling->sizeR * sizeof(T);
    const int64_t upRow = tiling->sizeC * tiling->sizeH * sizeof(T);
    const int64_t gradInjectRow = tiling->sizeC * sizeof(T);
    const int64_t injectRow = tiling->sizeC * sizeof(T);
    const int64_t dxRow = tiling->sizeC * tiling->sizeH * sizeof(T);
    const int64_t gradUpRow = tiling->sizeC * tiling->sizeH * sizeof(T);
    const int64_t gradDownPreActRow = tiling->sizeR * sizeof(T);
    const int64_t factorOfWGateRow = tiling->sizeC * sizeof(T);
    const int64_t xNormRow = tiling->sizeC * tiling->sizeH * sizeof(T);
    const int64_t actRow = tiling->sizeR * sizeof(T);
    const int64_t gradActRow = tiling->sizeR * sizeof(float);
    const int64_t gradDownPreActByWDownRow = tiling->sizeC * tiling->sizeH * sizeof(float);
    const int64_t factorOfWGateByWGateRow = tiling->sizeC * tiling->sizeH * sizeof(float);
    const int64_t blocks = (tiling->totalRows + tiling->blockRows - 1) / tiling->blockRows;
    for (int64_t step = 0; step < blocks + 4; ++step) {
        if ASCEND_IS_AIV {
            const Block block = BlockAt(step, tiling);
            if (block.rows > 0) {
                {
                    TPipe pipe;
                    TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(gradMixed, block, gradMixedRow), RowsOf(x, block, xRow), RowsOf(invRms, block,
                               invRmsRow), RowsOf(up, block, upRow), gamma, RowsOf(workspace + tiling->gradUpOffset,
                               block, gradUpRow), RowsOf(workspace + tiling->xNormOffset, block, xNormRow), workspace,
                               tiling, &pipe, block.rows, block.index);
                    stage.Process();
                }
                if constexpr (HAS_INJECT) {
                    {
                        TPipe pipe;
                        TextGatedResidualGradVector2<T, HAS_INJECT, HAS_GAMMA> stage;
                        stage.Init(RowsOf(gradInject, block, gradInjectRow), RowsOf(inject, block, injectRow),
                                   RowsOf(workspace + tiling->factorOfWGateOffset, block, factorOfWGateRow), workspace,
                                   tiling, &pipe, block.rows, block.index);
                        stage.Process();
                    }
                }
                {
                    TPipe pipe;
                    TextGatedResidualGradVector3<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(downPreAct, block, downPreActRow), RowsOf(workspace + tiling->actOffset, block,
                               actRow), workspace, tiling, &pipe, block.rows, block.index);
                    stage.Process();
                }
            }
        }
        if ASCEND_IS_AIC {
            const Block block = BlockAt(step - 1, tiling);
            if (block.rows > 0) {
                TPipe pipe;
                CubeProducts<T> cube;
                cube.Init(&pipe);
                int64_t turn = 0;
                // gradAct = gradUp @ wUp
                cube.template Multiply<false, false>(Gm<float>(SlotOf(workspace + tiling->gradActOffset, block, 2,
                                                     tiling->blockRows * gradActRow), tiling->sizeR),
                                                     Gm<T>(RowsOf(workspace + tiling->gradUpOffset, block, gradUpRow),
                                                     tiling->sizeC * tiling->sizeH), Gm<T>(wUp, tiling->sizeR),
                                                     block.rows, tiling->sizeR, tiling->sizeC * tiling->sizeH, turn);
                if constexpr (HAS_INJECT) {
                    // factorOfWGateByWGate = factorOfWGate @ wGate
                    cube.template Multiply<false,
                                                         false>(Gm<float>(SlotOf(workspace + tiling->factorOfWGateByWGateOffset,
                                                         block, 4, tiling->blockRows * factorOfWGateByWGateRow),
                                                         tiling->sizeC * tiling->sizeH),
                                                         Gm<T>(RowsOf(workspace + tiling->factorOfWGateOffset, block,
                                                         factorOfWGateRow), tiling->sizeC), Gm<T>(wGate,
                                                         tiling->sizeC * tiling->sizeH), block.rows,
                                                         tiling->sizeC * tiling->sizeH, tiling->sizeC, turn);
                }
            }
        }
        if ASCEND_IS_AIV {
            const Block block = BlockAt(step - 2, tiling);
            if (block.rows > 0) {
                {
                    TPipe pipe;
                    TextGatedResidualGradVector4<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(downPreAct, block, downPreActRow),
                               RowsOf(workspace + tiling->gradDownPreActOffset, block, gradDownPreActRow),
                               SlotOf(workspace + tiling->gradActOffset, block, 2, tiling->blockRows * gradActRow),
                               workspace, tiling, &pipe, block.rows, block.index);
                    stage.Process();
                }
            }
        }
        if ASCEND_IS_AIC {
            const Block block = BlockAt(step - 3, tiling);
            if (block.rows > 0) {
                TPipe pipe;
                CubeProducts<T> cube;
                cube.Init(&pipe);
                int64_t turn = 0;
                // gradDownPreActByWDown = gradDownPreAct @ wDown
                cube.template Multiply<false, false>(Gm<float>(SlotOf(workspace + tiling->gradDownPreActByWDownOffset,
                                                     block, 2, tiling->blockRows * gradDownPreActByWDownRow),
                                                     tiling->sizeC * tiling->sizeH),
                                                     Gm<T>(RowsOf(workspace + tiling->gradDownPreActOffset, block,
                                                     gradDownPreActRow), tiling->sizeR), Gm<T>(wDown,
                                                     tiling->sizeC * tiling->sizeH), block.rows,
                                                     tiling->sizeC * tiling->sizeH, tiling->sizeR, turn);
            }
        }
        if ASCEND_IS_AIV {
            const Block block = BlockAt(step - 4, tiling);
            if (block.rows > 0) {
                {
                    TPipe pipe;
                    TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(gradMixed, block, gradMixedRow), RowsOf(x, block, xRow), RowsOf(invRms, block,
                               invRmsRow), RowsOf(up, block, upRow), gamma, RowsOf(dx, block, dxRow), dgamma,
                               SlotOf(workspace + tiling->gradDownPreActByWDownOffset, block, 2,
                               tiling->blockRows * gradDownPreActByWDownRow),
                               SlotOf(workspace + tiling->factorOfWGateByWGateOffset, block, 4,
                               tiling->blockRows * factorOfWGateByWGateRow), workspace + tiling->vector5PartialOffset,
                               tiling, &pipe, block.rows, block.index);
                    stage.Process();
                }
            }
        }
        SyncAll<false>();
    }
    if ASCEND_IS_AIC {
        TPipe pipe;
        CubeProducts<T> cube;
        cube.Init(&pipe);
        int64_t turn = 0;
        // dwUp = gradUp^T @ act
        cube.template Multiply<true, false>(Gm<T>(dwUp, tiling->sizeR), Gm<T>(workspace + tiling->gradUpOffset,
                                            tiling->sizeC * tiling->sizeH), Gm<T>(workspace + tiling->actOffset,
                                            tiling->sizeR), tiling->sizeC * tiling->sizeH, tiling->sizeR,
                                            tiling->totalRows, turn);
        if constexpr (HAS_INJECT) {
            // dwGate = factorOfWGate^T @ xNorm
            cube.template Multiply<true, false>(Gm<T>(dwGate, tiling->sizeC * tiling->sizeH),
                                                Gm<T>(workspace + tiling->factorOfWGateOffset, tiling->sizeC),
                                                Gm<T>(workspace + tiling->xNormOffset, tiling->sizeC * tiling->sizeH),
                                                tiling->sizeC, tiling->sizeC * tiling->sizeH, tiling->totalRows, turn);
        }
        // dwDown = gradDownPreAct^T @ xNorm
        cube.template Multiply<true, false>(Gm<T>(dwDown, tiling->sizeC * tiling->sizeH),
                                            Gm<T>(workspace + tiling->gradDownPreActOffset, tiling->sizeR),
                                            Gm<T>(workspace + tiling->xNormOffset, tiling->sizeC * tiling->sizeH),
                                            tiling->sizeR, tiling->sizeC * tiling->sizeH, tiling->totalRows, turn);
    }
    if ASCEND_IS_AIV {
        const Block block{0, 0, 0};
        {
            TPipe pipe;
            TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA> stage;
            stage.Init(RowsOf(gradMixed, block, gradMixedRow), RowsOf(x, block, xRow), RowsOf(invRms, block, invRmsRow),
                       RowsOf(up, block, upRow), gamma, RowsOf(dx, block, dxRow), dgamma,
                       SlotOf(workspace + tiling->gradDownPreActByWDownOffset, block, 2,
                       tiling->blockRows * gradDownPreActByWDownRow),
                       SlotOf(workspace + tiling->factorOfWGateByWGateOffset, block, 4,
                       tiling->blockRows * factorOfWGateByWGateRow), workspace + tiling->vector5PartialOffset, tiling,
                       &pipe, 0, 0);
            stage.FinishColumns();
        }
    }
}

extern "C" __global__ __aicore__ void text_gated_residual_grad(GM_ADDR gradMixed, GM_ADDR x, GM_ADDR wDown, GM_ADDR wUp,
    GM_ADDR invRms, GM_ADDR downPreAct, GM_ADDR up, GM_ADDR gradInject, GM_ADDR wGate, GM_ADDR gamma, GM_ADDR inject,
    GM_ADDR dx, GM_ADDR dwDown, GM_ADDR dwUp, GM_ADDR dwGate, GM_ADDR dgamma, GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(TextGatedResidualGradTilingData);
    GET_TILING_DATA_WITH_STRUCT(TextGatedResidualGradTilingData, tilingData, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GM_ADDR user = GetUserWorkspace(workspace);
    if (TILING_KEY_IS(0)) { // no option
        Run<DTYPE_GRAD_MIXED, false, false>(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma,
                                            inject, dx, dwDown, dwUp, dwGate, dgamma, user, &tilingData);
    } else if (TILING_KEY_IS(1)) { // inject
        Run<DTYPE_GRAD_MIXED, true, false>(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma,
                                           inject, dx, dwDown, dwUp, dwGate, dgamma, user, &tilingData);
    } else if (TILING_KEY_IS(2)) { // gamma
        Run<DTYPE_GRAD_MIXED, false, true>(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma,
                                           inject, dx, dwDown, dwUp, dwGate, dgamma, user, &tilingData);
    } else if (TILING_KEY_IS(3)) { // inject, gamma
        Run<DTYPE_GRAD_MIXED, true, true>(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma,
                                          inject, dx, dwDown, dwUp, dwGate, dgamma, user, &tilingData);
    }
}
