"""A headless Chromium, driven by its DevTools protocol through two pipes, with Python's own library only."""

import base64
import json
import os
import shutil
import subprocess
import tempfile


def find_browser():
    names = [os.environ.get("KILN_TEST_BROWSER"), "chromium", "chromium-browser", "google-chrome", "chrome"]
    return next((path for path in map(shutil.which, filter(None, names)) if path), None)


class Browser:
    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="kiln-browser-", ignore_cleanup_errors=True)
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        # The protocol's pipes are the descriptors 3 and 4. Copies from 5 on first: either may have the other's number.
        launcher = (
            "import fcntl, os, sys; "
            "a, b = (fcntl.fcntl(int(each), fcntl.F_DUPFD_CLOEXEC, 5) for each in sys.argv[1:3]); "
            "os.dup2(a, 3); os.dup2(b, 4); os.execv(sys.argv[3], sys.argv[3:])"
        )
        self._process = subprocess.Popen(
            [
                "python3",
                "-c",
                launcher,
                str(commands),
                str(answers),
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                f"--user-data-dir={self.profile.name}",
                "--remote-debugging-pipe",
                "about:blank",
            ],
            pass_fds=(commands, answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._number = 0
        self.events = []
        self._session = None
        pages = [each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page"]
        self._session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self._session = None
            self.call("Browser.close")
        except (OSError, EOFError):
            pass
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._commands)
        os.close(self._answers)
        self.profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _message(self):
        while b"\0" not in self._buffer:
            got = os.read(self._answers, 1 << 20)
            if not got:
                raise EOFError("the browser ended")
            self._buffer += got
        text, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._commands, data) :]
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while True:
            for index, event in enumerate(self.events):
                if event["method"] == method:
                    return self.events.pop(index)
            self.events.append(self._message())

    def open(self, path, colours="light", width=1440, height=960):
        self.events.clear()
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url="about:blank")
        self.wait_for("Page.loadEventFired")
        self.events.clear()
        self.call("Page.navigate", url="file://" + str(path))
        self.wait_for("Page.loadEventFired")

    def run(self, expression):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settle(self):
        """Until the page has done what it put off. A busy machine may draw no animation frame for minutes."""
        self.run("new Promise((done) => { document.body.getBoundingClientRect(); setTimeout(done); })")

    def click(self, selector):
        """By the mouse, at the middle of the element."""
        self.settle()
        box = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'nearest'}}); "
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        self.settle()

    def key(self, key, modifiers=0):
        codes = {
            "Tab": 9,
            "Enter": 13,
            " ": 32,
            "PageUp": 33,
            "PageDown": 34,
            "End": 35,
            "Home": 36,
            "ArrowLeft": 37,
            "ArrowUp": 38,
            "ArrowRight": 39,
            "ArrowDown": 40,
        }
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper())), "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)
        self.settle()

    def choose(self, selector, value):
        """Of a select element, as the keyboard does it."""
        self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.focus(); e.value = {json.dumps(value)}; "
            "e.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )
        self.settle()

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.textContent")

    def picture(self, path, whole=False):
        self.settle()
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def faults(self):
        """Errors and warnings of the console, dialogs, and requests to other than the page itself."""
        self.settle()
        found = []
        for event in self.events:
            method, data = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(
                    data["exceptionDetails"].get("exception", data["exceptionDetails"]).get("description", str(data))
                )
            elif method == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning", "assert"):
                found.append(str(data["args"]))
            elif method == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
                found.append(data["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                found.append("dialog: " + data["message"])
            elif method == "Network.requestWillBeSent" and data["type"] != "Document":
                found.append("request: " + data["request"]["url"])
        return found
