// matmul_tiling: the setters of the toolkit, and a tiling that is legal rather than the vendor's.
#pragma once

#include <algorithm>
#include <cstdint>

#include "graph/types.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

// The macro style of TCubeTiling; the plain struct of kernels has the same order (kernel_tiling/kernel_tiling.h).
BEGIN_TILING_DATA_DEF(TCubeTiling)
TILING_DATA_FIELD_DEF(int32_t, usedCoreNum);
TILING_DATA_FIELD_DEF(int32_t, M);
TILING_DATA_FIELD_DEF(int32_t, N);
TILING_DATA_FIELD_DEF(int32_t, Ka);
TILING_DATA_FIELD_DEF(int32_t, Kb);
TILING_DATA_FIELD_DEF(int32_t, singleCoreM);
TILING_DATA_FIELD_DEF(int32_t, singleCoreN);
TILING_DATA_FIELD_DEF(int32_t, singleCoreK);
TILING_DATA_FIELD_DEF(int32_t, baseM);
TILING_DATA_FIELD_DEF(int32_t, baseN);
TILING_DATA_FIELD_DEF(int32_t, baseK);
TILING_DATA_FIELD_DEF(int32_t, depthA1);
TILING_DATA_FIELD_DEF(int32_t, depthB1);
TILING_DATA_FIELD_DEF(int32_t, stepM);
TILING_DATA_FIELD_DEF(int32_t, stepN);
TILING_DATA_FIELD_DEF(int32_t, isBias);
TILING_DATA_FIELD_DEF(int32_t, transLength);
TILING_DATA_FIELD_DEF(int32_t, iterateOrder);
TILING_DATA_FIELD_DEF(int32_t, shareMode);
TILING_DATA_FIELD_DEF(int32_t, shareL1Size);
TILING_DATA_FIELD_DEF(int32_t, shareL0CSize);
TILING_DATA_FIELD_DEF(int32_t, shareUbSize);
TILING_DATA_FIELD_DEF(int32_t, batchM);
TILING_DATA_FIELD_DEF(int32_t, batchN);
TILING_DATA_FIELD_DEF(int32_t, singleBatchM);
TILING_DATA_FIELD_DEF(int32_t, singleBatchN);
TILING_DATA_FIELD_DEF(int32_t, stepKa);
TILING_DATA_FIELD_DEF(int32_t, stepKb);
TILING_DATA_FIELD_DEF(int32_t, depthAL1CacheUB);
TILING_DATA_FIELD_DEF(int32_t, depthBL1CacheUB);
TILING_DATA_FIELD_DEF(int32_t, dbL0A);
TILING_DATA_FIELD_DEF(int32_t, dbL0B);
TILING_DATA_FIELD_DEF(int32_t, dbL0C);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoB);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoS);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoN);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoG);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoD);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoB);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoS);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoN);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoG);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoD);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoB);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoS1);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoN);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoG);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoS2);
TILING_DATA_FIELD_DEF(int32_t, BatchNum);
TILING_DATA_FIELD_DEF(int32_t, reserved);
END_TILING_DATA_DEF;

}  // namespace optiling

namespace matmul_tiling {

enum class DataType : int32_t {
    DT_FLOAT = 0,
    DT_FLOAT16 = 1,
    DT_INT8 = 2,
    DT_INT32 = 3,
    DT_BF16 = 27,
    DT_BFLOAT16 = 27
};
enum class CubeFormat { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR };
enum class TPosition : int32_t {
    GM = 0,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
    VECIN,
    VECOUT,
    VECCALC,
    LCM = VECCALC,
    SPM,
    SHM = SPM,
    TSCM
};
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };

