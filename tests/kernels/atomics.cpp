// y += sum of the rows of x, a row from each core: copies that add to global memory.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 256;

extern "C" __global__ __aicore__ void accumulate(GM_ADDR x, GM_ADDR y, GM_ADDR copies)
{
    GlobalTensor<float> xGm, yGm, copiesGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * COUNT, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y, COUNT);
    copiesGm.SetGlobalBuffer((__gm__ float*)copies + GetBlockIdx() * COUNT, COUNT);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, COUNT * sizeof(float));
    LocalTensor<float> tile = queue.AllocTensor<float>();
    DataCopy(tile, xGm, COUNT);
    queue.EnQue(tile);
    tile = queue.DeQue<float>();
    SetAtomicAdd<float>();  // twin 1 {hazard}
    DataCopy(yGm, tile, COUNT);
    SetAtomicNone();  // twin 2 {atomic|poison}
    DataCopy(copiesGm, tile, COUNT);
    queue.FreeTensor(tile);
}
