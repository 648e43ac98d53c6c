"""Kernels as shared objects: what a kernel compiles to, and the sources of `device/`, which all kernels of an architecture share."""

from dataclasses import replace
from pathlib import Path

from compiler.emulator import callers, toolchain
from compiler.emulator.toolchain import Unit

_HERE = Path(__file__).parent


def flags(arch: int) -> tuple[str, ...]:
    """What all sources of the device side are compiled with, for one __NPU_ARCH__."""
    return (*toolchain.compiler().kernel_flags, f"-D__NPU_ARCH__={arch}", f"-I{_HERE / 'include'}")


def units(arch: int) -> list[Unit]:
    """The sources of the device side that no kernel changes."""
    return [Unit(source, flags(arch), header=_header(arch, None)) for source in sorted((_HERE / "device").glob("*.cpp"))]


def _header(arch: int, optimisation: str | None) -> Unit:
    return Unit(_HERE / "include" / "emulator" / "entry.h", flags(arch), optimisation=optimisation)


def link(kernel: Unit, arch: int, options: tuple[str, ...] = (), lines: bool = False) -> Path:
    """The shared object of a kernel, compiled with `flags` and others; it exports ascgrad_run alone, so kernels in one process share no
    state. lines: of its calls, which `callers` reads.

    Raises SourceError when the kernel does not compile.
    """
    kernel = callers.with_lines(kernel) if lines else replace(kernel, header=_header(arch, kernel.optimisation))
    return toolchain.link(toolchain.compile_all([kernel, *units(arch)]), ["-shared", *options], "kernel.so")
