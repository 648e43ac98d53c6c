"""Random inputs are bound as asked for, do not depend on what else is there, and survive npz files."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ir.test_binding import mixer

from ir.binding import BindError, bind
from ir.inputs import consistent, load_npz, make_inputs, parse_shape, save_npz
from ir.operators.swiglu_group_quant_grad import INTERFACE
from ir.operators.text_gated_residual_grad import OPERATOR as MIX


def made(shape, dtype="float32", **more):
    return make_inputs(INTERFACE, parse_shape(shape), dtype, **more)


def test_a_shape_keeps_its_order():
    assert list(parse_shape("S=100, B=2,H=512").items()) == [("S", 100), ("B", 2), ("H", 512)]


@pytest.mark.parametrize(
    "text, says",
    [
        ("B=2,S", "shape: got 'S', wants NAME=SIZE separated by commas, as in T=513,H=1536"),
        ("", "shape: got '', wants NAME=SIZE separated by commas, as in T=513,H=1536"),
        ("B=-1", "shape: got 'B=-1', wants NAME=SIZE separated by commas, as in T=513,H=1536"),
        ("B=2,B=3", "shape: B is given twice"),
    ],
)
def test_a_shape_that_is_none_is_refused(text, says):
    with pytest.raises(BindError) as caught:
        parse_shape(text)
    assert str(caught.value) == says


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("shape, leading", [("T=7,H=3,G=4", (7,)), ("B=2,S=5,H=3,G=1", (2, 5)), ("S=0,B=2,H=3,G=2", (0, 2)),
                                            ("H=3", ())])  # fmt: skip
def test_what_is_made_can_be_bound(shape, leading, dtype):
    arrays, attrs = made(shape, dtype)
    binding = bind(INTERFACE, arrays, attrs)
    assert binding.leading == leading and binding.column["x"] == dtype
    assert arrays["weight"].shape == (leading or (1,))
    assert binding.options == {"weight", *(["group_index"] if "G" in shape else [])}


@given(st.integers(0, 50), st.integers(1, 9), st.integers(0, 99))
def test_counts_sum_to_the_rows_and_some_are_zero(rows, groups, seed):
    counts = made(f"T={rows},H=1,G={groups}", seed=seed)[0]["group_index"]
    assert counts.sum() == rows and (counts >= 0).all() and (groups == 1 or not counts.all())


@pytest.mark.parametrize(
    "without, present",
    [
        ({"y_origin"}, {"grad_y", "x", "group_index"}),
        ({"weight", "group_index"}, {"grad_y", "x"}),
        ({"x"}, {"grad_y", "weight", "y_origin", "group_index"}),
        ({"grad_weight"}, {"grad_y", "x", "weight", "y_origin", "group_index"}),
    ],
)
def test_leaving_out_a_member_leaves_out_its_option_and_an_output_becomes_null(without, present):
    arrays, _ = made("T=3,H=2,G=2", without=without)
    assert {k for k, v in arrays.items() if v is not None} == present
    assert [k for k, v in arrays.items() if v is None] == (["grad_weight"] if "grad_weight" in without else [])


def test_the_same_request_gives_the_same_bits_and_values_do_not_depend_on_other_tensors():
    first, again, other = (made("T=9,H=8,G=3", seed=s)[0] for s in (1, 1, 2))
    assert all((first[k] == again[k]).all() for k in first)
    assert not (first["x"] == other["x"]).all()
    assert (made("T=9,H=8", seed=1, without={"weight"})[0]["x"] == first["x"]).all()


def test_values_are_of_every_size_and_weights_are_neither_0_nor_1():
    arrays, _ = made("T=512,H=64")
    assert 5 < np.abs(arrays["x"]).max() < 100 and 0.9 < np.median(np.abs(arrays["x"])) / 0.6745 < 1.1
    assert ((arrays["weight"] > 0.1) & (arrays["weight"] < 1)).all()


def test_an_attribute_is_given_or_default_and_a_symbol_may_set_it():
    assert made("T=1,H=1")[1] == {"clamp_limit": -1.0}
    assert made("T=1,H=1", attrs={"clamp_limit": "7"})[1] == {"clamp_limit": 7.0}
    arrays, attrs = make_inputs(mixer(), parse_shape("B=1,S=2,C=3,H=16,R=8"), "bfloat16")
    assert attrs == {"channels": 3} and arrays["x"].shape == (1, 2, 48) and arrays["rms"].shape == (1, 2, 3)
    assert (arrays["rms"] > 0).all()
    bind(mixer(), arrays, attrs)


@pytest.mark.parametrize(
    "shape, more, says",
    [
        ("T=2", {}, "shape: H has no size, wants one for grad_y [..., H]"),
        ("T=2,B=1,H=1", {}, "shape: T is the product of the leading dimensions, got both T and B"),
        ("T=2,H=1", {"dtype": "int8"}, "dtype: got int8, wants float16 or bfloat16 or float32"),
        ("T=2,H=1", {"without": {"bias"}},
         "without: got bias, wants one of grad_y, x, weight, y_origin, group_index, grad_x, grad_weight"),
        ("T=2,H=1", {"attrs": {"limit": 1}}, "limit: unknown attribute, SwigluGroupQuantGrad has clamp_limit"),
    ],
)  # fmt: skip
def test_a_request_that_cannot_be_made_is_refused(shape, more, says):
    with pytest.raises(BindError) as caught:
        made(shape, **({"dtype": "float32"} | more))
    assert str(caught.value) == says


def test_npz_files_keep_bfloat16_and_leave_out_null_tensors(tmp_path):
    arrays, _ = made("T=3,H=2,G=2", "bfloat16")
    save_npz(tmp_path / "in.npz", arrays | {"grad_weight": None})
    assert np.load(tmp_path / "in.npz")["x"].dtype == "V2"
    again = load_npz(tmp_path / "in.npz", INTERFACE)
    assert again.keys() == arrays.keys() and again["x"].dtype == ml_dtypes.bfloat16
    assert all((again[k] == arrays[k]).all() for k in arrays)


def test_the_file_is_written_under_exactly_that_name(tmp_path):
    save_npz(tmp_path / "out", {"x": np.ones(1)})
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_files_that_cannot_be_read_or_written_are_refused_in_one_line(tmp_path):
    text, bare, objects, odd = (tmp_path / n for n in ("text.npz", "bare.npy", "objects.npz", "odd.npz"))
    text.write_text("no zip")
    np.save(bare, np.ones(3))
    np.savez(objects, x=np.array([{}], dtype=object))
    np.savez(odd, bias=np.ones(3))
    cut = tmp_path / "cut.npz"
    save_npz(cut, {"x": np.ones(1000)})
    cut.write_bytes(cut.read_bytes()[:300])
    for path in (text, bare, objects, cut, tmp_path):
        with pytest.raises(BindError, match="is no npz file of numeric arrays$"):
            load_npz(path)
    with pytest.raises(BindError, match="none.npz: no such file$"):
        load_npz(tmp_path / "none.npz")
    with pytest.raises(BindError, match="odd.npz: has the key bias, SwigluGroupQuantGrad takes grad_y, x"):
        load_npz(odd, INTERFACE)
    with pytest.raises(BindError, match="cannot be written"):
        save_npz(tmp_path / "no" / "where.npz", {})


def test_saved_tensors_are_what_the_forward_makes_of_the_others():
    arrays, attrs = make_inputs(MIX.interface, parse_shape("B=2,S=3,C=4,H=16,R=32"), "bfloat16")
    whole = consistent(MIX, arrays, attrs)
    assert {k for k in arrays if not np.array_equal(arrays[k], whole[k])} == {"inv_rms", "down_pre_act", "up", "inject"}
    assert all(whole[k].dtype == arrays[k].dtype and whole[k].shape == arrays[k].shape for k in arrays)
    x = whole["x"].astype(float).reshape(2, 3, 4, 16)
    inv_rms = 1 / np.sqrt((x**2).mean(axis=-1) + 1e-6)
    np.testing.assert_allclose(whole["inv_rms"], inv_rms, rtol=1e-6)
    n = ((x * inv_rms[..., None]).reshape(2, 3, 64)) * (1 + whole["gamma"])
    wanted = n @ whole["w_down"].astype(float).T
    np.testing.assert_allclose(whole["down_pre_act"].astype(float), wanted, atol=2**-8 * np.abs(wanted).max())


def test_saved_tensors_of_absent_options_stay_absent():
    arrays, attrs = make_inputs(MIX.interface, parse_shape("T=3,C=2,H=16,R=16"), "float16", without=["w_gate", "gamma"])
    whole = consistent(MIX, arrays, attrs)
    assert "inject" not in whole and "gamma" not in whole and np.isfinite(whole["up"].astype(float)).all()
