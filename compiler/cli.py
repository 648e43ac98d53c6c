"""The command line and nothing else. Heavy libraries are imported by the commands that need them."""

from __future__ import annotations

import math
import os
import sys
from contextlib import contextmanager

import click

USER_ERRORS = (
    "OperatorError", "PipelineError", "ProductError", "GraphError", "DifferentiationError", "LoweringError", "CapacityError",
    "BindError", "InterpretError", "DirectoryError", "PageError", "UnsupportedInterface", "RequestError", "ToolchainError",
    "NotAnOperator", "NoToolkit",
)
"""Errors whose message is one line for the user; the request cannot be served (exit status 2)."""

DEFINITION_ERRORS = ("GraphError", "DifferentiationError", "LoweringError", "UnsupportedInterface")
"""Those among them that are about the operator's definition, and are placed in its file."""

LATER = {"new": "starting a definition"}
"""Commands that the design has and this version does not."""


class _Commands(click.Group):
    """Ends every failure with one line on standard error and the documented exit status, never with a traceback."""

    def main(self, args=None, prog_name=None, standalone_mode=True, **extra):
        args = list(sys.argv[1:] if args is None else args)
        if not standalone_mode:
            return super().main(args, prog_name or "ascgrad", standalone_mode=False, **extra)
        try:
            status = super().main(args, prog_name or "ascgrad", standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            status = error.exit_code
        except click.ClickException as error:
            context = getattr(error, "ctx", None)
            command = context.command_path.partition(" ")[2] if context else ""
            status = _failure(args, f"{command}: {' '.join(error.format_message().split())}" if command else error.format_message())
        except click.Abort:
            status = _failure(args, "interrupted", 130)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = 1
        except MemoryError as error:
            status = _failure(args, f"not enough memory: {error}" if str(error) else "not enough memory")
        except Exception as error:
            status = _caught(args, error)
        sys.exit(status if isinstance(status, int) else 0)

    def resolve_command(self, ctx, args):
        if args and args[0] in LATER:
            ctx.fail(f"{args[0]}: {LATER[args[0]]} is not in this version yet")
        return super().resolve_command(ctx, args)


def _caught(args: list[str], error: Exception) -> int:
    from compiler.blame import located, mentioned
    from compiler.library import OWN_FILES

    kinds = {c.__name__ for c in type(error).__mro__}
    if "SourceError" in kinds:
        if os.environ.get("ASCGRAD_TRACEBACK"):
            click.echo(error.output, err=True)
        return _failure(args, str(error), 1, "compile", error.lines)
    placed = located(error, OWN_FILES)
    if placed is None and kinds & set(DEFINITION_ERRORS) and OWN_FILES:
        placed = mentioned(str(error), OWN_FILES[-1]) or f"{OWN_FILES[-1]}: {error}"
    if placed is not None:
        return _failure(args, placed)
    if kinds & set(USER_ERRORS):
        return _failure(args, str(error))
    if isinstance(error, OSError) and error.filename is not None:
        return _failure(args, f"{error.filename}: {error.strerror}")
    if os.environ.get("ASCGRAD_TRACEBACK"):
        raise error
    return _failure(args, f"internal error, please report it: {type(error).__name__}: {' '.join(str(error).split())} "
                          "(ASCGRAD_TRACEBACK=1 shows where)")


def _failure(args: list[str], message: str, status: int = 2, phase: str = "request", lines: list[str] | None = None) -> int:
    """The message on standard error, and with --json also as the object on standard output."""
    if "--json" in args:
        data = {"error": message}
        if args[:1] == ["emulate"]:
            from compiler.emulate import failure

            data = failure(phase, message, lines or [])
        _print_json(data)
    click.echo(message if lines else f"ascgrad: {message}", err=True)
    return status


def _print_json(data: dict) -> None:
    """One object; what JSON has no number for is null."""
    import json

    click.echo(json.dumps(_finite(data), ensure_ascii=False))


def _finite(value):
    if isinstance(value, dict):
        return {str(k): _finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    if hasattr(value, "item"):  # a scalar of NumPy
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
        click.option("--seed", type=click.IntRange(min=0), default=None, help="Seed of random inputs."),
        click.option("--inputs", type=click.Path(), default=None, metavar="IN.npz", help="Inputs, in place of --shape."),
    )):
        command = option(command)
    return _shape_options(command)


