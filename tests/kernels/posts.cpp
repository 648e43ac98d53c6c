// Cores pass a running sum on: each adds its row to what the core before it stored, and tells the next one with IBSet.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 64;

extern "C" __global__ __aicore__ void running_sum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    const int32_t core = GetBlockIdx(), last = GetBlockNum() - 1;
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> postGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    postGm.SetGlobalBuffer((__gm__ int32_t*)workspace);  // zeros
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> workBuffer;
    pipe.InitBuffer(inQueue, 2, COUNT * sizeof(float));
    pipe.InitBuffer(outQueue, 1, COUNT * sizeof(float));
    pipe.InitBuffer(workBuffer, 32);
    LocalTensor<int32_t> work = workBuffer.Get<int32_t>();

    LocalTensor<float> row = inQueue.AllocTensor<float>();
    DataCopy(row, xGm[core * COUNT], COUNT);
    inQueue.EnQue(row);
    row = inQueue.DeQue<float>();
    LocalTensor<float> sum = outQueue.AllocTensor<float>();
    if (core > 0) {
        IBWait(postGm, work, core - 1, 0);  // twin 1 {hazard|poison}
        LocalTensor<float> before = inQueue.AllocTensor<float>();
        DataCopy(before, yGm[(core - 1) * COUNT], COUNT);
        inQueue.EnQue(before);
        before = inQueue.DeQue<float>();
        Add(sum, row, before, COUNT);
        inQueue.FreeTensor(before);
    } else {
        Adds(sum, row, 0.0f, COUNT);
    }
    inQueue.FreeTensor(row);
    outQueue.EnQue(sum);
    sum = outQueue.DeQue<float>();
    DataCopy(yGm[core * COUNT], sum, COUNT);
    outQueue.FreeTensor(sum);
    if (core < last) {
        IBSet(postGm, work, core, 0);  // twin 2 "        IBSet(postGm, work, core, 1);" {deadlock: IBWait.*which nobody sets}
    }
    if (core == last) {  // twin 3 "    if (core == last && last > 100) {" {sync: IBSet: no core waits}
        IBWait(postGm, work, 0, 1);
    }
    if (core == 0) {
        IBSet(postGm, work, 0, 1);
    }
}
