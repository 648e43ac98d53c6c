// y = factor * x, or y += factor * x with ADD: dtype from the macro of an operator project, tiling from memory, two keys.
// Key 1 squares the factor.
#include "kernel_operator.h"
#include "scale.h"

using namespace AscendC;

template <bool ADD>
__global__ __aicore__ void scale(GM_ADDR gradX, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    using T = DTYPE_GRAD_X;
    REGISTER_TILING_DEFAULT(ScaleTiling);
    GET_TILING_DATA_WITH_STRUCT(ScaleTiling, data, tiling);
    const auto* plain = reinterpret_cast<__gm__ ScaleTiling*>(tiling);
    float factor = data.factor;
    if (TILING_KEY_IS(1)) {
        factor *= plain->factor;
    }
    TPipe pipe;
    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 2, data.columns * sizeof(T));
    GlobalTensor<T> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ T*)gradX);
    yGm.SetGlobalBuffer((__gm__ T*)y);
    if constexpr (ADD) {
        SetAtomicAdd<T>();
    }
    for (uint32_t row = GetBlockIdx(); row < data.rows; row += GetBlockNum()) {
        LocalTensor<T> values = queue.AllocTensor<T>();
        DataCopyPad(values, xGm[row * data.columns], {1, static_cast<uint32_t>(data.columns * sizeof(T)), 0, 0, 0},
                    DataCopyPadExtParams<T>{false, 0, 0, T(0)});
        queue.EnQue<QuePosition::GM, QuePosition::VECIN, T>(values);
        values = queue.DeQue<QuePosition::GM, QuePosition::VECIN, T>();
        Muls(values, values, T(factor), data.columns);
        queue.EnQue<QuePosition::VECOUT, QuePosition::GM, T>(values);
        values = queue.DeQue<QuePosition::VECOUT, QuePosition::GM, T>();
        DataCopyPad(yGm[row * data.columns], values, DataCopyExtParams{1, static_cast<uint32_t>(data.columns * sizeof(T)), 0, 0, 0});
        queue.FreeTensor(values);
    }
    if constexpr (ADD) {
        SetAtomicNone();
    }
}
