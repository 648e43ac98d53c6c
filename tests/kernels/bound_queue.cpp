// y = x: one queue whose buffers go from the copy in to the copy out, without vector work between them.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t TILE = 512;
constexpr int32_t TILES = 5;

extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR y)
{
    const int64_t begin = GetBlockIdx() * TILES * TILE;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + begin, TILES * TILE);
    yGm.SetGlobalBuffer((__gm__ half*)y + begin, TILES * TILE);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;  // twin 1 "TQue<TPosition::VECIN, 1> queue;" {hazard}
    pipe.InitBuffer(queue, 2, TILE * sizeof(half));
    for (int32_t i = 0; i < TILES; ++i) {
        LocalTensor<half> tile = queue.AllocTensor<half>();
        DataCopy(tile, xGm[i * TILE], TILE);
        queue.EnQue(tile);           // twin 2 {hazard|queue}
        tile = queue.DeQue<half>();  // twin 2
        DataCopy(yGm[i * TILE], tile, TILE);
        queue.FreeTensor(tile);  // twin 3 {queue}
    }
}
