"""Makes docs/images/profile-*.png: the pages that the emulator writes for lessons, opened in headless Chromium.

    profile_pages.py BUILD    a build folder with the lessons and the emulator
"""
import os
import pathlib
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(DOCS.parent / "tests/profile_page"))
from browser import Browser, find_browser  # noqa: E402

# The lesson, the place in its page, the size of the window, and what is done there: a method of Browser, its arguments.
PICTURES = {
    "overview": ("02_coalescing", "view=overview", (1200, 1160)),
    "source": ("02_coalescing", "view=source&line=5", (1440, 860), "choose", "#figure", "global_sectors"),
    "accesses": ("02_coalescing", "view=accesses", (1200, 820), "click", ".choices li:nth-child(1) button"),
    "banks": ("03_shared_memory", "view=accesses", (1200, 900), "click", ".choices li:nth-child(3) button"),
    "steps": ("04_divergence", "view=steps&step=40", (1200, 1060)),
}


def write_page(build, lesson, folder):
    page = folder / f"{lesson}.html"
    subprocess.run([build / "lessons" / lesson], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "KILN_EMULATOR_PROFILE": str(page), "KILN_CACHE_DIR": str(folder / "cache")})
    # Where the lesson ran is of no interest, and another place each time.
    page.write_text(page.read_text(encoding="utf-8").replace(f"{folder}/", ""), encoding="utf-8")
    return page


def main(build):
    with tempfile.TemporaryDirectory() as name, Browser(find_browser()) as browser:
        folder = pathlib.Path(name).resolve()
        pages = {lesson: write_page(build, lesson, folder) for lesson in {each[0] for each in PICTURES.values()}}
        for picture, (lesson, place, (width, height), *action) in PICTURES.items():
            browser.open(f"{pages[lesson]}#launch=0&{place}", width=width, height=height)
            if action:
                getattr(browser, action[0])(*action[1:])
            browser.picture(DOCS / "images" / f"profile-{picture}.png")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if find_browser() is None:
        sys.exit("there is no Chromium; KILN_TEST_BROWSER names one")
    main(pathlib.Path(sys.argv[1]).resolve())
