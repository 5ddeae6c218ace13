"""The programs of docs/porting-from-*.md: code blocks behind a comment `<!-- program: NAME -->`. Kiln's half is marked cpp,
the other library's python, or c++ where it is C++, too.

    programs.py PAGE NAME...    checks the halves in Python, and that Kiln's halves that are tests are those on the page
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"<!-- program: (\w+) -->\n```([\w+]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(text):
    """(name, language) -> (line number of the first line, code)."""
    return {(match[1], match[2]): (text.count("\n", 0, match.start(3)) + 1, match[3]) for match in BLOCK.finditer(text)}


def faults(page, built):
    text = page.read_text()
    found = programs(text)
    marked = re.findall(r"<!-- program: (\w+) -->", text)
    if len(marked) != len(found):
        yield "a mark without a code block behind it, or two blocks of one name and language"
    names = list(dict.fromkeys(marked))
    if names != built:
        yield f"{', '.join(names)} are on the page, {', '.join(built)} are tests"
    for name in names:
        if (name, "cpp") not in found or not {(name, "python"), (name, "c++")} & set(found):
            yield f"{name} lacks a half"
            continue
        if (name, "python") not in found:
            continue  # no compiler for it here
        line, code = found[name, "python"]
        try:
            compile("\n" * (line - 1) + code, str(page), "exec")
        except SyntaxError as error:
            yield f"{page}:{error.lineno}: {error.msg}"


if __name__ == "__main__":
    page = pathlib.Path(sys.argv[1])
    found = list(faults(page, sys.argv[2:]))
    print("\n".join(found) or f"{len(sys.argv) - 2} programs in both languages")
    sys.exit(1 if found else 0)
