// z = x + y: double buffering with queues, one length by value.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFERS = 2;

class Adder {
public:
    __aicore__ inline Adder(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, TPipe* pipe)
    {
        length = total / GetBlockNum();
        tile = length / 8;
        const uint64_t start = static_cast<uint64_t>(length) * GetBlockIdx();
        xGm.SetGlobalBuffer((__gm__ half*)x + start, length);
        yGm.SetGlobalBuffer((__gm__ half*)y + start, length);
        zGm.SetGlobalBuffer((__gm__ half*)z + start, length);
        pipe->InitBuffer(xQueue, BUFFERS, tile * sizeof(half));
        pipe->InitBuffer(yQueue, BUFFERS, tile * sizeof(half));
        pipe->InitBuffer(zQueue, BUFFERS, tile * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < length / tile; ++i) {
            LocalTensor<half> x = xQueue.AllocTensor<half>();
            LocalTensor<half> y = yQueue.AllocTensor<half>();
            DataCopy(x, xGm[i * tile], tile);
            DataCopy(y, yGm[i * tile], tile);
            xQueue.EnQue(x);
            yQueue.EnQue(y);

            x = xQueue.DeQue<half>();
            y = yQueue.DeQue<half>();
            LocalTensor<half> z = zQueue.AllocTensor<half>();
            Add(z, x, y, tile);
            zQueue.EnQue(z);
            xQueue.FreeTensor(x);
            yQueue.FreeTensor(y);

            z = zQueue.DeQue<half>();
            DataCopy(zGm[i * tile], z, tile);
            zQueue.FreeTensor(z);
        }
    }

private:
    TQue<QuePosition::VECIN, BUFFERS> xQueue, yQueue;
    TQue<QuePosition::VECOUT, BUFFERS> zQueue;
    GlobalTensor<half> xGm, yGm, zGm;
    uint32_t length, tile;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total)
{
    TPipe pipe;
    Adder adder(x, y, z, total, &pipe);
    adder.Process();
}

#ifndef ASCENDC_CPU_DEBUG
void AddOnHost(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y, uint8_t* z)
{
    add_custom<<<blocks, nullptr,
                 stream>>>(x, y, z, 1024);
}
#endif
