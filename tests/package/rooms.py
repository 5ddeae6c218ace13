"""Includes between the rooms of lib/, the worker and the emulator, and between the folders of each, point only the way
that the tables of lib/README.md, worker/README.md and emulator/README.md allow; no file includes itself through others;
public headers stay public. Usage: rooms.py REPOSITORY"""
import pathlib
import re
import sys

HOUSES = ("lib", "worker", "emulator")


def table_of(text):
    """What each room or folder may include directly, by the first and last column of a text's first table; what those
    may include, it may too."""
    table = re.search(r"^\|.*?(?:\n\n|\Z)", text, re.M | re.S)[0]
    rows = re.findall(r"^\| `([^`]+)` \|.*\| ([^|]*) \|$", table, re.M)
    return {name.rstrip("/"): [] if used == "-" else [one.strip("` ") for one in used.split(",")] for name, used in rows}


def tables_of(root):
    """The table of rooms, and by a room's name the table of its folders, "." for its own sources."""
    first, *others = re.split(r"^## ", (root / "lib/README.md").read_text(), flags=re.M)
    rooms = table_of(first)
    folders = {part.partition("\n")[0].strip("`/ "): table_of(part) for part in others}
    for house in HOUSES[1:]:
        if (root / house).is_dir():
            text = (root / house / "README.md").read_text()
            folders[house] = table_of(text)
            rooms[house] = re.findall(r"`(\w+)`", re.search(r"^Of `lib/` it uses (.*?)\.$", text, re.M)[1])
    return rooms, folders


def place_of(root, room):
    """The folder of a room."""
    return root / room if room in HOUSES else root / "lib" / room


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


def sources_of(root):
    """(room, file) of each source and header, but for the tests that a house has."""
    for folder in sorted((root / "lib").iterdir()):
        if folder.is_dir():
            yield from ((folder.name, path) for path in sorted(folder.glob("**/*.[ch]pp")))
    for house in HOUSES[1:]:
        yield from ((house, path) for path in sorted((root / house).glob("**/*.[ch]pp"))
                    if "tests" not in path.relative_to(root / house).parts)


def room_faults(root, rooms):
    for room, path in sources_of(root):
        if room not in rooms:
            yield f"{path}: no rule says what room {room} may include"
            continue
        for number, quote, name in includes(path):
            first, _, rest = name.partition("/")
            if quote == '"' and (first not in rooms or not (place_of(root, first) / rest).is_file()):
                yield f'{path}:{number}: "{name}" is not a header of a room, spelled "room/name.hpp"'
            elif first in ("boost", "curl", "hiredis") and room != "worker":
                yield f"{path}:{number}: only the worker may include {first}"
            elif first == "openssl" and path != root / "lib/base/openssl_sha256.hpp":
                yield f"{path}:{number}: only lib/base/openssl_sha256.hpp may include openssl"
            elif quote == '"' and first not in reachable(rooms, room):
                yield f"{path}:{number}: room {room} must not include room {first}"


def folder_faults(root, room, table):
    place = place_of(root, room)
    paths = [path for own, path in sources_of(root) if own == room]
    for unused in sorted(set(table) - {path.relative_to(place).parent.as_posix() for path in paths}):
        yield f"the table of {room}: the folder {unused} has no sources"
    for path in paths:
        folder = path.relative_to(place).parent.as_posix()
        if folder not in table:
            yield f"{path}: no rule says what the folder {folder} of room {room} may include"
            continue
        for number, quote, name in includes(path):
            if quote == '"' and name.startswith(room + "/"):
                other = pathlib.PurePath(name[len(room) + 1:]).parent.as_posix()
                if other not in reachable(table, folder):
                    yield f"{path}:{number}: the folder {folder} must not include {other}"


def file_faults(root):
    """A cycle of includes."""
    def included(path, name):
        places = (path.parent, root / "lib", root, root / "include")
        return next((place / name for place in places if (place / name).is_file()), None)

    graph = {}
    for folder in (*HOUSES, "tools", "include"):
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


def all_faults(root):
    rooms, folders = tables_of(root)
    faults = list(table_faults("rooms", rooms))
    for room, table in folders.items():
        faults += table_faults(room, table) if room in rooms else [f"lib/README.md: a table of {room}, which is no room"]
    if faults:
        return faults
    faults += room_faults(root, rooms)
    for room, table in folders.items():
        faults += folder_faults(root, room, table)
    return faults + [*file_faults(root), *public_faults(root / "include")]


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    faults = all_faults(root)
    sources = len(list(sources_of(root))) + len(list((root / "include").glob("kiln/**/*.hpp")))
    print("\n".join(faults) or f"{sources} files, no fault")
    sys.exit(1 if faults or not sources else 0)
