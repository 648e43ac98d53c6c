#include "tiling/tiling_api.h"

namespace matmul_tiling {
namespace {

constexpr int32_t kFractal = 16;

int32_t CeilDiv(int32_t value, int32_t factor) { return (value + factor - 1) / factor; }
int32_t AlignUp(int32_t value, int32_t align) { return CeilDiv(value, align) * align; }

}  // namespace

MatmulApiTilingBase::MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& platform)
{
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_A, l0a_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_B, l0b_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_C, l0c_);
}

int32_t MatmulApiTilingBase::SetAType(TPosition, CubeFormat, DataType type, bool)
{
    elementBytes_ = type == DataType::DT_FLOAT || type == DataType::DT_INT32 ? 4 : type == DataType::DT_INT8 ? 1 : 2;
    return 0;
}

int32_t MatmulApiTilingBase::SetBType(TPosition position, CubeFormat format, DataType type, bool transposed)
{
    return SetAType(position, format, type, transposed);
}

int32_t MatmulApiTilingBase::SetBufferSpace(int32_t l1, int32_t l0c, int32_t, int32_t)
{
    l1_ = l1 > 0 ? static_cast<uint64_t>(l1) : l1_;
    l0c_ = l0c > 0 ? static_cast<uint64_t>(l0c) : l0c_;
    return 0;
}

void MatmulApiTilingBase::Split()
{
    singleM_ = m_;
    singleN_ = n_;
    singleK_ = k_;
}

bool MatmulApiTilingBase::Compute(int32_t (&values)[50])
{
    if (m_ <= 0 || n_ <= 0 || k_ <= 0) {
        return false;
    }
    Split();
    const int32_t kAlign = std::max(kFractal, 32 / elementBytes_);
    baseM_ = fixM_ > 0 ? fixM_ : std::min(AlignUp(singleM_, kFractal), 128);
    baseN_ = fixN_ > 0 ? fixN_ : std::min(AlignUp(singleN_, kFractal), 128);
    // Half of L0A and L0B each, so that the next tile can be loaded meanwhile.
    const auto room =
        static_cast<int32_t>(std::min(l0a_ / 2 / (baseM_ * elementBytes_), l0b_ / 2 / (baseN_ * elementBytes_)));
    baseK_ = fixK_ > 0 ? fixK_ : std::min(AlignUp(singleK_, kAlign), room / kAlign * kAlign);
    const uint64_t accumulator = sizeof(float) * static_cast<uint64_t>(baseM_) * baseN_;
    if (baseK_ <= 0 || accumulator > l0c_ || static_cast<uint64_t>(baseM_) * baseK_ * elementBytes_ > l0a_ ||
        static_cast<uint64_t>(baseN_) * baseK_ * elementBytes_ > l0b_ ||
        2ULL * (baseM_ + baseN_) * baseK_ * elementBytes_ > l1_) {
        return false;
    }
    const int32_t head[] = {dim_,
                            orgM_ > 0 ? orgM_ : m_,
                            orgN_ > 0 ? orgN_ : n_,
                            orgKa_ > 0 ? orgKa_ : k_,
                            orgKb_ > 0 ? orgKb_ : k_,
                            singleM_,
                            singleN_,
                            singleK_,
                            baseM_,
                            baseN_,
                            baseK_,
                            2,
                            2,
                            1,
                            1,
                            bias_ ? 1 : 0,
                            0,
                            0,
                            0,
                            2 * (baseM_ + baseN_) * baseK_ * elementBytes_,
                            static_cast<int32_t>(accumulator),
                            0,
                            1,
                            1,
                            1,
                            1,
                            1,
                            1,
                            0,
                            0,
                            2,
                            2,
                            2ULL * accumulator <= l0c_ ? 2 : 1};
    std::copy(std::begin(head), std::end(head), values);
    return true;
}

// Rows first, then columns; every core has work.
void MultiCoreMatmulTiling::Split()
{
    const int32_t mDim = std::max(1, std::min(cores_, CeilDiv(m_, kFractal)));
    const int32_t nDim = std::max(1, std::min(cores_ / mDim, CeilDiv(n_, kFractal)));
    singleM_ = wantedM_ > 0 ? wantedM_ : AlignUp(CeilDiv(m_, mDim), kFractal);
    singleN_ = wantedN_ > 0 ? wantedN_ : AlignUp(CeilDiv(n_, nDim), kFractal);
    singleK_ = wantedK_ > 0 ? wantedK_ : k_;
    dim_ = CeilDiv(m_, singleM_) * CeilDiv(n_, singleN_);
}

int32_t MultiCoreMatmulTiling::GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim)
{
    dim = dim_;
    mDim = CeilDiv(m_, std::max(1, singleM_));
    nDim = CeilDiv(n_, std::max(1, singleN_));
    return 0;
}

}  // namespace matmul_tiling
