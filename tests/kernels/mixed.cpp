// y = max(a @ b, 0): the cube core of a group multiplies, its two vector cores take half of the rows each. Flags of
// mode 2 say when a tile is there and when its place is free again; tensors lie at addresses of the kernel's own.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t M = 32, N = 32, K = 16, TILES = 3;
constexpr uint16_t PRODUCT = 3, FREE = 4;

extern "C" __global__ __mix__(1, 2) void rectify(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace)
{
    InitSocState();
    const int64_t group = ASCEND_IS_AIV ? GetBlockIdx() / 2 : GetBlockIdx();
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> yGm, productGm;
    aGm.SetGlobalBuffer((__gm__ half*)a + group * TILES * M * K, TILES * M * K);
    bGm.SetGlobalBuffer((__gm__ half*)b, K * N);
    yGm.SetGlobalBuffer((__gm__ float*)y + group * TILES * M * N, TILES * M * N);
    productGm.SetGlobalBuffer((__gm__ float*)workspace + group * M * N, M * N);
    for (int32_t i = 0; i < TILES; ++i) {
        if ASCEND_IS_AIC {
            const LocalTensor<half> a1(TPosition::A1, 0, M * K);
            const LocalTensor<half> b1(TPosition::B1, M * K * sizeof(half), K * N);
            const LocalTensor<half> a2(TPosition::A2, 0, M * K);
            const LocalTensor<half> b2(TPosition::B2, 0, K * N);
            const LocalTensor<float> sum(TPosition::CO1, 0, M * N);
            if (i > 0) {
                WaitFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);
            }
            DataCopy(a1, aGm[i * M * K], Nd2NzParams{1, M, K, 0, K, M, 1, 0});
            DataCopy(b1, bGm, Nd2NzParams{1, K, N, 0, N, K, 1, 0});
            SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
            if (i > 0) {
                WaitFlag<HardEvent::M_MTE1>(EVENT_ID0);
            }
#if __NPU_ARCH__ == 3510
            LoadData(a2, a1, LoadData2DParamsV2{0, 0, M / 16, K / 16, M / 16, M / 16, false, 0});
            LoadData(b2, b1, LoadData2DParamsV2{0, 0, K / 16, N / 16, K / 16, N / 16, true, 0});
#else
            for (int32_t j = 0; j < M / 16; ++j) {
                LoadData(a2[j * 256], a1[j * 256], LoadData2DParams{0, K / 16, M / 16, 0, 0, false, 0});
            }
            LoadData(b2, b1, LoadData2DParams{0, N / 16, K / 16, 0, 0, true, 0});
#endif
            SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
            WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
            if (i < TILES - 1) {
                SetFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);
            }
            if (i > 0) {
                WaitFlag<HardEvent::FIX_M>(EVENT_ID0);  // twin 1 {hazard}
            }
            Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, true});
            SetFlag<HardEvent::M_FIX>(EVENT_ID0);
            WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
            if (i < TILES - 1) {
                SetFlag<HardEvent::M_MTE1>(EVENT_ID0);
            }
            if (i > 0) {
                CrossCoreWaitFlag<2, PIPE_FIX>(FREE);  // twin 2 {hazard}
            }
#if __NPU_ARCH__ == 3510
            FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> params;
#else
            FixpipeParamsV220 params;
#endif
            params.nSize = N;
            params.mSize = M;
            params.srcStride = M;
            params.dstStride = N;
            Fixpipe<float, float, CFG_ROW_MAJOR>(productGm, sum, params);
            if (i < TILES - 1) {
                SetFlag<HardEvent::FIX_M>(EVENT_ID0);  // twin 1
            }
            CrossCoreSetFlag<2, PIPE_FIX>(PRODUCT);  // twin 3 {hazard|poison}
        }
        if ASCEND_IS_AIV {
            constexpr int32_t HALF = M / 2 * N;
            const int64_t begin = GetSubBlockIdx() * HALF;
            const LocalTensor<float> tile(TPosition::VECCALC, 0, HALF);
            if (i > 0) {
                WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
            }
            CrossCoreWaitFlag<2, PIPE_MTE2>(PRODUCT);  // twin 3
            DataCopy(tile, productGm[begin], HALF);
            if (i < TILES - 1) {
                CrossCoreSetFlag<2, PIPE_MTE2>(FREE);  // twin 2
            }
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
            Relu(tile, tile, HALF);
            SetFlag<HardEvent::V_MTE3>(EVENT_ID0);   // twin 4 {hazard}
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);  // twin 4
            DataCopy(yGm[i * M * N + begin], tile, HALF);
            if (i < TILES - 1) {
                SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
            }
        }
    }
    PipeBarrier<PIPE_ALL>();
}
