"""Converts one PDF with a library.

Usage: convert.py LIBRARY SOURCE TARGET
Prints the CPU time in seconds, excluding the start of Python and loading the library, as its last line.
"""

import importlib
import sys
import time
from pathlib import Path


def main(library: str, source: str, target: str) -> None:
    convert = importlib.import_module(f"with_{library}").convert
    begun = time.process_time()
    convert(source, Path(target))
    print(time.process_time() - begun)


if __name__ == "__main__":
    main(*sys.argv[1:])
