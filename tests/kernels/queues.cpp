// z = x + y: tiles through queues of two buffers each.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t TILE = 256;
constexpr int32_t TILES = 6;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    const int64_t begin = GetBlockIdx() * TILES * TILE;
    GlobalTensor<float> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + begin, TILES * TILE);
    yGm.SetGlobalBuffer((__gm__ float*)y + begin, TILES * TILE);
    zGm.SetGlobalBuffer((__gm__ float*)z + begin, TILES * TILE);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue, yQueue;
    TQue<TPosition::VECOUT, 1> zQueue;
    pipe.InitBuffer(xQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(yQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(zQueue, 2, TILE * sizeof(float));
    for (int32_t i = 0; i < TILES; ++i) {
        LocalTensor<float> xTile = xQueue.AllocTensor<float>();
        LocalTensor<float> yTile = yQueue.AllocTensor<float>();
        DataCopy(xTile, xGm[i * TILE], TILE);
        DataCopy(yTile, yGm[i * TILE], TILE);
        xQueue.EnQue(xTile);
        yQueue.EnQue(yTile);

        xTile = xQueue.DeQue<float>();  // twin 1 {hazard|queue}
        yTile = yQueue.DeQue<float>();
        LocalTensor<float> zTile = zQueue.AllocTensor<float>();
        Add(zTile, xTile, yTile, TILE);
        zQueue.EnQue(zTile);    // twin 2 {hazard|queue}
        xQueue.FreeTensor(xTile);
        yQueue.FreeTensor(yTile);  // twin 3 {queue}

        zTile = zQueue.DeQue<float>();  // twin 2
        DataCopy(zGm[i * TILE], zTile, TILE);
        zQueue.FreeTensor(zTile);
    }
}
