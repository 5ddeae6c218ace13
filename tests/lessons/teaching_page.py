"""docs/teaching.md as a test reads it: what a lesson's section quotes, compared with what the lesson gave.

A section begins with a heading and `<!-- lesson: NAME -->`. In it are compared

- tables whose first title is "counter": the other titles are kernels, and a row's first cell has the name of a counter,
  or two whose quotient is meant. An empty cell is not compared,
- blocks of ```text: lines of the lesson's output or of its report's table, in their order,
- blocks of ```cpp: lines of the lesson's source, in their order,

but for lines of "..." or "// ...", where a block leaves some out.

Blocks of ```sh are commands of `kiln run` on the lesson's kernels, which succeed."""
import dataclasses
import difflib
import re
import shlex

BLOCK = re.compile(r"^```(text|cpp)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\| counter \|.*\n(?:\|.*\n)+", re.MULTILINE)
LEFT_OUT = ["...", "// ..."]  # lines that a block does not show
# What the addresses alone decide. Other counts, such as instructions, are the compiler's, too.
OF_ANY_COMPILER = re.compile("requests|sectors|bytes|wavefronts|bank_conflicts|atomic|tensor|failed|launches")


@dataclasses.dataclass
class Outcome:
    """What a lesson gave."""
    source: str
    output: str
    report: str  # the table
    profile: dict  # of the JSON
    same_compiler: bool  # as the page's


def release_of(profile):
    """The compiler's, such as 13.0, by the first lines of its PTX."""
    texts = "\n".join(line for program in profile["programs"] for line in (program["ptx"] or [])[:20])
    found = re.search(r"release (\d+\.\d+)", texts)
    return found[1] if found else "unknown"


def release_of_page(page):
    return re.search(r"NVRTC (\d+\.\d+)", page)[1]


def lessons_of(page):
    return re.findall(r"^<!-- lesson: (\w+) -->$", page, re.MULTILINE)


def section_of(page, lesson):
    """Beginning and end of the lesson's section."""
    begin = page.find(f"<!-- lesson: {lesson} -->\n")
    if begin < 0:
        return None
    end = page.find("\n## ", begin)
    return begin, len(page) if end < 0 else end + 1


def _launch_of(profile, kernel):
    named = [launch for launch in profile["launches"]
             if re.fullmatch(r"(?:void )?" + re.escape(kernel) + r"\(.*\)", launch["kernel"])]
    if len(named) != 1:
        raise ValueError(f"{len(named)} launches of {kernel} in the profile, where one is needed")
    return named[0]


def _count(profile, launch, name):
    if name in launch["totals"]:
        return launch["totals"][name]
    if name in launch:
        return launch[name]
    if name not in profile["metrics"]:
        raise ValueError(f"the profile has no counter {name}")
    return 0


def _figure(profile, kernel, names):
    launch = _launch_of(profile, kernel)
    counts = [_count(profile, launch, name) for name in names]
    if len(counts) == 1:
        return f"{counts[0]:,}"
    return f"{counts[0] / counts[1]:.1f}"


def _cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _table_as_it_is(table, outcome):
    """The table with the profile's figures."""
    title, line, *rows = table.splitlines()
    kernels = [cell.strip("`") for cell in _cells(title)[1:]]
    made = [title, line]
    for row in rows:
        label, *cells = _cells(row)
        names = re.findall(r"`(\w+)`", label)
        if len(names) not in (1, 2) or len(cells) != len(kernels):
            raise ValueError(f"a row with one counter or two, and {len(kernels)} figures, is needed: {row}")
        if outcome.same_compiler or all(map(OF_ANY_COMPILER.search, names)):
            cells = [cell and _figure(outcome.profile, kernel, names) for kernel, cell in zip(kernels, cells)]
        made.append(f"| {' | '.join([label, *cells])} |")
    return "\n".join(made) + "\n"


def _plain(line):
    """Without what differs from run to run: addresses, and the folder of a source."""
    return re.sub(r"\S*/(?=\w+\.cu\b)", "", re.sub(r"0x[0-9a-f]+", "0x", line)).strip()


def _missing(lines, text):
    """Those that do not follow in the text."""
    rest = iter([_plain(line) for line in text.splitlines()])
    return [line for line in lines if _plain(line) not in LEFT_OUT and _plain(line) not in rest]


def _texts_for(kind, body, outcome):
    """What a block may quote. Nothing where the compiler is another than the page's."""
    if kind == "cpp":
        return [outcome.source]
    return [outcome.output, outcome.report] if outcome.same_compiler or "warp instr." not in body else []


def faults(section, outcome):
    for match in TABLE.finditer(section):
        for quoted, actual in zip(match[0].splitlines(), _table_as_it_is(match[0], outcome).splitlines()):
            if _cells(quoted) != _cells(actual):
                yield f"the page says {quoted}\n  and the profile {actual}"
    for match in BLOCK.finditer(section):
        lines = match[2].splitlines()
        texts = _texts_for(match[1], match[2], outcome)
        if texts and all(_missing(lines, text) for text in texts):
            yield "\n  ".join(["not what the lesson has, or not in this order:",
                               *min((_missing(lines, text) for text in texts), key=len)])


def commands(section):
    """Arguments of each command."""
    for block in re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            program, *arguments = shlex.split(line)
            if program != "kiln":
                raise ValueError(f"not a command of kiln: {line}")
            yield arguments


def figures(section):
    """Where figures stand that are compared: the spans of numbers in tables' cells and in blocks of text."""
    for table in TABLE.finditer(section):
        for number in re.finditer(r"(?<=\| )[\d,.]+(?= \|)", table[0]):
            yield table.start() + number.start(), table.start() + number.end()
    for block in BLOCK.finditer(section):
        if block[1] == "text":
            for number in re.finditer(r"(?<![\w.])\d+(?![\w.])", block[2]):
                yield block.start(2) + number.start(), block.start(2) + number.end()


def updated(section, outcome):
    """The section with the lesson's figures, and in the place of lines that it does not have those most like them."""

    def block_as_it_is(match):
        lines = match[2].splitlines()
        texts = _texts_for(match[1], match[2], outcome)
        if match[1] == "cpp" or not texts or any(not _missing(lines, text) for text in texts):
            return match[0]
        real = min(texts, key=lambda text: len(_missing(lines, text))).splitlines()
        lines = [difflib.get_close_matches(line, real, 1, 0)[0] for line in lines]
        return "```text\n" + "\n".join(lines) + "\n```"

    return BLOCK.sub(block_as_it_is, TABLE.sub(lambda match: _table_as_it_is(match[0], outcome), section))