class MatmulApiTilingBase {
public:
    MatmulApiTilingBase() : MatmulApiTilingBase(*platform_ascendc::PlatformAscendCManager::GetInstance()) {}
    explicit MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& platform);
    virtual ~MatmulApiTilingBase() = default;

    int32_t SetAType(TPosition, CubeFormat, DataType type, bool transposed = false);
    int32_t SetBType(TPosition, CubeFormat, DataType type, bool transposed = false);
    int32_t SetCType(TPosition, CubeFormat, DataType) { return 0; }
    int32_t SetBiasType(TPosition, CubeFormat, DataType) { return 0; }
    int32_t SetShape(int32_t m, int32_t n, int32_t k) { return Set(m, n, k, m_, n_, k_); }
    int32_t SetOrgShape(int32_t m, int32_t n, int32_t k)
    {
        return Set(m, n, k, orgM_, orgN_, orgKa_) + (orgKb_ = k, 0);
    }
    int32_t SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb)
    {
        return Set(m, n, ka, orgM_, orgN_, orgKa_) + (orgKb_ = kb, 0);
    }
    int32_t EnableBias(bool bias) { return SetBias(bias); }
    int32_t SetBias(bool bias)
    {
        bias_ = bias;
        return 0;
    }
    int32_t SetFixSplit(int32_t baseM = -1, int32_t baseN = -1, int32_t baseK = -1)
    {
        return Set(baseM, baseN, baseK, fixM_, fixN_, fixK_);
    }
    int32_t SetBufferSpace(int32_t l1 = -1, int32_t l0c = -1, int32_t ub = -1, int32_t = -1);
    int32_t SetTraverse(MatrixTraverse) { return 0; }
    int32_t SetDoubleBuffer(bool, bool, bool, bool, bool = true, bool = true) { return 0; }
    int32_t GetBaseM() const { return baseM_; }
    int32_t GetBaseN() const { return baseN_; }
    int32_t GetBaseK() const { return baseK_; }

    // 0, or -1 when no tile fits. Takes TCubeTiling of both styles.
    template <typename T>
    int64_t GetTiling(T& tiling)
    {
        int32_t values[50] = {};
        if (!Compute(values)) {
            return -1;
        }
        static_assert(sizeof(T) == sizeof(values), "not a TCubeTiling");
        std::copy(values, values + 50, reinterpret_cast<int32_t*>(&tiling));
        return 0;
    }

protected:
    virtual void Split();  // sets single* and dim_

    static int32_t Set(int32_t a, int32_t b, int32_t c, int32_t& x, int32_t& y, int32_t& z)
    {
        x = a;
        y = b;
        z = c;
        return 0;
    }
    bool Compute(int32_t (&values)[50]);

    uint64_t l1_ = 0;
    uint64_t l0a_ = 0;
    uint64_t l0b_ = 0;
    uint64_t l0c_ = 0;
    int32_t elementBytes_ = 2;
    int32_t m_ = 0, n_ = 0, k_ = 0;
    int32_t orgM_ = 0, orgN_ = 0, orgKa_ = 0, orgKb_ = 0;
    int32_t fixM_ = -1, fixN_ = -1, fixK_ = -1;
    int32_t baseM_ = 0, baseN_ = 0, baseK_ = 0;
    int32_t singleM_ = 0, singleN_ = 0, singleK_ = 0;
    int32_t dim_ = 1;
    bool bias_ = false;
};

class MatmulApiTiling : public MatmulApiTilingBase {
public:
    using MatmulApiTilingBase::MatmulApiTilingBase;
};

class MultiCoreMatmulTiling : public MatmulApiTilingBase {
public:
    using MatmulApiTilingBase::MatmulApiTilingBase;

    int32_t SetDim(int32_t dim)
    {
        cores_ = dim;
        return 0;
    }
    int32_t SetSingleShape(int32_t m = -1, int32_t n = -1, int32_t k = -1)
    {
        return Set(m, n, k, wantedM_, wantedN_, wantedK_);
    }
    int32_t GetSingleShape(int32_t& m, int32_t& n, int32_t& k) { return Set(singleM_, singleN_, singleK_, m, n, k); }
    int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim);

protected:
    void Split() override;

private:
    int32_t cores_ = 1;
    int32_t wantedM_ = -1, wantedN_ = -1, wantedK_ = -1;
};

}  // namespace matmul_tiling
