"""The emulator's report in a notebook."""
import html
import json
import re

DATA = re.compile(r'<script id="profile" type="application/json">(.*?)</script>', re.DOTALL)


def frame(page):
    """The page as an element of the notebook. It runs its own scripts, and reaches nothing of the notebook."""
    return (f'<iframe title="Kiln profile" sandbox="allow-scripts" srcdoc="{html.escape(page, quote=True)}" '
            'style="width: 100%; height: 42em; border: 1px solid #888"></iframe>')


def advice_text(page):
    """Launches and advice, for where no HTML is shown."""
    data = DATA.search(page)
    if data is None:
        return "the profile is a page, which this program does not show"
    lines = []
    for launch in json.loads(data[1])["launches"]:
        grid, block = (",".join(map(str, launch[size])) for size in ("grid", "block"))
        lines.append(f"profile of {launch['kernel']}, grid ({grid}), block ({block})")
        lines += (f"  * {advice['text']}" for advice in launch["advice"])
    return "\n".join(lines)


def bundle(page):
    """What IPython's display is given."""
    return {"text/html": frame(page), "text/plain": advice_text(page)}
