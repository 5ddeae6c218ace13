"""Includes between the rooms of lib/, and between the folders of a room, point only the way that the tables below
allow; no file includes itself through others; public headers stay public."""
import pathlib
import re
import sys

# What each room may include directly; what those may include, it may too.
ROOMS = {
    "base": [],
    "cache": ["base"],
    "template": ["base"],
    "toolkit": ["base"],
    "memory": ["toolkit"],
    "launch": ["memory"],
    "compile": ["cache", "toolkit"],
    "worker": ["compile"],
    "capture": ["compile", "launch"],
    "module": ["template", "capture"],
    "generate": ["module"],
    "tune": ["module"],
    "emulator": ["toolkit"],
}

# The same for the folders of a room: a row for each folder that has sources, "." for the room's own.
SUB_ROOMS = {
    "toolkit": {
        "names": [],
        "image": ["names"],
        "locate": ["image"],
        "driver": ["locate", "names"],
        "libraries": ["locate"],
    },
    "compile": {
        "options": [],
        "compiler": [],
        "recording": [],
        "stand_ins": [],
        "stand_ins/texts": [],
        "worker": [],
        "headers": ["compiler", "stand_ins"],
        "code": ["headers", "options"],
        "identity": ["options"],
        "request": ["headers", "identity"],
        "nvrtc": ["request", "code"],
        "nvvm": ["request"],
        "nvjitlink": ["code"],
        "jobs": ["nvrtc", "nvvm", "nvjitlink", "worker"],
        "remote": ["jobs"],
        "store": ["remote"],
        "record": ["nvjitlink", "identity"],
        "link": ["store", "record"],
        ".": ["link"],
    },
    "worker": {
        "dependencies": [],
        "nvcc": ["dependencies"],
        "background": [],
        "pch": ["background", "dependencies"],
        "remote": ["background", "dependencies"],
        ".": ["nvcc", "pch", "remote"],
    },
    "emulator": {
        "core": [],
        "numbers": [],
        "ptx": [],
        "memory": ["core"],
        "machine": ["memory", "ptx"],
        "checks": ["machine"],
        "profile": ["machine", "profile/page"],
        "profile/page": [],
        "lowering": ["machine"],
        "texture": ["memory", "numbers"],
        "tensor_map": ["core"],
        "instructions": ["lowering"],
        "instructions/grammar": ["lowering"],
        "instructions/integer": ["instructions", "numbers"],
        "instructions/floating": ["instructions", "numbers"],
        "instructions/conversion": ["instructions/floating"],
        "instructions/memory": ["instructions", "numbers"],
        "instructions/bulk": ["instructions/memory", "tensor_map"],
        "instructions/warp": ["instructions"],
        "instructions/matrix": ["instructions/memory", "instructions/warp"],
        "instructions/warp_group": ["instructions/matrix"],
        "instructions/texture": ["instructions", "texture"],
        "instructions/device_runtime": ["instructions"],
        "instructions/control": ["instructions/device_runtime"],
        "provider/context": ["memory"],
        "provider/code": ["provider/context", "instructions/device_runtime"],
        "provider/stream": ["provider/code", "texture"],
        "provider/calls": ["provider/stream", "tensor_map"],
    },
}


def reachable(table, row):
    rows = {row}
    for used in table[row]:
        rows |= reachable(table, used)
    return rows


def cycle(graph):
    """The nodes of one cycle, its first again at the end; empty where there is none. graph: node to nodes."""
    path, done = [], set()

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return []
        path.append(node)
        for other in graph.get(node, ()):
            if found := visit(other):
                return found
        path.pop()
        done.add(node)
        return []

    return next((found for node in graph if (found := visit(node))), [])


def table_faults(name, table):
    """What makes a table unfit for the other checks."""
    for row, used in table.items():
        for other in used:
            if other not in table:
                yield f"the table of {name}: {row} may include {other}, which has no row"
    if found := cycle(table):
        yield f"the table of {name} has a cycle: {' -> '.join(found)}"


def includes(path):
    """(line number, '<' or '"', name) of each include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match[1], match[2]


def room_faults(lib, rooms):
    for path in sorted(lib.glob("*/**/*.[ch]pp")):
        room = path.relative_to(lib).parts[0]
        if room not in rooms:
            yield f"{path}: no rule says what room {room} may include"
            continue
        for number, quote, name in includes(path):
            first = name.split("/")[0]
            if quote == '"' and (first not in rooms or not (lib / name).is_file()):
                yield f'{path}:{number}: "{name}" is not a header of a room, spelled "room/name.hpp"'
            elif first in ("boost", "curl", "hiredis") and room != "worker":
                yield f"{path}:{number}: only the room worker may include {first}"
            elif quote == '"' and first not in reachable(rooms, room):
                yield f"{path}:{number}: room {room} must not include room {first}"


def sub_room_faults(lib, room, table):
    def folder(path):
        return path.relative_to(lib / room).parent.as_posix()

    paths = sorted((lib / room).glob("**/*.[ch]pp"))
    for unused in sorted(set(table) - {folder(path) for path in paths}):
        yield f"the table of {room}: the folder {unused} has no sources"
    for path in paths:
        if folder(path) not in table:
            yield f"{path}: no rule says what the folder {folder(path)} of room {room} may include"
            continue
        for number, quote, name in includes(path):
            if quote != '"' or not name.startswith(room + "/"):
                continue
            other = folder(lib / name)
            if other not in reachable(table, folder(path)):
                yield f"{path}:{number}: the folder {folder(path)} must not include {other}"


def file_faults(root):
    """A cycle of includes."""
    def included(path, name):
        places = (path.parent, root / "lib", root / "include")
        return next((place / name for place in places if (place / name).is_file()), None)

    graph = {}
    for folder in ("lib", "tools", "include"):
        for path in sorted((root / folder).glob("**/*.[ch]pp")):
            graph[path] = [other for _, _, name in includes(path) if (other := included(path, name))]
    if found := cycle(graph):
        yield "files include each other: " + " -> ".join(path.relative_to(root).as_posix() for path in found)


def public_faults(include):
    """Only the headers for MPI include its header."""
    for path in sorted(include.glob("kiln/**/*.hpp")):
        for number, quote, name in includes(path):
            known = (include / name).is_file() if "/" in name else "." not in name
            known |= name == "mpi.h" and path.name.startswith("mpi")
            known |= name == "dlpack/dlpack.h" and path.name.startswith("dlpack")
            if quote == '"' or not known:
                yield f"{path}:{number}: a public header includes {name}"


def all_faults(root, rooms, sub_rooms):
    faults = list(table_faults("rooms", rooms))
    for room, table in sub_rooms.items():
        faults += table_faults(room, table)
    if faults:
        return faults
    faults += room_faults(root / "lib", rooms)
    for room, table in sub_rooms.items():
        faults += sub_room_faults(root / "lib", room, table)
    return faults + [*file_faults(root), *public_faults(root / "include")]


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    faults = all_faults(root, ROOMS, SUB_ROOMS)
    sources = len(list((root / "lib").glob("*/**/*.[ch]pp"))) + len(list((root / "include").glob("kiln/**/*.hpp")))
    print("\n".join(faults) or f"{sources} files, no fault")
    sys.exit(1 if faults or not sources else 0)
