// Each core doubles its part of x; the next one adds it to its own: cores that wait for one another through global memory.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 64;

extern "C" __global__ __aicore__ void neighbours(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    const int32_t cores = GetBlockNum();
    const int32_t core = GetBlockIdx();
    GlobalTensor<float> xGm, yGm, doubledGm;
    GlobalTensor<int32_t> syncGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + core * COUNT, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y + core * COUNT, COUNT);
    syncGm.SetGlobalBuffer((__gm__ int32_t*)workspace, cores * 8);  // zeros
    doubledGm.SetGlobalBuffer((__gm__ float*)workspace + cores * 8, cores * COUNT);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue, workQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, COUNT * sizeof(float));
    pipe.InitBuffer(outQueue, 1, COUNT * sizeof(float));
    pipe.InitBuffer(workQueue, 1, cores * 32);
    LocalTensor<float> in = inQueue.AllocTensor<float>();
    DataCopy(in, xGm, COUNT);
    inQueue.EnQue(in);
    in = inQueue.DeQue<float>();
    LocalTensor<float> out = outQueue.AllocTensor<float>();
    Muls(out, in, 2.0f, COUNT);
    outQueue.EnQue(out);
    inQueue.FreeTensor(in);
    out = outQueue.DeQue<float>();
    DataCopy(doubledGm[core * COUNT], out, COUNT);

    LocalTensor<int32_t> work = workQueue.AllocTensor<int32_t>();
    SyncAll(syncGm, work);  // twin 1 {hazard|poison}
    workQueue.FreeTensor(work);

    in = inQueue.AllocTensor<float>();
    DataCopy(in, doubledGm[(core + 1) % cores * COUNT], COUNT);
    inQueue.EnQue(in);           // twin 2 {hazard|queue}
    in = inQueue.DeQue<float>();  // twin 2
    const TEventID stored = GetTPipePtr()->FetchEventID(HardEvent::MTE3_V);
    SetFlag<HardEvent::MTE3_V>(stored);
    WaitFlag<HardEvent::MTE3_V>(stored);
    Add(out, out, in, COUNT);
    inQueue.FreeTensor(in);
    outQueue.EnQue(out);
    out = outQueue.DeQue<float>();
    DataCopy(yGm, out, COUNT);
    outQueue.FreeTensor(out);
}
