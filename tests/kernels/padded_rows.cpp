// Rows of 21 halves at any address: read with a column of padding on either side, y = max(x[i - 1], x[i], x[i + 1]).
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t ROW = 21, PAD = 32, ROWS = 3, LEFT = 5;

extern "C" __global__ __aicore__ void neighbourhood_max(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * ROWS * ROW, ROWS * ROW);
    yGm.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * ROWS * ROW, ROWS * ROW);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 2> outQueue;
    TBuf<TPosition::VECCALC> offsetBuffer;
    pipe.InitBuffer(inQueue, 2, ROWS * PAD * sizeof(half));
    pipe.InitBuffer(outQueue, 2, ROWS * PAD * sizeof(half));
    pipe.InitBuffer(offsetBuffer, ROWS * PAD * sizeof(int32_t));
    LocalTensor<half> in = inQueue.AllocTensor<half>();
    const half lowest = static_cast<half>(-65504.0f);
    // 5 + 21 + 6 = 32 elements, two data blocks.
    DataCopyPad(in, xGm, DataCopyExtParams{ROWS, ROW * sizeof(half), 0, 0, 0}, DataCopyPadExtParams<half>{true, LEFT, PAD - LEFT - ROW, lowest});  // twin 1 "    DataCopyPad(in, xGm, DataCopyExtParams{ROWS, ROW * sizeof(half), 0, 0, 0}, DataCopyPadExtParams<half>{false, LEFT, PAD - LEFT - ROW, lowest});" {poison}
    inQueue.EnQue(in);
    in = inQueue.DeQue<half>();
    LocalTensor<int32_t> offsets = offsetBuffer.Get<int32_t>();
    LocalTensor<half> out = outQueue.AllocTensor<half>();
    for (int32_t shift = -1; shift <= 1; ++shift) {
        // Addresses of the element beside each one of a row, in bytes; data blocks alone can be addressed, so they are gathered.
        CreateVecIndex(offsets, static_cast<int32_t>(LEFT + shift), ROWS * PAD - LEFT - 1);
        PipeBarrier<PIPE_V>();
        Muls(offsets, offsets, static_cast<int32_t>(sizeof(half)), ROWS * PAD - LEFT - 1);
        PipeBarrier<PIPE_V>();
        LocalTensor<half> beside = outQueue.AllocTensor<half>();  // twin 2 "        LocalTensor<half> beside = out;" {overlap|wrong|freed|queue}
        Gather(beside, in, offsets.ReinterpretCast<uint32_t>(), 0, ROWS * PAD - LEFT - 1);
        PipeBarrier<PIPE_V>();
        if (shift == -1) {
            Adds(out, beside, static_cast<half>(0), ROWS * PAD - LEFT - 1);
        } else {
            Max(out, out, beside, ROWS * PAD - LEFT - 1);
        }
        PipeBarrier<PIPE_V>();
        outQueue.FreeTensor(beside);
    }
    inQueue.FreeTensor(in);
    outQueue.EnQue(out);
    out = outQueue.DeQue<half>();
    DataCopyPad(yGm, out, DataCopyExtParams{ROWS, ROW * sizeof(half), 0, 0, 0});  // twin 3 "    DataCopy(yGm, out, ROWS * ROW);" {alignment}
    outQueue.FreeTensor(out);
}
