// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file text_gated_residual_grad_tile.h
 * \brief Tiles of rows and columns: moving them, and what the vector API has no single call for.
 */

#ifndef TEXT_GATED_RESIDUAL_GRAD_TILE_H
#define TEXT_GATED_RESIDUAL_GRAD_TILE_H

#include "kernel_operator.h"

namespace TextGatedResidualGrad {
using namespace AscendC;

constexpr int32_t BLOCK_BYTES = 32;
constexpr int32_t BLOCK_FLOATS = BLOCK_BYTES / sizeof(float);
constexpr int32_t REPEAT_FLOATS = 64; // one repeat covers 256 bytes
constexpr int32_t TILE_ALIGNMENT = 256;
// flags between a cube core and each of its vector cores: a tile has been handed over,
constexpr uint16_t TILE_IS_THERE = 1;
constexpr uint16_t PLACE_IS_FREE = 2; // there is room for the next one
constexpr uint16_t STRIP_IS_THERE = 3; // and the other way: a strip of an operand is in L1,
constexpr uint16_t STRIP_IS_FREE = 4;  // it has been multiplied
constexpr int32_t PARTIAL_COLUMNS = 64;
constexpr float FLOAT_MAX = 3.402823466e+38f;
constexpr int32_t MAX_STRIDE_BLOCKS = 255; // the repeat stride of a binary instruction is 8 bits wide

// rows x width elements, each row starting pitch elements after the one before it.
struct TileShape {
    int32_t rows;
    int32_t width;
    int32_t pitch;
};

template <typename I>
__aicore__ constexpr inline I RoundUpTo(I value, I multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

// Makes the second pipe of the event wait for the first.
template <HardEvent EVENT>
__aicore__ inline void WaitFor()
{
    const event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(EVENT));
    SetFlag<EVENT>(id);
    WaitFlag<EVENT>(id);
}

// GM to UB, one run of elements.
template <typename U>
__aicore__ inline void LoadRun(const LocalTensor<U>& to, const GlobalTensor<U>& from, int32_t count)
{
    DataCopyPadExtParams<U> noPadding;
    DataCopyPad(to, from, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(U)), 0, 0, 0}, noPadding);
}

// UB to GM, one run of elements.
template <typename U>
__aicore__ inline void StoreRun(const GlobalTensor<U>& to, const LocalTensor<U>& from, int32_t count)
{
    DataCopyPad(to, from, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(U)), 0, 0, 0});
}

// GM to UB; rows lie stride elements apart in GM and pitch elements apart in UB.
template <typename U>
__aicore__ inline void LoadTile(const LocalTensor<U>& tile, const GlobalTensor<U>& from, int64_t stride,
                                const TileShape& shape)
{
    if (stride == shape.width && shape.pitch == shape.width) {
        LoadRun(tile, from, shape.rows * shape.width);
        return;
    }
    constexpr int32_t lanes = BLOCK_BYTES / sizeof(U);
    DataCopyPadExtParams<U> noPadding;
    DataCopyExtParams rows{static_cast<uint16_t>(shape.rows), static_cast<uint32_t>(shape.width * sizeof(U)),
                           static_cast<int64_t>((stride - shape.width) * sizeof(U)),
                           static_cast<int64_t>((shape.pitch - RoundUpTo(shape.width, lanes)) / lanes), 0};
    DataCopyPad(tile, from, rows, noPadding);
}

// UB to GM, the bytes of the tile and no others.
template <typename U>
__aicore__ inline void StoreTile(const GlobalTensor<U>& to, const LocalTensor<U>& tile, int64_t stride,
                                 const TileShape& shape)
{
    if (stride == shape.width && shape.pitch == shape.width) {
        StoreRun(to, tile, shape.rows * shape.width);
        return;
    }
    constexpr int32_t lanes = BLOCK_BYTES / sizeof(U);
    DataCopyExtParams rows{static_cast<uint16_t>(shape.rows), static_cast<uint32_t>(shape.width * sizeof(U)),
                           static_cast<int64_t>((shape.pitch - RoundUpTo(shape.width, lanes)) / lanes),
                           static_cast<int64_t>((stride - shape.width) * sizeof(U)), 0};
    DataCopyPad(to, tile, rows);
}

// UB to L1 of the group's cube core, as ND2NZ lays a matrix out: columns of one data block, `pitch` rows from one to
// the next.
template <typename U>
__aicore__ inline void TileToL1(const LocalTensor<U>& to, const LocalTensor<U>& tile, int64_t pitch,
                                const TileShape& shape)
{
    constexpr int32_t lanes = BLOCK_BYTES / sizeof(U);
    const DataCopyParams column{static_cast<uint16_t>(shape.rows), 1, static_cast<uint16_t>(shape.pitch / lanes - 1),
                                0};
    for (int32_t at = 0; at < shape.width; at += lanes) {
        DataCopy(to[at * pitch], tile[at], column);
    }
}

