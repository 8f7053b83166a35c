"""Nothing that a stack started outlives it, however its end comes."""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

KEEPER = Path(__file__).resolve().parents[1] / "keeper.py"
# A grandchild in a session of its own, whose parent is gone: what a signal to a process group does not reach.
ESCAPE = '(setsid sh -c "echo \\$\\$ > $0/escaped; exec sleep 600" &); echo $$ > $0/child; exec sleep 600'


class KeeperTest(unittest.TestCase):
    """A keeper over a child and a descendant that has slipped out of its session."""

    def setUp(self):
        self.directory = Path(self.enterContext(TemporaryDirectory()))
        self.kept = self.directory / "kept"
        self.kept.mkdir()
        command = ["/bin/sh", "-c", ESCAPE, str(self.directory)]
        self.keeper = subprocess.Popen(
            [sys.executable, str(KEEPER), f"--remove={self.kept}", "--", *command],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        self.addCleanup(self.keeper.wait)
        self.addCleanup(self.keeper.stdin.close)
        self.pids = [self.pid("child"), self.pid("escaped")]

    def pid(self, name: str) -> int:
        path = self.directory / name
        for _ in range(500):
            if path.exists() and path.read_text(encoding="utf-8").strip():
                return int(path.read_text(encoding="utf-8"))
            time.sleep(0.01)
        raise AssertionError(f"{name} did not start")

    def assert_cleared_away(self, status: int):
        self.assertEqual(self.keeper.wait(timeout=10), status)
        for pid in self.pids:
            with self.assertRaises(ProcessLookupError):
                os.kill(pid, 0)
        self.assertFalse(self.kept.exists())

    def test_the_starter_is_gone(self):
        self.keeper.stdin.close()
        self.assert_cleared_away(0)

    def test_it_is_told_to_stop(self):
        self.keeper.terminate()
        self.assert_cleared_away(0)

    def test_the_child_dies(self):
        os.kill(self.pids[0], signal.SIGKILL)
        self.assert_cleared_away(1)
