// Cores: block indices, barriers among all of them, order of execution, kernel types, large sparse tensors.
#include "kernel_operator.h"

using namespace AscendC;

struct CoresTiling {
    uint64_t offset;
    uint32_t skip;  // the block that leaves out a barrier
    float scale;
};

__aicore__ inline void StoreOne(TPipe& pipe, GM_ADDR to, uint64_t index, float value) {
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 32);
    LocalTensor<float> t = buf.Get<float>();
    Duplicate(t, value, 8);
    GlobalTensor<float> g;
    g.SetGlobalBuffer((__gm__ float*)to);
    DataCopyExtParams one{1, sizeof(float), 0, 0, 0};
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(g[index], t, one);
}

extern "C" __global__ __aicore__ void cores(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(CoresTiling);
    GET_TILING_DATA(td, tiling);
#if defined(VECTOR_ONLY)
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
#elif defined(MIXED)
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
#else
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
#endif
    if ASCEND_IS_AIC {
        SyncAll<false>();
        return;
    }
    TPipe pipe;
    const uint32_t block = GetBlockIdx();
    GlobalTensor<float> gx, gy, gw;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    gw.SetGlobalBuffer((__gm__ float*)workspace);
    if (TILING_KEY_IS(0)) {
        // Each core writes its place, then all read their neighbour's.
        StoreOne(pipe, workspace, block, td.scale * (block + 1));
        SyncAll();                                                       // BARRIER
        const float next = gw.GetValue((block + 1) % GetBlockNum());
        if (block != td.skip) {
            SyncAll();
        }
        StoreOne(pipe, y, block, next);
    } else if (TILING_KEY_IS(1)) {
        const float before = block == 0 ? 0.0f : gw.GetValue(block - 1); // EARLY
        StoreOne(pipe, workspace, block, before + 1.0f);
        StoreOne(pipe, y, block, 1.0f);
    } else if (TILING_KEY_IS(2)) {
        const float value = gx.GetValue(td.offset);
        gy.SetValue(td.offset, value + 1.0f);
        StoreOne(pipe, y, td.offset + 8, 2.0f * value);
    } else if (TILING_KEY_IS(3)) {
        StoreOne(pipe, y, block, float(GetBlockIdx() * 100 + GetSubBlockIdx() * 10 + GetTaskRatio()));
        SyncAll<false>();
    } else if (TILING_KEY_IS(4)) {
        TBuf<TPosition::VECCALC> syncBuf;
        pipe.InitBuffer(syncBuf, GetBlockNum() * 32);
        GlobalTensor<int32_t> counters;
        counters.SetGlobalBuffer((__gm__ int32_t*)workspace);
        LocalTensor<int32_t> local = syncBuf.Get<int32_t>();
        StoreOne(pipe, y, block, float(block));
        SyncAll(counters, local);                                        // SOFT
        const float next = gy.GetValue((block + 1) % GetBlockNum());
        SyncAll(counters, local);
        StoreOne(pipe, y, block, next);
    } else if (TILING_KEY_IS(5)) {
        // Copies with strides, and what they count.
        TBuf<TPosition::VECCALC> buf;
        pipe.InitBuffer(buf, 4 * 64);
        LocalTensor<float> t = buf.Get<float>();
        DataCopyPad(t, gx, {4, 9 * sizeof(float), 7 * sizeof(float), 0, 0}, {true, 0, 3, -1.0f});
        PipeBarrier<PIPE_ALL>();
        Muls(t, t, td.scale, 64);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopyPad(gy, t, {4, 12 * sizeof(float), 0, 4 * sizeof(float), 0});
        PipeBarrier<PIPE_ALL>();
        DataCopy(t, t[32], 8);
        const float v = gx.GetValue(1);
        gy.SetValue(63, v);
#if __NPU_ARCH__ == 3510
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(t, gx, {4, 2 * sizeof(float), -8, 0, 0}, {false, 0, 0, 0.0f});
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(gy[64], t, {4, 2 * sizeof(float), 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        DataCopyPad<float, PaddingMode::Compact>(t, gx, {3, 3 * sizeof(float), 4, 0, 0}, {true, 0, 7, 5.0f});
        PipeBarrier<PIPE_ALL>();
        DataCopy(gy[72], t, 16);
#endif
    }
}
