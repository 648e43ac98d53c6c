// Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.

/*!
 * \file test_text_gated_residual_grad_infershape.cpp
 * \brief Output shapes of TextGatedResidualGrad, with known and unknown dimensions and ranks.
 */

#include <cstdint>
#include <string>
#include <vector>
#include "gtest/gtest.h"
#include "infer_shape_context_faker.h"
#include "infershape_case_executor.h"

namespace {
using Para = gert::InfershapeContextPara;

Para::TensorDescription Describe(const std::vector<int64_t>& dims, ge::DataType dtype)
{
    gert::StorageShape shape;
    for (const int64_t dim : dims) {
        shape.MutableStorageShape().AppendDim(dim);
        shape.MutableOriginShape().AppendDim(dim);
    }
    return {shape, dtype, ge::FORMAT_ND};
}

class TextGatedResidualGradInferShapeTest : public testing::Test {};

// Every dimension is known.
TEST_F(TextGatedResidualGradInferShapeTest, known_shapes)
{
    std::vector<Para::TensorDescription> inputs;
    inputs.push_back(Describe({1, 2, 16}, ge::DT_FLOAT16));
    inputs.push_back(Describe({1, 2, 64}, ge::DT_FLOAT16));
    inputs.push_back(Describe({16, 64}, ge::DT_FLOAT16));
    inputs.push_back(Describe({64, 16}, ge::DT_FLOAT16));
    inputs.push_back(Describe({1, 2, 4}, ge::DT_FLOAT));
    inputs.push_back(Describe({1, 2, 16}, ge::DT_FLOAT16));
    inputs.push_back(Describe({1, 2, 64}, ge::DT_FLOAT16));
    inputs.push_back(Describe({1, 2, 4}, ge::DT_FLOAT16));
    inputs.push_back(Describe({4, 64}, ge::DT_FLOAT16));
    inputs.push_back(Describe({64}, ge::DT_FLOAT));
    inputs.push_back(Describe({1, 2, 4}, ge::DT_FLOAT16));
    std::vector<Para::TensorDescription> outputs;
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT));
    std::vector<std::vector<int64_t>> expected;
    expected.push_back({1, 2, 64});
    expected.push_back({16, 64});
    expected.push_back({64, 16});
    expected.push_back({4, 64});
    expected.push_back({64});
    Para para("TextGatedResidualGrad", inputs, outputs);
    ExecuteTestCase(para, ge::GRAPH_SUCCESS, expected);
}

// No dimension is known.
TEST_F(TextGatedResidualGradInferShapeTest, unknown_dimensions)
{
    std::vector<Para::TensorDescription> inputs;
    inputs.push_back(Describe({-1, -1, -1}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-1, -1, -1}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-1, -1}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-1, -1}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-1, -1, -1}, ge::DT_FLOAT));
    inputs.push_back(Describe({-1, -1, -1}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-1, -1, -1}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-1, -1, -1}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-1, -1}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-1}, ge::DT_FLOAT));
    inputs.push_back(Describe({-1, -1, -1}, ge::DT_FLOAT16));
    std::vector<Para::TensorDescription> outputs;
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT));
    std::vector<std::vector<int64_t>> expected;
    expected.push_back({-1, -1, -1});
    expected.push_back({-1, -1});
    expected.push_back({-1, -1});
    expected.push_back({-1, -1});
    expected.push_back({-1});
    Para para("TextGatedResidualGrad", inputs, outputs);
    ExecuteTestCase(para, ge::GRAPH_SUCCESS, expected);
}

// Not even the ranks are known.
TEST_F(TextGatedResidualGradInferShapeTest, unknown_ranks)
{
    std::vector<Para::TensorDescription> inputs;
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT));
    inputs.push_back(Describe({-2}, ge::DT_FLOAT16));
    std::vector<Para::TensorDescription> outputs;
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT16));
    outputs.push_back(Describe({}, ge::DT_FLOAT));
    std::vector<std::vector<int64_t>> expected;
    expected.push_back({-2});
    expected.push_back({-2});
    expected.push_back({-2});
    expected.push_back({-2});
    expected.push_back({-2});
    Para para("TextGatedResidualGrad", inputs, outputs);
    ExecuteTestCase(para, ge::GRAPH_SUCCESS, expected);
}
} // namespace
