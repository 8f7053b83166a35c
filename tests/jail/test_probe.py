"""The probe (infra/probe) in the jail: it reports what the jail refuses, and the jail refuses what it should."""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

import function
import jail
import seccomp

PROBE = function.ROOT / "infra/probe/function"
TIMEOUT = 120  # seconds
# Calls that the probe tries under names of its own.
REFUSED = {*seccomp.REFUSED["EPERM"]} - {
    "pivot_root",
    "prctl",
    "process_vm_writev",
    "ptrace",
    "seccomp",
    "umount2",
    "unshare",
}


class Probe(unittest.TestCase):
    """The probe's report from the jail."""

    @classmethod
    def setUpClass(cls):
        script = "import handler; handler.handle({}, None)"
        specification = {
            "command": [os.path.realpath(sys.executable), "-c", script],
            "environment": {"PATH": "/usr/bin:/bin", "SECRET": "not reported"},
            "files": [[str(path), path.name, 0o644] for path in PROBE.glob("*.py")],
            "visible": [sys.base_prefix],
            "temporaryMiB": 64,
            "restarts": 0,
        }
        with tempfile.TemporaryDirectory(prefix="octavo-jail-") as directory:
            log = Path(directory, "log")
            code = function.start(specification, Path(directory), log).wait(TIMEOUT)
            cls.output = log.read_text()
        if code != 0:
            raise AssertionError(f"the probe ended with {code}: {cls.output}")
        cls.report = json.loads(cls.output.splitlines()[0])

    def test_system_calls_are_refused(self):
        calls = self.report["systemCalls"]
        refused = {*REFUSED, "ptrace attach", "ptrace traceme", "seccomp filter", "seccomp filter after no_new_privs"}
        refused |= {name for name in calls if name.startswith("unshare ")}
        self.assertEqual(dict.fromkeys(refused, "EPERM"), {name: calls[name] for name in refused})
        self.assertEqual({"EPERM"}, set(calls["prctl"].values()))
        newer = ("landlock_create_ruleset", "clone3", "epoll_pwait2", "memfd_secret", "mount_setattr")
        self.assertEqual(dict.fromkeys(newer, "ENOSYS"), {name: calls[name] for name in newer})
        self.assertEqual("ok", calls["process_vm_readv"])

    def test_what_the_sandbox_needs_is_permitted(self):
        """And a process can change the limits of others of its user, against which the sandbox has to defend itself."""
        for name in ("clone with CLONE_PARENT", "fcntl F_SETSIG", "prlimit of the parent", "setpgid", "setrlimit"):
            self.assertEqual("ok", self.report["systemCalls"][name], name)

    def test_the_process_has_no_rights(self):
        self.assertEqual([[jail.USER] * 3, [jail.GROUP] * 3], [self.report["users"][name] for name in ("uids", "gids")])
        self.assertEqual("0000000000000000", self.report["status"]["CapEff"])
        self.assertEqual(["0", "2"], [self.report["status"][name] for name in ("NoNewPrivs", "Seccomp")])
        self.assertEqual([jail.OPEN_FILES] * 2, self.report["limits"]["RLIMIT_NOFILE"])
        self.assertEqual([jail.PROCESSES] * 2, self.report["limits"]["RLIMIT_NPROC"])

    def test_only_tmp_is_writable_and_there_is_no_shared_memory(self):
        self.assertEqual(["/tmp"], [path for path, result in self.report["writable"].items() if result == "ok"])  # noqa: S108
        self.assertNotIn("shm", self.report["devices"])
        self.assertEqual("ENOENT", self.report["sharedMemory"])

    def test_only_an_execute_only_program_is_closed_to_other_processes(self):
        readable, execute_only = (self.report["executeOnly"][name] for name in ("readable", "executeOnly"))
        self.assertEqual({"environ": "ok", "memory": "ok"}, readable)
        self.assertEqual({"environ": "EACCES", "memory": "EACCES"}, execute_only)
        self.assertEqual("ok", self.report["processes"]["parentEnviron"])

    def test_nothing_is_reachable(self):
        self.assertEqual({"ECONNREFUSED"}, set(self.report["endpoints"].values()))

    def test_no_values_of_variables_are_reported(self):
        self.assertIn("SECRET", self.report["variables"]["names"])
        self.assertNotIn("not reported", self.output)
