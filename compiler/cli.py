"""The command line and nothing else. Heavy libraries are imported by the commands that need them."""

from __future__ import annotations

import functools
import json
import sys

import click

USER_ERRORS = (
    "OperatorError", "PipelineError", "ProductError", "GraphError", "TextError", "DifferentiationError", "LoweringError",
    "CapacityError", "BindError", "InputError", "DirectoryError", "RequestError", "ToolchainError",
)
"""Errors whose message is one line for the user; the request cannot be served (exit status 2)."""


def _fail(message: str, status: int) -> None:
    click.echo(f"ascgrad: {message}", err=True)
    sys.exit(status)


def _guarded(command):
    @functools.wraps(command)
    def run(*args, **kwargs):
        try:
            return command(*args, **kwargs)
        except click.ClickException:
            raise
        except Exception as error:
            kinds = {c.__name__ for c in type(error).__mro__}
            if "SourceError" in kinds:
                _fail(str(error), 1)
            if kinds & set(USER_ERRORS):
                _fail(str(error), 2)
            raise

    return run


def _shape_options(command):
    for option in reversed((
        click.option("--shape", metavar="T=..,H=..", help="Sizes, leading dimensions in the order given."),
        click.option("--dtype", default=None, help="Dtype of the tensors whose dtype varies."),
        click.option("--without", default="", metavar="NAME,...", help="Tensors left out; an option goes as a whole."),
        click.option("--attr", "attrs", multiple=True, metavar="NAME=VALUE", help="An attribute's value."),
    )):
        command = option(command)
    return command


def _input_options(command):
    for option in reversed((
        click.option("--seed", type=int, default=None, help="Seed of random inputs."),
        click.option("--inputs", type=click.Path(), default=None, metavar="IN.npz", help="Inputs, in place of --shape."),
    )):
        command = option(command)
    return _shape_options(command)


_soc = click.option("--soc", default="ascend950", show_default=True, metavar="SOC",
                    help="Product, or the path of a product file.")
_soc_version = click.option("--soc-version", default=None, help="A variant of the product, for example Ascend950PR_9579.")
_unlisted = click.option("--unlisted", is_flag=True, help="Allow a product that the operator's document does not list.")
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
_passes = lambda command: click.option("--print-after", metavar="PASS", help="Print the program after a pass.")(
    click.option("--stop-after", metavar="PASS", help="End after a pass.")(command))


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="ascgrad")
def main() -> None:
    """Compiles the forward definition of an operator into a complete backward operator for Ascend NPUs."""


@main.command("list")
@_json
@_guarded
def list_(as_json: bool) -> None:
    """The operators that come with the compiler."""
    from compiler.library import find, operator_names

    rows = []
    for name in operator_names():
        interface = find(name).interface
        rows.append({"name": interface.name, "snake": name, "forward": interface.forward_name, "folder": interface.folder,
                     "products": list(interface.products), "dtypes": {k: list(v) for k, v in interface.dtypes.items()},
                     "inputs": [t.name for t in interface.inputs], "outputs": [t.name for t in interface.outputs],
                     "attributes": [a.name for a in interface.attributes], "title": interface.title.en})
    if as_json:
        click.echo(json.dumps({"operators": rows}))
        return
    for row in rows:
        click.echo(f"{row['name']:32} {row['title']}  [{', '.join(row['products'])}]")


@main.command("print")
@click.argument("op")
@click.option("--stage", type=click.Choice(["forward", "backward", "kernel"]), default="backward", show_default=True)
@_soc
@_guarded
def print_(op: str, stage: str, soc: str) -> None:
    """A graph as MLIR text, or the steps of the kernel."""
    from compiler.library import find
    from compiler.pipeline import backward_of, compile_operator

    operator = find(op)
    if stage == "kernel":
        from compiler import products

        click.echo(_program_text(compile_operator(operator, products.load(soc)).schedule))
        return
    from ir.text import print_graph

    forward, backward, _ = backward_of(operator)
    click.echo(print_graph(forward if stage == "forward" else backward), nl=False)


@main.command()
@click.argument("op")
@click.option("--latex", is_flag=True, help="Print the derived gradients as LaTeX.")
@_json
@_guarded
def prove(op: str, latex: bool, as_json: bool) -> None:
    """Proves the derived gradients: against the documented ones, component by component, and in fp32."""
    from compiler.library import find
    from compiler.prove import prove as run

    proof = run(find(op))
    click.echo(json.dumps(proof.to_json()) if as_json else proof.to_latex() if latex else str(proof))
    sys.exit(0 if proof.holds else 1)