def _kernel_options(command):
    for option in reversed((
        click.option("--kernel", type=click.Path(), default=None, metavar="FILE.cpp[:ENTRY]", help="Run this kernel in place of OP's; the "
                     "options below go with it."),
        click.option("--block-dim", type=click.IntRange(min=1), default=None, metavar="N", help="Blocks to launch."),
        click.option("--output", multiple=True, metavar="NAME=DTYPE[DIM,...]", help="A tensor that the kernel writes; may be repeated."),
        click.option("--workspace", type=click.IntRange(min=0), default=None, metavar="BYTES", help="Size of the kernel's workspace."),
        click.option("--tiling", type=click.Path(), default=None, metavar="FILE", help="The bytes of the tiling data."),
        click.option("--define", multiple=True, metavar="NAME=VALUE", help="A macro, a template argument of the entry, or the tiling "
                     "key as TILING_KEY_VAR=N; may be repeated."),
    )):
        command = option(command)
    return command


def _later(*names: str, what: str, **settings):
    """Options that the design has and this version does not: hidden from the help, refused in one line."""
    def refuse(ctx, option, value):
        if value not in (None, False, ()):
            raise click.UsageError(f"{option.opts[0]}: {what} is not in this version yet", ctx)

    def add(command):
        for name in names:
            command = click.option(name, hidden=True, expose_value=False, callback=refuse, **settings)(command)
        return command

    return add


def _version(ctx, option, value) -> None:
    if value and not ctx.resilient_parsing:
        from compiler.emit.facts import version

        click.echo(f"ascgrad {version()}")
        ctx.exit()


_soc = click.option("--soc", default=None, metavar="SOC",
                    help="Product, or the path of a product file. Default: the first that the document lists.")
_soc_version = click.option("--soc-version", default=None, help="A variant of the product, for example Ascend950PR_9579.")
_unlisted = click.option("--unlisted", is_flag=True, help="Allow a product that the operator's document does not list.")
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
_passes = lambda command: click.option("--print-after", metavar="PASS", help="Print the program after a pass.")(
    click.option("--stop-after", metavar="PASS", help="End after a pass.")(command))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit.")
def main() -> None:
    """Compiles the forward definition of an operator into a complete backward operator for Ascend NPUs."""


@main.command("list")
@_json
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
        _print_json({"operators": rows})
        return
    for row in rows:
        click.echo(f"{row['name']:32} {row['title']}  [{', '.join(row['products'])}]")


@main.command("print")
@click.argument("op")
@click.option("--stage", type=click.Choice(["forward", "backward", "kernel"]), default="backward", show_default=True)
@_soc
@_soc_version
@_unlisted
@_passes
@_later("--dialect", what="printing in another dialect")
def print_(op, stage, soc, soc_version, unlisted, print_after, stop_after) -> None:
    """A graph as MLIR text, or the steps of the kernel."""
    from compiler.library import find
    from compiler.pipeline import backward_of

    operator = find(op)
    if stage == "kernel" or soc or print_after or stop_after:
        product = _product(operator, soc, soc_version, unlisted)
        _watch(operator, product, print_after, stop_after)
        if stage == "kernel":
            click.echo(_program_text(_compile(operator, product).schedule))
            return
    from ir.text import print_graph

    forward, backward, _ = backward_of(operator)
    click.echo(print_graph(forward if stage == "forward" else backward), nl=False)


