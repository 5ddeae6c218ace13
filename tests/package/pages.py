"""The pages: every link leads somewhere, docs/README.md lists every page and examples/README.md every example, README.md is
short, docs/reference.md lists every environment variable of the sources and every option, docs/threat-model.md every
fuzz target, what it and CONTRIBUTING.md name is there, and text has lines of 120 columns.

    pages.py REPOSITORY"""
import pathlib
import re
import sys

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# Variables that only Kiln's own processes set for each other.
INTERNAL = {"KILN_RECORD_AREA", "KILN_TRACE_FOLDER"}
# Words in CONTRIBUTING.md that are no names of Kiln's sources: tests, commands, placeholders.
KNOWN = {"X_rows", "asan", "tsan", "examples", "shell_scripts", "tidy"}


def pages(root):
    return sorted(path for folder in [".", "docs", "lib", "worker", "emulator", "tests", "examples", "findings"]
                  for path in (root / folder).glob("*.md" if folder == "." else "**/*.md"))


def anchors(page):
    """The names that a page's headings can be linked by, as GitHub makes them."""
    for line in FENCE.sub("", page.read_text()).splitlines():
        if match := re.match(r"#+ (.*)", line):
            yield re.sub(r"[^\w\- ]", "", match[1].lower()).replace(" ", "-")


def links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text())):
        if not re.match(r"[a-z]+:", target):
            yield target


def link_faults(root):
    for page in pages(root):
        for target in links(page):
            name, _, anchor = target.partition("#")
            file = page.parent / name if name else page
            if not file.exists():
                yield f"{page}: no {target}"
            elif anchor and anchor not in anchors(file):
                yield f"{page}: no heading for {target}"


def width_faults(root):
    """Rows of tables, pictures, comments and indented code cannot be wrapped."""
    for page in pages(root):
        text = FENCE.sub(lambda block: "\n" * block[0].count("\n"), page.read_text())
        yield from (f"{page}:{number}: {len(line)} columns, more than 120" for number, line in
                    enumerate(text.splitlines(), 1) if len(line) > 120 and not re.match(r" *(\||!\[|<!--)|    ", line))


def index_faults(root):
    """README.md is for a first visitor; the lists are in the folders."""
    for folder, pattern in [("docs", "*.md"), ("examples", "[0-9]*.cpp")]:
        index = root / folder / "README.md"
        linked = {(index.parent / target.partition("#")[0]).resolve() for target in links(index)} | {index.resolve()}
        yield from (f"{index}: no link to {path.name}" for path in sorted((root / folder).glob(pattern))
                    if path.resolve() not in linked)
    readme = root / "README.md"
    lines, count = len(readme.read_text().splitlines()), len(list(links(readme)))
    if lines > 100 or count > 35:
        yield f"{readme}: {lines} lines and {count} links; a first visitor reads 100, and follows one of 35"


def option_members(root, struct):
    """Names of a struct's members, in order; of a member that is such a struct itself, those of its members."""
    headers = "".join((root / "include/kiln" / name).read_text() for name in ["cache_options.hpp", "compile_options.hpp"])
    body = re.search(rf"struct {struct} \{{(.*?)\n\}};", headers, re.DOTALL)[1]
    for kind, name in re.findall(r"^  (?! )([\w:<>, ]+) (\w+) = ", body, re.MULTILINE):
        nested = [f"{name}.{member}" for member in option_members(root, kind)] if kind.endswith("Options") else [name]
        yield from nested


def reference_faults(root):
    page = root / "docs/reference.md"
    text = page.read_text()
    table = text.partition("\n## Environment\n")[2].partition("\n## ")[0]
    listed = set(re.findall(r"`((?:KILN|PYCUDA)_\w+)`", table))
    read = {name for folder in ["lib", "worker", "emulator", "tools"] for path in (root / folder).glob("**/*.cpp")
            for name in re.findall(r'environment(?:_has|_values<2>)?\(\s*\{?"(\w+)"(?:,\s*"(\w+)")?|getenv\("(\w+)"'
                                   r'|\bvariable = "(\w+)"', path.read_text())
            for name in name if re.match("(KILN|PYCUDA)_", name)} - INTERNAL
    yield from (f"{page}: no row for {name}, which a source reads" for name in sorted(read - listed))
    yield from (f"{page}: a row for {name}, which no source reads" for name in sorted(listed - read))
    members = list(option_members(root, "CompileOptions"))
    rows = text.partition("<!-- members: CompileOptions -->")[2].partition("\n\n")[0]
    named = re.findall(r"`([\w.]+)`", "\n".join(row.split("|")[1] for row in rows.splitlines() if row.startswith("|")))
    if not members or named != members:
        yield f"{page}: options {', '.join(named)}; in their header: {', '.join(members)}"


def contributing_faults(root):
    """Identifiers must stand in a source, paths must lead to a file or folder; commands are for the reader."""
    page = root / "CONTRIBUTING.md"
    sources = "\n".join(path.read_text(errors="replace") for folder in ["lib", "worker", "emulator", "include", "tests", "tools"]
                        for path in (root / folder).glob("**/*.[ch]pp"))
    words = set(re.findall(r"\w+", sources))
    for span in re.findall(r"`([^`\n]+)`", FENCE.sub("", page.read_text())):
        if "COMPONENT" in span:
            continue
        if re.fullmatch(r"<?(\w+|\.\w+)(/[\w.-]+)+>?|[\w-]+\.\w+", span):
            name = span.strip("<>")
            if not any((root / folder / name).exists() for folder in ["", "include"]) and not any(root.rglob(name)):
                yield f"{page}: no file {span}"
        elif re.fullmatch(r"\w+(::\w+)*(\(\))?", span):
            missing = set(re.findall(r"\w+", span)) - words - KNOWN
            yield from (f"{page}: no source has {word}" for word in sorted(missing))


def threat_model_faults(root):
    page = root / "docs/threat-model.md"
    named = set(re.findall(r"`(\w+)`", page.read_text()))
    targets = {path.stem.removeprefix("fuzz_") for path in (root / "tests/fuzz").glob("fuzz_*.cpp")}
    tests = {path.stem for path in (root / "tests").rglob("test_*")}
    yield from (f"{page}: no word of the fuzz target {name}" for name in sorted(targets - named))
    listed = page.read_text().partition("## Fuzz targets")[2].partition("The test suite")[0]
    yield from (f"{page}: no fuzz target {name}" for name in set(re.findall(r"`(\w+)`", listed)) - targets)
    yield from (f"{page}: no test {name}" for name in sorted(named - tests) if name.startswith("test_"))


root = pathlib.Path(sys.argv[1])
faults = [*link_faults(root), *width_faults(root), *index_faults(root), *reference_faults(root), *contributing_faults(root),
          *threat_model_faults(root)]
print("\n".join(faults) or f"{len(pages(root))} pages, no fault")
sys.exit(1 if faults else 0)
