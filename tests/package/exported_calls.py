"""kiln-worker exports the functions by which it records what compilers ask, and places NVRTC's heap for precompiled
headers: a linker that drops one leaves a hole.

Usage: exported_calls.py PROGRAM LIST...
"""
import pathlib
import re
import sys

from dynamic_symbols import exported


def main(program, *lists):
    wanted = {name for one in lists for name in re.findall(r"^  (\w+);", pathlib.Path(one).read_text(), re.M)}
    missing = sorted(wanted - {name for _, name in exported(program)})
    print("not exported: " + ", ".join(missing) if missing else f"{len(wanted)} functions, no fault")
    return 1 if missing or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
