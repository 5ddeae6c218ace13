#!/usr/bin/env python3
"""Joins page.html with its styles and scripts into the text before and the text behind a profile's JSON.

join_page.py cpp OUTPUT FILE...            writes them as a C++ source
join_page.py html PROFILE.json OUTPUT FILE...   writes a whole page, for work on the page without a build
"""

import base64
import hashlib
import pathlib
import sys


def digest(text):
    """As a Content-Security-Policy names an inline text."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page_parts(files):
    """files: page.html, styles and scripts in their order; theme.js runs before the page is drawn, by itself."""
    texts = {path: path.read_text("utf-8") for path in map(pathlib.Path, files)}
    page = next(text for path, text in texts.items() if path.suffix == ".html")
    theme = next(text for path, text in texts.items() if path.name == "theme.js")
    style = "\n" + "\n".join(text for path, text in texts.items() if path.suffix == ".css")
    scripts = [text for path, text in texts.items() if path.suffix == ".js" and path.name != "theme.js"]
    script = '\n(() => {\n"use strict";\n\n' + "\n".join(scripts) + "\n})();\n"
    theme = "\n" + theme
    for text in (style, script, theme):
        if "</s" in text or "<!--" in text:
            sys.exit("join_page.py: a style or script holds a tag that would end it")
    policy = (
        f"default-src 'none'; style-src {digest(style)}; script-src {digest(theme)} {digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    for name, text in (("POLICY", policy), ("STYLE", style), ("THEME", theme), ("SCRIPT", script)):
        page = page.replace(f"@{name}@", text, 1)
    before, after = page.split("@PROFILE@")
    return before, after


def write_cpp(output, files):
    before, after = page_parts(files)
    if ')kiln"' in before + after:
        sys.exit('join_page.py: the page holds )kiln"')
    output.write_text(
        '#include "emulator/profile/page/profile_page.hpp"\n\n'
        f'std::string_view kiln::emulator::page_before_profile() {{ return R"kiln({before})kiln"; }}\n\n'
        f'std::string_view kiln::emulator::page_behind_profile() {{ return R"kiln({after})kiln"; }}\n',
        "utf-8",
    )


def write_html(profile, output, files):
    before, after = page_parts(files)
    json = pathlib.Path(profile).read_text("utf-8").replace("<", "\\u003c")
    output.write_text(before + json + after, "utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "cpp":
        write_cpp(pathlib.Path(sys.argv[2]), sys.argv[3:])
    else:
        write_html(sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:])