@main.command()
@click.argument("op")
@click.option("--latex", is_flag=True, help="Print the derived gradients as LaTeX.")
@_passes
@_json
def prove(op, latex, print_after, stop_after, as_json) -> None:
    """Proves the derived gradients: against the documented ones, component by component, and in fp32."""
    if latex and as_json:
        raise click.UsageError("--latex and --json: got both, wants one of them")
    from compiler.library import find
    from compiler.prove import prove as run

    operator = find(op)
    if print_after or stop_after:
        _watch(operator, _product(operator, None, None, False), print_after, stop_after, as_json)
    with _patience(f"proving {operator.name}"):
        proof = run(operator)
    if as_json:
        _print_json(proof.to_json())
    else:
        click.echo(proof.to_latex() if latex else str(proof))
    sys.exit(0 if proof.holds else 1)


@main.command()
@click.argument("op")
@_input_options
@click.option("--rounding", type=click.Choice(["exact", "kernel"]), default="exact", show_default=True)
@_soc
@_soc_version
@_unlisted
@click.option("--out", required=True, type=click.Path(), metavar="OUT.npz")
@click.option("--out-inputs", type=click.Path(), default=None, metavar="IN.npz", help="Also write the inputs used.")
@_passes
def interpret(op, shape, dtype, without, attrs, seed, inputs, rounding, soc, soc_version, unlisted, out, out_inputs, print_after,
              stop_after) -> None:
    """Executes the gradient graph in NumPy. Exact results are float64, rounded ones have the documented dtypes."""
    from compiler.library import find
    from compiler.request import make_request
    from ir.inputs import save_npz

    operator = find(op)
    product = _product(operator, soc, soc_version, unlisted)
    _watch(operator, product, print_after, stop_after)
    _judge_output("--out", out, {"--inputs": inputs})
    _judge_output("--out-inputs", out_inputs, {"--inputs": inputs, "--out": out})
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
@click.option("--html", type=click.Path(), default=None, metavar="FILE", help="Write the schedule as a page that needs nothing beside it.")
@click.option("--force", is_flag=True, help="Replace a FILE that is no page of a schedule.")
@click.option("--run/--no-run", default=None, help="Run it on random inputs, for cycles and pipes. Default: with --html only.")
def schedule(op, shape, dtype, without, attrs, soc, soc_version, unlisted, cores, print_after, stop_after, as_json, html, force, run) -> None:
    """Tiles, buffers, traffic and the split over cores for one shape."""
    from compiler.library import find
    from compiler.report import schedule_json, schedule_text
    from compiler.request import RequestError, make_sizes

    if html and as_json:
        raise click.UsageError("--json and --html: got both, wants one of them")
    if force and not html:
        raise click.UsageError("--force: got no --html beside it, whose file it is about")
    operator = find(op)
    product = _product(operator, soc, soc_version, unlisted)
    _judge_cores(operator, product, cores)
    if html:
        from compiler.page import judge_page, write_page

        _judge_output("--html", html)
        judge_page(html, force)
    sizes = make_sizes(operator, shape, dtype, without, attrs) if shape or not stop_after else None
    compiled = _compile(operator, product, print_after, stop_after, as_json)
    refused = operator.interface.refusal(product["name"], sizes.symbols) if product["name"] in operator.interface.products else None
    if refused:
        raise RequestError(f"--shape: {refused}")
    tiling = compiled.schedule.solve(sizes.symbols, sizes.options, sizes.dtype, cores, sizes.attributes)
    given = {"--soc": soc or product["name"], "--soc-version": soc_version, "--shape": shape, "--dtype": sizes.dtype, "--without": without,
             "--attr": attrs, "--unlisted": unlisted, "--cores": cores}
    from compiler.roof import roof_of_sizes

    data = schedule_json(tiling, sizes, _command_line("schedule", op, given), roof_of_sizes(operator, product, sizes))
    if run or html and run is None:
        from compiler.timeline import modelled_run

        with _patience(f"compiling and running {operator.name}; --no-run leaves that out"):
            data |= modelled_run(operator, product, shape=shape, dtype=dtype, without=without, attrs=attrs, cores=cores, unlisted=unlisted)
    if html:
        write_page(data, html)
        click.echo(html)
    elif as_json:
        _print_json(data)
    else:
        click.echo(schedule_text(data))


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
def generate(op, socs, out, layout, license_header, diff, force, unlisted, print_after, stop_after) -> None:
    """Writes the complete operator directory."""
    from compiler.emit.directory import diff_directory, write_directory
    from compiler.emit.operator import emit
    from compiler.library import find

    operator = find(op)
    licence = _read("--license-header", license_header)
    products = [_product(operator, soc, None, unlisted) for soc in socs or operator.interface.products]
    schedules = {p["name"]: _compile(operator, p, print_after, stop_after).schedule for p in products}
    files = emit(operator, schedules, layout=layout, license_header=licence)
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
@click.option("--blocks", default=None, metavar="LIST", help="Run only these blocks, for example 63 or 0,5-7; of kernels "
              "whose blocks do not wait for each other.")