// Takes a loaded tile to float; where the tile is float it is computed on in place.
template <typename U>
__aicore__ inline void ToFloat(const LocalTensor<float>& value, const LocalTensor<U>& tile, int32_t count)
{
    if constexpr (sizeof(U) != sizeof(float)) {
        Cast(value, tile, RoundMode::CAST_NONE, count);
    }
}

// Rounds a float tile into the tile that is stored; where that one is float the value was computed in it.
template <typename U>
__aicore__ inline void FromFloat(const LocalTensor<U>& tile, const LocalTensor<float>& value, int32_t count)
{
    if constexpr (sizeof(U) != sizeof(float)) {
        Cast(tile, value, RoundMode::CAST_RINT, count);
    }
}

// Rounds a float vector into the vector that is stored.
template <typename U>
__aicore__ inline void CopyFromFloat(const LocalTensor<U>& tile, const LocalTensor<float>& value, int32_t count)
{
    if constexpr (sizeof(U) != sizeof(float)) {
        Cast(tile, value, RoundMode::CAST_RINT, count);
    } else {
        Muls(tile, value, 1.0f, count);
    }
}

// Spreads one value per row over one data block per row.
__aicore__ inline void ReplicateRows(const LocalTensor<float>& blocks, const LocalTensor<float>& values, int32_t rows)
{
    Brcb(blocks, values, static_cast<uint8_t>(RoundUpTo(rows, BLOCK_FLOATS) / BLOCK_FLOATS), {1, BLOCK_FLOATS});
}

enum class VectorOp { ADD, SUB, MUL, DIV, MAX, MIN };

template <VectorOp OP>
__aicore__ inline void ApplyRepeats(const LocalTensor<float>& to, const LocalTensor<float>& left,
                                    const LocalTensor<float>& right,
                                    int32_t lanes, int32_t repeats, const BinaryRepeatParams& strides)
{
    const uint64_t mask = static_cast<uint64_t>(lanes);
    const uint8_t times = static_cast<uint8_t>(repeats);
    if constexpr (OP == VectorOp::ADD) {
        Add(to, left, right, mask, times, strides);
    } else if constexpr (OP == VectorOp::SUB) {
        Sub(to, left, right, mask, times, strides);
    } else if constexpr (OP == VectorOp::MUL) {
        Mul(to, left, right, mask, times, strides);
    } else if constexpr (OP == VectorOp::DIV) {
        Div(to, left, right, mask, times, strides);
    } else if constexpr (OP == VectorOp::MAX) {
        Max(to, left, right, mask, times, strides);
    } else {
        Min(to, left, right, mask, times, strides);
    }
}

// to[r][c] = tile[r][c] OP value of row r; `blocks` holds each row's value in one data block.
template <VectorOp OP>
__aicore__ inline void ApplyRows(const LocalTensor<float>& to, const LocalTensor<float>& tile,
                                 const LocalTensor<float>& blocks,
                                 const TileShape& shape)
{
    const int32_t pitchBlocks = shape.pitch / BLOCK_FLOATS;
    if (pitchBlocks <= MAX_STRIDE_BLOCKS && shape.rows * REPEAT_FLOATS > shape.width) {
        // Many short rows: one instruction takes a strip of all rows.
        const uint8_t stride = static_cast<uint8_t>(pitchBlocks);
        for (int32_t at = 0; at < shape.width; at += REPEAT_FLOATS) {
            const int32_t left = shape.width - at;
            ApplyRepeats<OP>(to[at], tile[at], blocks, left < REPEAT_FLOATS ? left : REPEAT_FLOATS, shape.rows,
                             BinaryRepeatParams{1, 1, 0, stride, stride, 1});
        }
        return;
    }
    constexpr int32_t STEP = MAX_STRIDE_BLOCKS * REPEAT_FLOATS;
    for (int32_t row = 0; row < shape.rows; ++row) {
        const LocalTensor<float> value = blocks[row * BLOCK_FLOATS];
        for (int32_t begin = 0; begin < shape.width; begin += STEP) {
            const int32_t length = shape.width - begin < STEP ? shape.width - begin : STEP;
            const int32_t at = row * shape.pitch + begin;
            const int32_t whole = length / REPEAT_FLOATS;
            if (whole > 0) {
                ApplyRepeats<OP>(to[at], tile[at], value, REPEAT_FLOATS, whole, BinaryRepeatParams{1, 1, 0, 8, 8, 0});
            }
            const int32_t tail = length % REPEAT_FLOATS;
            if (tail > 0) {
                const int32_t end = at + whole * REPEAT_FLOATS;
                ApplyRepeats<OP>(to[end], tile[end], value, tail, 1, BinaryRepeatParams{1, 1, 0, 8, 8, 0});
            }
        }
    }
}

