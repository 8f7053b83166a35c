"""Tests that every function works under Lambda's restrictions, which `jail.py` simulates.

Usage: run.py [TEST...], a test as unittest names it: `test_start`, `test_engines.Web`. Without a name, runs all classes
of tests, two at a time, each in a process and a network of its own.
Needs the functions' binaries (`cargo build`) and root or user namespaces.
"""

import os
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import linux
from runtime_api import ADDRESS


def main() -> int:
    return run(sys.argv[1:]) if sys.argv[1:] else run_all()


def run_all() -> int:
    loader = unittest.TestLoader()
    suites = loader.discover(str(Path(__file__).parent))
    if loader.errors:
        print(*loader.errors, sep="\n", file=sys.stderr)
        return 1
    classes = dict.fromkeys(f"{type(test).__module__}.{type(test).__qualname__}" for test in tests_of(suites))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run_apart, classes))
    failed = [name for name, succeeded in zip(classes, results, strict=True) if not succeeded]
    print(f"{len(classes) - len(failed)} of {len(classes)} classes of tests succeeded", *failed, sep="\nfailed: ")
    return 1 if failed else 0


def tests_of(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    return [test for part in suite for test in (tests_of(part) if isinstance(part, unittest.TestSuite) else [part])]


def run_apart(name: str) -> bool:
    """Runs a class in a process of its own, prints its output as a whole, and returns whether it succeeded."""
    command = [sys.executable, __file__, name]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"{name}\n{done.stdout}", flush=True)
    return done.returncode == 0


def run(names: list[str]) -> int:
    try:
        enter_network()
    except OSError as error:
        print(f"tests/jail needs root or user namespaces ({error}). Run it as root.", file=sys.stderr)
        return 1
    tests = unittest.TestLoader().loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    return 0 if result.wasSuccessful() else 1


def enter_network():
    """Enters a network of its own with nothing but loopback and the address of Lambda's runtime API."""
    if os.geteuid() == 0:
        linux.unshare(linux.CLONE_NEWNET)
    else:
        linux.enter_user_namespace(0, 0)
        linux.unshare(linux.CLONE_NEWNET)
    linux.bring_up_loopback(ADDRESS)


if __name__ == "__main__":
    sys.exit(main())
