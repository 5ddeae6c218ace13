"""Includes between the rooms of lib/ point only the way that ARCHITECTURE.md allows, and public headers stay public."""
import pathlib
import re
import sys

# What each room may include directly; what those may include, it may too.
USES = {
    "base": [],
    "cache": ["base"],
    "template": ["base"],
    "toolkit": ["base"],
    "memory": ["toolkit"],
    "launch": ["memory"],
    "compile": ["cache", "toolkit"],
    "worker": ["compile"],
    "module": ["template", "compile", "launch"],
    "emulator": ["toolkit"],
}


def reachable(room):
    rooms = {room}
    for used in USES[room]:
        rooms |= reachable(used)
    return rooms


def includes(path):
    """(line number, '<' or '"', name) of each include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match[1], match[2]


def room_faults(lib):
    for path in sorted(lib.glob("*/**/*.[ch]pp")):
        room = path.relative_to(lib).parts[0]
        if room not in USES:
            yield f"{path}: no rule says what room {room} may include"
            continue
        for number, quote, name in includes(path):
            first = name.split("/")[0]
            if quote == '"' and (first not in USES or not (lib / name).is_file()):
                yield f'{path}:{number}: "{name}" is not a header of a room, spelled "room/name.hpp"'
            elif first == "boost" and room != "worker":
                yield f"{path}:{number}: only the room worker may include Boost"
            elif quote == '"' and first not in reachable(room):
                yield f"{path}:{number}: room {room} must not include room {first}"


def public_faults(include):
    for path in sorted(include.glob("kiln/*.hpp")):
        for number, quote, name in includes(path):
            known = (include / name).is_file() if "/" in name else "." not in name
            if quote == '"' or not known:
                yield f"{path}:{number}: a public header includes {name}"


root = pathlib.Path(sys.argv[1])
faults = list(room_faults(root / "lib")) + list(public_faults(root / "include"))
sources = len(list((root / "lib").glob("*/**/*.[ch]pp"))) + len(list((root / "include").glob("kiln/*.hpp")))
print("\n".join(faults) or f"{sources} files, no fault")
sys.exit(1 if faults or not sources else 0)
