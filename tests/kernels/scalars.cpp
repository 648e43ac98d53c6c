// y = x / sum(x), row by row: the scalar unit reads a sum that vectors made and writes a value that they use.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t WIDTH = 64;
constexpr int32_t ROWS = 4;

template <HardEvent EVENT>
__aicore__ inline void WaitFor()
{
    const TEventID id = GetTPipePtr()->FetchEventID(EVENT);
    SetFlag<EVENT>(id);
    WaitFlag<EVENT>(id);
}

extern "C" __global__ __aicore__ void normalise(GM_ADDR x, GM_ADDR y)
{
    const int64_t begin = GetBlockIdx() * ROWS * WIDTH;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + begin, ROWS * WIDTH);
    yGm.SetGlobalBuffer((__gm__ float*)y + begin, ROWS * WIDTH);
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuffer, sumBuffer;
    pipe.InitBuffer(rowBuffer, ROWS * WIDTH * sizeof(float));
    pipe.InitBuffer(sumBuffer, 32 + 32);
    const LocalTensor<float> rows = rowBuffer.Get<float>();
    const LocalTensor<float> sums = sumBuffer.Get<float>();
    const LocalTensor<float> factors = sums[8];
    DataCopy(rows, xGm, ROWS * WIDTH);
    WaitFor<HardEvent::MTE2_V>();  // twin 1 {hazard}
    WholeReduceSum(sums, rows, WIDTH, ROWS, 1, 1, WIDTH / 8);
    WaitFor<HardEvent::V_S>();  // twin 2 {hazard}
    for (int32_t row = 0; row < ROWS; ++row) {
        factors.SetValue(row, 1.0f / sums.GetValue(row));
    }
    for (int32_t row = 0; row < ROWS; ++row) {
        Muls(rows[row * WIDTH], rows[row * WIDTH], factors.GetValue(row), WIDTH);
    }
    WaitFor<HardEvent::V_MTE3>();  // twin 3 {hazard}
    DataCopy(yGm, rows, ROWS * WIDTH);
}
