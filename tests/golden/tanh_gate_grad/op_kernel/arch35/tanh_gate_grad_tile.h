// Made by ascgrad 0.1.0 from TanhGateGrad for ascend950.

/*!
 * \file tanh_gate_grad_tile.h
 * \brief Tiles of rows and columns: moving them, and what the vector API has no single call for.
 */

#ifndef TANH_GATE_GRAD_TILE_H
#define TANH_GATE_GRAD_TILE_H

#include "kernel_operator.h"

namespace TanhGateGrad {
using namespace AscendC;

constexpr int32_t BLOCK_BYTES = 32;
constexpr int32_t BLOCK_FLOATS = BLOCK_BYTES / sizeof(float);
constexpr int32_t REPEAT_FLOATS = 64; // one repeat covers 256 bytes
constexpr int32_t TILE_ALIGNMENT = 256;

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

// A loaded tile of 16 bits is free once it has been cast; a float tile is computed on and freed after its last use.
template <typename Q, typename U>
__aicore__ inline void FreeAfterCast(Q& queue, LocalTensor<U>& tile)
{
    if constexpr (sizeof(U) != sizeof(float)) {
        queue.FreeTensor(tile);
    }
}

template <typename Q, typename U>
__aicore__ inline void FreeAfterUse(Q& queue, LocalTensor<U>& tile)
{
    if constexpr (sizeof(U) == sizeof(float)) {
        queue.FreeTensor(tile);
    }
}
} // namespace TanhGateGrad

#endif // TANH_GATE_GRAD_TILE_H
