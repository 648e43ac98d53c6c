#pragma once
#include "platform/platform_infos_def.h"
#include "platform/soc_spec.h"
