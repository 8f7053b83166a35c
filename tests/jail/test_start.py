"""Every function of the template reaches its first request for an invocation."""

import os
import unittest
from concurrent.futures import ThreadPoolExecutor

from function import Declared, Function, declared
from store import Store


class Start(unittest.TestCase):
    """The functions, as many at a time as there are CPUs."""

    def test_every_function_starts(self):
        store = Store()
        self.addCleanup(store.server.close)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(lambda function: start(function, store), declared()))
        for function, outcome in zip(declared(), outcomes, strict=True):
            with self.subTest(function.name):
                self.assertIsNone(outcome)


def start(declaration: Declared, store: Store) -> str | None:
    """Starts a function and returns why it does not start."""
    try:
        with Function(declaration, store) as function:
            function.wait_until_ready()
    except AssertionError as error:
        return str(error)
    return None
