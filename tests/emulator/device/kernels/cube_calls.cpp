// Calls of the cube side one by one, by key; numbers are compared with NumPy. Tensors are placed by hand, pipes ordered
// by flags.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t L1_A = 0, L1_B = 128 * 1024;  // bytes
constexpr uint32_t BLOCK = 16;

struct CallsTiling {
    uint32_t m, n, k, mode;
};

template <HardEvent event>
__aicore__ inline void Order() {
    SetFlag<event>(EVENT_ID0);
    WaitFlag<event>(EVENT_ID0);
}

__aicore__ inline uint32_t Up(uint32_t size, uint32_t to) { return (size + to - 1) / to * to; }

template <typename T>
__aicore__ inline void ToL1(const LocalTensor<T>& to, GM_ADDR from, uint32_t rows, uint32_t columns) {
    GlobalTensor<T> g;
    g.SetGlobalBuffer((__gm__ T*)from);
    DataCopy(to, g, Nd2NzParams(1, rows, columns, 0, columns, Up(rows, BLOCK), 1, 0));
}

// [m, k] rows of L1 to L0A as the product wants them.
template <typename T>
__aicore__ inline void ToL0A(const LocalTensor<T>& a2, const LocalTensor<T>& a1, uint32_t m, uint32_t k) {
    constexpr uint32_t c0 = 32 / sizeof(T);
    const uint32_t m1 = Up(m, BLOCK) / BLOCK, k1 = Up(k, c0) / c0;
#if __NPU_ARCH__ == 3510
    LoadData(a2, a1, LoadData2DParamsV2(0, 0, m1, k1, m1, m1, false, 0));
#else
    for (uint32_t i = 0; i < m1; ++i) {
        LoadData(a2[i * k1 * BLOCK * c0], a1[i * BLOCK * c0], LoadData2DParams(0, k1, m1, 0, 0, false, 0));
    }
#endif
}

// [n, k] rows of L1 to L0B: the blocks are in the right order and the right way round.
template <typename T>
__aicore__ inline void ToL0B(const LocalTensor<T>& b2, const LocalTensor<T>& b1, uint32_t n, uint32_t k) {
    constexpr uint32_t c0 = 32 / sizeof(T);
    const uint32_t n1 = Up(n, BLOCK) / BLOCK, k1 = Up(k, c0) / c0;
#if __NPU_ARCH__ == 3510
    LoadData(b2, b1, LoadData2DParamsV2(0, 0, n1, k1, n1, n1, false, 0));
#else
    LoadData(b2, b1, LoadData2DParams(0, n1 * k1, 1, 0, 0, false, 0));
#endif
}

// C of a [m, k] and b [n, k] in L0C.
template <typename T>
__aicore__ inline LocalTensor<float> Product(GM_ADDR a, GM_ADDR b, const CallsTiling& td) {
    LocalTensor<T> a1(TPosition::A1, L1_A, 16384), b1(TPosition::B1, L1_B, 16384);
    LocalTensor<T> a2(TPosition::A2, 0, 8192), b2(TPosition::B2, 0, 8192);
    LocalTensor<float> c(TPosition::CO1, 0, 16384);
    ToL1(a1, a, td.m, td.k);
    ToL1(b1, b, td.n, td.k);
    Order<HardEvent::MTE2_MTE1>();
    ToL0A(a2, a1, td.m, td.k);
    ToL0B(b2, b1, td.n, td.k);
    Order<HardEvent::MTE1_M>();
    MmadParams p;
    p.m = td.m;
    p.n = td.n;
    p.k = td.k;
    Mmad(c, a2, b2, p);
    Order<HardEvent::M_FIX>();
    return c;
}

template <typename Out>
__aicore__ inline void Store(GM_ADDR to, const LocalTensor<float>& c, const CallsTiling& td, QuantMode_t quant = QuantMode_t::NoQuant) {
    GlobalTensor<Out> g;
    g.SetGlobalBuffer((__gm__ Out*)to);
    FixpipeParamsV220 p;
    p.nSize = td.n;
    p.mSize = td.m;
    p.srcStride = Up(td.m, BLOCK);
    p.dstStride = td.n;
    p.quantPre = quant;
    p.reluEn = td.mode == 1;
    Fixpipe(g, c, p);
}

