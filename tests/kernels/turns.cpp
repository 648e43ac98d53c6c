// Every core adds its rows to one row of y, in the order of the cores, so that the sum has the same bits on every run.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 64, ROWS = 2;

extern "C" __global__ __aicore__ void ordered_sum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    const int32_t cores = GetBlockNum();
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> turnGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * ROWS * COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    turnGm.SetGlobalBuffer((__gm__ int32_t*)workspace);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    TBuf<TPosition::VECCALC> workBuffer;
    pipe.InitBuffer(rows, 1, COUNT * sizeof(float));
    pipe.InitBuffer(workBuffer, cores * 32 + 32);  // twin 1 "    pipe.InitBuffer(workBuffer, cores * 32);" {bounds: InitDetermine.*ubWorkspace}
    LocalTensor<int32_t> work = workBuffer.Get<int32_t>();
    InitDetermineComputeWorkspace(turnGm, work);  // twin 2 {deadlock: WaitPreBlock}
    for (int32_t i = 0; i < ROWS; ++i) {
        LocalTensor<float> row = rows.AllocTensor<float>();
        DataCopy(row, xGm[i * COUNT], COUNT);
        rows.EnQue(row);
        row = rows.DeQue<float>();
        WaitPreBlock(turnGm, work);  // twin 3 {sync: NotifyNextBlock}
        SetAtomicAdd<float>();
        DataCopy(yGm, row, COUNT);
        SetAtomicNone();
        NotifyNextBlock(turnGm, work);  // twin 4 {deadlock: WaitPreBlock}
        rows.FreeTensor(row);
    }
}
