// Small programs whose time is worked out by hand: `program` chooses one.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t TILE = 1024;  // floats, 4096 bytes

enum { STREAM, REREAD, REWRITE, TOGETHER, READ_SCALARS };

class Programs {
public:
    __aicore__ inline Programs(GM_ADDR x, GM_ADDR y, uint32_t buffers, uint32_t tiles, TPipe* pipe) : count(tiles)
    {
        xGm.SetGlobalBuffer((__gm__ float*)x);
        yGm.SetGlobalBuffer((__gm__ float*)y);
        pipe->InitBuffer(in, buffers, TILE * sizeof(float));
        pipe->InitBuffer(out, buffers, TILE * sizeof(float));
    }

    // Copy in, Exp, copy out, tile by tile; every core has tiles of its own.
    __aicore__ inline void Stream()
    {
        const uint64_t first = GetBlockIdx() * count;
        for (uint32_t i = 0; i < count; ++i) {
            LocalTensor<float> a = in.AllocTensor<float>();
            DataCopy(a, xGm[(first + i) * TILE], TILE);
            in.EnQue(a);
            a = in.DeQue<float>();
            LocalTensor<float> b = out.AllocTensor<float>();
            Exp(b, a, TILE);
            in.FreeTensor(a);
            out.EnQue(b);
            b = out.DeQue<float>();
            DataCopy(yGm[(first + i) * TILE], b, TILE);
            out.FreeTensor(b);
        }
    }

    // `count` copies in, over `places` tiles in turn.
    __aicore__ inline void Load(uint32_t places)
    {
        for (uint32_t i = 0; i < count; ++i) {
            LocalTensor<float> a = in.AllocTensor<float>();
            DataCopy(a, xGm[i % places * TILE], TILE);
            in.EnQue(a);
            a = in.DeQue<float>();
            in.FreeTensor(a);
        }
    }

    // The same tile out, `count` times.
    __aicore__ inline void Store()
    {
        LocalTensor<float> b = out.AllocTensor<float>();
        Duplicate(b, 1.0f, TILE);
        out.EnQue(b);
        b = out.DeQue<float>();
        for (uint32_t i = 0; i < count; ++i) {
            DataCopy(yGm, b, TILE);
            PipeBarrier<PIPE_MTE3>();
        }
        out.FreeTensor(b);
    }

    // Core i copies i + 1 tiles; all meet; each copies one more.
    __aicore__ inline void Together()
    {
        count = GetBlockIdx() + 1;
        Load(count);
        SyncAll();
        count = 1;
        Load(1);
    }

    __aicore__ inline void ReadScalars()
    {
        float sum = 0;
        LocalTensor<float> b = out.AllocTensor<float>();
        Duplicate(b, 1.0f, TILE);
        for (uint32_t i = 0; i < count; ++i) {
            sum += b.GetValue(i);
        }
        b.SetValue(0, sum);
        out.FreeTensor(b);
    }

private:
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    GlobalTensor<float> xGm, yGm;
    uint32_t count;
};

extern "C" __global__ __aicore__ void cycles(GM_ADDR x, GM_ADDR y, uint32_t program, uint32_t buffers, uint32_t tiles)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    TPipe pipe;
    Programs programs(x, y, buffers, tiles, &pipe);
    if (program == STREAM) {
        programs.Stream();
    } else if (program == REREAD) {
        programs.Load(2);
    } else if (program == REWRITE) {
        programs.Store();
    } else if (program == TOGETHER) {
        programs.Together();
    } else {
        programs.ReadScalars();
    }
}
