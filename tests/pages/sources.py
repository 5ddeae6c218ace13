"""All C++ of README.md and docs/*.md as one source, so that the headers are read once: each piece as a function, and
the programs as one_program.py makes one of several.

    sources.py REPOSITORY OUTPUT DEPFILE

A piece that does not compile stops the build; diagnostics point into the page. What pieces use without declaring it are
the parameters below; blocks.py says how a page tells more."""
import pathlib
import re
import sys

import blocks
from one_program import Programs, placed, split_includes

HEAD = """#include <kiln/kiln.hpp>

#include <cstdio>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>
"""
PARAMETERS = """const std::string& source, const kiln::CompileOptions& options, const kiln::SourceModule& module,
    const kiln::Function& scale, kiln::DeviceBuffer<float>& values, kiln::DeviceBuffer<float>& x,
    kiln::DeviceBuffer<float>& y, const kiln::Stream& stream, const int n"""
# Marks of pieces that not every compiler or machine can compile: clang before 16 does not read libstdc++'s ranges.
GUARDS = {"mpi": "defined KILN_PAGES_MPI", "ranges": "!defined __clang__ || __clang_major__ > 15"}
# What programs use by these includes; other programs' includes would hide that one is missing.
USES = {"cstdio": r"std::(printf|puts|FILE)\b", "vector": r"std::vector\b", "string": r"std::string\b",
        "chrono": r"std::chrono\b", "cuda.h": r"\bcu[A-Z]\w+\(|\bCU_[A-Z]"}


def add_program(programs, block):
    includes, code = split_includes(block.code)
    for header, use in USES.items():
        if re.search(use, code) and f"#include <{header}>" not in includes:
            sys.exit(f"{block.where()}: the program {block.value} does not include <{header}>")
    if fault := programs.add(block.value, block.code, block.page, block.line):
        sys.exit(f"{block.where()}: {fault}")


def pieces(page):
    """Includes and functions of a page's pieces."""
    includes, text, count, depth = [], "", 0, 0
    for block in blocks.blocks(page):
        if block.language != "cpp" or block.mark in ("program", "fragment"):
            continue
        own, code = split_includes(block.code)
        # The comment with what is given stands two lines above the code's first.
        code = f'#line {block.line - 2} "{page}"\n{block.value}\n{{\n{placed(code, page, block.line)}'
        if condition := GUARDS.get(block.mark):
            own, code = [guarded(condition, line) for line in own], guarded(condition, code, "{\n")
        includes += own
        if block.mark != "continues":
            # Inline, and not called: no code is made of it.
            name = f"{page.stem.lower().replace('-', '_')}_{count}"
            text += "}" * depth + f"\ninline void {name}({PARAMETERS}) {{\n"
            count, depth = count + 1, 1
        text += code
        depth += 1
    return includes, text + "}" * depth + "\n"


def guarded(condition, text, otherwise=""):
    return f"#if {condition}\n{text}\n#else\n{otherwise}\n#endif\n"


def main(root, output, depfile):
    programs = Programs()
    for page in blocks.pages(root):
        for fault in blocks.mark_faults(page):
            sys.exit(fault)
        for block in blocks.blocks(page):
            if block.mark == "program" and block.language == "cpp":
                add_program(programs, block)
        includes, text = pieces(page)
        programs.includes += includes
        programs.text += text
    output.write_text(programs.source(HEAD))
    # The folder, too: a page may be new.
    depfile.write_text(f"{output.name}: {root / 'docs'} " + " ".join(map(str, blocks.pages(root))) + "\n")


main(*map(pathlib.Path, sys.argv[1:]))
