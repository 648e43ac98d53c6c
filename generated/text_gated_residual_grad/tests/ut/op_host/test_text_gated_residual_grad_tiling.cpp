// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file test_text_gated_residual_grad_tiling.cpp
 * \brief Calls that the host tiling of TextGatedResidualGrad accepts, and one per case that it refuses.
 */

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "gtest/gtest.h"
#include "tiling_case_executor.h"
#include "tiling_context_faker.h"

namespace {
struct TextGatedResidualGradCompileInfo {};

// A tensor that is not in `shapes` is absent.
struct Request {
    std::map<std::string, std::vector<int64_t>> shapes;
    int64_t channels;
    ge::DataType dtype;
};

using Para = gert::TilingContextPara;

// The tensors of one side of the call, and how many instances each parameter of the definition has.
struct Tensors {
    std::vector<Para::TensorDescription> descriptions;
    std::vector<uint32_t> instances;

    void Append(const Request& request, const std::string& name, ge::DataType dtype)
    {
        const auto found = request.shapes.find(name);
        instances.push_back(found == request.shapes.end() ? 0 : 1);
        if (found == request.shapes.end()) {
            return;
        }
        gert::StorageShape shape;
        for (const int64_t dim : found->second) {
            shape.MutableStorageShape().AppendDim(dim);
            shape.MutableOriginShape().AppendDim(dim);
        }
        descriptions.emplace_back(shape, dtype, ge::FORMAT_ND);
    }
};

bool Tile(const Request& request, TilingInfo& info)
{
    TextGatedResidualGradCompileInfo compileInfo;
    Tensors inputs;
    inputs.Append(request, "grad_mixed", request.dtype);
    inputs.Append(request, "x", request.dtype);
    inputs.Append(request, "w_down", request.dtype);
    inputs.Append(request, "w_up", request.dtype);
    inputs.Append(request, "inv_rms", ge::DT_FLOAT);
    inputs.Append(request, "down_pre_act", request.dtype);
    inputs.Append(request, "up", request.dtype);
    inputs.Append(request, "grad_inject", request.dtype);
    inputs.Append(request, "w_gate", request.dtype);
    inputs.Append(request, "gamma", ge::DT_FLOAT);
    inputs.Append(request, "inject", request.dtype);
    Tensors outputs;
    outputs.Append(request, "dx", request.dtype);
    outputs.Append(request, "dw_down", request.dtype);
    outputs.Append(request, "dw_up", request.dtype);
    outputs.Append(request, "dw_gate", request.dtype);
    outputs.Append(request, "dgamma", ge::DT_FLOAT);
    const std::vector<Para::OpAttr> attributes = {
        {"channels", Ops::NN::AnyValue::CreateFrom<int64_t>(request.channels)},
    };
    const Para para("TextGatedResidualGrad", inputs.descriptions, outputs.descriptions, attributes, inputs.instances,
                    outputs.instances, &compileInfo, 64, 253952);
    return ExecuteTiling(para, info);
}

class TextGatedResidualGradTilingTest : public testing::Test {};

// Every option is supplied.
TEST_F(TextGatedResidualGradTilingTest, accepts_float16_all_options)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// No option is supplied.
TEST_F(TextGatedResidualGradTilingTest, accepts_float16_no_option)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// Every option is supplied.
TEST_F(TextGatedResidualGradTilingTest, accepts_bfloat16_all_options)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_BF16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// No option is supplied.
TEST_F(TextGatedResidualGradTilingTest, accepts_bfloat16_no_option)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
        },
        4,
        ge::DT_BF16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// Of the options, inject alone.
