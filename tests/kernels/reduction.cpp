// y = sum of x over all elements: each core leaves its sum in the workspace, and the first one adds them up.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 512;
constexpr int32_t LANES = 64;

__aicore__ inline void AddUp(const LocalTensor<float>& values, int32_t count)
{
    for (int32_t at = LANES; at < count; at += LANES) {
        Add(values, values, values[at], LANES);
    }
    WholeReduceSum(values, values, LANES, 1, 1, 1, LANES / 8);
}

extern "C" __global__ __mix__(0, 1) void total(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    const int32_t cores = GetBlockNum();
    GlobalTensor<float> xGm, yGm, sumsGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * COUNT, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y, 1);
    sumsGm.SetGlobalBuffer((__gm__ float*)workspace, cores * 8);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, COUNT * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 32);
    LocalTensor<float> values = inQueue.AllocTensor<float>();
    DataCopy(values, xGm, COUNT);
    inQueue.EnQue(values);
    values = inQueue.DeQue<float>();
    LocalTensor<float> sum = outQueue.AllocTensor<float>();
    AddUp(values, COUNT);
    Duplicate(sum, 0.0f, 8);
    Add(sum, sum, values, 1);
    outQueue.EnQue(sum);
    sum = outQueue.DeQue<float>();
    DataCopy(sumsGm[GetBlockIdx() * 8], sum, 8);
    outQueue.FreeTensor(sum);
    inQueue.FreeTensor(values);  // twin 3 "inQueue.FreeTensor(values); if (GetBlockIdx() == 3) { return; }" {SyncAll|sync}
    SyncAll();                   // twin 1 {hazard|poison}
    if (GetBlockIdx() == 0) {
        values = inQueue.AllocTensor<float>();
        Duplicate(values, 0.0f, LANES);
        const TEventID filled = GetTPipePtr()->FetchEventID(HardEvent::V_MTE2);
        SetFlag<HardEvent::V_MTE2>(filled);   // twin 2 {hazard}
        WaitFlag<HardEvent::V_MTE2>(filled);  // twin 2
        DataCopy(values, sumsGm, cores * 8);
        inQueue.EnQue(values);
        values = inQueue.DeQue<float>();
        sum = outQueue.AllocTensor<float>();
        WholeReduceSum(sum, values, LANES, 1, 1, 1, LANES / 8);
        outQueue.EnQue(sum);
        sum = outQueue.DeQue<float>();
        DataCopyPad(yGm, sum, DataCopyExtParams{1, sizeof(float), 0, 0, 0});
        outQueue.FreeTensor(sum);
        inQueue.FreeTensor(values);
    }
}
