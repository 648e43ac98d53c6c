// Sums of the two vector cores of each group, minus those of the next group: mode 1 between the two, mode 0 between all. The wait
// for all comes behind the copies out of this core, too, and what they waited for: its pipes need no flags of their own for that.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 64;

extern "C" __global__ __mix__(1, 2) void differences(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    InitSocState();
    if ASCEND_IS_AIC {
        return;
    }
    const int32_t core = GetBlockIdx(), peer = core ^ 1, cores = 2 * GetBlockNum();
    GlobalTensor<float> xGm, yGm, givenGm, sumsGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + core * COUNT, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y + core * COUNT, COUNT);
    givenGm.SetGlobalBuffer((__gm__ float*)workspace, cores * COUNT);
    sumsGm.SetGlobalBuffer((__gm__ float*)workspace + cores * COUNT, cores * COUNT);
    const LocalTensor<float> own(TPosition::VECCALC, 0, COUNT), sum(TPosition::VECCALC, COUNT * sizeof(float), COUNT);
    DataCopy(own, xGm, COUNT);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(givenGm[core * COUNT], own, COUNT);
    CrossCoreSetFlag<1, PIPE_MTE3>(5);   // twin 1 "    CrossCoreSetFlag<1, PIPE_MTE2>(5);" {hazard}
    CrossCoreWaitFlag<1, PIPE_MTE2>(5);  // twin 2 "    CrossCoreWaitFlag<1, PIPE_MTE3>(5);" {hazard} 3510
    DataCopy(sum, givenGm[peer * COUNT], COUNT);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(sum, own, sum, COUNT);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(sumsGm[core * COUNT], sum, COUNT);
    CrossCoreSetFlag<0, PIPE_MTE3>(6);   // twin 3 "    CrossCoreSetFlag<1, PIPE_MTE3>(6);" {hazard}
    CrossCoreWaitFlag<0, PIPE_MTE2>(6);  // twin 3 "    CrossCoreWaitFlag<1, PIPE_MTE2>(6);"
    DataCopy(own, sumsGm[(core + 2) % cores * COUNT], COUNT);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Sub(sum, sum, own, COUNT);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, sum, COUNT);
}
