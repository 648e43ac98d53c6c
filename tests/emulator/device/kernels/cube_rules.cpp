// Rules of the cube side, each broken once, by key. Key 0 breaks none: the other keys change one thing.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t M = 16, N = 32, K = 48, BLOCK = 16;
constexpr uint32_t M1 = M / BLOCK, N1 = N / BLOCK, K1 = K / BLOCK, FRACTAL = 256;

template <HardEvent event>
__aicore__ inline void Order() {
    SetFlag<event>(EVENT_ID0);
    WaitFlag<event>(EVENT_ID0);
}

// a [M, K], b [N, K], c [M, N]
__aicore__ inline void Cube(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
    LocalTensor<half> a1(TPosition::A1, 0, 4096), b1(TPosition::B1, 65536, N * K), a2(TPosition::A2, 0, 2048), b2(TPosition::B2, 0, 2048);
    LocalTensor<float> co1(TPosition::CO1, 0, 2048);
    GlobalTensor<half> ga, gb, gh;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer((__gm__ half*)a);
    gb.SetGlobalBuffer((__gm__ half*)b);
    gc.SetGlobalBuffer((__gm__ float*)c);
    gh.SetGlobalBuffer((__gm__ half*)c);

    Nd2NzParams nd(1, M, K, 0, K, M, 1, 0);
    if (TILING_KEY_IS(1)) {
        DataCopy(a1, ga[K], nd);                                                  // K1
    } else if (TILING_KEY_IS(2)) {
        DataCopy(b1[N * K / 2], gb, Nd2NzParams(1, N, K, 0, K, N, 1, 0));         // K2
    } else if (TILING_KEY_IS(3)) {
        nd.nValue = 20000;
        DataCopy(a1, ga, nd);                                                     // K3
    } else if (TILING_KEY_IS(4)) {
        nd.dstNzC0Stride = M - 1;
        DataCopy(a1, ga, nd);                                                     // K4
        return;
    } else if (TILING_KEY_IS(5)) {
        DataCopy(a1[8], ga, nd);                                                  // K5
    } else if (TILING_KEY_IS(29)) {
        nd.srcDValue = 65536;
        nd.nValue = 1;
        DataCopy(a1, ga, nd);                                                     // K29
    }
    PipeBarrier<PIPE_MTE2>();
    nd = Nd2NzParams(1, TILING_KEY_IS(24) ? 1 : M, K, 0, K, M, 1, 0);
    DataCopy(a1, ga, nd);
    nd.nValue = TILING_KEY_IS(10) ? N - 5 : N;  // the last rows of b are missing
    nd.dstNzC0Stride = N;
    DataCopy(b1, gb, nd);
    if (TILING_KEY_IS(22)) {
        WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID1);                                // K22
    } else if (TILING_KEY_IS(30)) {
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0);                                    // K30
    }
    Order<HardEvent::MTE2_MTE1>();

#if __NPU_ARCH__ == 2201
    if (TILING_KEY_IS(9)) {
        LoadData(a2, a1, LoadData2DParamsV2(0, 0, M1, K1, M1, M1, false, 0));     // K9
    }
#else
    if (TILING_KEY_IS(28)) {
        LoadDataWithTranspose(a2, a1, LoadData2dTransposeParams(0, K1, M1, 0, 0)); // K28
    } else if (TILING_KEY_IS(31)) {
        LoadData(a2, a1, LoadData2DParamsV2(0, 0, M1, K1, M1, 0, true, 0));
        LoadData(b2, b1, LoadData2DParamsV2(0, 0, N1, K1, N1, N1 - 1, false, 0)); // K31
    } else if (TILING_KEY_IS(32)) {
        LoadData(a2, a1, LoadData2DParams(1, K1 - 1, M1, 0, 0, false, 0));        // K32
    }
