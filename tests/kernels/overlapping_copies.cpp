// y = x, with a row of ones over the last eight elements: two copies to one place, in the order of a barrier.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 128;

extern "C" __global__ __aicore__ void overlay(GM_ADDR x, GM_ADDR ones, GM_ADDR y)
{
    GlobalTensor<float> xGm, onesGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * COUNT, COUNT);
    onesGm.SetGlobalBuffer((__gm__ float*)ones, 16);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * COUNT, COUNT);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(queue, 1, COUNT * sizeof(float));
    pipe.InitBuffer(buffer, 8 * sizeof(float));
    const LocalTensor<float> eight = buffer.Get<float>();
    LocalTensor<float> tile = queue.AllocTensor<float>();
    DataCopy(tile, xGm, COUNT);
    PipeBarrier<PIPE_MTE2>();  // twin 1 {hazard}
    DataCopy(tile[COUNT - 16], onesGm, 16);
    queue.EnQue(tile);
    tile = queue.DeQue<float>();
    Duplicate(eight, 1.0f, 8);
    const TEventID filled = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);
    SetFlag<HardEvent::V_MTE3>(filled);
    WaitFlag<HardEvent::V_MTE3>(filled);
    DataCopy(yGm, tile, COUNT);
    PipeBarrier<PIPE_MTE3>();  // twin 2 {hazard}
    DataCopy(yGm[COUNT - 8], eight, 8);
    queue.FreeTensor(tile);
}
