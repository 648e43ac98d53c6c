// y = |x|: tensors of an allocator, and barriers of all pipes in place of flags.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t COUNT = 1024;

extern "C" __global__ __aicore__ void absolute(GM_ADDR x, GM_ADDR y)
{
    InitSocState();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * COUNT, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * COUNT, COUNT);
    LocalMemAllocator<Hardware::UB> allocator;
    const LocalTensor<float> xTile = allocator.Alloc<float>(COUNT);
    const LocalTensor<float> yTile = allocator.Alloc<float>(COUNT);
    DataCopy(xTile, xGm, COUNT);
    PipeBarrier<PIPE_ALL>();  // twin 1 {hazard}
    Abs(yTile, xTile, COUNT);
    PipeBarrier<PIPE_ALL>();  // twin 2 "PipeBarrier<PIPE_V>();" {hazard}
    DataCopy(yGm, yTile, COUNT);
    PipeBarrier<PIPE_ALL>();
}
