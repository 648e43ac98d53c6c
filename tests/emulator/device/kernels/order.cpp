// Order among pipes and cores. Tiling keys come in pairs: 2 * n keeps the order, 2 * n + 1 leaves out what makes it, and
// the access marked Kn then meets the one marked Fn.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t N = 64;  // floats of a tile
constexpr uint32_t BYTES = N * sizeof(float);

template <HardEvent event>
__aicore__ inline void Order(bool really = true) {
    if (really) {
        const event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(event));
        SetFlag<event>(id);
        WaitFlag<event>(id);
    }
}

// Without a TPipe.
template <HardEvent event>
__aicore__ inline void Flag(bool really = true) {
    if (really) {
        SetFlag<event>(EVENT_ID0);
        WaitFlag<event>(EVENT_ID0);
    }
}

struct Args {
    GlobalTensor<float> x, y, w;
};

__aicore__ inline void Stage(Args& g, bool keep, TPipe& pipe) {
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(out, 1, BYTES);
    LocalTensor<float> t = out.AllocTensor<float>();
    Duplicate(t, 1.0f, N);
    out.EnQue(t);
    t = out.DeQue<float>();
    DataCopy(g.y, t, N);                                           // F14
    out.FreeTensor(t);
    if (!keep) {
        pipe.DestroyWithoutPipeAll();
    }
}

