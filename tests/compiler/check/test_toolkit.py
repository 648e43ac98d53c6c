"""`ascgrad check --cann`: what does not compile against a toolkit, by file and line. The toolkit and the operator are made up here."""

import json
import textwrap
from pathlib import Path

import pytest

from compiler.check.sources import Sources
from compiler.check.toolkit import NoToolkit, compile_against, locate

OPERATOR = {
    "op_host/tiny_def.cpp": """
        #include "register/op_def_registry.h"
        struct Tiny : OpDef {
            Tiny()
            {
                this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
                this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
                this->AICore().AddConfig("ascend950");
                this->AICore().AddConfig("ascend910b");
            }
        };
        OP_ADD(Tiny);
        """,
    "op_host/tiny_tiling.cpp": """
        #include "register/op_impl_registry.h"
        int TilingTiny(gert::TilingContext* context)
        {
            context->SetTilingKey(0);
            return 0;
        }
        IMPL_OP_OPTILING(Tiny).Tiling(TilingTiny);
        """,
    "op_api/aclnn_tiny.cpp": """
        #include "aclnn/aclnn_base.h"
        aclnnStatus aclnnTiny() { return ACLNN_SUCCESS; }
        """,
    "op_kernel/tiny.cpp": """
        #include "kernel_operator.h"
        struct TinyTiling { int rows; };
        extern "C" __global__ __aicore__ void tiny(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
        {
            GET_TILING_DATA_WITH_STRUCT(TinyTiling, data, tiling);
            Copy<DTYPE_X>(x, y, data.rows);
        }
        """,
}
TOOLKIT = {
    "x86_64-linux/include/register/op_def_registry.h": """
        namespace ge { enum { DT_FLOAT16, DT_FLOAT }; }
        enum { REQUIRED };
        struct Port { Port& ParamType(int) { return *this; } template <class T> Port& DataType(T const (&)[2]) { return *this; } };
        struct Core { void AddConfig(const char*) {} };
        struct OpDef { Port Input(const char*) { return {}; } Port Output(const char*) { return {}; } Core AICore() { return {}; } };
        #define OP_ADD(name) static name name##Instance
        """,
    "x86_64-linux/include/register/op_impl_registry.h": """
        namespace gert { struct TilingContext { void SetTilingKey(int) {} }; }
        struct Registry { template <class F> Registry Tiling(F) { return *this; } };
        #define IMPL_OP_OPTILING(name) static Registry name##Registry = Registry()
        """,
    "x86_64-linux/include/exe_graph/runtime/tiling_context.h": "",
    "x86_64-linux/include/tiling/platform/platform_ascendc.h": "",
    "x86_64-linux/include/graph/operator_reg.h": "",
    "x86_64-linux/include/aclnn/aclnn_base.h": "using aclnnStatus = int;\nconstexpr int ACLNN_SUCCESS = 0;\n",
    "x86_64-linux/include/aclnn/opdev/op_executor.h": "",
    "x86_64-linux/include/aclnn_kernels/contiguous.h": "",
    "compiler/tikcpp/tikcfw/kernel_operator.h": """
        #include "stub_fun.h"
        template <class T> void Copy(GM_ADDR from, GM_ADDR to, int count)
        {
            static_assert(sizeof(T) > 1, "the API takes no type of one byte");
            for (int i = 0; i < count; ++i) {
                reinterpret_cast<T*>(to)[i] = reinterpret_cast<T*>(from)[i];
            }
        }
        """,
    "compiler/tikcpp/tikcfw/impl/dav_c220/kernel_impl.h": "",
    "compiler/tikcpp/tikcfw/impl/dav_c310/kernel_impl.h": "",
    "tools/tikicpulib/lib/include/stub_fun.h": """
        #if !defined(ASCENDC_CPU_DEBUG)
        #error "CPU-debug mode alone"
        #endif
        #define __global__
        #define __aicore__
        using GM_ADDR = unsigned char*;
        struct half { unsigned short bits; };
        """,
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text).lstrip("\n"))
    return folder


@pytest.fixture
def operator(tmp_path):
    return written(tmp_path / "tiny", OPERATOR)


@pytest.fixture
def cann(tmp_path):
    return written(tmp_path / "cann", TOOLKIT)


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


def findings(operator, cann):
    return [(str(Path(f.file).relative_to(operator.parent)), f.line, f.message) for f in compile_against(Sources(operator), cann).findings]


def test_everything_is_compiled_once(operator, cann):
    """Host sources as they are, the kernel for each architecture and dtype, in the include folders that the toolkit has."""
    report = compile_against(Sources(operator), cann)
    assert report.findings == []
    units = [(u.source.name, u.side, u.products, u.dtypes) for u in report.units]
    assert units == [
        ("tiny_def.cpp", "host", (), ()), ("tiny_tiling.cpp", "host", (), ()), ("aclnn_tiny.cpp", "api", (), ()),
        ("tiny.cpp", "device", ("ascend950",), ("FLOAT16",)), ("tiny.cpp", "device", ("ascend950",), ("FLOAT",)),
        ("tiny.cpp", "device", ("ascend910b",), ("FLOAT16",)), ("tiny.cpp", "device", ("ascend910b",), ("FLOAT",)),
    ]  # fmt: skip
    device = report.units[-1]
    assert {"-DDTYPE_X=float", "-D__NPU_ARCH__=2201", "-D__CCE_AICORE__=220", "-DASCENDC_CPU_DEBUG=1"} <= set(device.flags)
    assert cann / "compiler/tikcpp/tikcfw" in device.includes and cann / "tools/tikicpulib/lib/include" in device.includes
    assert cann / "x86_64-linux/include" in report.units[0].includes and cann / "compiler/tikcpp/tikcfw" not in report.units[0].includes