@click.option("--strided", default="", metavar="NAME,...", help="Tensors presented as non-contiguous.")
@click.option("--sources", type=click.Path(), default=None, metavar="DIR", help="Run the sources in DIR.")
@click.option("--client", type=click.Path(), default=None, metavar="FILE.cpp", help="Run a program that calls the operator.")
@click.option("--no-auto-sync", is_flag=True, help="For kernels built without the synchronisation that the device compiler inserts.")
@click.option("--check", is_flag=True, help="Judge the outputs against the exact ones.")
@click.option("--out", type=click.Path(), default=None, metavar="OUT.npz")
@_passes
@_json
@_kernel_options
@click.option("--trace", type=click.Path(), default=None, metavar="FILE", help="Write the modelled timeline as Chrome trace JSON.")
def emulate(op, shape, dtype, without, attrs, seed, inputs, soc, soc_version, unlisted, cores, order, blocks, strided, sources,
            client, no_auto_sync, check, out, kernel, block_dim, output, workspace, tiling, define, trace, print_after, stop_after,
            as_json) -> None:
    """Compiles the emitted sources of OP, or a kernel of your own (--kernel), and runs them on the CPU."""
    from compiler.emulate import emulate_client, emulate_kernel, emulate_request, judge_order, parse_blocks, parse_kernel

    own = {"--block-dim": block_dim, "--output": output, "--workspace": workspace, "--tiling": tiling, "--define": define}
    if kernel is not None:
        _refuse({"OP": op, "--shape": shape, "--dtype": dtype, "--without": without, "--attr": attrs, "--seed": seed, "--unlisted": unlisted,
                 "--cores": cores, "--strided": strided, "--sources": sources, "--client": client, "--check": check,
                 "--print-after": print_after, "--stop-after": stop_after}, "but with --kernel there is no operator")
        judge_order(order)
        read = {"--inputs": inputs, "--kernel": parse_kernel(kernel)[0], "--tiling": tiling}
        _judge_output("--out", out, read)
        _judge_output("--trace", trace, read | {"--out": out})
        with _patience(f"compiling and running {kernel}; objects are cached"):
            result = emulate_kernel(kernel, soc, soc_version, inputs=inputs, outputs=output, block_dim=block_dim, workspace=workspace,
                                    tiling=tiling, defines=define, order=order, blocks=blocks, auto_sync=not no_auto_sync, trace=trace)
        _print_outcome(result, out, as_json)
        sys.exit(result.exit_status)
    _refuse(own, "but only a kernel of your own takes it (--kernel)")
    if op is None:
        raise click.UsageError("wants an operator, or --kernel FILE.cpp")
    from compiler.library import find

    operator = find(op)
    product = _product(operator, soc, soc_version, unlisted)
    _watch(operator, product, print_after, stop_after, as_json)
    most = _judge_cores(operator, product, cores)
    judge_order(order)
    machine = {"cores": cores, "order": order, "blocks": parse_blocks(blocks, cores or most), "auto_sync": not no_auto_sync,
               "unlisted": unlisted}
    if client:
        given = {"--shape": shape, "--dtype": dtype, "--without": without, "--attr": attrs, "--seed": seed, "--inputs": inputs,
                 "--strided": strided, "--check": check, "--out": out, "--trace": trace}
        _refuse(given, "but with --client the program makes its own inputs and outputs")
        with _patience(f"compiling {operator.name}, which is cached from then on"):
            result = emulate_client(operator, product, client, sources, **machine)
        if as_json:
            _print_json(result.to_json())
        else:
            click.echo(result.stdout, nl=False)
            click.echo(result.stderr, nl=False, err=True)
            for finding in result.findings:
                click.echo(str(finding), err=True)
        if result.exit_status and not result.findings:
            click.echo(f"ascgrad: {client}: exit status {result.exit_status}", err=True)
        sys.exit(0 if result.holds else 1)
    from compiler.request import make_request, tensor_names

    names = tensor_names("--strided", strided, operator)
    if check and blocks:
        raise click.UsageError("--check: got --blocks beside it, wants all blocks to have run")
    _judge_output("--out", out, {"--inputs": inputs})
    _judge_output("--trace", trace, {"--inputs": inputs, "--out": out})
    request = make_request(operator, shape=shape, dtype=dtype, without=without, attrs=attrs, seed=seed, inputs=inputs, strict=False)
    with _patience(f"compiling and running {operator.name}; objects are cached"):
        result = emulate_request(operator, product, request, sources=sources, strided=names, check=check, trace=trace, **machine)
    _print_outcome(result, out, as_json)
    sys.exit(result.exit_status)