__aicore__ inline void Vector(Args& g, int key, bool keep) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf;
    if (key != 14 && key != 15) {
        pipe.InitBuffer(aBuf, 4 * BYTES);
        pipe.InitBuffer(bBuf, 4 * BYTES);
    }
    LocalTensor<float> a, b;
    if (key != 14 && key != 15) {
        a = aBuf.Get<float>();
        b = bBuf.Get<float>();
    }
    if (key == 0) {
        DataCopy(a, g.x, N);                                       // F0
        Order<HardEvent::MTE2_V>(keep);
        Adds(b, a, 1.0f, N);                                       // K0
    } else if (key == 1) {
        Duplicate(a, 1.0f, N);                                     // F1
        Order<HardEvent::V_MTE3>(keep);
        DataCopy(g.y, a, N);                                       // K1
    } else if (key == 2) {
        for (int i = 0; i < 2; ++i) {
            DataCopy(a, g.x, N);                                   // K2
            Order<HardEvent::MTE2_V>();
            Adds(b, a, 1.0f, N);                                   // F2
            Order<HardEvent::V_MTE2>(keep);
        }
    } else if (key == 3) {
        // A result leaves from a VECIN buffer: freeing it orders V with the next copy, not MTE3.
        TQue<TPosition::VECIN, 1> in;
        pipe.InitBuffer(in, 1, BYTES);                             // QUEUE3
        for (int i = 0; i < 2; ++i) {
            LocalTensor<float> t = in.AllocTensor<float>();
            DataCopy(t, g.x, N);                                   // K3
            in.EnQue(t);
            t = in.DeQue<float>();
            Adds(t, t, 1.0f, N);
            Order<HardEvent::V_MTE3>();
            DataCopy(g.y[i * N], t, N);                            // F3
            Order<HardEvent::MTE3_MTE2>(keep);
            in.FreeTensor(t);
        }
    } else if (key == 4) {
        TQue<TPosition::VECIN, 1> in;
        pipe.InitBuffer(in, 2, BYTES);
        LocalTensor<float> t = in.AllocTensor<float>();
        DataCopy(t, g.x, N);                                       // F4
        if (keep) {
            in.EnQue(t);
            t = in.DeQue<float>();
        }
        Adds(b, t, 1.0f, N);                                       // K4
        in.FreeTensor(t);
    } else if (key == 5) {
        TQue<TPosition::VECOUT, 1> out;
        pipe.InitBuffer(out, 1, BYTES);
        for (int i = 0; i < 2; ++i) {
            LocalTensor<float> t = out.AllocTensor<float>();
            Duplicate(t, 1.0f, N);                                 // F5
            if (keep) {
                out.EnQue(t);
                t = out.DeQue<float>();
            }
            DataCopy(g.y[i * N], t, N);                            // K5
            out.FreeTensor(t);
        }
    } else if (key == 6) {
        // One buffer for both ways.
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bound;
        pipe.InitBuffer(bound, 1, BYTES);
        for (int i = 0; i < 2; ++i) {
            LocalTensor<float> t = bound.AllocTensor<float>();
            DataCopy(t, g.x, N);                                   // F6
            bound.EnQue(t);
            t = bound.DeQue<float>();
            if (!keep) {
                Adds(t, t, 1.0f, N);                               // K6
                Order<HardEvent::V_MTE3>();
            }
            DataCopy(g.y[i * N], t, N);
            bound.FreeTensor(t);
        }
    } else if (key == 7) {
        DataCopy(a, g.x, N);                                       // F7
        if (keep) {
            PipeBarrier<PIPE_MTE2>();
        }
        DataCopy(a[N / 2], g.x, N);                                // K7
    } else if (key == 8) {
        Duplicate(a, 1.0f, N);
        Order<HardEvent::V_MTE3>();
        DataCopy(g.y, a, N);                                       // F8
        if (keep) {
            PipeBarrier<PIPE_MTE3>();
        }
        DataCopy(g.y[N - 8], a, 8);                                // K8
    } else if (key == 9) {
        Duplicate(a, 1.0f, N);
        Order<HardEvent::V_MTE3>();
        DataCopy(g.w, a, N);                                       // F9
        Order<HardEvent::MTE3_MTE2>(keep);
        DataCopy(b, g.w, N);                                       // K9
    } else if (key == 10) {
        // Rows that lie between the rows of another copy, or in them.
        DataCopy(a, g.x, DataCopyParams(4, 1, 0, 1));              // F10
        DataCopy(a[keep ? 8 : 32], g.x, DataCopyParams(4, 1, 0, 1));  // K10
    } else if (key == 11) {
        // What a copy of a few bytes leaves is padded to a block.
        DataCopyPad(a, g.x, {1, sizeof(float), 0, 0, 0}, {true, 0, 7, 0.0f});  // F11
        Order<HardEvent::MTE2_S>(keep);
        a.GetValue(5);                                             // K11
    } else if (key == 12) {
        Duplicate(a, 1.0f, N);                                     // F12
        if (keep) {
            PipeBarrier<PIPE_V>();
        }
        Adds(b, a, 1.0f, N);                                       // K12
    } else if (key == 13) {
        // Repeats at a stride leave what is between them to others.
        DataCopy(a, g.x, DataCopyParams(4, 1, 0, 1));              // F13
        Adds(a[keep ? 8 : 0], a[keep ? 8 : 0], 1.0f, (uint64_t)8, 4, UnaryRepeatParams(1, 1, 2, 2));  // K13
    } else if (key == 14) {
        pipe.Destroy();
        {
            TPipe first;
            Stage(g, keep, first);
        }
        TPipe second;
        TBuf<TPosition::VECCALC> buf;
        second.InitBuffer(buf, BYTES);
        DataCopy(buf.Get<float>(), g.x, N);                        // K14
    } else if (key == 15) {
        // Reset waits for the queues of the pipe, each as its position says.
        TQue<TPosition::VECIN, 1> in;
        TQue<TPosition::VECOUT, 1> out;
        pipe.InitBuffer(in, 1, BYTES);
        pipe.InitBuffer(out, 1, BYTES);
        LocalTensor<float> t = in.AllocTensor<float>();
        DataCopy(t, g.x, N);
        in.EnQue(t);
        t = in.DeQue<float>();
        LocalTensor<float> u = out.AllocTensor<float>();
        Adds(u, t, 1.0f, N);
        in.FreeTensor(t);
        out.EnQue(u);
        u = out.DeQue<float>();
        DataCopy(g.y, u, N);                                       // F15
        out.FreeTensor(u);
        if (keep) {
            Order<HardEvent::MTE3_MTE2>();
        }
        pipe.Reset();
        pipe.InitBuffer(in, 2, BYTES);
        for (int i = 0; i < 2; ++i) {
            t = in.AllocTensor<float>();
            DataCopy(t, g.x, N);                                   // K15
            in.EnQue(t);
            t = in.DeQue<float>();
            in.FreeTensor(t);
        }
    } else if (key == 16) {
        // Order passes on: MTE2 before V before MTE3.
        DataCopy(a, g.x, N);                                       // F16
        Order<HardEvent::MTE2_V>();
        Duplicate(b, 1.0f, N);
        Order<HardEvent::V_MTE3>(keep);
        DataCopy(g.y, a, N);                                       // K16
    } else if (key == 17) {
        // Two flags of one event, set and waited for in the order of the buffers.
        const event_t first = static_cast<event_t>(pipe.AllocEventID<HardEvent::MTE2_V>());
        const event_t second = static_cast<event_t>(pipe.AllocEventID<HardEvent::MTE2_V>());
        DataCopy(a, g.x, N);
        SetFlag<HardEvent::MTE2_V>(first);
        DataCopy(b, g.x, N);                                       // F17
        SetFlag<HardEvent::MTE2_V>(second);
        WaitFlag<HardEvent::MTE2_V>(keep ? second : first);
        Adds(b, b, 1.0f, N);                                       // K17
        WaitFlag<HardEvent::MTE2_V>(keep ? first : second);
        pipe.ReleaseEventID<HardEvent::MTE2_V>(first);
        pipe.ReleaseEventID<HardEvent::MTE2_V>(second);
    } else if (key == 18) {
        // A write of the scalar unit to global memory is none of those that the compiler orders.
        Duplicate(a, 1.0f, N);
        Order<HardEvent::V_MTE3>();
        g.y.SetValue(3, 2.0f);                                     // F18
        DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE>(g.y);
        Order<HardEvent::S_MTE3>(keep);
        DataCopy(g.y, a, N);                                       // K18
    }
    if (key == 19) {
        // The scalar unit hands out the instructions: what it has waited for is over for all pipes, what it reads is not.
        DataCopy(a, g.x, N);
        Order<HardEvent::MTE2_S>();
        Adds(b, a, 1.0f, N);
        Order<HardEvent::V_S>();
        a.GetValue(0);                                             // F19
        Order<HardEvent::S_MTE2>(keep);
        DataCopy(a, g.x, N);                                       // K19
    }
}