// to[r][c] = tile[r][c] OP column[c].
template <VectorOp OP>
__aicore__ inline void ApplyColumns(const LocalTensor<float>& to, const LocalTensor<float>& tile,
                                    const LocalTensor<float>& column,
                                    const TileShape& shape)
{
    const int32_t pitchBlocks = shape.pitch / BLOCK_FLOATS;
    if (pitchBlocks <= MAX_STRIDE_BLOCKS && shape.rows * REPEAT_FLOATS > shape.width) {
        const uint8_t stride = static_cast<uint8_t>(pitchBlocks);
        for (int32_t at = 0; at < shape.width; at += REPEAT_FLOATS) {
            const int32_t left = shape.width - at;
            ApplyRepeats<OP>(to[at], tile[at], column[at], left < REPEAT_FLOATS ? left : REPEAT_FLOATS, shape.rows,
                             BinaryRepeatParams{1, 1, 1, stride, stride, 0});
        }
        return;
    }
    constexpr int32_t STEP = MAX_STRIDE_BLOCKS * REPEAT_FLOATS;
    for (int32_t row = 0; row < shape.rows; ++row) {
        for (int32_t begin = 0; begin < shape.width; begin += STEP) {
            const int32_t length = shape.width - begin < STEP ? shape.width - begin : STEP;
            const int32_t at = row * shape.pitch + begin;
            const int32_t whole = length / REPEAT_FLOATS;
            if (whole > 0) {
                ApplyRepeats<OP>(to[at], tile[at], column[begin], REPEAT_FLOATS, whole,
                                 BinaryRepeatParams{1, 1, 1, 8, 8, 8});
            }
            const int32_t tail = length % REPEAT_FLOATS;
            if (tail > 0) {
                const int32_t end = whole * REPEAT_FLOATS;
                ApplyRepeats<OP>(to[at + end], tile[at + end], column[begin + end], tail, 1,
                                 BinaryRepeatParams{1, 1, 1, 8, 8, 8});
            }
        }
    }
}

// sums[r] = sum of tile[r][..]; the tile is overwritten. The order of the additions depends on the width alone.
__aicore__ inline void SumRows(const LocalTensor<float>& sums, const LocalTensor<float>& tile, const TileShape& shape)
{
    const int32_t pitchBlocks = shape.pitch / BLOCK_FLOATS;
    if (pitchBlocks <= MAX_STRIDE_BLOCKS) {
        // Strip by strip onto the first 64 columns of all rows.
        const uint8_t stride = static_cast<uint8_t>(pitchBlocks);
        for (int32_t at = REPEAT_FLOATS; at < shape.width; at += REPEAT_FLOATS) {
            const int32_t left = shape.width - at;
            Add(tile, tile, tile[at], static_cast<uint64_t>(left < REPEAT_FLOATS ? left : REPEAT_FLOATS),
                static_cast<uint8_t>(shape.rows), BinaryRepeatParams{1, 1, 1, stride, stride, stride});
        }
    } else {
        // A wide row by halves.
        for (int32_t row = 0; row < shape.rows; ++row) {
            const LocalTensor<float> line = tile[row * shape.pitch];
            int32_t length = shape.width;
            while (length > REPEAT_FLOATS) {
                const int32_t half = RoundUpTo((length + 1) / 2, REPEAT_FLOATS);
                Add(line, line, line[half], length - half);
                length = half;
            }
        }
    }
    WholeReduceSum(sums, tile, shape.width < REPEAT_FLOATS ? shape.width : REPEAT_FLOATS, shape.rows, 1, 1,
                   pitchBlocks);
}

// sum[c] += sum of tile[..][c]; the tile is overwritten. Rows are folded by halves.
__aicore__ inline void AddRowsTo(const LocalTensor<float>& sum, const LocalTensor<float>& tile, const TileShape& shape)
{
    int32_t rows = shape.rows;
    while (rows > 1) {
        const int32_t half = (rows + 1) / 2;
        Add(tile, tile, tile[half * shape.pitch], (rows - half) * shape.pitch);
        rows = half;
    }
    Add(sum, sum, tile, shape.width);
}
} // namespace TextGatedResidualGrad

#endif // TEXT_GATED_RESIDUAL_GRAD_TILE_H
