// y = x + (0, 1, 2, ...) in the names of older kernels: flags and barriers as the device compiler has them.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 128;

extern "C" __global__ __aicore__ void add_ramp(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + block_idx * COUNT, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y + block_idx * COUNT, COUNT);
    TPipe pipe;
    TBuf<QuePosition::VECCALC> valueBuffer, rampBuffer;
    pipe.InitBuffer(valueBuffer, COUNT * sizeof(float));
    pipe.InitBuffer(rampBuffer, COUNT * sizeof(float));
    LocalTensor<float> value = valueBuffer.Get<float>(), ramp = rampBuffer.Get<float>();
    DataCopy(value, xGm, COUNT);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);   // twin 1 {hazard}
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);  // twin 1
    CreateVecIndex(ramp, 0.0f, static_cast<uint64_t>(64), COUNT / 64, 1, 8);  // twin 2 "    CreateVecIndex(ramp, 0.0f, static_cast<uint64_t>(64), COUNT / 64 + 1, 1, 8);" {bounds}
    pipe_barrier(PIPE_V);  // twin 3 {hazard} 2201
    Add(value, value, ramp, COUNT);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);  // twin 4 "    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID2);" {event}
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    DataCopy(yGm, value, COUNT);
}
