// y = 2 x at even places and -x at odd ones, by masks of bits; z = 2 (x + 3) for the first 100 elements, by a mask that counts.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 256;

extern "C" __global__ __aicore__ void alternate(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    GlobalTensor<half> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * COUNT, COUNT);
    yGm.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * COUNT, COUNT);
    zGm.SetGlobalBuffer((__gm__ half*)z + GetBlockIdx() * COUNT, COUNT);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> yQueue, zQueue;
    pipe.InitBuffer(inQueue, 1, COUNT * sizeof(half));
    pipe.InitBuffer(yQueue, 1, COUNT * sizeof(half));
    pipe.InitBuffer(zQueue, 1, COUNT * sizeof(half));
    LocalTensor<half> in = inQueue.AllocTensor<half>();
    DataCopy(in, xGm, COUNT);
    inQueue.EnQue(in);
    in = inQueue.DeQue<half>();
    // The two write bytes of their own, so no barrier has to come between.
    LocalTensor<half> yTile = yQueue.AllocTensor<half>();
    uint64_t even[2] = {0x5555555555555555ull, 0x5555555555555555ull};
    uint64_t odd[2] = {0xaaaaaaaaaaaaaaaaull, 0xaaaaaaaaaaaaaaaaull};
    Muls(yTile, in, half(2), even, 2, {1, 1, 8, 8});
    Muls(yTile, in, half(-1), odd, 2, {1, 1, 8, 8});  // twin 1 "    Muls(yTile, in, half(-1), even, 2, {1, 1, 8, 8});" {hazard|poison}
    yQueue.EnQue(yTile);
    LocalTensor<half> zTile = zQueue.AllocTensor<half>();
    Duplicate(zTile, half(3), COUNT);
    PipeBarrier<PIPE_V>();  // twin 2 {hazard} 2201
    SetMaskCount();
    SetVectorMask<half, MaskMode::COUNTER>(0, 100);
    Add<half, false>(zTile, zTile, in, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
    PipeBarrier<PIPE_V>();
    Muls<half, false>(zTile, zTile, half(2), MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    SetMaskNorm();
    ResetMask();  // twin 3 {state}
    inQueue.FreeTensor(in);
    zQueue.EnQue(zTile);
    yTile = yQueue.DeQue<half>();
    DataCopy(yGm, yTile, COUNT);
    yQueue.FreeTensor(yTile);
    zTile = zQueue.DeQue<half>();
    DataCopy(zGm, zTile, COUNT);
    zQueue.FreeTensor(zTile);
}
