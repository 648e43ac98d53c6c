// The first core tells the others 16 words through its data cache; each reads a word of its own back, before and after a copy
// changes it. Caches are not coherent: lines are cleaned behind a write and dropped in front of a read.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t WORDS = 16;  // of a cache line

extern "C" __global__ __mix__(0, 1) void tell(GM_ADDR x, GM_ADDR y, GM_ADDR counts, GM_ADDR workspace)
{
    const int32_t core = GetBlockIdx();
    GlobalTensor<int32_t> xGm, yGm, countsGm, wordsGm;
    xGm.SetGlobalBuffer((__gm__ int32_t*)x);
    yGm.SetGlobalBuffer((__gm__ int32_t*)y + core * WORDS, WORDS);
    countsGm.SetGlobalBuffer((__gm__ int32_t*)counts + core * WORDS, WORDS);  // twin 1 "    countsGm.SetGlobalBuffer((__gm__ int32_t*)counts + core * 8, 8);" {hazard: .*SetValue.* with its cache line}
    wordsGm.SetGlobalBuffer((__gm__ int32_t*)workspace, WORDS);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, WORDS * sizeof(int32_t));
    const LocalTensor<int32_t> words = buffer.Get<int32_t>();
    if (core == 0) {
        for (int32_t i = 0; i < WORDS; ++i) {
            wordsGm.SetValue(i, xGm.GetValue(i) + 1);
        }
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(wordsGm);  // twin 2 {cache: .*DataCopy reads}
    }
    SyncAll();
    DataCopy(words, wordsGm, WORDS);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, words, WORDS);
    PipeBarrier<PIPE_ALL>();
    const int32_t before = yGm.GetValue(core);
    Adds(words, words, 1, WORDS);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, words, WORDS);
    PipeBarrier<PIPE_ALL>();
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);  // twin 3 {cache: .*GetValue finds}
    const int32_t after = yGm.GetValue(core);
    for (int32_t i = 0; i < 8; ++i) {
        countsGm.SetValue(i, before * 100 + after);
    }
    // twin 4 "    DataCopy(countsGm[8], words[8], 8);" {cache: .*SetValue leaves}
}
