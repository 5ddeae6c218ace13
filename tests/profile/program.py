"""How profile_cases is run."""
import os
import pathlib
import subprocess

KERNELS = pathlib.Path(__file__).resolve().with_name("kernels")


def write_cases(path, tagged):
    """Cases with their tags, as the program reads them."""
    pathlib.Path(path).write_text("".join(case.line(tag) + "\n" for tag, case in tagged))


def command(program, cases_file):
    return [str(program), str(KERNELS), str(cases_file)]


def environment(program, **more):
    """The library lies in a folder `lib` beside the build's other folders."""
    libraries = [str(parent / "lib") for parent in pathlib.Path(program).resolve().parents if
                 (parent / "lib/libkiln.so").exists()]
    path = ":".join(filter(None, libraries + [os.environ.get("LD_LIBRARY_PATH", "")]))
    kept = {name: value for name, value in os.environ.items() if name not in ["KILN_DRIVER", "KILN_EMULATOR_PROFILE"]}
    return {**kept, "LC_ALL": "C", "LD_LIBRARY_PATH": path, **more}


def run(arguments, environment, timeout):
    """Status and output; a status of None is a timeout."""
    try:
        done = subprocess.run(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=timeout)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace")
