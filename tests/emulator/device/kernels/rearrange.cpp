// Instructions that put elements where an offset, an address or an order says, and those that compute and convert in
// one. The tiling key chooses; sources are x and y, the result is z. Lines marked K<key> break a rule.
#include "kernel_operator.h"

using namespace AscendC;

struct Sizes {
    uint32_t x, y, z;  // bytes
    uint32_t n;
    uint32_t repeat;
    uint32_t mask;
};

template <class T>
__aicore__ inline LocalTensor<T> Load(TPipe& pipe, TBuf<TPosition::VECCALC>& buf, GM_ADDR from, uint32_t bytes)
{
    pipe.InitBuffer(buf, (bytes + 255) / 256 * 256);
    GlobalTensor<uint8_t> gm;
    gm.SetGlobalBuffer(from);
    LocalTensor<uint8_t> raw = buf.Get<uint8_t>();
    DataCopyPad(raw, gm, {1, bytes, 0, 0, 0}, DataCopyPadExtParams<uint8_t>{false, 0, 0, 0});
    return raw.ReinterpretCast<T>();
}

template <class T>
__aicore__ inline void Rearrange(TPipe& pipe, GM_ADDR x, GM_ADDR y, GM_ADDR z, const Sizes& td)
{
    TBuf<TPosition::VECCALC> xBuf, yBuf, zBuf, tmpBuf;
    LocalTensor<T> a = Load<T>(pipe, xBuf, x, td.x);
    LocalTensor<uint32_t> index = Load<uint32_t>(pipe, yBuf, y, td.y);
    LocalTensor<T> b = index.ReinterpretCast<T>();
    LocalTensor<T> d = Load<T>(pipe, zBuf, z, td.z);
    PipeBarrier<PIPE_ALL>();
    const uint64_t bits[2] = {0x5555555555555555ull, sizeof(T) == 2 ? 0x00ff00ff00ff00ffull : 0};
    const int32_t rep = td.repeat;
    if (TILING_KEY_IS(0)) Gather(d, a, index, 0u, td.n);
    else if (TILING_KEY_IS(1)) Gather(d, a, index, static_cast<uint32_t>(2 * sizeof(T)), static_cast<uint64_t>(td.mask), rep, 8);
    else if (TILING_KEY_IS(2)) Gather(d, a, index, 0u, bits, rep, 16);
    else if (TILING_KEY_IS(4)) Scatter(d, a, index, 0u, td.n);
    else if (TILING_KEY_IS(5)) Scatter(d, a, index, 0u, static_cast<uint64_t>(td.mask), rep, 8);
    else if (TILING_KEY_IS(6)) {
        TransDataTo5HDParams p;
        p.repeatTimes = rep;
        p.dstRepStride = rep == 1 ? 0 : 16;
        p.srcRepStride = rep == 1 ? 0 : 1;
        const uint32_t plane = td.n / 16;  // elements from one row to the next
        uint64_t to[16], from[16];
        for (int i = 0; i < 16; ++i) {
            to[i] = d[i * (32 / sizeof(T))].GetPhyAddr();
            from[i] = a[i * plane].GetPhyAddr();
        }
        TransDataTo5HD<T>(to, from, p);
    } else if (TILING_KEY_IS(7)) {
        TransDataTo5HDParams p(true, false, 1, 0, 0);
        LocalTensor<T> to[16], from[16];
        for (int i = 0; i < 16; ++i) {
            to[i] = d[i * (32 / sizeof(T))];
            from[i] = a[i * (32 / sizeof(T))];
        }
        TransDataTo5HD<T>(to, from, p);
    }
    else if (TILING_KEY_IS(20)) Gather(d, a, index, 4096u, td.n);  // K20
    else if (TILING_KEY_IS(21)) Gather(d, a, index, 1u, td.n);  // K21
    else if (TILING_KEY_IS(22)) {
        TBuf<TPosition::VECCALC> none;
        pipe.InitBuffer(none, 4096);
        Gather(d, a, none.Get<uint32_t>(), 0u, td.n);  // K22
    }
    else if (TILING_KEY_IS(23)) Gather(a, a, index, 0u, td.n);  // K23
    else if (TILING_KEY_IS(24)) Scatter(d, a, index, 0u, td.n);  // K24
    else if (TILING_KEY_IS(25)) {
        uint64_t to[16], from[16] = {};
        for (int i = 0; i < 16; ++i) {
            to[i] = d[i * (32 / sizeof(T))].GetPhyAddr();
        }
        TransDataTo5HD<T>(to, from, TransDataTo5HDParams(false, false, 1, 0, 0));  // K25
    }
    if constexpr (sizeof(T) == 2 && std::is_integral_v<T>) {
        if (TILING_KEY_IS(3)) Gatherb(d, a, index, rep, GatherRepeatParams(1, 8));
        else if (TILING_KEY_IS(26)) Gatherb(d, a[16], index, rep, GatherRepeatParams(1, 8));  // K26
    }
    if constexpr (!std::is_integral_v<T>) {
        if (TILING_KEY_IS(8)) Sort32(d, a, index, rep);
        else if (TILING_KEY_IS(9)) {
            // Four sorted queues of 32, and then the first two alone.
            pipe.InitBuffer(tmpBuf, 32 * 8 * 4);
            LocalTensor<T> sorted = tmpBuf.Get<T>();
            Sort32(sorted, a, index, 4);
            const uint32_t queue = 32 * 8 / sizeof(T);
            const uint16_t lengths[4] = {32, 32, 32, 32};
            MrgSort(d, MrgSortSrcList<T>(sorted, sorted[queue], sorted[2 * queue], sorted[3 * queue]), MrgSort4Info(lengths, false, 15, 1));
        } else if (TILING_KEY_IS(10)) {
            pipe.InitBuffer(tmpBuf, 32 * 8 * 2);
            LocalTensor<T> sorted = tmpBuf.Get<T>();
            Sort32(sorted, a, index, 2);
            const uint32_t queue = 32 * 8 / sizeof(T);
            const uint16_t lengths[4] = {32, 32, 0, 0};
            MrgSort(d, MrgSortSrcList<T>(sorted, sorted[queue], sorted, sorted), MrgSort4Info(lengths, true, 3, 1));
            uint16_t taken[4];
            GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
            d.template ReinterpretCast<uint16_t>().SetValue(td.z / 2 - 2, taken[0]);
            d.template ReinterpretCast<uint16_t>().SetValue(td.z / 2 - 1, taken[1]);
        } else if (TILING_KEY_IS(27)) {
            const uint16_t lengths[4] = {32, 32, 0, 0};
            MrgSort(d, MrgSortSrcList<T>(a, a[64], a, a), MrgSort4Info(lengths, false, 5, 1));  // K27
        }
        else if (TILING_KEY_IS(52)) {
            Compare(a, b, CMPMODE::LT, static_cast<uint64_t>(256 / sizeof(T)), BinaryRepeatParams());
            PipeBarrier<PIPE_V>();
            Select<T, SELMODE::VSEL_CMPMASK_SPR>(d, a, b, 1, BinaryRepeatParams());
        } else if (TILING_KEY_IS(53)) {
            Select<T, SELMODE::VSEL_TENSOR_TENSOR_MODE>(d, a, b, 1, BinaryRepeatParams());  // K53
        }
        else if (TILING_KEY_IS(54) || TILING_KEY_IS(55)) {
            // The bits of a comparison as elements of eight, and a result of the comparison that these bits choose once more.
            Compare(a, b, CMPMODE::LT, static_cast<uint64_t>(256 / sizeof(T)), BinaryRepeatParams());
            PipeBarrier<PIPE_V>();
            LocalTensor<uint8_t> mask = d[td.n].template ReinterpretCast<uint8_t>();
            mask.SetSize(TILING_KEY_IS(54) ? 128 : 127);
            GetCmpMask(mask);  // K55
            PipeBarrier<PIPE_V>();
            Compare(b, b, CMPMODE::LT, static_cast<uint64_t>(256 / sizeof(T)), BinaryRepeatParams());
            PipeBarrier<PIPE_V>();
            SetCmpMask(mask);
            PipeBarrier<PIPE_V>();
            Select<T, SELMODE::VSEL_CMPMASK_SPR>(d, a, b, 1, BinaryRepeatParams());
        }
        else if (TILING_KEY_IS(11)) Prelu(d, a, b, td.n);
        else if (TILING_KEY_IS(12)) AbsSub(d, a, b, td.n);
        else if (TILING_KEY_IS(13)) ExpSub(d, a, b, td.n);
    }
    if (TILING_KEY_IS(14)) Interleave(d, d[td.n], a, b, td.n);
    else if (TILING_KEY_IS(15)) DeInterleave(d, d[td.n], a, b, td.n);
    else if (TILING_KEY_IS(16)) DeInterleave(d, d[td.n / 2], a, td.n);
    if constexpr (std::is_same_v<T, float>) {
        if (TILING_KEY_IS(17)) AddReluCast(d.template ReinterpretCast<half>(), a, b, td.n);
        else if (TILING_KEY_IS(18)) SubReluCast(d.template ReinterpretCast<half>(), a, b, 64, rep, BinaryRepeatParams(1, 1, 1, 4, 8, 8));
        else if (TILING_KEY_IS(28)) MulCast(d.template ReinterpretCast<half>(), a, b, td.n);  // K28
    }
    if constexpr (std::is_same_v<T, half>) {
        if (TILING_KEY_IS(19)) MulCast(d.template ReinterpretCast<int8_t>(), a, b, td.n);
        else if (TILING_KEY_IS(47)) Cast(d.template ReinterpretCast<int4b_t>(), a, RoundMode::CAST_ROUND, td.n);
        else if (TILING_KEY_IS(48)) Cast(d, b.template ReinterpretCast<int4b_t>(), RoundMode::CAST_NONE, 128, rep, UnaryRepeatParams(1, 1, 8, 2));
        else if (TILING_KEY_IS(49)) Cast(d.template ReinterpretCast<int4b_t>(), a, RoundMode::CAST_ODD, td.n);  // K49
        else if (TILING_KEY_IS(50)) Cast(d.template ReinterpretCast<int4b_t>(), a, RoundMode::CAST_RINT, 63);  // K50
    }
    if constexpr (std::is_same_v<T, int16_t>) {
        if (TILING_KEY_IS(29)) ShiftRight(d, a, T(3), 128, rep, UnaryRepeatParams(1, 1, 8, 8), true);
        else if (TILING_KEY_IS(30)) ShiftLeft(d, a, T(2), bits, rep, UnaryRepeatParams(1, 1, 8, 8));
        else if (TILING_KEY_IS(45)) ShiftLeft(d, a, T(17), td.n);  // K45
        else if (TILING_KEY_IS(46)) ShiftRight(d, a, T(-1), td.n);  // K46
#if __NPU_ARCH__ == 3510
        else if (TILING_KEY_IS(39)) ShiftLeft(d, a, b, td.n);
        else if (TILING_KEY_IS(40)) ShiftRight(d, a, b, td.n);
        else if (TILING_KEY_IS(31)) Ands(d, a, T(0x55), td.n);
        else if (TILING_KEY_IS(32)) Ors(d, T(0x55), a, td.n);
#endif
    }
    if (TILING_KEY_IS(33) || TILING_KEY_IS(34) || TILING_KEY_IS(41) || TILING_KEY_IS(42)) {
        // Three images of two channels and a plane between [N, C, H, W] and [N, H, W, C].
        pipe.InitBuffer(tmpBuf, TILING_KEY_IS(42) ? 1024 : 8192);
        const TransposeType way = TILING_KEY_IS(34) ? TransposeType::TRANSPOSE_NHWC2NCHW : TransposeType::TRANSPOSE_NCHW2NHWC;
        const uint16_t width = td.n / 6 / 4;
        const TransposeParamsExt shape(3, 2, 4, width, way);
        if (TILING_KEY_IS(41)) {
            Transpose(a, a, tmpBuf.Get<uint8_t>(), shape);  // K41
        } else {
            Transpose(d, a, tmpBuf.Get<uint8_t>(), shape);  // K42
        }
    } else if (TILING_KEY_IS(51)) {
        if constexpr (std::is_same_v<T, half> || std::is_same_v<T, float>) {
            CreateVecIndex(d, T(3), bits, rep, 1, 16);
        }
    } else if (TILING_KEY_IS(35)) {
        // asc: Copy in counter mode; here two repeats of `mask` elements, every other block of the source
        SetMaskCount();
        SetVectorMask<T, MaskMode::COUNTER>(td.mask);
        Copy<T, false>(d, a, MASK_PLACEHOLDER, 2, CopyRepeatParams(1, 2, td.n, 2 * td.n));
        SetMaskNorm();
        ResetMask();
    }
#if __NPU_ARCH__ == 3510
    if (TILING_KEY_IS(36) || TILING_KEY_IS(37) || TILING_KEY_IS(43) || TILING_KEY_IS(44) || TILING_KEY_IS(56)) {
        // A window of 3 rows and 5 columns of 8, padded by 2 and 1 columns and by 1 and 2 rows, in rows of 8.
        NdDmaLoopInfo<2> window{{1, 8}, {1, 8}, {5, 3}, {2, 1}, {1, 2}};
        GlobalTensor<T> source;
        source.SetGlobalBuffer((__gm__ T*)x);
        static constexpr NdDmaConfig nearest = {true};
        if (TILING_KEY_IS(43)) window.loopSize[1] = td.x / sizeof(T);
        if (TILING_KEY_IS(44)) window.loopSrcStride[0] = 1ull << 40;
        if (TILING_KEY_IS(56)) window.loopSrcStride[0] = window.loopSrcStride[1] = (1ull << 40) - 1;
        NdDmaDci();
        if (TILING_KEY_IS(37)) {
            DataCopy<T, 2, nearest>(d, source, NdDmaParams<T, 2>{window, T(7)});
        } else if (TILING_KEY_IS(44)) {
            DataCopy(d, source, NdDmaParams<T, 2>{window, T(7)});  // K44
        } else if (TILING_KEY_IS(56)) {
            DataCopy(d, source, NdDmaParams<T, 2>{window, T(7)});  // K56
        } else {
            DataCopy(d, source, NdDmaParams<T, 2>{window, T(7)});  // K43
        }
    } else if (TILING_KEY_IS(38)) {
        // [2, 3, 4, 2] with its axes reversed.
        GlobalTensor<T> source;
        source.SetGlobalBuffer((__gm__ T*)x);
        static constexpr NdDmaConfig config = {false, 0, 0};
        DataCopy<T, 4, config>(d, source, NdDmaParams<T, 4>{{{1, 2, 8, 24}, {24, 6, 2, 1}, {2, 4, 3, 2}, {9, 9, 9, 9}, {9, 9, 9, 9}}, T(0)});
    } else if (TILING_KEY_IS(58)) {
        Copy(d, a, static_cast<uint64_t>(td.mask), rep, CopyRepeatParams(1, 1, 8, 8));
    } else if (TILING_KEY_IS(59)) {
        Copy(d, a, bits, rep, CopyRepeatParams(1, 1, 8, 8));
    } else if (TILING_KEY_IS(60)) {
        GlobalTensor<T> source;
        source.SetGlobalBuffer((__gm__ T*)x);
        DataCopyPad<T, PaddingMode::Compact>(d[1], source, {2, 12, 0, 0, 0}, {false, 0, 0, T(0)});  // K60
    } else if (TILING_KEY_IS(61)) {
        // Every other element of [2, 2, 2, 2, 2], and what lies behind them at the same time.
        GlobalTensor<T> source;
        source.SetGlobalBuffer((__gm__ T*)x);
        static constexpr NdDmaConfig config = {false, 0, 0};
        DataCopy<T, 5, config>(d, source, NdDmaParams<T, 5>{{{1, 2, 4, 8, 16}, {2, 4, 8, 16, 32}, {2, 2, 2, 2, 2}, {}, {}}, T(0)});
        Duplicate(d[64], T(5), 64);
    }
#endif
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<uint8_t> out;
    out.SetGlobalBuffer(z);
    DataCopyPad(out, d.template ReinterpretCast<uint8_t>(), DataCopyExtParams{1, td.z, 0, 0, 0});
}

extern "C" __global__ __aicore__ void rearrange(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Sizes, td, tiling);
    TPipe pipe;
    Rearrange<TYPE>(pipe, x, y, z, td);
}
