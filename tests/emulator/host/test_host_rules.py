"""Mistakes in host sources: each variant of the fixture breaks one rule."""

import numpy as np
import pytest

from compiler.emulator.run import Request, SourceError, Tensor, emulate, emulate_many

ONES = np.ones((4, 8), np.float32)
TENSORS = {"grad_y": ONES, "x": ONES, "grad_x": Tensor((4, 8), "float32")}
DEF, TILING, L0, L2 = (
    "op_host/row_scale_grad_def.cpp",
    "op_host/row_scale_grad_tiling.cpp",
    "op_api/row_scale_grad.cpp",
    "op_api/aclnn_row_scale_grad.cpp",
)


def test_guard_zones(variant):
    built = variant({"op_kernel/row_scale_grad_apt.cpp": [("OVERRUN 0", "OVERRUN 2")]})
    finding = emulate(built, TENSORS).findings[0]
    assert finding.kind == "guard" and finding.message == "write behind grad_x (128 bytes), 0 bytes after its end"


def test_attribute_of_another_type(variant):
    built = variant({L0: [("OP_ATTR(scale)", "OP_ATTR(double(scale))")]})
    messages = [finding.message for finding in emulate(built, TENSORS, phase1_only=True).findings]
    assert messages == [
        "RowScaleGrad: OP_ATTR passes scale as double, the definition says float",
        "attribute scale was passed as double and is read as float32",
    ]


def test_tiling_mistakes(variant):
    built = variant(
        {TILING: [("tiling->columns = columns;", ""), ("SetBlockDim(static_cast<uint32_t>(blocks))", "SetBlockDim(0)")]}
    )
    result = emulate(built, TENSORS)
    assert result.status == 361001
    assert {finding.kind: finding.message for finding in result.findings} == {
        "launch": "the tiling of RowScaleGrad sets block dim 0",
        "tiling": "the tiling function never writes columns",
    }
    finding = next(finding for finding in result.findings if finding.kind == "tiling")
    assert finding.file.endswith("row_scale_grad_tiling_data.h") and finding.line == 8


def test_tiling_data_beyond_the_capacity(variant):
    built = variant({"op_kernel/row_scale_grad_tiling_data.h": [("shift[2]", "shift[600]")]})
    result = emulate(built, TENSORS, phase1_only=True)
    assert result.status == 561002 and "the capacity is 2048" in result.findings[0].message


def test_a_crash_ends_its_request_only(variant):
    built = variant({TILING: [("columns == 0 ? 0 : gradY", "gradY")]})
    empty = Tensor((4, 0), "float32")
    bad = Request(
        {
            "grad_y": empty,
            "x": empty,
            "weight": Tensor((0,), "float32"),
            "grad_x": empty,
            "grad_weight": Tensor((0,), "float32"),
        },
        phase1_only=True,
    )
    good = Request(TENSORS, phase1_only=True)
    results = emulate_many(built, [good, bad, good])
    assert [result.status for result in results] == [0, None, 0]
    assert results[1].findings[0].kind == "crash" and "SIGFPE in phase tiling" in results[1].message


def test_infershape_that_disagrees(variant):
    built = variant(
        {
            "op_host/row_scale_grad_infershape.cpp": [
                ("= *gradY;", "= gert::Shape{4, 9};"),
                ("context->GetRequiredInputDataType(0)", "ge::DT_INT8"),
            ]
        }
    )
    messages = [finding.message for finding in emulate(built, TENSORS, phase1_only=True).findings]
    assert messages == [
        "output grad_x: InferShape says [4, 9], op_api allocates [4, 8]",
        "output grad_x: InferDataType says DT_INT8, op_api allocates DT_FLOAT",
    ]


INFER_SHAPE = [
    ("executor->AllocTensor(gradY->GetViewShape(), gradY->GetDataType(), Format::FORMAT_ND);", "nullptr;"),
    (
        "const auto status =",
        """auto* inferred = executor->AllocTensor(gradY->GetDataType(), Format::FORMAT_ND, Format::FORMAT_ND);
    if (INFER_SHAPE(RowScaleGrad, OP_INPUT(gradY, weight, x), OP_OUTPUT(inferred, gradWeight), OP_ATTR(scale)) != 0) {
        return {nullptr, nullptr};
    }
    gradX = inferred;
    const auto status =""",
    ),
]


def test_outputs_shaped_by_infershape(variant):
    result = emulate(variant({L0: INFER_SHAPE}), TENSORS, {"scale": 2.0})
    assert result.status == 0 and (result.outputs["grad_x"] == 2).all()
    infershape = "op_host/row_scale_grad_infershape.cpp"
    refused = variant({L0: INFER_SHAPE, infershape: [("= *gradY;", "= *gradY;\n    return ge::GRAPH_FAILED;")]})
    result = emulate(refused, TENSORS)
    assert result.phase == "infershape" and result.message == "RowScaleGrad: InferShape failed"


def test_an_exception_of_the_host_code(variant):
    built = variant(
        {
            TILING: [
                ("const int64_t blocks =", 'if (rank == 2) throw std::runtime_error("no");\n    const int64_t blocks =')
            ]
        }
    )
    result = emulate(built, TENSORS)
    assert result.status is None and result.message == "the host code threw: no in phase tiling"


def test_success_without_release(variant):
    built = variant(
        {
            L2: [
                (
                    "    *workspaceSize = uniqueExecutor->GetWorkspaceSize();\n"
                    "    uniqueExecutor.ReleaseTo(executor);\n",
                    "",
                )
            ]
        }
    )
    messages = [finding.message for finding in emulate(built, TENSORS).findings]
    assert "the first phase returned success without ReleaseTo(executor)" in messages


def test_wrong_number_of_ports(variant):
    built = variant({L0: [("OP_INPUT(gradY, weight, x)", "OP_INPUT(gradY, x)")]})
    result = emulate(built, TENSORS)
    assert result.message == "RowScaleGrad: the launch passes 2 inputs, want 3 as the definition has"


@pytest.mark.parametrize(
    "changes, words",
    [
        (
            {
                DEF: [
                    (
                        '"x")\n            .ParamType(REQUIRED)\n            .DataType({ge::DT_FLOAT16, ',
                        '"x")\n            .ParamType(REQUIRED)\n            .DataType({',
                    )
                ]
            },
            ["row_scale_grad_def.cpp:", "x lists 2 data types, want 3 as grad_y has"],
        ),
        (
            {"op_graph/row_scale_grad_proto.h": [(".INPUT(x,", ".INPUT(z,")]},
            ["row_scale_grad_proto.h:", "input 2 is z, want x as in the definition"],
        ),
        (
            {L2: [("L2_DFX_PHASE_2(aclnnRowScaleGrad)", "L2_DFX_PHASE_2(aclnnRowScale)")]},
            ["aclnn_row_scale_grad.cpp:", "L2_DFX_PHASE_2: the function is not aclnnRowScale"],
        ),
        ({TILING: [("int64_t blocks", "int64_t block")]}, ["row_scale_grad_tiling.cpp:", "blocks"]),
    ],
)
def test_sources_that_do_not_build(variant, changes, words):
    with pytest.raises(SourceError) as caught:
        variant(changes)
    line = caught.value.lines[0]
    assert all(word in line for word in words), line
