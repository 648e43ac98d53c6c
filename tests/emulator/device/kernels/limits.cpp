// Each tiling key keeps a limit in its even form and breaks it in the odd one, on the line that carries the key's mark.
#include "kernel_operator.h"

using namespace AscendC;

template <int32_t depth = 1>
using In = TQue<TPosition::VECIN, depth>;

// Every buffer of the queue is filled, taken and freed once, so that each waits for its next AllocTensor.
__aicore__ inline void UseAll(In<1>& queue, int32_t buffers) {
    for (int32_t i = 0; i < buffers; ++i) {
        LocalTensor<float> t = queue.AllocTensor<float>();
        queue.EnQue(t);
        t = queue.DeQue<float>();
        queue.FreeTensor(t);
    }
}

__aicore__ inline void OnVectorCore(GM_ADDR x) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 1024);
    pipe.InitBuffer(bBuf, 1024);
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    Duplicate(a, 1.0f, 256);
    Duplicate(b, 2.0f, 256);
    In<1> in;
    In<2> deep;
    In<0> inPlace;
    TQue<TPosition::VECOUT, 1> out;

    // Depth: as many tensors in the queue as it says.
    if (TILING_KEY_IS(0) || TILING_KEY_IS(1)) {
        pipe.InitBuffer(deep, 3, 32);
        LocalTensor<float> t[3];
        for (int32_t i = 0; i < (TILING_KEY_IS(0) ? 2 : 3); ++i) {
            t[i] = deep.AllocTensor<float>();
            deep.EnQue(t[i]);                                                    // K1
        }
        while (deep.HasTensorInQue()) {
            t[0] = deep.DeQue<float>();
            deep.FreeTensor(t[0]);
        }
    }
    // 64 buffers in a TPipe, two of which are taken above.
    if (TILING_KEY_IS(2) || TILING_KEY_IS(3)) {
        TBuf<TPosition::VECCALC> many[63];
        for (int32_t i = 0; i < (TILING_KEY_IS(2) ? 62 : 63); ++i) {
            pipe.InitBuffer(many[i], 32);                                        // K3
        }
    }
    // 8 buffers of queues at a position.
    if (TILING_KEY_IS(4) || TILING_KEY_IS(5)) {
        In<1> first, second;
        pipe.InitBuffer(first, 4, 32);
        pipe.InitBuffer(second, TILING_KEY_IS(4) ? 4 : 5, 32);                   // K5
        pipe.InitBuffer(out, 8, 32);
    }
    // Freed buffers hold ids of V_MTE2, one of which FetchEventID wants.
    if (TILING_KEY_IS(6) || TILING_KEY_IS(7)) {
        const int32_t buffers = TILING_KEY_IS(6) ? 7 : 8;
        pipe.InitBuffer(in, buffers, 32);
        UseAll(in, buffers);
        const TEventID id = pipe.FetchEventID(HardEvent::V_MTE2);                // K7
        if (TILING_KEY_IS(6)) {
            SetFlag<HardEvent::V_MTE2>(id);
            WaitFlag<HardEvent::V_MTE2>(id);
        }
        UseAll(in, buffers);
    }
    // Tensors in the queue hold ids of MTE2_V, one of which AllocEventID wants.
    if (TILING_KEY_IS(8) || TILING_KEY_IS(9)) {
        TQue<TPosition::VECIN, 8> queue;
        const int32_t buffers = TILING_KEY_IS(8) ? 7 : 8;
        pipe.InitBuffer(queue, buffers, 32);
        for (int32_t i = 0; i < buffers; ++i) {
            LocalTensor<float> t = queue.AllocTensor<float>();
            queue.EnQue(t);
        }
        const TEventID id = pipe.AllocEventID<HardEvent::MTE2_V>();              // K9
        if (TILING_KEY_IS(8)) {
            pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
        }
        while (queue.HasTensorInQue()) {
            LocalTensor<float> t = queue.DeQue<float>();
            queue.FreeTensor(t);
        }
    }
    // Ids taken by hand are missing to the queue; FreeAllEvent gives back those of freed buffers.
    if (TILING_KEY_IS(10) || TILING_KEY_IS(11)) {
        In<1> other;
        pipe.InitBuffer(in, 4, 32);
        pipe.InitBuffer(other, 4, 32);
        UseAll(other, 4);
        if (TILING_KEY_IS(10)) {
            other.FreeAllEvent();
        }
        TEventID id = pipe.AllocEventID<HardEvent::V_MTE2>();
        for (int32_t i = 0; i < 4; ++i) {
            LocalTensor<float> t = in.AllocTensor<float>();
            in.FreeTensor(t);                                                    // K11
        }
        pipe.ReleaseEventID<HardEvent::V_MTE2>(id);
    }
    // A queue of depth 0 holds its ids from InitBuffer on.
    if (TILING_KEY_IS(12) || TILING_KEY_IS(13)) {
        const int32_t buffers = TILING_KEY_IS(12) ? 7 : 8;
        pipe.InitBuffer(inPlace, buffers, 32);
        LocalTensor<float> t;
        for (int32_t i = 0; i < 20; ++i) {
            inPlace.AllocTensor<float>(t);
            inPlace.EnQue(t);
            inPlace.DeQue<float>(t);
            inPlace.FreeTensor(t);
        }
        const TEventID id = pipe.AllocEventID<HardEvent::V_MTE2>();              // K13
        if (TILING_KEY_IS(12)) {
            pipe.ReleaseEventID<HardEvent::V_MTE2>(id);
        }
    }
    // The flag of an id that a queue holds is set.
    if (TILING_KEY_IS(14) || TILING_KEY_IS(15)) {
        pipe.InitBuffer(in, 1, 32);
        LocalTensor<float> t = in.AllocTensor<float>();
        in.EnQue(t);
        const event_t id = TILING_KEY_IS(14) ? EVENT_ID1 : EVENT_ID0;
        SetFlag<HardEvent::MTE2_V>(id);                                          // K15
        WaitFlag<HardEvent::MTE2_V>(id);
        if (TILING_KEY_IS(15)) {
            SetFlag<HardEvent::MTE2_V>(id);
        }
        t = in.DeQue<float>();
        in.FreeTensor(t);
    }
    // A flag set by hand is in the way of the queue that takes its id.
    if (TILING_KEY_IS(16) || TILING_KEY_IS(17)) {
        pipe.InitBuffer(in, 1, 32);
        const TEventID id = TILING_KEY_IS(16) ? pipe.AllocEventID<HardEvent::MTE2_V>() : pipe.FetchEventID(HardEvent::MTE2_V);
        LocalTensor<float> t = in.AllocTensor<float>();
        SetFlag<HardEvent::MTE2_V>(id);
        in.EnQue(t);                                                             // K17
        t = in.DeQue<float>();
        if (TILING_KEY_IS(16)) {
            WaitFlag<HardEvent::MTE2_V>(id);
            pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
        }
        in.FreeTensor(t);
    }
    // Flags: each set has one wait.
    if (TILING_KEY_IS(18) || TILING_KEY_IS(19)) {
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        if (TILING_KEY_IS(19)) {
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);                              // K19
        }
    }
    if (TILING_KEY_IS(20) || TILING_KEY_IS(21)) {
        SetFlag<HardEvent::V_MTE3>(EVENT_ID5);                                   // K21
        if (TILING_KEY_IS(20)) {
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID5);
        }
    }
    // Ids 6 and 7 belong to the framework, which may hand them out.
    if (TILING_KEY_IS(22) || TILING_KEY_IS(23)) {
        TEventID ids[7];
        for (TEventID& id : ids) {
            id = pipe.AllocEventID<HardEvent::V_S>();
        }
        const TEventID id = TILING_KEY_IS(22) ? ids[6] : EVENT_ID7;
        SetFlag<HardEvent::V_S>(id);                                             // K23
        WaitFlag<HardEvent::V_S>(id);                                            // K23
        for (TEventID& held : ids) {
            pipe.ReleaseEventID<HardEvent::V_S>(held);
        }
    }
    // AllocTensor and FreeTensor come in pairs.
    if (TILING_KEY_IS(24) || TILING_KEY_IS(25)) {
        pipe.InitBuffer(in, 2, 32);
        LocalTensor<float> t = in.AllocTensor<float>();                          // K25
        in.EnQue(t);
        t = in.DeQue<float>();
        if (TILING_KEY_IS(24)) {
            in.FreeTensor(t);
        }
    }
    // What a kernel switches on it switches off.
    if (TILING_KEY_IS(26) || TILING_KEY_IS(27)) {
        SetAtomicAdd<float>();                                                   // K27
        if (TILING_KEY_IS(26)) {
            DisableDmaAtomic();
        }
    }
    if (TILING_KEY_IS(28) || TILING_KEY_IS(29)) {
        SetMaskCount();                                                          // K29
        SetVectorMask<float, MaskMode::COUNTER>(100);
        Add<float, false>(a, a, b, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
        if (TILING_KEY_IS(28)) {
            SetMaskNorm();
        }
        ResetMask();
    }
    if (TILING_KEY_IS(30) || TILING_KEY_IS(31)) {
        SetMaskNorm();
        SetVectorMask<float>(32);                                                // K31
        Add<float, false>(a, a, b, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
        if (TILING_KEY_IS(30)) {
            ResetMask();
        }
    }
    // Masks and repeats.
    if (TILING_KEY_IS(32) || TILING_KEY_IS(33)) {
        Muls(a, a, 1.0f, TILING_KEY_IS(32) ? uint64_t(64) : uint64_t(65), 4, {1, 1, 8, 8});  // K33
    }
    if (TILING_KEY_IS(34) || TILING_KEY_IS(35)) {
        Muls(a, a, 1.0f, uint64_t(8), TILING_KEY_IS(34) ? 255 : 256, {1, 1, 0, 0});  // K35
    }
    if (TILING_KEY_IS(36) || TILING_KEY_IS(37)) {
        Muls(a, a, 1.0f, TILING_KEY_IS(36) ? 1 : 0, 1, {1, 1, 8, 8});            // K37
    }
    // A count of nothing, which A2 and A3 take.
    if (TILING_KEY_IS(38) || TILING_KEY_IS(39)) {
        Add(a, a, b, TILING_KEY_IS(38) ? 1 : 0);                                 // K39
    }
}

// Ids 0 to 2 of M_MTE1 belong to the TPipe of a cube core: five buffers of L0A and L0B hold the others.
__aicore__ inline void OnCubeCore() {
    TPipe pipe;
    TQue<TPosition::A2, 1> left;
    TQue<TPosition::B2, 1> right;
    pipe.InitBuffer(left, 3, 512);
    pipe.InitBuffer(right, TILING_KEY_IS(50) ? 2 : 3, 512);
    for (int32_t i = 0; i < 3; ++i) {
        LocalTensor<half> t = left.AllocTensor<half>();
        left.FreeTensor(t);
    }
    for (int32_t i = 0; i < (TILING_KEY_IS(50) ? 2 : 3); ++i) {
        LocalTensor<half> t = right.AllocTensor<half>();
        right.FreeTensor(t);                                                     // K51
    }
    if (TILING_KEY_IS(53)) {
        SetFlag<HardEvent::M_MTE1>(EVENT_ID0);                                   // K53
    }
    if (TILING_KEY_IS(52)) {
        SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
        WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
    }
}

extern "C" __global__ __aicore__ void limits(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {
#ifdef CUBE
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    OnCubeCore();
#else
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    OnVectorCore(x);
#endif
}
