// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_cube.h
 * \brief Matrix products of TextGatedResidualGrad on cube cores.
 *
 * A core owns output tiles and walks k in ascending order:
 *   GM -> L1 (NZ), up to 512 elements of k at a time -> L0A, L0B, 64 at a time -> L0C (float32) -> GM, rounded once.
 * L1, L0A and L0B hold two buffers of each operand; L0C holds two tiles where they fit.
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_CUBE_H
#define TEXT_GATED_RESIDUAL_GRAD_CUBE_H

#include "kernel_operator.h"

namespace TextGatedResidualGrad {
using namespace AscendC;

constexpr int64_t STEP_K = 64;      // elements of k that L0A and L0B hold at a time
constexpr int64_t MOST_LOAD_K = 512; // elements of k that cross into L1 at a time
constexpr int64_t L1_BYTES = 524032;
constexpr int64_t L0C_BYTES = 131072;
constexpr int32_t FRACTAL = 16;      // rows and columns of a fractal of 16-bit elements
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

// How a product is cut: elements of an output tile and of a part of k, and the parts of k.
struct CubeCut {
    int64_t rows;
    int64_t columns;
    int64_t partK;
    int64_t parts;
};

// The rows and columns of a product that one matrix holds.
struct Place {
    int64_t row;
    int64_t column;
    int64_t rows;
    int64_t columns;
};

// Matrices in the place of one operand, along m or n; each starts at a whole fractal. One of size 0 is not there.
template <typename T, int32_t N>
struct Stack {
    Matrix<T> matrices[N];
    int64_t first[N];
    int64_t sizes[N];
    int32_t count = 0;
    int64_t end = 0;

    __aicore__ inline void Add(const Matrix<T>& matrix, int64_t size)
    {
        matrices[count] = matrix;
        first[count] = (end + FRACTAL - 1) / FRACTAL * FRACTAL;
        sizes[count] = size;
        end = size > 0 ? first[count] + size : end;
        ++count;
    }

    __aicore__ inline int64_t Size() const { return end; }

    __aicore__ inline Place RangeM(int32_t index) const { return Place{first[index], 0, sizes[index], ALL}; }

    __aicore__ inline Place RangeN(int32_t index) const { return Place{0, first[index], ALL, sizes[index]}; }

    static constexpr int64_t ALL = int64_t(1) << 62;
};

template <typename T>
class CubeProducts {
public:
    __aicore__ inline explicit CubeProducts(TPipe* pipe) : pipe_(pipe) {}

    // Starts a product of m x n elements. Tiles go to the cores in turn, on from those of the product before.
    __aicore__ inline void Start(const CubeCut& cut, int64_t m, int64_t n)
    {
        PipeBarrier<PIPE_ALL>();
        pipe_->Reset();
        cut_ = cut;
        m_ = m;
        n_ = n;
        rowTiles_ = (m + cut.rows - 1) / cut.rows;
        columnTiles_ = (n + cut.columns - 1) / cut.columns;
        const int64_t cores = GetBlockNum();
        next_ = (GetBlockIdx() + cores - turn_ % cores) % cores;
        turn_ += rowTiles_ * columnTiles_ * cut.parts;
        const int64_t fits = L1_BYTES / (2 * static_cast<int64_t>(sizeof(T)) * (cut.rows + cut.columns)) / STEP_K *
                             STEP_K;
        loadK_ = fits < MOST_LOAD_K ? fits : MOST_LOAD_K;
        const int64_t tileBytes = cut.rows * cut.columns * sizeof(float);
        pipe_->InitBuffer(a1Queue_, 2, cut.rows * loadK_ * sizeof(T));
        pipe_->InitBuffer(b1Queue_, 2, cut.columns * loadK_ * sizeof(T));
        pipe_->InitBuffer(a2Queue_, 2, cut.rows * STEP_K * sizeof(T));
        pipe_->InitBuffer(b2Queue_, 2, cut.columns * STEP_K * sizeof(T));
        pipe_->InitBuffer(co1Queue_, 2 * tileBytes <= L0C_BYTES ? 2 : 1, tileBytes);
    }

