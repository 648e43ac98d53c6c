#pragma once
#include "register/op_def.h"
