// One vector instruction per tiling key, over whatever types the build asks for.
#include "kernel_operator.h"

using namespace AscendC;

struct OpsTiling {
    uint32_t n;        // elements of x, y and z
    uint32_t outputs;  // bytes of z
    float scalar;
    uint32_t mode;     // round mode, compare mode, mask, ...
    uint32_t repeat;
    uint32_t stride[6];
};

struct Ops {
    OpsTiling td;
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, zBuf, tmpBuf;
    GM_ADDR x;
    GM_ADDR y;
    GM_ADDR z;

    __aicore__ inline Ops(GM_ADDR x_, GM_ADDR y_, GM_ADDR z_, const OpsTiling& t) : td(t), x(x_), y(y_), z(z_) {}

    template <class T>
    __aicore__ inline LocalTensor<T> Load(TBuf<TPosition::VECCALC>& buf, GM_ADDR from) {
        pipe.InitBuffer(buf, td.n * sizeof(T));
        GlobalTensor<T> g;
        g.SetGlobalBuffer((__gm__ T*)from);
        LocalTensor<T> t = buf.Get<T>();
        DataCopyExtParams c{1, static_cast<uint32_t>(td.n * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, T(0)};
        DataCopyPad(t, g, c, pad);
        PipeBarrier<PIPE_ALL>();
        return t;
    }
    template <class T>
    __aicore__ inline LocalTensor<T> Out() {
        pipe.InitBuffer(zBuf, td.outputs);
        LocalTensor<T> t = zBuf.Get<T>();
        LocalTensor<uint16_t> w = t.template ReinterpretCast<uint16_t>();
        Duplicate(w, (uint16_t)0, td.outputs / 2);
        return t;
    }
    template <class T>
    __aicore__ inline void Store(const LocalTensor<T>& t) {
        GlobalTensor<uint8_t> g;
        g.SetGlobalBuffer((__gm__ uint8_t*)z);
        LocalTensor<uint8_t> bytes = t.template ReinterpretCast<uint8_t>();
        DataCopyExtParams c{1, td.outputs, 0, 0, 0};
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(g, bytes, c);
    }

    template <class T>
    __aicore__ inline void Arithmetic() {
        LocalTensor<T> a = Load<T>(xBuf, x), b = Load<T>(yBuf, y), d = Out<T>();
        const T s = T(td.scalar);
        const int32_t n = td.n;
        BinaryRepeatParams bp(td.stride[0], td.stride[1], td.stride[2], td.stride[3], td.stride[4], td.stride[5]);
        uint64_t bits[2] = {0x5555555555555555ull, sizeof(T) == 2 ? 0x00ff00ff00ff00ffull : 0};
        if (TILING_KEY_IS(0)) Add(d, a, b, n);
        else if (TILING_KEY_IS(1)) Sub(d, a, b, n);
        else if (TILING_KEY_IS(2)) Mul(d, a, b, n);
        else if (TILING_KEY_IS(4)) Max(d, a, b, n);
        else if (TILING_KEY_IS(5)) Min(d, a, b, n);
        else if (TILING_KEY_IS(6)) Adds(d, a, s, n);
        else if (TILING_KEY_IS(7)) Muls(d, a, s, n);
        else if (TILING_KEY_IS(8)) Maxs(d, a, s, n);
        else if (TILING_KEY_IS(9)) Mins(d, a, s, n);
        else if (TILING_KEY_IS(10)) Add(d, a, b, (uint64_t)td.mode, td.repeat, bp);
        else if (TILING_KEY_IS(11)) Mul(d, a, b, bits, td.repeat, bp);
        else if (TILING_KEY_IS(12)) Duplicate(d, s, n);
        else if (TILING_KEY_IS(13)) Brcb(d, a, td.repeat, BrcbRepeatParams(td.stride[0], td.stride[3]));
        else if (TILING_KEY_IS(14)) {
            SetMaskCount();
            SetVectorMask<T, MaskMode::COUNTER>(0, td.mode);
            Add<T, false>(d, a, b, MASK_PLACEHOLDER, 1, bp);
            ResetMask();
            SetMaskNorm();
        }
        else if (TILING_KEY_IS(15)) CreateVecIndex(d, s, td.n);
#if defined(OPS_INTEGER) && !defined(OPS_BF16)
        else if (TILING_KEY_IS(16)) ShiftLeft(d, a, s, n);
        else if (TILING_KEY_IS(17)) ShiftRight(d, a, s, n);
        else if (TILING_KEY_IS(18)) And(d, a, b, n);
        else if (TILING_KEY_IS(19)) Not(d, a, n);
#endif
        Store(d);
    }

    template <class T>
    __aicore__ inline void Functions() {
        LocalTensor<T> a = Load<T>(xBuf, x), b = Load<T>(yBuf, y), d = Out<T>();
        const int32_t n = td.n;
        if (TILING_KEY_IS(100)) Exp(d, a, n);
        else if (TILING_KEY_IS(101)) Ln(d, a, n);
        else if (TILING_KEY_IS(102)) Sqrt(d, a, n);
        else if (TILING_KEY_IS(103)) Rsqrt(d, a, n);
        else if (TILING_KEY_IS(104)) Reciprocal(d, a, n);
        else if (TILING_KEY_IS(105)) Abs(d, a, n);
        else if (TILING_KEY_IS(106)) Relu(d, a, n);
        else if (TILING_KEY_IS(107)) LeakyRelu(d, a, T(td.scalar), n);
        else if (TILING_KEY_IS(108)) { Adds(d, b, T(0), n); Axpy(d, a, T(td.scalar), n); }
        else if (TILING_KEY_IS(109)) { Adds(d, b, T(1), n); MulAddDst(d, a, b, n); }
        else if (TILING_KEY_IS(110)) { Adds(d, b, T(1), n); FusedMulAdd(d, a, b, n); }
        else if (TILING_KEY_IS(111)) Div(d, a, b, n);
#if __NPU_ARCH__ == 3510
        else if (TILING_KEY_IS(112)) Neg(d, a, n);
        else if (TILING_KEY_IS(113)) Subs(d, T(td.scalar), a, n);
        else if (TILING_KEY_IS(114)) Divs(d, a, T(td.scalar), n);
        else if (TILING_KEY_IS(115)) Divs(d, a, b[8], n);
        else if (TILING_KEY_IS(116)) Exp<T, CONFIG>(d, a, n);
#endif
        Store(d);
    }
#if __NPU_ARCH__ == 3510
    static constexpr ExpConfig CONFIG = {ExpAlgo::PRECISION_1ULP_FTZ_FALSE};
#endif

    template <class T>
    __aicore__ inline void Choices() {
        LocalTensor<T> a = Load<T>(xBuf, x), b = Load<T>(yBuf, y), d = Out<T>();
        pipe.InitBuffer(tmpBuf, (td.n + 255) / 256 * 32 + 256);
        LocalTensor<uint8_t> m = tmpBuf.Get<uint8_t>();
        const uint32_t n = td.n;
        BinaryRepeatParams bp;
        if (TILING_KEY_IS(200)) {
            Compare(m, a, b, static_cast<CMPMODE>(td.mode), n);
            Select(d, m, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, n);
        } else if (TILING_KEY_IS(201)) {
            CompareScalar(m, a, T(td.scalar), static_cast<CMPMODE>(td.mode), n);
            Select(d, m, a, T(-1), SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
        } else if (TILING_KEY_IS(202)) {
            Compare(m, a, b, static_cast<CMPMODE>(td.mode), (uint64_t)(256 / sizeof(T)), td.repeat, bp);
            Select(d, m, a, b, SELMODE::VSEL_CMPMASK_SPR, (uint64_t)(256 / sizeof(T)), td.repeat, bp);
        } else if (TILING_KEY_IS(203)) {
            Compares(m, a, T(td.scalar), static_cast<CMPMODE>(td.mode), n);
            uint64_t kept = 0;
            GatherMask(d, a, m, true, n, {1, 1, 8, 8}, kept);
            d.SetValue(n - 1, T(float(kept)));
        } else if (TILING_KEY_IS(204)) {
            uint64_t kept = 0;
            GatherMask(d, a, (uint8_t)td.mode, false, 0, {1, td.repeat, 8, 0}, kept);
        }
        Store(d);
    }

    template <class T>
    __aicore__ inline void Reductions() {
        LocalTensor<T> a = Load<T>(xBuf, x), d = Out<T>();
        pipe.InitBuffer(tmpBuf, 4096);
        LocalTensor<T> tmp = tmpBuf.Get<T>();
        const int32_t n = td.n, full = 256 / sizeof(T), rep = td.repeat, mask = td.mode;
        if (TILING_KEY_IS(300)) ReduceSum<T>(d, a, tmp, n);
        else if (TILING_KEY_IS(301)) ReduceMax<T>(d, a, tmp, n, true);
        else if (TILING_KEY_IS(302)) ReduceMin<T>(d, a, tmp, n, true);
        else if (TILING_KEY_IS(303)) WholeReduceSum<T>(d, a, mask, rep, 1, 1, 8);
        else if (TILING_KEY_IS(304)) WholeReduceMax<T>(d, a, mask, rep, 1, 1, 8);
        else if (TILING_KEY_IS(305)) BlockReduceSum<T>(d, a, rep, full, 1, 1, 8);
        else if (TILING_KEY_IS(306)) PairReduceSum<T>(d, a, rep, full, 1, 1, 8);
        else if (TILING_KEY_IS(307)) ReduceSum<T>(d, a, tmp, mask, rep, 8);
        else if (TILING_KEY_IS(308)) ReduceRepeat<ReduceType::MIN>(d, a, mask, rep, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        else if (TILING_KEY_IS(309)) ReduceDataBlock<ReduceType::MAX>(d, a, full, rep, 1, 1, 8);
        else if (TILING_KEY_IS(310)) RepeatReduceSum<T>(d, a, rep, mask, 0, 1, 1, 8);
        else if (TILING_KEY_IS(311)) ReduceMax<T>(d, a, tmp, mask, rep, 8);
        Store(d);
    }

    template <class U, class T>
    __aicore__ inline void Casts() {
        LocalTensor<U> a = Load<U>(xBuf, x);
        LocalTensor<T> d = Out<T>();
        Cast(d, a, static_cast<RoundMode>(td.mode), td.n);
        Store(d);
    }
};

extern "C" __global__ __aicore__ void ops(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(OpsTiling, td, tiling);
    Ops op(x, y, z, td);
    const uint64_t key = TILING_KEY_VAR;
#if defined(OPS_CASTS)
    if (key == 0) op.Casts<half, float>();
    else if (key == 1) op.Casts<bfloat16_t, float>();
    else if (key == 2) op.Casts<float, half>();
    else if (key == 3) op.Casts<float, bfloat16_t>();
    else if (key == 4) op.Casts<float, int32_t>();
    else if (key == 5) op.Casts<int32_t, float>();
    else if (key == 6) op.Casts<float, int64_t>();
    else if (key == 7) op.Casts<int64_t, float>();
    else if (key == 8) op.Casts<int64_t, int32_t>();
    else if (key == 9) op.Casts<float, float>();
    else if (key == 10) op.Casts<float, int16_t>();
    else if (key == 11) op.Casts<half, int8_t>();
    else if (key == 12) op.Casts<uint8_t, half>();
    else if (key == 13) op.Casts<int16_t, half>();
    else if (key == 14) op.Casts<half, int32_t>();
    else if (key == 15) op.Casts<int32_t, int16_t>();
    else if (key == 16) op.Casts<bfloat16_t, int32_t>();
#else
    if (key < 100) op.Arithmetic<OPS_TYPE>();
#if !defined(OPS_INTEGER)
    else if (key < 200) op.Functions<OPS_TYPE>();
    else if (key < 300) op.Choices<OPS_TYPE>();
    else op.Reductions<OPS_TYPE>();
#endif
#endif
}
