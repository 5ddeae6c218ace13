"""Each source and header of lib/ and tools/ compiles by itself. A unity build, which the tests have, hides a missing
include, and other builds then fail. This looks at those that changed last, which takes a minute.

    sources_alone.py BUILD [COUNT]    a build folder; how many (60); 0 is all of them, which takes an hour of one core

A skip (77) without git or its history."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMITS = 100
# Texts that a source includes as data.
TEXTS = {"lib/compile/stand_ins/texts", "lib/generate/philox_code.hpp"}


def latest(count):
    """The files that changed last, the latest first; of all commits where count is 0."""
    if not shutil.which("git"):
        print("skipped: needs git")
        sys.exit(77)
    limit = [f"-{COMMITS}"] if count else []
    patterns = [f"{room}/**.{kind}" for room in ("lib", "worker", "emulator", "tools") for kind in ("hpp", "cpp")]
    done = subprocess.run(["git", "-C", ROOT, "log", *limit, "--format=", "--name-only", "--", *patterns],
                          capture_output=True, text=True)
    names = done.stdout.split()
    if done.returncode != 0 or not names:
        print("skipped: needs git's history")
        sys.exit(77)
    there = [name for name in dict.fromkeys(names) if (ROOT / name).is_file() and
             not TEXTS & {name, os.path.dirname(name)}]
    return there[:count] if count else there


def commands_of(build):
    """The flags of each source, by its name in the repository."""
    with tempfile.TemporaryDirectory() as folder:
        script = ROOT / "tests/package/source_commands.py"
        subprocess.run([sys.executable, "-B", script, build, folder], check=True)
        commands = json.loads((pathlib.Path(folder) / "compile_commands.json").read_text())
    found = {}
    for each in commands:
        path = pathlib.Path(os.path.normpath(os.path.join(each["directory"], each["file"])))
        if path.is_relative_to(ROOT):
            found.setdefault(path.relative_to(ROOT).as_posix(), each["command"])
    return found


def flags_for(name, commands):
    """Those of the source, or of a source that lies near the header."""
    if name in commands:
        return commands[name]
    folder = os.path.dirname(name)
    while folder:
        for source in sorted(commands):
            if source.startswith(folder + "/"):
                return commands[source]
        folder = os.path.dirname(folder)
    return None


def fault_of(name, command, build):
    compiler, *words = shlex.split(re.sub(r"^ccache ", "", command))
    # Warnings are the build's to give.
    flags = [word for word in words if re.match(r"-(I|D|std|isystem|pthread|fno-|fPIC)", word)]
    done = subprocess.run([compiler, *flags, "-w", "-fsyntax-only", "-x", "c++", ROOT / name], cwd=build,
                          capture_output=True, text=True)
    return f"{name} does not compile by itself:\n{done.stderr}" if done.returncode != 0 else ""


def main(build, count=60):
    commands = commands_of(build)
    names = [(name, flags_for(name, commands)) for name in latest(count)]
    chosen = [(name, command) for name, command in names if command]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        faults = [fault for fault in threads.map(lambda each: fault_of(*each, build), chosen) if fault]
    print(f"{len(chosen)} files, {len(faults)} with a fault", *faults, sep="\n")
    sys.exit(1 if faults or not chosen else 0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), *map(int, sys.argv[2:3]))
