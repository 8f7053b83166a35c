"""Runs a program to its end and tells what it cost, itself and all that it started and waited for."""

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
class Ended:
    """How a program ended: seconds, the most resident bytes of one of its processes, and what it printed.

    Of one that was ended because it took too long, CPU time and memory are 0.
    """

    status: int
    cpu: float
    wall: float
    peak: int
    said: str

    @property
    def well(self) -> bool:
        return self.status == 0


def run(command: list[str], scratch: Path, within: float = WITHIN) -> Ended:
    """Runs it with `scratch` as its home and working directory; what it prints goes to `scratch/said`.

    All that it started is killed at its end, or after `within` seconds, when its status is that of the signal.
    """
    said, cost = scratch / "said", scratch / "cost"
    with said.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(METER), str(cost), *command],
            cwd=scratch,
            env=environment(scratch),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    begun = os.times().elapsed
    timer = threading.Timer(within, kill, [process.pid])
    timer.start()
    status = process.wait()
    timer.cancel()
    kill(process.pid)
    wall = os.times().elapsed - begun
    told = json.loads(cost.read_text(encoding="ascii")) if status == 0 else {"status": status, "cpu": 0.0, "peak": 0}
    return Ended(**told, wall=wall, said=said.read_text(encoding="utf-8", errors="replace"))


def environment(scratch: Path) -> dict[str, str]:
    return {"HOME": str(scratch), "TMPDIR": str(scratch), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
