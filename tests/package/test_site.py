"""The documentation's site: builds without a fault, every link and anchor leads somewhere, and in a browser its pages
show no error, the search finds, and dark colours differ.

    test_site.py REPOSITORY FOLDER"""
import html.parser
import pathlib
import subprocess
import sys
import urllib.parse

root, folder = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(root / "tests/profile_page"))
from browser import Browser, find_browser  # noqa: E402

PAGES = ["index.html", "docs/launching.html", "docs/reference.html", "reference/function.html", "sources/index.html"]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.twice = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.twice += [value] if value in self.names else []
                self.names.add(value)
            elif name in ("href", "src"):
                self.links.append(value)


def link_faults(out):
    pages = {path.resolve(): Page(path.read_text()) for path in out.rglob("*.html")}
    for path, page in pages.items():
        yield from (f"{path}: two elements {name}" for name in page.twice)
        for link in page.links:
            to = urllib.parse.urlsplit(link)
            if to.scheme in ("http", "https", "data"):
                continue
            file = (path.parent / urllib.parse.unquote(to.path)).resolve() if to.path else path
            if to.scheme or not file.is_file():
                yield f"{path}: no {link}"
            elif to.fragment and (file not in pages or urllib.parse.unquote(to.fragment) not in pages[file].names):
                yield f"{path}: no anchor {link}"


def browser_faults(browser, out):
    for page in PAGES:
        grounds = []
        for colours in ("light", "dark"):
            browser.open(out / page, colours)
            grounds.append(browser.run("getComputedStyle(document.body).backgroundColor"))
            yield from (f"{page}: {fault}" for fault in browser.faults() if not fault.startswith("request: file://"))
        if grounds[0] == grounds[1]:
            yield f"{page}: dark is as light: {grounds[0]}"
        browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=False)
        if browser.run("document.documentElement.scrollWidth") > 390:
            yield f"{page}: wider than a phone"
    yield from search_faults(browser, out)


def search_faults(browser, out):
    """From a page in a folder: of a text, and of a name of a header."""
    browser.open(out / "docs/launching.html")
    browser.run("new Promise((done) => { document.getElementById('search').dispatchEvent(new Event('focus')); "
                "document.getElementById('search-index').addEventListener('load', done); })")
    wanted = {"warm start": "docs/performance.html", "class SourceModule": "reference/source_module.html"}
    for words, place in wanted.items():
        browser.run(f"document.getElementById('search').value = '{words}'")
        browser.run("document.getElementById('search').dispatchEvent(new Event('input'))")
        links = browser.run("[...document.querySelectorAll('#results a')].map((link) => link.href)")
        if not any(place in link for link in links):
            yield f"the search for {words} finds {links}"
    yield from (f"search: {fault}" for fault in browser.faults() if not fault.startswith("request: file://"))


def main():
    built = subprocess.run([root / "docs/site.sh", folder.resolve()])
    if built.returncode:
        return built.returncode
    faults = list(link_faults(folder / "html"))
    if program := find_browser():
        with Browser(program) as browser:
            faults += browser_faults(browser, (folder / "html").resolve())
    else:
        print("no Chromium: not looked at in a browser")
    print("\n".join(faults) or f"{len(list((folder / 'html').rglob('*.html')))} pages, no fault")
    return 1 if faults else 0 if program else 77


sys.exit(main())
