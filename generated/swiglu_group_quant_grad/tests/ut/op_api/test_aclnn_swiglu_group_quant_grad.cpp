// Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.

/*!
 * \file test_aclnn_swiglu_group_quant_grad.cpp
 * \brief Statuses of the first phase of aclnnSwigluGroupQuantGrad: what it accepts, null pointers, data types.
 */

#include <cstdint>
#include "gtest/gtest.h"
#include "../../../op_api/aclnn_swiglu_group_quant_grad.h"
#include "op_api_ut_common/op_api_ut.h"
#include "op_api_ut_common/tensor_desc.h"
#include "opdev/op_errno.h"

namespace {
class AclnnSwigluGroupQuantGradTest : public testing::Test {};

// Every option is supplied.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_float16_all_options)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// No option is supplied.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_float16_no_option)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, nullptr, nullptr, nullptr, -1.0f),
                        OUTPUT(gradX, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// Every option is supplied.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_bfloat16_all_options)
{
    const auto gradY = TensorDesc({8, 512}, ACL_BF16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_BF16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_BF16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_BF16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// No option is supplied.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_bfloat16_no_option)
{
    const auto gradY = TensorDesc({8, 512}, ACL_BF16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_BF16, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_BF16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, nullptr, nullptr, nullptr, -1.0f),
                        OUTPUT(gradX, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// Every option is supplied.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_float32_all_options)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// No option is supplied.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_float32_no_option)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, nullptr, nullptr, nullptr, -1.0f),
                        OUTPUT(gradX, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// Of the options, weight alone.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_only_weight)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, nullptr, -1.0f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// Of the options, group_index alone.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_only_group_index)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, nullptr, nullptr, groupIndex, -1.0f),
                        OUTPUT(gradX, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// Two leading dimensions.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_three_dimensions)
{
    const auto gradY = TensorDesc({2, 3, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({2, 3, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({6}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({2, 3, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({2, 3, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({6}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// An empty tensor is no error.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_no_rows)
{
    const auto gradY = TensorDesc({0, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({0, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({0}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({0, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({0, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({0}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// No leading dimension: a single row.
TEST_F(AclnnSwigluGroupQuantGradTest, accepts_one_row)
{
    const auto gradY = TensorDesc({512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({1}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({1}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// gradY is a null pointer.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_null_grad_y)
{
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(nullptr, x, nullptr, nullptr, nullptr, -1.0f),
                        OUTPUT(gradX, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// x is a null pointer.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_null_x)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, nullptr, nullptr, nullptr, nullptr, -1.0f),
                        OUTPUT(gradX, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// gradX is a null pointer.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_null_grad_x)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, nullptr, nullptr, nullptr, -1.0f),
                        OUTPUT(nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// weight is supplied and gradWeight is null.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_null_grad_weight)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// The data type of gradY is INT64.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_grad_y_of_int64)
{
    const auto gradY = TensorDesc({8, 512}, ACL_INT64, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// gradY alone is BFLOAT16.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_mixed_grad_y)
{
    const auto gradY = TensorDesc({8, 512}, ACL_BF16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of x is INT64.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_x_of_int64)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_INT64, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// x alone is BFLOAT16.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_mixed_x)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_BF16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of weight is INT64.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_weight_of_int64)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_INT64, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of yOrigin is INT64.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_y_origin_of_int64)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_INT64, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// yOrigin alone is BFLOAT16.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_mixed_y_origin)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_BF16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of groupIndex is FLOAT.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_group_index_of_float32)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of gradX is INT64.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_grad_x_of_int64)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// gradX alone is BFLOAT16.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_mixed_grad_x)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_BF16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of gradWeight is INT64.
TEST_F(AclnnSwigluGroupQuantGradTest, refuses_grad_weight_of_int64)
{
    const auto gradY = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto weight = TensorDesc({8}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto yOrigin = TensorDesc({8, 512}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto groupIndex = TensorDesc({2}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradX = TensorDesc({8, 1024}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradWeight = TensorDesc({8}, ACL_INT64, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnSwigluGroupQuantGrad, INPUT(gradY, x, weight, yOrigin, groupIndex, 1.5f),
                        OUTPUT(gradX, gradWeight));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}
} // namespace
