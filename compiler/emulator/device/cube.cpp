// The cube side.
#include "emulator/entry.h"

namespace emulator {

bool Between(const char* api, const char* field, int64_t value, int64_t low, int64_t high, Site site) {
    if (value < low || value > high) {
        ASCGRAD_REPORT("limit", site, "%s: %s is %lld, %lld to %lld is allowed", api, field, (long long)value, (long long)low,
                       (long long)high);
        return false;
    }
    return true;
}

UnifiedBuffer* Reach(const Tensor& t, uint32_t spaces, uint64_t bytes, int64_t alignment, const char* api,
                     const char* role, Site site) {
    if (!CheckPlace(t, spaces, api, role, site)) {
        return nullptr;
    }
    CheckAlignment(api, t, alignment != 0 ? alignment : Alignment(SpaceOf(t.position)), role, site);
    return FitTensor(t, bytes, api, role, site) == bytes ? Current().local[int(SpaceOf(t.position))] : nullptr;
}

void Nd2Nz(const Tensor& dst, const uint8_t* src, uint64_t elem, const AscendC::Nd2NzParams& p, Site site) {
    const char* const api = "DataCopy(Nd2NzParams)";
    Core& core = Current();
    const Product& product = core.launch.product;
    if (!Between(api, "ndNum", p.ndNum, 0, product.nd2nzMatrices, site) || !Between(api, "nValue", p.nValue, 0, product.nd2nzRows, site) ||
        !Between(api, "dValue", p.dValue, 0, product.nd2nzColumns, site)) {
        return;
    }
    if (p.ndNum == 0 || p.nValue == 0 || p.dValue == 0) {
        return;  // asc: does nothing
    }
    if (!Between(api, "srcDValue", p.srcDValue, 1, product.nd2nzPitch, site) ||
        !Between(api, "dstNzC0Stride", p.dstNzC0Stride, 1, product.nd2nzL1Stride, site) ||
        !Between(api, "dstNzNStride", p.dstNzNStride, 1, product.nd2nzL1Stride, site) ||
        (p.ndNum > 1 && (!Between(api, "srcNdMatrixStride", p.srcNdMatrixStride, 0, product.nd2nzMatrixStride, site) ||
                         !Between(api, "dstNzMatrixStride", p.dstNzMatrixStride, 0, product.nd2nzL1MatrixStride, site)))) {
        return;
    }
    const uint64_t c0 = BLOCK / elem, rows = uint64_t(p.nValue), columns = uint64_t(p.dValue), matrices = uint64_t(p.ndNum);
    const uint64_t blocks = Ceil(columns, c0), c0Step = uint64_t(p.dstNzC0Stride) * BLOCK, rowStep = uint64_t(p.dstNzNStride) * BLOCK;
    const uint64_t nzStep = matrices > 1 ? uint64_t(p.dstNzMatrixStride) * elem : 0, ndStep = matrices > 1 ? uint64_t(p.srcNdMatrixStride) * elem : 0;
    const uint64_t pitch = uint64_t(p.srcDValue) * elem;
    if (nzStep % BLOCK != 0) {
        ASCGRAD_REPORT("alignment", site, "%s: dstNzMatrixStride %lld is %llu bytes, which is no multiple of 32", api,
                       (long long)p.dstNzMatrixStride, (unsigned long long)nzStep);
        return;
    }
    if (blocks > 1 && rows > 1 && c0Step < rowStep * (rows - 1) + BLOCK && rowStep < c0Step * (blocks - 1) + BLOCK) {
        // asc: what is written to L1 must not overlap. Inferred: columns of blocks lie apart, or rows do.
        ASCGRAD_REPORT("overlap", site, "%s: dstNzC0Stride %lld is less than the %lld rows of a column of blocks", api,
                       (long long)p.dstNzC0Stride, (long long)p.nValue);
    }
    const uint64_t to = (matrices - 1) * nzStep + (blocks - 1) * c0Step + (rows - 1) * rowStep + BLOCK;
    const uint64_t from = (matrices - 1) * ndStep + (rows - 1) * pitch + columns * elem;
    UnifiedBuffer* l1 = Reach(dst, Bit(Space::L1), to, 0, api, "dst", site);
    if (uintptr_t(src) % elem != 0) {
        ASCGRAD_REPORT("alignment", site, "%s: the address in global memory is no multiple of the element's %llu bytes", api,
                       (unsigned long long)elem);
    }
    GlobalSpan span = CheckGlobal(src, from, false, api, site, &dst);
    if (l1 == nullptr || !span) {
        return;
    }
    const bool defined = span.range->Defined(src) == nullptr;
    for (uint64_t matrix = 0; core.numbers() && matrix < matrices; ++matrix) {
        for (uint64_t row = 0; row < rows; ++row) {
            const uint8_t* line = src + matrix * ndStep + row * pitch;
            const bool clean = defined || AllBytes(span.range->Defined(line), columns * elem, 0xFF);
            for (uint64_t block = 0; block < blocks; ++block) {
                const uint64_t at = dst.address + matrix * nzStep + block * c0Step + row * rowStep;
                const uint64_t bytes = std::min(c0, columns - block * c0) * elem;
                const uint8_t* part = line + block * BLOCK;
                std::memcpy(l1->data + at, part, bytes);
                // asc: a last block that is not full is filled with zeros; rows up to the next 16 are not written
                std::memset(l1->data + at + bytes, 0, BLOCK - bytes);
                if (l1->track()) {
                    std::memset(l1->shadow + at, 0, BLOCK);
                    if (!clean) {
                        const uint8_t* known = span.range->Defined(part);
                        for (uint64_t i = 0; i < bytes; ++i) {
                            l1->shadow[at + i] = uint8_t(~known[i]);
                            l1->data[at + i] |= uint8_t(~known[i]);
                        }
                    }
                }
            }
        }
    }
    l1->Settle(dst.address, to);
    core.counters.gmRead += matrices * rows * columns * elem;
    core.counters.gmToL1 += matrices * rows * columns * elem;
    Instruction instruction{api, PIPE_MTE2, site, matrices * rows * columns};
    // To the cost model, matrices that follow each other in whole rows are one run of rows, others come close to it.
    instruction.Touch(Space::GM, false, matrices * rows * columns * elem,
                      Pattern(uint64_t(uintptr_t(src)), columns * elem).Times(rows, pitch).Times(matrices, ndStep)).Rows(matrices * rows, ndStep == 0 && matrices > 1 ? 0 : pitch);
    instruction.Touch(Space::L1, true, matrices * rows * blocks * BLOCK,
                      Pattern(dst.address, BLOCK).Times(rows, rowStep).Times(blocks, c0Step).Times(matrices, nzStep));
    core.Issue(instruction);
}

// A square of 16 x 16: one fractal of 16 bits, two of float. Works on values and on what says whether they are defined.
template <class Word>
static void TransposeWords(uint8_t* memory, const uint64_t* dst, const uint8_t* from, const uint64_t* src) {
    constexpr uint64_t c0 = BLOCK / sizeof(Word), parts = 16 / c0;
    Word square[16][16];
    for (uint64_t part = 0; part < parts; ++part) {
        for (uint64_t row = 0; row < 16; ++row) {
            std::memcpy(&square[row][part * c0], from + src[part] + row * BLOCK, BLOCK);
        }
    }
    for (uint64_t part = 0; part < parts; ++part) {
        Word fractal[16][c0];
        for (uint64_t row = 0; row < 16; ++row) {
            for (uint64_t column = 0; column < c0; ++column) {
                fractal[row][column] = square[part * c0 + column][row];
            }
        }
        std::memcpy(memory + dst[part], fractal, FRACTAL);
    }
}

static void TransposeSquare(UnifiedBuffer& to, const uint64_t* dst, const UnifiedBuffer& from, const uint64_t* src, uint64_t elem) {
    if (elem == 2) {
        TransposeWords<uint16_t>(to.data, dst, from.data, src);
    } else {
        TransposeWords<uint32_t>(to.data, dst, from.data, src);
    }
    if (!to.track()) {
        return;
    }
    if (elem == 2) {
        TransposeWords<uint16_t>(to.shadow, dst, from.shadow, src);
    } else {
        TransposeWords<uint32_t>(to.shadow, dst, from.shadow, src);
    }
}

static void CountLoad(Core& core, Space space, uint64_t bytes) {
    (space == Space::L0A ? core.counters.l1ToL0a : core.counters.l1ToL0b) += bytes;
}

// What all loads of fractals do once it is clear which go where.
struct Loading {
    const char* api;
    Site site;
    const Tensor& dst;
    const Tensor& src;
    uint64_t elem;
    UnifiedBuffer* to = nullptr;
    UnifiedBuffer* from = nullptr;
    uint64_t fractals = 0, dstEnd = 0, srcEnd = 0;

