// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_apt.cpp
 * \brief Entry of TextGatedResidualGrad on Ascend 950PR/Ascend 950DT.
 *
 * Rows are cut into blocks. In step s, the work of level l is on block s - l, so that vector and cube cores are busy at
 * the same time; after each step all of them wait for one another. Products over all rows come last.
 *   0  vector  gradUp, xNorm
 *   0  vector  factorOfWGate   (HAS_INJECT)
 *   0  vector  act
 *   1  cube    gradAct = gradUp @ wUp
 *   2  vector  gradDownPreAct
 *   3  cube    gradXNorm = gradDownPreAct @ wDown + (HAS_INJECT ? factorOfWGate @ wGate : 0)
 *   4  vector  dx, dgamma
 *   -  cube    dwUp = gradUp^T @ act
 *   -  cube    dwDown = gradDownPreAct^T @ xNorm
 *   -  cube    dwGate = factorOfWGate^T @ xNorm   (HAS_INJECT)
 * Where gradUpL1Columns is above zero, gradUp goes
 * in strips of columns to the L1 of the group's cube core:
 * its level and the next one are then one step.
 * Where gradActUbTiles is above zero, gradAct goes
 * tile by tile to the unified buffers of the group's vector cores:
 * its level and the next one are then one step.
 */

#include "kernel_operator.h"
#include "arch35/text_gated_residual_grad_vector1.h"
#include "arch35/text_gated_residual_grad_vector2.h"
#include "arch35/text_gated_residual_grad_vector3.h"
#include "arch35/text_gated_residual_grad_vector4.h"
#include "arch35/text_gated_residual_grad_vector5.h"
#include "arch35/text_gated_residual_grad_cube.h"
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

constexpr int64_t RUN_BYTES = 8192; // of a run of zeros, or of results that are added up

// Sums over no rows are zeros.
template <typename U>
__aicore__ inline void FillZeros(TBuf<QuePosition::VECCALC>& buffer, GM_ADDR to, int64_t count)
{
    GlobalTensor<U> tensor;
    tensor.SetGlobalBuffer((__gm__ U*)to);
    const int64_t cores = GetBlockNum() * GetSubBlockNum();
    constexpr int64_t RUN = RUN_BYTES / sizeof(U);
    LocalTensor<U> zeros = buffer.Get<U>();
    for (int64_t at = GetBlockIdx() * RUN; at < count; at += cores * RUN) {
        StoreRun(tensor[at], zeros, static_cast<int32_t>(count - at < RUN ? count - at : RUN));
    }
}

// Parts of a product, `count` elements each, added in ascending order and rounded once.
template <typename U>
__aicore__ inline void AddParts(TPipe* pipe, GM_ADDR to, GM_ADDR from, int64_t count, int64_t parts)
{
    if (parts == 1) {
        return;
    }
    PipeBarrier<PIPE_ALL>();
    pipe->Reset();
    TQue<QuePosition::VECIN, 1> partQueue;
    TQue<QuePosition::VECOUT, 1> sumQueue;
    pipe->InitBuffer(partQueue, 4, RUN_BYTES);
    pipe->InitBuffer(sumQueue, 2, RUN_BYTES);
    GlobalTensor<U> result;
    GlobalTensor<float> partial;
    result.SetGlobalBuffer((__gm__ U*)to);
    partial.SetGlobalBuffer((__gm__ float*)from);
    const int64_t cores = GetBlockNum() * GetSubBlockNum();
    const int64_t share = RoundUpTo((count + cores - 1) / cores, static_cast<int64_t>(BLOCK_BYTES));
    constexpr int64_t MOST = RUN_BYTES / sizeof(float);
    const int64_t run = share < MOST ? share : MOST;
    for (int64_t at = GetBlockIdx() * run; at < count; at += cores * run) {
        const int32_t length = static_cast<int32_t>(count - at < run ? count - at : run);
        LocalTensor<float> sum = partQueue.AllocTensor<float>();
        LoadRun(sum, partial[at], length);
        partQueue.EnQue(sum);
        sum = partQueue.DeQue<float>();
        for (int64_t part = 1; part < parts; ++part) {
            LocalTensor<float> other = partQueue.AllocTensor<float>();
            LoadRun(other, partial[part * count + at], length);
            partQueue.EnQue(other);
            other = partQueue.DeQue<float>();
            Add(sum, sum, other, length);
            partQueue.FreeTensor(other);
        }
        LocalTensor<U> rounded = sumQueue.AllocTensor<U>();
        CopyFromFloat(rounded, sum, length);
        partQueue.FreeTensor(sum);
        sumQueue.EnQue(rounded);
        rounded = sumQueue.DeQue<U>();
        StoreRun(result[at], rounded, length);
        sumQueue.FreeTensor(rounded);
    }
}

