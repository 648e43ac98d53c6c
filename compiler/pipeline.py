"""The passes, in order. This is the one place that lists them.

A pass is a function from program to program. `compile_operator` runs them; `watch` sees the program after each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ir.interface import Operator

PASSES = ("forward", "differentiate", "simplify", "expand", "lower", "schedule")


class PipelineError(ValueError):
    """A request that the compiler cannot serve; one line."""


@dataclass(frozen=True)
class Compiled:
    """What the passes made. Graphs are `ir.graph.Graph`; schedule is `compiler.schedule.tiling.Schedule` or None."""

    operator: Operator
    product: dict | None
    forward: object
    backward: object
    kernel_graph: object
    schedule: object | None


def backward_of(operator: Operator, watch: Callable | None = None):
    """(forward, simplified backward, backward in the forms that are emitted)."""
    from compiler.differentiate import differentiate
    from compiler.expand import expand
    from compiler.simplify import simplify
    from ir.builder import build_forward

    see = watch or (lambda name, program: None)
    forward = build_forward(operator)
    see("forward", forward)
    gradients = differentiate(operator, forward)
    see("differentiate", gradients)
    backward = simplify(gradients, operator.interface)
    see("simplify", backward)
    expanded = simplify(expand(backward), operator.interface)
    see("expand", expanded)
    return forward, backward, expanded


def compile_operator(operator: Operator, product: dict, watch: Callable | None = None) -> Compiled:
    """Runs every pass for one product.

    watch(name, program) is called after each pass; it may raise `Stop` to end there.
    Raises the passes' own errors (GraphError, DifferentiationError, LoweringError), each one line that names the operation.
    """
    from compiler.lower import lower
    from compiler.partition import has_products, partition
    from compiler.schedule.mixed import schedule_mixed
    from compiler.schedule.tiling import schedule

    see = watch or (lambda name, program: None)
    forward, backward, expanded = backward_of(operator, watch)
    if has_products(expanded):
        stages = partition(expanded, operator.interface)
        see("lower", stages)
        scheduled = schedule_mixed(expanded, stages, product)
    else:
        programs = list(lower(expanded, operator.interface))
        see("lower", programs[0])
        scheduled = schedule(programs, product)
    see("schedule", scheduled)
    return Compiled(operator, product, forward, backward, expanded, scheduled)


class Stop(Exception):
    """Ends the pipeline after the pass that --stop-after names."""