def test_host_error(operator, cann):
    edit(operator, "op_host/tiny_tiling.cpp", "SetTilingKey(0)", "SetTilingKey(0);\n    context->SetScheduleMode(1)")
    ((file, line, message),) = findings(operator, cann)
    assert (file, line) == ("tiny/op_host/tiny_tiling.cpp", 5) and "has no member named 'SetScheduleMode'" in message


def test_device_error_of_one_product(operator, cann):
    edit(operator, "op_kernel/tiny.cpp", "    Copy<", "#if __NPU_ARCH__ == 2201\n    Subs(x);\n#endif\n    Copy<")
    ((file, line, message),) = findings(operator, cann)
    assert (file, line) == ("tiny/op_kernel/tiny.cpp", 7)
    assert message == "'Subs' was not declared in this scope (ascend910b)"


def test_error_inside_a_toolkit_header_is_placed_at_the_call(operator, cann):
    edit(operator, "op_kernel/tiny.cpp", "Copy<DTYPE_X>", "Copy<unsigned char>")
    ((file, line, message),) = findings(operator, cann)
    assert (file, line) == ("tiny/op_kernel/tiny.cpp", 6)
    assert "the API takes no type of one byte" in message and "kernel_operator.h:4]" in message


def test_errors_of_the_toolkit_itself_are_one_finding(operator, cann):
    edit(cann, "compiler/tikcpp/tikcfw/kernel_operator.h", '#include "stub_fun.h"',
         '#include "stub_fun.h"\nint first = wanting;\nint second = wanting;')
    ((file, line, message),) = findings(operator, cann)
    assert (file, line) == ("tiny/op_kernel/tiny.cpp", 1)
    assert message.startswith("2 errors in the toolkit's own headers, the first: 'wanting' was not declared in this scope [")


def test_a_missing_header_is_one_finding(operator, cann):
    """Two sources include it."""
    for name in ("op_host/tiny_def.cpp", "op_host/tiny_tiling.cpp"):
        edit(operator, name, "#include", '#include "register/extra.h"\n#include')
    ((file, line, message),) = findings(operator, cann)
    assert (file, line) == ("tiny/op_host/tiny_def.cpp", 1) and message == "register/extra.h: No such file or directory"


def test_a_header_that_every_toolkit_has(operator, cann):
    (cann / "tools/tikicpulib/lib/include/stub_fun.h").unlink()
    assert findings(operator, cann) == [
        ("cann", 0, "stub_fun.h, the device API's CPU-debug mode, is in none of its include folders; what includes it in op_kernel is not compiled")]


def test_an_architecture_that_the_toolkit_does_not_serve(operator, cann):
    (cann / "compiler/tikcpp/tikcfw/impl/dav_c310/kernel_impl.h").unlink()
    (cann / "compiler/tikcpp/tikcfw/impl/dav_c310").rmdir()
    assert findings(operator, cann) == [
        ("cann", 0, "ascend950: its device API has no dav_3510 or dav_c310, the folder of architecture 3510; the kernel is not compiled")]


@pytest.mark.parametrize("name", ["nowhere", "tiny"])
def test_no_toolkit(tmp_path, operator, name):
    with pytest.raises(NoToolkit, match=rf"^--cann: got .*{name}, which has none of register/op_def_registry.h, .*; wants the root of an installed CANN "
                                        r"toolkit \(ASCEND_HOME_PATH\)$"):
        locate(tmp_path / name)


def test_command_line(operator, cann, monkeypatch):
    from click.testing import CliRunner

    from compiler.cli import main

    edit(operator, "op_host/tiny_tiling.cpp", "SetTilingKey(0)", "SetTilingKeys(0)")
    monkeypatch.chdir(operator.parent)

    def run(*words):
        return CliRunner().invoke(main, ["check", "tiny", *words])

    ran = run("--cann", "cann", "--verbose")
    assert ran.exit_code == 1
    assert "tiny/op_host/tiny_tiling.cpp: 1 error\n    -I tiny\n" in ran.stdout and "    -I cann/x86_64-linux/include\n" in ran.stdout
    assert "tiny/op_kernel/tiny.cpp for ascend910b with FLOAT: compiles" in ran.stdout
    assert "tiny/op_host/tiny_tiling.cpp:4: toolkit: " in ran.stdout
    assert "translation units" in ran.stdout.splitlines()[-1]
    data = json.loads(run("--cann", "cann", "--json").stdout)
    assert data["cann"]["root"] == "cann" and [u["errors"] for u in data["cann"]["units"]] == [0, 1, 0, 0, 0, 0, 0]
    ran = run("--cann", "nowhere")
    assert ran.exit_code == 2 and ran.stderr.startswith("ascgrad: --cann: got nowhere") and ran.stderr.count("\n") == 1