    bool Open(uint32_t targets, uint64_t dstFractals, uint64_t srcFractals) {
        dstEnd = dstFractals * FRACTAL;
        srcEnd = srcFractals * FRACTAL;
        to = Reach(dst, targets, dstEnd, 0, api, "dst", site);
        from = Reach(src, Bit(Space::L1), srcEnd, 0, api, "src", site);
        return to != nullptr && from != nullptr;
    }
    void Copy(uint64_t d, uint64_t s) {
        fractals += 1;
        if (!Current().numbers()) {
            return;
        }
        std::memcpy(to->data + dst.address + d * FRACTAL, from->data + src.address + s * FRACTAL, FRACTAL);
        if (to->track()) {
            std::memcpy(to->shadow + dst.address + d * FRACTAL, from->shadow + src.address + s * FRACTAL, FRACTAL);
        }
    }
    void Transpose(uint64_t d0, uint64_t d1, uint64_t s0, uint64_t s1) {
        const uint64_t d[2] = {dst.address + d0 * FRACTAL, dst.address + d1 * FRACTAL};
        const uint64_t s[2] = {src.address + s0 * FRACTAL, src.address + s1 * FRACTAL};
        fractals += elem == 4 ? 2 : 1;
        if (Current().numbers()) {
            TransposeSquare(*to, d, *from, s, elem);
        }
    }
    // Bytes of fractals at `first`, `step` apart.
    static Pattern Fractals(const Tensor& t, uint64_t first, uint64_t run, uint64_t count, uint64_t step) {
        return Pattern(t.address + first * FRACTAL, run * FRACTAL).Times(count, step * FRACTAL);
    }
    void Close(const Pattern& written, const Pattern& read) {
        Core& core = Current();
        to->Settle(dst.address, dstEnd);
        CountLoad(core, SpaceOf(dst.position), fractals * FRACTAL);
        Instruction instruction{api, PIPE_MTE1, site, fractals * FRACTAL / elem};
        instruction.Touch(Space::L1, false, fractals * FRACTAL, read);
        instruction.Touch(SpaceOf(dst.position), true, fractals * FRACTAL, written);
        core.Issue(instruction);
    }
};

void Load2D(const Tensor& dst, const Tensor& src, uint64_t elem, const AscendC::LoadData2DParams& p, Site site) {
    const char* const api = "LoadData";
    if (!Between(api, "startIndex", p.startIndex, 0, 65535, site) || !Between(api, "srcStride", p.srcStride, 0, 65535, site) ||
        !Between(api, "dstGap", p.dstGap, 0, 65535, site) ||
        !Between(api, "repeatTimes", p.repeatTimes, 0, Current().launch.product.loadRepeat, site)) {
        return;
    }
    if (__NPU_ARCH__ == 3510 && (p.startIndex != 0 || p.dstGap != 0)) {
        // asc: dstGap has no effect on 950, in the public headers it has; startIndex is a number of fractals, there of strides
        ASCGRAD_REPORT("api", site, "%s: the documents and the headers of this product differ on startIndex and dstGap, LoadData2DParamsV2 "
                       "is clear", api);
    }
    if (p.ifTranspose && elem != 2) {
        ASCGRAD_REPORT("api", site, "%s: ifTranspose takes elements of 16 bits, LoadDataWithTranspose takes others", api);
        return;
    }
    if (p.addrMode != 0) {
        ASCGRAD_REPORT("api", site, "%s: addrMode is for the path from global memory", api);
    }
    if (p.repeatTimes == 0) {
        return;  // asc: does nothing
    }
    const uint64_t times = uint64_t(p.repeatTimes), start = uint64_t(p.startIndex), srcStep = uint64_t(p.srcStride);
    const uint64_t dstStep = uint64_t(p.dstGap) + 1;
    Loading load{api, site, dst, src, elem};
    if (!load.Open(Bit(Space::L0A) | Bit(Space::L0B), (times - 1) * dstStep + 1, start + (times - 1) * srcStep + 1)) {
        return;
    }
    for (uint64_t i = 0; i < times; ++i) {
        if (p.ifTranspose) {
            load.Transpose(i * dstStep, 0, start + i * srcStep, 0);
        } else {
            load.Copy(i * dstStep, start + i * srcStep);
        }
    }
    load.Close(load.Fractals(dst, 0, 1, times, dstStep), load.Fractals(src, start, 1, times, srcStep));
}

void Load2DV2(const Tensor& dst, const Tensor& src, uint64_t elem, const AscendC::LoadData2DParamsV2& p, Site site) {
    const char* const api = "LoadData(LoadData2DParamsV2)";
    if (__NPU_ARCH__ != 3510) {
        ASCGRAD_REPORT("api", site, "%s: this product does not have it, LoadData2DParams is what it takes", api);
        return;
    }
    const int64_t most = Current().launch.product.loadRepeat;
    if (!Between(api, "mStep", p.mStep, 0, most, site) || !Between(api, "kStep", p.kStep, 0, most, site) ||
        !Between(api, "mStartPosition", p.mStartPosition, 0, 0xffffffffll, site) ||
        !Between(api, "kStartPosition", p.kStartPosition, 0, 0xffffffffll, site) ||
        !Between(api, "srcStride", p.srcStride, 0, 32767, site) || !Between(api, "dstStride", p.dstStride, 0, 65535, site)) {
        return;
    }
    if (p.mStep == 0 || p.kStep == 0) {
        return;  // asc: does nothing
    }
    if (p.ifTranspose && elem == 4 && p.kStep % 2 != 0) {
        ASCGRAD_REPORT("limit", site, "%s: kStep is %lld, transposing elements of 32 bits takes a multiple of 2", api, (long long)p.kStep);
        return;
    }
    const uint64_t ms = uint64_t(p.mStep), ks = uint64_t(p.kStep), srcStride = uint64_t(p.srcStride), dstStride = uint64_t(p.dstStride);
    const uint64_t start = uint64_t(p.kStartPosition) * srcStride + uint64_t(p.mStartPosition);
    const uint64_t parts = elem == 4 ? 2 : 1;
    // What a step of the source makes in the target: for transposed float two blocks of K from one of M, and the reverse.
    const uint64_t dstM = p.ifTranspose ? ks / parts : ms, dstK = p.ifTranspose ? ms * parts : ks;
    if (dstK > 1 && dstStride < dstM) {
        ASCGRAD_REPORT("overlap", site, "%s: dstStride %lld is less than the %llu fractals of a column of blocks", api,
                       (long long)p.dstStride, (unsigned long long)dstM);
    }
    Loading load{api, site, dst, src, elem};
    if (!load.Open(Bit(Space::L0A) | Bit(Space::L0B), (dstK - 1) * dstStride + dstM, start + (ks - 1) * srcStride + ms)) {
        return;
    }
    for (uint64_t k = 0; k < ks; k += p.ifTranspose ? parts : 1) {
        for (uint64_t m = 0; m < ms; ++m) {
            const uint64_t s = start + k * srcStride + m;
            if (!p.ifTranspose) {
                load.Copy(k * dstStride + m, s);
            } else if (elem == 2) {
                load.Transpose(m * dstStride + k, 0, s, 0);
            } else {
                load.Transpose(2 * m * dstStride + k / 2, (2 * m + 1) * dstStride + k / 2, s, s + srcStride);
            }
        }
    }
    load.Close(load.Fractals(dst, 0, dstM, dstK, dstStride), load.Fractals(src, start, ms, ks, srcStride));
}

void LoadTransposed(const Tensor& dst, const Tensor& src, uint64_t elem, const AscendC::LoadData2dTransposeParams& p,
                    Site site) {
    const char* const api = "LoadDataWithTranspose";
    if (!Between(api, "startIndex", p.startIndex, 0, 65535, site) || !Between(api, "srcStride", p.srcStride, 0, 65535, site) ||
        !Between(api, "dstGap", p.dstGap, 0, 65535, site) || !Between(api, "dstFracGap", p.dstFracGap, 0, 65535, site) ||
        !Between(api, "repeatTimes", p.repeatTimes, 0, Current().launch.product.loadRepeat, site) || p.repeatTimes == 0) {
        return;
    }
    if (__NPU_ARCH__ == 3510 && SpaceOf(dst.position) == Space::L0A) {
        ASCGRAD_REPORT("api", site, "%s: this product has no path to L0A", api);
        return;
    }
    const uint64_t parts = elem == 4 ? 2 : 1, times = uint64_t(p.repeatTimes), start = uint64_t(p.startIndex) * parts;
    const uint64_t srcStep = uint64_t(p.srcStride) * parts, dstStep = uint64_t(p.dstGap) + 1;
    const uint64_t partStep = parts > 1 ? uint64_t(p.dstFracGap) + 1 : 0;
    Loading load{api, site, dst, src, elem};
    if (!load.Open(Bit(Space::L0A) | Bit(Space::L0B), (times - 1) * dstStep + partStep + 1, start + (times - 1) * srcStep + parts)) {
        return;
    }
    for (uint64_t i = 0; i < times; ++i) {
        load.Transpose(i * dstStep, i * dstStep + partStep, start + i * srcStep, start + i * srcStep + 1);
    }
    load.Close(load.Fractals(dst, 0, 1, parts, partStep).Times(times, dstStep * FRACTAL), load.Fractals(src, start, parts, times, srcStep));
}

void FillLocal(const char* api, const Tensor& dst, uint64_t elem, uint64_t pattern, int64_t repeat, int64_t blocks, int64_t gap, Site site) {
    if (!Between(api, "repeatTimes", repeat, 0, 32767, site) || !Between(api, "blockNum", blocks, 0, 32767, site) ||
        !Between(api, "dstGap", gap, 0, 32767, site) || repeat == 0 || blocks == 0) {
        return;
    }
    const bool l1 = SpaceOf(dst.position) == Space::L1;
    const uint64_t unit = l1 ? BLOCK : FRACTAL, bytes = uint64_t(blocks) * unit, step = bytes + uint64_t(gap) * unit;
    const uint64_t end = (uint64_t(repeat) - 1) * step + bytes;
    UnifiedBuffer* to = Reach(dst, Bit(Space::L1) | (__NPU_ARCH__ == 2201 ? Bit(Space::L0A) | Bit(Space::L0B) : 0), end, 0, api, "dst", site);
    if (to == nullptr) {
        return;
    }
    for (uint64_t i = 0; i < uint64_t(repeat); ++i) {
        uint8_t* at = to->data + dst.address + i * step;
        for (uint64_t k = 0; k < bytes; k += elem) {
            std::memcpy(at + k, &pattern, elem);
        }
        to->Define(dst.address + i * step, bytes);
    }
    Instruction instruction{api, l1 ? PIPE_MTE2 : PIPE_MTE1, site, uint64_t(repeat) * bytes / elem};
    instruction.Touch(SpaceOf(dst.position), true, uint64_t(repeat) * bytes, Pattern(dst.address, bytes).Times(uint64_t(repeat), step));
    Current().Issue(instruction);
}

// c += a * b, row-major, rows of a multiple of 16 columns. Order of the sums, from the documents' model of Mmad (its
// mmad example): for each C0 elements of k the products are added up, then that sum is added to c. Inferred: inside a
// group products are added one after the other in the order of k, in float; products of 16-bit operands are exact in it.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
static void MultiplyAdd(float* c, const float* a, const float* b, uint64_t m, uint64_t n, uint64_t k, uint64_t c0) {
    typedef float Lanes __attribute__((vector_size(32)));
    constexpr uint64_t LANES = 8, WIDE = 8;
    for (uint64_t i = 0; i < m; ++i) {
        for (uint64_t j = 0; j < n;) {
            const uint64_t width = n - j >= WIDE * LANES ? WIDE : 2;
            float* out = c + i * n + j;
            for (uint64_t group = 0; group < k; group += c0) {
                const uint64_t end = group + c0 < k ? group + c0 : k;
                const float* row = b + group * n + j;
                if (width == WIDE) {
                    Lanes s[WIDE] = {};
                    for (uint64_t l = group; l < end; ++l, row += n) {
                        const float x = a[i * k + l];
                        for (uint64_t w = 0; w < WIDE; ++w) {
                            Lanes y;
                            __builtin_memcpy(&y, row + w * LANES, sizeof(y));
                            s[w] += x * y;
                        }
                    }
                    for (uint64_t w = 0; w < WIDE; ++w) {
                        Lanes y;
                        __builtin_memcpy(&y, out + w * LANES, sizeof(y));
                        y += s[w];
                        __builtin_memcpy(out + w * LANES, &y, sizeof(y));
                    }
                } else {
                    Lanes s0 = {}, s1 = {};
                    for (uint64_t l = group; l < end; ++l, row += n) {
                        const float x = a[i * k + l];
                        Lanes y0, y1;
                        __builtin_memcpy(&y0, row, sizeof(y0));
                        __builtin_memcpy(&y1, row + LANES, sizeof(y1));
                        s0 += x * y0;
                        s1 += x * y1;
                    }
                    for (uint64_t w = 0; w < LANES; ++w) {
                        out[w] += s0[w];
                        out[LANES + w] += s1[w];
                    }
                }
            }
            j += width * LANES;
        }
    }
}

static void ToFloats(DType type, const uint8_t* from, float* to, uint64_t count) {
    if (type == DType::F32) {
        std::memcpy(to, from, count * 4);
        return;
    }
    for (uint64_t i = 0; i < count; ++i) {
        uint16_t bits;
        std::memcpy(&bits, from + 2 * i, 2);
        to[i] = type == DType::F16 ? HalfToFloat(bits) : BfloatToFloat(bits);
    }
}

// Rows of 32 bytes in L0A or L0B as rows of floats of `pitch`: `rows` x `columns` are used, blocks (r, c) at
// r * rowStep + c * columnStep fractals. Reports the first element that is used and not defined.
static void Unpack(const UnifiedBuffer& memory, const Tensor& t, DType type, uint64_t rows, uint64_t columns, uint64_t rowStep,
            uint64_t columnStep, uint64_t bytes, float* to, uint64_t pitch, const char* role, const char* axes, Site site) {
    const uint64_t elem = type == DType::F32 ? 4 : 2, c0 = BLOCK / elem;
    const bool clean = memory.Clean(t.address, bytes);
    bool told = false;
    for (uint64_t r = 0; r < rows; ++r) {
        for (uint64_t c = 0; c < columns; c += c0) {
            const uint64_t at = t.address + (r / 16 * rowStep + c / c0 * columnStep) * FRACTAL + r % 16 * BLOCK;
            const uint64_t count = std::min(c0, columns - c);
            if (!clean && !told && !AllBytes(memory.shadow + at, count * elem, 0)) {
                uint64_t bad = 0;
                while (memory.shadow[at + bad] == 0) {
                    ++bad;
                }
                ASCGRAD_REPORT("poison", site, "Mmad: %s holds no defined value at %c %llu, %c %llu%s", role, axes[0],
                               (unsigned long long)r, axes[1], (unsigned long long)(c + bad / elem), Whose(t).c_str());
                told = true;
            }
            ToFloats(type, memory.data + at, to + r * pitch + c, count);
        }
    }
}

static std::vector<float>& Scratch(int which) {
    static std::vector<float> scratch[4];
    return scratch[which];
}

void Multiply(const Tensor& dst, const Tensor& fm, const Tensor& filter, const Tensor* bias, DType type,
              const AscendC::MmadParams& p, Site site) {
    const char* const api = "Mmad";
    Core& core = Current();
    const Product& product = core.launch.product;
    if (!Between(api, "m", p.m, 0, product.mmadSize, site) || !Between(api, "n", p.n, 0, product.mmadSize, site) ||
        !Between(api, "k", p.k, 0, product.mmadSize, site)) {
        return;
    }
    if (p.unitFlag != 0 && p.unitFlag != 2 && p.unitFlag != 3) {
        ASCGRAD_REPORT("limit", site, "%s: unitFlag is %lld, 0, 2 or 3 is allowed", api, (long long)p.unitFlag);
    }
    if (p.m == 0 || p.n == 0 || p.k == 0) {
        return;  // asc: does nothing
    }
    if (bias == nullptr && p.cmatrixSource && !p.cmatrixInitVal) {
        ASCGRAD_REPORT("api", site, "%s: cmatrixSource without a bias tensor is not emulated", api);
        return;
    }
    if (p.kDirectionAlign && (type != DType::F32 || __NPU_ARCH__ == 3510)) {
        ASCGRAD_REPORT("limit", site, "%s: kDirectionAlign is for float on Atlas A2 and A3", api);
    }
    const uint64_t m = uint64_t(p.m), n = uint64_t(p.n), k = uint64_t(p.k), elem = type == DType::F32 ? 4 : 2, c0 = BLOCK / elem;
    const uint64_t m1 = Ceil(m, 16), n1 = Ceil(n, 16), n16 = n1 * 16;
    const uint64_t k1 = p.kDirectionAlign ? Ceil(k, 16) * (16 / c0) : Ceil(k, c0);
    // asc: GEMV; a single row is read as a vector, not as fractals
#if __NPU_ARCH__ == 3510
    const bool vector = m == 1 && !p.disableGemv;
#else
    const bool vector = m == 1;
#endif
    const uint64_t aBytes = vector ? Ceil(k * elem, FRACTAL) * FRACTAL : m1 * k1 * FRACTAL, bBytes = Ceil(k, c0) * n1 * FRACTAL;
    const uint64_t cBytes = m1 * n1 * C_FRACTAL;
    UnifiedBuffer* c = Reach(dst, Bit(Space::L0C), cBytes, product.l0cMmadAlignment, api, "dst", site);
    UnifiedBuffer* a = Reach(fm, Bit(Space::L0A), aBytes, 0, api, "fm", site);
    UnifiedBuffer* b = Reach(filter, Bit(Space::L0B), bBytes, 0, api, "filter", site);
    UnifiedBuffer* extra = bias != nullptr ? Reach(*bias, Bit(Space::BT), n * 4, 0, api, "bias", site) : nullptr;
    if (c == nullptr || a == nullptr || b == nullptr || (bias != nullptr && extra == nullptr)) {
        return;
    }

    const bool accumulate = bias == nullptr && !p.cmatrixInitVal;
    if (core.numbers()) {
        std::vector<float>&left = Scratch(0), &packed = Scratch(1), &right = Scratch(2), &sums = Scratch(3);
        left.assign(m * k, 0);
        if (vector) {
            if (!a->Clean(fm.address, k * elem)) {
                ASCGRAD_REPORT("poison", site, "%s: fm holds no defined value in the %llu elements that m = 1 reads as a vector%s", api,
                               (unsigned long long)k, Whose(fm).c_str());
            }
            ToFloats(type, a->data + fm.address, left.data(), k);
        } else {
            const bool zz = __NPU_ARCH__ == 2201;
            Unpack(*a, fm, type, m, k, zz ? k1 : 1, zz ? 1 : m1, aBytes, left.data(), k, "fm", "mk", site);
        }
        // L0B holds columns of 32 bytes: the transposed matrix.
        packed.assign(n * k, 0);
        Unpack(*b, filter, type, n, k, 1, n1, bBytes, packed.data(), k, "filter", "nk", site);
        right.assign(k * n16, 0);
        for (uint64_t j0 = 0; j0 < n; j0 += 16) {
            const uint64_t j1 = std::min(j0 + 16, n);
            for (uint64_t l = 0; l < k; ++l) {
                for (uint64_t j = j0; j < j1; ++j) {
                    right[l * n16 + j] = packed[j * k + l];
                }
            }
        }

        sums.assign(m * n16, 0);
        if (extra != nullptr) {
            if (!extra->Clean(bias->address, n * 4)) {
                ASCGRAD_REPORT("poison", site, "%s: bias holds no defined value%s", api, Whose(*bias).c_str());
            }
            for (uint64_t i = 0; i < m; ++i) {
                std::memcpy(sums.data() + i * n16, extra->data + bias->address, n * 4);
            }
        } else if (accumulate) {
            // asc: synchronisation of consecutive Mmad; small products do not wait for the one before
            if (core.mmadAddress == dst.address && (m / 16) * (n / 16) < 10) {
                ASCGRAD_REPORT("order", site, "%s: it adds to the result of the Mmad before, (m / 16) * (n / 16) is %llu: below 10 "
                               "PipeBarrier<PIPE_M> has to come between", api, (unsigned long long)((m / 16) * (n / 16)));
            }
            const bool clean = c->Clean(dst.address, cBytes);
            bool told = false;
            for (uint64_t i = 0; i < m; ++i) {
                for (uint64_t j = 0; j < n; j += 16) {
                    const uint64_t at = dst.address + (j / 16 * m1 * 16 + i) * C_ROW, bytes = std::min<uint64_t>(16, n - j) * 4;
                    if (!clean && !told && !AllBytes(c->shadow + at, bytes, 0)) {
                        ASCGRAD_REPORT("poison", site, "%s: dst, which is added to, holds no defined value at m %llu, n %llu%s", api,
                                       (unsigned long long)i, (unsigned long long)j, Whose(dst).c_str());
                        told = true;
                    }
                    std::memcpy(sums.data() + i * n16 + j, c->data + at, bytes);
                }
            }
        }
        MultiplyAdd(sums.data(), left.data(), right.data(), m, n16, k, c0);

        // Inferred: of the fractals only the m x n elements are of use, what else they hold is not defined.
        for (uint64_t i = 0; i < m1 * 16; ++i) {
            for (uint64_t j = 0; j < n16; j += 16) {
                const uint64_t at = dst.address + (j / 16 * m1 * 16 + i) * C_ROW;
                const uint64_t bytes = i < m ? std::min<uint64_t>(16, n - j) * 4 : 0;
                std::memcpy(c->data + at, sums.data() + i * n16 + j, bytes);
                std::memset(c->data + at + bytes, POISON, C_ROW - bytes);
                if (c->track()) {
                    std::memset(c->shadow + at, 0, bytes);
                    std::memset(c->shadow + at + bytes, POISON, C_ROW - bytes);
                }
            }
        }
        c->Settle(dst.address, cBytes);
    }

    // asc: UnitFlag; a result waits for Fixpipe from unitFlag 3 on, and such a place cannot be written
    for (uint64_t unit = dst.address / C_FRACTAL; unit < (dst.address + cBytes) / C_FRACTAL && unit < sizeof(core.unitFlags); ++unit) {
        if (p.unitFlag != 0 && core.unitFlags[unit] != 0) {
            ASCGRAD_REPORT("sync", site, "%s: with unitFlag it would wait for ever for a Fixpipe with unitFlag 3 of the result before", api);
        }
        if (p.unitFlag == 3) {
            core.unitFlags[unit] = 1;
            core.unitSite = site;
        }
    }
    core.mmadAddress = dst.address;
    core.counters.cubeMacs += m * n * k;
    Instruction instruction{api, PIPE_M, site, m * n * k};
    instruction.amount = (vector ? 1 : m1 * 16) * n16 * Ceil(k, c0) * c0;
    instruction.width = uint8_t(elem);
    instruction.Touch(Space::L0A, false, fm.address, aBytes);
    instruction.Touch(Space::L0B, false, filter.address, bBytes);
    if (accumulate) {
        instruction.Touch(Space::L0C, false, dst.address, cBytes);
    }
    instruction.Touch(Space::L0C, true, dst.address, cBytes);
    if (extra != nullptr) {
        instruction.Touch(Space::BT, false, bias->address, n * 4);
    }
    instruction.unitFlag = p.unitFlag != 0;
    core.Issue(instruction);
}

bool CheckFixpipe(const Fixing& f, int64_t n, int64_t m, int64_t srcStride, int64_t dstStride, int64_t matrices,
                  QuantMode_t quant, bool split) {
    const char* const api = "Fixpipe";
    const Product& product = Current().launch.product;
    const bool nd = f.layout == AscendC::CO2Layout::ROW_MAJOR;
    if (f.layout == AscendC::CO2Layout::COLUMN_MAJOR || split) {
        ASCGRAD_REPORT("api", f.site, "%s: %s is not emulated", api, split ? "isChannelSplit" : "CFG_COLUMN_MAJOR");
        return false;
    }
    if (!Between(api, "nSize", n, 0, product.fixpipeColumns, f.site) ||
        !Between(api, "mSize", m, 0, nd ? product.fixpipeRowsNd : product.fixpipeRows, f.site) ||
        !Between(api, "srcStride", srcStride, 0, 65535, f.site) || !Between(api, "dstStride", dstStride, 1, 0xffffffffll, f.site) ||
        !Between(api, "ndNum", matrices, 0, 65535, f.site)) {
        return false;
    }
    if (!nd && n % 16 != 0) {
        ASCGRAD_REPORT("limit", f.site, "%s: nSize is %lld, NZ takes a multiple of 16", api, (long long)n);
        return false;
    }
    const QuantMode_t wanted = f.type == DType::F32 ? QuantMode_t::NoQuant : f.type == DType::F16 ? QuantMode_t::F322F16 : QuantMode_t::F322BF16;
    if (quant != wanted) {
        ASCGRAD_REPORT("api", f.site, "%s: quantPre has to be %s for a destination of %s", api,
                       f.type == DType::F32 ? "NoQuant" : f.type == DType::F16 ? "F322F16" : "F322BF16", Name(f.type));
    }
    if (f.unitFlag != 0 && f.unitFlag != 2 && f.unitFlag != 3) {
        ASCGRAD_REPORT("limit", f.site, "%s: unitFlag is %lld, 0, 2 or 3 is allowed", api, (long long)f.unitFlag);
    }
    return n != 0 && m != 0 && matrices != 0;
}

// Bytes from the first to the last one that goes to a destination with `m` rows and `n` columns.
static uint64_t FixpipeExtent(const Fixing& f, uint64_t m, uint64_t n) {
    return f.layout == AscendC::CO2Layout::NZ ? (n / 16 - 1) * f.dstStep + m * 16 * f.elem()
                                              : (f.matrices - 1) * f.dstMatrix + (m - 1) * f.dstStep + n * f.elem();
}

// Hands each run of elements to store(row, column, offset in bytes, data, shadow, bytes).
template <class Store>
static void EachRun(const Fixing& f, const UnifiedBuffer& c, uint64_t address, Store store) {
    if (!Current().numbers()) {
        return;
    }
    const bool nz = f.layout == AscendC::CO2Layout::NZ;
    const uint64_t elem = f.elem(), run = nz ? 16 : f.n;
    std::vector<float> values(f.n);
    std::vector<uint8_t> poison(f.n * 4), data(f.n * elem), shadow(f.n * elem);
    for (uint64_t matrix = 0; matrix < f.matrices; ++matrix) {
        for (uint64_t i = 0; i < f.m; ++i) {
            bool clean = true;
            for (uint64_t j = 0; j < f.n; j += 16) {
                const uint64_t at = address + matrix * f.srcMatrix + j / 16 * f.srcStep + i * C_ROW;
                const uint64_t bytes = std::min<uint64_t>(16, f.n - j) * 4;
                std::memcpy(values.data() + j, c.data + at, bytes);
                std::memcpy(poison.data() + j * 4, c.shadow + at, bytes);
                clean = clean && AllBytes(c.shadow + at, bytes, 0);
            }
            if (f.relu) {
                for (float& value : values) {
                    value = value > 0 ? value : value != value ? value : 0.0f;
                }
            }
            // asc: F322F16 and F322BF16 round as CAST_RINT
            for (uint64_t j = 0; j < f.n; ++j) {
                if (f.type == DType::F32) {
                    std::memcpy(data.data() + j * 4, &values[j], 4);
                } else {
                    const uint16_t bits = f.type == DType::F16 ? FloatToHalf(values[j]) : FloatToBfloat(values[j]);
                    std::memcpy(data.data() + j * 2, &bits, 2);
                }
            }
            std::memset(shadow.data(), 0, shadow.size());
            for (uint64_t j = 0; !clean && j < f.n; ++j) {
                if (!AllBytes(poison.data() + j * 4, 4, 0)) {
                    std::memset(shadow.data() + j * elem, POISON, elem);
                    std::memset(data.data() + j * elem, POISON, elem);
                }
            }
            for (uint64_t j = 0; j < f.n; j += run) {
                const uint64_t offset = nz ? j / 16 * f.dstStep + i * 16 * elem : matrix * f.dstMatrix + i * f.dstStep;
                store(i, j, offset, data.data() + j * elem, clean ? nullptr : shadow.data() + j * elem, run * elem);
            }
        }
    }
}

static UnifiedBuffer* OpenFixpipe(const Fixing& f, const Tensor& src, uint64_t* srcEnd) {
    *srcEnd = (f.matrices - 1) * f.srcMatrix + (Ceil(f.n, 16) - 1) * f.srcStep + f.m * C_ROW;
    if (f.n > 16 && f.srcStep < f.m * C_ROW) {
        ASCGRAD_REPORT("overlap", f.site, "Fixpipe: srcStride is %llu, it has to be at least mSize, %llu, rounded up to 16",
                       (unsigned long long)(f.srcStep / C_ROW), (unsigned long long)f.m);
    }
    const uint64_t rows = f.dual == 1 ? f.m / 2 : f.m, columns = f.dual == 2 ? f.n / 2 : f.n;
    const uint64_t row = f.layout == AscendC::CO2Layout::NZ ? rows * 16 * f.elem() : columns * f.elem();
    if (f.layout == AscendC::CO2Layout::NZ ? columns > 16 && f.dstStep < row : rows > 1 && f.dstStep < row) {
        ASCGRAD_REPORT("overlap", f.site, "Fixpipe: dstStride is %llu bytes, less than the %llu that are written", (unsigned long long)f.dstStep,
                       (unsigned long long)row);
    }
    return Reach(src, Bit(Space::L0C), *srcEnd, 0, "Fixpipe", "src", f.site);
}

// The bytes that go to a destination with `m` rows and `n` columns.
static Pattern FixpipeBytes(const Fixing& f, uint64_t address, uint64_t m, uint64_t n) {
    return f.layout == AscendC::CO2Layout::NZ ? Pattern(address, m * 16 * f.elem()).Times(n / 16, f.dstStep)
                                              : Pattern(address, n * f.elem()).Times(m, f.dstStep).Times(f.matrices, f.dstMatrix);
}

// `owners`: whose memory is written, where it is not this core's.
static void CloseFixpipe(const Fixing& f, const Tensor& src, uint64_t srcEnd, uint64_t& path, Space to, const Pattern& written,
                  const std::vector<Core*>& owners) {
    Core& core = Current();
    const uint64_t bytes = f.matrices * f.m * f.n * f.elem();
    path += bytes;
    if (f.unitFlag != 0) {
        const uint64_t first = src.address / C_FRACTAL, last = (src.address + srcEnd - 1) / C_FRACTAL;
        for (uint64_t unit = first; unit <= last && unit < sizeof(core.unitFlags); ++unit) {
            if (core.unitFlags[unit] == 0) {
                ASCGRAD_REPORT("sync", f.site, "Fixpipe: with unitFlag it would wait for ever for a Mmad with unitFlag 3");
                break;
            }
            if (f.unitFlag == 3) {
                core.unitFlags[unit] = 0;
            }
        }
    }
    Instruction instruction{"Fixpipe", PIPE_FIX, f.site, f.matrices * f.m * f.n};
    instruction.Touch(Space::L0C, false, f.matrices * f.m * f.n * 4,
                      Pattern(src.address, f.m * C_ROW).Times(Ceil(f.n, 16), f.srcStep).Times(f.matrices, f.srcMatrix));
    for (Core* owner : owners) {
        Access& access = instruction.Touch(to, true, bytes / owners.size(), written);
        access.owner = owner;
        // To the cost model rows of the matrix; NZ has rows of 16 elements that follow each other.
        access.Rows(f.layout == AscendC::CO2Layout::NZ ? f.n / 16 : f.matrices * f.m, f.dstStep);
        access.kind = f.atomic != nullptr && to == Space::GM ? AccessKind::Add : AccessKind::Write;
    }
    instruction.unitFlag = f.unitFlag != 0;
    core.Issue(instruction);
}

void FixpipeToGlobal(const Fixing& f, uint8_t* dst, const Tensor& src) {
    Core& core = Current();
    uint64_t srcEnd = 0;
    UnifiedBuffer* c = OpenFixpipe(f, src, &srcEnd);
    if (f.layout == AscendC::CO2Layout::NZ ? uintptr_t(dst) % BLOCK != 0 : uintptr_t(dst) % f.elem() != 0) {
        ASCGRAD_REPORT("alignment", f.site, "Fixpipe: the address in global memory is no multiple of %llu bytes",
                       (unsigned long long)(f.layout == AscendC::CO2Layout::NZ ? BLOCK : f.elem()));
    }
    const uint64_t dstEnd = FixpipeExtent(f, f.m, f.n);
    GlobalSpan span = CheckGlobal(dst, dstEnd, true, "Fixpipe", f.site, &src);
    if (c == nullptr || !span) {
        return;
    }
    EachRun(f, *c, src.address, [&](uint64_t row, uint64_t column, uint64_t offset, const uint8_t* data, const uint8_t* shadow, uint64_t bytes) {
        uint8_t* to = dst + offset;
        uint8_t* defined = span.range->Defined(to);
        if (shadow != nullptr && !AllBytes(shadow, bytes, 0)) {
            uint64_t bad = 0;
            while (shadow[bad] == 0) {
                ++bad;
            }
            ASCGRAD_REPORT("poison", f.site, "Fixpipe stores m %llu, n %llu to %s, which holds no defined value%s", (unsigned long long)row,
                           (unsigned long long)(column + bad / f.elem()), span.range->range->name.c_str(), Whose(src).c_str());
        }
        if (f.atomic != nullptr) {
            if (defined != nullptr && !AllBytes(defined, bytes, 0xFF)) {
                ASCGRAD_REPORT("poison", f.site, "Fixpipe adds to %s, which holds no defined value there", span.range->range->name.c_str());
            }
            f.atomic(to, data, bytes);
        } else {
            std::memcpy(to, data, bytes);
        }
        if (defined != nullptr && shadow == nullptr) {
            std::memset(defined, 0xFF, bytes);
        }
        for (uint64_t i = 0; defined != nullptr && shadow != nullptr && i < bytes; ++i) {
            defined[i] = uint8_t(~shadow[i]);
        }
    });
    core.counters.gmWrite += f.matrices * f.m * f.n * f.elem();
    CloseFixpipe(f, src, srcEnd, core.counters.l0cToGm, Space::GM, FixpipeBytes(f, uint64_t(uintptr_t(dst)), f.m, f.n), {&core});
}

void FixpipeToLocal(const Fixing& f, const Tensor& dst, const Tensor& src, bool toUb, int subBlock) {
    const char* const api = "Fixpipe";
    Core& core = Current();
    const Space space = SpaceOf(dst.position);
    if (!CheckUse(dst, api, "dst", f.site)) {
        return;
    }
    if (space != Space::L1 && (space != Space::UB || __NPU_ARCH__ != 3510)) {
        ASCGRAD_REPORT("position", f.site, "%s: there is no path from L0C to %s on this product", api, Name(space));
        return;
    }
    if (toUb != (space == Space::UB)) {
        ASCGRAD_REPORT("api", f.site, "%s: isToUB of the configuration has to say whether dst is in the unified buffer, which it is%s", api,
                       space == Space::UB ? "" : " not");
    }
    if (space == Space::L1 && f.type == DType::F32) {
        // asc: Fixpipe to L1 takes no NoQuant on 2201; the table of 950 has float
        if (__NPU_ARCH__ == 2201) {
            ASCGRAD_REPORT("api", f.site, "%s: L0C to L1 takes no float on this product", api);
            return;
        }
    }
    if (space == Space::L1 && f.layout == AscendC::CO2Layout::ROW_MAJOR && __NPU_ARCH__ == 2201) {
        ASCGRAD_REPORT("api", f.site, "%s: CFG_ROW_MAJOR has no effect on the way to L1 on this product, CFG_NZ is what it does", api);
    }
    if (f.layout == AscendC::CO2Layout::ROW_MAJOR && f.n * f.elem() % BLOCK != 0) {
        // public headers: check of nSize for local destinations
        ASCGRAD_REPORT("alignment", f.site, "%s: a row of %llu elements is no multiple of 32 bytes", api, (unsigned long long)f.n);
        return;
    }
    if (f.dual != 0 && (space != Space::UB || f.dual > 2 || f.type != DType::F32 || f.relu || (f.dual == 1 ? f.m % 2 != 0 : f.n % 32 != 0))) {
        ASCGRAD_REPORT("limit", f.site, "%s: dualDstCtl %lld takes float to the unified buffer without ReLU, 1 an even mSize, 2 a multiple "
                       "of 32 as nSize", api, (long long)f.dual);
        return;
    }
    uint64_t srcEnd = 0;
    UnifiedBuffer* c = OpenFixpipe(f, src, &srcEnd);
    CheckAlignment(api, dst, Alignment(space), "dst", f.site);
    const uint64_t rows = f.dual == 1 ? f.m / 2 : f.m, columns = f.dual == 2 ? f.n / 2 : f.n;
    const uint64_t dstEnd = FixpipeExtent(f, rows, columns);
    if (c == nullptr || FitTensor(dst, dstEnd, api, "dst", f.site) != dstEnd) {
        return;
    }
    UnifiedBuffer* targets[2] = {};
    std::vector<Core*> owners;
    for (int i = 0; i < (f.dual != 0 ? 2 : 1); ++i) {
        Core* owner = space == Space::L1 ? &core : core.vector[f.dual != 0 ? i : subBlock];
        if (owner == nullptr) {
            ASCGRAD_REPORT("api", f.site, "%s: the group has no such vector core", api);
            return;
        }
        owners.push_back(owner);
        targets[i] = owner->local[int(space)];
    }
    auto write = [&](UnifiedBuffer& to, uint64_t offset, const uint8_t* data, const uint8_t* shadow, uint64_t bytes) {
        const uint64_t at = dst.address + offset;
        std::memcpy(to.data + at, data, bytes);
        if (shadow == nullptr) {
            to.Define(at, bytes);
        } else if (to.track()) {
            std::memcpy(to.shadow + at, shadow, bytes);
            to.MarkDirty(at, bytes);
        }
    };
    const bool nz = f.layout == AscendC::CO2Layout::NZ;
    const uint64_t half = columns * f.elem();
    EachRun(f, *c, src.address, [&](uint64_t row, uint64_t column, uint64_t offset, const uint8_t* data, const uint8_t* shadow, uint64_t bytes) {
        if (f.dual == 1 && row >= rows) {
            write(*targets[1], offset - rows * (nz ? 16 * f.elem() : f.dstStep), data, shadow, bytes);
        } else if (f.dual == 2 && !nz) {
            write(*targets[0], offset, data, shadow, half);
            write(*targets[1], offset, data + half, shadow != nullptr ? shadow + half : nullptr, half);
        } else if (f.dual == 2 && column >= columns) {
            write(*targets[1], offset - columns / 16 * f.dstStep, data, shadow, bytes);
        } else {
            write(*targets[0], offset, data, shadow, bytes);
        }
    });
    CloseFixpipe(f, src, srcEnd, space == Space::L1 ? core.counters.l0cToL1 : core.counters.l0cToUb, space,
                 FixpipeBytes(f, dst.address, rows, columns), owners);
}

bool FixpipeOf(Fixing& f, const AscendC::FixpipeParamsV220& p) {
    if (!CheckFixpipe(f, p.nSize, p.mSize, p.srcStride, p.dstStride, p.ndNum, p.quantPre, p.isChannelSplit)) {
        return false;
    }
    const bool nd = f.layout == AscendC::CO2Layout::ROW_MAJOR;
    if (nd && p.ndNum > 1 && (!Between("Fixpipe", "srcNdStride", p.srcNdStride, 1, 512, f.site) ||
                              !Between("Fixpipe", "dstNdStride", p.dstNdStride, 1, 65535, f.site))) {
        return false;
    }
    f.n = uint64_t(p.nSize), f.m = uint64_t(p.mSize), f.srcStep = uint64_t(p.srcStride) * C_ROW;
    // asc: FixpipeParamsV220; elements for ND, data blocks for NZ
    f.dstStep = uint64_t(p.dstStride) * (nd ? f.elem() : BLOCK);
    f.matrices = nd ? uint64_t(p.ndNum) : 1;
    f.srcMatrix = uint64_t(p.srcNdStride) * C_FRACTAL, f.dstMatrix = uint64_t(p.dstNdStride) * f.elem();
    f.relu = p.reluEn;
    return true;
}

}  // namespace emulator
