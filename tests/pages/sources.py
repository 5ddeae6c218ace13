"""All C++ of README.md and docs/*.md as one source, so that the headers are read once: each piece as a function, each
program as a namespace, and a main that calls the program that its argument names.

    sources.py REPOSITORY OUTPUT DEPFILE

A piece that does not compile stops the build; diagnostics point into the page. What pieces use without declaring it are
the parameters below; blocks.py says how a page tells more."""
import pathlib
import re
import sys

import blocks

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
INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)
# What programs use by these includes; other programs' includes would hide that one is missing.
USES = {"cstdio": r"std::(printf|puts|FILE)\b", "vector": r"std::vector\b", "string": r"std::string\b",
        "chrono": r"std::chrono\b", "cuda.h": r"\bcu[A-Z]\w+\(|\bCU_[A-Z]"}


def split_includes(code):
    """The include lines at the beginning, and the code with empty lines in their place."""
    end = re.match(r"(?:#include .*\n|//.*\n|\n)*", code).end()
    return INCLUDE.findall(code[:end]), INCLUDE.sub("", code[:end]) + code[end:]


def placed(block, code):
    return f'#line {block.line} "{block.page}"\n{code}'


def program(block):
    includes, code = split_includes(block.code)
    for header, use in USES.items():
        if re.search(use, code) and f"#include <{header}>" not in includes:
            sys.exit(f"{block.where()}: the program {block.value} does not include <{header}>")
    # In a namespace main has to return by itself.
    code, count = re.subn(r"\}\n$", "return 0; }\n", code)
    if not count or "int main() {" not in code:
        sys.exit(f"{block.where()}: a program ends with main, which takes nothing")
    return includes, f"namespace page_{block.value} {{\n{placed(block, code)}}}\n"


def pieces(page):
    """Includes and functions of a page's pieces."""
    includes, text, count, depth = [], "", 0, 0
    for block in blocks.blocks(page):
        if block.language != "cpp" or block.mark in ("program", "fragment"):
            continue
        own, code = split_includes(block.code)
        # The comment with what is given stands two lines above the code's first.
        code = f'#line {block.line - 2} "{page}"\n{block.value}\n{{\n{placed(block, code)}'
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
    includes, text, names = [], "", []
    for page in blocks.pages(root):
        for fault in blocks.mark_faults(page):
            sys.exit(fault)
        for block in blocks.blocks(page):
            if block.mark == "program" and block.language == "cpp":
                own, code = program(block)
                includes, text, names = includes + own, text + code, names + [block.value]
        own, code = pieces(page)
        includes, text = includes + own, text + code
    calls = "".join(f'  if (name == "{name}") return page_{name}::main();\n' for name in names)
    text += ("int main(int, char** arguments) {\n  const std::string_view name = arguments[1];\n"
             f"{calls}  return 2;\n}}\n")
    output.write_text(HEAD + "\n".join(dict.fromkeys(includes)) + "\n" + text)
    # The folder, too: a page may be new.
    depfile.write_text(f"{output.name}: {root / 'docs'} " + " ".join(map(str, blocks.pages(root))) + "\n")


main(*map(pathlib.Path, sys.argv[1:]))