@main.command()
@click.argument("op")
@_input_options
@click.option("--rounding", type=click.Choice(["exact", "kernel"]), default="exact", show_default=True)
@_soc
@click.option("--out", required=True, type=click.Path(), metavar="OUT.npz")
@click.option("--out-inputs", type=click.Path(), default=None, metavar="IN.npz", help="Also write the inputs used.")
@_guarded
def interpret(op, shape, dtype, without, attrs, seed, inputs, rounding, soc, out, out_inputs) -> None:
    """Executes the gradient graph in NumPy."""
    from compiler.library import find
    from compiler.request import make_request
    from ir.inputs import save_npz

    operator = find(op)
    request = make_request(operator, shape=shape, dtype=dtype, without=without, attrs=attrs, seed=seed, inputs=inputs, strict=True)
    save_npz(out, request.interpret(rounding))
    if out_inputs:
        save_npz(out_inputs, request.arrays)


@main.command()
@click.argument("op")
@_shape_options
@_soc
@_soc_version
@_unlisted
@click.option("--cores", type=click.IntRange(min=1), default=None, help="Vector cores (cube groups for mixed operators).")
@_passes
@_json
@_guarded
def schedule(op, shape, dtype, without, attrs, soc, soc_version, unlisted, cores, print_after, stop_after, as_json) -> None:
    """Tiles, buffers and the split over cores for one shape."""
    from compiler.library import find
    from compiler.report import schedule_json, schedule_text
    from compiler.request import make_sizes

    operator = find(op)
    product = _product(operator, soc, soc_version, unlisted)
    compiled = _compile(operator, product, print_after, stop_after)
    sizes = make_sizes(operator, shape, dtype, without, attrs)
    tiling = compiled.schedule.solve(sizes.symbols, sizes.options, sizes.dtype, cores, sizes.attributes)
    click.echo(json.dumps(schedule_json(tiling, sizes)) if as_json else schedule_text(tiling, sizes))


@main.command()
@click.argument("op")
@click.option("--soc", "socs", multiple=True, metavar="SOC", help="Product; may be repeated. Default: all that the document lists.")
@click.option("--out", required=True, type=click.Path(), metavar="DIR", help="The operator directory.")
@click.option("--layout", type=click.Choice(["repo", "standalone"]), default="repo", show_default=True)
@click.option("--license-header", type=click.Path(), default=None, metavar="FILE", help="Licence text of every emitted file.")
@click.option("--diff", is_flag=True, help="Show what would change in DIR and write nothing.")
@click.option("--force", is_flag=True, help="Write into a directory that is not empty.")
@_unlisted
@_passes
@_guarded
def generate(op, socs, out, layout, license_header, diff, force, unlisted, print_after, stop_after) -> None:
    """Writes the complete operator directory."""
    from compiler.emit.directory import diff_directory, write_directory
    from compiler.emit.operator import emit
    from compiler.library import find

    operator = find(op)
    products = [_product(operator, soc, None, unlisted) for soc in socs or operator.interface.products]
    schedules = {p["name"]: _compile(operator, p, print_after, stop_after).schedule for p in products}
    files = emit(operator, schedules, layout=layout, license_header=_read(license_header))
    if diff:
        click.echo(diff_directory(files, out), nl=False)
        return
    write_directory(files, out, force=force)
    click.echo(f"{len(files)} files in {out}")


