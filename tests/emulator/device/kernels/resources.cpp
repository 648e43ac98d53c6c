// Memory without queues, atomics, slices, scalar functions and debugging. The tiling key chooses; lines marked K<key>
// break a rule.
#include "kernel_operator.h"

using namespace AscendC;

using Pool = TBufPool<TPosition::VECCALC, 4>;

__aicore__ inline void Copy(GM_ADDR to, GM_ADDR from, LocalTensor<float> through, uint32_t count)
{
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)from);
    out.SetGlobalBuffer((__gm__ float*)to);
    DataCopy(through, in, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, through, count);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ inline void Allocators(GM_ADDR x, GM_ADDR z)
{
    LocalMemAllocator<Hardware::UB> memory;
    LocalTensor<float> first = memory.Alloc<float, 64>();
    LocalTensor<float> second = memory.Alloc<TPosition::VECIN, float>(64);
    Copy(z, x, second, 64);
    Copy(z + 256, x + 256, first, 64);
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)z);
    out.SetValue(128, float(memory.GetCurAddr()));
}

__aicore__ inline void Pools(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    Pool pool, other;
    pipe.InitBufPool(pool, 1024);
    pipe.InitBufPool(other, 512, pool);
    for (int round = 0; round < 2; ++round) {
        TBuf<TPosition::VECCALC> buf;
        TQue<TPosition::VECIN, 1> queue;
        pool.InitBuffer(buf, 256);
        pool.InitBuffer(queue, 2, 256);
        LocalTensor<float> t = queue.AllocTensor<float>();
        Copy(z + round * 256, x + round * 256, t, 64);
        queue.FreeTensor(t);
        pool.Reset();
    }
    TBuf<TPosition::VECCALC> last;
    other.InitBuffer(last, 512);
    Copy(z + 512, x + 512, last.Get<float>(), 64);
    if (TILING_KEY_IS(21)) {
        TBuf<TPosition::VECCALC> more;
        other.InitBuffer(more, 256);  // K21
    } else if (TILING_KEY_IS(22)) {
        other.Reset();
        TBuf<TPosition::VECCALC> one;
        other.InitBuffer(one, 256);
        LocalTensor<float> old = one.Get<float>();
        other.Reset();
        Duplicate(old, 0.0f, 64);  // K22
    }
}

template <class Set>
__aicore__ inline void Atomics(GM_ADDR x, GM_ADDR z, Set set)
{
    LocalTensor<float> t(TPosition::VECIN, 0, 64);
    set();
    Copy(z, x, t, 64);
    DisableDmaAtomic();
}

__aicore__ inline void Slices(GM_ADDR x, GM_ADDR z)
{
    // Of 3 rows of 87: of the first and the last, elements 16 to 39 and 47 to 70.
    const SliceInfo from[2] = {{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}}, to[2] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};
    LocalTensor<float> t(TPosition::VECIN, 0, 96);
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x);
    out.SetGlobalBuffer((__gm__ float*)z);
    DataCopy(t, in, to, from, 2);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, t, 96);
}

__aicore__ inline void Scalars(GM_ADDR x, GM_ADDR z)
{
    GlobalTensor<int64_t> out;
    out.SetGlobalBuffer((__gm__ int64_t*)z);
    const uint64_t value = 0x00f0000000000ff0ull;
    const int64_t results[] = {GetBitCount<1>(value), ScalarGetCountOfValue<0>(value), CountLeadingZero(value), ScalarCountLeadingZero(0),
                               GetSFFValue<1>(value), ScalarGetSFFValue<0>(~0ull), CountBitsCntSameAsSignBit(-2), CountBitsCntSameAsSignBit(0),
                               ReadGmByPassDCache(reinterpret_cast<__gm__ int64_t*>(x))};
    for (int i = 0; i < 9; ++i) {
        out.SetValue(i, results[i]);
    }
    DataCacheCleanAndInvalid<int64_t, CacheLine::ENTIRE_DATA_CACHE>(out);
    WriteGmByPassDCache(reinterpret_cast<__gm__ int64_t*>(z) + 9, int64_t(Cast<float, int32_t, RoundMode::CAST_CEIL>(2.25f)));
    AscendC::printf("block %d of %d: %f\n", int(GetBlockIdx()), int(GetBlockNum()), half(1.5f));
    DumpTensor(out, 7, 2);
}

