"""Resource usage of tools includes child processes, and failing or missing tools are reported."""

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
# Uses half a second of CPU time in a child process.
BUSY = "import os, time\nif os.fork():\n os.wait()\nelse:\n while time.process_time() < 0.5: pass"


class MeasureTest(unittest.TestCase):
    def setUp(self):
        self.place = Path(self.enterContext(TemporaryDirectory()))

    def result(self, script: str, ending: str = ".json") -> measure.Result:
        """The result of a tool that is a shell script; `$1` is the output path."""
        tool = Peer("tool", ending, lambda: True, lambda _, target: ["/bin/sh", "-c", script, "sh", str(target)])
        source = measure.Source("tune", "tagged", Path("lamp.pdf"), TRUTH)
        return next(measure.measure((tool,), [source], self.place))

    def test_time_of_children_counts(self):
        finished = child.run([sys.executable, "-c", BUSY], self.place)
        self.assertEqual(finished.status, 0)
        self.assertGreaterEqual(finished.cpu, 0.5)

    def test_memory_of_children_counts(self):
        large = "import os\nif os.fork():\n os.wait()\nelse:\n b'x' * 200_000_000"
        # The meter process itself does not count.
        own = b"x" * 100_000_000
        small, finished = (child.run([sys.executable, "-c", script], self.place) for script in ("pass", large))
        self.assertLess(small.peak, len(own))
        self.assertGreater(finished.peak, 200_000_000)

    def test_time_out_kills_the_whole_process_group(self):
        finished = child.run(["/bin/sh", "-c", "sleep 60 & echo $! > pid; wait"], self.place, within=0.5)
        self.assertEqual(finished.status, -9)
        self.assert_killed()

    def test_orphaned_processes_are_killed(self):
        finished = child.run(["/bin/sh", "-c", "sleep 60 & echo $! > pid"], self.place)
        self.assertEqual(finished.status, 0)
        self.assert_killed()

    def assert_killed(self):
        stat = Path("/proc", (self.place / "pid").read_text().strip(), "stat")
        for _ in range(100):
            if not stat.exists() or stat.read_text().split()[2] == "Z":
                return
            time.sleep(0.02)
        self.fail("a child process is still running")

    def test_correct_output_scores_full_marks(self):
        result = self.result(f"echo '{RIGHT}' > $1; echo said; echo 0.25")
        self.assertEqual((result.score.order, result.score.paragraphs.f1, result.work), (1.0, 1.0, 0.25))
        self.assertEqual(result.error, "")

    def test_missing_output_scores_zero_with_an_error(self):
        for script, error in (
            ("echo broken; exit 3", "status 3, no output file, printed ['broken']"),
            ("true", "status 0, no output file, printed []"),
            ("echo '{}' > $1", "unreadable: KeyError('blocks')"),
            (f"echo '{RIGHT}' > $1; exit 1", "status 1, printed []"),
        ):
            with self.subTest(script):
                result = self.result(script)
                self.assertEqual((result.score.order, result.score.paragraphs.f1), (0.0, 0.0))
                self.assertEqual(result.error, error)

    def test_stale_output_is_not_scored(self):
        self.result(f"echo '{RIGHT}' > $1")
        self.assertEqual(self.result("true").score.order, 0.0)

    def test_means_cover_only_documents_with_the_measure(self):
        results = [self.result(f"echo '{RIGHT}' > $1"), self.result("true")]
        line = dict(zip(report.HEADINGS, report.lines(results)[0], strict=True))
        self.assertEqual((line["order"], line["cells"], line["failed"]), ("0.500", "", "1"))

    def test_missing_tools_are_named(self):
        absent = Peer("absent", ".json", lambda: False, lambda _, target: [])
        self.assertEqual(peers.missing((absent, peers.ours("true"))), ["absent"])

    def test_command_fails_without_peers(self):
        # A plain Python has no peer installed, and soffice is not on this path.
        script = f"import sys; sys.path.insert(0, {str(LAYOUT)!r}); import peers; print(*peers.missing(peers.PEERS))"
        command = [sys.executable, "-I", "-S", "-c", script]
        answer = subprocess.run(command, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=True)
        self.assertEqual(answer.stdout.split(), [peer.name for peer in peers.PEERS])


if __name__ == "__main__":
    unittest.main()
