"""Frames of a notebook's output in headless Chromium, driven by the browser of tests/profile_page."""
import contextlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "profile_page"))

import browser


def has_browser():
    return browser.find_browser() is not None


@contextlib.contextmanager
def only_frame(folder, html):
    """A function that gives the value of a JavaScript expression in the page's frame, and one for the page itself; None
    where this browser keeps a sandboxed frame in the process of its page."""
    path = folder / "output.html"
    path.write_text(f"<!DOCTYPE html><meta charset='utf-8'><title>the notebook</title>{html}", encoding="utf-8")
    with browser.Browser(browser.find_browser()) as chromium:
        chromium.open(path)
        page, chromium._session = chromium._session, None
        targets = chromium.call("Target.getTargets")["targetInfos"]
        frames = [each["targetId"] for each in targets if each["type"] == "iframe"]
        if len(frames) != 1:
            yield None, None
            return
        frame = chromium.call("Target.attachToTarget", targetId=frames[0], flatten=True)["sessionId"]

        def run_in(session):
            def run(expression):
                chromium._session = session
                return chromium.run(expression)
            return run

        yield run_in(frame), run_in(page)
