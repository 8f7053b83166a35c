"""Starts and stops MiniStack, the AWS emulator, as a process whose descendants all end with it."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import keeper
from failure import StackError

DEFAULT_PORT = 4566
READY_WITHIN = 30  # seconds
HERE = Path(__file__).resolve().parent


@contextmanager
def started(state: Path, remove: list[Path], lock: int):
    """An emulator that is ready; tried again if another stack took the port at the same moment."""
    for last_attempt in (False, False, True):
        emulator = Emulator(state, remove, lock)
        try:
            emulator.wait_until_ready()
        except StackError:
            emulator.stop()
            if last_attempt:
                raise
        else:
            break
    try:
        yield emulator
    finally:
        emulator.stop()


class Emulator:
    """A MiniStack in a process of its own.

    `state` receives its log (`emulator.log`) and what `launch.py` writes; `remove` are files to delete at the end,
    however it comes. The keeper holds `lock` open, so that nobody else takes `state` before all is cleared away.
    """

    def __init__(self, state: Path, remove: list[Path], lock: int):
        keeper.adopt_orphans()
        self.state = state
        self.log = state / "emulator.log"
        self.port = free_port()
        # Short, because engines open sockets below it, whose paths may have 107 characters.
        self.scratch = Path(tempfile.mkdtemp(prefix="octavo-"))
        self.remove = [self.scratch, *remove]
        with self.log.open("wb") as log:
            self.keeper = subprocess.Popen(
                self.command(),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environment(self.port, self.scratch),
                start_new_session=True,
                pass_fds=[lock],
            )

    def command(self) -> list[str]:
        removals = [f"--remove={path}" for path in self.remove]
        launch = [sys.executable, str(HERE / "launch.py"), str(self.state)]
        return [sys.executable, str(HERE / "keeper.py"), *removals, "--", *launch]

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
        """Whether it serves; another stack that took the port first does not count."""
        try:
            with urllib.request.urlopen(f"{self.endpoint}/_octavo/state", timeout=5) as response:
                return response.read().decode() == str(self.state)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def check(self):
        """Raises if it has died."""
        if self.keeper.poll() is not None:
            raise StackError(f"the AWS emulator (MiniStack on port {self.port}) has died.{self.last_words()}")

    def last_words(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
        if not lines:
            return f" It left nothing in {self.log}."
        return "\n".join([f" The end of {self.log}:", *(f"    {line}" for line in lines)])

    def stop(self):
        self.keeper.stdin.close()
        try:
            self.keeper.wait(timeout=20)
        except subprocess.TimeoutExpired as error:
            raise StackError(f"the local stack's keeper (process {self.keeper.pid}) does not end") from error
        # For the case that the keeper was killed: what it kept has come to this process.
        keeper.end_descendants()
        shutil.rmtree(self.scratch, ignore_errors=True)
        for path in self.remove[1:]:
            path.unlink(missing_ok=True)


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
    for wanted in (DEFAULT_PORT, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", wanted))
            except OSError:
                continue
            port = probe.getsockname()[1]
        if not taken(port):
            return port
    raise StackError("no free port on 127.0.0.1")


def taken(port: int) -> bool:
    """Whether somebody serves `localhost` there; it may be by IPv6, which clients may try first."""
    try:
        socket.create_connection(("localhost", port), timeout=1).close()
    except OSError:
        return False
    return True