// NZ in global memory, and several matrices of one result.
__aicore__ inline void Layouts(GM_ADDR a, GM_ADDR b, GM_ADDR c, const CallsTiling& td) {
    LocalTensor<float> co1 = Product<half>(a, b, td);
    GlobalTensor<half> nz;
    nz.SetGlobalBuffer((__gm__ half*)c);
    GlobalTensor<float> nd;
    nd.SetGlobalBuffer((__gm__ float*)c);
    const uint32_t rows = Up(td.m, BLOCK);
#if __NPU_ARCH__ == 3510
    FixpipeParamsArch3510<CO2Layout::NZ> p(td.n, td.m, rows, td.m * BLOCK);  // elements
    p.quantPre = QuantMode_t::F322F16;
    Fixpipe<half, float, CFG_NZ>(nz, co1, p);
    FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> q(td.n, BLOCK, rows, td.n);
    q.params.ndNum = td.m / BLOCK;
    q.params.srcNdStride = BLOCK;  // rows of 16 sums
    q.params.dstNdStride = (BLOCK + 1) * td.n;
#else
    FixpipeParamsV220 p(td.n, td.m, rows, td.m, false);  // data blocks: 16 elements of 16 bits
    p.quantPre = QuantMode_t::F322F16;
    Fixpipe<half, float, CFG_NZ>(nz, co1, p);
    FixpipeParamsV220 q(td.n, BLOCK, rows, td.n, false);
    q.ndNum = td.m / BLOCK;
    q.srcNdStride = 1;  // blocks of 16 x 16 sums
    q.dstNdStride = (BLOCK + 1) * td.n;
#endif
    Fixpipe(nd[td.m * td.n / 2], co1, q);
}

// C in L1 as the left operand of a second product: (a b^T) b^T, n == k.
__aicore__ inline void Chained(GM_ADDR a, GM_ADDR b, GM_ADDR c, const CallsTiling& td) {
    LocalTensor<float> co1 = Product<half>(a, b, td);
    LocalTensor<half> a1(TPosition::A1, L1_A, 16384), a2(TPosition::A2, 0, 8192), b2(TPosition::B2, 0, 8192);
    const uint32_t rows = Up(td.m, BLOCK);
#if __NPU_ARCH__ == 3510
    FixpipeParamsArch3510<CO2Layout::NZ> p(td.n, td.m, rows, rows * BLOCK);
#else
    FixpipeParamsV220 p(td.n, td.m, rows, rows, false);
#endif
    p.quantPre = QuantMode_t::F322F16;
    Fixpipe<half, float, CFG_NZ>(a1, co1, p);
    Order<HardEvent::FIX_MTE1>();
    ToL0A(a2, a1, td.m, td.n);
    Order<HardEvent::MTE1_M>();
    MmadParams q(td.m, td.n, td.n, 0, false, true);
    Mmad(co1, a2, b2, q);
    Order<HardEvent::M_FIX>();
    Store<float>(c, co1, td);
}

// a is [k, m], b is [k, n], float or of 16 bits, through the loads that transpose squares.
template <typename T>
__aicore__ inline void Transposed(GM_ADDR a, GM_ADDR b, GM_ADDR c, const CallsTiling& td) {
    constexpr uint32_t c0 = 32 / sizeof(T);
    LocalTensor<T> a1(TPosition::A1, L1_A, 16384), b1(TPosition::B1, L1_B, 16384);
    LocalTensor<T> a2(TPosition::A2, 0, 8192), b2(TPosition::B2, 0, 8192);
    LocalTensor<float> co1(TPosition::CO1, 0, 16384);
    const uint32_t mBlocks = Up(td.m, BLOCK) / BLOCK, nBlocks = Up(td.n, BLOCK) / BLOCK, kSquares = Up(td.k, BLOCK) / BLOCK;
    MmadParams p(td.m, td.n, td.k, 0, false, true);
#if __NPU_ARCH__ == 3510
    ToL1(a1, a, td.k, td.m);
    ToL1(b1, b, td.k, td.n);
    Order<HardEvent::MTE2_MTE1>();
    LoadData(a2, a1, LoadData2DParamsV2(0, 0, kSquares, mBlocks * BLOCK / c0, kSquares, mBlocks, true, 0));
    LoadData(b2, b1, LoadData2DParamsV2(0, 0, kSquares, nBlocks * BLOCK / c0, kSquares, nBlocks, true, 0));
#else
    // Squares of L1 follow each other; for float two blocks side by side make one, so the columns are laid down in pairs:
    // ZZ. A row of squares at a time.
    GlobalTensor<T> ga, gb;
    ga.SetGlobalBuffer((__gm__ T*)a);
    gb.SetGlobalBuffer((__gm__ T*)b);
    for (uint32_t i = 0; i < kSquares; ++i) {
        const uint32_t rows = td.k - i * BLOCK < BLOCK ? td.k - i * BLOCK : BLOCK;
        DataCopy(a1[i * mBlocks * BLOCK * BLOCK], ga[i * BLOCK * td.m], Nd2NzParams(1, rows, td.m, 0, td.m, BLOCK, 1, 0));
        DataCopy(b1[i * nBlocks * BLOCK * BLOCK], gb[i * BLOCK * td.n], Nd2NzParams(1, rows, td.n, 0, td.n, BLOCK, 1, 0));
    }
    Order<HardEvent::MTE2_MTE1>();
    const uint32_t parts = BLOCK / c0;
    for (uint32_t i = 0; i < mBlocks; ++i) {
        // Square (k, m) becomes blocks (m, k), side by side in ZZ.
        LoadDataWithTranspose(a2[i * kSquares * BLOCK * BLOCK], a1[i * BLOCK * BLOCK],
                              LoadData2dTransposeParams(0, kSquares, mBlocks, parts - 1, 0));
    }
    for (uint32_t i = 0; i < kSquares; ++i) {
        LoadDataWithTranspose(b2[i * nBlocks * BLOCK * BLOCK], b1[i * nBlocks * BLOCK * BLOCK],
                              LoadData2dTransposeParams(0, nBlocks, 1, 0, nBlocks - 1));
    }
    p.kDirectionAlign = sizeof(T) == 4;
#endif
    Order<HardEvent::MTE1_M>();
    Mmad(co1, a2, b2, p);
    Order<HardEvent::M_FIX>();
    Store<float>(c, co1, td);
}

