"""Runs a program and measures its CPU time and memory, including child processes that it waited for."""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

WITHIN = 300.0  # seconds
METER = Path(__file__).parent / "meter.py"


@dataclass(frozen=True)
class FinishedProcess:
    """Status of a finished program: seconds, peak resident bytes of any of its processes, and its output.

    CPU time and memory are 0 if it was killed because of the time limit.
    """

    status: int
    cpu: float
    wall: float
    peak: int
    output: str

    @property
    def succeeded(self) -> bool:
        return self.status == 0


def run(command: list[str], scratch: Path, within: float = WITHIN) -> FinishedProcess:
    """Runs a command with `scratch` as its home and working directory; its output is written to `scratch/output`.

    Its whole process group is killed when it exits, or after `within` seconds; then its status is the signal's.
    """
    log, cost = scratch / "output", scratch / "cost"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(METER), str(cost), *command],
            cwd=scratch,
            env=environment(scratch),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    started = os.times().elapsed
    timer = threading.Timer(within, kill, [process.pid])
    timer.start()
    status = process.wait()
    timer.cancel()
    kill(process.pid)
    wall = os.times().elapsed - started
    usage = json.loads(cost.read_text(encoding="ascii")) if status == 0 else {"status": status, "cpu": 0.0, "peak": 0}
    return FinishedProcess(**usage, wall=wall, output=log.read_text(encoding="utf-8", errors="replace"))


def environment(scratch: Path) -> dict[str, str]:
    return {"HOME": str(scratch), "TMPDIR": str(scratch), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
