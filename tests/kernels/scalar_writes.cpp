// y = x + (0, 1, 2, ...): the scalar unit writes a ramp that vectors read, then counts of steps that a copy stores.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 64;

extern "C" __global__ __aicore__ void ramp(GM_ADDR x, GM_ADDR y, GM_ADDR steps)
{
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> stepsGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * COUNT, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * COUNT, COUNT);
    stepsGm.SetGlobalBuffer((__gm__ int32_t*)steps + GetBlockIdx() * 8, 8);
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuffer, rampBuffer, stepsBuffer;
    pipe.InitBuffer(xBuffer, COUNT * sizeof(float));
    pipe.InitBuffer(rampBuffer, COUNT * sizeof(float));
    pipe.InitBuffer(stepsBuffer, 32);
    const LocalTensor<float> value = xBuffer.Get<float>();
    const LocalTensor<float> ramp = rampBuffer.Get<float>();
    const LocalTensor<int32_t> counts = stepsBuffer.Get<int32_t>();
    DataCopy(value, xGm, COUNT);
    for (int32_t i = 0; i < COUNT; ++i) {
        ramp.SetValue(i, static_cast<float>(i));
    }
    const TEventID written = GetTPipePtr()->FetchEventID(HardEvent::S_V);
    SetFlag<HardEvent::S_V>(written);   // twin 1 {hazard}
    WaitFlag<HardEvent::S_V>(written);  // twin 1
    const TEventID loaded = GetTPipePtr()->FetchEventID(HardEvent::MTE2_V);
    SetFlag<HardEvent::MTE2_V>(loaded);   // twin 2 {hazard}
    WaitFlag<HardEvent::MTE2_V>(loaded);  // twin 2
    Add(value, value, ramp, COUNT);
    const TEventID computed = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);
    SetFlag<HardEvent::V_MTE3>(computed);
    WaitFlag<HardEvent::V_MTE3>(computed);
    DataCopy(yGm, value, COUNT);
    for (int32_t i = 0; i < 8; ++i) {
        counts.SetValue(i, COUNT + i);
    }
    const TEventID counted = GetTPipePtr()->FetchEventID(HardEvent::S_MTE3);
    SetFlag<HardEvent::S_MTE3>(counted);   // twin 3 {hazard}
    WaitFlag<HardEvent::S_MTE3>(counted);  // twin 3
    DataCopy(stepsGm, counts, 8);
}
