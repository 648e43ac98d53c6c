"""What a request says, and what of it is refused with which words."""

import ml_dtypes
import numpy as np
import pytest

from ir.binding import BindError, bind, output_specs
from ir.builder import build_documented
from ir.interface import Attribute, Interface, Option, Tensor, Text
from ir.interpreter import evaluate
from ir.operators.swiglu_group_quant_grad import INTERFACE, OPERATOR

NO_TEXT = Text("", "")
BFLOAT16 = ml_dtypes.bfloat16


def arrays(leading=(2, 3), h=4, dtype="float32", weight=None, groups=None):
    ones = lambda *shape: np.ones((*leading, *shape), dtype)
    found = {"grad_y": ones(h), "x": ones(2 * h)}
    if weight is not None:
        found |= {"weight": np.ones(weight, "float32"), "y_origin": ones(h)}
    if groups is not None:
        found["group_index"] = np.array(groups, "int64")
    return found


def mixer():
    """An interface with matrices, a symbol that is an attribute, and a vector over a product of symbols."""
    tensor = lambda name, shape, dtype="D", **more: Tensor(name, shape, dtype, NO_TEXT, **more)
    return Interface(
        "MixerGrad", "Mixer", "x",
        tensors=(
            tensor("x", "..., C*H"), tensor("down", "R, C*H"), tensor("rms", "..., C", "float32"),
            tensor("gamma", "C*H", "float32", option="gamma"), tensor("dx", "..., C*H", role="output", like="x"),
            tensor("dgamma", "C*H", "float32", role="output", option="gamma", like="gamma"),
        ),
        attributes=(Attribute("channels", "int", 4, NO_TEXT, positive=True, symbol="C"),),
        options=(Option("gamma", ("gamma",), ("dgamma",)),),
        dtypes={"D": ("float16", "bfloat16")},
    )  # fmt: skip


@pytest.mark.parametrize("rank", range(1, 9))
def test_every_rank_from_1_to_8_is_flattened_to_rows_and_back(rank):
    leading = (2, 1, 3, 1, 1, 2, 1)[: rank - 1]
    rows = int(np.prod(leading))
    weight = leading or (1,)
    binding = bind(INTERFACE, arrays(leading, weight=weight, groups=[rows]))
    assert binding.leading == leading and binding.symbols == {"T": rows, "H": 4, "G": 1}
    inputs = binding.graph_inputs()
    assert inputs["x"].shape == (rows, 8) and inputs["weight"].shape == (rows, 1)
    outputs = evaluate(build_documented(OPERATOR), inputs, binding.symbols, binding.options, outputs=binding.outputs)
    shaped = binding.shape_outputs(outputs)
    assert shaped["grad_x"].shape == (*leading, 8) and shaped["grad_weight"].shape == weight


@pytest.mark.parametrize("shape", [(8,), (8, 1), (2, 4), (2, 4, 1), (1, 8, 1, 1)])
def test_weight_may_have_any_shape_of_t_elements_and_its_gradient_repeats_it(shape):
    binding = bind(INTERFACE, arrays((2, 4), weight=shape))
    assert output_specs(INTERFACE, binding)["grad_weight"] == (shape, "float32")


def test_options_are_those_whose_first_tensor_is_given():
    assert bind(INTERFACE, arrays()).options == set()
    assert bind(INTERFACE, arrays(weight=(6,), groups=[1]), {"clamp_limit": 7}).options == {
        "weight",
        "group_index",
        "clamp",
    }
    ignored = bind(INTERFACE, arrays(weight=(6,)) | {"weight": None})
    assert ignored.options == set() and "y_origin" not in ignored.graph_inputs() and "y_origin" in ignored.arrays


def test_an_empty_tensor_is_given_and_an_absent_one_is_not():
    assert bind(INTERFACE, arrays(groups=[])).options == {"group_index"}
    assert bind(INTERFACE, arrays((0, 5))).symbols == {"T": 0, "H": 4}
    assert bind(INTERFACE, arrays(h=0)).symbols == {"T": 6, "H": 0}


@pytest.mark.parametrize(
    "value, on", [(-1.0, False), ("-1", False), (7, True), ("0.5", True), (float("inf"), True), (None, False)]
)
def test_an_attribute_switches_its_option(value, on):
    binding = bind(INTERFACE, arrays(), {} if value is None else {"clamp_limit": value})
    assert ("clamp" in binding.options) == on


def test_bfloat16_comes_in_both_spellings():
    given = arrays(dtype=BFLOAT16)
    binding = bind(INTERFACE, {k: v.view("V2") for k, v in given.items()})
    assert binding.column["grad_x"] == "bfloat16" and binding.graph_inputs()["x"].dtype == BFLOAT16


