// Template arguments as tiling keys, on the side of the kernel: declarations say nothing here, because the entry is
// instantiated with the arguments that the launch was given. asc: tiling template programming
#pragma once

#include "emulator/keywords.h"

#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7
#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2
#define ASCENDC_TPL_INPUT(x)
#define ASCENDC_TPL_OUTPUT(x)
#define ASCENDC_TPL_DTYPE_DECL(...)
#define ASCENDC_TPL_DATATYPE_DECL(...)
#define ASCENDC_TPL_FORMAT_DECL(...)
#define ASCENDC_TPL_UINT_DECL(...)
#define ASCENDC_TPL_BOOL_DECL(...)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(...)
#define ASCENDC_TPL_TILING_STRUCT_SEL(...)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...)
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(...)
#define ASCENDC_TPL_ARGS_DECL(...)
#if defined(ASCGRAD_SCAN)  // the preprocessed text keeps which arguments go with which type of kernel
#define ASCENDC_TPL_DTYPE_SEL(...) ascgrad_values(__VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_SEL(...) ascgrad_values(__VA_ARGS__)
#define ASCENDC_TPL_FORMAT_SEL(...) ascgrad_values(__VA_ARGS__)
#define ASCENDC_TPL_UINT_SEL(name, ...) ascgrad_numbers(name, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL(...) ascgrad_values(__VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(type) ascgrad_type(type)
#define ASCENDC_TPL_ARGS_SEL(...) ascgrad_selection(__VA_ARGS__)
#define ASCENDC_TPL_SEL(...) ; __VA_ARGS__;
#else
#define ASCENDC_TPL_DTYPE_SEL(...)
#define ASCENDC_TPL_DATATYPE_SEL(...)
#define ASCENDC_TPL_FORMAT_SEL(...)
#define ASCENDC_TPL_UINT_SEL(...)
#define ASCENDC_TPL_BOOL_SEL(...)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...)
#define ASCENDC_TPL_ARGS_SEL(...)
#define ASCENDC_TPL_SEL(...)
#endif