template <typename T, bool HAS_INJECT, bool HAS_GAMMA>
__aicore__ inline void ZeroSums(GM_ADDR dwDown, GM_ADDR dwUp, GM_ADDR dwGate, GM_ADDR dgamma,
                                const TextGatedResidualGradTilingData* tiling)
{
    const int64_t H = tiling->sizeH;
    const int64_t C = tiling->sizeC;
    const int64_t R = tiling->sizeR;
    TPipe pipe;
    TBuf<QuePosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, RUN_BYTES);
    Duplicate(buffer.Get<float>(), 0.0f, RUN_BYTES / sizeof(float));
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
            ZeroSums<T, HAS_INJECT, HAS_GAMMA>(dwDown, dwUp, dwGate, dgamma, tiling);
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
    const int64_t gradXNormRow = C * H * sizeof(float);
    TPipe pipe;
    CubeProducts<T> cube(&pipe);
    const int64_t blocks = (tiling->totalRows + tiling->blockRows - 1) / tiling->blockRows;
    const int64_t gradUpHanded = tiling->gradUpL1Columns > 0 ? 1 : 0;
    const int64_t gradActHanded = tiling->gradActUbTiles > 0 ? 1 : 0;
    const int64_t steps = blocks + 4 - gradUpHanded - gradActHanded;
    for (int64_t step = 0; step < steps; ++step) {
        if ASCEND_IS_AIV {
            const Block block = BlockAt(step, tiling);
            if (block.rows > 0) {
                {
                    PipeBarrier<PIPE_ALL>(); // the memory of what ran before is free
                    pipe.Reset();
                    TextGatedResidualGradVector1<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(gradMixed, block, gradMixedRow), RowsOf(x, block, xRow),
                               RowsOf(invRms, block, invRmsRow), RowsOf(up, block, upRow), gamma,
                               RowsOf(workspace + tiling->gradUpOffset, block, gradUpRow),
                               RowsOf(workspace + tiling->xNormOffset, block, xNormRow), tiling, &pipe, block.rows);
                    stage.Process();
                }
                if constexpr (HAS_INJECT) {
                    PipeBarrier<PIPE_ALL>(); // the memory of what ran before is free
                    pipe.Reset();
                    TextGatedResidualGradVector2<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(gradInject, block, gradInjectRow), RowsOf(inject, block, injectRow),
                               RowsOf(workspace + tiling->factorOfWGateOffset, block, factorOfWGateRow), tiling, &pipe,
                               block.rows);
                    stage.Process();
                }
                {
                    PipeBarrier<PIPE_ALL>(); // the memory of what ran before is free
                    pipe.Reset();
                    TextGatedResidualGradVector3<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(downPreAct, block, downPreActRow),
                               RowsOf(workspace + tiling->actOffset, block, actRow), tiling, &pipe, block.rows);
                    stage.Process();
                }
            }
        }
        if ASCEND_IS_AIC {
            const Block block = BlockAt(step - 1 + gradUpHanded, tiling);
            if (block.rows > 0) {
                // gradAct = gradUp @ wUp
                cube.Start(CubeCut{tiling->gradActTileRows, tiling->gradActTileColumns, tiling->gradActPartK,
                                   tiling->gradActParts}, block.rows, R, tiling->gradActUbTiles,
                           tiling->gradUpL1Columns > 0);
                while (cube.Next()) {
                    if (tiling->gradUpL1Columns > 0) {
                        cube.template AccumulateStrip<false>(Gm<T>(wUp, R), C * H);
                    } else {
                        cube.template Accumulate<false, false>(Gm<T>(RowsOf(workspace + tiling->gradUpOffset, block,
                                                                            gradUpRow), C * H), Gm<T>(wUp, R), C * H);
                    }
                    if (tiling->gradActUbTiles > 0) {
                        cube.HandOver();
                    } else {
                        cube.Store(Gm<float>(SlotOf(workspace + tiling->gradActOffset, block, 2,
                                                    tiling->gradActParts * tiling->blockRows * gradActRow) +
                                             cube.Part() * tiling->blockRows * gradActRow, R));
                    }
                }
            }
        }
        if ASCEND_IS_AIV {
            const Block block = BlockAt(step - 2 + gradUpHanded + gradActHanded, tiling);
            if (block.rows > 0) {
                {
                    PipeBarrier<PIPE_ALL>(); // the memory of what ran before is free
                    pipe.Reset();
                    TextGatedResidualGradVector4<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(downPreAct, block, downPreActRow),
                               RowsOf(workspace + tiling->gradDownPreActOffset, block, gradDownPreActRow),
                               SlotOf(workspace + tiling->gradActOffset, block, 2,
                                      tiling->gradActParts * tiling->blockRows * gradActRow), tiling, &pipe,
                               block.rows);
                    stage.Process();
                }
            }
        }
        if ASCEND_IS_AIC {
            const Block block = BlockAt(step - 3 + gradUpHanded + gradActHanded, tiling);
            if (block.rows > 0) {
                // gradXNorm = gradDownPreAct @ wDown + (HAS_INJECT ? factorOfWGate @ wGate : 0)
                cube.Start(CubeCut{tiling->gradXNormTileRows, tiling->gradXNormTileColumns, tiling->gradXNormPartK,
                                   tiling->gradXNormParts}, block.rows, C * H);
                while (cube.Next()) {
                    cube.template Accumulate<false, false>(Gm<T>(RowsOf(workspace + tiling->gradDownPreActOffset, block,
                                                                        gradDownPreActRow), R), Gm<T>(wDown, C * H), R);
                    if constexpr (HAS_INJECT) {
                        cube.template Accumulate<false, false>(Gm<T>(RowsOf(workspace + tiling->factorOfWGateOffset,
                                                                            block, factorOfWGateRow), C),
                            Gm<T>(wGate, C * H), C);
                    }
                    cube.Store(Gm<float>(SlotOf(workspace + tiling->gradXNormOffset, block, 2,
                                                tiling->blockRows * gradXNormRow), C * H));
                }
            }
        }
        if ASCEND_IS_AIV {
            const Block block = BlockAt(step - 4 + gradUpHanded + gradActHanded, tiling);
            if (block.rows > 0) {
                {
                    PipeBarrier<PIPE_ALL>(); // the memory of what ran before is free
                    pipe.Reset();
                    TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA> stage;
                    stage.Init(RowsOf(gradMixed, block, gradMixedRow), RowsOf(x, block, xRow),
                               RowsOf(invRms, block, invRmsRow), RowsOf(up, block, upRow), gamma,
                               RowsOf(dx, block, dxRow), dgamma,
                               SlotOf(workspace + tiling->gradXNormOffset, block, 2, tiling->blockRows * gradXNormRow),
                               workspace + tiling->vector5PartialOffset, tiling, &pipe, block.rows, block.index);
                    stage.Process();
                }
            }
        }
        if (step + 1 < steps) { // what comes after the last step needs nothing of it
            SyncAll<false>();
        }
    }
    if ASCEND_IS_AIC {
        // dwUp = gradUp^T @ act
        cube.Start(CubeCut{tiling->dwUpTileRows, tiling->dwUpTileColumns, tiling->dwUpPartK, tiling->dwUpParts}, C * H,
                   R);
        while (cube.Next()) {
            cube.template Accumulate<true, false>(Gm<T>(workspace + tiling->gradUpOffset, C * H),
                                                  Gm<T>(workspace + tiling->actOffset, R), tiling->totalRows);
            if (tiling->dwUpParts == 1) {
                cube.Store(Gm<T>(dwUp, R));
            } else {
                cube.Store(Gm<float>(workspace + tiling->dwUpPartsOffset + (cube.Part() * C * H * R) * sizeof(float),
                                     R));
            }
        }
        // dwDown = gradDownPreAct^T @ xNorm
        // dwGate = factorOfWGate^T @ xNorm   (HAS_INJECT)
        {
            Stack<T, 2> stack;
            stack.Add(Gm<T>(workspace + tiling->gradDownPreActOffset, R), R);
            stack.Add(Gm<T>(workspace + tiling->factorOfWGateOffset, C), HAS_INJECT ? C : 0);
            cube.Start(CubeCut{tiling->dwDownTileRows, tiling->dwDownTileColumns, tiling->dwDownPartK,
                               tiling->dwDownParts}, stack.Size(), C * H);
            while (cube.Next()) {
                cube.template Accumulate<true, false>(stack, Gm<T>(workspace + tiling->xNormOffset, C * H),
                                                      tiling->totalRows);
                if (tiling->dwDownParts == 1) {
                    cube.Store(Gm<T>(dwDown, C * H), stack.RangeM(0));
                } else {
                    cube.Store(Gm<float>(workspace + tiling->dwDownPartsOffset +
                                         (cube.Part() * R * C * H) * sizeof(float), C * H), stack.RangeM(0));
                }
                if constexpr (HAS_INJECT) {
                    if (tiling->dwDownParts == 1) {
                        cube.Store(Gm<T>(dwGate, C * H), stack.RangeM(1));
                    } else {
                        cube.Store(Gm<float>(workspace + tiling->dwGatePartsOffset +
                                             (cube.Part() * C * C * H) * sizeof(float), C * H), stack.RangeM(1));
                    }
                }
            }
        }
    }
    if ASCEND_IS_AIV {
        if constexpr (HAS_GAMMA) {
            PipeBarrier<PIPE_ALL>(); // the memory of what ran before is free
            pipe.Reset();
            TextGatedResidualGradVector5<T, HAS_INJECT, HAS_GAMMA> stage;
            stage.InitSums(dgamma, workspace + tiling->vector5PartialOffset, tiling, &pipe);
            stage.FinishColumns();
        }
    }
    // Products that idle cores helped to sum, part by part.
    if (tiling->dwUpParts > 1 || tiling->dwDownParts > 1) {
        SyncAll<false>();
        if ASCEND_IS_AIV {
            AddParts<T>(&pipe, dwUp, workspace + tiling->dwUpPartsOffset, C * H * R, tiling->dwUpParts);
            AddParts<T>(&pipe, dwDown, workspace + tiling->dwDownPartsOffset, C * H * R, tiling->dwDownParts);
            if constexpr (HAS_INJECT) {
                AddParts<T>(&pipe, dwGate, workspace + tiling->dwGatePartsOffset, C * C * H, tiling->dwDownParts);
            }
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
