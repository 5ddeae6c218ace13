"""Runs what `tests/gpu.sh pack` packed and prints a short report. Usage: gpu_report.py FOLDER [PART...]"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77  # Meson's exit status for a skipped test
TIMEOUT = 600

folder = pathlib.Path(sys.argv[1]).resolve()
parts = sys.argv[2:] or ["tests", "sanitizer", "benchmarks"]
repository = pathlib.Path(__file__).resolve().parents[1]
info = json.loads((folder / "meson-info/meson-info.json").read_text())["directories"]
counts = {"passed": 0, "failed": 0, "skipped": 0}


def here(text):
    """A path of the machine where Kiln was built, as it is on this one."""
    return text.replace(info["build"], str(folder)).replace(info["source"], str(repository))


def listed(kind):
    """The tests or benchmarks as (name, suites, command, environment)."""
    for test in json.loads((folder / f"meson-info/intro-{kind}.json").read_text()):
        suites = {suite.split(":")[-1] for suite in test["suite"]}
        yield test["name"], suites, [here(part) for part in test["cmd"]], {k: here(v) for k, v in test["env"].items()}


def cannot_look_at(output, status):
    """Whether a tool of compute-sanitizer failed only by warning of each module with dynamic parallelism."""
    warnings = output.count("Warning: CUDA Dynamic Parallelism is not supported by the selected tool")
    summary = re.search(r"(?:RACECHECK SUMMARY|ERROR SUMMARY): (\d+) ", output)
    return status == 99 and summary is not None and int(summary[1]) == warnings


def run(name, command, environment):
    """Runs one program and prints one line for it; what it printed follows where it failed."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=folder, text=True, errors="replace", timeout=TIMEOUT)
        status, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        status, output = "timeout", (late.stdout or b"").decode(errors="replace")
    if "Target application terminated before first instrumented API call" in output:
        status = SKIPPED  # compute-sanitizer has nothing to look at in a program that never calls the driver
    if cannot_look_at(output, status):
        name, status = name + " (but for modules with dynamic parallelism, which this tool cannot look at)", 0
    result = "passed" if status == 0 else "skipped" if status == SKIPPED else "failed"
    counts[result] += 1
    print(f"{result:8} {time.monotonic() - start:6.1f} s  {name}", flush=True)
    if result == "failed":
        print(f"--- {' '.join(command)}: {status}\n{output[-4000:]}\n---", flush=True)
    return output


def stand_in_for_build_folder():
    """Some tests have the path of a helper program compiled in: lets it lead here."""
    build = pathlib.Path(info["build"])
    if build.exists() or build.is_symlink():
        return
    try:
        build.parent.mkdir(parents=True, exist_ok=True)
        build.symlink_to(folder)
    except OSError as error:
        print(f"{build} cannot be made to lead to {folder}: {error}")


def run_tests(prefix, left_out=(), cases_left_out=""):
    for name, suites, command, environment in listed("tests"):
        if suites & {"gpu", "examples"} and not any(part in name for part in left_out):
            if cases_left_out and pathlib.Path(command[0]).name == "gpu_tests":
                command = [*command, *(["others"] if len(command) == 1 else []), "-tce=" + cases_left_out]
            run(name, prefix + command, {**common, **environment})


stand_in_for_build_folder()
with tempfile.TemporaryDirectory() as scratch:
    libraries = [str(folder / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    common = {"KILN_CACHE_DIR": f"{scratch}/cache", "KILN_TEST_EXHAUSTIVE": "1",
              "LD_LIBRARY_PATH": ":".join(filter(None, libraries))}
    if "tests" in parts:
        print("== tests on the GPU")
        run_tests([])
    if "sanitizer" in parts:
        sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
        for tool in ["memcheck", "racecheck", "initcheck"]:
            print(f"== the same under compute-sanitizer {tool}")
            run_tests([sanitizer, "--tool", tool, "--target-processes", "all", "--error-exitcode", "99"] +
                      # Some tests provoke errors of the driver on purpose.
                      (["--report-api-errors", "no"] if tool == "memcheck" else []),
                      # Gigabytes would take hours. The others do not see what kernels that were launched from the
                      # device write.
                      ["12 GB"] if tool == "memcheck" else ["12 GB", "dynamic_parallelism"],
                      # Where a kernel's own launch fails, memcheck of CUDA 13.0 reports an invalid write in it and ends
                      # the parent, also in a program of nvcc's.
                      "dynamic parallelism: a launch that cannot be*")
    if "benchmarks" in parts:
        print("== benchmarks")
        for name, _, command, environment in listed("benchmarks"):
            print(run(name, command, {**common, **environment}), end="", flush=True)
        library = folder / "lib/libkiln.so"
        print(f"libkiln.so: {library.stat().st_size / 1024:.0f} KiB without debug information")

print(", ".join(f"{count} {result}" for result, count in counts.items()))
sys.exit(1 if counts["failed"] or not counts["passed"] else 0)