@main.command()
@click.argument("op", required=False)
@click.option("--all", "every", is_flag=True, help="Every operator that comes with the compiler.")
@click.option("--soc", "socs", multiple=True, metavar="SOC", help="Product; may be repeated. Default: all that the document lists.")
@click.option("--quick", is_flag=True, help="Corners only.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Processes.")
@click.option("--junit", type=click.Path(), default=None, metavar="FILE", help="Write a JUnit report.")
@_passes
@_json
def verify(op, every, socs, quick, jobs, junit, print_after, stop_after, as_json) -> None:
    """Proves, emits, emulates and judges a list of cases."""
    from compiler.library import find, operator_names

    if bool(op) == every:
        raise click.UsageError("wants one operator or --all")
    _judge_output("--junit", junit)
    operators = [find(n) for n in (operator_names() if every else (op,))]
    for operator in operators if socs or print_after or stop_after else ():
        for soc in socs or operator.interface.products[:1]:
            _watch(operator, _product(operator, soc, None, False), print_after, stop_after, as_json)
    from compiler.verify import verify as run

    report = run(operators, list(socs), quick=quick, jobs=jobs, echo=not as_json)
    if as_json:
        _print_json(report.to_json())
    else:
        click.echo(report.summary())
    if junit:
        report.write_junit(junit)
    sys.exit(0 if report.holds else 1)


@main.command()
@click.argument("directory", metavar="DIR", type=click.Path())
@click.option("--soc", default=None, metavar="SOC", help="One product. Default: all that the definition lists.")
@click.option("--cann", type=click.Path(), default=None, metavar="PATH", help="Also compile the sources against the headers of the CANN toolkit "
              "installed there (ASCEND_HOME_PATH).")
@click.option("--verbose", is_flag=True, help="With --cann: print each translation unit and its include folders.")
@_json
def check(directory, soc, cann, verbose, as_json) -> None:
    """Checks an operator directory, emitted or edited, without running it: one finding a line, with file and line."""
    from compiler import products
    from compiler.check import check as run

    with _patience(f"checking {directory}"):
        report = run(directory, products.load(soc) if soc else None, cann=cann)
    if as_json:
        _print_json(report.to_json())
    else:
        click.echo(report.to_text(verbose))
    sys.exit(0 if report.holds else 1)


def _refuse(given: dict, why: str) -> None:
    """Refuses the first of these options or arguments that has a value."""
    for name, value in given.items():
        if value not in (None, "", (), False):
            got = " ".join(map(str, value)) if isinstance(value, tuple) else value
            raise click.UsageError(f"{name}: got {got}, {why}")


