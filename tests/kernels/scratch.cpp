// y = sqrt(x^2 + 1): queues for what is moved, a TBuf for what is under computation, and vector instructions that follow
// one another with barriers between them, as a build without automatic synchronisation needs them on Atlas A2 and A3.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t TILE = 320;
constexpr int32_t TILES = 3;

extern "C" __global__ __aicore__ void hypotenuse(GM_ADDR x, GM_ADDR y)
{
    const int64_t begin = GetBlockIdx() * TILES * TILE;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + begin, TILES * TILE);
    yGm.SetGlobalBuffer((__gm__ half*)y + begin, TILES * TILE);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue;
    TQue<TPosition::VECOUT, 1> yQueue;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(xQueue, 2, TILE * sizeof(half));
    pipe.InitBuffer(yQueue, 2, TILE * sizeof(half));
    pipe.InitBuffer(buffer, TILE * sizeof(float));
    for (int32_t i = 0; i < TILES; ++i) {
        LocalTensor<half> xTile = xQueue.AllocTensor<half>();
        DataCopy(xTile, xGm[i * TILE], TILE);
        xQueue.EnQue(xTile);

        xTile = xQueue.DeQue<half>();
        LocalTensor<half> yTile = yQueue.AllocTensor<half>();
        const LocalTensor<float> value = buffer.Get<float>();
        Cast(value, xTile, RoundMode::CAST_NONE, TILE);
        xQueue.FreeTensor(xTile);
        PipeBarrier<PIPE_V>();  // twin 1 {hazard} 2201
        Mul(value, value, value, TILE);
        PipeBarrier<PIPE_V>();  // twin 2 {hazard} 2201
        Adds(value, value, 1.0f, TILE);
        PipeBarrier<PIPE_V>();
        Sqrt(value, value, TILE);
        PipeBarrier<PIPE_V>();
        Cast(yTile, value, RoundMode::CAST_RINT, TILE);
        PipeBarrier<PIPE_V>();  // twin 3 {hazard} 2201
        yQueue.EnQue(yTile);

        yTile = yQueue.DeQue<half>();
        DataCopy(yGm[i * TILE], yTile, TILE);
        yQueue.FreeTensor(yTile);
    }
}
