"""The cell magic %%kiln."""
import pathlib
import sys
import tempfile

from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import display

from . import report
from .arguments import ArgumentPasser, load_result
from .command_line import read_line
from .errors import KilnError
from .kernels import choose_kernel
from .tool import fault_of, run_tool


@magics_class
class KilnMagics(Magics):
    @cell_magic
    def kiln(self, line, cell):
        """Runs a kernel of the cell, which is CUDA C++, and shows what it wrote.

            %%kiln [KERNEL] --grid 4 --block 256 [ARGUMENT]... [--emulator] [--profile] [any option of "kiln run"]

        KERNEL may be left out where the cell has one __global__ function. An argument is a Python variable (a number,
        or an array of NumPy's that the kernel reads; out:y for an array that it writes, inout:y for one that it reads
        and writes), or what "kiln run" takes: 1000, 1.5f, float[1000]=arange, out:float[1000]. --profile shows what
        the emulator counted.
        """
        # Behind an empty line the compiler counts lines as the notebook does: the first is that of %%kiln.
        run_cell(line, "\n" + cell, self.shell.user_ns)


def run_cell(line, source, variables):
    read = read_line(line)
    kernel, words = choose_kernel(source, read.words)
    with tempfile.TemporaryDirectory(prefix="kiln-") as folder:
        passer = ArgumentPasser(variables, kernel, folder)
        arguments = [passer.text_of(position, word) for position, word in enumerate(words)]
        page = pathlib.Path(folder, "profile.html")
        options = [*read.options, *passer.save_options(), *(["--profile", str(page)] if read.shows_profile else [])]
        status, output, errors = run_tool(["run", "-", *options, "--", kernel, *arguments], source)
        sys.stdout.write(output)
        sys.stderr.write(errors)
        for result in passer.results:
            if pathlib.Path(result.path).exists():
                load_result(result)
        if page.exists():
            display(report.bundle(page.read_text(encoding="utf-8")), raw=True)
    if status != 0:
        raise KilnError(fault_of(status, errors) + passer.advice_for(errors))
