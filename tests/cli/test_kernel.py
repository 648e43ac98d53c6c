"""`emulate --kernel`: kernels written by hand, their arguments matched by name, and requests that cannot be served."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from compiler.emulator import kernel as emulated_kernel
from compiler.emulator import toolchain
from tests.cli.test_emulate import COUNTERS, FIELDS

KERNELS = Path(__file__).parents[1] / "kernels"
RANDOM = np.random.default_rng(3)
X, Y = (RANDOM.standard_normal((8, 1024)).astype(np.float16) for _ in range(2))


@pytest.fixture
def add(run):
    """add(*options, kernel=..., soc=..., **arrays) -> what the run of tests/kernels/add.cpp gave, outputs in o.npz."""

    def invoke(*words, kernel=KERNELS / "add.cpp", soc="ascend910b", output="z=float16[8,1024]", blocks=8, **arrays):
        np.savez("in.npz", **({"x": X, "y": Y, "total": X.size} | arrays))
        return run("emulate", "--kernel", kernel, "--soc", soc, "--block-dim", blocks, "--inputs", "in.npz", "--output", output,
                   "--out", "o.npz", *words)

    return invoke


@pytest.fixture
def edited(tmp_path):
    """edited(old, new) -> a copy of add.cpp with one edit, and the line of the edit."""

    def edit(old, new):
        text = (KERNELS / "add.cpp").read_text()
        assert old in text
        file = tmp_path / "edited.cpp"
        file.write_text(text.replace(old, new, 1))
        return file, text[: text.index(old)].count("\n") + 1

    return edit


def scale(run, tmp_path, *words, arrays=None, factor=3.0, dtype="float32", y="y"):
    (tmp_path / "tiling.bin").write_bytes(struct.pack("<IIf", 5, 24, factor))
    x = np.arange(120).reshape(5, 24).astype(dtype)
    np.savez("in.npz", **({"grad_x": x} | (arrays or {})))
    return x, run("emulate", "--kernel", KERNELS / "scale.cpp", "--soc", "ascend950", "--block-dim", 2, "--inputs", "in.npz",
                  "--output", f"{y}={dtype}[5,24]", "--tiling", "tiling.bin", "--out", "o.npz", *words)


@pytest.mark.parametrize("soc", ["ascend910b", "ascend910_93", "ascend950"])
@pytest.mark.parametrize("order", ["forward", "reverse", "random:5"])
def test_a_kernel_that_holds(add, soc, order):
    ran = add("--order", order, soc=soc)
    assert (ran.status, ran.lines) == (0, []) and "no finding" in ran.out
    np.testing.assert_array_equal(np.load("o.npz")["z"], X + Y)


def test_json_has_every_field(add):
    ran = add("--json")
    data = json.loads(ran.out)
    assert ran.status == 0 and list(data) == FIELDS and COUNTERS <= set(data["counters"])
    assert (data["status"], data["phase"], data["block_dim"], data["findings"]) == (0, "run", 8, [])
    assert data["counters"]["paths"]["gm_to_ub"] == X.nbytes + Y.nbytes and data["counters"]["gm_write_bytes"] == X.nbytes
    assert data["counters"]["vector_instructions"] == 64


def test_blocks_are_a_choice(add):
    data = json.loads(add("--blocks", "1,4-5", "--json").out)
    assert data["counters"]["gm_write_bytes"] == X.nbytes * 3 // 8


def test_more_blocks_than_cores_run_one_after_another(add):
    data = json.loads(add("--json", blocks=64).out)
    np.testing.assert_array_equal(np.load("o.npz")["z"], X + Y)
    assert data["findings"] == [] and data["cycles"] is None and data["roof"] is None


def test_blocks_that_wait_for_each_other_run_all_or_not_at_all(run):
    np.savez("in.npz", x=np.arange(256, dtype=np.float32), workspace=np.zeros(4 * 8 + 256, np.float32))
    ran = run("emulate", "--kernel", KERNELS / "soft_sync.cpp", "--soc", "ascend910b", "--block-dim", 4, "--inputs", "in.npz", "--output",
              "y=float32[256]", "--blocks", "0-2")
    assert ran.status == 2 and ran.lines == [
        "ascgrad: --blocks: got a part of the blocks, wants all of them: SyncAll waits for all blocks (soft_sync.cpp:36)"]


@pytest.mark.parametrize("old, new, kind, queue", [
    ("            xQueue.FreeTensor(x);\n", "", "queue", None),
    ("DataCopy(zGm[i * tile], z, tile)", "DataCopy(zGm[i * tile], z, tile + 16)", "bounds", "zQueue"),
    ("Add(z, x, y, tile)", "Add(z, x, x[8], tile - 8)", "alignment", "xQueue"),
    ("DataCopy(y, yGm[i * tile], tile);", "", "poison", "zQueue"),
    ("Add(z, x, y, tile);", "Add(z, x, y, tile); y.SetValue(tile, y.GetValue(0));", "bounds", "yQueue"),
    ("DataCopy(x, xGm[i * tile], tile)", "DataCopy(x, xGm[length * GetBlockNum()], tile)", "bounds", "xQueue"),
])
def test_findings_name_the_line_in_the_users_file_and_the_buffer(add, edited, old, new, kind, queue):
    """A line of a helper that many call tells little: where the buffer was made says whose it is."""
    file, line = edited(old, new)
    ran = add("--json", kernel=file)
    findings = json.loads(ran.out)["findings"]
    assert ran.status == 1 and {f["file"] for f in findings} == {str(file)}
    text = file.read_text().splitlines()
    found = [f for f in findings if f["kind"] == kind]
    assert found and all(text[f["line"] - 1].strip().endswith(";") for f in found)
    if kind in ("bounds", "alignment"):
        assert found[0]["line"] == line
    if queue:
        made = next(n for n, line in enumerate(text, 1) if f"InitBuffer({queue}" in line)
        assert found[0]["message"].endswith(f" (buffer of InitBuffer at {file.name}:{made})")


def test_findings_name_the_calls_of_helpers(add, tmp_path):
    """A line of a helper that many call says whose line it is: of the calls that led there, in the order of a stack."""
    text = (KERNELS / "add.cpp").read_text()
    old = "            DataCopy(x, xGm[i * tile], tile);\n"
    start = text.index("class ")
    helper = ("template <typename T>\n__aicore__ inline void Load(const AscendC::LocalTensor<T>& to, const AscendC::GlobalTensor<T>& from, int32_t count)\n"
              "{\n    AscendC::DataCopy(to, from,\n                      count);\n}\n\n")
    assert text.count(old) == 1
    file = tmp_path / "edited.cpp"
    file.write_text(text[:start] + helper + text[start:].replace(old, "            Load(x, xGm[i * tile + 8],\n                 tile);\n"))
    lines = file.read_text().splitlines()
    number = lambda part: next(n for n, line in enumerate(lines, 1) if part in line)
    found = [f for f in json.loads(add("--json", kernel=file).out)["findings"] if f["kind"] == "bounds"]
    assert [(f["file"], f["line"], f["called_at"]) for f in found] == [
        (str(file), number("DataCopy(to, from"), [f"{file}:{number('Load(x, xGm')}", f"{file}:{number('.Process()')}"])]
    assert add(kernel=file).out.count(f" (called at edited.cpp:{number('Load(x, xGm')}, from edited.cpp:{number('.Process()')})\n") == 1


def test_a_finding_about_another_line_names_no_calls(add, edited):
    """A flag that is left set is found when the kernel ends, where nothing of it is called any more."""
    file, line = edited("Add(z, x, y, tile);", "Add(z, x, y, tile); if (i == 0) SetFlag<HardEvent::V_S>(EVENT_ID0);")
    assert [(f["kind"], f["line"], f["called_at"]) for f in json.loads(add("--json", kernel=file).out)["findings"]] == [("event", line, [])]


def test_code_that_does_not_compile_ends_with_1_and_lines(add, edited):
    file, line = edited("Add(z, x, y, tile)", "Add(z, x, y, tiel)")
    ran = add(kernel=file)
    assert ran.status == 1 and ran.out == "" and ran.lines == [f"{file}:{line}: 'tiel' was not declared in this scope; did you mean 'tile'?"]
    data = json.loads(add("--json", kernel=file).out)
    assert list(data) == FIELDS and data["phase"] == "compile" and data["findings"][0]["line"] == line


def test_names_match_in_either_spelling_and_tiling_keys_select(run, tmp_path):
    x, ran = scale(run, tmp_path, "--define", "ADD=false", "--workspace", "64")
    assert (ran.status, ran.lines) == (0, [])
    np.testing.assert_array_equal(np.load("o.npz")["y"], 3 * x)
    x, ran = scale(run, tmp_path, "--define", "ADD=false", "--define", "TILING_KEY_VAR=1", arrays={"gradX": x}, dtype="float16")
    assert ran.status == 2 and ran.lines == ["ascgrad: --inputs: got gradX, a second value for the parameter gradX of scale"]
    x, ran = scale(run, tmp_path, "--define", "ADD=false", "--define", "TILING_KEY_VAR=1", dtype="float16")
    assert (ran.status, ran.lines) == (0, [])
    np.testing.assert_array_equal(np.load("o.npz")["y"], 9 * x)
    x, ran = scale(run, tmp_path, "--define", "ADD=false", "--define", "TILING_KEY_VAR=7", dtype="float16")
    assert ran.status == 1 and any("TILING_KEY_IS: the launch has tiling key 7, which the kernel never asks for" in line for line in ran.out.splitlines())


def test_a_name_among_inputs_and_outputs_is_one_tensor(run, tmp_path):
    before = np.full((5, 24), 7, np.float32)
    x, ran = scale(run, tmp_path, "--define", "ADD=true", arrays={"y": before})
    assert (ran.status, ran.lines) == (0, [])
    np.testing.assert_array_equal(np.load("o.npz")["y"], 3 * x + 7)
    x, ran = scale(run, tmp_path, "--define", "ADD=true")
    assert ran.status == 1 and "poison: DataCopyPad adds to y" in ran.out
    x, ran = scale(run, tmp_path, "--define", "ADD=true", arrays={"y": before[:4]})
    assert ran.status == 2 and ran.lines == ["ascgrad: --output: got y=float32[5, 24], which is an input too: float32[4, 24]"]


def test_a_missing_argument_is_null(run, tmp_path):
    (tmp_path / "null.cpp").write_text(
        '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR a, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {\n'
        "    AscendC::GlobalTensor<int32_t> out;\n    out.SetGlobalBuffer((__gm__ int32_t*)y);\n"
        "    out.SetValue(0, (a == nullptr) + 2 * (workspace == nullptr) + 4 * (tiling == nullptr));\n}\n")
    words = ("emulate", "--kernel", "null.cpp", "--soc", "ascend950", "--block-dim", "1", "--output", "y=int32[1]", "--out", "o.npz")
    assert run(*words).status == 0 and np.load("o.npz")["y"].tolist() == [7]
    assert run(*words, "--workspace", "32").status == 0 and np.load("o.npz")["y"].tolist() == [5]


@pytest.mark.parametrize("offset, what", [("", "a null address"), (" + 4", "an address behind a null address")])
def test_what_is_null_is_named(run, tmp_path, offset, what):
    (tmp_path / "null.cpp").write_text(
        '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR a, GM_ADDR y, GM_ADDR workspace) {\n'
        f"    AscendC::GlobalTensor<int32_t> in, out;\n    in.SetGlobalBuffer((__gm__ int32_t*)a{offset});\n"
        "    out.SetGlobalBuffer((__gm__ int32_t*)y);\n    out.SetValue(0, in.GetValue(0));\n}\n")
    ran = run("emulate", "--kernel", "null.cpp", "--soc", "ascend950", "--block-dim", "1", "--output", "y=int32[1]")
    assert ran.status == 1
    assert f"null.cpp:6: bounds: GlobalTensor::GetValue: {what} is read; nothing is given for a, workspace (--workspace)\n" in ran.out + "\n"


def test_dtypes_are_those_of_typed_pointers(run, tmp_path):
    (tmp_path / "typed.cpp").write_text(
        '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(__gm__ half* x, GM_ADDR any, __gm__ float *y, __gm__ half* workspace) {\n'
        "    AscendC::GlobalTensor<float> out;\n    out.SetGlobalBuffer(y);\n    out.SetValue(0, 1.0f);\n}\n")
    words = ("emulate", "--kernel", "typed.cpp", "--soc", "ascend950", "--block-dim", "1", "--inputs", "in.npz")
    np.savez("in.npz", x=np.ones(4, np.float32))
    assert (r := run(*words)).status == 2 and r.lines == ["ascgrad: --inputs: x has dtype float32, half* x wants float16"]
    np.savez("in.npz", x=np.ones(4, np.float16), any=np.ones(4), workspace=np.ones(4, np.uint8))
    assert (r := run(*words, "--output", "y=int32[1]")).status == 2 and r.lines == ["ascgrad: --output: y has dtype int32, float * y wants float32"]
    assert run(*words, "--output", "y=float32[1]").status == 0


TWO = "__global__ void a() {}\n__global__ void b(GM_ADDR y) { *(__gm__ int32_t*)y = 5; }\n"


@pytest.mark.parametrize("text, file, line", [
    ("void k() {}\n", "k.cpp", "has no __global__ function, wants one"),
    (TWO, "k.cpp", "has 2 __global__ functions (a, b), wants FILE.cpp:NAME"),
    (TWO, "k.cpp:c", "has 2 __global__ functions (a, b), none is c"),
])
def test_a_file_has_one_entry_or_its_name_is_given(run, tmp_path, text, file, line):
    (tmp_path / "k.cpp").write_text(f'#include "kernel_operator.h"\n{text}')
    ran = run("emulate", "--kernel", file, "--soc", "ascend910b", "--block-dim", "1")
    assert ran.status == 2 and ran.lines == [f"ascgrad: --kernel: {tmp_path / 'k.cpp'} {line}"]


def test_one_entry_of_several(run, tmp_path):
    (tmp_path / "k.cpp").write_text(f'#include "kernel_operator.h"\n{TWO}')
    ran = run("emulate", "--kernel", "k.cpp:b", "--soc", "ascend910b", "--block-dim", "1", "--output", "y=int32[1]", "--out", "o.npz")
    assert ran.status == 0 and np.load("o.npz")["y"].tolist() == [5]


SELECTIONS = """#include "kernel_operator.h"
ASCENDC_TPL_ARGS_DECL(K, ASCENDC_TPL_UINT_DECL(MODE, 4, ASCENDC_TPL_UI_RANGE, 1, 0, 9), ASCENDC_TPL_BOOL_DECL(MORE, 0, 1));
ASCENDC_TPL_SEL(
    ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY), ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 0, 2),
                         ASCENDC_TPL_BOOL_SEL(MORE, 0, 1)),
    ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_MIX_AIC_1_2), ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_RANGE, 1, 3, 5),
                         ASCENDC_TPL_BOOL_SEL(MORE, 1)),
    ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_MIX, 1, 3, 5, 7), ASCENDC_TPL_BOOL_SEL(MORE, 0)));
