"""Tests the website of the running stack in headless Chromium: demo conversion, accessibility, layout, security."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = "chromium-headless-shell"
TIMEOUT = 60  # seconds
AXE = Path(".octavo/npm/browser/node_modules/axe-core/axe.min.js")
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}


class Browser:
    """A browser, controlled over a pipe [Chrome DevTools Protocol]: messages end with a zero byte."""

    def __init__(self, profile: str):
        commands, self.commands = os.pipe()
        self.responses, responses = os.pipe()
        options = f"--remote-debugging-pipe --no-sandbox --disable-gpu --user-data-dir={profile} about:blank"
        # The browser reads from descriptor 3 and writes to descriptor 4.
        line = f"exec {PROGRAM} {options} 3<&{commands} 4>&{responses} 2>/dev/null"
        self.process = subprocess.Popen(["/bin/bash", "-c", line], pass_fds=(commands, responses))
        os.close(commands)
        os.close(responses)
        self.buffer = b""
        self.number = 0
        self.events: list[dict] = []
        self.session = None

    def open(self, url: str):
        """Opens a URL and waits for its load event."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Accessibility"):
            self.call(f"{domain}.enable")
        loads = len(self.received("Page.loadEventFired"))
        self.call("Page.navigate", url=url)
        self.until(lambda: len(self.received("Page.loadEventFired")) > loads)

    def call(self, method: str, **parameters) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            response = self.receive()
            if response.get("id") == self.number:
                if "error" in response:
                    raise AssertionError(f"{method}: {response['error']}")
                return response["result"]

    def receive(self) -> dict:
        while b"\0" not in self.buffer:
            part = os.read(self.responses, 65536)
            if not part:
                raise AssertionError("the browser has exited")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    def evaluate(self, expression: str):
        """Evaluates an expression in the page."""
        response = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in response:
            raise AssertionError(response["exceptionDetails"])
        return response["result"].get("value")

    def until(self, condition):
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"the condition was not met within {TIMEOUT} s")
            self.evaluate("1")
            time.sleep(0.05)

    def received(self, method: str) -> list[dict]:
        return [event["params"] for event in self.events if event["method"] == method]

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        os.close(self.commands)
        os.close(self.responses)


