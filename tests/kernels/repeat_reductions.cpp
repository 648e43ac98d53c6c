// Sums, means and places of the largest elements of rows of 256: reductions of pairs, data blocks and repeats, broadcast back.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t ROWS = 8, ROW = 256, PARTS = ROW / 64;

extern "C" __global__ __aicore__ void row_statistics(GM_ADDR x, GM_ADDR y, GM_ADDR places, GM_ADDR pairs)
{
    GlobalTensor<float> xGm, yGm, pairsGm;
    GlobalTensor<uint32_t> placesGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * ROWS * ROW);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * ROWS * ROW);
    pairsGm.SetGlobalBuffer((__gm__ float*)pairs + GetBlockIdx() * ROWS * ROW / 2);
    placesGm.SetGlobalBuffer((__gm__ uint32_t*)places + GetBlockIdx() * ROWS * PARTS * 2);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue, placesQueue, pairsQueue;
    TBuf<TPosition::VECCALC> blocksBuffer, sumsBuffer, meansBuffer;
    pipe.InitBuffer(inQueue, 1, ROWS * ROW * sizeof(float));
    pipe.InitBuffer(outQueue, 1, ROWS * ROW * sizeof(float));
    pipe.InitBuffer(placesQueue, 1, ROWS * PARTS * 2 * sizeof(float));
    pipe.InitBuffer(pairsQueue, 1, ROWS * ROW / 2 * sizeof(float));
    pipe.InitBuffer(blocksBuffer, ROWS * ROW / 8 * sizeof(float));
    pipe.InitBuffer(sumsBuffer, 256);
    pipe.InitBuffer(meansBuffer, ROWS * 32);
    LocalTensor<float> in = inQueue.AllocTensor<float>();
    DataCopy(in, xGm, ROWS * ROW);
    inQueue.EnQue(in);
    in = inQueue.DeQue<float>();
    LocalTensor<float> blocks = blocksBuffer.Get<float>(), sums = sumsBuffer.Get<float>(), means = meansBuffer.Get<float>();

    LocalTensor<float> largest = placesQueue.AllocTensor<float>();
    WholeReduceMax(largest, in, 64, ROWS * PARTS, 1, 1, 8, ReduceOrder::ORDER_VALUE_INDEX);  // twin 1 "    WholeReduceMax(largest, in, 64, ROWS * PARTS + 1, 1, 1, 8, ReduceOrder::ORDER_VALUE_INDEX);" {bounds: WholeReduceMax}
    placesQueue.EnQue(largest);
    LocalTensor<float> two = pairsQueue.AllocTensor<float>();
    PairReduceSum(two, in, ROWS * PARTS, 64, 1, 1, 8);
    pairsQueue.EnQue(two);
    // Data blocks of 8, then the 32 sums of each row: half a repeat.
    BlockReduceSum(blocks, in, ROWS * PARTS, 64, 1, 1, 8);
    PipeBarrier<PIPE_V>();  // twin 2 {hazard} 2201
    WholeReduceSum(sums, blocks, 32, ROWS, 1, 1, 4);  // twin 3 "    WholeReduceSum(sums, blocks, 65, ROWS, 1, 1, 4);" {mask: WholeReduceSum: mask is 65}
    PipeBarrier<PIPE_V>();
    Muls(sums, sums, 1.0f / ROW, ROWS);
    PipeBarrier<PIPE_V>();
    Brcb(means, sums, 1, {1, 8});  // twin 4 "    Brcb(means, sums, 2, {1, 8});" {bounds}
    PipeBarrier<PIPE_V>();
    LocalTensor<float> out = outQueue.AllocTensor<float>();
    for (int32_t part = 0; part < PARTS; ++part) {
        // One repeat for each row: the mean's data block stands for all eight of the repeat.
        Sub(out[part * 64], in[part * 64], means, 64, ROWS, BinaryRepeatParams(1, 1, 0, ROW / 8, ROW / 8, 1));  // twin 5 "        Sub(out[part * 64], in[part * 64], means, 64, ROWS, BinaryRepeatParams(1, 1, 1, ROW / 8, ROW / 8, 1));" {bounds|poison}
    }
    inQueue.FreeTensor(in);
    outQueue.EnQue(out);
    out = outQueue.DeQue<float>();
    DataCopy(yGm, out, ROWS * ROW);
    outQueue.FreeTensor(out);
    largest = placesQueue.DeQue<float>();
    DataCopy(placesGm, largest.ReinterpretCast<uint32_t>(), ROWS * PARTS * 2);
    placesQueue.FreeTensor(largest);
    two = pairsQueue.DeQue<float>();
    DataCopy(pairsGm, two, ROWS * ROW / 2);
    pairsQueue.FreeTensor(two);
}
