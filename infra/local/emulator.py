"""Starts and stops MiniStack, the AWS emulator, as a process whose descendants all end with it."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from failure import StackError

DEFAULT_PORT = 4566
READY_WITHIN = 30  # seconds
HERE = Path(__file__).resolve().parent


class Emulator:
    """A running MiniStack.

    `state` receives its log (`emulator.log`) and what `launch.py` writes; `remove` are paths to delete at the end,
    however it comes. The keeper holds `lock` open, so that nobody else takes `state` before all is cleared away.
    """

    def __init__(self, state: Path, remove: list[Path], lock: int):
        self.log = state / "emulator.log"
        self.port = free_port()
        # Short, because engines open sockets below it, whose paths may have 107 characters.
        scratch = Path(tempfile.mkdtemp(prefix="octavo-"))
        command = [sys.executable, HERE / "keeper.py"]
        for path in [scratch, *remove]:
            command += ["--remove", path]
        command += ["--", sys.executable, HERE / "launch.py", state]
        with self.log.open("wb") as log:
            self.keeper = subprocess.Popen(
                list(map(str, command)),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environment(self.port, scratch),
                start_new_session=True,
                pass_fds=[lock],
            )

    @property
    def endpoint(self) -> str:
        """The AWS endpoint. Not 127.0.0.1: that name is the API's custom domain."""
        return f"http://localhost:{self.port}"

    def wait_until_ready(self):
        deadline = time.monotonic() + READY_WITHIN
        while not self.answers():
            self.check()
            if time.monotonic() > deadline:
                raise StackError(f"the AWS emulator did not answer within {READY_WITHIN} s.{self.last_words()}")
            time.sleep(0.02)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.endpoint}/_ministack/health", timeout=5) as response:
                return response.status == 200
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def check(self):
        """Raises if it has died."""
        if self.keeper.poll() is not None:
            raise StackError(f"the AWS emulator (MiniStack on port {self.port}) has died.{self.last_words()}")

    def last_words(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
        return "\n".join([f" The end of {self.log}:", *(f"    {line}" for line in lines)])

    def stop(self):
        self.keeper.stdin.close()
        try:
            self.keeper.wait(timeout=20)
        except subprocess.TimeoutExpired as error:
            raise StackError(f"the local stack's keeper (pid {self.keeper.pid}) does not end") from error


def environment(port: int, scratch: Path) -> dict[str, str]:
    """A clean environment: functions inherit the emulator's."""
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "AUTH": "true",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_ENDPOINT_URL": f"http://localhost:{port}",
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "false",
        "LOG_LEVEL": "WARNING",
    }
    if os.environ.get("OCTAVO_FAULTS"):
        environment["OCTAVO_FAULTS"] = "1"
    return environment


def free_port() -> int:
    """The default port if nobody has it, else any free one."""
    for port in (DEFAULT_PORT, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return probe.getsockname()[1]
    raise StackError("no free port on 127.0.0.1")