    // Goes on to the next tile of this core. False where there is none.
    __aicore__ inline bool Next()
    {
        if (stored_) {
            co1Queue_.FreeTensor(sum_);
            stored_ = false;
        }
        const int64_t tiles = rowTiles_ * columnTiles_;
        if (next_ >= tiles * cut_.parts) {
            return false;
        }
        part_ = next_ / tiles;
        row_ = next_ % tiles / columnTiles_ * cut_.rows;
        column_ = next_ % columnTiles_ * cut_.columns;
        tileM_ = static_cast<int32_t>(m_ - row_ < cut_.rows ? m_ - row_ : cut_.rows);
        tileN_ = static_cast<int32_t>(n_ - column_ < cut_.columns ? n_ - column_ : cut_.columns);
        walked_ = 0;
        summed_ = false;
        sum_ = co1Queue_.template AllocTensor<float>();
        next_ += GetBlockNum();
        return true;
    }

    // The part of k that the tile sums.
    __aicore__ inline int64_t Part() const { return part_; }

    // Adds the sum over k of a * b to the tile. A transposed operand is stored with its two dimensions exchanged; one
    // of the two may be a stack. Where k is cut, calls of one tile count on.
    template <bool TRANSPOSE_A, bool TRANSPOSE_B, typename A, typename B>
    __aicore__ inline void Accumulate(const A& a, const B& b, int64_t k)
    {
        const int64_t first = part_ * cut_.partK - walked_;
        const int64_t end = first + cut_.partK < k ? first + cut_.partK : k;
        for (int64_t at = first > 0 ? first : 0; at < end; at += loadK_) {
            Load<TRANSPOSE_A, TRANSPOSE_B>(a, b, at, static_cast<int32_t>(end - at < loadK_ ? end - at : loadK_));
        }
        walked_ += k;
    }

    // The tile as it is to GM.
    template <typename U>
    __aicore__ inline void Store(const Matrix<U>& to)
    {
        Store(to, Place{0, 0, m_, n_});
    }

    // What the tile has of one matrix of a stack.
    template <typename U>
    __aicore__ inline void Store(const Matrix<U>& to, const Place& place)
    {
        if (!stored_) {
            co1Queue_.EnQue(sum_);
            sum_ = co1Queue_.template DeQue<float>();
            stored_ = true;
        }
        const int64_t row = row_ > place.row ? row_ : place.row;
        const int64_t column = column_ > place.column ? column_ : place.column;
        const int64_t rows = (row_ + tileM_ < place.row + place.rows ? row_ + tileM_ : place.row + place.rows) - row;
        const int64_t columns = (column_ + tileN_ < place.column + place.columns ? column_ + tileN_
                                 : place.column + place.columns) - column;
        if (rows <= 0 || columns <= 0) {
            return;
        }
        // L0C: fractals of 16 x 16, those of one column of fractals after one another.
        const int64_t pitch = Fractals(Rows());
        const int64_t at = ((column - column_) / FRACTAL * pitch + (row - row_) / FRACTAL) * FRACTAL_ELEMENTS;
        FromL0C(to, sum_[at], row - place.row, column - place.column, static_cast<int32_t>(rows),
                static_cast<int32_t>(columns),
                static_cast<int32_t>(pitch * FRACTAL));
    }

private:
    // Rows that the cube multiplies. One row would make it read A as a plain vector: it is taken twice and stored once.
    __aicore__ inline int32_t Rows() const { return tileM_ == 1 ? 2 : tileM_; }

    // k elements from `at` on through L1 into the tile.
    template <bool TRANSPOSE_A, bool TRANSPOSE_B, typename A, typename B>
    __aicore__ inline void Load(const A& a, const B& b, int64_t at, int32_t k)
    {
        LocalTensor<T> a1 = a1Queue_.template AllocTensor<T>();
        ToL1<TRANSPOSE_A>(a1, a, row_, tileM_, at, k);
        a1Queue_.EnQue(a1);
        LocalTensor<T> b1 = b1Queue_.template AllocTensor<T>();
        ToL1<!TRANSPOSE_B>(b1, b, column_, tileN_, at, k);
        b1Queue_.EnQue(b1);
        a1 = a1Queue_.template DeQue<T>();
        b1 = b1Queue_.template DeQue<T>();
        Multiply<TRANSPOSE_A, TRANSPOSE_B>(a1, b1, k);
        a1Queue_.FreeTensor(a1);
        b1Queue_.FreeTensor(b1);
    }

