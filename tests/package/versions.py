"""The version is that of meson.build wherever else it stands, and so is the SONAME that of lib/meson.build.

    versions.py REPOSITORY"""
import pathlib
import re
import sys

# File, pattern, and what its group must be.
PLACES = [
    ("python/pyproject.toml", r'^version = "(.*)"$', "version"),
    ("CITATION.cff", r"^version: (.*)$", "version"),
    ("README.md", r"^\*\*Status\.\*\* Version ([\d.]+), ", "minor"),
    ("tests/package/consumer/CMakeLists.txt", r"find_package\(kiln ([\d.]+) ", "minor"),
    ("docs/versions.md", r"SONAME is `libkiln\.so\.(\d+)`", "soname"),
    ("docs/versions.md", r"`packaging/abi/libkiln\.so\.(\d+)\.symbols`", "soname"),
]


def stated(root, file, pattern):
    path = root / file
    found = re.search(pattern, path.read_text(), re.MULTILINE) if path.is_file() else None
    return found[1] if found else None


def faults(root):
    version = stated(root, "meson.build", r"^  version: '(\d+\.\d+\.\d+)',$")
    soname = stated(root, "lib/meson.build", r"^  soversion: '(\d+)',$")
    if not version or not soname:
        yield "meson.build has no version of three numbers, or lib/meson.build no soversion"
        return
    wanted = {"version": version, "minor": version.rpartition(".")[0], "soname": soname}
    for file, pattern, kind in PLACES:
        found = stated(root, file, pattern)
        if found != wanted[kind]:
            yield f"{file}: the {kind} is {found}, and Meson's {wanted[kind]}"
    symbols = f"packaging/abi/libkiln.so.{soname}.symbols"
    if not (root / symbols).is_file():
        yield f"no {symbols}"


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or f"{len(PLACES)} places, no fault")
    sys.exit(1 if found else 0)
