// What all of the device side begins with, and what a compiled kernel tells the scheduler (device/scheduler.cpp), which runs it on
// every core of a launch.
#pragma once

#include "kernel_operator.h"

namespace emulator {

struct KernelEntry {
    void (*call)(const std::vector<void*>& arguments);  // to a core's end
    std::vector<size_t> valueBytes;  // of each parameter: what it takes by value, 0 for an address
    KernelMetaType type;             // what the entry's qualifiers say, KERNEL_TYPE_MAX where they say nothing
};

void Execute(const KernelEntry& entry, const LaunchRequest& request, LaunchReport& report);

}  // namespace emulator
