// y = x + shift on vector cores alone: the tiling struct as a host defines it, by its registered name, and a struct by value.
#include "register/tilingdata_base.h"

BEGIN_TILING_DATA_DEF(ShiftTiling)
TILING_DATA_FIELD_DEF(uint32_t, count);
TILING_DATA_FIELD_DEF_ARR(float, 2, shift);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Shift, ShiftTiling)
REGISTER_TILING_DEFAULT(ShiftTiling);

#include "kernel_operator.h"

struct Scale {
    float factor;
};

__vector__ __global__ void shift(__gm__ float* x, __gm__ float* y, Scale scale, GM_ADDR tilingGm)
{
    GET_TILING_DATA(data, tilingGm);
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, data.count * sizeof(float));
    AscendC::GlobalTensor<float> in, out;
    in.SetGlobalBuffer(x);
    out.SetGlobalBuffer(y);
    AscendC::LocalTensor<float> values = buf.Get<float>();
    AscendC::DataCopy(values, in, data.count);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Adds(values, values, data.shift[0] + data.shift[1] * scale.factor, data.count);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(out, values, data.count);
}

#if !defined(__NPU_ARCH__)
int main() { return 0; }
#endif