// Every core writes its place of the workspace; then it reads that of the next one.
__aicore__ inline void Cores(Args& g, int key, bool keep) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, BYTES + GetBlockNum() * 32);
    LocalTensor<float> t = buf.Get<float>();
    const uint32_t own = GetBlockIdx() * N, next = (GetBlockIdx() + 1) % GetBlockNum() * N;
    Duplicate(t, float(GetBlockIdx()), N);
    Order<HardEvent::V_MTE3>();
    if (key == 30) {
        DataCopy(g.w[own], t, N);                                  // K30
        if (keep) {
            SyncAll();
        }
        PipeBarrier<PIPE_ALL>();
        DataCopy(t, g.w[next], N);                                 // F30
    } else if (key == 31) {
        // The flag says how far the pipe that sets it has come.
        DataCopy(g.w[own], t, N);                                  // K31
        if (keep) {
            CrossCoreSetFlag<0, PIPE_MTE3>(0);
        } else {
            CrossCoreSetFlag<0, PIPE_MTE2>(0);
        }
        CrossCoreWaitFlag<0, PIPE_MTE2>(0);
        PipeBarrier<PIPE_ALL>();
        DataCopy(t, g.w[next], N);                                 // F31
    } else if (key == 32) {
        // On 3510 a wait holds back one pipe.
        DataCopy(g.w[own], t, N);                                  // K32
        CrossCoreSetFlag<0, PIPE_MTE3>(0);
        if (keep) {
            CrossCoreWaitFlag<0, PIPE_MTE2>(0);
        } else {
            CrossCoreWaitFlag<0, PIPE_V>(0);
        }
        Order<HardEvent::MTE3_MTE2>();
        DataCopy(t, g.w[next], N);                                 // F32
    } else if (key == 33) {
        // Additions may come in any order, a plain store among them not.
        SyncAll();
        SetAtomicAdd<float>();
        if (!keep && GetBlockIdx() == 1) {
            SetAtomicNone();
        }
        DataCopy(g.x, t, N);                                       // K33 F33
        SetAtomicNone();
    } else if (key == 34) {
        // The soft form; each core zeroes what all of them count in.
        GlobalTensor<int32_t> counters;
        counters.SetGlobalBuffer((__gm__ int32_t*)g.w.GetPhyAddr());
        LocalTensor<int32_t> local = buf.Get<int32_t>()[N];
        PipeBarrier<PIPE_ALL>();
        Duplicate(local, 0, int32_t(GetBlockNum()) * 8);
        Order<HardEvent::V_MTE3>();
        DataCopy(counters, local, uint32_t(GetBlockNum()) * 8);
        DataCopy(g.y[own], t, N);                                  // K34
        if (keep) {
            SyncAll(counters, local);
        }
        PipeBarrier<PIPE_ALL>();
        DataCopy(t, g.y[next], N);                                 // F34
    }
    else if (key == 36) {
        // Read back by all cores: its own part, which a flag would do for, and those of the others.
        TBuf<TPosition::VECCALC> allBuf;
        pipe.InitBuffer(allBuf, GetBlockNum() * BYTES);
        LocalTensor<float> all = allBuf.Get<float>();
        DataCopy(g.w[own], t, N);                                  // K36
        if (keep) {
            SyncAll();
        }
        DataCopy(all, g.w, GetBlockNum() * N);                     // F36
    }
