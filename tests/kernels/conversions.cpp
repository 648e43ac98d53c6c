// bfloat16 rows through float: y = exp(x) in bfloat16, the nearest int8 of 16 x, the int64 below it by way of int32, and x as half.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 128;

extern "C" __global__ __aicore__ void convert(GM_ADDR x, GM_ADDR y, GM_ADDR small, GM_ADDR wide, GM_ADDR halves)
{
    const int64_t offset = GetBlockIdx() * COUNT;
    GlobalTensor<bfloat16_t> xGm, yGm;
    GlobalTensor<int8_t> smallGm;
    GlobalTensor<int64_t> wideGm;
    GlobalTensor<half> halvesGm;
    xGm.SetGlobalBuffer((__gm__ bfloat16_t*)x + offset, COUNT);
    yGm.SetGlobalBuffer((__gm__ bfloat16_t*)y + offset, COUNT);
    smallGm.SetGlobalBuffer((__gm__ int8_t*)small + offset, COUNT);
    wideGm.SetGlobalBuffer((__gm__ int64_t*)wide + offset, COUNT);
    halvesGm.SetGlobalBuffer((__gm__ half*)halves + offset, COUNT);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue, smallQueue, wideQueue, halvesQueue;
    TBuf<TPosition::VECCALC> floatBuffer, scaledBuffer, numberBuffer, shortBuffer;
    pipe.InitBuffer(inQueue, 1, COUNT * sizeof(bfloat16_t));
    pipe.InitBuffer(outQueue, 1, COUNT * sizeof(bfloat16_t));
    pipe.InitBuffer(smallQueue, 1, COUNT);
    pipe.InitBuffer(wideQueue, 1, COUNT * sizeof(int64_t));
    pipe.InitBuffer(halvesQueue, 1, COUNT * sizeof(half));
    pipe.InitBuffer(floatBuffer, COUNT * sizeof(float));
    pipe.InitBuffer(scaledBuffer, COUNT * sizeof(float));
    pipe.InitBuffer(numberBuffer, COUNT * sizeof(int32_t));
    pipe.InitBuffer(shortBuffer, COUNT * sizeof(half));
    LocalTensor<bfloat16_t> in = inQueue.AllocTensor<bfloat16_t>();
    DataCopy(in, xGm, COUNT);
    inQueue.EnQue(in);
    in = inQueue.DeQue<bfloat16_t>();
    LocalTensor<float> value = floatBuffer.Get<float>(), scaled = scaledBuffer.Get<float>();
    LocalTensor<int32_t> number = numberBuffer.Get<int32_t>();
    LocalTensor<half> narrow = shortBuffer.Get<half>();
    Cast(value, in, RoundMode::CAST_NONE, COUNT);  // twin 1 "    Cast(value, in, RoundMode::CAST_RINT, COUNT);" {api: Cast}
    PipeBarrier<PIPE_V>();
    inQueue.FreeTensor(in);

    LocalTensor<half> asHalf = halvesQueue.AllocTensor<half>();
    Cast<half, float>(asHalf, value, RoundMode::CAST_RINT, 64, 2, {1, 1, 4, 8});  // twin 2 "    Cast<half, float>(asHalf, value, RoundMode::CAST_RINT, 64, 2, {1, 1, 8, 8});" {bounds}
    halvesQueue.EnQue(asHalf);

    Muls(scaled, value, 16.0f, COUNT);
    PipeBarrier<PIPE_V>();
    Cast(number, scaled, RoundMode::CAST_FLOOR, COUNT);
    Cast(narrow, scaled, RoundMode::CAST_NONE, COUNT);
    PipeBarrier<PIPE_V>();  // twin 3 {hazard} 2201
    LocalTensor<int64_t> wideNumber = wideQueue.AllocTensor<int64_t>();
    Cast(wideNumber, number, RoundMode::CAST_NONE, COUNT);
    wideQueue.EnQue(wideNumber);
    LocalTensor<int8_t> smallNumber = smallQueue.AllocTensor<int8_t>();
    Cast(smallNumber, narrow, RoundMode::CAST_RINT, COUNT);  // twin 4 "    Cast(smallNumber, scaled, RoundMode::CAST_RINT, COUNT);" {api: Cast does not go}
    smallQueue.EnQue(smallNumber);

    Exp(value, value, COUNT);
    PipeBarrier<PIPE_V>();
    LocalTensor<bfloat16_t> out = outQueue.AllocTensor<bfloat16_t>();
    Cast(out, value, RoundMode::CAST_RINT, COUNT);
    outQueue.EnQue(out);

    asHalf = halvesQueue.DeQue<half>();
    DataCopy(halvesGm, asHalf, COUNT);
    halvesQueue.FreeTensor(asHalf);
    wideNumber = wideQueue.DeQue<int64_t>();
    DataCopy(wideGm, wideNumber, COUNT);
    wideQueue.FreeTensor(wideNumber);
    smallNumber = smallQueue.DeQue<int8_t>();
    DataCopy(smallGm, smallNumber, COUNT);
    smallQueue.FreeTensor(smallNumber);
    out = outQueue.DeQue<bfloat16_t>();
    DataCopy(yGm, out, COUNT);  // twin 5 "    DataCopy(yGm, out, COUNT + 16);" {bounds}
    outQueue.FreeTensor(out);
}
