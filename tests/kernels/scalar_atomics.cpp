// Every core takes the next row that nobody has taken, counts what it took, and adds its number to a sum behind a lock.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COUNT = 64, ROWS = 6, WORDS = 16;  // words of a cache line

extern "C" __global__ __aicore__ void take_rows(GM_ADDR x, GM_ADDR y, GM_ADDR words)
{
    __gm__ uint32_t* next = (__gm__ uint32_t*)words;
    __gm__ uint32_t* lock = next + WORDS;
    __gm__ uint32_t* sum = next + 2 * WORDS;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 1, COUNT * sizeof(float));
    for (;;) {
        const uint32_t row = AtomicAdd(next, 1u);  // twin 1 "        const uint32_t row = ReadGmByPassDCache<uint32_t>(next); WriteGmByPassDCache<uint32_t>(next, row + 1);" {hazard}
        if (row >= ROWS) {
            break;
        }
        LocalTensor<float> value = rows.AllocTensor<float>();
        DataCopy(value, xGm[row * COUNT], COUNT);
        rows.EnQue(value);
        value = rows.DeQue<float>();
        DataCopy(yGm[row * COUNT], value, COUNT);
        rows.FreeTensor(value);
    }
    while (AtomicCas(lock, 0u, 1u) != 0u) {
    }
    WriteGmByPassDCache<uint32_t>(sum, ReadGmByPassDCache<uint32_t>(sum) + static_cast<uint32_t>(GetBlockIdx()));
    DataSyncBarrier<MemDsbT::DDR>();  // twin 2 {hazard}
    AtomicExch(lock, 0u);  // twin 3 {deadlock}
    AtomicMax(sum + WORDS, static_cast<uint32_t>(GetBlockIdx()));
    AtomicMin(sum + 2 * WORDS, static_cast<uint32_t>(GetBlockIdx()));
}
