// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file test_swiglu_group_quant_grad_tiling.cpp
 * \brief Calls that the host tiling of SwigluGroupQuantGrad accepts, and one per case that it refuses.
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
struct SwigluGroupQuantGradCompileInfo {};

// A tensor that is not in `shapes` is absent.
struct Request {
    std::map<std::string, std::vector<int64_t>> shapes;
    float clampLimit;
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
    SwigluGroupQuantGradCompileInfo compileInfo;
    Tensors inputs;
    inputs.Append(request, "grad_y", request.dtype);
    inputs.Append(request, "x", request.dtype);
    inputs.Append(request, "weight", ge::DT_FLOAT);
    inputs.Append(request, "y_origin", request.dtype);
    inputs.Append(request, "group_index", ge::DT_INT64);
    Tensors outputs;
    outputs.Append(request, "grad_x", request.dtype);
    outputs.Append(request, "grad_weight", ge::DT_FLOAT);
    const std::vector<Para::OpAttr> attributes = {
        {"clamp_limit", Ops::NN::AnyValue::CreateFrom<float>(request.clampLimit)},
    };
    const Para para("SwigluGroupQuantGrad", inputs.descriptions, outputs.descriptions, attributes, inputs.instances,
                    outputs.instances, &compileInfo, 64, 253952);
    return ExecuteTiling(para, info);
}

class SwigluGroupQuantGradTilingTest : public testing::Test {};

// Every option is supplied.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_float16_all_options)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// No option is supplied.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_float16_no_option)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"grad_x", {8, 1024}},
        },
        -1.0f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// Every option is supplied.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_bfloat16_all_options)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_BF16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// No option is supplied.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_bfloat16_no_option)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"grad_x", {8, 1024}},
        },
        -1.0f,
        ge::DT_BF16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// Every option is supplied.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_float32_all_options)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// No option is supplied.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_float32_no_option)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"grad_x", {8, 1024}},
        },
        -1.0f,
        ge::DT_FLOAT,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// Of the options, weight alone.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_only_weight)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        -1.0f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// Of the options, group_index alone.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_only_group_index)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
        },
        -1.0f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// Two leading dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_three_dimensions)
{
    const Request request = {
        {
            {"grad_y", {2, 3, 512}},
            {"x", {2, 3, 1024}},
            {"weight", {6}},
            {"y_origin", {2, 3, 512}},
            {"group_index", {2}},
            {"grad_x", {2, 3, 1024}},
            {"grad_weight", {6}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// An empty tensor is no error.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_no_rows)
{
    const Request request = {
        {
            {"grad_y", {0, 512}},
            {"x", {0, 1024}},
            {"weight", {0}},
            {"y_origin", {0, 512}},
            {"group_index", {2}},
            {"grad_x", {0, 1024}},
            {"grad_weight", {0}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// No leading dimension: a single row.
TEST_F(SwigluGroupQuantGradTilingTest, accepts_one_row)
{
    const Request request = {
        {
            {"grad_y", {512}},
            {"x", {1024}},
            {"weight", {1}},
            {"y_origin", {512}},
            {"group_index", {2}},
            {"grad_x", {1024}},
            {"grad_weight", {1}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    ASSERT_TRUE(Tile(request, info));
    EXPECT_GE(info.blockNum, 1U);
    EXPECT_LE(info.blockNum, 64U);
}

// clamp_limit is 0.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_clamp_limit_zero)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        0.0f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// clamp_limit is -2.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_clamp_limit_negative)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        -2.0f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// clamp_limit is nan.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_clamp_limit_nan)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        std::nanf(""),
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// weight is supplied without y_origin.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_weight_without_y_origin)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// grad_y has too many dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_grad_y_rank)
{
    const Request request = {
        {
            {"grad_y", {1, 1, 1, 1, 1, 1, 1, 8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// x has too many dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_x_rank)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {1, 1, 1, 1, 1, 1, 1, 8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// x has other leading dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_x_rows)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {9, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of x is one too long.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_x_last)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1025}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// weight has too many dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_weight_rank)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {1, 1, 1, 1, 1, 1, 1, 1, 8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// weight has an element too many.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_weight_elements)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {9}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// y_origin has too many dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_y_origin_rank)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {1, 1, 1, 1, 1, 1, 1, 8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// y_origin has other leading dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_y_origin_rows)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {9, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of y_origin is one too long.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_y_origin_last)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 513}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// group_index has too many dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_group_index_rank)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {1, 2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// grad_x has too many dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_grad_x_rank)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {1, 1, 1, 1, 1, 1, 1, 8, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// grad_x has other leading dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_grad_x_rows)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {9, 1024}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The last dimension of grad_x is one too long.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_grad_x_last)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1025}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// grad_weight has too many dimensions.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_grad_weight_rank)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {1, 1, 1, 1, 1, 1, 1, 1, 8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// grad_weight has an element too many.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_grad_weight_elements)
{
    const Request request = {
        {
            {"grad_y", {8, 512}},
            {"x", {8, 1024}},
            {"weight", {8}},
            {"y_origin", {8, 512}},
            {"group_index", {2}},
            {"grad_x", {8, 1024}},
            {"grad_weight", {9}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// H is 0.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_no_H)
{
    const Request request = {
        {
            {"grad_y", {8, 0}},
            {"x", {8, 0}},
            {"weight", {8}},
            {"y_origin", {8, 0}},
            {"group_index", {2}},
            {"grad_x", {8, 0}},
            {"grad_weight", {8}},
        },
        1.5f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}

// The number of rows exceeds int64.
TEST_F(SwigluGroupQuantGradTilingTest, refuses_too_many_rows)
{
    const Request request = {
        {
            {"grad_y", {2147483648, 2147483648, 2147483648, 512}},
            {"x", {2147483648, 2147483648, 2147483648, 1024}},
            {"grad_x", {2147483648, 2147483648, 2147483648, 1024}},
        },
        -1.0f,
        ge::DT_FLOAT16,
    };
    TilingInfo info;
    EXPECT_FALSE(Tile(request, info));
}
} // namespace
