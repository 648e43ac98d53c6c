// y = |x|, tile by tile in two places of the unified buffer; the pipes take turns at each place by its Mutex.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t TILE = 64, TILES = 5;

extern "C" __global__ __aicore__ void magnitudes(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * TILE * TILES);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * TILE * TILES);
    LocalMemAllocator<Hardware::UB> memory;
    LocalTensor<float> tiles[2] = {memory.Alloc<float, TILE>(), memory.Alloc<float, TILE>()};
    const MutexID ids[3] = {AllocMutexID(), AllocMutexID(), AllocMutexID()};
    for (int32_t i = 0; i < TILES; ++i) {
        const LocalTensor<float> tile = tiles[i % 2];
        const MutexID id = ids[i % 2];  // twin 1 "        const MutexID id = ids[i % 3];" {hazard}
        Mutex::Lock<PIPE_MTE2>(id);
        DataCopy(tile, xGm[i * TILE], TILE);
        Mutex::Unlock<PIPE_MTE2>(id);
        Mutex::Lock<PIPE_V>(id);    // twin 2 {hazard}
        Abs(tile, tile, TILE);
        Mutex::Unlock<PIPE_V>(id);  // twin 2
        Mutex::Lock<PIPE_MTE3>(id);
        DataCopy(yGm[i * TILE], tile, TILE);
        Mutex::Unlock<PIPE_MTE3>(id);  // twin 3 {sync: Mutex::Lock}
    }
    for (const MutexID id : ids) {
        ReleaseMutexID(id);
    }
}
