"""docs/libraries.md, the tables in lib/toolkit, and what NVIDIA's installed libraries export and their headers declare
are one and the same. Usage: library_symbols.py SOURCE_ROOT CUDA_INCLUDE PRINT_LIBRARIES"""
import os
import pathlib
import re
import subprocess
import sys

root, cuda_include, print_libraries = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
# Of each library: the prefix of its functions and of its results, and its header.
LIBRARIES = {
    "nvrtc": ("nvrtc", "NVRTC", "nvrtc.h"),
    "nvvm": ("nvvm", "NVVM", "nvvm.h"),
    "nvjitlink": ("nvJitLink", "NVJITLINK", "nvJitLink.h"),
}
faults = []


def rows(heading):
    """The cells of each row of the tables below a heading of the page, without backticks."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    lines = section[1].splitlines() if section else []
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")]
            for line in lines if line.startswith("| `")]


def documented(prefix, results):
    everything = rows("NVRTC") + rows("NVVM") + rows("nvJitLink")
    functions = [row[0] for row in everything if re.match(rf"{prefix}[A-Z]", row[0])]
    return functions, {row[0]: row[1] for row in everything if row[0].startswith(results + "_")}


def bound(name, prefix):
    """What the library's table in lib/toolkit binds by name."""
    source = (root / "lib/toolkit/libraries" / f"{name}_library.hpp").read_text()
    return set(re.findall(rf'=\s+(?:library\.)?(?:require|required|newer)\(\s*"({prefix}[A-Z]\w*)"', source))


def exported(path):
    """Functions, each once, whatever versions are in the spellings of its name."""
    lines = subprocess.run(["nm", "-D", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    names = [line.split()[2].split("@")[0] for line in lines.splitlines() if line.split()[1] in "TWi"]
    return {re.sub(r"^__(nvJitLink\w+?)_1[23]_\d+$", r"\1", name) for name in names}


def declared_results(header, results):
    """{name: value} of a C enumeration."""
    body = re.search(rf"enum\s*\w*\s*\{{([^}}]*\b{results}_SUCCESS\b[^}}]*)\}}", header.read_text())
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^#[^\n]*", "", body[1], flags=re.S | re.M)
    values, last = {}, -1
    for entry in filter(None, (part.strip() for part in text.split(","))):
        enumerator, _, value = (part.strip() for part in entry.partition("="))
        last = int(value) if value else last + 1
        values[enumerator] = str(last)
    return values


def header_of(library, name):
    """That of the library's own toolkit, else the one that Kiln is built with."""
    roots = list(pathlib.Path(library).parents)[1:4]
    found = [place / "include" / name for place in roots if (place / "include" / name).is_file()]
    return found[0] if found else cuda_include / name


def check_page(name):
    """The page against Kiln's sources."""
    prefix, results, _ = LIBRARIES[name]
    functions, codes = documented(prefix, results)
    table = bound(name, prefix)
    for function in sorted(table ^ set(functions)):
        where = ("bound, but not in docs/libraries.md" if function in table
                 else "in docs/libraries.md, but no source binds it")
        faults.append(f"{name}: {function} is {where}")
    if len(functions) != len(set(functions)):
        faults.append(f"{name}: a function has two rows in docs/libraries.md")
    names = re.findall(rf'"({results}_\w+)"', (root / "lib/toolkit/libraries/result_names.cpp").read_text())
    if [(code, str(value)) for value, code in enumerate(names)] != list(codes.items()):
        faults.append(f"{name}: the results of docs/libraries.md and of lib/toolkit/libraries/result_names.cpp differ")
    if not functions or not codes:
        faults.append(f"{name}: docs/libraries.md has no rows of it")


def check_library(name, path):
    """A library, and its header, against the page."""
    prefix, results, header_name = LIBRARIES[name]
    functions, codes = documented(prefix, results)
    left_out = {row[0] for row in rows("Left out")}
    symbols = exported(path)
    for symbol in sorted(symbols - set(functions) - left_out):
        faults.append(f"{path} exports {symbol}, which is neither bound nor left out in docs/libraries.md")
    known = symbols & set(functions)
    header = header_of(path, header_name)
    declared = declared_results(header, results) if header.is_file() else {}
    for code, value in declared.items():
        if codes.get(code) != value:
            faults.append(f"{header} declares {code} = {value}, which docs/libraries.md has not")
    if not known:
        faults.append(f"{path} exports no function that is known")
    print(f"{path}: {len(known)} functions; {header}: {len(declared)} results")
    return len(declared)


page = (root / "docs/libraries.md").read_text()
for library in LIBRARIES:
    check_page(library)

environments = [dict(os.environ)]
if os.environ.get("KILN_TEST_CUDA_12"):  # tests/run.sh fetched it
    environments.append(dict(os.environ, CUDA_HOME=os.environ["KILN_TEST_CUDA_12"]))
checked = set()
results_of = dict.fromkeys(LIBRARIES, 0)
for environment in environments:
    output = subprocess.run([print_libraries], check=True, capture_output=True, text=True, env=environment).stdout
    for library, path in (line.split(" ", 1) for line in output.splitlines()):
        if path not in checked:
            checked.add(path)
            results_of[library] += check_library(library, path)
for library, count in results_of.items():
    if count == 0:
        faults.append(f"{library}: no library with a header was found to check")

print("\n".join(faults))
sys.exit(1 if faults else 0)
