// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file test_swiglu_group_quant_grad_apt.cpp
 * \brief Runs the SwigluGroupQuantGrad kernel on the CPU and compares its outputs with the gradient computed in
 * float64. The data comes from tests/st; ascgrad must be installed.
 */

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include "gtest/gtest.h"
#include "data_utils.h"
#include "tikicpulib.h"
#include "../../../op_host/swiglu_group_quant_grad_tiling_math.h"
#include "../../../op_kernel/swiglu_group_quant_grad_tiling_data.h"

extern "C" __global__ __aicore__ void swiglu_group_quant_grad(GM_ADDR gradY, GM_ADDR x, GM_ADDR weight, GM_ADDR yOrigin,
                                                              GM_ADDR groupIndex, GM_ADDR gradX, GM_ADDR gradWeight,
                                                              GM_ADDR workspace, GM_ADDR tiling);

namespace {
using namespace optiling::swiglu_group_quant_grad;

// Bytes of the workspace that the system takes on Ascend 950PR/Ascend 950DT.
constexpr size_t SYSTEM_WORKSPACE = 16777216;

struct Launch {
    uint32_t blocks;
    uint64_t tilingKey;
    size_t workspaceBytes;
};

// As the host tiling of Ascend 950PR/Ascend 950DT computes it for every option switched on.
Launch SetTiling(SwigluGroupQuantGradTilingData* tiling)
{
    const int64_t ubBytes = 253952;
    const int64_t coreNum = 64;
    const int64_t dtypeBytes = 2;
    const int64_t T = 8;
    const int64_t H = 512;
    const int64_t G = 2;
    const bool hasWeight = true;
    const bool hasGroupIndex = true;
    const bool hasClamp = true;
    const float clampLimit = 1.5f;
    *tiling = SwigluGroupQuantGradTilingData{};
    // One bit per option that changes the computation.
    const int64_t tilingKey = 2 * hasClamp + hasWeight;
    // Columns of a tile in full.
    const int64_t columns = H;
    // Vector cores.
    const int64_t blockDim = std::max<int64_t>(1, std::min<int64_t>(T, coreNum));
    // Bits of UB per element of a tile.
    const int64_t bitsPerElement =
        16 * dtypeBytes + // gradYQueue
        32 * dtypeBytes + // xQueue
        (hasWeight ? 16 * dtypeBytes : 0) + // yOriginQueue
        32 * dtypeBytes + // gradXQueue
        32 * SwigluGroupQuantGrad::WORK_SLOTS[tilingKey][dtypeBytes == 4 ? 1 : 0] + // workBuffer
        (hasClamp ? SwigluGroupQuantGrad::MASK_SLOTS[tilingKey][dtypeBytes == 4 ? 1 : 0] : 0); // maskBuffer
    // Bytes of UB per row of a tile.
    const int64_t bytesPerRow =
        (hasWeight ? 8 : 0) + // weightQueue
        (hasWeight ? 8 : 0) + // gradWeightQueue
        (hasWeight ? 8 : 0) + // rowBuffer
        (hasWeight ? 32 : 0); // blockBuffer
    // Bytes of UB per column of a whole row.
    const int64_t bytesPerColumn = 0;
    // Bytes of UB that do not depend on the tile.
    const int64_t fixedBytes =
        2048 + // countBuffer
        8 * bytesPerRow + // row vectors are rounded up to 8 rows
        AlignUp(columns, 8) * bytesPerColumn; // vectors over columns
    // Bits of UB left for tiles.
    const int64_t freeBits = 8 * ubBytes - 8 * fixedBytes;
    // Elements from row to row of a whole row in UB.
    const int64_t pitch = AlignUp(columns, 32 / dtypeBytes);
    // Elements that rounding up a tile of whole rows may take.
    const int64_t rowRounding = pitch % 256 > 0 ? 255 : 0;
    // Whole rows that fit.
    const int64_t rowsThatFit = std::max<int64_t>(0, freeBits - bitsPerElement * rowRounding) /
                                (8 * bytesPerRow + bitsPerElement * pitch);
    // Columns of one row that fit.
    const int64_t maxColumns = AlignDown(std::max<int64_t>(0, freeBits - 8 * bytesPerRow) / bitsPerElement, 256);
    // Tiles along a row.
    const int64_t columnTiles = rowsThatFit > 0 ? 1 : CeilDiv(columns, std::max<int64_t>(1, maxColumns));
    // Columns of a tile, balanced.
    const int64_t columnsPerTile = rowsThatFit > 0 ? columns : AlignUp(CeilDiv(columns, columnTiles), 16);
    // Elements from row to row of a tile.
    const int64_t tilePitch = AlignUp(columnsPerTile, 32 / dtypeBytes);
    // Elements that rounding up a tile may take.
    const int64_t tileRounding = tilePitch % 256 > 0 ? 255 : 0;
    // Rows of a tile that fit; a part of one row that was cut to fit does.
    const int64_t tileRowsThatFit = std::max<int64_t>(std::min<int64_t>(1, maxColumns),
                                                      std::max<int64_t>(0, freeBits - bitsPerElement * tileRounding) /
                                                      (8 * bytesPerRow + bitsPerElement * tilePitch));
    // Rows of the fullest core.
    const int64_t rowsOfACore = std::max<int64_t>(1, CeilDiv(T, blockDim));
    // Most rows of a tile; a repeat covers at most 255.
    const int64_t rowsPerTile = std::min<int64_t>(tileRowsThatFit, std::min<int64_t>(255, rowsOfACore));
    // Elements a tile buffer holds.
    const int64_t tileElements = AlignUp(rowsPerTile * tilePitch, 256);
    // Workspace.
    const int64_t workspaceBytes = 0;
    tiling->columns = columns;
    tiling->rowsPerTile = rowsPerTile;
    tiling->columnsPerTile = columnsPerTile;
    tiling->tileElements = tileElements;
    tiling->totalRows = T;
    tiling->groups = hasGroupIndex ? G : -1;
    tiling->clampLimit = clampLimit;
    tiling->padding = 0.0f;
    Launch launch;
    launch.blocks = static_cast<uint32_t>(std::max<int64_t>(1, blockDim));
    launch.tilingKey = static_cast<uint64_t>(tilingKey);
    launch.workspaceBytes = static_cast<size_t>(workspaceBytes);
    return launch;
}

class SwigluGroupQuantGradKernelTest : public testing::Test {};

TEST_F(SwigluGroupQuantGradKernelTest, all_options)
{
    const std::string scripts = "../../../../activation/swiglu_group_quant_grad/tests/st";
    const std::string data = "./swiglu_group_quant_grad_data";
    const std::string arguments = " --shape T=8,H=512,G=2 --dtype bfloat16 --attr clamp_limit=1.5";
    ASSERT_EQ(std::system(("python3 " + scripts + "/gen_data.py --out " + data + arguments).c_str()), 0);

    size_t gradYBytes = 8 * 512 * sizeof(uint16_t);
    auto* gradY = static_cast<uint8_t*>(AscendC::GmAlloc(gradYBytes));
    size_t xBytes = 8 * 1024 * sizeof(uint16_t);
    auto* x = static_cast<uint8_t*>(AscendC::GmAlloc(xBytes));
    size_t weightBytes = 8 * sizeof(float);
    auto* weight = static_cast<uint8_t*>(AscendC::GmAlloc(weightBytes));
    size_t yOriginBytes = 8 * 512 * sizeof(uint16_t);
    auto* yOrigin = static_cast<uint8_t*>(AscendC::GmAlloc(yOriginBytes));
    size_t groupIndexBytes = 2 * sizeof(int64_t);
    auto* groupIndex = static_cast<uint8_t*>(AscendC::GmAlloc(groupIndexBytes));
    size_t gradXBytes = 8 * 1024 * sizeof(uint16_t);
    auto* gradX = static_cast<uint8_t*>(AscendC::GmAlloc(gradXBytes));
    size_t gradWeightBytes = 8 * sizeof(float);
    auto* gradWeight = static_cast<uint8_t*>(AscendC::GmAlloc(gradWeightBytes));
    auto* tiling = static_cast<uint8_t*>(AscendC::GmAlloc(sizeof(SwigluGroupQuantGradTilingData)));
    const Launch launch = SetTiling(reinterpret_cast<SwigluGroupQuantGradTilingData*>(tiling));
    auto* workspace = static_cast<uint8_t*>(AscendC::GmAlloc(std::max(launch.workspaceBytes, SYSTEM_WORKSPACE)));
    ASSERT_TRUE(ReadFile(data + "/grad_y.bin", gradYBytes, gradY, gradYBytes));
    ASSERT_TRUE(ReadFile(data + "/x.bin", xBytes, x, xBytes));
    ASSERT_TRUE(ReadFile(data + "/weight.bin", weightBytes, weight, weightBytes));
    ASSERT_TRUE(ReadFile(data + "/y_origin.bin", yOriginBytes, yOrigin, yOriginBytes));
    ASSERT_TRUE(ReadFile(data + "/group_index.bin", groupIndexBytes, groupIndex, groupIndexBytes));

    ICPU_SET_TILING_KEY(launch.tilingKey);
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(swiglu_group_quant_grad, launch.blocks, gradY, x, weight, yOrigin, groupIndex, gradX, gradWeight,
                workspace, tiling);

    ASSERT_TRUE(WriteFile(data + "/grad_x.bin", gradX, gradXBytes));
    ASSERT_TRUE(WriteFile(data + "/grad_weight.bin", gradWeight, gradWeightBytes));
    AscendC::GmFree(gradY);
    AscendC::GmFree(x);
    AscendC::GmFree(weight);
    AscendC::GmFree(yOrigin);
    AscendC::GmFree(groupIndex);
    AscendC::GmFree(gradX);
    AscendC::GmFree(gradWeight);
    AscendC::GmFree(workspace);
    AscendC::GmFree(tiling);
    EXPECT_EQ(std::system(("python3 " + scripts + "/compare.py " + data).c_str()), 0);
}
} // namespace
