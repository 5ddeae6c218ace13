"""Runs the commands of a page's blocks that are marked `<!-- run -->`, in their order and in one new folder, and
compares what they print.

    run_commands.py PROGRAMS KILN EMULATOR PAGE

PROGRAMS is what was built of sources.py's output. In the folder are the page's files, `kiln`, and its programs under
their names, so that "$ g++" is passed over. Times, addresses, the compiler's version, and the size and registers of
what it made are not compared; a line "..." stands for any lines, and " ..." at a line's end for its rest."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import blocks

ANY = {r"\b0x[0-9a-f]{6,}\b": "0x#", r"\b\d+(\.\d+)? (ns|us|ms)\b": "# \\2", r"NVRTC \d+\.\d+": "NVRTC #",
       r"\b\d+ (bytes;|registers)": "# \\1"}


def plain(text):
    for pattern, replacement in ANY.items():
        text = re.sub(pattern, replacement, text)
    return text


def fits(printed, expected):
    pattern = re.escape(plain(expected).strip() + "\n").replace(re.escape(" ...\n"), " .*" + re.escape("\n"))
    pattern = pattern.replace(re.escape("\n...\n"), r"\n(?:.*\n)*?")
    return re.fullmatch(pattern, plain(printed).strip() + "\n") is not None


def commands(code):
    """(command, what it is to print) of a block."""
    for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, expected = re.sub(r" *\\\n *", " ", part).partition("\n")
        yield re.sub(r" {2,}# .*", "", command), expected


def put_program(folder, name, programs):
    file = folder / name
    file.write_text(f'#!/bin/sh\nexec "{programs}" {name}\n')
    file.chmod(0o755)


def main(programs, kiln, emulator, page):
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # A folder of its own for the cache, and what the machine says of toolkits and sanitizers.
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith(("KILN_", "PYCUDA_", "XDG_"))}
        environment |= {"PATH": f"{kiln.parent}:{os.environ['PATH']}", "LC_ALL": "C", "HOME": name, "TMPDIR": name,
                        "KILN_DRIVER": str(emulator), "KILN_PCH": "off"}
        for block in blocks.blocks(page):
            if block.mark == "file":
                (folder / block.value).write_text(block.code)
            elif block.mark == "program":
                put_program(folder, block.value, programs)
            elif block.mark == "run":
                for command, expected in commands(block.code):
                    if command.startswith("g++ "):
                        continue
                    run = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, timeout=100)
                    count += 1
                    if not fits(run.stdout, expected):
                        faults.append(f"{block.where()}: $ {command}\nprinted, with exit status {run.returncode},\n"
                                      f"{run.stdout}where the page has\n{expected}")
    if not count:
        faults.append(f"{page}: no commands to run")
    print("\n".join(faults) or f"{count} commands, as the page says")
    return 1 if faults else 0


paths = [pathlib.Path(argument).resolve() for argument in sys.argv[1:]]
sys.exit(main(*paths))