#endif
    LoadData2DParams load(0, K1, M1, 0, 0, false, 0);
    if (TILING_KEY_IS(6)) {
        LoadData(a2[16], a1, load);                                               // K6
    } else if (TILING_KEY_IS(8)) {
        load.repeatTimes = 256;
        LoadData(a2, a1, load);                                                   // K8
        load.repeatTimes = K1;
    } else if (TILING_KEY_IS(21)) {
        LocalTensor<half> big(TPosition::A2, 1024, 32 * 1024);                    // K21
    } else if (TILING_KEY_IS(33)) {
        load.srcStride = 8;
        LoadData(a2, a1, load);                                                   // K33
        load.srcStride = M1;
    } else if (TILING_KEY_IS(19)) {
        LoadData(co1.ReinterpretCast<half>(), a1, load);                          // K19
    }
    PipeBarrier<PIPE_MTE1>();
    LoadData(a2, a1, load);
    LoadData(b2, b1, LoadData2DParams(0, N1 * K1, 1, 0, 0, false, 0));
    Order<HardEvent::MTE1_M>();

    MmadParams p(M, N, K, 0, false, true);
    if (TILING_KEY_IS(7)) {
        Mmad(co1[16], a2, b2, p);                                                 // K7
    } else if (TILING_KEY_IS(11)) {
        p.cmatrixInitVal = false;
        Mmad(co1, a2, b2, p);                                                     // K11
        p.cmatrixInitVal = true;
    } else if (TILING_KEY_IS(12)) {
        Mmad(co1, a2, b2, p);
        p.cmatrixInitVal = false;
        Mmad(co1, a2, b2, p);                                                     // K12
        PipeBarrier<PIPE_M>();
        Mmad(co1, a2, b2, p);
    } else if (TILING_KEY_IS(13)) {
        p.m = 4096;
        Mmad(co1, a2, b2, p);                                                     // K13
        p.m = M;
    } else if (TILING_KEY_IS(34)) {
        p.k = K + 1;
        Mmad(co1, a2, b2, p);                                                     // K34
        p.k = K;
    } else if (TILING_KEY_IS(24)) {
        p.m = 1;  // which reads a vector, not the first row of each block
    }
    p.unitFlag = TILING_KEY_IS(18) ? 3 : 0;
    if (!TILING_KEY_IS(12)) {
        Mmad(co1, a2, b2, p);                                                     // K18 K10 K24
    }
    Order<HardEvent::M_FIX>();

    FixpipeParamsV220 f(N, TILING_KEY_IS(24) ? 1 : M, M, N, false);
    if (TILING_KEY_IS(14)) {
        Fixpipe(gh, co1, f);                                                      // K14
    } else if (TILING_KEY_IS(15)) {
        Fixpipe(gc[1], co1, f);                                                   // K15
    } else if (TILING_KEY_IS(16)) {
        f.dstStride = N - 1;
        Fixpipe(gc, co1, f);                                                      // K16
        f.dstStride = N;
    } else if (TILING_KEY_IS(17)) {
        f.nSize = N - 1;
        Fixpipe<float, float, CFG_NZ>(gc, co1, f);                                // K17
        f.nSize = N;
    } else if (TILING_KEY_IS(23)) {
        f.mSize = M / 2;
        f.srcStride = 2 * M;
        Fixpipe(gc, co1, f);                                                      // K23
        f = FixpipeParamsV220(N, M, M, N, false);
    } else if (TILING_KEY_IS(25)) {
        LocalTensor<float> ub(TPosition::VECCALC, 0, M * N);
        Fixpipe(ub, co1, f);                                                      // K25
    } else if (TILING_KEY_IS(35)) {
        f.unitFlag = 3;
        Fixpipe(gc, co1, f);                                                      // K35
        f.unitFlag = 0;
    } else if (TILING_KEY_IS(20)) {
        LocalTensor<float> ub(TPosition::VECCALC, 0, 64);
        Adds(ub, ub, 1.0f, 64);                                                   // K20
    }
#if __NPU_ARCH__ == 3510
    if (TILING_KEY_IS(26)) {
        static constexpr FixpipeConfig toUb = {CO2Layout::ROW_MAJOR, true};
        LocalTensor<float> ub(TPosition::VECCALC, 0, M * N);
        FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> q(N, M - 1, M, N);
        q.dualDstCtl = 1;
        Fixpipe<float, float, toUb>(ub, co1, q);                                  // K26
    }
#endif
    PipeBarrier<PIPE_FIX>();
    Fixpipe(gc, co1, f);
}

// Each vector core of a group leaves a fractal in the L1 of its cube core, which takes both.
__aicore__ inline void LeaveInL1() {
    LocalTensor<half> ub(TPosition::VECCALC, 0, 256), l1(TPosition::A1, 512 * GetSubBlockIdx(), 256);
    Duplicate(ub, half(1), 256);
    Order<HardEvent::V_MTE3>();
    DataCopy(l1, ub, 256);                                                        // LEAVE
    Order<HardEvent::MTE3_V>();
}

__aicore__ inline void TakeFromL1() {
#if __NPU_ARCH__ == 3510
    LocalTensor<half> a1(TPosition::A1, 0, 512), a2(TPosition::A2, 0, 512);
    CrossCoreWaitFlag<4, PIPE_MTE1>(1);
    CrossCoreWaitFlag<4, PIPE_MTE1>(17);
    LoadData(a2, a1, LoadData2DParamsV2(0, 0, 1, 2, 1, 1, false, 0));             // TAKE
#endif
}

