// C = A * B with either operand transposed, tiles of C dealt out to the cube cores. Key: 1 A is transposed, 2 B is,
// 4 C has the type of the operands.
#include "matmul_tile.h"

struct MatmulTiling {
    uint64_t pitchA, pitchB, pitchC;
    uint32_t m, n, k, tileM, tileN, stepL1, stepL0, reserved;
};

template <typename Out, bool transA, bool transB>
__aicore__ inline void Run(GM_ADDR a, GM_ADDR b, GM_ADDR c, const MatmulTiling& td) {
    AscendC::GlobalTensor<IN> ga, gb;
    AscendC::GlobalTensor<Out> gc;
    ga.SetGlobalBuffer((__gm__ IN*)a);
    gb.SetGlobalBuffer((__gm__ IN*)b);
    gc.SetGlobalBuffer((__gm__ Out*)c);
    AscendC::TPipe pipe;
    MatmulTile<IN, transA, transB> tile;
    tile.Init(&pipe, td.tileM, td.tileN, td.stepL1, td.stepL0);
    const uint32_t columns = CeilDiv(td.n, td.tileN), tiles = CeilDiv(td.m, td.tileM) * columns;
    for (uint32_t i = AscendC::GetBlockIdx(); i < tiles; i += AscendC::GetBlockNum()) {
        const uint64_t row = i / columns * td.tileM, column = i % columns * td.tileN;
        const uint32_t m = td.m - row < td.tileM ? td.m - row : td.tileM;
        const uint32_t n = td.n - column < td.tileN ? td.n - column : td.tileN;
        tile.Multiply(ga[transA ? row : row * td.pitchA], td.pitchA, gb[transB ? column * td.pitchB : column], td.pitchB, m, n, td.k);
        tile.Store(gc[row * td.pitchC + column], td.pitchC);
    }
}

extern "C" __global__ __aicore__ void matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    REGISTER_TILING_DEFAULT(MatmulTiling);
    GET_TILING_DATA(td, tiling);
    if (TILING_KEY_IS(0)) {
        Run<float, false, false>(a, b, c, td);
    } else if (TILING_KEY_IS(1)) {
        Run<float, true, false>(a, b, c, td);
    } else if (TILING_KEY_IS(2)) {
        Run<float, false, true>(a, b, c, td);
    } else if (TILING_KEY_IS(3)) {
        Run<float, true, true>(a, b, c, td);
    } else if (TILING_KEY_IS(4)) {
        Run<IN, false, false>(a, b, c, td);
    } else if (TILING_KEY_IS(7)) {
        Run<IN, true, true>(a, b, c, td);
    }
}