    // k elements of both operands, which lie in L1, into the tile.
    template <bool TRANSPOSE_A, bool TRANSPOSE_B>
    __aicore__ inline void Multiply(const LocalTensor<T>& a1, const LocalTensor<T>& b1, int32_t k)
    {
        for (int32_t step = 0; step < k; step += STEP_K) {
            const int32_t stepK = static_cast<int32_t>(k - step < STEP_K ? k - step : STEP_K);
            LocalTensor<T> a2 = a2Queue_.template AllocTensor<T>();
            ToL0A<TRANSPOSE_A>(a2, a1, Fractals(Rows()), Fractals(k), step / FRACTAL, Fractals(stepK));
            a2Queue_.EnQue(a2);
            LocalTensor<T> b2 = b2Queue_.template AllocTensor<T>();
            ToL0B<TRANSPOSE_B>(b2, b1, Fractals(tileN_), Fractals(k), step / FRACTAL, Fractals(stepK));
            b2Queue_.EnQue(b2);
            a2 = a2Queue_.template DeQue<T>();
            b2 = b2Queue_.template DeQue<T>();
            MmadParams params;
            params.m = Rows();
            params.n = tileN_;
            params.k = stepK;
            params.cmatrixInitVal = !summed_;
            summed_ = true;
            Mmad(sum_, a2, b2, params);
            PipeBarrier<PIPE_M>(); // the next step adds to the same tile
            a2Queue_.FreeTensor(a2);
            b2Queue_.FreeTensor(b2);
        }
    }

    // Elements [first, first + size) along m or n, and k of them along k from `at` on, into L1 as they are stored, in
    // columns of 16 elements (NZ). K_IN_ROWS: whether a row of the matrix is one element of k.
    template <bool K_IN_ROWS>
    __aicore__ inline void ToL1(const LocalTensor<T>& to, const Matrix<T>& from, int64_t first, int32_t size,
                                int64_t at, int32_t k)
    {
        if constexpr (K_IN_ROWS) {
            Copy(to, from, at, first, k, size, Fractals(k) * FRACTAL);
        } else {
            Copy(to, from, first, at, size, k, Fractals(size) * FRACTAL);
        }
    }

    template <bool K_IN_ROWS, int32_t N>
    __aicore__ inline void ToL1(const LocalTensor<T>& to, const Stack<T, N>& from, int64_t first, int32_t size,
                                int64_t at, int32_t k)
    {
        for (int32_t i = 0; i < N; ++i) {
            const int64_t begin = first > from.first[i] ? first : from.first[i];
            const int64_t last = from.first[i] + from.sizes[i];
            const int32_t here = static_cast<int32_t>((first + size < last ? first + size : last) - begin);
            if (here <= 0) {
                continue;
            }
            if constexpr (K_IN_ROWS) {
                const int32_t pitch = Fractals(k) * FRACTAL;
                Copy(to[(begin - first) * pitch], from.matrices[i], at, begin - from.first[i], k, here, pitch);
            } else {
                const int32_t pitch = Fractals(size) * FRACTAL;
                Copy(to[(begin - first) * FRACTAL], from.matrices[i], begin - from.first[i], at, here, k, pitch);
                const int32_t copied = here == 1 ? 2 : here;
                const int32_t filled = static_cast<int32_t>(begin - first) + copied;
                if (filled < size && copied % FRACTAL > 0) { // up to the next matrix the last row is there again
                    Repeat(to[filled * FRACTAL], from.matrices[i], from.sizes[i] - 1, at, FRACTAL - copied % FRACTAL, k,
                           pitch);
                }
            }
        }
    }

    // height x width elements of a matrix into L1; pitch: rows of a column of 16 elements there. One row is written
    // twice.
    __aicore__ inline void Copy(const LocalTensor<T>& to, const Matrix<T>& from, int64_t row, int64_t column,
                                int32_t height, int32_t width, int32_t pitch)
    {
        if (height == 1) {
            Repeat(to, from, row, column, 2, width, pitch);
        } else {
            ToNz(to, from, row, column, 1, height, width, pitch);
        }
    }

