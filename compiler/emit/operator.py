"""The whole operator directory: the kernel's files per product, and everything that the interface alone decides."""

from __future__ import annotations

from compiler.emit import cases
from compiler.emit.directory import render_directory
from compiler.emit.kernel import CONSTANTS, KernelText
from compiler.emit.render import render
from compiler.emit.text import formatted
from compiler.schedule.tiling import Schedule
from ir.interface import Operator

KERNEL_FILES = {
    "op_kernel/{arch}/{op}.h": "op_kernel/{op}.h.jinja",
    "op_kernel/{arch}/{op}_tile.h": "op_kernel/{op}_tile.h.jinja",
    "op_kernel/{op}{suffix}.cpp": "op_kernel/{op}{suffix}.cpp.jinja",
}
"""Output path -> template. {arch} and {suffix} are the product's."""

GM_STRIDES = {3510: "int64_t", 2201: "uint32_t"}
"""Type of the stride fields of DataCopyExtParams by architecture (asc: kernel_struct_data_copy.h)."""


def emit(operator: Operator, schedules: dict[str, Schedule], layout: str = "repo", license_header: str | None = None) -> dict[str, str]:
    """Relative path -> text of the operator directory; schedules: product name -> schedule."""
    check_sample(operator)
    kernels: dict[str, str] = {}
    for schedule in schedules.values():
        kernels.update(kernel_files(operator, schedule))
    return render_directory(operator, schedules, layout, license_header, kernels)


class SampleError(ValueError):
    """The interface says of its sample what the gradient does not."""


def check_sample(operator: Operator) -> None:
    """Raises SampleError where an output of the documented call is not what the interface says that it is."""
    import numpy

    from compiler.request import Request
    from ir.types import numpy_dtype

    interface, sample = operator.interface, operator.interface.sample
    if sample is None or sample.values is None:
        return
    sizes = cases.sizes(interface)
    arrays = {t.name: numpy.full(cases.shape(t, sizes), sample.values.get(t.name, 0), numpy_dtype(interface.columns[0][t.name]))
              for t in interface.inputs}
    outputs = Request(operator, arrays, cases.attribute_values(interface, sizes), strict=True).interpret("exact")
    for name, values in outputs.items():
        expected = sample.expected.get(name, 0.0)
        if not numpy.allclose(values, expected, rtol=1e-9, atol=1e-12):
            raise SampleError(f"{interface.name}: the sample says that {name} is {expected} everywhere, the gradient is "
                              f"{values.min()} to {values.max()}")


def kernel_files(operator: Operator, schedule: Schedule) -> dict[str, str]:
    """The kernel's own files for one product, without headers."""
    product, interface = schedule.product, operator.interface
    text = KernelText(schedule)
    files = {}
    for path, template in KERNEL_FILES.items():
        place = path.replace("{arch}", product["arch_folder"]).replace("{suffix}", product["kernel_suffix"])
        rendered = render(template, header="", op=interface, text=text, product=product, limits=product["limits"],
                          constants=CONSTANTS, gm_stride_type=GM_STRIDES[product["npu_arch"]])
        files[place.replace("{op}", interface.snake)] = formatted(rendered)
    return files
