"""The blocks of code on a page, and what the comment before one says of it:

    <!-- program: NAME -->     a whole program
    <!-- given: CODE -->       the piece uses what this declares, beside what sources.py gives to all pieces
    <!-- continues -->         the piece goes on from the one before and sees its names; may have CODE, too
    <!-- mpi: CODE -->         as given, where the build has found MPI
    <!-- ranges: CODE -->      as given, for compilers that can read the standard library's ranges
    <!-- fragment: REASON -->  no C++ by itself, and why
    <!-- file: NAME -->        what the commands of the page find as this file
    <!-- run -->               the commands, after "$ ", are run, and what they print is compared
    <!-- lesson: NAME -->      it and the rest of the page are tested by tests/lessons"""
import dataclasses
import pathlib
import re

BLOCK = re.compile(r"^(?: *<!-- (?P<mark>[\w-]+)(?:: (?P<value>(?:(?!-->).)*?))? -->\n)?"
                   r"(?P<indent> *)```(?P<language>[\w+]+)\n"
                   r"(?P<code>(?:.*\n)*?)(?P=indent)```$", re.MULTILINE)
MARKS = {"program", "given", "continues", "fragment", "mpi", "ranges", "file", "run", "lesson", ""}


@dataclasses.dataclass
class Block:
    page: pathlib.Path
    line: int  # of the code's first line
    language: str
    mark: str
    value: str
    code: str

    def where(self):
        return f"{self.page}:{self.line}"


def blocks(page):
    text = page.read_text()
    lessons = text.find("<!-- lesson: ")
    for match in BLOCK.finditer(text):
        if 0 <= lessons < match.start():
            return
        yield Block(page, text.count("\n", 0, match.start("code")) + 1, match["language"], match["mark"] or "",
                    match["value"] or "", match["code"])


def pages(root):
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def mark_faults(page):
    """Marks without a block after them, unknown marks, and fragments without a reason."""
    text = page.read_text()
    before = {match.start() for match in BLOCK.finditer(text) if match["mark"]}
    for match in re.finditer(r"^ *<!-- (program|given|continues|fragment|mpi|ranges|file|run)\b", text, re.MULTILINE):
        if match.start() not in before:
            yield f"{page}:{text.count(chr(10), 0, match.start()) + 1}: no block of code follows {match[0].strip()}"
    yield from (f"{block.where()}: what is {block.mark}?" for block in blocks(page) if block.mark not in MARKS)
    yield from (f"{block.where()}: a fragment without a reason" for block in blocks(page)
                if block.mark == "fragment" and not block.value)
