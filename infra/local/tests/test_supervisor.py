"""No process of a stack outlives it, however the stack ends."""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

SUPERVISOR = Path(__file__).resolve().parents[1] / "supervisor.py"
# A grandchild in its own session whose parent has ended: a signal to the process group does not reach it.
ESCAPE = '(setsid sh -c "echo \\$\\$ > $0/escaped; exec sleep 600" &); echo $$ > $0/child; exec sleep 600'


class SupervisorTest(unittest.TestCase):
    """A supervisor with a child and a descendant in another session."""

    def setUp(self):
        self.directory = Path(self.enterContext(TemporaryDirectory()))
        self.removed = self.directory / "removed"
        self.removed.mkdir()
        command = ["/bin/sh", "-c", ESCAPE, str(self.directory)]
        self.supervisor = subprocess.Popen(
            [sys.executable, str(SUPERVISOR), f"--remove={self.removed}", "--", *command],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        self.addCleanup(self.supervisor.wait)
        self.addCleanup(self.supervisor.stdin.close)
        self.pids = [self.pid("child"), self.pid("escaped")]

    def pid(self, name: str) -> int:
        path = self.directory / name
        for _ in range(500):
            if path.exists() and path.read_text(encoding="utf-8").strip():
                return int(path.read_text(encoding="utf-8"))
            time.sleep(0.01)
        raise AssertionError(f"{name} did not start")

    def assert_cleaned_up(self, status: int):
        self.assertEqual(self.supervisor.wait(timeout=10), status)
        for pid in self.pids:
            with self.assertRaises(ProcessLookupError):
                os.kill(pid, 0)
        self.assertFalse(self.removed.exists())

    def test_the_starting_process_ends(self):
        self.supervisor.stdin.close()
        self.assert_cleaned_up(0)

    def test_it_receives_sigterm(self):
        self.supervisor.terminate()
        self.assert_cleaned_up(0)

    def test_the_child_dies(self):
        os.kill(self.pids[0], signal.SIGKILL)
        self.assert_cleaned_up(1)
