// c = a @ b on cube cores, tile by tile along k through queues: A1, B1 in L1, A2, B2 in L0, CO1 the sum.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t M = 32, N = 48, K = 96, STEP = 32;
constexpr int32_t FRACTAL = 16 * 16;

extern "C" __global__ __cube__ void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> cGm;
    aGm.SetGlobalBuffer((__gm__ half*)a + GetBlockIdx() * M * K, M * K);
    bGm.SetGlobalBuffer((__gm__ half*)b, K * N);
    cGm.SetGlobalBuffer((__gm__ float*)c + GetBlockIdx() * M * N, M * N);
    TPipe pipe;
    TQue<TPosition::A1, 1> a1Queue;
    TQue<TPosition::B1, 1> b1Queue;
    TQue<TPosition::A2, 1> a2Queue;
    TQue<TPosition::B2, 1> b2Queue;
    TQue<TPosition::CO1, 1> co1Queue;
    pipe.InitBuffer(a1Queue, 2, M * STEP * sizeof(half));
    pipe.InitBuffer(b1Queue, 2, STEP * N * sizeof(half));
    pipe.InitBuffer(a2Queue, 2, M * STEP * sizeof(half));
    pipe.InitBuffer(b2Queue, 2, STEP * N * sizeof(half));
    pipe.InitBuffer(co1Queue, 1, M * N * sizeof(float));
    LocalTensor<float> sum = co1Queue.AllocTensor<float>();
    for (int32_t k = 0; k < K; k += STEP) {
        LocalTensor<half> a1 = a1Queue.AllocTensor<half>();
        DataCopy(a1, aGm[k], Nd2NzParams{1, M, STEP, 0, K, M, 1, 0});
        a1Queue.EnQue(a1);
        LocalTensor<half> b1 = b1Queue.AllocTensor<half>();
        DataCopy(b1, bGm[k * N], Nd2NzParams{1, STEP, N, 0, N, STEP, 1, 0});
        b1Queue.EnQue(b1);

        a1 = a1Queue.DeQue<half>();  // twin 1 {hazard|queue}
        b1 = b1Queue.DeQue<half>();
        LocalTensor<half> a2 = a2Queue.AllocTensor<half>();
#if __NPU_ARCH__ == 3510
        LoadData(a2, a1, LoadData2DParamsV2{0, 0, M / 16, STEP / 16, M / 16, M / 16, false, 0});
#else
        for (int32_t i = 0; i < M / 16; ++i) {
            LoadData(a2[i * STEP / 16 * FRACTAL], a1[i * FRACTAL], LoadData2DParams{0, STEP / 16, M / 16, 0, 0, false, 0});
        }
#endif
        a1Queue.FreeTensor(a1);
        a2Queue.EnQue(a2);
        LocalTensor<half> b2 = b2Queue.AllocTensor<half>();
#if __NPU_ARCH__ == 3510
        LoadData(b2, b1, LoadData2DParamsV2{0, 0, STEP / 16, N / 16, STEP / 16, N / 16, true, 0});
#else
        for (int32_t i = 0; i < STEP / 16; ++i) {
            LoadData(b2[i * N / 16 * FRACTAL], b1[i * FRACTAL], LoadData2DParams{0, N / 16, STEP / 16, 0, 0, true, 0});
        }
#endif
        b1Queue.FreeTensor(b1);
        b2Queue.EnQue(b2);  // twin 2 {hazard|queue}
        a2 = a2Queue.DeQue<half>();
        b2 = b2Queue.DeQue<half>();  // twin 2
        Mmad(sum, a2, b2, MmadParams{M, N, STEP, 0, false, k == 0});
        PipeBarrier<PIPE_M>();  // twin 3 {hazard|order}
        a2Queue.FreeTensor(a2);
        b2Queue.FreeTensor(b2);
    }
    co1Queue.EnQue(sum);
    sum = co1Queue.DeQue<float>();
#if __NPU_ARCH__ == 3510
    FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> params;
#else
    FixpipeParamsV220 params;
#endif
    params.nSize = N;
    params.mSize = M;
    params.srcStride = M;
    params.dstStride = N;
    Fixpipe<float, float, CFG_ROW_MAJOR>(cGm, sum, params);
    co1Queue.FreeTensor(sum);  // twin 4 {queue}
}