#if __NPU_ARCH__ == 3510
    else if (key == 35) {
        // A barrier of named pipes: what MTE3 has stored is there for MTE2, the buffer is not free for V.
        static constexpr SyncAllConfig copies = {PIPE_MTE3, PIPE_MTE2};
        DataCopy(g.w[own], t, N);                                  // F35
        SyncAll<true, copies>();
        if (keep) {
            PipeBarrier<PIPE_ALL>();
            DataCopy(t, g.w[next], N);
        } else {
            Duplicate(t, 0.0f, N);                                 // K35
        }
    }
#endif
}

// A product of 16 x 16 by hand; left out in turn: what orders one memory.
__aicore__ inline void Cube(Args& g, int key, bool keep) {
    LocalTensor<float> a1(TPosition::A1, 0, 256), b1(TPosition::B1, 1024, 256), a2(TPosition::A2, 0, 256), b2(TPosition::B2, 0, 256);
    LocalTensor<float> sum(TPosition::CO1, 0, 256);
    for (int i = 0; i < 2; ++i) {
        DataCopy(a1, g.x, Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));   // F40
        DataCopy(b1, g.x, Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));   // K43
        Flag<HardEvent::MTE2_MTE1>(key != 40 || keep);
        LoadData(a2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));  // K40 F41
        LoadData(b2, b1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));  // F43
        Flag<HardEvent::MTE1_MTE2>(key != 43 || keep);
        Flag<HardEvent::MTE1_M>(key != 41 || keep);
        Mmad(sum, a2, b2, MmadParams(16, 16, 16, 0, false, true));    // K41 F42
        Flag<HardEvent::M_MTE1>();
        Flag<HardEvent::M_FIX>(key != 42 || keep);
        Fixpipe(g.y[i * 256], sum, FixpipeParamsV220(16, 16, 16, 16, false));  // K42
        Flag<HardEvent::FIX_M>();
    }
}

// The cube core hands its product to the vector cores of its group.
__aicore__ inline void Mixed(Args& g, bool keep) {
    if ASCEND_IS_AIC {
        LocalTensor<float> sum(TPosition::CO1, 0, 256);
        LocalTensor<float> a1(TPosition::A1, 0, 256), a2(TPosition::A2, 0, 256), b2(TPosition::B2, 0, 256);
        DataCopy(a1, g.x, Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));
        PipeBarrier<PIPE_ALL>();
        LoadData(a2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
        LoadData(b2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
        PipeBarrier<PIPE_ALL>();
        Mmad(sum, a2, b2, MmadParams(16, 16, 16, 0, false, true));
        PipeBarrier<PIPE_ALL>();
        Fixpipe(g.w, sum, FixpipeParamsV220(16, 16, 16, 16, false));  // K50
        if (keep) {
            CrossCoreSetFlag<2, PIPE_FIX>(3);
        } else {
            CrossCoreSetFlag<2, PIPE_M>(3);
        }
    } else {
        LocalTensor<float> t(TPosition::VECCALC, 0, 256);
        CrossCoreWaitFlag<2, PIPE_MTE2>(3);
        DataCopy(t, g.w, 256);                                        // F50
    }
}

extern "C" __global__ __aicore__ void order(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#if defined(CUBE)
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
#else
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
#endif
    Args g;
    g.x.SetGlobalBuffer((__gm__ float*)x);
    g.y.SetGlobalBuffer((__gm__ float*)y);
    g.w.SetGlobalBuffer((__gm__ float*)workspace);
    const int key = int(TILING_KEY_VAR / 2);
    const bool keep = TILING_KEY_VAR % 2 == 0;
    if (key >= 50) {
        Mixed(g, keep);
    } else if (key >= 40) {
        if ASCEND_IS_AIC {
            Cube(g, key, keep);
        }
    } else if (key >= 30) {
        Cores(g, key, keep);
    } else {
        Vector(g, key, keep);
    }
}
