#pragma once

#include "opdev/common_types.h"

namespace op {

// Formats whose storage differs from the logical order of the dimensions.
inline bool IsPrivateFormat(Format format)
{
    return format == ge::FORMAT_NC1HWC0 || format == ge::FORMAT_FRACTAL_Z || format == ge::FORMAT_NC1HWC0_C04 ||
           format == ge::FORMAT_FRACTAL_NZ || format == ge::FORMAT_NDC1HWC0 || format == ge::FORMAT_FRACTAL_Z_3D;
}
inline Format GetPrimaryFormat(Format format) { return static_cast<Format>(static_cast<uint32_t>(format) & 0xffU); }
ge::AscendString ToString(Format format);
inline Format ToOpFormat(aclFormat format)
{
    return format == ACL_FORMAT_UNDEFINED ? ge::FORMAT_MAX : static_cast<Format>(format);
}
inline aclFormat ToAclFormat(Format format) { return static_cast<aclFormat>(format); }

}  // namespace op