@pytest.mark.parametrize(
    "change, attrs, says",
    [
        ({"bias": np.ones(3)}, {}, "bias: unknown, SwigluGroupQuantGrad takes grad_y, x, weight, y_origin, group_index"),
        ({"grad_x": np.ones(3)}, {}, "grad_x: got an array, but it is an output of SwigluGroupQuantGrad"),
        ({"x": None}, {}, "x: is missing, wants a tensor of shape [..., 2*H]"),
        ({"weight": np.ones(6, "f4")}, {}, "y_origin: is missing, wants a tensor of shape [..., H] because weight is given"),
        ({"x": np.ones((2, 3, 7), "f4")}, {}, "x: shape is [2, 3, 7], wants [2, 3, 8], which is [..., 2*H]"),
        # A plain H is believed before 2*H, so that the blame falls on x.
        ({"x": np.ones((2, 3, 10), "f4")}, {}, "x: shape is [2, 3, 10], wants [2, 3, 8], which is [..., 2*H]"),
        ({"x": np.ones((3, 2, 8), "f4")}, {}, "x: shape is [3, 2, 8], wants [2, 3, 8], which is [..., 2*H]"),
        ({"x": np.ones((6, 8), "f4")}, {}, "x: shape is [6, 8], wants [2, 3, 8], which is [..., 2*H]"),
        ({"x": np.ones((2, 3, 8), "f8")}, {}, "x: dtype is float64, wants float32"),
        ({"grad_y": np.ones((2, 3, 4), "f8")}, {}, "grad_y: dtype is float64, wants float16 or bfloat16 or float32"),
        ({"weight": np.ones(7, "f4"), "y_origin": np.ones((2, 3, 4), "f4")}, {},
         "weight: shape is [7], 7 elements, wants T = 6 elements"),
        ({"group_index": np.ones(3, "i4")}, {}, "group_index: dtype is int32, wants int64"),
        ({"group_index": np.ones((3, 1), "i8")}, {}, "group_index: rank is 2, wants 1"),
        ({"grad_x": None}, {}, "grad_x: is null, wants a tensor of shape [..., 2*H]"),
        ({"weight": np.ones(6, "f4"), "y_origin": np.ones((2, 3, 4), "f4"), "grad_weight": None}, {},
         "grad_weight: is null, wants a tensor of shape [# T] because weight is given"),
        ({}, {"limit": 3}, "limit: unknown attribute, SwigluGroupQuantGrad has clamp_limit"),
        ({}, {"clamp_limit": "seven"}, "clamp_limit: got seven, wants a number"),
        *(({}, {"clamp_limit": v}, f"clamp_limit: got {t}, wants -1.0 (off) or a value above 0")
          for v, t in [(0, "0.0"), (-2, "-2.0"), ("nan", "nan"), (1e-60, "1e-60"), (float("-inf"), "-inf")]),
    ],
)  # fmt: skip
def test_a_request_that_the_interface_does_not_allow_is_refused_in_one_line(change, attrs, says):
    with pytest.raises(BindError) as caught:
        bind(INTERFACE, arrays() | change, attrs)
    assert str(caught.value) == says


def test_rank_9_is_refused():
    with pytest.raises(BindError, match="grad_y: rank is 9, wants 1 to 8"):
        bind(INTERFACE, arrays((1,) * 8))


@pytest.mark.parametrize(
    "change, attrs",
    [
        ({"x": None}, {}),
        ({"x": np.ones((2, 3, 7), "f4")}, {}),
        ({"grad_y": None, "x": np.ones((2, 3, 7), "i4")}, {}),
        ({"weight": np.ones(7, "f4")}, {"clamp_limit": "nan"}),
        ({"grad_x": None, "group_index": np.ones((3, 3))}, {"clamp_limit": 0}),
        ({"grad_y": np.float32(1), "x": np.float32(1)}, {}),
    ],
)
def test_nothing_is_judged_when_not_strict(change, attrs):
    binding = bind(INTERFACE, arrays() | change, attrs, strict=False)
    assert set(output_specs(INTERFACE, binding)) == {"grad_x", "grad_weight"}


def test_sizes_come_from_whatever_tells_them():
    binding = bind(INTERFACE, {"x": np.ones((5, 8), "f4")}, strict=False)
    assert binding.symbols == {"T": 5, "H": 4}
    assert output_specs(INTERFACE, binding) == {"grad_x": ((5, 8), "float32"), "grad_weight": None}


def mixed(c=4):
    return {
        "x": np.ones((2, 12), BFLOAT16), "down": np.ones((5, 12), BFLOAT16), "rms": np.ones((2, c), "f4"),
        "gamma": np.ones(12, "f4"),
    }  # fmt: skip


def test_a_symbol_may_be_an_attribute_and_a_float_vector_is_one_row():
    binding = bind(mixer(), mixed())
    assert binding.symbols == {"C": 4, "T": 2, "H": 3, "R": 5}
    inputs = binding.graph_inputs()
    assert inputs["gamma"].shape == (1, 12) and inputs["down"].shape == (5, 12) and inputs["channels"] == 4
    assert binding.shape_outputs({"dgamma": inputs["gamma"]})["dgamma"].shape == (12,)


@pytest.mark.parametrize(
    "channels, says",
    [
        (3, "rms: shape is [2, 4], wants [2, 3], which is [..., C]"),
        (5, "x: shape is [2, 12], wants [..., C*H]"),
        (0, "channels: got 0, wants a value above 0"),
        ("4.5", "channels: got 4.5, wants a 64-bit integer"),
        (2**63, "channels: got 9223372036854775808, wants a 64-bit integer"),
    ],
)
def test_an_attribute_that_contradicts_the_shapes_is_refused(channels, says):
    with pytest.raises(BindError) as caught:
        bind(mixer(), mixed(), {"channels": channels})
    assert str(caught.value) == says
