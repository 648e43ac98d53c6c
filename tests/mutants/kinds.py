"""The kinds of mutants: a row each."""

from __future__ import annotations

from tests.mutants.suite import MIXED, MIXED_A2, VECTOR, Kind

CUBE = "op_kernel/*_cube.h"
TILE = "op_kernel/*_tile.h"
ENTRY = "op_kernel/*.cpp"
TILING = "op_host/*_tiling.cpp"
MATH = "op_host/*_tiling_math.h"

MIXED_TARGETS = (MIXED, MIXED_A2)

NAME = r"[A-Za-z_]\w*"
QUEUE = r"[A-Za-z_]\w*Queue_"
STATEMENT = r"[^;{}]*;"
"""The rest of a statement, over several lines where it is long."""


def line_of(start: str) -> str:
    """A statement that begins a line, with its line break."""
    return rf"^[ \t]*{start}{STATEMENT}[^\n]*\n"


def other(match) -> str:
    """VECIN and VECOUT, A2 and B2, A1 and B1 exchanged."""
    return match[0].replace(match[1], {"VECIN": "VECOUT", "VECOUT": "VECIN", "A2": "B2", "B2": "A2"}[match[1]])


KINDS = (
    # -- order: flags, queues, barriers
    Kind("wait between pipes dropped", "the second pipe starts before the first has finished", r"^[ \t]*WaitFor<HardEvent::\w+>\(\);", "",
         least=20),
    Kind("wait between the wrong pipes", "the flag is set by the pipe that should wait", r"WaitFor<HardEvent::([A-Z0-9]+)_([A-Z0-9]+)>",
         r"WaitFor<HardEvent::\2_\1>", least=20),
    Kind("flag not set", "the waiting pipe waits for ever", r"^[ \t]*SetFlag<\w+>\(\w+\);\n", ""),
    Kind("flag not waited for", "the flag stays set", r"^[ \t]*WaitFlag<\w+>\(\w+\);\n", ""),
    Kind("EnQue dropped", "DeQue waits for ever", rf"^[ \t]*{QUEUE}\.EnQue\(\w+\);\n", "", least=30),
    Kind("DeQue dropped", "the tensor is used before the copy into it has finished", rf"^[ \t]*\w+ = {QUEUE}\.template DeQue<\w+>\(\);\n", "",
         CUBE, MIXED_TARGETS, least=4),
    Kind("AllocTensor in place of DeQue", "another buffer, or none, instead of the one that was filled",
         rf"({QUEUE}\.template )DeQue<", r"\1AllocTensor<", least=30),
    Kind("FreeTensor dropped", "the queue runs out of buffers", rf"^[ \t]*{QUEUE}\.FreeTensor\(\w+\);\n", "", least=20),
    Kind("tile freed after neither its cast nor its use", "the queue runs out of buffers", r"^[ \t]*FreeAfterCast\([^;]*;\n", "",
         targets=(VECTOR,), least=3),
    Kind("freed before it is used", "the next copy into the buffer may come before the use",
         rf"^([ \t]*(?:StoreTile|StoreRun|ToFloat|ToL0A|ToL0B|FromL0C|Mul|Add)\b{STATEMENT}\n)([ \t]*(?:{QUEUE}\.FreeTensor|FreeAfterCast|FreeAfterUse)\([^;]*;\n)",
         r"\2\1", least=15),
    Kind("queue of the wrong position", "its flags order other pipes than those that use it", r"TQue<QuePosition::(VECIN|VECOUT|A2|B2),",
         other, least=20),
    Kind("barrier dropped", "products that add to the same tile overlap", r"^[ \t]*PipeBarrier<\w+>\(\);[^\n]*\n", "", least=2),
    Kind("SyncAll dropped", "cores read what others have yet to write", r"^[ \t]*SyncAll(?:<false>)?\(\);\n", "", least=4),
    Kind("SyncAll of vector cores alone", "cube cores wait for ever, or not at all", r"SyncAll<false>\(\)", "SyncAll<true>()", least=2),
    Kind("early return before SyncAll", "the other cores wait for ever", r"^([ \t]*)(SyncAll(?:<false>)?\(\);\n)",
         r"\1if (GetBlockIdx() == 1) {\n\1    return;\n\1}\n\1\2", least=4),

    # -- memory: sizes, offsets, bounds
    Kind("buffer too small", "what follows it in memory is overwritten", r"(InitBuffer\(\w+, (?:[\w ?:]+, )?)([^;]*)(\);)", r"\1(\2) / 2\3", least=30),
    Kind("work buffer of another value", "an instruction takes its operand from there, or leaves its result there", r"(?<!= )\bWork\((\d)\)",
         lambda m: f"Work({(int(m[1]) + 1) % 3})", least=30),
    Kind("rows shifted", "each row is taken for the one before it", r"Gm_\[row \*", "Gm_[(row + 1) *", least=20),
    Kind("column of the tile left out", "every tile of columns is the first one", r"(Gm_\[row \*[^\];]*?) \+ column\]", r"\1]",
         targets=(VECTOR,), least=5),
    Kind("channel left out of an offset", "every channel is the first one", r"channel_ \* columns_ \+ ", "", targets=MIXED_TARGETS, least=10),
    Kind("part of a row left out of an offset", "one half of the row is taken for the other", r"\+ columns_ \+ column\]", "+ column]",
         targets=(VECTOR,), least=2),
    Kind("offset of 32 bits", "rows beyond 2^31 elements wrap round", r"Gm_\[(row \* [^\];]*)\]", r"Gm_[static_cast<int32_t>(\1)]",
         targets=(VECTOR,), far=True, least=4),
    Kind("tail dropped", "what does not fill a tile is never done", r"for \((\w+ \w+) = ([^;]*); (\w+) < ([^;]*); (\w+) \+= ([^)]*)\)",
         r"for (\1 = \2; \3 + \6 <= \4; \5 += \6)", least=20),
    Kind("tail of a repeat dropped", "the last columns of a long row are never done", r"if \(tail > 0\)", "if (tail < 0)", TILE, least=4),
    Kind("last row dropped", "off by one", r"(for \(int32_t (\w+) = )0(; \2 < (?:shape\.rows|count|m|k))", r"\g<1>1\3", least=8),
    Kind("limit dropped", "the last tile is as large as the others", r"([\w.]+(?: [-+] [\w.]+)?) < ([\w.]+) \? \1 : \2", r"\2", least=20),
    Kind("sum of the counts not limited", "rows beyond the tensor, or fewer than none", r"return total < 0 \? 0 : \(([^)]*)\)",
         lambda m: "return total" if len(m[1]) else m[0], targets=(VECTOR,), least=1),
    Kind("core skipped", "its rows or tiles are never done", r"(core_ = |== )GetBlockIdx\(\)", r"\1GetBlockIdx() + 1", least=8),
    Kind("cores miscounted", "some rows are done twice, others never", r"= GetBlockNum\(\) \* GetSubBlockNum\(\);",
         "= GetBlockNum() * GetSubBlockNum() + 1;", least=5),
    Kind("rest of the rows dropped", "the rows that do not divide by the cores are never done", r"(share = base) \+ [^;]*;", r"\1;", least=4),
    Kind("every core takes the share of the first", "all of them do the same work", r"core_ \* (base|share)", r"0 * \1", least=4),

    # -- vector instructions
    Kind("mask dropped", "lanes beyond the row are computed, too", r"(ApplyRepeats<OP>\([^;]*?)(?:left < REPEAT_FLOATS \? left : REPEAT_FLOATS|tail)(,)",
         r"\1REPEAT_FLOATS\2", TILE, least=4),
    Kind("one repeat too few", "the last row is not done", r"(?<=, )shape\.rows(?=,\s*(?:BinaryRepeatParams|1, 1))|static_cast<uint8_t>\(shape\.rows\)",
         "static_cast<uint8_t>(shape.rows - 1)", TILE, least=4),
    Kind("wrong stride of the first operand", "a row reads the columns of another", r"(BinaryRepeatParams\{1, 1, [01], \w+, )(\w+)", r"\g<1>0", TILE,
         least=4),
    Kind("wrong stride of the second operand", "a row reads the value of another",
         r"(BinaryRepeatParams\{1,\s*1,\s*[01],\s*\w+,\s*\w+,\s*)(\w+)", lambda m: m[1] + ("1" if m[2] == "0" else "0"), TILE, least=6),
    Kind("wrong block stride", "one value for all lanes, or another for each block", r"(BinaryRepeatParams\{1,\s*1,\s*)([01])",
         lambda m: m[1] + ("1" if m[2] == "0" else "0"), TILE, least=6),
    Kind("wrong stride of a copy", "rows are taken from where others lie", r"\(stride - shape\.width\)", "stride", TILE, least=6),
    Kind("count too short", "the last lanes keep what was there", r", count\)(?=;)", ", count / 2)", least=40),
    Kind("counts that differ from those loaded", "one row too many", r"(LoadRun\(\w+, \w+\[row\], )rows", r"\1rows + 1", targets=(VECTOR,), least=1),
    Kind("count of Compare not aligned", "Compare takes whole repeats of 256 bytes", r"RoundUpTo\(count, REPEAT_FLOATS\)", "count",
         targets=(VECTOR,), least=3),
    Kind("selection dropped", "the value is kept where it should be zero", line_of(r"Select\("), "", targets=(VECTOR,), least=2),
    Kind("limit itself on the wrong side", "the derivative at the limit is zero", r"CMPMODE::(L|G)T", r"CMPMODE::\1E", targets=(VECTOR,), least=3),
    Kind("rounding mode", "rounded towards minus infinity instead of to the nearest", r"(\bFromFloat\(const[^}]*?)CAST_RINT", r"\1CAST_FLOOR", TILE),
    Kind("operands swapped", "b - a for a - b, b / a for a / b", r"((?:\bSub|\bDiv)\((?!to,)\w+, )(\w+), (\w+(?:\(\d\))?)(, )", r"\1\3, \2\4", least=6),
    Kind("wrong sign of a scalar", "a factor has the other sign", r"-1\.0f", "1.0f", least=8),
    Kind("factor dropped", "a mean becomes a sum", r"1\.0f / \(static_cast<float>\((\w+)\)\)", "1.0f", least=6, targets=MIXED_TARGETS),
    Kind("half of a constant", "a documented constant is off", r"\b0\.5f", "0.25f", least=2, targets=MIXED_TARGETS),
    Kind("Add for Mul", "another formula", r"^([ \t]*)Mul\((?!to,)", r"\1Add(", least=20),
    Kind("Sub for Add", "another formula", r"^([ \t]*)Add\((?!to,)", r"\1Sub(", least=10),
    Kind("Max for Min", "limited from the wrong side", r"\bMins\(", "Maxs(", targets=(VECTOR,), least=3),
    Kind("instruction dropped", "the value of another step is used", line_of(r"(?:Mul|Muls|Adds|Add|Sub|Div|Exp|Mins|Maxs|Adds)\((?!to,)"), "", least=60),
    Kind("broadcast dropped", "the value per row or per column is not applied", line_of(r"(?:ApplyRows|ApplyColumns)<[^>]*>\("), "", least=10),
    Kind("cast dropped", "a work buffer that nobody filled", line_of("ToFloat\\("), "", least=10),
    Kind("exp(x) / (1 + exp(x))", "the sigmoid overflows for large x",
         r"Muls\((Work\(\d\)), (\w+), -1\.0f, count\);[^\n]*\n(.*?)Duplicate\((\w+), 1\.0f, count\);",
         r"Exp(\1, \2, count);\nMuls(\4, \1, 1.0f, count);\nAdds(\1, \1, 1.0f, count);", targets=(VECTOR,), least=1),
    Kind("accumulator not cleared", "the sum starts from what was there", line_of(r"Duplicate\([^;]*?0\.0f"), "", least=6),
    Kind("accumulated in few bits", "the sum is kept to 8 bits, as bfloat16 would", r"^([ \t]*)Add\((sum|RowVector\(\w+\)), \2, ([^;]*), ([\w.]+)\);\n",
         r"\g<0>\1Muls(\3, \2, 65537.0f, \4);\n\1Sub(\2, \3, \2, \4);\n\1Sub(\2, \3, \2, \4);\n", least=4),
    Kind("zeros not written", "rows that the counts leave out, or sums over nothing, stay as they were",
         r"^[ \t]*(?:ZeroDeadRows\(\)|ZeroFill\([^;]*|FillZeros<[^;]*|ZeroSums<[^;]*);\n", "", least=8),
    Kind("zeros in the wrong place", "one row too early", r"ZeroFill\((\w+), liveRows_,", r"ZeroFill(\1, liveRows_ - 1,", targets=(VECTOR,), least=1),
    Kind("ReinterpretCast to a smaller type", "half of the bytes are done",
         r"Duplicate\((\w+)\.template ReinterpretCast<float>\(\), 0\.0f,", r"Duplicate(\1.template ReinterpretCast<int16_t>(), static_cast<int16_t>(0),",
         targets=(VECTOR,), least=1),
    Kind("stored over another part", "two stores to one place, none to the other", r"(StoreTile\(\w+\[[^;]*?, \w+Tile)\[tileElements_\]", r"\1",
         targets=(VECTOR,), least=1),

    # -- cube instructions
    Kind("accumulate flag dropped", "only the last step along k counts", r"cmatrixInitVal = [^;]*;", "cmatrixInitVal = true;", CUBE, MIXED_TARGETS,
         least=2),
    Kind("stale L0C", "the product starts from what the tile held before", r"cmatrixInitVal = [^;]*;", "cmatrixInitVal = false;", CUBE, MIXED_TARGETS,
         least=2),
    Kind("wrong ND2NZ parameter", "the matrix lies in L1 as the cube does not read it",
         r"(params\.(?:nValue|dValue|srcDValue|dstNzC0Stride|dstNzNStride) = )([^;]*);", r"\1\2 + 1;", CUBE, MIXED_TARGETS, least=8),
    Kind("transposed load", "a fractal is read across", r"(params\.ifTranspose = )([^;]*);", r"\1!(\2);", CUBE, MIXED_TARGETS, least=4),
    Kind("wrong LoadData parameter", "fractals of another row or column", r"(params\.(?:srcStride|dstStride|repeatTimes|mStep|kStep) = )(TRANSPOSE[^;]*|[a-z]);",
         r"\1(\2) + 1;", CUBE, MIXED_TARGETS, least=6),
    Kind("wrong Mmad parameter", "one row, column or step of k too few", r"(params\.[mnk] = )([^;]*);", r"\1\2 - 1;", CUBE, MIXED_TARGETS, least=6),
    Kind("wrong Fixpipe parameter", "a tile that is stored with another width or stride", r"(params\.(?:nSize|mSize|srcStride|dstStride) = )((?:width|height|pitch|to\.)[^;]*);",
         r"\1\2 - 1;", CUBE, MIXED_TARGETS, least=6),
    Kind("result rounded to the other 16-bit dtype", "bfloat16 bits in a float16 tensor and the reverse", r"QuantMode_t::(F322F16|F322BF16)",
         lambda m: "QuantMode_t::" + {"F322F16": "F322BF16", "F322BF16": "F322F16"}[m[1]], CUBE, MIXED_TARGETS, least=4),
    Kind("operand transposed", "a^T @ b for a @ b", r"Accumulate<(true|false), (true|false)>",
         lambda m: f"Accumulate<{'false' if m[1] == 'true' else 'true'}, {m[2]}>", ENTRY, MIXED_TARGETS, least=6),
    Kind("part of k left out", "every part of a product sums the first one", r"part_ \* cut_\.partK", "0 * cut_.partK", CUBE, MIXED_TARGETS, least=2),
    Kind("tile of another core", "tiles are skipped and others done twice", r"next_ \+= GetBlockNum\(\)", "next_ += GetBlockNum() + 1", CUBE, MIXED_TARGETS,
         least=2),
    Kind("parts of a sum not added up", "the result is never written", r"^[ \t]*AddParts<[^;]*;\n", "", ENTRY, MIXED_TARGETS, least=4),
    Kind("ring with one slot too few", "a block is overwritten before it has been read", r"(SlotOf\(workspace \+ tiling->\w+, block, )(\d)",
         lambda m: m[1] + str(int(m[2]) - 1), ENTRY, MIXED_TARGETS, together=True, least=4),
    Kind("another place in the workspace", "two values share it, or one is never found", r"workspace \+ tiling->(\w+)Offset",
         "workspace + tiling->gradUpOffset", ENTRY, MIXED_TARGETS, least=10),
    Kind("block of the step before", "a stage works on rows that are not ready", r"BlockAt\(step - (\d)", lambda m: f"BlockAt(step - {int(m[1]) - 1}", ENTRY,
         MIXED_TARGETS, least=4),
    Kind("last step dropped", "the last block never reaches the last stage", r"step < steps\b", "step + 1 < steps", ENTRY, MIXED_TARGETS, least=2),

    # -- host tiling
    Kind("wrong tiling field on the host", "the kernel is told another number", r"(tiling->\w+ = )([^;]*);", r"\1\2 + 1;", TILING, least=20),
    Kind("wrong tiling field in the kernel", "rows for columns", r"(= (?:static_cast<int32_t>\()?tiling->\w*?)([rR]owsPerTile|[cC]olumnsPerTile|[tT]ileElements)\b",
         lambda m: m[1] + {"rows": "columns", "Rows": "Columns", "colu": "rows", "Colu": "Rows", "tile": "rows", "Tile": "Rows"}[m[2][:4]] + "PerTile",
         least=10),
    Kind("tiling formula", "rounded down instead of up", r"= AlignUp\(", "= AlignDown(", TILING, least=6),
    Kind("tiling arithmetic", "the quotient is not rounded up", r"\? 0 : 1", "? 0 : 0", MATH),
    Kind("workspace offsets overlap", "one value begins where the one before it does", r"(const int64_t \w+Offset = )[^;]*?(\w+Offset)[^;]*;", r"\1\2;", TILING,
         MIXED_TARGETS, least=6),
    Kind("one core left out", "its rows are never done", r"SetBlockDim\(static_cast<uint32_t>\(([^;]*)\)\);", r"SetBlockDim(static_cast<uint32_t>(\1) - 1);", TILING),
    Kind("another tiling key", "the kernel of other options", r"SetTilingKey\((\w+)\)", r"SetTilingKey(\1 ^ 1)", TILING),
    Kind("schedule mode", "cores that wait for one another do not start together", r"SetScheduleMode\(1\)", "SetScheduleMode(0)", TILING, MIXED_TARGETS, least=2),

    # -- results that go to UB, operands that go to L1
    Kind("flag between cores dropped", "a tile is read before it is there, or overwritten before it is read", r"^[ \t]*CrossCore(?:Set|Wait)Flag<[^\n]*\n",
         "", targets=(MIXED,), least=13),
    Kind("other half of a tile", "each vector core takes the rows of the other", r"GetSubBlockIdx\(\) == 1(?=;\n *CrossCoreWaitFlag)", "GetSubBlockIdx() == 0",
         targets=(MIXED,), least=1),
    Kind("place in a strip", "fractals of another column or row", r"\b(column - stripColumn_|row - stripRow_)\b", r"\1 + 1", targets=(MIXED,), least=2),
    Kind("pitch of a strip", "columns of fractals overlap, or lie apart", r"(TileToL1\([^;]*), pitch, shape\);", r"\1, pitch + 1, shape);", targets=(MIXED,), least=2),
    Kind("strip freed too early or late", "it is written while it is multiplied, or vector cores wait for ever", r"column_ \+ tileN_ == n_ && ", "",
         CUBE, (MIXED,), least=1),
)
