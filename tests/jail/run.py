"""Tests that every function works under Lambda's restrictions, which `jail.py` simulates.

Usage: run.py [TEST...], a test as unittest names it: `test_start`, `test_engines.Web`.
Needs the functions' binaries (`cargo build`) and root or user namespaces.
"""

import os
import sys
import unittest
from pathlib import Path

import linux
from runtime_api import ADDRESS


def main() -> int:
    try:
        enter_network()
    except OSError as error:
        print(f"tests/jail needs root or user namespaces ({error}). Run it as root.", file=sys.stderr)
        return 1
    loader = unittest.TestLoader()
    directory = str(Path(__file__).parent)
    tests = loader.loadTestsFromNames(sys.argv[1:]) if sys.argv[1:] else loader.discover(directory)
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