class Website(unittest.TestCase):
    def setUp(self):
        stack = json.loads(Path(os.environ["OCTAVO_STACK"]).read_text())
        self.url = stack["siteUrl"]
        profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(profile.cleanup)
        self.browser = Browser(profile.name)
        self.addCleanup(self.browser.close)
        self.browser.open(self.url)

    def assert_quiet(self):
        """No violation of the Content Security Policy, no exception, no request to another origin."""
        violations = [entry["entry"]["text"] for entry in self.browser.received("Log.entryAdded")]
        self.assertEqual(violations, [])
        self.assertEqual(self.browser.received("Runtime.exceptionThrown"), [])
        addresses = [request["request"]["url"] for request in self.browser.received("Network.requestWillBeSent")]
        own = (self.url, "about:blank", f"blob:{self.url}")
        self.assertEqual([address for address in addresses if not address.startswith(own)], [])

    def test_the_demo_converts_the_sample(self):
        formats = self.browser.evaluate("[...document.querySelectorAll('#sandbox-format option')].map(o => o.value)")
        self.assertIn("pdf", formats)
        self.browser.evaluate("document.getElementById('sandbox-format').value = 'pdf'")
        self.browser.evaluate("document.querySelector('#sandbox button').click()")
        status = "document.getElementById('sandbox-status').textContent"
        self.browser.until(lambda: self.browser.evaluate(status) not in ("", "Converting …"))
        self.assertRegex(self.browser.evaluate(status), r"^Done in \d+\.\d s: application/pdf, \d+ bytes\.$")
        link = "document.getElementById('sandbox-download')"
        self.assertFalse(self.browser.evaluate("document.getElementById('sandbox-result').hidden"))
        self.assertEqual(self.browser.evaluate(f"{link}.download"), "octavo.pdf")
        head = f"fetch({link}.href).then(r => r.text()).then(t => t.slice(0, 5), e => e.name)"
        # The policy lets the page fetch from its own origin alone, which an object URL is not; a click downloads it.
        self.assertIn(self.browser.evaluate(head), ("%PDF-", "TypeError"))

    def test_the_home_page_loads_only_its_own_resources(self):
        self.assertEqual(self.browser.evaluate("document.title"), "Octavo: documents in, documents out")
        self.assertGreater(self.browser.evaluate("document.querySelectorAll('#formats tbody tr').length"), 10)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#plans tbody tr').length"), 4)
        self.assert_quiet()

    def test_every_control_has_an_accessible_name(self):
        nodes = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        used = {"button", "link", "combobox", "textbox", "table", "region", "navigation", "heading"}
        named = [(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes if "role" in node]
        unnamed = [role for role, name in named if role in used and not name and role != "table"]
        self.assertEqual(unnamed, [])
        self.assertTrue({"main", "banner", "contentinfo", "button", "combobox"} <= {role for role, _ in named})
        self.assertEqual(self.browser.evaluate("document.documentElement.lang"), "en")

    def pages(self) -> list[str]:
        """The home page and every documentation page."""
        self.browser.open(f"{self.url}guide")
        links = "[...document.querySelectorAll('header nav a')].map(link => link.href)"
        return [self.url, *self.browser.evaluate(links)]

    def test_every_page_is_accessible_and_fits_a_phone(self):
        pages = self.pages()
        self.assertGreater(len(pages), 5)
        for url in pages:
            self.browser.open(url)
            self.browser.evaluate(f"{AXE.read_text()}; 0")
            run = (
                "axe.run().then(found => found.violations.map(v => [v.id, v.nodes.map(node => node.html).slice(0, 3)]))"
            )
            self.assertEqual(self.browser.evaluate(run), [], url)
            self.browser.call("Emulation.setDeviceMetricsOverride", **PHONE)
            width = self.browser.evaluate("document.documentElement.scrollWidth")
            self.assertLessEqual(width, PHONE["width"], url)
            self.browser.call("Emulation.clearDeviceMetricsOverride")
        self.assert_quiet()

    def test_every_link_within_the_site_works(self):
        for url in self.pages():
            self.browser.open(url)
            check = """(async () => {
              const urls = [...document.links].map(link => new URL(link.href));
              const links = urls.filter(url => url.origin === location.origin);
              const pages = [...new Set(links.map(url => url.href.split('#')[0]))];
              const broken = [];
              for (const page of pages) {
                const response = await fetch(page, {credentials: 'omit'});
                const html = (response.headers.get('content-type') ?? '').startsWith('text/html');
                const found = html && new DOMParser().parseFromString(await response.text(), 'text/html');
                const anchors = links.filter(url => url.href.split('#')[0] === page && url.hash && found);
                const missing = anchors.filter(url => !found.getElementById(decodeURIComponent(url.hash.slice(1))));
                broken.push(...(response.ok ? [] : [page]), ...missing.map(url => url.href));
              }
              return [links.length, broken];
            })()"""
            count, broken = self.browser.evaluate(check)
            self.assertGreater(count, 0, url)
            self.assertEqual(broken, [], url)

    def test_injected_scripts_and_images_are_blocked(self):
        inline = "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s)"
        self.browser.evaluate(inline)
        image = "const i = new Image(); i.src = 'https://example.org/a.png'; document.body.append(i)"
        self.browser.evaluate(image)
        self.assertIsNone(self.browser.evaluate("window.ran ?? null"))
        self.browser.until(lambda: len(self.browser.received("Log.entryAdded")) >= 1)
        addresses = [response["response"]["url"] for response in self.browser.received("Network.responseReceived")]
        self.assertEqual([address for address in addresses if "example.org" in address], [])


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False).result.wasSuccessful())
