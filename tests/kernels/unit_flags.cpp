// c = a @ b along k in steps, with two places for each operand in L1 and in L0; unitFlag lets Fixpipe follow the last Mmad.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t M = 32, N = 32, STEP = 32, STEPS = 5, K = STEP * STEPS, PLACES = 2;
constexpr uint32_t A_BYTES = M * STEP * sizeof(half), B_BYTES = STEP * N * sizeof(half);

extern "C" __global__ __cube__ void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    InitSocState();
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> cGm;
    aGm.SetGlobalBuffer((__gm__ half*)a + GetBlockIdx() * M * K, M * K);
    bGm.SetGlobalBuffer((__gm__ half*)b, K * N);
    cGm.SetGlobalBuffer((__gm__ float*)c + GetBlockIdx() * M * N, M * N);
    const LocalTensor<float> sum(TPosition::CO1, 0, M * N);
    for (int32_t place = 0; place < PLACES; ++place) {
        SetFlag<HardEvent::MTE1_MTE2>(place);
        SetFlag<HardEvent::M_MTE1>(place);
    }
    for (int32_t i = 0; i < STEPS; ++i) {
        const int32_t place = i % PLACES;
        const LocalTensor<half> a1(TPosition::A1, place * A_BYTES, M * STEP);
        const LocalTensor<half> b1(TPosition::B1, PLACES * A_BYTES + place * B_BYTES, STEP * N);
        const LocalTensor<half> a2(TPosition::A2, place * A_BYTES, M * STEP);  // twin 1 "        const LocalTensor<half> a2(TPosition::A2, 0, M * STEP);" {hazard}
        const LocalTensor<half> b2(TPosition::B2, place * B_BYTES, STEP * N);
        WaitFlag<HardEvent::MTE1_MTE2>(place);
        DataCopy(a1, aGm[i * STEP], Nd2NzParams{1, M, STEP, 0, K, M, 1, 0});
        DataCopy(b1, bGm[i * STEP * N], Nd2NzParams{1, STEP, N, 0, N, STEP, 1, 0});
        SetFlag<HardEvent::MTE2_MTE1>(place);
        WaitFlag<HardEvent::MTE2_MTE1>(place);
        WaitFlag<HardEvent::M_MTE1>(place);
#if __NPU_ARCH__ == 3510
        LoadData(a2, a1, LoadData2DParamsV2{0, 0, M / 16, STEP / 16, M / 16, M / 16, false, 0});
        LoadData(b2, b1, LoadData2DParamsV2{0, 0, STEP / 16, N / 16, STEP / 16, N / 16, true, 0});
#else
        for (int32_t j = 0; j < M / 16; ++j) {
            LoadData(a2[j * STEP * 16], a1[j * 256], LoadData2DParams{0, STEP / 16, M / 16, 0, 0, false, 0});
        }
        for (int32_t j = 0; j < STEP / 16; ++j) {
            LoadData(b2[j * N * 16], b1[j * 256], LoadData2DParams{0, N / 16, STEP / 16, 0, 0, true, 0});
        }
#endif
        SetFlag<HardEvent::MTE1_MTE2>(place);
        SetFlag<HardEvent::MTE1_M>(place);
        WaitFlag<HardEvent::MTE1_M>(place);
        MmadParams step;
        step.m = M;
        step.n = N;
        step.k = STEP;
        step.unitFlag = i == STEPS - 1 ? 3 : 2;  // twin 2 "        step.unitFlag = 2;" {hazard|sync}
        step.cmatrixInitVal = i == 0;            // twin 3 "        step.cmatrixInitVal = false;" {poison}
        Mmad(sum, a2, b2, step);
        PipeBarrier<PIPE_M>();
        SetFlag<HardEvent::M_MTE1>(place);
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
    params.unitFlag = 3;  // twin 4 {hazard|sync}
    Fixpipe<float, float, CFG_ROW_MAJOR>(cGm, sum, params);
    for (int32_t place = 0; place < PLACES; ++place) {
        WaitFlag<HardEvent::MTE1_MTE2>(place);
        WaitFlag<HardEvent::M_MTE1>(place);  // twin 5 {event}
    }
}
