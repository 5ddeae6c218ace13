"""The program `kiln`: where it is, how it is run, and what its exit status means."""
import os
import shutil
import signal
import subprocess
import sys

from .errors import KilnError


def find_tool():
    named = os.environ.get("KILN_TOOL")
    found = shutil.which(named or "kiln")
    if found:
        return found
    if named:
        raise KilnError(f"KILN_TOOL is {named}, which is no program that can be run")
    raise KilnError("there is no program kiln on the PATH: build Kiln and install it, or name the program, such as "
                    "%env KILN_TOOL=/path/to/kiln/build/tools/kiln/kiln")


def tool_environment():
    """A notebook's virtual environment need not be activated: NVIDIA's wheels are looked for in it all the same."""
    environment = dict(os.environ)
    if sys.prefix != sys.base_prefix:
        environment.setdefault("VIRTUAL_ENV", sys.prefix)
    return environment


def run_tool(arguments, source):
    """Status, standard output and standard error of `kiln ARGUMENTS` with the source on standard input."""
    command, pipe = [find_tool(), *arguments], subprocess.PIPE
    with subprocess.Popen(command, env=tool_environment(), stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            output, errors = process.communicate(source.encode(errors="replace"))
        except BaseException:  # Jupyter's "Interrupt": neither a kernel that runs nor a zombie is left
            process.kill()
            process.wait()
            raise
    return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")


def fault_of(status, errors):
    """One line for the exception; all that the program said stands above it."""
    if status == 3 and '"kiln run --emulator"' in errors:
        return ("there is no GPU: add --emulator to the line of %%kiln, which runs the kernel on the CPU, or "
                "%env KILN_DRIVER=emulator for all cells")
    if status < 0:
        return f"kiln run was ended by {signal.Signals(-status).name}"
    # "kiln: the device is Kiln's PTX emulator" is a remark, where KILN_DRIVER names it.
    said = [line.partition(": ")[2] for line in errors.splitlines()
            if line.startswith("kiln: ") and not line.startswith("kiln: the device is ")]
    if said:
        return said[-1].partition("; ")[0]
    return "a result is not what was expected" if status == 1 else f"kiln run failed with exit status {status}"