// A bias row, the unit flag, one row as a vector.
__aicore__ inline void Others(GM_ADDR a, GM_ADDR b, GM_ADDR c, const CallsTiling& td) {
    LocalTensor<half> a1(TPosition::A1, L1_A, 16384), b1(TPosition::B1, L1_B, 16384), a2(TPosition::A2, 0, 8192), b2(TPosition::B2, 0, 8192);
    LocalTensor<float> co1(TPosition::CO1, 0, 16384), ones(TPosition::C1, 2 * L1_B, 256), bias(TPosition::C2, 0, 128);
    GlobalTensor<half> ga;
    ga.SetGlobalBuffer((__gm__ half*)a);
    DataCopy(a1, ga, Nd2NzParams(1, 1, td.k, 0, td.k, 1, 1, 0));  // blocks follow each other: the row itself
    ToL1(b1, b, td.n, td.k);
    InitConstValueParams<float> one;
    one.repeatTimes = 1;
    one.blockNum = 16;
    one.initValue = 1.0f;
    Fill(ones, one);
    Order<HardEvent::MTE2_MTE1>();
    LoadData(a2, a1, LoadData2DParams(0, Up(td.k, 256) / 256, 1, 0, 0, false, 0));
    ToL0B(b2, b1, td.n, td.k);
    DataCopy(bias, ones, Up(td.n, 16));
    Order<HardEvent::MTE1_M>();
    MmadParams p(1, td.n, td.k, 0, false, false);
    Mmad(co1, a2, b2, bias, p);
    PipeBarrier<PIPE_M>();
    p.unitFlag = 3;
    Mmad(co1, a2, b2, p);  // added to the first
    GlobalTensor<float> g;
    g.SetGlobalBuffer((__gm__ float*)c);
    FixpipeParamsV220 q(td.n, 1, BLOCK, td.n, false);
    q.unitFlag = 3;
    Fixpipe(g, co1, q);
}

extern "C" __global__ __aicore__ void cube_calls(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_0);
    REGISTER_TILING_DEFAULT(CallsTiling);
    GET_TILING_DATA(td, tiling);
    InitSocState();
    if (TILING_KEY_IS(0)) {
        Store<float>(c, Product<half>(a, b, td), td);
    } else if (TILING_KEY_IS(1)) {
        Store<float>(c, Product<float>(a, b, td), td);
    } else if (TILING_KEY_IS(2)) {
        Layouts(a, b, c, td);
    } else if (TILING_KEY_IS(3)) {
        Chained(a, b, c, td);
    } else if (TILING_KEY_IS(4)) {
        Transposed<float>(a, b, c, td);
    } else if (TILING_KEY_IS(5)) {
        Transposed<half>(a, b, c, td);
    } else if (TILING_KEY_IS(6)) {
        Others(a, b, c, td);
    }
    PipeBarrier<PIPE_ALL>();
}
