// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_cube.h
 * \brief Matrix products of TextGatedResidualGrad on cube cores.
 *
 * A core owns output tiles of 128 x 128 and walks k in steps of 128, always in the same order:
 *   GM -> L1 (NZ) -> L0A, L0B -> L0C (float32) -> GM, rounded once.
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_CUBE_H
#define TEXT_GATED_RESIDUAL_GRAD_CUBE_H

#include "kernel_operator.h"

namespace TextGatedResidualGrad {
using namespace AscendC;

constexpr int32_t TILE_M = 128;
constexpr int32_t TILE_N = 128;
constexpr int32_t TILE_K = 128;
constexpr int32_t FRACTAL = 16;                      // rows and columns of a fractal of 16-bit elements
constexpr int32_t FRACTAL_ELEMENTS = FRACTAL * FRACTAL;

// A row-major matrix in GM: rows x columns elements, as stored.
template <typename T>
struct Matrix {
    GlobalTensor<T> data;
    int64_t columns;
};

template <typename T>
__aicore__ inline Matrix<T> Gm(GM_ADDR address, int64_t columns)
{
    Matrix<T> matrix;
    matrix.data.SetGlobalBuffer((__gm__ T*)address);
    matrix.columns = columns;
    return matrix;
}

__aicore__ inline int32_t Fractals(int32_t elements)
{
    return (elements + FRACTAL - 1) / FRACTAL;
}

template <typename T>
class CubeProducts {
public:
    __aicore__ inline void Init(TPipe* pipe)
    {
        pipe->InitBuffer(a1Queue_, 2, TILE_M * TILE_K * sizeof(T));
        pipe->InitBuffer(b1Queue_, 2, TILE_K * TILE_N * sizeof(T));
        pipe->InitBuffer(a2Queue_, 2, TILE_M * TILE_K * sizeof(T));
        pipe->InitBuffer(b2Queue_, 2, TILE_K * TILE_N * sizeof(T));
        pipe->InitBuffer(co1Queue_, 1, TILE_M * TILE_N * sizeof(float));
    }

    // c[m, n] = sum over k of a * b. A transposed operand is stored with its two dimensions exchanged.
    // Tiles go to the cores in turn; `turn` counts them over several products, so that small ones spread out.
    template <bool TRANSPOSE_A, bool TRANSPOSE_B, typename U>
    __aicore__ inline void Multiply(const Matrix<U>& c, const Matrix<T>& a, const Matrix<T>& b, int64_t m, int64_t n,
                                    int64_t k,
                                    int64_t& turn)
    {
        for (int64_t row = 0; row < m; row += TILE_M) {
            for (int64_t column = 0; column < n; column += TILE_N) {
                if (turn++ % GetBlockNum() == GetBlockIdx()) {
                    const int32_t tileM = static_cast<int32_t>(m - row < TILE_M ? m - row : TILE_M);
                    const int32_t tileN = static_cast<int32_t>(n - column < TILE_N ? n - column : TILE_N);
                    MultiplyTile<TRANSPOSE_A, TRANSPOSE_B>(c, a, b, row, column, tileM, tileN, k);
                }
            }
        }
    }

private:
    template <bool TRANSPOSE_A, bool TRANSPOSE_B, typename U>
    __aicore__ inline void MultiplyTile(const Matrix<U>& c, const Matrix<T>& a, const Matrix<T>& b, int64_t row,
                                        int64_t column,
                                        int32_t tileM, int32_t tileN, int64_t k)
    {
        LocalTensor<float> sum = co1Queue_.template AllocTensor<float>();
        // One row would make the cube read A as a plain vector: it is taken twice and stored once.
        const int32_t rows = tileM == 1 ? 2 : tileM;
        for (int64_t at = 0; at < k; at += TILE_K) {
            const int32_t tileK = static_cast<int32_t>(k - at < TILE_K ? k - at : TILE_K);
            LocalTensor<T> a1 = a1Queue_.template AllocTensor<T>();
            if constexpr (TRANSPOSE_A) {
                ToL1(a1, a, at, row, tileK, tileM);
            } else {
                ToL1(a1, a, row, at, tileM, tileK);
            }
            a1Queue_.EnQue(a1);
            LocalTensor<T> b1 = b1Queue_.template AllocTensor<T>();
            if constexpr (TRANSPOSE_B) {
                ToL1(b1, b, column, at, tileN, tileK);
            } else {
                ToL1(b1, b, at, column, tileK, tileN);
            }
            b1Queue_.EnQue(b1);

            a1 = a1Queue_.template DeQue<T>();
            LocalTensor<T> a2 = a2Queue_.template AllocTensor<T>();
            ToL0A<TRANSPOSE_A>(a2, a1, Fractals(rows), Fractals(tileK));
            a1Queue_.FreeTensor(a1);
            a2Queue_.EnQue(a2);
            b1 = b1Queue_.template DeQue<T>();
            LocalTensor<T> b2 = b2Queue_.template AllocTensor<T>();
            ToL0B<TRANSPOSE_B>(b2, b1, Fractals(tileK), Fractals(tileN));
            b1Queue_.FreeTensor(b1);
            b2Queue_.EnQue(b2);

            a2 = a2Queue_.template DeQue<T>();
            b2 = b2Queue_.template DeQue<T>();
            MmadParams params;
            params.m = rows;
            params.n = tileN;
            params.k = tileK;
            params.cmatrixInitVal = at == 0;
            Mmad(sum, a2, b2, params);
            PipeBarrier<PIPE_M>(); // the next step adds to the same tile
            a2Queue_.FreeTensor(a2);
            b2Queue_.FreeTensor(b2);
        }
        co1Queue_.EnQue(sum);
        sum = co1Queue_.template DeQue<float>();
        FromL0C(c, sum, row, column, tileM, tileN, Fractals(rows) * FRACTAL);
        co1Queue_.FreeTensor(sum);
    }