template <uint32_t MODE, bool MORE>
__global__ __aicore__ void k(GM_ADDR y) {}
"""


@pytest.mark.parametrize("mode, more, kind", [
    (0, "false", "KERNEL_TYPE_AIV_ONLY"), (2, "1", "KERNEL_TYPE_AIV_ONLY"), (4, "true", "KERNEL_TYPE_MIX_AIC_1_2"), (4, "false", None), (7, "0", None),
])
def test_a_selection_of_template_arguments_says_the_type_of_the_kernel(tmp_path, mode, more, kind):
    file = tmp_path / "k.cpp"
    file.write_text(SELECTIONS)
    text = toolchain.preprocess(file, ("-D__NPU_ARCH__=2201", "-DASCGRAD_SCAN", f"-I{emulated_kernel.run._INCLUDE}"))
    assert emulated_kernel.selected_type(text, {"MODE": str(mode), "MORE": more}) == kind
    assert [e.name for e in emulated_kernel.entries(text)] == ["k"]


def test_a_kernel_of_the_type_that_is_selected(run, tmp_path):
    (tmp_path / "k.cpp").write_text(SELECTIONS)
    words = ("emulate", "--kernel", "k.cpp", "--soc", "ascend910b", "--block-dim", "25", "--output", "y=int32[1]", "--define")
    assert run(*words, "MODE=0", "--define", "MORE=0").status == 0
    assert run(*words, "MODE=4", "--define", "MORE=1").lines == ["ascgrad: --block-dim: got 25, wants 1 to 24, the cube cores of Ascend910B2"]


@pytest.mark.parametrize("words, changes, line", [
    (["--tiling", "nowhere"], {}, "--tiling: nowhere cannot be read: No such file or directory"),
    (["--tiling", "in.npz"], {}, "--tiling: add_custom(x, y, z, total) has no parameter tiling"),
    (["--workspace", "32"], {}, "--workspace: add_custom(x, y, z, total) has no parameter workspace"),
    (["--define", "3=4"], {}, "--define: got 3=4, wants NAME=VALUE"),
    (["--define", "TILING_KEY_VAR=one"], {}, "--define: got TILING_KEY_VAR=one, wants a number that is no negative one"),
    (["--order", "sideways"], {}, "--order: got sideways, wants forward, reverse or random:SEED"),
    (["--blocks", "8"], {}, "--blocks: got 8, wants blocks below 8, their number"),
    (["--seed", "1"], {}, "emulate: --seed: got 1, but with --kernel there is no operator"),
    ([], {"blocks": 65536}, "--block-dim: got 65536, wants 1 to 65535, the blocks that one launch may have"),
    (["--trace", "t.json"], {"blocks": 64}, "--trace: got --block-dim 64 beside it, wants at most 48 blocks, which all run at once"),
    ([], {"kernel": KERNELS / "mixed.cpp", "blocks": 25}, "--block-dim: got 25, wants 1 to 24, the cube cores of Ascend910B2"),
    ([], {"soc": "ascend310"}, "--soc: product 'ascend310': want one of ascend910_93, ascend910b, ascend950 or the path of a product file"),
    ([], {"output": "z=float16"}, "--output: got z=float16, wants NAME=DTYPE[DIM,...], as in y=float32[3,4]"),
    ([], {"output": "z=half[8]"}, "--output: got z=half[8], whose dtype half is none of float32, float16, bfloat16, float64, int8, int16, "
     "int32, int64, uint8, uint16, uint32, uint64, bool"),
    ([], {"output": "w=float16[8]"}, "--output: got w, which is no parameter of add_custom(x, y, z, total)"),
    ([], {"output": "total=uint32[]"}, None),
    ([], {"q": X}, "--inputs: got q, which is no parameter of add_custom(x, y, z, total)"),
    ([], {"x": X.astype(np.complex64)}, "--inputs: x has dtype complex64, wants one of float32, float16, bfloat16, float64, int8, int16, "
     "int32, int64, uint8, uint16, uint32, uint64, bool"),
    ([], {"total": np.arange(2)}, "--inputs: total has 2 elements, uint32_t total takes one"),
    ([], {"total": 2**33}, f"--inputs: total is {2**33}, which does not fit uint32_t"),
    ([], {"kernel": "nowhere.cpp"}, "--kernel: got nowhere.cpp, which is no file"),
    (["--out", "add.cpp"], {"kernel": "add.cpp:add_custom"}, "--out: got add.cpp, which is the file of --kernel, wants another one"),
    (["--out", "./in.npz"], {}, "--out: got ./in.npz, which is the file of --inputs, wants another one"),
    (["--out", "add.cpp"], {"kernel": "add.cpp:add_custom"}, "--out: got add.cpp, which is the file of --kernel, wants another one"),
    (["--trace", "o.npz"], {}, "--trace: got o.npz, which is the file of --out, wants another one"),
])
def test_a_request_that_cannot_be_served_is_one_line(add, words, changes, line):
    ran = add(*words, **changes)
    assert ran.status == 2 and ran.out == "" and len(ran.lines) == 1
    if line is not None:
        assert ran.lines[0] == f"ascgrad: {line}"


def test_what_is_missing_is_named(run, tmp_path):
    np.savez("empty.npz")
    words = ("emulate", "--kernel", KERNELS / "add.cpp", "--block-dim", "1")
    assert run(*words).lines == ["ascgrad: --soc: missing, wants one of ascend910_93, ascend910b, ascend950, or the path of a product file"]
    assert run(*words[:3], "--soc", "ascend950").lines == ["ascgrad: --block-dim: missing, wants the number of blocks to launch"]
    assert run(*words, "--soc", "ascend950", "--inputs", "empty.npz").lines == ["ascgrad: --inputs: got empty.npz, which has no arrays"]
    assert run(*words, "--soc", "ascend950").lines == [
        "ascgrad: add_custom(x, y, z, total) takes total by value (uint32_t), wants an array total among --inputs"]
    x, ran = scale(run, tmp_path)
    assert ran.lines == ["ascgrad: --define: scale is a template, wants ADD=VALUE"]
    assert run("emulate").lines == ["ascgrad: emulate: wants an operator, or --kernel FILE.cpp"]
    assert run("emulate", "RowNormGrad", "--block-dim", "3").lines == [
        "ascgrad: emulate: --block-dim: got 3, but only a kernel of your own takes it (--kernel)"]


def test_an_api_that_the_emulator_lacks_is_named(add, edited):
    file, line = edited("Add(z, x, y, tile)", "Sigmoid(z, x, tile)")
    ran = add(kernel=file)
    assert ran.status == 1 and ran.out == ""
    assert ran.lines == [f"{file}:{line}: Sigmoid is not emulated (Ascend C API, SIMD-API/高阶API/激活函数/Sigmoid接口/Sigmoid.md)"]
    data = json.loads(add("--json", kernel=file).out)
    assert data["findings"] == [{"kind": "compile", "file": str(file), "line": line, "message": ran.lines[0].split(": ", 1)[1],
                                  "called_at": []}]


def test_template_arguments_that_do_not_fit_are_refused(run, tmp_path):
    x, ran = scale(run, tmp_path, "--define", "ADD=no_such_value")
    assert ran.status == 2 and len(ran.lines) == 1
    assert ran.lines[0].startswith(f"ascgrad: --define: {KERNELS / 'scale.cpp'}: the entry cannot be made with these values: ")


def test_structs_of_the_host_and_structs_by_value(run, tmp_path):
    x = np.arange(64, dtype=np.float32)
    (tmp_path / "tiling.bin").write_bytes(struct.pack("<Iff4x", 64, 1.5, 2.0))
    words = ("emulate", "--kernel", KERNELS / "shift.cpp", "--soc", "ascend910b", "--block-dim", 1, "--inputs", "in.npz", "--output",
             "y=float32[64]", "--tiling", "tiling.bin", "--out", "o.npz")
    np.savez("in.npz", x=x, scale=np.float32([4]))
    ran = run(*words)
    assert (ran.status, ran.lines) == (0, [])
    np.testing.assert_array_equal(np.load("o.npz")["y"], x + 9.5)
    np.savez("in.npz", x=x, scale=np.arange(5, dtype=np.float32))
    assert run(*words).lines == ["ascgrad: parameter 3 of the kernel takes 4 bytes by value, 20 are given"]
    (tmp_path / "tiling.bin").write_bytes(bytes(40))
    np.savez("in.npz", x=x, scale=np.float32([4]))
    ran = run(*words)
    assert ran.status == 1 and "tiling: the kernel's tiling struct has 12 bytes, the host handed over 40" in ran.out


def test_a_file_that_is_no_text(add, tmp_path):
    (tmp_path / "binary.cpp").write_bytes(b"\xd3\x00\xff\xfe" * 64)
    ran = add(kernel=tmp_path / "binary.cpp")
    assert ran.status == 2 and len(ran.lines) == 1 and "has no __global__ function" in ran.lines[0]
