#pragma once

enum class NpuArch { DAV_1001 = 1001, DAV_2002 = 2002, DAV_2201 = 2201, DAV_3510 = 3510, DAV_RESV = 0xffff };
