"""Runs a program to its end and tells what it cost, itself and all that it started and waited for."""

import os
import signal
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

WITHIN = 300.0  # seconds


@dataclass(frozen=True)
class Ended:
    """How a program ended; times in seconds, `said` is what it printed."""

    status: int
    cpu: float
    wall: float
    said: str

    @property
    def well(self) -> bool:
        return self.status == 0


def run(command: list[str], scratch: Path, within: float = WITHIN) -> Ended:
    """Runs it with `scratch` as its home and working directory; what it prints goes to `scratch/said`.

    All that it started is killed at its end, or after `within` seconds, when its status is that of the signal.
    """
    said = scratch / "said"
    with said.open("wb") as output:
        process = subprocess.Popen(
            command,
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
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    kill(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(
        process.returncode,
        usage.ru_utime + usage.ru_stime,
        os.times().elapsed - begun,
        said.read_text(encoding="utf-8", errors="replace"),
    )


def environment(scratch: Path) -> dict[str, str]:
    return {"HOME": str(scratch), "TMPDIR": str(scratch), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
