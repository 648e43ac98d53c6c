// The Ascend C device API, emulated: what a kernel includes.
#pragma once

#include "emulator/cross.h"
#include "emulator/cube.h"
