"""Kernels as shared objects: what a kernel compiles to, and the sources of `device/`, which all kernels of an architecture share."""

from pathlib import Path

from compiler.emulator import toolchain
from compiler.emulator.toolchain import Unit

_HERE = Path(__file__).parent


def units(arch: int) -> list[Unit]:
    """The sources of the device side that no kernel changes, for one __NPU_ARCH__."""
    flags = (*toolchain.compiler().kernel_flags, f"-D__NPU_ARCH__={arch}", f"-I{_HERE / 'include'}")
    return [Unit(source, flags) for source in sorted((_HERE / "device").glob("*.cpp"))]


def link(kernel: Unit, arch: int, flags: tuple[str, ...] = ()) -> Path:
    """The shared object of a kernel; it exports ascgrad_run alone, so kernels in one process share no state.

    Raises SourceError when the kernel does not compile.
    """
    return toolchain.link(toolchain.compile_all([kernel, *units(arch)]), ["-shared", *flags], "kernel.so")
