// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad.cpp
 * \brief Entry of TextGatedResidualGrad on Atlas A2, Atlas A3.
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
    const int64_t H = tiling->sizeH;
    const int64_t C = tiling->sizeC;
    const int64_t R = tiling->sizeR;
    TPipe pipe;
    TBuf<QuePosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 8192);
    Duplicate(buffer.Get<float>(), 0.0f, 8192 / sizeof(float));
    WaitFor<HardEvent::V_MTE3>();
    FillZeros<T>(buffer, dwDown, C * H * R);
    FillZeros<T>(buffer, dwUp, C * H * R);
    if constexpr (HAS_INJECT) {
        FillZeros<T>(buffer, dwGate, C * C * H);
    }
    if constexpr (HAS_GAMMA) {
        FillZeros<float>(buffer, dgamma, C * H);
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
    const int64_t H = tiling->sizeH;
    const int64_t C = tiling->sizeC;
    const int64_t R = tiling->sizeR;
    // Bytes of a row.
    const int64_t gradMixedRow = H * sizeof(T);
    const int64_t xRow = C * H * sizeof(T);
    const int64_t invRmsRow = C * sizeof(float);
    const int64_t downPreActRow = R * sizeof(T);
    const int64_t upRow = C * H * sizeof(T);
    const int64_t gradInjectRow = C * sizeof(T);
    const int64_t injectRow = C * sizeof(T);
    const int64_t dxRow = C * H * sizeof(T);
    const int64_t gradUpRow = C * H * sizeof(T);
    const int64_t gradDownPreActRow = R * sizeof(T);
    const int64_t factorOfWGateRow = C * sizeof(T);
    const int64_t xNormRow = C * H * sizeof(T);
    const int64_t actRow = R * sizeof(T);
    const int64_t gradActRow = R * sizeof(float);
    const int64_t gradDownPreActByWDownRow = C * H * sizeof(float);
    const int64_t factorOfWGateByWGateRow = C * H * sizeof(float);
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
                {
                    const auto result = Gm<float>(SlotOf(workspace + tiling->gradActOffset, block, 2,
                                                  tiling->blockRows * gradActRow), R);
                    const auto left = Gm<T>(RowsOf(workspace + tiling->gradUpOffset, block, gradUpRow), C * H);
                    const auto right = Gm<T>(wUp, R);
                    cube.template Multiply<false, false>(result, left, right, block.rows, R, C * H, turn);
                }
                // factorOfWGateByWGate = factorOfWGate @ wGate
                if constexpr (HAS_INJECT) {
                    const auto result = Gm<float>(SlotOf(workspace + tiling->factorOfWGateByWGateOffset, block, 4,
                                                  tiling->blockRows * factorOfWGateByWGateRow), C * H);
                    const auto left = Gm<T>(RowsOf(workspace + tiling->factorOfWGateOffset, block, factorOfWGateRow),
                                            C);
                    const auto right = Gm<T>(wGate, C * H);
                    cube.template Multiply<false, false>(result, left, right, block.rows, C * H, C, turn);
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
                {
                    const auto result = Gm<float>(SlotOf(workspace + tiling->gradDownPreActByWDownOffset, block, 2,
                                                  tiling->blockRows * gradDownPreActByWDownRow), C * H);
                    const auto left = Gm<T>(RowsOf(workspace + tiling->gradDownPreActOffset, block, gradDownPreActRow),
                                            R);
                    const auto right = Gm<T>(wDown, C * H);
                    cube.template Multiply<false, false>(result, left, right, block.rows, C * H, R, turn);
                }
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
        {
            const auto result = Gm<T>(dwUp, R);
            const auto left = Gm<T>(workspace + tiling->gradUpOffset, C * H);
            const auto right = Gm<T>(workspace + tiling->actOffset, R);
            cube.template Multiply<true, false>(result, left, right, C * H, R, tiling->totalRows, turn);
        }
        // dwGate = factorOfWGate^T @ xNorm
        if constexpr (HAS_INJECT) {
            const auto result = Gm<T>(dwGate, C * H);
            const auto left = Gm<T>(workspace + tiling->factorOfWGateOffset, C);
            const auto right = Gm<T>(workspace + tiling->xNormOffset, C * H);
            cube.template Multiply<true, false>(result, left, right, C, C * H, tiling->totalRows, turn);
        }
        // dwDown = gradDownPreAct^T @ xNorm
        {
            const auto result = Gm<T>(dwDown, C * H);
            const auto left = Gm<T>(workspace + tiling->gradDownPreActOffset, R);
            const auto right = Gm<T>(workspace + tiling->xNormOffset, C * H);
            cube.template Multiply<true, false>(result, left, right, R, C * H, tiling->totalRows, turn);
        }
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
