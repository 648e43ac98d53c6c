// Each tiling key breaks one rule, on the line that carries the key's mark. Key 0 breaks none.
#include "kernel_operator.h"

using namespace AscendC;

struct RulesTiling {
    uint32_t n;
};

using Queue = TQue<TPosition::VECIN, 1>;

extern "C" __global__ __aicore__ void rules(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(RulesTiling, td, tiling);
    const int32_t n = td.n;  // 128
    TPipe pipe;
    Queue in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> aBuf, bBuf, mBuf, freshBuf;
    pipe.InitBuffer(in, 2, 1024);
    pipe.InitBuffer(out, 1, 1024);
    pipe.InitBuffer(aBuf, 1024);
    pipe.InitBuffer(bBuf, 1024);
    pipe.InitBuffer(mBuf, 256);
    pipe.InitBuffer(freshBuf, 1024);
    GlobalTensor<float> gx, gy, gw;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    gw.SetGlobalBuffer((__gm__ float*)workspace);
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>(), fresh = freshBuf.Get<float>();
    LocalTensor<half> h = bBuf.Get<half>();
    LocalTensor<uint8_t> m = mBuf.Get<uint8_t>();
    Duplicate(a, 1.0f, 256);
    Duplicate(b, 2.0f, 256);
    DataCopyExtParams all{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};
    DataCopyPadExtParams<float> none{false, 0, 0, 0.0f};
    BinaryRepeatParams bp;
    UnaryRepeatParams up;
    int32_t big = 300;
    float keep = 0;
    PipeBarrier<PIPE_ALL>();

    // Bounds.
    if (TILING_KEY_IS(1)) Add(a, a, b, 257);                                             // K1
    if (TILING_KEY_IS(2)) Add(a[192], a, b, 100);                                        // K2
    if (TILING_KEY_IS(3)) Add(a, a, b, (uint64_t)64, 5, bp);                             // K3
    if (TILING_KEY_IS(4)) DataCopyPad(a, gx[64], all, none);                             // K4
    if (TILING_KEY_IS(5)) DataCopyPad(gx, a, all);                                       // K5
    if (TILING_KEY_IS(6)) keep = gx.GetValue(1000);                                      // K6
    if (TILING_KEY_IS(7)) DataCopyPad(gy[100], a, all);                                  // K7
    if (TILING_KEY_IS(8)) a.SetValue(256, 1.0f);                                         // K8
    if (TILING_KEY_IS(9)) { GlobalTensor<float> g; DataCopyPad(a, g, all, none); }       // K9
    // Alignment.
    if (TILING_KEY_IS(10)) Add(a[1], a, b, 32);                                          // K10
    if (TILING_KEY_IS(11)) CompareScalar(m, a, 1.0f, CMPMODE::LT, 100);                  // K11
    if (TILING_KEY_IS(12)) DataCopy(a, gx, 100);                                         // K12
    if (TILING_KEY_IS(13)) {
        GlobalTensor<float> odd;
        odd.SetGlobalBuffer((__gm__ float*)(x + 2));
        DataCopy(a, odd, 8);                                                             // K13
    }
    // Counts, limits, masks.
    if (TILING_KEY_IS(20)) Add(a, a, b, 0);                                              // K20
    if (TILING_KEY_IS(21)) Muls(a, a, 1.0f, (uint64_t)8, big, up);                       // K21
    if (TILING_KEY_IS(22)) Add(a, a, b, (uint64_t)65, 1, bp);                            // K22
    if (TILING_KEY_IS(23)) Muls(a, a, 1.0f, (uint64_t)8, 1, UnaryRepeatParams(1, 1, big, 8));  // K23
    if (TILING_KEY_IS(24)) DataCopyPad(a, gx, {5000, 4, 0, 0, 0}, none);                 // K24
    if (TILING_KEY_IS(25)) DataCopyPad(a, gx, {1, 4, 0, 0, 0}, {true, 9, 0, 0.0f});      // K25
    if (TILING_KEY_IS(26)) DataCopyPad(a, gx, {1, 6, 0, 0, 0}, none);                    // K26
    if (TILING_KEY_IS(27)) DataCopyPad(a, gx, DataCopyParams(1, 70000, 0, 0), DataCopyPadParams());  // K27
    if (TILING_KEY_IS(28)) {
        LocalTensor<int64_t> wide = aBuf.Get<int64_t>();
        GlobalTensor<int64_t> g;
        g.SetGlobalBuffer((__gm__ int64_t*)x);
        DataCopyPad(wide, g, {1, 8, 0, 0, 0}, {true, 0, 1, 7});                          // K28
    }
    // Types and existence.
    if (TILING_KEY_IS(30)) { LocalTensor<bfloat16_t> w = aBuf.Get<bfloat16_t>(); Exp(w, w, 64); }      // K30
    if (TILING_KEY_IS(31)) { Cast(h, a, RoundMode::CAST_FLOOR, 64); Cast(a, h, RoundMode::CAST_RINT, 64); }  // K31
    if (TILING_KEY_IS(32)) { LocalTensor<int8_t> w = mBuf.Get<int8_t>(); Cast(w, a, RoundMode::CAST_RINT, 64); }  // K32
    if (TILING_KEY_IS(35)) { LocalTensor<float> w = aBuf.Get<float>(100); (void)w; }     // K35
#if __NPU_ARCH__ == 2201
    if (TILING_KEY_IS(33)) { LocalTensor<bfloat16_t> w = aBuf.Get<bfloat16_t>(); Add(w, w, w, 64); }   // K33
    if (TILING_KEY_IS(34)) { LocalTensor<uint8_t> w = mBuf.Get<uint8_t>(); And(w, w, w, 64); }         // K34
#endif
    // What 2201 does not have.
    if (TILING_KEY_IS(36)) Subs(a, 1.0f, a, 64);                                         // K36
    if (TILING_KEY_IS(37)) Neg(a, a, 64);                                                // K37
    if (TILING_KEY_IS(38)) Copy(a, b, 64);                                               // K38
    if (TILING_KEY_IS(39)) Divs(a, b, 2.0f, 64);                                         // K39
    // Overlap.
    if (TILING_KEY_IS(40)) Add(a[8], a, b, 64);                                          // K40
    if (TILING_KEY_IS(41)) { LocalTensor<half> s = aBuf.Get<half>(); Cast(a, s, RoundMode::CAST_NONE, 64); }  // K41
    // Queues.
    if (TILING_KEY_IS(50)) {
        for (int i = 0; i < 3; ++i) {
            LocalTensor<float> t = in.AllocTensor<float>();                              // K50
            if (i == 2) { in.FreeTensor(t); }
        }
        LocalTensor<float> t;
    }
    if (TILING_KEY_IS(51)) { LocalTensor<float> t = in.DeQue<float>(); (void)t; }        // K51
    if (TILING_KEY_IS(52)) {
        LocalTensor<float> t = in.AllocTensor<float>();
        in.FreeTensor(t);
        Duplicate(t, 1.0f, 64);                                                          // K52
    }
    if (TILING_KEY_IS(53)) {
        LocalTensor<float> t = in.AllocTensor<float>();
        in.EnQue(t);
        Duplicate(t, 1.0f, 64);                                                          // K53
        t = in.DeQue<float>();
        in.FreeTensor(t);
    }
    if (TILING_KEY_IS(54)) {
        LocalTensor<float> t = in.AllocTensor<float>();                                  // K54
        in.EnQue(t);
    }
    if (TILING_KEY_IS(55)) {
        LocalTensor<float> t = in.AllocTensor<float>();
        in.FreeTensor(t);
        in.FreeTensor(t);                                                                // K55
    }
    if (TILING_KEY_IS(56)) {
        LocalTensor<float> t = in.AllocTensor<float>();
        out.EnQue(t);                                                                    // K56
        in.FreeTensor(t);
    }
    if (TILING_KEY_IS(57)) {
        LocalTensor<float> t = in.AllocTensor<float>();
        in.EnQue(t);
        LocalTensor<float> u = in.AllocTensor<float>();
        in.EnQue(u);                                                                     // K57
        t = in.DeQue<float>();
        in.FreeTensor(t);
        t = in.DeQue<float>();
        in.FreeTensor(t);
    }
    if (TILING_KEY_IS(58)) {
        TBuf<TPosition::VECCALC> huge;
        pipe.InitBuffer(huge, 250 * 1024);                                               // K58
        Duplicate(huge.Get<float>(), 0.0f, 64);
    }
    if (TILING_KEY_IS(59)) {
        Queue many[7];
        for (int i = 0; i < 7; ++i) {
            pipe.InitBuffer(many[i], 1, 32);                                             // K59
        }
    }
    if (TILING_KEY_IS(60)) {
        TBuf<TPosition::VECCALC> many[70];
        for (int i = 0; i < 70; ++i) {
            pipe.InitBuffer(many[i], 32);                                                // K60
        }
    }
    if (TILING_KEY_IS(61)) {
        LocalTensor<float> t = in.AllocTensor<float>();
        in.EnQue(t);
        in.FreeTensor(t);                                                                // K61
    }
    if (TILING_KEY_IS(62)) { Queue never; LocalTensor<float> t = never.AllocTensor<float>(); (void)t; }  // K62
    // Flags.
    if (TILING_KEY_IS(70)) WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);                       // K70
    if (TILING_KEY_IS(71)) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);                                           // K71
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    if (TILING_KEY_IS(72)) SetFlag<HardEvent::V_MTE3>(EVENT_ID1);                        // K72
    if (TILING_KEY_IS(73)) {
        SetFlag<HardEvent::V_S>(EVENT_ID7);                                              // K73
        WaitFlag<HardEvent::V_S>(EVENT_ID7);
    }
    if (TILING_KEY_IS(74)) {
        TEventID id = GetTPipePtr()->AllocEventID<HardEvent::V_S>();
        SetFlag<HardEvent::V_S>(id);
        WaitFlag<HardEvent::V_S>(id);
        GetTPipePtr()->ReleaseEventID<HardEvent::V_S>(id);
        GetTPipePtr()->ReleaseEventID<HardEvent::V_S>(id);                               // K74
    }
    if (TILING_KEY_IS(75)) PipeBarrier<PIPE_S>();                                        // K75
    // Poison.
    if (TILING_KEY_IS(80)) DataCopyPad(gy, fresh, all);                                  // K80
    if (TILING_KEY_IS(81)) ReduceSum<float>(a, fresh, b, 64);                            // K81
    if (TILING_KEY_IS(82)) keep = fresh.GetValue(3);                                     // K82
    if (TILING_KEY_IS(83)) {
        CompareScalar(m, fresh, 1.0f, CMPMODE::LT, n);
        Select(a, m, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(gy, a, all);                                                         // K83
    }
    if (TILING_KEY_IS(84)) keep = gw.GetValue(3);                                        // K84
    if (TILING_KEY_IS(85)) {
        DataCopyPad(b, gw, all, none);
        PipeBarrier<PIPE_ALL>();
        Add(a, a, b, n);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(gy, a, all);                                                         // K85
    }
    if (TILING_KEY_IS(86)) WholeReduceSum<float>(a, fresh, 64, 1, 1, 1, 8);              // K86
    if (TILING_KEY_IS(87)) {
        SetAtomicAdd<float>();
        DataCopyPad(gy, a, all);                                                         // K87
        SetAtomicNone();
    }
    if (TILING_KEY_IS(88)) {
        DataCopyPad(b, gx, {1, 100 * 4, 0, 0, 0}, {false, 0, 3, 0.0f});
        Duplicate(a, 0.0f, n);
        PipeBarrier<PIPE_ALL>();
        Add(a, a, b, 104);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(gy, a, {1, 103 * 4, 0, 0, 0});                                       // K88
    }
    // State left behind.
    if (TILING_KEY_IS(90)) {
        SetAtomicAdd<float>();                                                           // K90
        Duplicate(a, 1.0f, n);
    }
    if (TILING_KEY_IS(91)) {
        TPipe second;                                                                    // K91
    }
    if (TILING_KEY_IS(92)) {
        volatile float* wild = (__ubuf__ float*)16;
        Duplicate(a, 1.0f, n);                                                           // K92
        *wild = 1.0f;
    }
    // Poison in padding that nobody uses is legal, and a mask bit that is not poisoned decides by itself.
    if (TILING_KEY_IS(100)) {
        LocalTensor<float> t = in.AllocTensor<float>();
        DataCopyPad(t, gx, {1, 100 * 4, 0, 0, 0}, none);
        in.EnQue(t);
        t = in.DeQue<float>();
        Mul(fresh, t, t, n);
        CompareScalar(m, fresh, 0.5f, CMPMODE::GE, n);
        Select(fresh, m, fresh, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
        ReduceSum<float>(b, fresh, a, 100);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(gy, fresh, {1, 100 * 4, 0, 0, 0});
        DataCopyPad(gy[100], b, {1, 4, 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        in.FreeTensor(t);
        // The narrow operand of a widening Cast may sit in the upper half.
        LocalTensor<half> upper = aBuf.Get<half>()[256];
        Cast(upper, b, RoundMode::CAST_RINT, 1);
        Duplicate(upper, half(1.0f), 256);
        Cast(a, upper, RoundMode::CAST_NONE, 256);
        // Column blocks of the same rows do not overlap.
        Add(a, a[8], a[16], (uint64_t)8, 4, BinaryRepeatParams(1, 1, 1, 3, 3, 3));
        // Accumulation over repeats into one place.
        Add(b, a, b, (uint64_t)8, 4, BinaryRepeatParams(1, 1, 1, 0, 3, 0));
    }
    if (TILING_KEY_IS(101)) {
        gy.SetValue(0, keep);
    }
}
