"""The documentation as a folder of HTML that needs no network: the pages, the sources that they link, the reference of
the public headers, and a search over all of it.

    site.py REPOSITORY FOLDER           FOLDER/html is made anew; FOLDER/doxygen has the headers' comments as XML"""
import html
import json
import os
import pathlib
import re
import shutil
import string
import subprocess
import sys

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from navigation import NAVIGATION
from reference import Reference
from share_comments import share_comments

LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".cu": "cuda", ".txt": "cmake", ".ipynb": "json", ".py": "python"}
ANCHOR = re.compile(r' id="([^"]+)"')
STYLES = {"light": "default", "dark": "github-dark"}


def slug(text, taken):
    """A heading's anchor, as GitHub makes it."""
    name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    count = taken.get(name, 0)
    taken[name] = count + 1
    return f"{name}-{count}" if count else name


def coloured(code, language):
    try:
        lexer = get_lexer_by_name(language or "text")
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    return highlight(code, lexer, HtmlFormatter(cssclass="code"))


class Site:
    def __init__(self, root, folder):
        self.root, self.folder, self.out = root, folder, folder / "html"
        self.markdown = MarkdownIt("commonmark").enable("table")
        self.sources = {}  # a source, or folder of sources, that a page links -> its page
        self.index, self.faults, self.titles = [], [], {}
        self.template = string.Template((root / "docs/site/page.html").read_text())
        self.pages = {path: str(pathlib.Path(path).with_suffix(".html")) for section in NAVIGATION.values()
                      for path in section if path.endswith(".md")}
        self.pages["docs/site/index.md"] = "index.html"

    def run(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        self.reference = self.read_headers()
        for page in self.pages:
            self.titles[page] = re.search("^# (.*)", (self.root / page).read_text(), re.MULTILINE)[1].replace("`", "")
        there = [str(path.relative_to(self.root)) for path in sorted((self.root / "docs").glob("*.md"))]
        self.faults += [f"docs/site/navigation.py lacks {page}" for page in there if page not in self.pages]
        for page, place in self.pages.items():
            self.write_page(page, place)
        self.write_sources()
        self.write_headers()
        shutil.copytree(self.root / "docs/images", self.out / "docs/images")
        for name in ("site.css", "site.js"):
            shutil.copy(self.root / "docs/site" / name, self.out)
        self.write_colours()
        (self.out / "search.js").write_text("kilnSearch(" + json.dumps(self.index, ensure_ascii=False) + ");\n")
        return self.faults

    def read_headers(self):
        headers = {path.name: path.read_text() for path in sorted((self.root / "include/kiln").glob("*.hpp"))}
        shared = self.folder / "doxygen"
        shutil.rmtree(shared, ignore_errors=True)
        (shared / "include/kiln").mkdir(parents=True)
        for name, text in headers.items():
            (shared / "include/kiln" / name).write_text(share_comments(text))
        subprocess.run(["doxygen", self.root / "docs/site/Doxyfile"], cwd=shared, check=True)
        return Reference(shared / "xml", headers)

    def write_page(self, page, place):
        tokens = self.markdown.parse(self.text(page))
        outline, taken = [], {}
        for number, token in enumerate(tokens):
            if token.type == "heading_open":
                text = "".join(child.content for child in tokens[number + 1].children)
                token.attrs["id"] = slug(text, taken)
                outline.append((int(token.tag[1]), token.attrs["id"], text))
            if token.type == "inline":
                self.change_inline(page, place, token.children)
        for token in tokens:
            if token.type == "fence":
                token.type, token.content = "html_block", coloured(token.content, token.info.partition(" ")[0])
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        body = body.replace("<table", '<div class="scroll"><table').replace("</table>", "</table></div>")
        self.write(place, self.titles[page], body, outline)

    def text(self, page):
        """The front page has README's program in the place of its mark."""
        text = (self.root / page).read_text()
        readme = (self.root / "README.md").read_text()
        program = re.search("(<!-- program: scale -->\n)(```cpp\n.*?\n```\n)", readme, re.DOTALL)
        return text.replace(program[1], program[2]) if page == "docs/site/index.md" else text

    def change_inline(self, page, place, children):
        linked = 0
        for token in children:
            linked += token.nesting if token.type in ("link_open", "link_close") else 0
            if token.type == "link_open":
                token.attrs["href"] = self.target(page, place, token.attrs["href"])
            elif token.type == "image":
                token.attrs["src"] = relative(os.path.normpath(pathlib.Path(page).parent / token.attrs["src"]), place)
            elif token.type == "code_inline" and not linked and (found := self.name_place(token.content)):
                token.type = "html_inline"
                token.content = f'<a href="{relative(found, place)}"><code>{html.escape(token.content)}</code></a>'

    def name_place(self, text):
        """Of `SourceModule`, `kiln::compile()` and `<kiln/cache.hpp>` on a page the place in the reference."""
        if match := re.fullmatch(r"<kiln/(\w+)\.hpp>", text):
            return f"reference/{match[1]}.html" if match[1] + ".hpp" in self.reference.headers else None
        text = text.removesuffix("()")
        name = text if text.startswith("kiln::") else "kiln::" + text if text[:1].isupper() else None
        return "reference/" + self.reference.names[name] if name in self.reference.names else None

    def target(self, page, place, link):
        path, mark, fragment = link.partition("#")
        if re.match("[a-z]+:", link) or not path:
            return link
        file = pathlib.Path(os.path.normpath(pathlib.Path(page).parent / path))
        if not (self.root / file).exists():
            self.faults.append(f"{page}: no {link}")
            return link
        if str(file) in self.pages:
            found = self.pages[str(file)]
        elif file.parts[:2] == ("include", "kiln"):
            found = f"reference/{file.stem}.html" if file.suffix else "reference/index.html"
        else:
            found = self.sources.setdefault(file, f"sources/{str(file).replace('/', '-')}.html")
        return relative(found, place) + mark + fragment

    def write_sources(self):
        for path, place in self.sources.items():
            whole = self.root / path
            body, outline = f"<h1>{html.escape(str(path))}</h1>", []
            for file in sorted(file for file in whole.rglob("*") if file.is_file()) if whole.is_dir() else [whole]:
                if whole.is_dir():
                    outline.append((2, slug(file.name, {}), str(file.relative_to(whole))))
                    body += f'<h2 id="{outline[-1][1]}">{html.escape(outline[-1][2])}</h2>'
                body += coloured(file.read_text(), LANGUAGES.get(file.suffix))
            self.write(place, str(path), body, outline)
        self.write_list("sources/index.html", "Examples and sources", "What the pages link of the repository.",
                        {str(path): place for path, place in sorted(self.sources.items())})

    def write_headers(self):
        self.reference.used_by = self.used_by()
        self.write_header_list()
        for name in self.reference.headers:
            body, outline = self.reference.page(name)
            self.write(f"reference/{name[:-4]}.html", f"<kiln/{name}>", body, outline)

    def write_header_list(self):
        """Every header with the first sentence of what it says of itself."""
        rows = ""
        for name in self.reference.headers:
            about = self.reference.lead(name).partition(". ")[0].rstrip(".")
            rows += (f'<tr><td><a href="{name[:-4]}.html"><code>{html.escape(f"<kiln/{name}>")}</code></a></td>'
                     f"<td>{html.escape(about)}</td></tr>")
        lead = "Every public header, with all that it declares. <code>&lt;kiln/kiln.hpp&gt;</code> includes nearly all."
        self.write("reference/index.html", "Headers",
                   f'<h1>Headers</h1><p>{lead}</p><div class="scroll"><table>{rows}</table></div>', [])

    def used_by(self):
        """Of each header the four pages of docs/ that name most of it."""
        counts = {}
        for page, place in self.pages.items():
            if page.startswith("docs/") and not page.startswith(("docs/performance", "docs/porting", "docs/site")):
                for code in re.findall(r"<kiln/\w+\.hpp>|[\w:]+", (self.root / page).read_text()):
                    if found := self.name_place(code):
                        header = found.partition("/")[2].partition(".html")[0] + ".hpp"
                        key = self.titles[page], place
                        counts.setdefault(header, {})[key] = counts.get(header, {}).get(key, 0) + 1
        return {header: sorted(of, key=lambda key: (-of[key], key))[:4] for header, of in counts.items()}

    def write_list(self, place, title, lead, entries):
        items = "".join(f'<li><a href="{relative(to, place)}">{html.escape(text)}</a></li>'
                        for text, to in entries.items())
        self.write(place, title, f'<h1>{title}</h1><p>{html.escape(lead)}</p><ul class="columns">{items}</ul>', [])

    def write_colours(self):
        rules = [f":root[data-theme={theme}] {rule}" for theme, style in STYLES.items()
                 for rule in HtmlFormatter(style=style).get_style_defs(".code").splitlines()
                 if rule.startswith(".code ")]
        (self.out / "code.css").write_text("\n".join(rules) + "\n")

    def write(self, place, title, body, outline):
        path = self.out / place
        path.parent.mkdir(parents=True, exist_ok=True)
        base = "../" * place.count("/")
        contents = "".join(f'<li class="level{level}"><a href="#{name}">{html.escape(text)}</a></li>'
                           for level, name, text in outline if 1 < level < 4)
        path.write_text(self.template.substitute(
            title=html.escape(title if title == "Kiln" else f"{title} - Kiln"), base=base, body=body,
            navigation=self.navigation(place),
            contents=f'<aside><b>On this page</b><ul>{contents}</ul></aside>' if contents else ""))
        if not place.startswith("sources/"):
            self.add_to_index(place, title, body)

    def navigation(self, place):
        parts = []
        for caption, section in NAVIGATION.items():
            items = ""
            for entry, text in section.items():
                to = self.pages.get(entry, entry)
                here = to == place or (to.endswith("/index.html") and place.startswith(to[:-10]))
                mark = " aria-current=page" if here else ""
                items += f'<li><a href="{relative(to, place)}"{mark}>{html.escape(text)}</a></li>'
            parts.append(f"<b>{caption}</b><ul>{items}</ul>")
        return "".join(parts)

    def add_to_index(self, place, title, body):
        """[place, title, text] of each part of a page that an anchor begins."""
        parts = re.split(r"(?=<h[1-6])", body)
        for part in parts:
            name = ANCHOR.search(part[:200]) if part.startswith("<h") else None
            heading = re.match(r"<h[1-6][^>]*>(.*?)</h", part, re.DOTALL)
            text = plain(part[heading.end():] if heading else part)
            own = plain(heading[1]) if heading else ""
            if own or text:
                self.index.append([place + (f"#{name[1]}" if name and not part.startswith("<h1") else ""),
                                   title if not own or part.startswith("<h1") else f"{title}: {own}", text])


def plain(text):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " " if "<p" in text else "", text)).split())


def relative(to, place):
    path, mark, fragment = to.partition("#")
    return os.path.relpath(path, os.path.dirname(place) or ".") + mark + fragment


faults = Site(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()).run()
print("\n".join(faults), end="\n" if faults else "")
sys.exit(1 if faults else 0)
