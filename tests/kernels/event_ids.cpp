// y = 2 x: two halves of a buffer in turn, each with events of its own that AllocEventID gives.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t TILE = 256;
constexpr int32_t TILES = 7;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    const int64_t begin = GetBlockIdx() * TILES * TILE;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + begin, TILES * TILE);
    yGm.SetGlobalBuffer((__gm__ float*)y + begin, TILES * TILE);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 2 * TILE * sizeof(float));
    const LocalTensor<float> tiles = buffer.Get<float>();
    TEventID loaded[2], computed[2], stored[2];
    for (int32_t half = 0; half < 2; ++half) {
        loaded[half] = pipe.AllocEventID<HardEvent::MTE2_V>();
        computed[half] = pipe.AllocEventID<HardEvent::V_MTE3>();
        stored[half] = pipe.AllocEventID<HardEvent::MTE3_MTE2>();
        SetFlag<HardEvent::MTE3_MTE2>(stored[half]);  // twin 1 {event}
    }
    for (int32_t i = 0; i < TILES; ++i) {
        const int32_t half = i % 2;
        const LocalTensor<float> tile = tiles[half * TILE];
        WaitFlag<HardEvent::MTE3_MTE2>(stored[half]);
        DataCopy(tile, xGm[i * TILE], TILE);
        SetFlag<HardEvent::MTE2_V>(loaded[half]);   // twin 2 {hazard}
        WaitFlag<HardEvent::MTE2_V>(loaded[half]);  // twin 2
        Muls(tile, tile, 2.0f, TILE);
        SetFlag<HardEvent::V_MTE3>(computed[half]);   // twin 3 {hazard}
        WaitFlag<HardEvent::V_MTE3>(computed[half]);  // twin 3
        DataCopy(yGm[i * TILE], tile, TILE);
        SetFlag<HardEvent::MTE3_MTE2>(stored[half]);
    }
    for (int32_t half = 0; half < 2; ++half) {
        WaitFlag<HardEvent::MTE3_MTE2>(stored[half]);  // twin 4 {event}
        pipe.ReleaseEventID<HardEvent::MTE2_V>(loaded[half]);
        pipe.ReleaseEventID<HardEvent::V_MTE3>(computed[half]);
        pipe.ReleaseEventID<HardEvent::MTE3_MTE2>(stored[half]);
    }
}