TEST_F(TextGatedResidualGradTilingTest, accepts_only_inject)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// Of the options, gamma alone.
TEST_F(TextGatedResidualGradTilingTest, accepts_only_gamma)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"gamma", {64}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// More rows.
TEST_F(TextGatedResidualGradTilingTest, accepts_other_rows)
{
    const Request request = {
        {
            {"grad_mixed", {3, 1, 16}},
            {"x", {3, 1, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {3, 1, 4}},
            {"down_pre_act", {3, 1, 16}},
            {"up", {3, 1, 64}},
            {"grad_inject", {3, 1, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {3, 1, 4}},
            {"dx", {3, 1, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// An empty tensor is no error.
TEST_F(TextGatedResidualGradTilingTest, accepts_B_is_0)
{
    const Request request = {
        {
            {"grad_mixed", {0, 2, 16}},
            {"x", {0, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {0, 2, 4}},
            {"down_pre_act", {0, 2, 16}},
            {"up", {0, 2, 64}},
            {"grad_inject", {0, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {0, 2, 4}},
            {"dx", {0, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// An empty tensor is no error.
TEST_F(TextGatedResidualGradTilingTest, accepts_S_is_0)
{
    const Request request = {
        {
            {"grad_mixed", {2, 0, 16}},
            {"x", {2, 0, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {2, 0, 4}},
            {"down_pre_act", {2, 0, 16}},
            {"up", {2, 0, 64}},
            {"grad_inject", {2, 0, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {2, 0, 4}},
            {"dx", {2, 0, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// channels is 0.
TEST_F(TextGatedResidualGradTilingTest, refuses_channels_too_small)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        0,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// channels is -1.
TEST_F(TextGatedResidualGradTilingTest, refuses_channels_negative)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        -1,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// channels is 21.
TEST_F(TextGatedResidualGradTilingTest, refuses_channels_too_large)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        21,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// channels is 3.
TEST_F(TextGatedResidualGradTilingTest, refuses_channels_no_divisor)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        3,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// All of inject but w_gate is supplied.
TEST_F(TextGatedResidualGradTilingTest, refuses_inject_without_w_gate)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// All of inject but grad_inject is supplied.
TEST_F(TextGatedResidualGradTilingTest, refuses_inject_without_grad_inject)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// All of inject but inject is supplied.
TEST_F(TextGatedResidualGradTilingTest, refuses_inject_without_inject)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// All of inject but dw_gate is supplied.
TEST_F(TextGatedResidualGradTilingTest, refuses_inject_without_dw_gate)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// All of gamma but gamma is supplied.
TEST_F(TextGatedResidualGradTilingTest, refuses_gamma_without_gamma)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// All of gamma but dgamma is supplied.
TEST_F(TextGatedResidualGradTilingTest, refuses_gamma_without_dgamma)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// grad_mixed has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_grad_mixed_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of grad_mixed is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_grad_mixed_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 17}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// x has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_x_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// x has other leading dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_x_rows)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {2, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of x is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_x_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 65}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// w_down has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_w_down_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {1, 16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of w_down is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_w_down_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 65}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// w_up has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_w_up_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {1, 64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of w_up is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_w_up_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 17}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// inv_rms has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_inv_rms_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// inv_rms has other leading dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_inv_rms_rows)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {2, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of inv_rms is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_inv_rms_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 5}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// down_pre_act has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_down_pre_act_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// down_pre_act has other leading dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_down_pre_act_rows)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {2, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of down_pre_act is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_down_pre_act_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 17}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// up has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_up_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// up has other leading dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_up_rows)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {2, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of up is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_up_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 65}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// grad_inject has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_grad_inject_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// grad_inject has other leading dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_grad_inject_rows)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {2, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of grad_inject is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_grad_inject_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 5}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// w_gate has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_w_gate_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {1, 4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of w_gate is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_w_gate_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 65}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// gamma has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_gamma_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {1, 64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of gamma is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_gamma_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {65}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// inject has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_inject_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// inject has other leading dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_inject_rows)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {2, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of inject is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_inject_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 5}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// dx has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_dx_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// dx has other leading dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_dx_rows)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {2, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of dx is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_dx_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 65}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// dw_down has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_dw_down_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {1, 16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of dw_down is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_dw_down_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 65}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// dw_up has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_dw_up_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {1, 64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of dw_up is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_dw_up_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 17}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// dw_gate has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_dw_gate_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {1, 4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of dw_gate is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_dw_gate_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 65}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// dgamma has too many dimensions.
TEST_F(TextGatedResidualGradTilingTest, refuses_dgamma_rank)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {1, 64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of dgamma is one too long.
TEST_F(TextGatedResidualGradTilingTest, refuses_dgamma_last)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {65}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// H is 0.
TEST_F(TextGatedResidualGradTilingTest, refuses_no_H)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 0}},
            {"x", {1, 2, 0}},
            {"w_down", {16, 0}},
            {"w_up", {0, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 0}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 0}},
            {"gamma", {0}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 0}},
            {"dw_down", {16, 0}},
            {"dw_up", {0, 16}},
            {"dw_gate", {4, 0}},
            {"dgamma", {0}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// R is 0.
TEST_F(TextGatedResidualGradTilingTest, refuses_no_R)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {0, 64}},
            {"w_up", {64, 0}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 0}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {0, 64}},
            {"dw_up", {64, 0}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// H is no multiple of 16.
TEST_F(TextGatedResidualGradTilingTest, refuses_H_no_multiple)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 17}},
            {"x", {1, 2, 68}},
            {"w_down", {16, 68}},
            {"w_up", {68, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 68}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 68}},
            {"gamma", {68}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 68}},
            {"dw_down", {16, 68}},
            {"dw_up", {68, 16}},
            {"dw_gate", {4, 68}},
            {"dgamma", {68}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// R is no multiple of 16.
TEST_F(TextGatedResidualGradTilingTest, refuses_R_no_multiple)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {17, 64}},
            {"w_up", {64, 17}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 17}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {17, 64}},
            {"dw_up", {64, 17}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// H is 4816, beyond the specification of every product.
TEST_F(TextGatedResidualGradTilingTest, refuses_H_beyond)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 4816}},
            {"x", {1, 2, 19264}},
            {"w_down", {16, 19264}},
            {"w_up", {19264, 16}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 16}},
            {"up", {1, 2, 19264}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 19264}},
            {"gamma", {19264}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 19264}},
            {"dw_down", {16, 19264}},
            {"dw_up", {19264, 16}},
            {"dw_gate", {4, 19264}},
            {"dgamma", {19264}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// R is 641.
TEST_F(TextGatedResidualGradTilingTest, refuses_large_R)
{
    const Request request = {
        {
            {"grad_mixed", {1, 2, 16}},
            {"x", {1, 2, 64}},
            {"w_down", {641, 64}},
            {"w_up", {64, 641}},
            {"inv_rms", {1, 2, 4}},
            {"down_pre_act", {1, 2, 641}},
            {"up", {1, 2, 64}},
            {"grad_inject", {1, 2, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {1, 2, 4}},
            {"dx", {1, 2, 64}},
            {"dw_down", {641, 64}},
            {"dw_up", {64, 641}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// A number of rows is negative.
TEST_F(TextGatedResidualGradTilingTest, refuses_negative_rows)
{
    const Request request = {
        {
            {"grad_mixed", {-1, -1, 16}},
            {"x", {-1, -1, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {-1, -1, 4}},
            {"down_pre_act", {-1, -1, 16}},
            {"up", {-1, -1, 64}},
            {"grad_inject", {-1, -1, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {-1, -1, 4}},
            {"dx", {-1, -1, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The number of rows exceeds int64.
TEST_F(TextGatedResidualGradTilingTest, refuses_too_many_rows)
{
    const Request request = {
        {
            {"grad_mixed", {4294967296, 4294967296, 16}},
            {"x", {4294967296, 4294967296, 64}},
            {"w_down", {16, 64}},
            {"w_up", {64, 16}},
            {"inv_rms", {4294967296, 4294967296, 4}},
            {"down_pre_act", {4294967296, 4294967296, 16}},
            {"up", {4294967296, 4294967296, 64}},
            {"grad_inject", {4294967296, 4294967296, 4}},
            {"w_gate", {4, 64}},
            {"gamma", {64}},
            {"inject", {4294967296, 4294967296, 4}},
            {"dx", {4294967296, 4294967296, 64}},
            {"dw_down", {16, 64}},
            {"dw_up", {64, 16}},
            {"dw_gate", {4, 64}},
            {"dgamma", {64}},
        },
        4,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}
} // namespace
