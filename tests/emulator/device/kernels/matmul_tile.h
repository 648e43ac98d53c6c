// A tile of a matrix product on one cube core, for operands of 16 bits: global memory -> L1 -> L0 -> Mmad -> Fixpipe.
//
// A is stored as [m, k] rows, or as [k, m] when transA; B as [k, n], or as [n, k] when transB; C as [m, n]. Every matrix
// has a row pitch in elements. Sizes are exact: nothing beyond m, n, k is read from global memory or written to it.
//
//   global memory -> L1   ND2NZ: blocks of 16 columns, each block all rows of 32 bytes. The last block's missing columns
//                         become zero; the rows up to the next 16 stay as they were, so the true k goes to Mmad.
//   L1 -> L0A             ZZ on 2201 (blocks of one row of blocks follow each other), NZ on 3510 (blocks of one column do).
//   L1 -> L0B             ZN on both. A block of B that lies as [k, n] has to be transposed on the way, one of [n, k] not.
//   Mmad                  adds to L0C from the second step over K on; small ones need a barrier in between.
//   L0C -> global memory  Fixpipe with NZ2ND, the cast to 16 bits on the way.
//
// Queues order the pipes: A1/B1 MTE2 -> MTE1, A2/B2 MTE1 -> M, CO1 M -> FIX, and back when a buffer is freed.
#pragma once

#include "kernel_operator.h"

constexpr uint32_t C0 = 16;          // elements of 32 bytes
constexpr uint32_t BLOCK_SIZE = 16;  // rows of a block
constexpr uint32_t BLOCK_ELEMENTS = BLOCK_SIZE * C0;
constexpr uint32_t SMALL_MMAD = 10;  // below so many blocks of C consecutive Mmad need a barrier
constexpr uint32_t MAX_SHORT_PITCH = 65535;

__aicore__ inline uint32_t CeilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
__aicore__ inline uint32_t CeilAlign(uint32_t a, uint32_t b) { return CeilDiv(a, b) * b; }

template <typename T, bool transA, bool transB>
class MatmulTile {
public:
    // stepL1 and stepL0: elements of K in one tile of L1, of L0; multiples of 16, stepL1 a multiple of stepL0.
    __aicore__ inline void Init(AscendC::TPipe* pipe, uint32_t maxM, uint32_t maxN, uint32_t stepL1, uint32_t stepL0) {
        stepL1_ = stepL1;
        stepL0_ = stepL0;
        const uint32_t rows = CeilAlign(maxM, BLOCK_SIZE), columns = CeilAlign(maxN, BLOCK_SIZE);
        pipe->InitBuffer(a1_, 2, rows * stepL1 * sizeof(T));
        pipe->InitBuffer(b1_, 2, columns * stepL1 * sizeof(T));
        pipe->InitBuffer(a2_, 2, rows * stepL0 * sizeof(T));
        pipe->InitBuffer(b2_, 2, columns * stepL0 * sizeof(T));
        pipe->InitBuffer(co1_, 1, rows * columns * sizeof(float));
    }

