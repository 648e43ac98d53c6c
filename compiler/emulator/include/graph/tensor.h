#pragma once
#include "graph/ascend_string.h"
#include "graph/types.h"
