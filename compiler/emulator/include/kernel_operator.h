// The Ascend C device API, emulated: what a kernel includes.
#pragma once

#include "emulator/allocate.h"
#include "emulator/compound.h"
#include "emulator/cross.h"
#include "emulator/cube.h"
#include "emulator/debug.h"
#include "emulator/gather.h"
#include "emulator/scalar.h"
#include "emulator/sort.h"
#include "emulator/template_tiling.h"
