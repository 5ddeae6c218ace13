"""The Debian packages that a build needs are those of tools/setup.sh wherever else they stand.

    dependencies.py REPOSITORY"""
import pathlib
import re
import subprocess
import sys

# Not of the lists that are compared: what Debian's own tools bring, and what a place has for itself.
BROUGHT = {"packaging/debian/control": {"g++", "ninja-build"}, "packaging/conan/conanfile.py": {"g++"}}
OWN = {"packaging/debian/control": {"cmake", "debhelper-compat", "help2man"}, "packaging/conan/conanfile.py": {"cmake"}}


def needs(root, function):
    """The packages of one list of tools/setup.sh."""
    script = f'kiln_source="$1"; . "$1/tools/setup.sh"; {function}'
    done = subprocess.run(["sh", "-c", script, "sh", str(root)], check=True, capture_output=True, text=True)
    return {line.split()[2] for line in done.stdout.splitlines()}


def plain(name):
    """Without a version in it, as Debian 12's Boost has one."""
    return re.sub(r"^(libboost.*?)[\d.]*-dev$", r"\1-dev", name)


def of_control(text):
    block = re.search(r"^Build-Depends:\n((?: .*\n)+)", text, re.MULTILINE)[1]
    names = {choice.split()[0] for line in block.splitlines() for choice in line.strip(" ,").split("|")}
    return {plain(name) for name in names}


def of_conan(text):
    block = re.search(r"def system_requirements.*?(?=\n\S|\n    def |\Z)", text, re.DOTALL)[0]
    return {name.replace("{}", "") for name in re.findall(r'"([a-z][\w+{}-]+)"', block)}


def faults(root):
    build = needs(root, "kiln_build_needs")
    if len(build) < 10:
        yield f"tools/setup.sh: kiln_build_needs names only {sorted(build)}"
    for file, read in ("packaging/debian/control", of_control), ("packaging/conan/conanfile.py", of_conan):
        found = read((root / file).read_text()) - OWN[file]
        wanted = build - BROUGHT[file]
        for name in sorted(found ^ wanted):
            yield f"{file}: {name} is {'missing' if name in wanted else 'not in kiln_build_needs of tools/setup.sh'}"
    page = (root / "docs/install.md").read_text()
    block = re.search(r"^## What a build needs$.*?^## ", page, re.MULTILINE | re.DOTALL)[0]
    lists = "kiln_build_needs; kiln_test_needs; kiln_check_needs; kiln_page_needs; kiln_notebook_needs; kiln_mpi_needs"
    for name in sorted(needs(root, lists)):
        if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", block):
            yield f"docs/install.md: {name} is missing under \"What a build needs\""


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) or "no fault")
    sys.exit(1 if found else 0)
