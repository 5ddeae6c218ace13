"""Kiln in Jupyter: `%load_ext kiln` brings the cell magic %%kiln, which runs a cell of CUDA C++ by `kiln run`."""


def load_ipython_extension(ipython):
    """What %load_ext calls."""
    from .magic import KilnMagics

    ipython.register_magics(KilnMagics)
