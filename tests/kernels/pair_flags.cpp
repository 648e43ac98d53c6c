// y = a @ b, doubled: each vector core of a group has flags of its own with the cube core (mode 4), and takes half of each
// product out of one of two places in the workspace.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t M = 32, N = 32, K = 16, TILES = 5, PLACES = 2;
constexpr uint16_t PRODUCT = 1, FREE = 2, SECOND = 16;

extern "C" __global__ __mix__(1, 2) void twice(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace)
{
    const int64_t group = ASCEND_IS_AIV ? GetBlockIdx() / 2 : GetBlockIdx();
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> yGm, productGm;
    aGm.SetGlobalBuffer((__gm__ half*)a + group * TILES * M * K, TILES * M * K);
    bGm.SetGlobalBuffer((__gm__ half*)b, K * N);
    yGm.SetGlobalBuffer((__gm__ float*)y + group * TILES * M * N, TILES * M * N);
    productGm.SetGlobalBuffer((__gm__ float*)workspace + group * PLACES * M * N, PLACES * M * N);
    TPipe pipe;
    if ASCEND_IS_AIC {
        TQue<TPosition::A1, 1> a1Queue;
        TQue<TPosition::B1, 1> b1Queue;
        TQue<TPosition::A2, 1> a2Queue;
        TQue<TPosition::B2, 1> b2Queue;
        TQue<TPosition::CO1, 1> co1Queue;
        pipe.InitBuffer(a1Queue, 2, M * K * sizeof(half));
        pipe.InitBuffer(b1Queue, 2, K * N * sizeof(half));
        pipe.InitBuffer(a2Queue, 2, M * K * sizeof(half));
        pipe.InitBuffer(b2Queue, 2, K * N * sizeof(half));
        pipe.InitBuffer(co1Queue, 2, M * N * sizeof(float));
        for (int32_t i = 0; i < TILES; ++i) {
            LocalTensor<half> a1 = a1Queue.AllocTensor<half>();
            LocalTensor<half> b1 = b1Queue.AllocTensor<half>();
            DataCopy(a1, aGm[i * M * K], Nd2NzParams{1, M, K, 0, K, M, 1, 0});
            DataCopy(b1, bGm, Nd2NzParams{1, K, N, 0, N, K, 1, 0});
            a1Queue.EnQue(a1);
            b1Queue.EnQue(b1);
            a1 = a1Queue.DeQue<half>();
            b1 = b1Queue.DeQue<half>();
            LocalTensor<half> a2 = a2Queue.AllocTensor<half>();
            LocalTensor<half> b2 = b2Queue.AllocTensor<half>();
            LoadData(a2, a1, LoadData2DParamsV2{0, 0, M / 16, K / 16, M / 16, M / 16, false, 0});
            LoadData(b2, b1, LoadData2DParamsV2{0, 0, K / 16, N / 16, K / 16, N / 16, true, 0});
            a1Queue.FreeTensor(a1);
            b1Queue.FreeTensor(b1);
            a2Queue.EnQue(a2);
            b2Queue.EnQue(b2);
            a2 = a2Queue.DeQue<half>();
            b2 = b2Queue.DeQue<half>();
            LocalTensor<float> sum = co1Queue.AllocTensor<float>();
            Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, true});
            a2Queue.FreeTensor(a2);
            b2Queue.FreeTensor(b2);
            co1Queue.EnQue(sum);
            sum = co1Queue.DeQue<float>();
            if (i >= PLACES) {
                CrossCoreWaitFlag<4, PIPE_FIX>(FREE);           // twin 1 {hazard}
                CrossCoreWaitFlag<4, PIPE_FIX>(FREE + SECOND);  // twin 1
            }
            FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> params;
            params.nSize = N;
            params.mSize = M;
            params.srcStride = M;
            params.dstStride = N;
            Fixpipe<float, float, CFG_ROW_MAJOR>(productGm[i % PLACES * M * N], sum, params);
            co1Queue.FreeTensor(sum);
            CrossCoreSetFlag<4, PIPE_FIX>(PRODUCT);
            CrossCoreSetFlag<4, PIPE_FIX>(PRODUCT + SECOND);  // twin 2 {sync}
        }
    }
    if ASCEND_IS_AIV {
        constexpr int32_t HALF = M / 2 * N;
        TQue<TPosition::VECIN, 1> inQueue;
        TQue<TPosition::VECOUT, 1> outQueue;
        pipe.InitBuffer(inQueue, 2, HALF * sizeof(float));
        pipe.InitBuffer(outQueue, 2, HALF * sizeof(float));
        const int64_t begin = GetSubBlockIdx() * HALF;
        for (int32_t i = 0; i < TILES; ++i) {
            LocalTensor<float> in = inQueue.AllocTensor<float>();
            CrossCoreWaitFlag<4, PIPE_MTE2>(PRODUCT);  // twin 3 "CrossCoreWaitFlag<4, PIPE_V>(PRODUCT);" {hazard}
            DataCopy(in, productGm[i % PLACES * M * N + begin], HALF);
            if (i < TILES - PLACES) {
                CrossCoreSetFlag<4, PIPE_MTE2>(FREE);  // twin 1
            }
            inQueue.EnQue(in);
            in = inQueue.DeQue<float>();
            LocalTensor<float> out = outQueue.AllocTensor<float>();
            Muls(out, in, 2.0f, HALF);
            inQueue.FreeTensor(in);
            outQueue.EnQue(out);
            out = outQueue.DeQue<float>();
            DataCopy(yGm[i * M * N + begin], out, HALF);
            outQueue.FreeTensor(out);
        }
    }
}
