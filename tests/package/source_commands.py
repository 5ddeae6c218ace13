"""Writes a compile_commands.json that has every source by itself, as clang-tidy wants it: in a unity build Meson's has
only the files that include them. Usage: source_commands.py BUILD_FOLDER FOLDER"""
import json
import os
import pathlib
import re
import sys

build, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
commands = []
for command in json.loads((build / "compile_commands.json").read_text()):
    file = command["file"]
    sources = [file]
    if re.search(r"-unity\d+\.cpp$", file):
        sources = [os.path.normpath(name) for name in re.findall(r"^#include\s*<(.*)>$", (build / file).read_text(), re.M)]
    # clang's -Wshadow has one strength.
    text = command["command"].replace("-Wshadow=local", "-Wshadow")
    commands += [command | {"file": source, "command": text.replace(file, source)} for source in sources]
(folder / "compile_commands.json").write_text(json.dumps(commands, indent=1))
