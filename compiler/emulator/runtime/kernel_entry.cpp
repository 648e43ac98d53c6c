// Compiled once per kernel: includes the kernel's source, exports ascgrad_run. What no kernel changes is in device/*.cpp, compiled with
// the same flags and linked with it.
//   g++ -std=c++17 -O2 -fvect-cost-model=dynamic -ffp-contract=off -fPIC -fvisibility=hidden -fno-gnu-unique
//       -I compiler/emulator/include -D__NPU_ARCH__=3510 -DASCGRAD_KERNEL_FILE='"<path>/x_apt.cpp"' -DASCGRAD_KERNEL_NAME=x
//       [-DASCGRAD_KERNEL_TYPE=KERNEL_TYPE_MIX_AIC_1_2] -DDTYPE_X=half -DORIG_DTYPE_X=DT_FLOAT16 ... -c compiler/emulator/runtime/kernel_entry.cpp -o x.o
// Without contraction each instruction rounds once; without unique symbols kernels in one process share no state.
#include "emulator/entry.h"

#include ASCGRAD_KERNEL_FILE

// What the entry's qualifiers say, where they say something.
#ifndef ASCGRAD_KERNEL_TYPE
#define ASCGRAD_KERNEL_TYPE KERNEL_TYPE_MAX
#endif

namespace emulator {
namespace {

using KernelArgs = const std::vector<void*>;

// A parameter that is no pointer is a value that the launch copies, a tiling struct for example.
template <class A>
A Argument(void* address) {
    if constexpr (std::is_pointer_v<A>) {
        return reinterpret_cast<A>(address);
    } else {
        A value;
        std::memcpy(&value, address, sizeof(A));
        return value;
    }
}
template <class... A, size_t... I>
void CallWith(void (*kernel)(A...), KernelArgs& args, std::index_sequence<I...>) {
    kernel(Argument<A>(args[I])...);
}
template <class... A>
void CallKernel(void (*kernel)(A...), KernelArgs& args) { CallWith(kernel, args, std::index_sequence_for<A...>()); }
template <class... A>
std::vector<size_t> ValueBytes(void (*)(A...)) { return {(std::is_pointer_v<A> ? 0 : sizeof(A))...}; }

const KernelEntry& Entry() {
    static const KernelEntry entry = {[](KernelArgs& args) { CallKernel(&ASCGRAD_KERNEL_NAME, args); }, ValueBytes(&ASCGRAD_KERNEL_NAME),
                                      ASCGRAD_KERNEL_TYPE};
    return entry;
}

}  // namespace
}  // namespace emulator

extern "C" __attribute__((visibility("default"))) void ascgrad_run(const emulator::LaunchRequest* request,
                                                                  emulator::LaunchReport* report) {
    emulator::Execute(emulator::Entry(), *request, *report);
}
