#pragma once
#include "op_api/aclnn_util.h"
