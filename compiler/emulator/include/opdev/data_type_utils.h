#pragma once

#include <algorithm>
#include <initializer_list>

#include "opdev/common_types.h"

namespace op {

inline bool CheckType(DataType type, const std::initializer_list<DataType>& valid)
{
    return std::find(valid.begin(), valid.end(), type) != valid.end();
}
inline DataType ToOpDataType(aclDataType type)
{
    return type == ACL_DT_UNDEFINED ? ge::DT_UNDEFINED : static_cast<DataType>(type);
}
inline aclDataType ToAclDataType(DataType type)
{
    return type == ge::DT_UNDEFINED ? ACL_DT_UNDEFINED : static_cast<aclDataType>(type);
}
inline bool IsFloatingType(DataType type)
{
    return CheckType(type, {ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_BF16, ge::DT_DOUBLE});
}
inline bool IsIntegralType(DataType type)
{
    return CheckType(type, {ge::DT_INT8, ge::DT_UINT8, ge::DT_INT16, ge::DT_UINT16, ge::DT_INT32, ge::DT_UINT32,
                            ge::DT_INT64, ge::DT_UINT64});
}
ge::AscendString ToString(const std::initializer_list<DataType>& types);

}  // namespace op