    // Rows and columns [row, row + height) x [column, column + width) of a matrix into L1, 16 columns of all rows after
    // another (NZ). One row is written twice.
    __aicore__ inline void ToL1(const LocalTensor<T>& to, const Matrix<T>& from, int64_t row, int64_t column,
                                int32_t height,
                                int32_t width)
    {
        Nd2NzParams params;
        params.ndNum = height == 1 ? 2 : 1;
        params.nValue = height;
        params.dValue = width;
        params.srcNdMatrixStride = 0;
        params.srcDValue = from.columns;
        params.dstNzC0Stride = Fractals(height) * FRACTAL;
        params.dstNzNStride = 1;
        params.dstNzMatrixStride = FRACTAL;
        DataCopy(to, from.data[row * from.columns + column], params);
    }

    // L1 to L0A (ZZ): m rows of k fractals. A transposed operand lies in L1 as k x m.
    template <bool TRANSPOSE>
    __aicore__ inline void ToL0A(const LocalTensor<T>& to, const LocalTensor<T>& from, int32_t m, int32_t k)
    {
        for (int32_t i = 0; i < m; ++i) {
            LoadData2DParams params;
            params.repeatTimes = k;
            params.srcStride = TRANSPOSE ? 1 : m;
            params.ifTranspose = TRANSPOSE;
            LoadData(to[i * k * FRACTAL_ELEMENTS], from[(TRANSPOSE ? i * k : i) * FRACTAL_ELEMENTS], params);
        }
    }

    // L1 to L0B (ZN): k rows of n fractals, each with k running fastest. Stored as k x n, fractals are transposed.
    template <bool TRANSPOSE>
    __aicore__ inline void ToL0B(const LocalTensor<T>& to, const LocalTensor<T>& from, int32_t k, int32_t n)
    {
        for (int32_t j = 0; j < k; ++j) {
            LoadData2DParams params;
            params.repeatTimes = n;
            params.srcStride = TRANSPOSE ? 1 : k;
            params.ifTranspose = !TRANSPOSE;
            LoadData(to[j * n * FRACTAL_ELEMENTS], from[(TRANSPOSE ? j * n : j) * FRACTAL_ELEMENTS], params);
        }
    }

    // L0C to GM, rounded to the dtype of the result.
    template <typename U>
    __aicore__ inline void FromL0C(const Matrix<U>& to, const LocalTensor<float>& from, int64_t row, int64_t column,
                                   int32_t height,
                                   int32_t width, int32_t pitch)
    {
        FixpipeParamsV220 params;
        params.nSize = width;
        params.mSize = height;
        params.srcStride = pitch;
        params.dstStride = to.columns;
        params.ndNum = 1;
        if constexpr (sizeof(U) == sizeof(float)) {
            params.quantPre = QuantMode_t::NoQuant;
        } else if constexpr (IsSameType<U, half>::value) {
            params.quantPre = QuantMode_t::F322F16;
        } else {
            params.quantPre = QuantMode_t::F322BF16;
        }
        Fixpipe<U, float, CFG_ROW_MAJOR>(to.data[row * to.columns + column], from, params);
    }

    TQue<QuePosition::A1, 1> a1Queue_;
    TQue<QuePosition::B1, 1> b1Queue_;
    TQue<QuePosition::A2, 1> a2Queue_;
    TQue<QuePosition::B2, 1> b2Queue_;
    TQue<QuePosition::CO1, 1> co1Queue_;
};
} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_CUBE_H
