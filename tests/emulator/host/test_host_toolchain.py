"""The cache of objects, the tiling struct's layout, product files."""

import struct

import pytest

from compiler import products
from compiler.emulator import tiling_data, toolchain
from compiler.emulator.toolchain import SourceError, Unit


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """Counts compilations of a two-file project that can move."""
    monkeypatch.setenv("ASCGRAD_CACHE", str(tmp_path / "cache"))
    runs = []
    original = toolchain.run
    monkeypatch.setattr(toolchain, "run", lambda arguments: runs.append(arguments) or original(arguments))

    def compile_in(folder, header="#define VALUE 1\n", source='#include "a.h"\nint value() { return VALUE; }\n'):
        directory = tmp_path / folder
        directory.mkdir(exist_ok=True)
        (directory / "a.h").write_text(header)
        (directory / "a.cpp").write_text(source)
        before = len(runs)
        path = toolchain.compile_unit(Unit(directory / "a.cpp", (f"-I{directory}",), directory))
        return path, len(runs) - before

    return compile_in


def test_objects_are_found_by_content(compiled):
    first, runs = compiled("one")
    assert runs == 1
    assert compiled("one") == (first, 0)
    assert compiled("elsewhere") == (first, 0)  # only the directory differs
    changed, runs = compiled("one", header="#define VALUE 2 // changed\n")
    assert runs == 1 and changed != first
    assert compiled("one") == (first, 0)  # and back


def test_an_object_that_is_cut_off_is_made_anew(compiled):
    whole, _ = compiled("one")
    content = whole.read_bytes()
    whole.write_bytes(content[:100])
    assert compiled("one") == (whole, 1) and whole.read_bytes() == content


@pytest.mark.parametrize("folder", ["one", "with a space", "größe (1)"])
def test_errors_name_file_and_line(compiled, tmp_path, folder):
    with pytest.raises(SourceError) as caught:
        compiled(folder, source='#include "a.h"\nint value() { return VALU; }\n')
    assert caught.value.lines[0].startswith(f"{tmp_path / folder / 'a.cpp'}:2: ")


@pytest.fixture
def with_header(tmp_path, monkeypatch):
    """Compiles a source whose first header GCC keeps parsed; gives its object, and how often each of the two was compiled."""
    monkeypatch.setenv("ASCGRAD_CACHE", str(tmp_path / "cache"))
    runs = []
    original = toolchain.run
    monkeypatch.setattr(toolchain, "run", lambda arguments: runs.append(arguments) or original(arguments))
    (tmp_path / "first.h").write_text('#include "a.h"\n')

    def compile_with(value="1", source="int value() { return VALUE; }\n", header=True):
        (tmp_path / "a.h").write_text(f"#define VALUE {value}\n")
        (tmp_path / "a.cpp").write_text(f'#include "first.h"\n{source}')
        runs.clear()
        flags = (f"-I{tmp_path}",)
        unit = Unit(tmp_path / "a.cpp", flags, header=Unit(tmp_path / "first.h", flags) if header else None)
        path = toolchain.compile_unit(unit)
        return path, tuple(sum(str(tmp_path / name) in arguments for arguments in runs) for name in ("first.h", "a.cpp"))

    return compile_with


@pytest.mark.skipif(not toolchain.compiler().gcc, reason="GCC alone keeps headers parsed")
def test_what_a_parsed_header_includes_is_watched(with_header):
    first, runs = with_header()
    assert runs == (1, 1)
    assert with_header() == (first, (0, 0))
    assert with_header(source="int value() { return -VALUE; }\n")[1] == (0, 1)
    changed, runs = with_header(value="2")
    assert runs == (1, 1) and changed.read_bytes() != first.read_bytes()
    assert with_header() == (first, (0, 0))  # and back


def test_a_header_changes_no_object(with_header, tmp_path, monkeypatch):
    first, _ = with_header()
    monkeypatch.setenv("ASCGRAD_CACHE", str(tmp_path / "other"))
    second, runs = with_header(header=False)
    assert runs == (0, 1) and second.read_bytes() == first.read_bytes() and second.name == first.name


@pytest.mark.parametrize("header", (True, False))
def test_errors_are_the_same_with_a_header(with_header, tmp_path, header):
    with pytest.raises(SourceError) as caught:
        with_header(source="int value() { return VALU; }\n", header=header)
    assert caught.value.lines[0].startswith(f"{tmp_path / 'a.cpp'}:2: ")
    with pytest.raises(SourceError) as caught:
        with_header(value="1\n#error no value", header=header)
    assert caught.value.lines[0].startswith(f"{tmp_path / 'a.h'}:2: ")


def test_layout_of_tiling_data():
    text = """
    // struct Old { int32_t a; };
    constexpr uint32_t COUNT = 3;
    struct Part { int8_t flag; int64_t rows; };
    struct alignas(8) Data {
        uint32_t first;   /* in elements */
        uint8_t small = 0;
        uint16_t pair, other;
        Part part;
        float scales[COUNT];
        bool last;
    };
    """
    part, data = tiling_data.parse(text)
    assert (part.size, data.size) == (16, 48)
    assert [(entry.name, entry.offset) for entry in data.fields] == [
        ("first", 0),
        ("small", 4),
        ("pair", 6),
        ("other", 8),
        ("part.flag", 16),
        ("part.rows", 24),
        ("scales", 32),
        ("last", 44),
    ]
    raw = struct.pack("<IBxHHxxxxxxbxxxxxxxq3f?xxx", 7, 1, 2, 3, -1, 1 << 40, 0.5, 1.5, 2.5, True)
    assert data.decode(raw) == {
        "first": 7,
        "small": 1,
        "pair": 2,
        "other": 3,
        "part.flag": -1,
        "part.rows": 1 << 40,
        "scales": [0.5, 1.5, 2.5],
        "last": True,
    }
    assert [entry.name for entry in data.unwritten(b"\xcd" * 48)] == ["first", "part.rows", "scales"]
    assert data.fields[0].line == 6


def test_product_files(tmp_path):
    product = products.load("ascend950")
    assert products.flatten(product)["memory.ub"] == product["memory"]["ub"]
    path = tmp_path / "mine.toml"
    text = (products.Path(products.__file__).parent / "ascend950.toml").read_text()
    path.write_text(text.replace("ub = 253952", 'ub = "much"'))
    with pytest.raises(products.ProductError, match="memory.ub: got 'much', want a positive number"):
        products.load(path)
    path.write_text("name = ")
    with pytest.raises(products.ProductError, match="mine.toml: "):
        products.load(path)
    with pytest.raises(products.ProductError, match="product 'ascend960': want one of ascend910_93, ascend910b, ascend950"):
        products.load("ascend960")
