// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file test_aclnn_text_gated_residual_grad.cpp
 * \brief Statuses of the first phase of aclnnTextGatedResidualGrad: what it accepts, null pointers, data types, shapes,
 * sizes beyond the specification.
 */

#include <cstdint>
#include "gtest/gtest.h"
#include "../../../op_api/aclnn_text_gated_residual_grad.h"
#include "op_api_ut_common/op_api_ut.h"
#include "op_api_ut_common/tensor_desc.h"
#include "opdev/op_errno.h"

namespace {
class AclnnTextGatedResidualGradTest : public testing::Test {};

// Every option is supplied.
TEST_F(AclnnTextGatedResidualGradTest, accepts_float16_all_options)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// No option is supplied.
TEST_F(AclnnTextGatedResidualGradTest, accepts_float16_no_option)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
                        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// Every option is supplied.
TEST_F(AclnnTextGatedResidualGradTest, accepts_bfloat16_all_options)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_BF16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_BF16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// No option is supplied.
TEST_F(AclnnTextGatedResidualGradTest, accepts_bfloat16_no_option)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_BF16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
                        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// Of the options, inject alone.
TEST_F(AclnnTextGatedResidualGradTest, accepts_only_inject)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, nullptr, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// Of the options, gamma alone.
TEST_F(AclnnTextGatedResidualGradTest, accepts_only_gamma)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, nullptr, nullptr, gamma, nullptr, 4),
                        OUTPUT(dx, dwDown, dwUp, nullptr, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// More rows.
TEST_F(AclnnTextGatedResidualGradTest, accepts_other_rows)
{
    const auto gradMixed = TensorDesc({3, 1, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({3, 1, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({3, 1, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({3, 1, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({3, 1, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({3, 1, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({3, 1, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({3, 1, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// An empty tensor is no error.
TEST_F(AclnnTextGatedResidualGradTest, accepts_B_is_0)
{
    const auto gradMixed = TensorDesc({0, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({0, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({0, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({0, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({0, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({0, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({0, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({0, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// An empty tensor is no error.
TEST_F(AclnnTextGatedResidualGradTest, accepts_S_is_0)
{
    const auto gradMixed = TensorDesc({2, 0, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({2, 0, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({2, 0, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({2, 0, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({2, 0, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({2, 0, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({2, 0, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({2, 0, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_SUCCESS);
}

// gradMixed is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_grad_mixed)
{
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(nullptr, x, wDown, wUp, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
                        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// x is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_x)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(
        aclnnTextGatedResidualGrad,
        INPUT(gradMixed, nullptr, wDown, wUp, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// wDown is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_w_down)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(
        aclnnTextGatedResidualGrad,
        INPUT(gradMixed, x, nullptr, wUp, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// wUp is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_w_up)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(
        aclnnTextGatedResidualGrad,
        INPUT(gradMixed, x, wDown, nullptr, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// invRms is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_inv_rms)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, nullptr, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
                        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// downPreAct is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_down_pre_act)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, nullptr, up, nullptr, nullptr, nullptr, nullptr, 4),
                        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// up is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_up)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(
        aclnnTextGatedResidualGrad,
        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, nullptr, nullptr, nullptr, nullptr, nullptr, 4),
        OUTPUT(dx, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// dx is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_dx)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
                        OUTPUT(nullptr, dwDown, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// dwDown is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_dw_down)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
                        OUTPUT(dx, nullptr, dwUp, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// dwUp is a null pointer.
TEST_F(AclnnTextGatedResidualGradTest, refuses_null_dw_up)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, nullptr, nullptr, nullptr, nullptr, 4),
                        OUTPUT(dx, dwDown, nullptr, nullptr, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// The data type of gradMixed is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_grad_mixed_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_INT64, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// gradMixed alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_grad_mixed)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of x is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_x_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_INT64, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// x alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_x)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of wDown is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_down_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_INT64, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// wDown alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_w_down)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of wUp is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_up_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_INT64, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// wUp alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_w_up)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of invRms is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inv_rms_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_INT64, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of downPreAct is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_down_pre_act_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_INT64, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// downPreAct alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_down_pre_act)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of up is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_up_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_INT64, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// up alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_up)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of gradInject is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_grad_inject_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_INT64, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// gradInject alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_grad_inject)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_BF16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of wGate is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_gate_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_INT64, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// wGate alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_w_gate)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of gamma is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_gamma_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_INT64, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of inject is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inject_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_INT64, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// inject alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_inject)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_BF16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of dx is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dx_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_INT64, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dx alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_dx)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of dwDown is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_down_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_INT64, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dwDown alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_dw_down)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of dwUp is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_up_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_INT64, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dwUp alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_dw_up)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_BF16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of dwGate is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_gate_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_INT64, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dwGate alone is BFLOAT16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_mixed_dw_gate)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_BF16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The data type of dgamma is INT64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dgamma_of_int64)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_INT64, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// channels is 0.
TEST_F(AclnnTextGatedResidualGradTest, refuses_channels_too_small)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 0),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// channels is -1.
TEST_F(AclnnTextGatedResidualGradTest, refuses_channels_negative)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, -1),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// channels is 21.
TEST_F(AclnnTextGatedResidualGradTest, refuses_channels_too_large)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 21),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// channels is 3.
TEST_F(AclnnTextGatedResidualGradTest, refuses_channels_no_divisor)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 3),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// All of inject but w_gate is supplied.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inject_without_w_gate)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, nullptr, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// All of inject but grad_inject is supplied.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inject_without_grad_inject)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, nullptr, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// All of inject but inject is supplied.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inject_without_inject)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, nullptr, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// All of inject but dw_gate is supplied.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inject_without_dw_gate)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, nullptr, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// All of gamma but gamma is supplied.
TEST_F(AclnnTextGatedResidualGradTest, refuses_gamma_without_gamma)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, nullptr, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// All of gamma but dgamma is supplied.
TEST_F(AclnnTextGatedResidualGradTest, refuses_gamma_without_dgamma)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, nullptr));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_NULLPTR);
}

// grad_mixed has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_grad_mixed_rank)
{
    const auto gradMixed = TensorDesc({1, 1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of grad_mixed is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_grad_mixed_last)
{
    const auto gradMixed = TensorDesc({1, 2, 17}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// x has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_x_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// x has other leading dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_x_rows)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({2, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of x is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_x_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 65}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// w_down has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_down_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({1, 16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of w_down is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_down_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 65}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// w_up has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_up_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({1, 64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of w_up is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_up_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 17}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// inv_rms has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inv_rms_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// inv_rms has other leading dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inv_rms_rows)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({2, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of inv_rms is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inv_rms_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 5}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// down_pre_act has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_down_pre_act_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// down_pre_act has other leading dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_down_pre_act_rows)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({2, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of down_pre_act is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_down_pre_act_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 17}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// up has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_up_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// up has other leading dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_up_rows)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({2, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of up is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_up_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 65}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// grad_inject has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_grad_inject_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// grad_inject has other leading dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_grad_inject_rows)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({2, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of grad_inject is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_grad_inject_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 5}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// w_gate has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_gate_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({1, 4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of w_gate is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_w_gate_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 65}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// gamma has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_gamma_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({1, 64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of gamma is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_gamma_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({65}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// inject has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inject_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// inject has other leading dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inject_rows)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({2, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of inject is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_inject_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 5}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dx has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dx_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dx has other leading dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dx_rows)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({2, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of dx is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dx_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 65}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dw_down has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_down_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({1, 16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of dw_down is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_down_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 65}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dw_up has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_up_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({1, 64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of dw_up is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_up_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 17}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dw_gate has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_gate_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({1, 4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of dw_gate is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dw_gate_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 65}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// dgamma has too many dimensions.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dgamma_rank)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({1, 64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The last dimension of dgamma is one too long.
TEST_F(AclnnTextGatedResidualGradTest, refuses_dgamma_last)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({65}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// H is 0.
TEST_F(AclnnTextGatedResidualGradTest, refuses_no_H)
{
    const auto gradMixed = TensorDesc({1, 2, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({0, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({0}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({0, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({0}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_INNER_NULLPTR);
}

// R is 0.
TEST_F(AclnnTextGatedResidualGradTest, refuses_no_R)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({0, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({0, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 0}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// H is no multiple of 16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_H_no_multiple)
{
    const auto gradMixed = TensorDesc({1, 2, 17}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 68}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 68}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({68, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 68}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 68}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({68}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 68}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 68}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({68, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 68}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({68}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_INNER_NULLPTR);
}

// R is no multiple of 16.
TEST_F(AclnnTextGatedResidualGradTest, refuses_R_no_multiple)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({17, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 17}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 17}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({17, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 17}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_INNER_NULLPTR);
}

// H is 4816, beyond the specification of every product.
TEST_F(AclnnTextGatedResidualGradTest, refuses_H_beyond)
{
    const auto gradMixed = TensorDesc({1, 2, 4816}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 19264}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 19264}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({19264, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 19264}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 19264}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({19264}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 19264}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 19264}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({19264, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 19264}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({19264}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_INNER_NULLPTR);
}

// R is 641.
TEST_F(AclnnTextGatedResidualGradTest, refuses_large_R)
{
    const auto gradMixed = TensorDesc({1, 2, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({641, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 641}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({1, 2, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({1, 2, 641}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({1, 2, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({1, 2, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({641, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 641}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// A number of rows is negative.
TEST_F(AclnnTextGatedResidualGradTest, refuses_negative_rows)
{
    const auto gradMixed = TensorDesc({-1, -1, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({-1, -1, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({-1, -1, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({-1, -1, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({-1, -1, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({-1, -1, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({-1, -1, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({-1, -1, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}

// The number of rows exceeds int64.
TEST_F(AclnnTextGatedResidualGradTest, refuses_too_many_rows)
{
    const auto gradMixed = TensorDesc({4294967296, 4294967296, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto x = TensorDesc({4294967296, 4294967296, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto invRms = TensorDesc({4294967296, 4294967296, 4}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto downPreAct = TensorDesc({4294967296, 4294967296, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto up = TensorDesc({4294967296, 4294967296, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gradInject = TensorDesc({4294967296, 4294967296, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto wGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto gamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    const auto inject = TensorDesc({4294967296, 4294967296, 4}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dx = TensorDesc({4294967296, 4294967296, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwDown = TensorDesc({16, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwUp = TensorDesc({64, 16}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dwGate = TensorDesc({4, 64}, ACL_FLOAT16, ACL_FORMAT_ND);
    const auto dgamma = TensorDesc({64}, ACL_FLOAT, ACL_FORMAT_ND);
    auto ut = OP_API_UT(aclnnTextGatedResidualGrad,
                        INPUT(gradMixed, x, wDown, wUp, invRms, downPreAct, up, gradInject, wGate, gamma, inject, 4),
                        OUTPUT(dx, dwDown, dwUp, dwGate, dgamma));
    uint64_t workspaceSize = 0;
    EXPECT_EQ(ut.TestGetWorkspaceSize(&workspaceSize), ACLNN_ERR_PARAM_INVALID);
}
} // namespace
