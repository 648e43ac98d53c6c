"""The whole operator directory: the kernel's files per product, and everything that the interface alone decides."""

from __future__ import annotations

from compiler.emit.directory import render_directory
from compiler.emit.kernel import CONSTANTS, KernelText
from compiler.emit.render import render
from compiler.emit.text import formatted
from compiler.products import ProductError
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
    kernels: dict[str, str] = {}
    for schedule in schedules.values():
        kernels.update(kernel_files(operator, schedule))
    return render_directory(operator, schedules, layout, license_header, kernels)


def kernel_files(operator: Operator, schedule: Schedule) -> dict[str, str]:
    """The kernel's own files for one product, without headers."""
    product, interface = schedule.product, operator.interface
    if product["npu_arch"] not in GM_STRIDES:
        raise ProductError(f"npu_arch of {product['name']}: got {product['npu_arch']}, want one of {', '.join(map(str, GM_STRIDES))}")
    text = KernelText(schedule)
    files = {}
    for path, template in KERNEL_FILES.items():
        place = path.replace("{arch}", product["arch_folder"]).replace("{suffix}", product["kernel_suffix"])
        rendered = render(template, header="", op=interface, text=text, product=product, limits=product["limits"],
                          constants=CONSTANTS, gm_stride_type=GM_STRIDES[product["npu_arch"]])
        files[place.replace("{op}", interface.snake)] = formatted(rendered)
    return files
