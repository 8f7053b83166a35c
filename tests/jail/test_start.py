"""Every function of the template reaches its first request for an invocation."""

import os
import unittest
from concurrent.futures import ThreadPoolExecutor

from function import Declared, Function, declared
from store import Store

# What an engine function reports in the jail. An execute-only program is closed to its children without `prctl`.
CONTAINMENT = {
    "ParentNotDumpable": 1,
    "EndsWithParent": 1,
    "ResourceLimits": 1,
    "NoNewPrivileges": 0,
    "NoCapabilities": 1,
    "Seccomp": 0,
    "LandlockAbi": 0,
    "NetworkRefused": 0,
}


class Start(unittest.TestCase):
    """The functions, as many at a time as there are CPUs."""

    def test_every_function_starts(self):
        store = Store()
        self.addCleanup(store.server.close)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(lambda function: start(function, store), declared()))
        for function, outcome in zip(declared(), outcomes, strict=True):
            with self.subTest(function.name):
                self.assertEqual([CONTAINMENT] if function.name.startswith("engine-") else [], outcome)


def start(declaration: Declared, store: Store) -> list[dict[str, int]] | str:
    """Starts a function and returns the containment that it reports, or why it does not start."""
    try:
        with Function(declaration, store) as function:
            print(f"  {declaration.name} is ready after {function.wait_until_ready():.1f} s", flush=True)
            return function.containment()
    except AssertionError as error:
        return str(error)
