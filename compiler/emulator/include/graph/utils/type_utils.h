#pragma once

#include <string>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {

class TypeUtils {
public:
    static std::string DataTypeToSerialString(DataType type) { return DataTypeName(type); }
    static AscendString DataTypeToAscendString(const DataType& type) { return AscendString(DataTypeName(type)); }
    static std::string FormatToSerialString(Format format)
    {
        return format == FORMAT_ND ? "ND" : std::to_string(static_cast<int>(format));
    }
    static bool GetDataTypeLength(DataType type, uint32_t& length)
    {
        const int size = GetSizeByDataType(type);
        length = size > 0 ? static_cast<uint32_t>(size) : 0;
        return size > 0;
    }
};

}  // namespace ge
