"""Every name of a library (PyCUDA, CuPy, jitify2, cuda.core, kernel_launcher) is in a table of its page
docs/porting-from-*.md, and every name beside it exists.

    names.py LIBRARY NAMES PAGE KILN_HEADERS CUDA_HEADERS

A table of names has the columns LIBRARY, Kiln and Difference; on PyCUDA's page it stands below a heading that says
which of its modules the table is about. In its first column, code that begins with a dot (or ::) goes on with the class
before it, and `Class.*` is all members that no other row has; `name=` is an argument. In the other columns, all code is
Kiln's: `Class::member`, identifiers, cuda.h's names; options begin with a dash, and `name=` is the library's."""
import pathlib
import re
import sys

# Not Kiln's, and known to whoever reads the page.
CPP = set("""alignas auto bool char const double false float int new nullptr operator return sizeof static struct
             template this true typename unsigned using void std vector T""".split())


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def code(cell):
    return re.findall(r"`([^`]+)`", cell)


def tables(text, library):
    """(line number, modules, cells) of each row."""
    modules, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            modules = re.findall(r"pycuda\.(\w+)", line)
        if not line.startswith("|"):
            inside = False
        elif cells(line) == [library, "Kiln", "Difference"]:
            inside = True
        elif inside and not line.startswith("|-"):
            yield number, modules, cells(line)


def left_names(cell):
    """The names in a first column, with their classes."""
    owner = ""
    for span in code(cell):
        span = span.replace("::", ".")
        name = re.match(r"(\.?\w+(\.\w+)*(\.\*)?)(=?)", span)
        if not name or name[4]:
            continue
        full = owner + name[1] if span.startswith(".") else name[1]
        owner = full.rpartition(".")[0] if "." in full else full
        yield full


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


class Headers:
    def __init__(self, folder):
        self.texts = [without_comments(path.read_text()) for path in sorted(folder.glob("*.hpp"))]
        self.words = [set(re.findall(r"\w+", text)) for text in self.texts]
        self.all_words = set().union(*self.words)

    def has_member(self, owner, member):
        """Whether a header that defines the type has such a word too."""
        defines = re.compile(rf"\b(class|struct)( KILN_EXPORT)? {owner}\b[^;]*?{{|\bnamespace (\w+::)*{owner} {{")
        return any(member in words and defines.search(text) for text, words in zip(self.texts, self.words))


def unknown(span, kiln, cuda):
    """What in a piece of code on the right exists nowhere."""
    if span.startswith("-") or span.endswith("="):
        return
    if re.fullmatch(r"[A-Z]+(_[A-Z0-9]+)+", span) and span not in cuda:
        if span not in kiln.all_words and span not in kiln.environment:
            yield span
        return
    span = re.sub(r'"[^"]*"|\bstd::\w+|\b\d\w*', " ", span)
    for owner, member in re.findall(r"\b(\w+)::~?(\w+)", span):
        if not kiln.has_member(owner, member):
            yield f"{owner}::{member}"
    for word in re.findall(r"[A-Za-z_]\w*_\*|[A-Za-z_]\w*", span):
        if word.endswith("*"):
            known = any(other.startswith(word[:-1]) for other in cuda)
        else:
            known = word in kiln.all_words | CPP | cuda | {"kiln"}
        if not known:
            yield word


def main(library, names_file, page, headers, cuda_include):
    names = [line for line in pathlib.Path(names_file).read_text().split("\n") if line and not line.startswith("#")]
    kiln = Headers(pathlib.Path(headers))
    root = pathlib.Path(page).parent.parent
    kiln.environment = set(re.findall(r"\b[A-Z]+(?:_[A-Z0-9]+)+\b", (root / "docs/reference.md").read_text()))
    cuda = set()
    for header in ["cuda.h", "cuda_runtime_api.h", "driver_types.h"]:
        cuda |= set(re.findall(r"\w+", (pathlib.Path(cuda_include) / header).read_text(errors="replace")))
    cuda |= {"cuProfilerStart", "cuProfilerStop"}  # of cudaProfiler.h, which NVIDIA's wheels do not have
    cuda = {word for word in cuda if word.startswith(("cu", "CU"))}
    rows = list(tables(pathlib.Path(page).read_text(), library))

    on_page, faults = set(), []
    for number, modules, row in rows:
        where = f"{page}:{number}:"
        if len(row) != 3:
            faults.append(f"{where} a row of {len(row)} cells")
            continue
        for name in left_names(row[0]):
            matching = {full for full in names for module in [""] + [m + "." for m in modules]
                        if full == module + name or name.endswith(".*") and full.startswith(module + name[:-1])}
            if not matching:
                faults.append(f"{where} {library} has no {name}" + (f" in {' and '.join(modules)}" if modules else ""))
            on_page |= matching
        if row[1] == "none" and not row[2]:
            faults.append(f"{where} says neither a counterpart nor what to do without")
        if row[1] != "none" and not code(row[1]):
            faults.append(f"{where} names no counterpart")
        faults += [f"{where} no {word}" for span in code(row[1]) + code(row[2]) for word in unknown(span, kiln, cuda)]
    faults += [f"{name} is not on the page" for name in names if name not in on_page]
    # What the row device_attribute.* says.
    faults += [f"cuda.h has no {number}" for name in names if name.startswith("driver.device_attribute.")
               if (number := "CU_DEVICE_ATTRIBUTE_" + name.rpartition(".")[2]) not in cuda]

    print("\n".join(faults) or f"{len(names)} names in {len(rows)} rows")
    return 1 if faults or not names else 0


sys.exit(main(*sys.argv[1:]))
