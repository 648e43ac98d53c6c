// Between the vector cores and the cube core of a group without global memory, Ascend 950: UB -> L1, L0C -> UB.
#include "kernel_operator.h"

using namespace AscendC;

struct PairTiling {
    uint32_t m, n, k, dual;
};

constexpr uint32_t BLOCK = 16;
constexpr FixpipeConfig TO_UB = {CO2Layout::ROW_MAJOR, true};
constexpr uint16_t OPERAND = 1, PRODUCT = 2;
constexpr uint16_t SECOND = 16;  // offset of the second vector core's flags on the cube core, mode 4

// Both sides lay out the buffers that the other one writes to, so that addresses agree. m is a multiple of 32.
class Pair {
public:
    __aicore__ inline void Init(TPipe* pipe, const PairTiling& td, GM_ADDR x, GM_ADDR w, GM_ADDR y) {
        td_ = td;
        const uint64_t group = ASCEND_IS_AIV ? GetBlockIdx() / 2 : GetBlockIdx();
        x_.SetGlobalBuffer((__gm__ half*)x + group * td.m * td.k);
        w_.SetGlobalBuffer((__gm__ half*)w);
        y_.SetGlobalBuffer((__gm__ float*)y + group * td.m * td.n);
        pipe->InitBuffer(operand_, td.m * td.k * sizeof(half));
        pipe->InitBuffer(product_, td.m * td.n * sizeof(float));
        if ASCEND_IS_AIC {
            pipe->InitBuffer(b1_, td.n * td.k * sizeof(half));
            pipe->InitBuffer(a2_, td.m * td.k * sizeof(half));
            pipe->InitBuffer(b2_, td.n * td.k * sizeof(half));
            pipe->InitBuffer(co1_, td.m * td.n * sizeof(float));
        } else {
            pipe->InitBuffer(rows_, td.m * td.k * sizeof(half));
        }
    }

    // One half of the rows: columns of blocks are gathered in UB and go to their place in L1.
    __aicore__ inline void Send() {
        const uint32_t rows = td_.m / 2, first = GetSubBlockIdx() * rows;
        LocalTensor<half> local = rows_.Get<half>(), l1 = operand_.Get<half>();
        for (uint32_t column = 0; column < td_.k; column += BLOCK) {
            DataCopyPad(local[column * rows], x_[uint64_t(first) * td_.k + column],
                        {uint16_t(rows), BLOCK * sizeof(half), (td_.k - BLOCK) * uint32_t(sizeof(half)), 0, 0}, {false, 0, 0, half(0)});
        }
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopyParams p;
        p.blockCount = td_.k / BLOCK;
        p.blockLen = rows;
        p.srcGap = 0;
        p.dstGap = td_.m - rows;
        DataCopy(l1[first * BLOCK], local, p);
        CrossCoreSetFlag<4, PIPE_MTE3>(OPERAND);
    }

    __aicore__ inline void Multiply() {
        LocalTensor<half> a1 = operand_.Get<half>(), b1 = b1_.Get<half>(), a2 = a2_.Get<half>(), b2 = b2_.Get<half>();
        LocalTensor<float> c = co1_.Get<float>(), ub = product_.Get<float>();
        DataCopy(b1, w_, Nd2NzParams(1, td_.n, td_.k, 0, td_.k, td_.n, 1, 0));
        SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
        CrossCoreWaitFlag<4, PIPE_MTE1>(OPERAND);
        CrossCoreWaitFlag<4, PIPE_MTE1>(OPERAND + SECOND);
        const uint32_t m1 = td_.m / BLOCK, n1 = td_.n / BLOCK, k1 = td_.k / BLOCK;
        LoadData(a2, a1, LoadData2DParamsV2(0, 0, m1, k1, m1, m1, false, 0));
        LoadData(b2, b1, LoadData2DParamsV2(0, 0, n1, k1, n1, n1, false, 0));
        SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
        WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
        Mmad(c, a2, b2, MmadParams(td_.m, td_.n, td_.k, 0, false, true));
        SetFlag<HardEvent::M_FIX>(EVENT_ID0);
        WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
        FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> p;
        p.nSize = td_.n;
        p.mSize = td_.m;
        p.srcStride = td_.m;
        p.dstStride = td_.dual == 2 ? td_.n / 2 : td_.n;
        p.dualDstCtl = td_.dual;
        p.subBlockId = true;  // of effect without a second destination: all rows go to the second vector core
        Fixpipe<float, float, TO_UB>(ub, c, p);
        CrossCoreSetFlag<2, PIPE_FIX>(PRODUCT);
    }

    __aicore__ inline void Receive() {
        CrossCoreWaitFlag<2, PIPE_MTE3>(PRODUCT);
        LocalTensor<float> ub = product_.Get<float>();
        const uint32_t side = GetSubBlockIdx();
        if (td_.dual == 1) {
            DataCopy(y_[side * td_.m / 2 * td_.n], ub, td_.m / 2 * td_.n);
        } else if (td_.dual == 2) {
            const uint32_t half = td_.n / 2;
            DataCopyPad(y_[side * half], ub, {uint16_t(td_.m), uint32_t(half * sizeof(float)), 0, uint32_t(half * sizeof(float)), 0});
        } else if (side == 1) {
            DataCopy(y_, ub, td_.m * td_.n);
        }
    }

private:
    PairTiling td_;
    GlobalTensor<half> x_, w_;
    GlobalTensor<float> y_;
    TBuf<TPosition::A1> operand_;
    TBuf<TPosition::B1> b1_;
    TBuf<TPosition::A2> a2_;
    TBuf<TPosition::B2> b2_;
    TBuf<TPosition::CO1> co1_;
    TBuf<TPosition::VECCALC> product_, rows_;
};

extern "C" __global__ __aicore__ void cube_950(GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    REGISTER_TILING_DEFAULT(PairTiling);
    GET_TILING_DATA(td, tiling);
    TPipe pipe;
    Pair op;
    op.Init(&pipe, td, x, w, y);
    if ASCEND_IS_AIV {
        op.Send();
        op.Receive();
    } else {
        op.Multiply();
    }
}
