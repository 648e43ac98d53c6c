#pragma once

#include "opdev/op_executor.h"
#include "opdev/platform.h"

#define CREATE_EXECUTOR() UniqueExecutor(__func__)

#define INFER_SHAPE(Op, ...) ::emulator::InferShapes(Op##OpTypeId(), ::emulator::CollectAll(__VA_ARGS__))

#define ADD_TO_LAUNCHER_LIST_AICORE(Op, ...) \
    ::emulator::AddLaunch(Op##OpTypeId(), executor, ::emulator::CollectAll(__VA_ARGS__))
