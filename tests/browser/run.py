"""Opens the public page of the running stack in headless Chromium and uses it as a person would."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = "chromium-headless-shell"
WITHIN = 60  # seconds


class Browser:
    """A browser that is driven over a pipe [Chrome DevTools Protocol]: messages end with a zero byte."""

    def __init__(self, profile: str):
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        options = f"--remote-debugging-pipe --no-sandbox --disable-gpu --user-data-dir={profile} about:blank"
        # The program reads descriptor 3 and writes descriptor 4.
        line = f"exec {PROGRAM} {options} 3<&{commands} 4>&{answers} 2>/dev/null"
        self.process = subprocess.Popen(["/bin/bash", "-c", line], pass_fds=(commands, answers))
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.number = 0
        self.events: list[dict] = []
        self.session = None

    def open(self, url: str):
        """Opens a page and waits until it is loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Accessibility"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)
        self.until(lambda: any(event["method"] == "Page.loadEventFired" for event in self.events))

    def call(self, method: str, **parameters) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self) -> dict:
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 65536)
            if not part:
                raise AssertionError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    def evaluate(self, expression: str):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def until(self, condition):
        deadline = time.monotonic() + WITHIN
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError("it did not come to that in time")
            self.evaluate("1")
            time.sleep(0.05)

    def told(self, method: str) -> list[dict]:
        return [event["params"] for event in self.events if event["method"] == method]

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        os.close(self.commands)
        os.close(self.answers)


class PublicPage(unittest.TestCase):
    """The page at the root of the service."""

    def setUp(self):
        stack = json.loads(Path(os.environ["OCTAVO_STACK"]).read_text())
        self.url = stack["siteUrl"]
        profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(profile.cleanup)
        self.browser = Browser(profile.name)
        self.addCleanup(self.browser.close)
        self.browser.open(self.url)

    def assert_quiet(self):
        """Nothing was refused by the policy, failed, or came from elsewhere."""
        complaints = [entry["entry"]["text"] for entry in self.browser.told("Log.entryAdded")]
        self.assertEqual(complaints, [])
        self.assertEqual(self.browser.told("Runtime.exceptionThrown"), [])
        addresses = [request["request"]["url"] for request in self.browser.told("Network.requestWillBeSent")]
        own = (self.url, "about:blank", f"blob:{self.url}")
        self.assertEqual([address for address in addresses if not address.startswith(own)], [])

    def test_a_person_converts_the_sample(self):
        formats = self.browser.evaluate("[...document.querySelectorAll('#sandbox-format option')].map(o => o.value)")
        self.assertIn("pdf", formats)
        self.browser.evaluate("document.getElementById('sandbox-format').value = 'pdf'")
        self.browser.evaluate("document.querySelector('#sandbox button').click()")
        said = "document.getElementById('sandbox-status').textContent"
        self.browser.until(lambda: self.browser.evaluate(said) not in ("", "Converting …"))
        self.assertRegex(self.browser.evaluate(said), r"^Done in \d+\.\d s: application/pdf, \d+ bytes\.$")
        link = "document.getElementById('sandbox-download')"
        self.assertFalse(self.browser.evaluate("document.getElementById('sandbox-result').hidden"))
        self.assertEqual(self.browser.evaluate(f"{link}.download"), "octavo.pdf")
        head = f"fetch({link}.href).then(r => r.text()).then(t => t.slice(0, 5), e => e.name)"
        # The policy lets the page fetch from its own origin alone, which an object URL is not; a click downloads it.
        self.assertIn(self.browser.evaluate(head), ("%PDF-", "TypeError"))

    def test_nothing_comes_from_elsewhere_and_nothing_is_refused(self):
        self.assertEqual(self.browser.evaluate("document.title"), "Octavo: documents in, documents out")
        self.assertGreater(self.browser.evaluate("document.querySelectorAll('#formats tbody tr').length"), 10)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#plans tbody tr').length"), 4)
        self.assert_quiet()

    def test_everything_that_can_be_used_has_a_name(self):
        nodes = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        used = {"button", "link", "combobox", "textbox", "table", "region", "navigation", "heading"}
        named = [(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes if "role" in node]
        nameless = [role for role, name in named if role in used and not name and role != "table"]
        self.assertEqual(nameless, [])
        self.assertTrue({"main", "banner", "contentinfo", "button", "combobox"} <= {role for role, _ in named})
        self.assertEqual(self.browser.evaluate("document.documentElement.lang"), "en")

    def test_what_is_injected_does_not_run(self):
        inline = "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s)"
        self.browser.evaluate(inline)
        image = "const i = new Image(); i.src = 'https://example.org/a.png'; document.body.append(i)"
        self.browser.evaluate(image)
        self.assertIsNone(self.browser.evaluate("window.ran ?? null"))
        self.browser.until(lambda: len(self.browser.told("Log.entryAdded")) >= 1)
        addresses = [answer["response"]["url"] for answer in self.browser.told("Network.responseReceived")]
        self.assertEqual([address for address in addresses if "example.org" in address], [])


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False).result.wasSuccessful())
