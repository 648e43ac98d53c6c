// y = x where |x| <= limit, else the mean of its row of 72: masks of bits and counts, compare and select in their forms.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t ROW = 72, PAD = 128;  // a row takes two repeats of 64, the second for 8 elements

extern "C" __global__ __aicore__ void clip_to_mean(GM_ADDR x, GM_ADDR y, GM_ADDR bits, float limit)
{
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<uint8_t> bitsGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * ROW, ROW);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * ROW, ROW);
    bitsGm.SetGlobalBuffer((__gm__ uint8_t*)bits + GetBlockIdx() * (ROW / 8), ROW / 8);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> inQueue;
    TQue<QuePosition::VECOUT, 1> outQueue, bitsQueue;
    TBuf<> magnitudeBuffer, sumBuffer;
    pipe.InitBuffer(inQueue, 1, PAD * sizeof(float));
    pipe.InitBuffer(outQueue, 1, PAD * sizeof(float));
    pipe.InitBuffer(bitsQueue, 1, 32);
    pipe.InitBuffer(magnitudeBuffer, PAD * sizeof(float));
    pipe.InitBuffer(sumBuffer, PAD * sizeof(float));
    LocalTensor<float> in = inQueue.AllocTensor<float>();
    DataCopy(in, xGm, ROW);
    inQueue.EnQue(in);
    in = inQueue.DeQue<float>();
    LocalTensor<float> out = outQueue.AllocTensor<float>();
    LocalTensor<uint8_t> inside = bitsQueue.AllocTensor<uint8_t>();
    LocalTensor<float> magnitude = magnitudeBuffer.Get<float>();
    LocalTensor<float> sum = sumBuffer.Get<float>();

    // 8 elements of the second repeat belong to the row; what is behind them is computed with, and stored by nobody.
    Abs(magnitude, in, 64, 2, {1, 1, 8, 8});
    // The sum of the row in counter mode: 72 elements, then as many sums as repeats.
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, ROW);  // twin 1 "    SetVectorMask<float, MaskMode::COUNTER>(0, ROW + 64);" {bounds}
    WholeReduceSum<float, false>(sum, in, MASK_PLACEHOLDER, 1, 1, 1, 8);
    SetMaskNorm();  // twin 2 {state: SetMaskCount|bounds|poison}
    ResetMask();
    PipeBarrier<PIPE_V>();
    WholeReduceSum<float>(sum, sum, 2, 1, 1, 1, 8);
    PipeBarrier<PIPE_V>();
    CompareScalar(inside, magnitude, limit, CMPMODE::LE, PAD);  // twin 3 "    CompareScalar(inside, magnitude, limit, CMPMODE::LE, ROW);" {CompareScalar}
    const TEventID summed = GetTPipePtr()->FetchEventID(HardEvent::V_S);
    SetFlag<HardEvent::V_S>(summed);
    WaitFlag<HardEvent::V_S>(summed);
    const float mean = sum.GetValue(0) / ROW;
    const TEventID read = GetTPipePtr()->FetchEventID(HardEvent::S_V);
    SetFlag<HardEvent::S_V>(read);
    WaitFlag<HardEvent::S_V>(read);
    Select(out, inside, in, mean, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64, 2, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
    bitsQueue.EnQue(inside);
    outQueue.EnQue(out);
    inQueue.FreeTensor(in);
    out = outQueue.DeQue<float>();
    DataCopy(yGm, out, ROW);
    outQueue.FreeTensor(out);
    inside = bitsQueue.DeQue<uint8_t>();
    DataCopyPad(bitsGm, inside, DataCopyExtParams{1, ROW / 8, 0, 0, 0});
    bitsQueue.FreeTensor(inside);  // twin 4 {queue|FreeTensor}
}
