// z = x + y without TPipe: tensors at addresses of the kernel's own, a flag before and behind each step.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t TILE = 256;
constexpr uint32_t TILES = 4;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    InitSocState();
    const int64_t begin = GetBlockIdx() * TILES * TILE;
    GlobalTensor<float> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + begin, TILES * TILE);
    yGm.SetGlobalBuffer((__gm__ float*)y + begin, TILES * TILE);
    zGm.SetGlobalBuffer((__gm__ float*)z + begin, TILES * TILE);
    const LocalTensor<float> xTile(TPosition::VECCALC, 0, TILE);
    const LocalTensor<float> yTile(TPosition::VECCALC, TILE * sizeof(float), TILE);
    const LocalTensor<float> zTile(TPosition::VECCALC, 2 * TILE * sizeof(float), TILE);  // twin 4 "const LocalTensor<float> zTile(TPosition::VECCALC, TILE * sizeof(float), TILE);" {hazard}
    for (uint32_t i = 0; i < TILES; ++i) {
        if (i > 0) {
            WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);  // twin 1 {hazard}
        }
        DataCopy(xTile, xGm[i * TILE], TILE);
        DataCopy(yTile, yGm[i * TILE], TILE);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);   // twin 2 {hazard}
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);  // twin 2
        if (i > 0) {
            WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);  // twin 3 {hazard}
        }
        Add(zTile, xTile, yTile, TILE);
        if (i < TILES - 1) {
            SetFlag<HardEvent::V_MTE2>(EVENT_ID0);  // twin 1
        }
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(zGm[i * TILE], zTile, TILE);
        if (i < TILES - 1) {
            SetFlag<HardEvent::MTE3_V>(EVENT_ID0);  // twin 3
        }
    }
    PipeBarrier<PIPE_ALL>();
}
