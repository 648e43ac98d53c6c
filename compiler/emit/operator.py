"""The whole operator directory: the kernel's files per product, and everything that the interface alone decides."""

from __future__ import annotations

from pathlib import Path

from compiler.emit import cases
from compiler.emit.directory import render_directory
from compiler.emit.kernel import CONSTANTS, KernelText
from compiler.emit.render import render
from compiler.emit.stages import CubeText, StagesText
from compiler.emit.text import formatted
from compiler.emit.view import DEFINITION
from compiler.products import ProductError
from compiler.schedule.mixed import MixedSchedule
from compiler.schedule.tiling import Schedule
from ir.interface import Operator

GM_STRIDES = {3510: "int64_t", 2201: "uint32_t"}
"""Type of the stride fields of DataCopyExtParams by architecture (asc: kernel_struct_data_copy.h)."""


def emit(operator: Operator, schedules: dict[str, Schedule], layout: str = "repo", license_header: str | None = None) -> dict[str, str]:
    """Relative path -> text of the operator directory; schedules: product name -> schedule."""
    check_sample(operator)
    kernels: dict[str, str] = {}
    for schedule in schedules.values():
        suffix = schedule.product["kernel_suffix"]
        titles = [s.product["title"] for s in schedules.values() if s.product["kernel_suffix"] == suffix]
        kernels.update(kernel_files(operator, schedule, ", ".join(dict.fromkeys(titles))))
    files = render_directory(operator, schedules, layout, license_header, kernels)
    if operator.path:  # the scripts of the tests interpret it
        files[f"tests/st/{DEFINITION}"] = Path(operator.file).read_text(encoding="utf-8")
    return files


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


def kernel_files(operator: Operator, schedule: Schedule | MixedSchedule, title: str) -> dict[str, str]:
    """The kernel's own files for one product, without headers; title: of the products that share the entry."""
    interface, product = operator.interface, schedule.product
    if product["npu_arch"] not in GM_STRIDES:
        raise ProductError(f"npu_arch of {product['name']}: got {product['npu_arch']}, want one of {', '.join(map(str, GM_STRIDES))}")
    arguments = [t.camel for t in (*interface.inputs, *interface.outputs)]
    files: dict[str, str] = {}

    def add(path: str, template: str, **context) -> None:
        rendered = render(template, header="", op=interface, product=product, title=title, limits=product["limits"], constants=CONSTANTS,
                          entry_arguments=arguments, gm_stride_type=GM_STRIDES[product["npu_arch"]], **context)
        files[path] = formatted(rendered)

    folder, entry = f"op_kernel/{product['arch_folder']}", f"op_kernel/{interface.snake}{product['kernel_suffix']}.cpp"
    if isinstance(schedule, MixedSchedule):
        stages = StagesText(schedule)
        for kernel in stages.vectors:
            add(f"{folder}/{kernel.file}.h", "op_kernel/{op}.h.jinja", text=kernel)
        add(f"{folder}/{interface.snake}_tile.h", "op_kernel/{op}_tile.h.jinja", text=Shared(interface.name, stages.vectors, stages.own_helpers))
        cube = CubeText(schedule.figures, hands_over=bool(schedule.handed), takes_strips=bool(schedule.fed))
        add(f"{folder}/{interface.snake}_cube.h", f"op_kernel/cube/{product['arch_folder']}.h.jinja", cube=cube)
        add(entry, "op_kernel/{op}{suffix}_mixed.cpp.jinja", stages=stages)
        return files
    text = KernelText(schedule)
    add(f"{folder}/{text.file}.h", "op_kernel/{op}.h.jinja", text=text)
    add(f"{folder}/{interface.snake}_tile.h", "op_kernel/{op}_tile.h.jinja", text=Shared(interface.name, (text,)))
    add(entry, "op_kernel/{op}{suffix}.cpp.jinja", text=text)
    return files


class Shared:
    """What the header of tile helpers needs to know of all kernels that include it."""

    def __init__(self, namespace: str, kernels: tuple[KernelText, ...], helpers: set[str] = frozenset()):
        self.namespace = namespace
        self.helpers = set(helpers).union(*(k.helpers for k in kernels))
        self.has_masks = any(k.has_masks for k in kernels)
        self.hands_over = any(k.handed for k in kernels)
        self.feeds = any(k.fed for k in kernels)
        self.counts = any(k.counts for k in kernels)
        self.column_sums = any(k.column_sums for k in kernels)
        self.uses_float_max = any(k.uses_float_max for k in kernels)
