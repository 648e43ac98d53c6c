// A part of the API by itself.
#pragma once

#include "kernel_operator.h"
