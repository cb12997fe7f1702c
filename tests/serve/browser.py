"""A headless Chromium, driven by its chromedriver over plain HTTP (W3C WebDriver), as the tests of the page need it."""

import base64
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

DRIVER, CHROMIUM = "chromedriver", "chromium"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--force-device-scale-factor=1"
]
PATIENCE = 20  # seconds that something may take to come


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Browser:
    """One window. `close` ends the browser and its driver."""

    def __init__(self):
        self.profile = pathlib.Path(tempfile.mkdtemp(prefix="pdb-chromium-"))
        port = free_port()
        self.driver = subprocess.Popen([DRIVER, f"--port={port}", f"--log-path={self.profile / 'driver.log'}"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)  # so that all that it starts ends with it
        self.address, self.session = f"http://127.0.0.1:{port}", ""
        try:
            self.wait(lambda: self._call("GET", "/status")["ready"], "the driver")
            options = {"binary": shutil.which(CHROMIUM), "args": [*FLAGS, f"--user-data-dir={self.profile}"]}
            wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
            answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.session = f"/session/{answer['sessionId']}"
        except BaseException:
            self.close()
            raise

    def close(self):
        try:
            if self.session:
                self._call("DELETE", self.session)
        finally:
            os.killpg(self.driver.pid, signal.SIGKILL)
            self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def _post(self, path, **body):
        return self._call("POST", self.session + path, body)

    @staticmethod
    def wait(condition, what, patience=PATIENCE):
        """Until a condition holds; what it returns."""
        end = time.monotonic() + patience
        while True:
            try:
                found = condition()
            except (OSError, RuntimeError, TypeError, KeyError):
                found = None
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"waited {patience} s for {what}")
            time.sleep(0.02)

    # -- looking --

    def open(self, address):
        self._post("/url", url=address)

    def run(self, script, *arguments):
        """What a script returns; a promise is waited for."""
        code = ("const done = arguments[arguments.length - 1], said = [...arguments].slice(0, -1);"
                f"(async (...arguments) => {{ {script} }})(...said)"
                ".then((value) => done([value]), (error) => done([null, String(error)]));")
        value, *error = self._post("/execute/async", script=code, args=list(arguments))
        if error:
            raise RuntimeError(error[0])
        return value

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null;", selector)

    def wait_for(self, selector, text=""):
        """Until an element is there that has a text."""
        return self.wait(lambda: text in (self.text(selector) or "") and self.run(
            "return document.querySelector(arguments[0]) !== null;", selector), f"{selector} with {text!r}")

    def command(self, name, **parameters):
        """A command of Chromium's own protocol."""
        return self._post("/goog/cdp/execute", cmd=name, params=parameters)

    def look(self, width, height, dark=False):
        """Sets the window's size and what it prefers."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path, whole=False):
        image = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(image))

    def logs(self, sort):
        """What has been logged since the last call: `browser`, or `performance` (requests among it)."""
        return self._post("/se/log", type=sort)

    # -- acting --

    def _actions(self, *sources):
        self._post("/actions", actions=list(sources))

    def pointer(self, *points, touch=False):
        """Presses at the first point of the window, moves to the others, lets go: a click, a tap or a drag."""
        kind = "touch" if touch else "mouse"
        at = [{"type": "pointerMove", "duration": 30 if i else 0, "x": round(x), "y": round(y)}
              for i, (x, y) in enumerate(points)]
        acts = [at[0], {"type": "pointerDown", "button": 0}, *at[1:], {"type": "pointerUp", "button": 0}]
        self._actions({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": acts})

    def click(self, selector):
        """Clicks an element where it has come to rest."""
        self.pointer(self.run("""
            const element = document.querySelector(arguments[0]);
            element.scrollIntoView({ block: "center" });
            for (let before = "";;) {
                const box = element.getBoundingClientRect(), now = [box.x + box.width / 2, box.y + box.height / 2];
                if (String(now) === before) return now;
                before = String(now);
                await new Promise((done) => setTimeout(done, 40));
            }""", selector))

    def keys(self, *keys):
        self._actions({"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]})
