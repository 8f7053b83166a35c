"""The probe on this machine: it reports every property, and no values of secret variables.

Run by `python -m unittest discover infra/probe` in the root of the checkout. `tests/jail` runs the probe under Lambda's
restrictions.
"""

import contextlib
import io
import json
import os
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent / "function"))

import execute_only
import forked
import handler
import system_calls

KILLED = "killed by SIGSEGV"


class Probe(unittest.TestCase):
    """The report, without connections to other machines."""

    @classmethod
    def setUpClass(cls):
        log = io.StringIO()
        loopback = mock.patch.object(handler, "ENDPOINTS", ("127.0.0.1:9",))
        secret = mock.patch.dict(os.environ, {"AWS_SECRET_ACCESS_KEY": "not reported", "AWS_LAMBDA_RUNTIME_API": ""})
        with loopback, secret, contextlib.redirect_stdout(log):
            cls.report = handler.handle({}, None)
        cls.log = log.getvalue()

    def test_one_line_of_json_is_logged_and_returned(self):
        self.assertEqual(json.loads(self.log), json.loads(json.dumps(self.report)))
        self.assertEqual(1, self.log.count("\n"))

    def test_every_system_call_has_a_result(self):
        calls = self.report["systemCalls"]
        self.assertEqual({*system_calls.PROBES, "prctl"}, {*calls})
        self.assertEqual({*system_calls.PRCTL}, {*calls["prctl"]})
        for name, result in (calls | calls["prctl"]).items():
            self.assertNotIn(result, ("no result", None), name)
        for name in ("kill", "clone with CLONE_PARENT", "fcntl F_SETSIG", "prlimit of the parent", "setpgid"):
            self.assertEqual("ok", calls[name], name)

    def test_values_of_secret_variables_are_not_reported(self):
        self.assertIn("AWS_SECRET_ACCESS_KEY", self.report["variables"]["names"])
        self.assertNotIn("not reported", self.log)

    def test_a_closed_port_is_refused(self):
        self.assertEqual({"127.0.0.1:9": "ECONNREFUSED"}, self.report["endpoints"])

    def test_processes_are_reported_and_none_is_left(self):
        self.assertEqual(os.getppid(), self.report["processes"]["ownParent"])
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_programs_are_inspected(self):
        self.assertEqual("ok", self.report["executeOnly"]["readable"]["environ"])
        self.assertEqual({*execute_only.MODES}, {*self.report["executeOnly"]})


class Forked(unittest.TestCase):
    """Probes that end their process or hang."""

    def test_results_errors_and_ends_of_the_process_are_reported(self):
        self.assertEqual({"a": [1]}, forked.forked(lambda: {"a": [1]}))
        self.assertEqual("ENOENT", forked.forked(lambda: os.stat("/absent")))
        self.assertIn("ValueError", forked.forked(lambda: int("x")))
        self.assertEqual("no result", forked.forked(lambda: os._exit(3)))
        self.assertEqual(KILLED, forked.forked(lambda: os.kill(os.getpid(), 11)))
        with mock.patch.object(forked, "TIMEOUT", 0.1):
            self.assertEqual("timed out", forked.forked(lambda: os.read(os.pipe()[0], 1)))


if __name__ == "__main__":
    unittest.main()