__aicore__ inline void Flags() {
    if (TILING_KEY_IS(40)) {
        if ASCEND_IS_AIC {
            CrossCoreWaitFlag<2, PIPE_MTE2>(3);                                   // K40
        }
    } else if (TILING_KEY_IS(41)) {
        if ASCEND_IS_AIV {
            CrossCoreSetFlag<2, PIPE_MTE3>(3);                                    // K41
        }
    } else if (TILING_KEY_IS(42)) {
        if (ASCEND_IS_AIV && GetSubBlockIdx() == 0) {
            CrossCoreSetFlag<2, PIPE_MTE3>(3);                                    // K42
        }
    } else if (TILING_KEY_IS(43)) {
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<2, PIPE_FIX>(16);                                    // K43
        }
    } else if (TILING_KEY_IS(44)) {
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<2, PIPE_FIX>(12);                                    // K44
        } else {
            CrossCoreWaitFlag<2, PIPE_MTE2>(5 + 7);
        }
    } else if (TILING_KEY_IS(45)) {
        if ASCEND_IS_AIC {
            for (uint32_t i = 0; i < 16; ++i) {
                CrossCoreSetFlag<2, PIPE_FIX>(1);                                 // K45
            }
        }
        if ASCEND_IS_AIV {
            for (uint32_t i = 0; i < 16; ++i) {
                CrossCoreWaitFlag<2, PIPE_MTE2>(1);
            }
        }
    } else if (TILING_KEY_IS(46)) {
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<3, PIPE_FIX>(1);                                     // K46
        }
    } else if (TILING_KEY_IS(47)) {
        if ASCEND_IS_AIV {
            CrossCoreSetFlag<2, PIPE_FIX>(1);                                     // K47
        }
    } else if (TILING_KEY_IS(48)) {
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<2, PIPE_S>(1);                                       // K48
        } else {
            CrossCoreWaitFlag<2, PIPE_V>(1);
        }
    } else if (TILING_KEY_IS(49)) {
        if ASCEND_IS_AIC {
            CrossCoreWaitFlag<2, PIPE_MTE2>(1);                                   // K49
            SyncAll<false>();
        } else {
            SyncAll<false>();                                                     // BARRIER
            CrossCoreSetFlag<2, PIPE_MTE3>(1);
        }
    } else if (TILING_KEY_IS(50)) {
        if ASCEND_IS_AIV {
            CrossCoreSetFlag<0, PIPE_MTE3>(1);                                    // K50
            CrossCoreWaitFlag<0, PIPE_MTE2>(1);
            CrossCoreSetFlag<1, PIPE_MTE3>(2);
            CrossCoreWaitFlag<1, PIPE_MTE2>(2);
        }
    } else if (TILING_KEY_IS(51)) {
        // Each side waits for the other one first.
        if ASCEND_IS_AIC {
            CrossCoreWaitFlag<2, PIPE_MTE2>(1);                                   // K51
            CrossCoreSetFlag<2, PIPE_FIX>(2);
        } else {
            CrossCoreWaitFlag<2, PIPE_MTE2>(2);                                   // OTHER
            CrossCoreSetFlag<2, PIPE_MTE3>(1);
        }
    } else if (TILING_KEY_IS(52)) {
        if ASCEND_IS_AIV {
            LocalTensor<half> ub(TPosition::VECCALC, 0, 256), l1(TPosition::A1, 512 * GetSubBlockIdx(), 256);
            Duplicate(ub, half(1), 256);
            Order<HardEvent::V_MTE3>();
            DataCopy(l1, ub, 256);                                                // K52
        }
    } else if (TILING_KEY_IS(53)) {
        if ASCEND_IS_AIC {
            SyncAll();                                                            // K53
        }
    } else if (TILING_KEY_IS(54)) {
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<4, PIPE_FIX>(17);                                    // K54
        } else if (GetSubBlockIdx() == 1) {
            CrossCoreWaitFlag<4, PIPE_V>(1);
        }
    } else if (TILING_KEY_IS(55)) {
        // The flag is set by a pipe that does not copy.
        if ASCEND_IS_AIV {
            LeaveInL1();
            CrossCoreSetFlag<4, PIPE_MTE2>(1);
        } else {
            TakeFromL1();
        }
    } else if (TILING_KEY_IS(56)) {
        // The second operand does not wait until the first one has been read.
        if ASCEND_IS_AIV {
            LeaveInL1();
            CrossCoreSetFlag<4, PIPE_MTE3>(1);
            LeaveInL1();
        } else {
            TakeFromL1();
        }
    } else if (TILING_KEY_IS(57)) {
        if ASCEND_IS_AIV {
            LeaveInL1();
            CrossCoreSetFlag<4, PIPE_MTE3>(1);
            CrossCoreWaitFlag<4, PIPE_MTE3>(2);
            LeaveInL1();
        } else {
            TakeFromL1();
            CrossCoreSetFlag<4, PIPE_MTE1>(2);
            CrossCoreSetFlag<4, PIPE_MTE1>(18);
        }
    }
}

extern "C" __global__ __aicore__ void cube_rules(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling) {
#if defined(CUBE_ONLY)
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
#else
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
#endif
    if (TILING_KEY_VAR >= 40) {
        Flags();
    } else if ASCEND_IS_AIC {
        Cube(a, b, c);
    }
}
