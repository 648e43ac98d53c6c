#pragma once

#if defined(__NPU_ARCH__)
#include "emulator/template_tiling.h"
#else
#error "template tiling keys are emulated in kernels, not on the host"
#endif
