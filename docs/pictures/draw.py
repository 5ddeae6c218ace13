"""Draws docs/images/*.svg of figures.json, whose figures are those of docs/performance.md:

    draw.py            writes them
    draw.py --check    says which is not what it would write, and which figure docs/performance.md does not have

Plain SVG by this script: the same bytes everywhere, text that is text, and colours that follow light and dark, which a
plotting library's files do not have."""
import json
import math
import pathlib
import re
import sys
from html import escape

DOCS = pathlib.Path(__file__).resolve().parents[1]
WIDTH, LEFT, RIGHT, TOP, ROW = 760, 250, 110, 64, 30
STYLE = """
  .ground { fill: #ffffff; } .grid { stroke: #e0dbd5; } .text { fill: #24211e; } .faint { fill: #6b645d; }
  .other { fill: #8a827a; stroke: #8a827a; } .own { fill: #c65a22; stroke: #c65a22; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #171513; } .grid { stroke: #38332e; } .text { fill: #e6e1dc; } .faint { fill: #a39b92; }
    .other { fill: #9a928a; stroke: #9a928a; } .own { fill: #e0783f; stroke: #e0783f; }
  }
  text { font: 14px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
  .title { font-weight: 600; font-size: 16px; } .small { font-size: 11.5px; }
"""


def values(row):
    return [value / row.get("over", 1) for value in row["value"]]


def scale(picture):
    """The place of a value between 0 and 1, and the marks of the axis."""
    largest = max(max(values(row)) for row in picture["rows"])
    if picture["scale"] == "linear":
        top = math.ceil(largest * 2) / 2
        return lambda value: value / top, [mark / 2 for mark in range(int(top * 2) + 1)]
    first = math.floor(math.log10(min(min(values(row)) for row in picture["rows"])))
    last = math.ceil(math.log10(largest))
    return lambda value: (math.log10(value) - first) / (last - first), [10.0**mark for mark in range(first, last + 1)]


def number(value, row):
    return f"{value:.2f}" if "over" in row else f"{value:g}"


def label(row, unit):
    return "-".join(number(value, row) for value in values(row)) + (f" {unit}" if unit else "")


def text(x, y, words, kind, anchor="start"):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def lines_of(words, length):
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) >= length:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def draw(picture):
    place, marks = scale(picture)
    bottom = TOP + ROW * len(picture["rows"])
    note = lines_of(picture["note"], 110)
    height = bottom + 40 + 15 * len(note)

    def x_of(value):
        return round(LEFT + place(value) * (WIDTH - LEFT - RIGHT), 1)

    parts = [f'<rect width="{WIDTH}" height="{height}" rx="6" class="ground"/>',
             text(16, 30, picture["title"], "text title")]
    for mark in marks:
        x = x_of(mark)
        parts.append(f'<line x1="{x:g}" y1="{TOP - 8}" x2="{x:g}" y2="{bottom}" class="grid"/>')
        parts.append(text(x, bottom + 16, f"{mark:g} {picture['unit']}".strip(), "faint small", "middle"))
    for index, row in enumerate(picture["rows"]):
        y = TOP + ROW * index + 10
        kind = "own" if row.get("own") else "other"
        least, most = x_of(min(values(row))), x_of(max(values(row)))
        parts.append(text(LEFT - 14, y + 5, row["name"], "text", "end"))
        parts.append(f'<line x1="{least:g}" y1="{y}" x2="{most:g}" y2="{y}" stroke-width="12" stroke-linecap="round" '
                     f'class="{kind}"/>' if most > least else f'<circle cx="{least:g}" cy="{y}" r="6" class="{kind}"/>')
        parts.append(text(most + 13, y + 5, label(row, picture["unit"]), "faint"))
    parts += [text(16, bottom + 40 + 15 * index, line, "faint small") for index, line in enumerate(note)]
    said = "; ".join(f"{row['name']} {label(row, picture['unit'])}" for row in picture["rows"])
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img">\n'
            f"<title>{escape(picture['title'])}</title>\n<desc>{escape(said)}</desc>\n"
            f"<style>{STYLE}</style>\n{body}\n</svg>\n")


def faults(pictures):
    measured = (DOCS / "performance.md").read_text()
    lines = set(measured.splitlines())
    for name, picture in pictures.items():
        file = DOCS / "images" / f"{name}.svg"
        if not file.exists() or file.read_text() != draw(picture):
            yield f"{file} is not what docs/pictures/draw.py writes"
        for row in picture["rows"]:
            if row["line"] not in lines:
                yield f"{name}: docs/performance.md has no line {row['line']}"
            yield from (f"{name}: {row['line']} does not say {value:g}" for value in row["value"]
                        if f"{value:g}" not in re.findall(r"\d+(?:\.\d+)?", row["line"]))
            if "over" in row and str(row["over"]) not in measured:
                yield f"{name}: docs/performance.md does not have {row['over']}"


def main():
    pictures = json.loads((DOCS / "pictures/figures.json").read_text())
    if sys.argv[1:] == ["--check"]:
        found = list(faults(pictures))
        print("\n".join(found) or f"{len(pictures)} pictures, no fault")
        return 1 if found else 0
    for name, picture in pictures.items():
        (DOCS / "images" / f"{name}.svg").write_text(draw(picture))
    return 0


sys.exit(main())
