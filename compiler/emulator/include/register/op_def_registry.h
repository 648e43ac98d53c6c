#pragma once

#include "register/op_def.h"

// In the toolkit three builds of one file register three things; here one expansion registers them all.
#define OP_ADD(Op) static const bool ascgradDefinition##Op = ::emulator::RegisterDefinition(Op(#Op), __FILE__, __LINE__)
