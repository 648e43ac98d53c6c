#pragma once

#include "opdev/platform.h"

#define ACLNN_API __attribute__((visibility("default")))
