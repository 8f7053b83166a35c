"""What a tool costs is measured with all that it starts, and a tool that fails or is missing does not pass unseen."""

import json
import subprocess
import sys
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import child
import measure
import model
import peers
import report
from peers import Peer

LAYOUT = Path(__file__).resolve().parents[1]
TRUTH = model.Document([model.Paragraph("The lamp is clean."), model.Paragraph("The glass is cold.")])
RIGHT = json.dumps({"blocks": [{"type": "paragraph", "text": block.text} for block in TRUTH.blocks]})
# Works for half a second in a child of its own.
BUSY = "import os, time\nif os.fork():\n os.wait()\nelse:\n while time.process_time() < 0.5: pass"


class MeasureTest(unittest.TestCase):
    def setUp(self):
        self.place = Path(self.enterContext(TemporaryDirectory()))

    def result(self, script: str, ending: str = ".json") -> measure.Result:
        """What is measured of a tool that is a shell script over `$1`, the file to write."""
        tool = Peer("tool", ending, lambda: True, lambda _, target: ["/bin/sh", "-c", script, "sh", str(target)])
        source = measure.Source("tune", "tagged", Path("lamp.pdf"), TRUTH)
        return next(measure.measure((tool,), [source], self.place))

    def test_time_of_children_counts(self):
        ended = child.run([sys.executable, "-c", BUSY], self.place)
        self.assertEqual(ended.status, 0)
        self.assertGreaterEqual(ended.cpu, 0.5)

    def test_memory_of_children_counts(self):
        large = "import os\nif os.fork():\n os.wait()\nelse:\n b'x' * 200_000_000"
        # What measures does not count.
        own = b"x" * 100_000_000
        small, ended = (child.run([sys.executable, "-c", script], self.place) for script in ("pass", large))
        self.assertLess(small.peak, len(own))
        self.assertGreater(ended.peak, 200_000_000)

    def test_what_takes_too_long_is_ended_with_all_that_it_started(self):
        ended = child.run(["/bin/sh", "-c", "sleep 60 & echo $! > pid; wait"], self.place, within=0.5)
        self.assertEqual(ended.status, -9)
        self.assert_ended()

    def test_what_runs_on_after_its_starter_is_ended(self):
        ended = child.run(["/bin/sh", "-c", "sleep 60 & echo $! > pid"], self.place)
        self.assertEqual(ended.status, 0)
        self.assert_ended()

    def assert_ended(self):
        stat = Path("/proc", (self.place / "pid").read_text().strip(), "stat")
        for _ in range(100):
            if not stat.exists() or stat.read_text().split()[2] == "Z":
                return
            time.sleep(0.02)
        self.fail("what it started runs on")

    def test_a_right_output(self):
        result = self.result(f"echo '{RIGHT}' > $1; echo said; echo 0.25")
        self.assertEqual((result.score.order, result.score.paragraphs.f1, result.work), (1.0, 1.0, 0.25))
        self.assertEqual(result.trouble, "")

    def test_no_output_is_worth_nothing_and_told(self):
        for script, trouble in (
            ("echo broken; exit 3", "status 3, no output, said ['broken']"),
            ("true", "status 0, no output, said []"),
            ("echo '{}' > $1", "unreadable: KeyError('blocks')"),
            (f"echo '{RIGHT}' > $1; exit 1", "status 1, said []"),
        ):
            with self.subTest(script):
                result = self.result(script)
                self.assertEqual((result.score.order, result.score.paragraphs.f1), (0.0, 0.0))
                self.assertEqual(result.trouble, trouble)

    def test_an_output_of_an_earlier_run_is_not_taken(self):
        self.result(f"echo '{RIGHT}' > $1")
        self.assertEqual(self.result("true").score.order, 0.0)

    def test_means_are_over_the_documents_that_a_measure_is_for(self):
        results = [self.result(f"echo '{RIGHT}' > $1"), self.result("true")]
        line = dict(zip(report.HEADINGS, report.lines(results)[0], strict=True))
        self.assertEqual((line["order"], line["cells"], line["failed"]), ("0.500", "", "1"))

    def test_a_missing_tool_is_named(self):
        absent = Peer("absent", ".json", lambda: False, lambda _, target: [])
        self.assertEqual(peers.missing((absent, peers.ours("true"))), ["absent"])

    def test_without_its_peers_the_command_fails(self):
        # A bare Python has none of them, and no soffice is on this path.
        script = f"import sys; sys.path.insert(0, {str(LAYOUT)!r}); import peers; print(*peers.missing(peers.PEERS))"
        command = [sys.executable, "-I", "-S", "-c", script]
        answer = subprocess.run(command, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=True)
        self.assertEqual(answer.stdout.split(), [peer.name for peer in peers.PEERS])


if __name__ == "__main__":
    unittest.main()
