# Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.
"""Runs TextGatedResidualGrad on a device and compares: gen_data.py, the compiled runner, compare.py.

    python3 run.py --shape B=1,S=2,C=4,H=16,R=16 --dtype bfloat16

Arguments are those of gen_data.py. ASCEND_HOME_PATH tells where the toolkit is; the operator must be installed, and
--include and --library add the places of its header and library when it is a package of its own.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def build(toolkit, includes, libraries, runner):
    """Compiles the runner against the toolkit's acl and the operator's aclnn library."""
    folders = [toolkit / "include", *map(Path, includes)]
    places = [toolkit / "lib64", *(Path(p) for p in libraries if Path(p).is_dir())]
    named = [p for p in libraries if not Path(p).is_dir()] or ["-lopapi"]
    command = ["g++", "-std=c++17", "-O1", str(HERE / "runner.cpp"), "-o", str(runner)]
    command += [f"-I{f}" for f in folders] + [f"-L{p}" for p in places] + [f"-Wl,-rpath,{p}" for p in places]
    return subprocess.run(command + named + ["-lnnopbase", "-lascendcl"], check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="case")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--library", action="append", default=[], help="a folder to search, or a library file")
    parser.add_argument("--device", default="0")
    arguments, data_arguments = parser.parse_known_args()
    toolkit = os.environ.get("ASCEND_HOME_PATH")
    if not toolkit:
        sys.exit("ASCEND_HOME_PATH: got nothing, wants the toolkit's folder (source its set_env.sh)")
    case = Path(arguments.out)
    case.mkdir(parents=True, exist_ok=True)
    runner = case / "runner"
    steps = [
        lambda: subprocess.run([sys.executable, str(HERE / "gen_data.py"), "--out", str(case), *data_arguments],
                               check=False).returncode,
        lambda: build(Path(toolkit), arguments.include, arguments.library, runner),
        lambda: subprocess.run([str(runner.resolve()), str(case), arguments.device], check=False).returncode,
        lambda: subprocess.run([sys.executable, str(HERE / "compare.py"), str(case)], check=False).returncode,
    ]
    for step in steps:
        status = step()
        if status != 0:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
