#!/usr/bin/env python3
"""The page of a profile in headless Chromium: test_profile_page.py WRITER [CASE...] (WRITER JSON writes the page).

Skipped (77) where there is no Chromium. KILN_TEST_BROWSER names another one.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser, find_browser  # noqa: E402
from sample_profiles import HOSTILE, PROFILES  # noqa: E402

LIGHT, DARK = "rgb(247, 247, 245)", "rgb(20, 22, 26)"
SHIFT = 8


def equal(got, wanted, what):
    if got != wanted:
        raise AssertionError(f"{what}: {got!r} instead of {wanted!r}")


def contains(text, part):
    if part not in (text or ""):
        raise AssertionError(f"{part!r} is not in {text!r}")


def figure_of_line(browser, line):
    return browser.run(
        f"[...document.querySelectorAll('.listing .row')].find((row) => row.querySelector('.line-number').textContent === '{line}')"
        ".querySelector('.figure').textContent"
    )


def focused(browser):
    return browser.run(
        "document.activeElement.id || document.activeElement.className || document.activeElement.tagName"
    )


def shows_a_launch_and_a_metric(browser, page):
    browser.open(page("two_kernels"))
    equal(browser.text("#kernel"), "transpose(float const*, float*, int)", "kernel")
    contains(browser.text("#panel-overview"), "32 wavefronts a request where 1 would do")
    contains(browser.text("#panel-overview"), "64 of 64 warps, 2 blocks a multiprocessor")
    browser.click("[data-launch='1']")
    equal(browser.text("#kernel"), "row_sums(float const*, float*, int)", "kernel")
    contains(browser.text("#panel-overview .tiles"), "12.5 % used")
    browser.click("#tab-source")
    equal(figure_of_line(browser, 22), "4,096", "executions of line 22")
    browser.choose("#figure", "global_load_sectors")
    equal(figure_of_line(browser, 22), "65,536", "sectors of line 22")
    equal(figure_of_line(browser, 29), "", "load sectors of a line without loads")
    browser.choose("#figure", "global_load_used")
    equal(figure_of_line(browser, 22), "12.5 %", "share of line 22")
    equal(browser.run("document.activeElement.id"), "figure", "focus after a choice")


def shows_all_figures_of_a_line(browser, page):
    browser.open(page("two_kernels"))
    browser.click("li.advice .actions button")
    equal(
        browser.run("document.querySelector('#tab-source').getAttribute('aria-selected')"),
        "true",
        "view after a click on advice",
    )
    equal(browser.text(".details h2"), "transpose.cu, line 14", "chosen line")
    equal(browser.text("[data-figure='shared_load_bank_conflicts'] td"), "1,015,808", "conflicts")
    equal(browser.run("document.querySelector('.ptx').open"), False, "PTX before a click")
    equal(focused(browser), "listing code", "focus after the advice's button is gone")
    browser.click(".ptx summary")
    equal(browser.run("document.querySelector('.ptx').open"), True, "PTX after a click")
    contains(browser.text(".ptx"), "ld.shared.f32 %f2, [%r15];")
    browser.run("document.querySelector('.listing').focus()")
    browser.key("p")
    equal(browser.text(".details h2"), "transpose.cu, line 11", "executed line before")
    browser.key("Home")
    browser.key("ArrowDown")
    equal(browser.text(".details h2"), "transpose.cu, line 2", "line by keys")
    contains(browser.text(".details"), "Nothing was executed")


def goes_through_the_views_by_keyboard(browser, page):
    browser.open(page("two_kernels"))
    browser.run("document.getElementById('tab-overview').focus()")
    for view in ("source", "accesses", "steps", "tables", "overview"):
        browser.key("ArrowRight")
        equal(focused(browser), "tab-" + view, "tab")
        equal(browser.run(f"document.getElementById('panel-{view}').hidden"), False, "hidden")
    browser.run("document.querySelector('[data-launch]').focus()")
    browser.key("ArrowDown")
    equal(browser.text("#kernel"), "row_sums(float const*, float*, int)", "launch by keys")
    unnamed = browser.run(
        "[...document.querySelectorAll('button, input, select, [tabindex]')].filter((e) => !e.closest('[hidden]') && "
        "!e.textContent.trim() && !e.getAttribute('aria-label') && !e.labels?.length).length"
    )
    equal(unnamed, 0, "elements to press without a name")


def steps_through_a_warp(browser, page):
    browser.open(page("two_kernels"))
    browser.click("[data-launch='1']")
    browser.click("#tab-steps")
    equal(browser.text("#lane-mask"), "0xffffffff", "first step")
    browser.key("PageDown")
    contains(browser.text("#step-text"), "Step 259 of 262, transpose.cu:26")
    equal(browser.text("#lane-mask"), "0x22222222", "lanes whose predicate is true")
    equal(
        browser.run("document.querySelectorAll('.lane-row .skipped').length / 2"), 8, "lanes whose predicate is false"
    )
    equal(browser.run("document.querySelectorAll('.lane-row .waiting').length / 2"), 16, "waiting lanes")
    browser.key("ArrowRight")
    equal(browser.text("#lane-mask"), "0x55555555", "the other way")
    browser.key("ArrowLeft", SHIFT)
    browser.key("ArrowLeft", SHIFT)
    contains(browser.text("#step-text"), "Step 258 of 262, transpose.cu:24")
    browser.key("End")
    contains(browser.text("#step-text"), "Step 262 of 262, transpose.cu:30")
    browser.key("Home")
    browser.click("#step-forward")
    contains(browser.text("#step-text"), "Step 2 of 262, transpose.cu:22")


def column(browser, number):
    return browser.run(
        f"[...document.querySelectorAll('.sortable tbody tr')].map((row) => row.children[{number}].textContent)"
    )


def sorts_tables(browser, page):
    browser.open(page("two_kernels"))
    browser.click("[data-launch='1']")
    browser.click("#tab-tables")
    equal(column(browser, 0)[:2], ["transpose.cu:19", "transpose.cu:21"], "places")
    browser.click(".sortable thead th:nth-child(3) button")
    equal(column(browser, 2)[:3], ["4,096", "4,096", "32"], "falling by a click")
    equal(
        browser.run("document.querySelector('.sortable thead th:nth-child(3)').getAttribute('aria-sort')"),
        "descending",
        "aria-sort",
    )
    browser.run("document.querySelector('.sortable thead th:nth-child(3) button').focus()")
    browser.key("Enter")
    equal(column(browser, 2)[-1], "4,096", "rising by a key")
    browser.click("#table-launches")
    browser.click(".sortable thead th:nth-child(1) button")
    equal(column(browser, 0), ["row_sums", "transpose"], "launches by name")
    browser.click(".sortable tbody tr:nth-child(2) button")
    equal(browser.text("#kernel"), "transpose(float const*, float*, int)", "launch by its name in the table")


def draws_accesses(browser, page):
    wanted = [
        ("no bank conflict", 2),
        ("no bank conflict", 4),
        ("no bank conflict", 1),
        ("8 wavefronts where 1 would do: 8 operations are in bank 0", 8),
    ]
    drawn = page("wide_shared")
    for number, (text, passes) in enumerate(wanted):
        browser.open(str(drawn) + f"#launch=0&view=accesses&sample={number}")
        contains(browser.text("#access-text"), text)
        equal(
            browser.run(
                "[...document.querySelectorAll('.banks .label')].filter((e) => e.textContent.startsWith('pass')).length"
            ),
            passes,
            "passes",
        )
    for number, (text, lines, moved) in enumerate(
        [
            ("31 lanes use 124 bytes in 5 sectors of 32 bytes; 4 would do", 2, 5),
            ("32 lanes use 128 bytes in 4 sectors of 32 bytes: as few", 1, 4),
            ("32 lanes use 512 bytes in 16 sectors of 32 bytes: as few", 4, 16),
        ],
        4,
    ):
        browser.open(str(drawn) + f"#launch=0&view=accesses&sample={number}")
        contains(browser.text("#access-text"), text)
        equal(browser.run("document.querySelectorAll('.memory .sector.moved').length"), moved, "sectors")
        equal(browser.run("document.querySelectorAll('.memory .sector').length"), 4 * lines, "sectors of the lines")
    browser.open(str(drawn) + "#launch=0&view=accesses&sample=4")
    browser.run("document.querySelector('.frame').focus()")
    for _ in range(6):
        browser.key("ArrowRight")
    equal(browser.text(".lane-text"), "Lane 6: offset +24, sector at \u22124", "lane 6, as lane 5 is not active")
    equal(
        browser.run("document.querySelector('.frame').getAttribute('aria-valuetext')"),
        browser.text(".lane-text"),
        "what a screen reader says",
    )


def compares_devices(browser, page):
    browser.open(page("two_kernels"))
    browser.click("[data-launch='1']")
    contains(browser.text("#least-times"), "at least 627 ns")  # 65,664 sectors at 3352 GB/s
    browser.choose("#device", "5")
    contains(browser.text("#least-times"), "at least 6.57 \u00b5s")  # at 320 GB/s
    contains(browser.run("document.querySelector('.roofline').getAttribute('aria-label')"), "T4")


def keeps_hostile_texts_texts(browser, page):
    browser.open(page("hostile"))
    for index, name in enumerate(HOSTILE):
        browser.click(f"[data-launch='{index}']")
        equal(browser.text("#kernel"), name, "kernel")
        for view in ("overview", "source", "accesses", "steps", "tables"):
            browser.click("#tab-" + view)
            found = browser.run(
                "document.querySelectorAll('img, iframe, link, object, embed, b, i, #injected, [onload], [onerror]').length"
            )
            equal(found, 0, f"elements that the profile made in {view}")
    equal(browser.run("document.querySelectorAll('script').length"), 3, "scripts")
    browser.click("#tab-source")
    browser.run("document.querySelector('.listing').focus()")
    for text in HOSTILE:
        browser.key("ArrowDown")
        equal(browser.text(".details .excerpt"), text.strip(), "line")
    browser.click("#tab-tables")
    for table in ("instructions", "counters", "launches"):
        browser.click("#table-" + table)
    equal(browser.run("document.querySelectorAll('img, b, #injected').length"), 0, "elements in tables")
    # The policy holds against what no text of the profile can do: a script that is added later.
    browser.run(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'document.title = \"hostile\"'}))"
    )
    equal(browser.run("document.title === 'hostile'"), False, "an added script ran")
    browser.events[:] = [event for event in browser.events if "Content Security Policy" not in json.dumps(event)]


def draws_large_profiles_lazily(browser, page):
    browser.open(page("large"))
    browser.click("#tab-source")
    for key in ("End", "PageUp", "Home"):
        browser.key(key)
    browser.key("End")
    equal(browser.text(".details h2"), "large.cu, line 5000", "last line")
    if browser.run("document.querySelectorAll('#panel-source *').length") > 2000:
        raise AssertionError("all lines are elements")
    browser.click("#tab-steps")
    browser.key("End")
    contains(browser.text("#step-text"), "Step 20,000 of 20,000")
    browser.click("#tab-tables")
    equal(len(column(browser, 0)), 200, "rows")
    browser.click(".more")
    equal(len(column(browser, 0)), 1200, "rows after another click")
    browser.run(
        "(() => { const e = document.getElementById('launch-filter'); e.value = 'kernel<77>'; e.dispatchEvent(new Event('input')); })()"
    )
    equal(browser.run("document.querySelectorAll('#launch-list li:not([hidden])').length"), 1, "launches of that name")


def follows_the_colours_of_the_system(browser, page):
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    for colours, wanted in (("dark", DARK), ("light", LIGHT)):
        browser.open(page("two_kernels"), colours)
        equal(browser.run(ground), wanted, colours)
    browser.click("#theme")
    equal(browser.run(ground), DARK, "by the button")
    equal(browser.text("#theme"), "Light colours", "button")
    browser.click("#theme")
    for colours in ("light", "dark"):
        browser.run(f"document.documentElement.dataset.theme = '{colours}'")
        for view in ("overview", "source", "accesses", "steps", "tables"):
            browser.click("#tab-" + view)
            equal(browser.run(POOR_CONTRAST), [], f"texts of poor contrast in {view}, {colours}")
    browser.run("localStorage.clear()")


# Texts, and what they stand on: with a contrast below 4.5.
POOR_CONTRAST = """(() => {
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = (upper, lower) => upper.slice(0, 3).map((c, i) => c * (upper[3] ?? 1) + lower[i] * (1 - (upper[3] ?? 1)));
  const ground = (e) => e === null ? [255, 255, 255] : over(numbers(getComputedStyle(e).backgroundColor), ground(e.parentElement));
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((all, part, i) => {
    const v = c[i] / 255;
    return all + part * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const poor = new Set();
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('svg, [hidden], script, noscript, .skip') || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const lower = ground(e);
    const [a, b] = [light(over(numbers(getComputedStyle(e).color), lower)), light(lower)];
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) poor.add(`${e.tagName} ${e.className}: ${e.textContent.slice(0, 20)}`);
  }
  return [...poor];
})()"""


def prints_all_views(browser, page):
    browser.open(page("two_kernels"), "dark")
    browser.click("[data-launch='1']")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    browser.call("Emulation.setEmulatedMedia", media="print")
    equal(
        browser.run(
            "[...document.querySelectorAll('[role=tabpanel]')].filter((e) => e.getBoundingClientRect().height > 50).length"
        ),
        5,
        "views on paper",
    )
    equal(
        browser.run("getComputedStyle(document.querySelector('.card')).backgroundColor"), "rgb(255, 255, 255)", "paper"
    )
    equal(browser.run("getComputedStyle(document.querySelector('.columns > nav')).display"), "none", "list of launches")
    contains(browser.text("#panel-source"), "sum = fmaf(in[row * n + i], 1.0f, sum);")
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.run("dispatchEvent(new Event('afterprint'))")
    equal(browser.run("document.getElementById('panel-source').childElementCount"), 0, "views after printing")
    equal(browser.pdf()[:5], b"%PDF-", "PDF")


def says_what_is_missing(browser, page):
    browser.open(page("empty"))
    contains(browser.text("#content"), "no launches")
    browser.open(str(page("two_kernels")) + "#launch=99&view=nonsense&source=x")
    equal(browser.text("#kernel"), "transpose(float const*, float*, int)", "launch of an address with errors")
    browser.click("#tab-steps")
    browser.click("[data-launch='1']")
    contains(browser.run("location.hash"), "launch=1&view=steps")
    browser.run("history.back()")
    browser.settle()
    equal(browser.text("#kernel"), "transpose(float const*, float*, int)", "launch before")


CASES = [
    shows_a_launch_and_a_metric,
    shows_all_figures_of_a_line,
    goes_through_the_views_by_keyboard,
    steps_through_a_warp,
    sorts_tables,
    draws_accesses,
    compares_devices,
    keeps_hostile_texts_texts,
    draws_large_profiles_lazily,
    follows_the_colours_of_the_system,
    prints_all_views,
    says_what_is_missing,
]


def main():
    writer, *names = sys.argv[1:]
    program = find_browser()
    if program is None:
        print("no Chromium: skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder, Browser(program) as browser:

        def page(name):
            path = pathlib.Path(folder, name + " page.html")
            if not path.exists():
                text = pathlib.Path(folder, name + ".json")
                text.write_text(json.dumps(PROFILES[name](), ensure_ascii=False), "utf-8")
                path.write_bytes(subprocess.run([writer, text], stdout=subprocess.PIPE, check=True).stdout)
            return path

        failed = 0
        for case in CASES:
            if names and case.__name__ not in names:
                continue
            try:
                case(browser, page)
                equal(browser.faults(), [], "console, dialogs, requests")
                print("passed", case.__name__)
            except (AssertionError, RuntimeError) as error:
                failed += 1
                print("FAILED", case.__name__, error)
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