    // C = A * B in L0C; Store takes it from there.
    __aicore__ inline void Multiply(const AscendC::GlobalTensor<T>& a, uint64_t pitchA, const AscendC::GlobalTensor<T>& b,
                                    uint64_t pitchB, uint32_t m, uint32_t n, uint32_t k) {
        m_ = m;
        n_ = n;
        // A single row would be read as a vector (GEMV): the tile gets 16 rows, of which only the first is stored.
        mmadM_ = m == 1 ? BLOCK_SIZE : m;
        AscendC::LocalTensor<float> c = co1_.template AllocTensor<float>();
        for (uint32_t k1 = 0; k1 < k; k1 += stepL1_) {
            const uint32_t size1 = k - k1 < stepL1_ ? k - k1 : stepL1_;
            CopyIn(a[transA ? k1 * pitchA : k1], pitchA, b[transB ? k1 : k1 * pitchB], pitchB, size1);
            AscendC::LocalTensor<T> a1 = a1_.template DeQue<T>();
            AscendC::LocalTensor<T> b1 = b1_.template DeQue<T>();
            for (uint32_t k0 = 0; k0 < size1; k0 += stepL0_) {
                const uint32_t size0 = size1 - k0 < stepL0_ ? size1 - k0 : stepL0_;
                LoadA(a1, k0, size0, size1);
                LoadB(b1, k0, size0, size1);
                AscendC::LocalTensor<T> a2 = a2_.template DeQue<T>();
                AscendC::LocalTensor<T> b2 = b2_.template DeQue<T>();
                AscendC::MmadParams p;
                p.m = mmadM_;
                p.n = n_;
                p.k = size0;
                p.cmatrixInitVal = k1 == 0 && k0 == 0;
                AscendC::Mmad(c, a2, b2, p);
                if ((mmadM_ / BLOCK_SIZE) * (n_ / BLOCK_SIZE) < SMALL_MMAD) {
                    AscendC::PipeBarrier<PIPE_M>();
                }
                a2_.FreeTensor(a2);
                b2_.FreeTensor(b2);
            }
            a1_.FreeTensor(a1);
            b1_.FreeTensor(b1);
        }
        co1_.EnQue(c);
    }

    template <typename Out>
    __aicore__ inline void Store(const AscendC::GlobalTensor<Out>& c, uint64_t pitch) {
        AscendC::LocalTensor<float> result = co1_.template DeQue<float>();
#if __NPU_ARCH__ == 3510
        AscendC::FixpipeParamsArch3510<AscendC::CO2Layout::ROW_MAJOR> p;
#else
        AscendC::FixpipeParamsV220 p;
#endif
        p.nSize = n_;
        p.mSize = m_;
        p.srcStride = CeilAlign(mmadM_, BLOCK_SIZE);  // rows of a column of blocks in L0C
        p.dstStride = pitch;                          // elements
        if constexpr (AscendC::IsSameType<Out, half>::value) {
            p.quantPre = QuantMode_t::F322F16;
        } else if constexpr (AscendC::IsSameType<Out, bfloat16_t>::value) {
            p.quantPre = QuantMode_t::F322BF16;
        }
        AscendC::Fixpipe<Out, float, AscendC::CFG_ROW_MAJOR>(c, result, p);
        co1_.FreeTensor(result);
    }

private:
    // rows x columns of a matrix in global memory to NZ in L1. 2201 has 16 bits for the pitch.
    __aicore__ inline void CopyNd(const AscendC::LocalTensor<T>& to, const AscendC::GlobalTensor<T>& from, uint64_t pitch, uint32_t rows,
                                  uint32_t columns) {
        AscendC::Nd2NzParams p;
        p.ndNum = 1;
        p.nValue = rows;
        p.dValue = columns;
        p.srcNdMatrixStride = 0;
        p.srcDValue = pitch;
        p.dstNzC0Stride = CeilAlign(rows, BLOCK_SIZE);
        p.dstNzNStride = 1;
        p.dstNzMatrixStride = 0;
#if __NPU_ARCH__ == 2201
        if (pitch > MAX_SHORT_PITCH) {
            p.nValue = 1;
            p.srcDValue = columns;  // of no effect with one row
            for (uint32_t row = 0; row < rows; ++row) {
                AscendC::DataCopy(to[row * C0], from[row * pitch], p);
            }
            return;
        }
#endif
        AscendC::DataCopy(to, from, p);
    }

    __aicore__ inline void CopyIn(const AscendC::GlobalTensor<T>& a, uint64_t pitchA, const AscendC::GlobalTensor<T>& b, uint64_t pitchB,
                                  uint32_t size) {
        AscendC::LocalTensor<T> a1 = a1_.template AllocTensor<T>();
        if (m_ == 1 && !transA) {
            // The 15 rows that make up for a single one; a transposed A has them as the zeros that fill its block.
            AscendC::InitConstValueParams<T> zero;  // of the value 0
            zero.repeatTimes = 1;
            zero.blockNum = CeilAlign(size, C0);
            AscendC::Fill(a1, zero);
            AscendC::PipeBarrier<PIPE_MTE2>();
        }
        CopyNd(a1, a, pitchA, transA ? size : m_, transA ? m_ : size);
        a1_.EnQue(a1);
        AscendC::LocalTensor<T> b1 = b1_.template AllocTensor<T>();
        CopyNd(b1, b, pitchB, transB ? n_ : size, transB ? size : n_);
        b1_.EnQue(b1);
    }