__aicore__ inline void Reduced(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 2048);
    LocalTensor<float> t = buf.Get<float>(64), r = buf.GetWithOffset<float>(64, 512), tmp = buf.GetWithOffset<float>(64, 1024);
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x);
    out.SetGlobalBuffer((__gm__ float*)z);
    DataCopy(t, in, 64);
    PipeBarrier<PIPE_ALL>();
    ReduceSum(r, t, tmp, 64);
    PipeBarrier<PIPE_ALL>();
    out.SetValue(0, GetReduceRepeatSumSpr<float>());
#if __NPU_ARCH__ == 2201
    WholeReduceMax(r, t, 64, 1, 1, 1, 8);
    PipeBarrier<PIPE_ALL>();
    float value, index;
    GetReduceRepeatMaxMinSpr(value, index);
    out.SetValue(1, value);
    out.SetValue(2, float(*reinterpret_cast<uint32_t*>(&index)));
#endif
}

extern "C" __global__ __aicore__ void resources(GM_ADDR x, GM_ADDR z, GM_ADDR tiling)
{
    if (TILING_KEY_IS(0)) Allocators(x, z);
    else if (TILING_KEY_IS(1) || TILING_KEY_IS(21) || TILING_KEY_IS(22)) Pools(x, z);
    else if (TILING_KEY_IS(2)) Atomics(x, z, [] { SetAtomicAdd<float>(); });
    else if (TILING_KEY_IS(3)) Atomics(x, z, [] { SetAtomicMax<float>(); });
    else if (TILING_KEY_IS(4)) Atomics(x, z, [] { SetAtomicMin<float>(); });
    else if (TILING_KEY_IS(5)) Atomics(x, z, [] { SetAtomicAdd<float>(); SetAtomicType<int32_t>(); });
    else if (TILING_KEY_IS(6)) Slices(x, z);
    else if (TILING_KEY_IS(7)) Scalars(x, z);
    else if (TILING_KEY_IS(8)) Reduced(x, z);
    else if (TILING_KEY_IS(9)) {
        TPipe pipe;
        TBuf<TPosition::VECCALC> buf;
        pipe.InitBuffer(buf, 1024);
        LocalTensor<float> rest;
        if (PopStackBuffer<float, TPosition::VECCALC>(rest)) {
            Copy(z, x, rest, 64);
        }
        GlobalTensor<float> out;
        out.SetGlobalBuffer((__gm__ float*)z);
        out.SetValue(64, float(rest.GetLength()));
    }
    else if (TILING_KEY_IS(20)) Atomics(x, z, [] { SetAtomicAdd<uint32_t>(); });  // K20
    else if (TILING_KEY_IS(23)) {
        assert(GetBlockNum() == 2);  // K23
        Allocators(x, z);
    }
    else if (TILING_KEY_IS(24)) Trap();  // K24
    else if (TILING_KEY_IS(25)) {
        const SliceInfo wrong[1] = {{0, 20, 3, 1, 87}};
        LocalTensor<float> t(TPosition::VECIN, 0, 96);
        GlobalTensor<float> in;
        in.SetGlobalBuffer((__gm__ float*)x);
        DataCopy(t, in, wrong, wrong, 1);  // K25
    }
    else if (TILING_KEY_IS(26)) SetCtrlSpr<48, 48>(0);  // K26
    else if (TILING_KEY_IS(27)) SetCtrlSpr<60, 60>(0);
}