def _print_outcome(outcome, out: str | None, as_json: bool) -> None:
    """The outputs of a run to the file `out`, what it found to the terminal."""
    if out and outcome.status == 0:
        from ir.inputs import save_npz

        save_npz(out, outcome.outputs)
    if as_json:
        _print_json(outcome.to_json())
    elif outcome.status == 0:
        click.echo(outcome.to_text())
    if outcome.status != 0:
        click.echo(f"ascgrad: {outcome.status_line()}", err=True)
        for finding in outcome.result.findings:
            click.echo(str(finding), err=True)


def _command_line(command: str, op: str, given: dict) -> str:
    """The command line that asks for the same: options that are not given are left out."""
    import shlex

    words = ["ascgrad", command, op]
    for option, value in given.items():
        if value is True:
            words.append(option)
        elif value not in (None, False, "", ()):
            for one in value if isinstance(value, tuple) else (value,):
                words += [option, str(one)]
    return shlex.join(words)


def _product(operator, soc: str | None, version: str | None, unlisted: bool) -> dict:
    from compiler.library import product_of

    return product_of(operator, soc, version, unlisted)


def _judge_cores(operator, product: dict, cores: int | None) -> int:
    """The vector cores of the product, or its cube cores where the operator has matrix products, after refusing more."""
    from compiler.partition import has_products
    from compiler.pipeline import PipelineError
    from ir.builder import build_forward

    kind, what = ("aic", "cube cores") if has_products(build_forward(operator)) else ("aiv", "vector cores")
    most = product["cores"][kind]
    if cores is not None and cores > most:
        raise PipelineError(f"--cores: got {cores}, wants 1 to {most}, the {what} of {product['soc_version']}")
    return most


def _judge_output(option: str, path: str | None, others: dict[str, str | None] | None = None) -> None:
    """Refuses a path that cannot be written before the work is done rather than after, and one that would end another file.

    others: option -> file that the command reads or writes too.
    """
    from pathlib import Path

    from compiler.pipeline import PipelineError

    if path is not None and (Path(path).is_dir() or not Path(path).absolute().parent.is_dir()):
        got = "which is a folder" if Path(path).is_dir() else "whose folder does not exist"
        raise PipelineError(f"{option}: got {path}, {got}, wants the path of a file to write")
    for other, taken in (others or {}).items():
        if path is not None and taken is not None and Path(path).resolve() == Path(taken).resolve():
            raise PipelineError(f"{option}: got {path}, which is the file of {other}, wants another one")


@contextmanager
def _patience(what: str):
    """Says on standard error that something takes time, when it does: a spinner on a terminal, a line elsewhere."""
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(what):
            yield
        return
    from threading import Timer

    timer = Timer(10, lambda: click.echo(f"ascgrad: {what} ...", err=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _watch(operator, product: dict, print_after: str | None, stop_after: str | None, aside: bool = False) -> None:
    """Prints the program after a pass and ends after one, for commands that compile on their way."""
    if print_after or stop_after:
        _compile(operator, product, print_after, stop_after, aside)


def _compile(operator, product: dict, print_after: str | None = None, stop_after: str | None = None, aside: bool = False):
    """aside: programs go to standard error, because standard output carries one JSON object."""
    from compiler.pipeline import PASSES, PipelineError, Stop, compile_operator

    for option, value in (("--print-after", print_after), ("--stop-after", stop_after)):
        if value and value not in PASSES:
            raise PipelineError(f"{option}: got {value!r}, wants one of {', '.join(PASSES)}")

    def watch(name, program):
        if name == print_after:
            click.echo(_program_text(program), err=aside)
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


def _read(option: str, path: str | None) -> str | None:
    if path is None:
        return None
    from pathlib import Path

    from compiler.pipeline import PipelineError

    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise PipelineError(f"{option}: {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PipelineError(f"{option}: got {path}, which is no UTF-8 text") from None


if __name__ == "__main__":
    main()