@main.command()
@click.argument("op", required=False)
@_input_options
@_soc
@_soc_version
@_unlisted
@click.option("--cores", type=click.IntRange(min=1), default=None, help="Vector cores (cube groups for mixed operators).")
@click.option("--order", default="forward", show_default=True, help="Order of the cores: forward, reverse or random:SEED.")
@click.option("--blocks", default=None, metavar="LIST", help="Run only these blocks, for example 63 or 0,5-7.")
@click.option("--strided", default="", metavar="NAME,...", help="Tensors presented as non-contiguous.")
@click.option("--sources", type=click.Path(), default=None, metavar="DIR", help="Run the sources in DIR.")
@click.option("--client", type=click.Path(), default=None, metavar="FILE.cpp", help="Run a program that calls the operator.")
@click.option("--no-auto-sync", is_flag=True, help="Without the synchronisation that the device compiler inserts.")
@click.option("--check", is_flag=True, help="Judge the outputs against the exact ones.")
@click.option("--out", type=click.Path(), default=None, metavar="OUT.npz")
@_json
@_guarded
def emulate(op, shape, dtype, without, attrs, seed, inputs, soc, soc_version, unlisted, cores, order, blocks, strided, sources,
            client, no_auto_sync, check, out, as_json) -> None:
    """Compiles the emitted sources and runs them on the CPU."""
    from compiler.emulate import emulate_client, emulate_request, parse_blocks
    from compiler.library import find

    if op is None:
        raise click.UsageError("Missing argument 'OP'.")
    operator = find(op)
    product = _product(operator, soc, soc_version, unlisted)
    if client:
        status, output, errors = emulate_client(operator, product, client, sources)
        click.echo(output, nl=False)
        click.echo(errors, nl=False, err=True)
        sys.exit(0 if status == 0 else 1)
    from compiler.request import make_request

    request = make_request(operator, shape=shape, dtype=dtype, without=without, attrs=attrs, seed=seed, inputs=inputs, strict=False)
    result = emulate_request(operator, product, request, sources=sources, cores=cores, order=order, blocks=parse_blocks(blocks),
                             strided=[s for s in strided.split(",") if s], auto_sync=not no_auto_sync, check=check,
                             unlisted=unlisted)
    if out and result.status == 0:
        from ir.inputs import save_npz

        save_npz(out, result.outputs)
    click.echo(json.dumps(result.to_json()) if as_json else result.to_text())
    if result.status != 0:
        if not as_json:
            sys.exit(2)
        sys.exit(2)
    sys.exit(0 if result.holds else 1)


@main.command()
@click.argument("op", required=False)
@click.option("--all", "every", is_flag=True, help="Every operator that comes with the compiler.")
@click.option("--soc", "socs", multiple=True, metavar="SOC", help="Product; may be repeated. Default: all that the document lists.")
@click.option("--quick", is_flag=True, help="Corners only.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Processes.")
@click.option("--junit", type=click.Path(), default=None, metavar="FILE", help="Write a JUnit report.")
@_json
@_guarded
def verify(op, every, socs, quick, jobs, junit, as_json) -> None:
    """Proves, emits, emulates and judges a list of cases."""
    from compiler.library import find, operator_names
    from compiler.verify import verify as run

    if bool(op) == every:
        raise click.UsageError("wants one operator or --all")
    names = operator_names() if every else (op,)
    report = run([find(n) for n in names], list(socs), quick=quick, jobs=jobs, echo=not as_json)
    click.echo(json.dumps(report.to_json()) if as_json else report.summary())
    if junit:
        report.write_junit(junit)
    sys.exit(0 if report.holds else 1)


def _product(operator, soc: str, version: str | None, unlisted: bool) -> dict:
    from compiler import products
    from compiler.pipeline import PipelineError

    product = products.load(soc, version) if version else products.load(soc)
    if product["name"] not in operator.interface.products and not unlisted:
        raise PipelineError(f"--soc: got {product['name']}, wants one of {', '.join(operator.interface.products)} "
                            f"(the products of {operator.name}'s document), or --unlisted")
    return product


def _compile(operator, product: dict, print_after: str | None, stop_after: str | None):
    from compiler.pipeline import PASSES, PipelineError, Stop, compile_operator

    for option, value in (("--print-after", print_after), ("--stop-after", stop_after)):
        if value and value not in PASSES:
            raise PipelineError(f"{option}: got {value!r}, wants one of {', '.join(PASSES)}")

    def watch(name, program):
        if name == print_after:
            click.echo(_program_text(program))
        if name == stop_after:
            raise Stop

    try:
        return compile_operator(operator, product, watch if print_after or stop_after else None)
    except Stop:
        sys.exit(0)


def _program_text(program) -> str:
    from ir.graph import Graph

    if isinstance(program, Graph):
        from ir.text import print_graph

        return print_graph(program).rstrip("\n")
    from compiler.report import program_text

    return program_text(program)


def _read(path: str | None) -> str | None:
    if path is None:
        return None
    from pathlib import Path

    from compiler.pipeline import PipelineError

    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PipelineError(f"--license-header: cannot read {path}: {error}") from None


if __name__ == "__main__":
    main()
