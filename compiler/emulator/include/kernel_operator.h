// The Ascend C device API, emulated: what a kernel includes.
#pragma once

#include "emulator/system.h"
