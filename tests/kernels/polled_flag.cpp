// The first core announces a number, the others poll its flag and then use the number: words of global memory that the
// scalar unit reads and writes past its cache, or with the lines of the cache cleaned.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t READY = 6, WORDS = 16;  // of a cache line

extern "C" __global__ __aicore__ void announce(GM_ADDR x, GM_ADDR y, GM_ADDR flags)
{
    const int32_t core = GetBlockIdx();
    __gm__ int32_t* flag = (__gm__ int32_t*)flags;
    __gm__ int32_t* number = flag + WORDS;
    GlobalTensor<int32_t> xGm, yGm, doneGm;
    xGm.SetGlobalBuffer((__gm__ int32_t*)x);
    yGm.SetGlobalBuffer((__gm__ int32_t*)y + core * WORDS, WORDS);
    doneGm.SetGlobalBuffer(flag + (2 + core) * WORDS, WORDS);
    if (core == 0) {
        WriteGmByPassDCache<int32_t>(number, xGm.GetValue(0));
        DataSyncBarrier<MemDsbT::DDR>();                // twin 1 {hazard}
        WriteGmByPassDCache<int32_t>(flag, READY);      // twin 2 {deadlock: AIV 1 polls}
    } else {
        while (ReadGmByPassDCache<int32_t>(flag) != READY) {  // twin 3 "        {" {hazard|poison}
        }
        WriteGmByPassDCache<int32_t>((__gm__ int32_t*)y + core * WORDS, ReadGmByPassDCache<int32_t>(number) + core);
    }
    // Each tells the first core through a line of its own that it is done.
    DataSyncBarrier<MemDsbT::DDR>();
    doneGm.SetValue(0, READY);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(doneGm);
    if (core > 0) {
        return;
    }
    int32_t sum = xGm.GetValue(0);
    for (int32_t i = 1; i < GetBlockNum(); ++i) {
        GlobalTensor<int32_t> otherGm, resultGm;
        otherGm.SetGlobalBuffer(flag + (2 + i) * WORDS, WORDS);
        resultGm.SetGlobalBuffer((__gm__ int32_t*)y + i * WORDS, WORDS);
        do {
            DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(otherGm);  // twin 4 {hazard|for ever: it is in the data cache}
        } while (otherGm.GetValue(0) != READY);
        sum += resultGm.GetValue(0);
    }
    yGm.SetValue(0, sum);
}
