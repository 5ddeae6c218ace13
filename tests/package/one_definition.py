"""No type is defined twice in one namespace of the sources: the linker takes one of the two without a word, and
inline functions of one then work on objects of the other. Compilers look at one source only.

    one_definition.py REPOSITORY"""
import collections
import pathlib
import re
import sys

# A nested type, a specialisation and a use in a declaration have something else behind the name.
DEFINITION = re.compile(r"^(?:struct|class|union|enum class|enum)\s+(?:KILN_EXPORT\s+)?(\w+)\s*(?:final\s*)?"
                        r"(?::[^:{;][^{;]*)?\{")
OPENING = re.compile(r"^(?:inline )?namespace\s*([\w:]*)\s*\{(?!.*\})")
CLOSING = re.compile(r"^\}\s*// (?:anonymous |unnamed )?namespace")


def definitions(path):
    """Pairs of a type's name and its line, but for those of unnamed namespaces."""
    spaces = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if opening := OPENING.match(line):
            spaces.append(opening[1])
        elif CLOSING.match(line):
            spaces.pop()
        elif (found := DEFINITION.match(line)) and "" not in spaces:
            yield "::".join([*spaces, found[1]]), f"{path}:{number}"


def main(root):
    places = collections.defaultdict(list)
    for folder in ("lib", "worker", "emulator", "include"):
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            if "tests" in path.relative_to(root).parts:
                continue
            for name, place in definitions(path):
                places[name].append(place)
    faults = [f"{name} is defined in {' and '.join(found)}" for name, found in places.items() if len(found) > 1]
    print("\n".join(faults) or f"{len(places)} types, no fault")
    return 1 if faults or not places else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
