"""Whether other processes of the same user can read the environment and the memory of an execute-only program.

The kernel makes a process non-dumpable if its user cannot read the program's file. That needs no `prctl`.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from forked import forked

SHELLS = ("/bin/sh", "/bin/bash", "/usr/bin/sh", "/usr/bin/bash")
MODES = {"readable": 0o755, "executeOnly": 0o111}
TIMEOUT = 5  # seconds


def report() -> dict:
    """What other processes can read of a running program: a readable and an execute-only copy of the shell."""
    return {name: forked(lambda mode=mode: inspect(mode)) for name, mode in MODES.items()}


def inspect(mode: int) -> dict:
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory) / "program"
        shutil.copyfile(shell(), program)
        program.chmod(mode)
        # The program prints a line and then waits until its standard input is closed.
        with subprocess.Popen(
            [program, "-c", "echo started; read -r line"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PROBE": "value"},
        ) as process:
            process.stdout.readline()
            result = {
                "environ": forked(lambda: read(f"/proc/{process.pid}/environ")),
                "memory": forked(lambda: read_memory(process.pid)),
            }
            process.stdin.close()
            process.wait(TIMEOUT)
    return result


def shell() -> str:
    return next(os.path.realpath(path) for path in SHELLS if os.access(path, os.R_OK))


def read(path: str) -> str:
    with open(path, "rb") as file:
        file.read(1)
    return "ok"


def read_memory(process: int) -> str:
    """Reads the first readable page of a process."""
    with open(f"/proc/{process}/maps") as maps:
        areas = [line.split() for line in maps]
    start = next(int(area[0].partition("-")[0], 16) for area in areas if area[1].startswith("r"))
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        memory.seek(start)
        memory.read(1)
    return "ok"