    // Elements k0 .. k0 + size0 of K from a tile of L1 that holds size1 of them.
    __aicore__ inline void LoadA(const AscendC::LocalTensor<T>& a1, uint32_t k0, uint32_t size0, uint32_t size1) {
        const uint32_t mBlocks = CeilDiv(mmadM_, BLOCK_SIZE), kBlocks = CeilDiv(size0, C0), k1Blocks = CeilDiv(size1, C0), start = k0 / C0;
        AscendC::LocalTensor<T> a2 = a2_.template AllocTensor<T>();
#if __NPU_ARCH__ == 3510
        AscendC::LoadData2DParamsV2 p;
        p.mStartPosition = transA ? start : 0;
        p.kStartPosition = transA ? 0 : start;
        p.mStep = transA ? kBlocks : mBlocks;
        p.kStep = transA ? mBlocks : kBlocks;
        p.srcStride = transA ? k1Blocks : mBlocks;  // blocks in a column of blocks of L1
        p.dstStride = mBlocks;                      // and of L0A
        p.ifTranspose = transA;
        AscendC::LoadData(a2, a1, p);
#else
        AscendC::LoadData2DParams p;
        p.repeatTimes = kBlocks;
        p.srcStride = transA ? 1 : mBlocks;  // from one block of K to the next in L1
        p.ifTranspose = transA;
        for (uint32_t i = 0; i < mBlocks; ++i) {
            const uint32_t from = transA ? i * k1Blocks + start : start * mBlocks + i;
            AscendC::LoadData(a2[i * kBlocks * BLOCK_ELEMENTS], a1[from * BLOCK_ELEMENTS], p);
        }
#endif
        a2_.EnQue(a2);
    }

    __aicore__ inline void LoadB(const AscendC::LocalTensor<T>& b1, uint32_t k0, uint32_t size0, uint32_t size1) {
        const uint32_t nBlocks = CeilDiv(n_, BLOCK_SIZE), kBlocks = CeilDiv(size0, C0), k1Blocks = CeilDiv(size1, C0), start = k0 / C0;
        AscendC::LocalTensor<T> b2 = b2_.template AllocTensor<T>();
#if __NPU_ARCH__ == 3510
        AscendC::LoadData2DParamsV2 p;
        p.mStartPosition = transB ? 0 : start;
        p.kStartPosition = transB ? start : 0;
        p.mStep = transB ? nBlocks : kBlocks;
        p.kStep = transB ? kBlocks : nBlocks;
        p.srcStride = transB ? nBlocks : k1Blocks;
        p.dstStride = nBlocks;
        p.ifTranspose = !transB;
        AscendC::LoadData(b2, b1, p);
#else
        AscendC::LoadData2DParams p;
        p.repeatTimes = nBlocks;
        p.srcStride = transB ? 1 : k1Blocks;  // from one block of N to the next in L1
        p.ifTranspose = !transB;
        for (uint32_t i = 0; i < kBlocks; ++i) {
            const uint32_t from = transB ? (start + i) * nBlocks : start + i;
            AscendC::LoadData(b2[i * nBlocks * BLOCK_ELEMENTS], b1[from * BLOCK_ELEMENTS], p);
        }
#endif
        b2_.EnQue(b2);
    }

    AscendC::TQue<AscendC::TPosition::A1, 1> a1_;
    AscendC::TQue<AscendC::TPosition::B1, 1> b1_;
    AscendC::TQue<AscendC::TPosition::A2, 1> a2_;
    AscendC::TQue<AscendC::TPosition::B2, 1> b2_;
    AscendC::TQue<AscendC::TPosition::CO1, 1> co1_;
    uint32_t m_ = 0, n_ = 0, mmadM_ = 0, stepL1_ = 0, stepL0_ = 0;
};
