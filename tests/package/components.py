"""Includes between the components of lib/, the worker and the emulator, and between the folders of each, point only the
way that the tables of lib/README.md, worker/README.md and emulator/README.md allow; no file includes itself through
others; public headers stay public. Usage: components.py REPOSITORY"""
import pathlib
import re
import sys

PARTS = ("lib", "worker", "emulator")


def table_of(text):
    """What each component or folder may include directly, by the first and last column of a text's first table; what
    those may include, it may too."""
    table = re.search(r"^\|.*?(?:\n\n|\Z)", text, re.M | re.S)[0]
    rows = re.findall(r"^\| `([^`]+)` \|.*\| ([^|]*) \|$", table, re.M)
    return {name.rstrip("/"): [] if used == "-" else [one.strip("` ") for one in used.split(",")] for name, used in rows}


def tables_of(root):
    """The table of components, and by a component's name the table of its folders, "." for its own sources."""
    first, *others = re.split(r"^## ", (root / "lib/README.md").read_text(), flags=re.M)
    components = table_of(first)
    folders = {part.partition("\n")[0].strip("`/ "): table_of(part) for part in others}
    for part in PARTS[1:]:
        if (root / part).is_dir():
            text = (root / part / "README.md").read_text()
            folders[part] = table_of(text)
            components[part] = re.findall(r"`(\w+)`", re.search(r"^Of `lib/` it uses (.*?)\.$", text, re.M)[1])
    return components, folders


def place_of(root, component):
    """The folder of a component."""
    return root / component if component in PARTS else root / "lib" / component


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
    """(component, file) of each source and header, but for the tests that a part has."""
    for folder in sorted((root / "lib").iterdir()):
        if folder.is_dir():
            yield from ((folder.name, path) for path in sorted(folder.glob("**/*.[ch]pp")))
    for part in PARTS[1:]:
        yield from ((part, path) for path in sorted((root / part).glob("**/*.[ch]pp"))
                    if "tests" not in path.relative_to(root / part).parts)


def component_faults(root, components):
    for component, path in sources_of(root):
        if component not in components:
            yield f"{path}: no rule says what component {component} may include"
            continue
        for number, quote, name in includes(path):
            first, _, rest = name.partition("/")
            if quote == '"' and (first not in components or not (place_of(root, first) / rest).is_file()):
                yield f'{path}:{number}: "{name}" is not a header of a component, spelled "component/name.hpp"'
            elif first in ("boost", "curl", "hiredis") and component != "worker":
                yield f"{path}:{number}: only the worker may include {first}"
            elif first == "openssl" and path != root / "lib/base/openssl_sha256.hpp":
                yield f"{path}:{number}: only lib/base/openssl_sha256.hpp may include openssl"
            elif quote == '"' and first not in reachable(components, component):
                yield f"{path}:{number}: component {component} must not include component {first}"


def folder_faults(root, component, table):
    place = place_of(root, component)
    paths = [path for own, path in sources_of(root) if own == component]
    for unused in sorted(set(table) - {path.relative_to(place).parent.as_posix() for path in paths}):
        yield f"the table of {component}: the folder {unused} has no sources"
    for path in paths:
        folder = path.relative_to(place).parent.as_posix()
        if folder not in table:
            yield f"{path}: no rule says what the folder {folder} of component {component} may include"
            continue
        for number, quote, name in includes(path):
            if quote == '"' and name.startswith(component + "/"):
                other = pathlib.PurePath(name[len(component) + 1:]).parent.as_posix()
                if other not in reachable(table, folder):
                    yield f"{path}:{number}: the folder {folder} must not include {other}"


def file_faults(root):
    """A cycle of includes."""
    def included(path, name):
        places = (path.parent, root / "lib", root, root / "include")
        return next((place / name for place in places if (place / name).is_file()), None)

    graph = {}
    for folder in (*PARTS, "tools", "include"):
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
    components, folders = tables_of(root)
    faults = list(table_faults("components", components))
    for component, table in folders.items():
        faults += table_faults(component, table) if component in components else [
            f"lib/README.md: a table of {component}, which is no component"]
    if faults:
        return faults
    faults += component_faults(root, components)
    for component, table in folders.items():
        faults += folder_faults(root, component, table)
    return faults + [*file_faults(root), *public_faults(root / "include")]


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    faults = all_faults(root)
    sources = len(list(sources_of(root))) + len(list((root / "include").glob("kiln/**/*.hpp")))
    print("\n".join(faults) or f"{sources} files, no fault")
    sys.exit(1 if faults or not sources else 0)
