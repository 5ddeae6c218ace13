"""The shared library exports what packaging/abi lists for its SONAME: see docs/versions.md.

    abi.py [--update] LIBRARY REPOSITORY

A symbol that is gone ends the promise to programs that were linked before: the SONAME's number must go up. --update
writes the list anew, but drops nothing that the last release (git's last tag v*) had."""
import pathlib
import re
import subprocess
import sys

from dynamic_symbols import exported, output


def symbols_of(library):
    """But for weak functions, which depend on what the compiler made inline, and for the classes Impl, which no program
    can name."""
    return {name for letter, name in exported(library) if letter not in "Wwu" and not re.search(r"(?<!\d)4Impl", name)}


def soname_of(library):
    return re.search(r"\(SONAME\).*\[(.*)\]", output("readelf", "-d", library))[1]


def demangled(names):
    return subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True).stdout


def released_symbols(repository, path):
    """Those of the last release; none where there is no release, or no list in it."""
    def git(*arguments):
        return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, text=True).stdout
    tag = git("describe", "--tags", "--abbrev=0", "--match", "v*").strip()
    return set(git("show", f"{tag}:{path}").split()) if tag else set()


def show(text, names):
    if names:
        print(text, *("  " + name for name in demangled(sorted(names)).splitlines()), sep="\n")


def main(update, library, repository):
    path = f"packaging/abi/{soname_of(library)}.symbols"
    file = pathlib.Path(repository) / path
    now = symbols_of(library)
    if not now:
        sys.exit(f"{library} exports nothing")
    if update:
        lost = released_symbols(repository, path) - now
        show("gone since the last release, so that `soversion` in lib/meson.build must go up:", lost)
        if not lost:
            file.write_text("\n".join(sorted(now)) + "\n")
        sys.exit(1 if lost else 0)
    if not file.is_file():
        sys.exit(f"no {path}: packaging/abi_check.sh --update makes it for a new SONAME")
    listed = set(file.read_text().split())
    show(f"in {path}, and gone: if a release had them, `soversion` in lib/meson.build must go up (docs/versions.md):",
         listed - now)
    show(f"exported, and not in {path}:", now - listed)
    if listed != now:
        sys.exit("packaging/abi_check.sh --update writes the list anew")
    print(f"{len(now)} symbols, as {path} lists them")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main("--update" in arguments, *(argument for argument in arguments if argument != "--update"))
