// y = exp(x) without TPipe: two sets of tensors in turn, whose flags are set before the first and awaited after the last.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t TILE = 192;
constexpr uint32_t TILES = 5;
constexpr uint32_t BYTES = TILE * sizeof(float);

extern "C" __global__ __aicore__ void exponential(GM_ADDR x, GM_ADDR y)
{
    InitSocState();
    const int64_t begin = GetBlockIdx() * TILES * TILE;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + begin, TILES * TILE);
    yGm.SetGlobalBuffer((__gm__ float*)y + begin, TILES * TILE);
    const LocalTensor<float> xPing(TPosition::VECIN, 0, TILE);
    const LocalTensor<float> xPong(TPosition::VECIN, BYTES, TILE);
    const LocalTensor<float> yPing(TPosition::VECOUT, 2 * BYTES, TILE);
    const LocalTensor<float> yPong(TPosition::VECOUT, 3 * BYTES, TILE);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID1);  // twin 1 {event}
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID1);
    for (uint32_t i = 0; i < TILES; ++i) {
        const int32_t turn = i % 2 == 0 ? EVENT_ID0 : EVENT_ID1;
        const LocalTensor<float>& xTile = i % 2 == 0 ? xPing : xPong;
        const LocalTensor<float>& yTile = i % 2 == 0 ? yPing : yPong;  // twin 2 "const LocalTensor<float>& yTile = yPing;" {hazard}
        WaitFlag<HardEvent::V_MTE2>(turn);
        DataCopy(xTile, xGm[i * TILE], TILE);
        SetFlag<HardEvent::MTE2_V>(turn);
        WaitFlag<HardEvent::MTE2_V>(turn);
        WaitFlag<HardEvent::MTE3_V>(turn);
        Exp(yTile, xTile, TILE);
        SetFlag<HardEvent::V_MTE2>(turn);
        SetFlag<HardEvent::V_MTE3>(turn);   // twin 3 {hazard}
        WaitFlag<HardEvent::V_MTE3>(turn);  // twin 3
        DataCopy(yGm[i * TILE], yTile, TILE);
        SetFlag<HardEvent::MTE3_V>(turn);
    }
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);  // twin 4 {event}
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID1);
    PipeBarrier<PIPE_ALL>();
}
