// ge::DataType, ge::Format: numbers as in graph/types.h of the toolkit (8.1.RC1 to metadef of August 2026).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ge {

constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;

enum DataType : int {
    DT_FLOAT = 0,
    DT_FLOAT16 = 1,
    DT_INT8 = 2,
    DT_INT32 = 3,
    DT_UINT8 = 4,
    DT_INT16 = 6,
    DT_UINT16 = 7,
    DT_UINT32 = 8,
    DT_INT64 = 9,
    DT_UINT64 = 10,
    DT_DOUBLE = 11,
    DT_BOOL = 12,
    DT_STRING = 13,
    DT_COMPLEX64 = 16,
    DT_COMPLEX128 = 17,
    DT_BF16 = 27,
    DT_UNDEFINED = 28,
    DT_INT4 = 29,
    DT_UINT1 = 30,
    DT_INT2 = 31,
    DT_UINT2 = 32,
    DT_COMPLEX32 = 33,
    DT_HIFLOAT8 = 34,
    DT_FLOAT8_E5M2 = 35,
    DT_FLOAT8_E4M3FN = 36,
    DT_FLOAT8_E8M0 = 37,
    DT_FLOAT6_E3M2 = 38,
    DT_FLOAT6_E2M3 = 39,
    DT_FLOAT4_E2M1 = 40,
    DT_FLOAT4_E1M2 = 41,
    DT_MAX
};

enum Format : int {
    FORMAT_NCHW = 0,
    FORMAT_NHWC = 1,
    FORMAT_ND = 2,
    FORMAT_NC1HWC0 = 3,
    FORMAT_FRACTAL_Z = 4,
    FORMAT_NC1HWC0_C04 = 12,
    FORMAT_HWCN = 16,
    FORMAT_NDHWC = 27,
    FORMAT_FRACTAL_NZ = 29,
    FORMAT_NCDHW = 30,
    FORMAT_NDC1HWC0 = 32,
    FORMAT_FRACTAL_Z_3D = 33,
    FORMAT_NC = 35,
    FORMAT_RESERVED = 40,
    FORMAT_NCL = 47,
    FORMAT_MAX = 0xff,
    FORMAT_NULL = FORMAT_MAX
};

constexpr int kDataTypeSizeBitOffset = 1000;

// Bytes of one element; 1000 + bits for the types below a byte; -1 for those without a size.
inline int GetSizeByDataType(DataType type)
{
    switch (type) {
        case DT_INT8:
        case DT_UINT8:
        case DT_BOOL:
        case DT_HIFLOAT8:
        case DT_FLOAT8_E5M2:
        case DT_FLOAT8_E4M3FN:
        case DT_FLOAT8_E8M0: return 1;
        case DT_FLOAT16:
        case DT_BF16:
        case DT_INT16:
        case DT_UINT16: return 2;
        case DT_FLOAT:
        case DT_INT32:
        case DT_UINT32:
        case DT_COMPLEX32: return 4;
        case DT_INT64:
        case DT_UINT64:
        case DT_DOUBLE:
        case DT_COMPLEX64: return 8;
        case DT_COMPLEX128: return 16;
        case DT_UINT1: return kDataTypeSizeBitOffset + 1;
        case DT_INT2:
        case DT_UINT2: return kDataTypeSizeBitOffset + 2;
        case DT_INT4:
        case DT_FLOAT4_E2M1:
        case DT_FLOAT4_E1M2: return kDataTypeSizeBitOffset + 4;
        case DT_FLOAT6_E3M2:
        case DT_FLOAT6_E2M3: return kDataTypeSizeBitOffset + 6;
        default: return -1;
    }
}

inline const char* DataTypeName(DataType type)
{
    switch (type) {
        case DT_FLOAT: return "DT_FLOAT";
        case DT_FLOAT16: return "DT_FLOAT16";
        case DT_INT8: return "DT_INT8";
        case DT_INT32: return "DT_INT32";
        case DT_UINT8: return "DT_UINT8";
        case DT_INT16: return "DT_INT16";
        case DT_UINT16: return "DT_UINT16";
        case DT_UINT32: return "DT_UINT32";
        case DT_INT64: return "DT_INT64";
        case DT_UINT64: return "DT_UINT64";
        case DT_DOUBLE: return "DT_DOUBLE";
        case DT_BOOL: return "DT_BOOL";
        case DT_STRING: return "DT_STRING";
        case DT_COMPLEX64: return "DT_COMPLEX64";
        case DT_COMPLEX128: return "DT_COMPLEX128";
        case DT_BF16: return "DT_BF16";
        case DT_HIFLOAT8: return "DT_HIFLOAT8";
        case DT_FLOAT8_E5M2: return "DT_FLOAT8_E5M2";
        case DT_FLOAT8_E4M3FN: return "DT_FLOAT8_E4M3FN";
        case DT_FLOAT8_E8M0: return "DT_FLOAT8_E8M0";
        default: return "DT_UNDEFINED";
    }
}

}  // namespace ge