    // One row of a matrix that many times.
    __aicore__ inline void Repeat(const LocalTensor<T>& to, const Matrix<T>& from, int64_t row, int64_t column,
                                  int32_t times, int32_t width, int32_t pitch)
    {
        ToNz(to, from, row, column, times, 1, width, pitch);
    }

    __aicore__ inline void ToNz(const LocalTensor<T>& to, const Matrix<T>& from, int64_t row, int64_t column,
                                int32_t times,
                                int32_t height, int32_t width, int32_t pitch)
    {
        Nd2NzParams params;
        params.ndNum = times;
        params.nValue = height;
        params.dValue = width;
        params.srcNdMatrixStride = 0;
        params.srcDValue = from.columns;
        params.dstNzC0Stride = pitch;
        params.dstNzNStride = 1;
        params.dstNzMatrixStride = FRACTAL;
        DataCopy(to, from.data[row * from.columns + column], params);
    }

    // L1 to L0A (ZZ): m rows of steps fractals, from fractal `first` of the k along k. A transposed operand lies in L1
    // as k x m.
    template <bool TRANSPOSE>
    __aicore__ inline void ToL0A(const LocalTensor<T>& to, const LocalTensor<T>& from, int32_t m, int32_t k,
                                 int32_t first, int32_t steps)
    {
        for (int32_t i = 0; i < m; ++i) {
            LoadData2DParams params;
            params.repeatTimes = steps;
            params.srcStride = TRANSPOSE ? 1 : m;
            params.ifTranspose = TRANSPOSE;
            LoadData(to[i * steps * FRACTAL_ELEMENTS],
                     from[(TRANSPOSE ? i * k + first : first * m + i) * FRACTAL_ELEMENTS], params);
        }
    }

    // L1 to L0B (ZN): steps rows of n fractals, from fractal `first` of the k along k, each with k running fastest.
    // Stored as k x n, fractals are transposed.
    template <bool TRANSPOSE>
    __aicore__ inline void ToL0B(const LocalTensor<T>& to, const LocalTensor<T>& from, int32_t n, int32_t k,
                                 int32_t first, int32_t steps)
    {
        for (int32_t j = 0; j < steps; ++j) {
            LoadData2DParams params;
            params.repeatTimes = n;
            params.srcStride = TRANSPOSE ? 1 : k;
            params.ifTranspose = !TRANSPOSE;
            LoadData(to[j * n * FRACTAL_ELEMENTS], from[(TRANSPOSE ? (first + j) * n : first + j) * FRACTAL_ELEMENTS],
                     params);
        }
    }

    // L0C to GM, rounded to the dtype of the result.
    template <typename U>
    __aicore__ inline void FromL0C(const Matrix<U>& to, const LocalTensor<float>& from, int64_t row, int64_t column,
                                   int32_t height, int32_t width, int32_t pitch)
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

    TPipe* pipe_;
    TQue<QuePosition::A1, 1> a1Queue_;
    TQue<QuePosition::B1, 1> b1Queue_;
    TQue<QuePosition::A2, 1> a2Queue_;
    TQue<QuePosition::B2, 1> b2Queue_;
    TQue<QuePosition::CO1, 1> co1Queue_;
    LocalTensor<float> sum_;

    CubeCut cut_ = {};
    int64_t m_ = 0;
    int64_t n_ = 0;
    int64_t rowTiles_ = 0;
    int64_t columnTiles_ = 0;
    int64_t loadK_ = 0;
    int64_t turn_ = 0;   // tiles of all products so far
    int64_t next_ = 0;   // the next tile of this core
    int64_t part_ = 0;   // of the tile that is summed, as all below
    int64_t row_ = 0;
    int64_t column_ = 0;
    int64_t walked_ = 0; // elements of k that came before
    int32_t tileM_ = 0;
    int32_t tileN_ = 0;
    bool summed_ = false;
    bool stored_ = false;
};
} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_CUBE_H
