"""The evaluator of C++ texts against the C++ compiler: the same functions, the same values."""

import subprocess
from pathlib import Path

import pytest

from compiler.check.cpp import Unit, Unreadable, preprocess, without_comments
from compiler.check.machine import UNKNOWN, Machine
from compiler.emulator import toolchain

TEXT = """
#include <algorithm>
#include <cstdint>
#include <initializer_list>
namespace tiling {
constexpr int64_t BLOCK = 32;
constexpr int32_t SLOTS[2][3] = {{1, 2, 3}, {4, 5, 6}};
constexpr int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b == 0 ? 0 : 1); }
template <typename I>
constexpr I RoundUpTo(I value, I multiple) { return (value + multiple - 1) / multiple * multiple; }
struct Cut {
    int64_t rows = 7, columns;
    int64_t Elements() const { return rows * columns; }
};
inline int64_t Product(std::initializer_list<int64_t> factors)
{
    int64_t product = 1;
    for (const int64_t factor : factors) {
        if (factor == 0) {
            continue;
        }
        product *= factor;
    }
    return product;
}
inline void Halve(int64_t& value) { value /= 2; }
}
using namespace tiling;
int64_t Value(int64_t n)
{
    switch (n) {
        case 0: return -7 / 2 + -7 % 4;
        case 1: return BLOCK * SLOTS[1][2] - SLOTS[0][1];
        case 2: return RoundUpTo<int64_t>(CeilDiv(100, 7), 8) << 2 | 1;
        case 3: return std::max<int64_t>(3, std::min<int64_t>(n * 4, 9)) * (n > 2 && n != 5 ? 10 : -1);
        case 4: { Cut cut{3, 4}; cut.rows += 2; return cut.Elements(); }
        case 5: { int64_t total = 0; for (int64_t i = 0; i < 10; ++i) { if (i == 7) { break; } total += i % 3 == 0 ? i : 0; } return total; }
        case 6: return Product({2, 0, static_cast<int64_t>(3.9f), n});
        case 7: { int64_t value = 21; Halve(value); return value; }
        case 8: { const auto cut = [&](int64_t m, int64_t k) { const int64_t part = CeilDiv(m, k); return part * n; }; return cut(10, 3); }
        case 9: { struct Pair { int64_t a, b; }; const Pair pair{5, 6}; return pair.a - pair.b * 2; }
        case 10: { int64_t i = 3; int64_t j = i++ + 2; return i * 100 + j; }
        case 11: return sizeof(float) * 3 + sizeof(int64_t) + (sizeof(int32_t) == 4);
        case 12: { int64_t a[3] = {1, 2, 3}; a[1] = a[0] + a[2]; return a[1] ^ 0x1F; }
        case 13: return (n & 4) != 0 && !(n < 5) ? ~n : n;
        case 14: { int64_t left = 1000; while (left > 10) { left = left / 3; } return left; }
        default: return 1 ? n > 3 ? 30 : 40 : 50;
    }
}
"""
CASES = range(16)


def value(n: int, text: str = TEXT):
    unit = Unit({Path("tiling.cpp"): without_comments(text)})
    return Machine(unit).call(unit.functions["Value"][0], [n])


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("values")
    (folder / "values.cpp").write_text(TEXT + "\n#include <cstdio>\nint main() { for (int n = 0; n < 16; ++n) { std::printf(\"%ld\\n\", long(Value(n))); } }\n")
    subprocess.run([*toolchain.compiler().command, "-std=c++17", "-w", str(folder / "values.cpp"), "-o", str(folder / "values")], check=True)
    return list(map(int, subprocess.run([folder / "values"], capture_output=True, text=True, check=True).stdout.split()))


@pytest.mark.parametrize("n", CASES)
def test_same_value_as_compiled(compiled, n):
    assert value(n) == compiled[n]


def test_what_needs_a_run_is_unknown():
    assert value(1, "int64_t Value(int64_t n) { return Measure(n) + 1; }") is UNKNOWN
    assert value(1, "int64_t Value(int64_t n) { int64_t a = Measure(n); a = 2; return a; }") == 2
    with pytest.raises(Unreadable, match="depends on what is not known without running it") as error:
        value(1, "int64_t Value(int64_t n)\n{\n    return n == 1 ?\n 1 : 0; }".replace("return", "if (Measure(n)) {\n return 2; }\n return"))
    assert error.value.line == 3


def test_what_is_not_read_is_said():
    with pytest.raises(Unreadable, match="do is not read"):
        value(1, "int64_t Value(int64_t n) { do { ++n; } while (n < 5); return n; }")
    with pytest.raises(Unreadable, match="a division by zero"):
        value(0, "int64_t Value(int64_t n) { return 8 / n; }")
    with pytest.raises(Unreadable, match="it does not come to an end"):
        value(1, "int64_t Value(int64_t n) { while (n > 0) { ++n; } return n; }")


def test_branches_of_other_architectures_are_left_out():
    text = "#if __NPU_ARCH__ == 3510\na\n#elif defined(__NPU_ARCH__) && (__NPU_ARCH__ == 2201)\nb\n#else\nc\n#endif\nd\n"
    assert [preprocess(text, arch).split() for arch in (3510, 2201, 1001)] == [["a", "d"], ["b", "d"], ["c", "d"]]
