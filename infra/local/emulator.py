"""Starts and stops MiniStack, the AWS emulator, with all its descendants."""

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

import supervisor
from failure import StackError

DEFAULT_PORT = 4566
READY_TIMEOUT = 30  # seconds
HERE = Path(__file__).resolve().parent


@contextmanager
def started(state: Path, remove: list[Path], lock: int):
    """Yields a ready emulator; retries if another stack took the port at the same moment."""
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
    """MiniStack in its own process.

    `state` contains its log (`emulator.log`) and the files of `launch.py`; `remove` are files to delete at the end,
    even after SIGKILL. The supervisor holds `lock`, so that no other stack uses `state` before cleanup is complete.
    """

    def __init__(self, state: Path, remove: list[Path], lock: int):
        supervisor.adopt_orphans()
        self.state = state
        self.log = state / "emulator.log"
        self.port = free_port()
        # A short path, because engines create Unix sockets below it, whose paths are limited to 107 bytes.
        self.scratch = Path(tempfile.mkdtemp(prefix="octavo-"))
        self.remove = [self.scratch, *remove]
        with self.log.open("wb") as log:
            self.supervisor = subprocess.Popen(
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
        return [sys.executable, str(HERE / "supervisor.py"), *removals, "--", *launch]

    @property
    def endpoint(self) -> str:
        """The AWS endpoint. Not 127.0.0.1, which is the API's custom domain."""
        return f"http://localhost:{self.port}"

    def wait_until_ready(self):
        deadline = time.monotonic() + READY_TIMEOUT
        while not self.is_ready():
            self.check()
            if time.monotonic() > deadline:
                raise StackError(f"the AWS emulator was not ready within {READY_TIMEOUT} s.{self.log_tail()}")
            time.sleep(0.02)

    def is_ready(self) -> bool:
        """Whether this emulator serves the port, not that of another stack."""
        try:
            with urllib.request.urlopen(f"{self.endpoint}/_octavo/state", timeout=5) as response:
                return response.read().decode() == str(self.state)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def check(self):
        """Raises StackError if the emulator has ended."""
        if self.supervisor.poll() is not None:
            raise StackError(f"the AWS emulator (MiniStack on port {self.port}) ended.{self.log_tail()}")

    def log_tail(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
        if not lines:
            return f" {self.log} is empty."
        return "\n".join([f" The end of {self.log}:", *(f"    {line}" for line in lines)])

    def stop(self):
        self.supervisor.stdin.close()
        try:
            self.supervisor.wait(timeout=20)
        except subprocess.TimeoutExpired as error:
            raise StackError(f"the local stack's supervisor (process {self.supervisor.pid}) does not end") from error
        # If the supervisor was killed, its descendants are now children of this process.
        supervisor.end_descendants()
        shutil.rmtree(self.scratch, ignore_errors=True)
        for path in self.remove[1:]:
            path.unlink(missing_ok=True)


def environment(port: int, scratch: Path) -> dict[str, str]:
    """A minimal environment, because functions inherit the emulator's."""
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
        # AWS's default quota. The emulator's default depends on memory and is too small for two functions per job.
        "LAMBDA_ACCOUNT_CONCURRENCY": "1000",
        "LOG_LEVEL": "WARNING",
    }
    if os.environ.get("OCTAVO_FAULTS"):
        environment["OCTAVO_FAULTS"] = "1"
        # Tests compare a function's processes before and after; by default, those idle for 300 s are ended.
        environment["LAMBDA_WARM_TTL_SECONDS"] = "86400"
    return environment


def free_port() -> int:
    """The default port if it is free, else any free port."""
    for candidate in (DEFAULT_PORT, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", candidate))
            except OSError:
                continue
            port = probe.getsockname()[1]
        if not is_port_in_use(port):
            return port
    raise StackError("no free port on 127.0.0.1")


def is_port_in_use(port: int) -> bool:
    """Whether a server listens on the port at `localhost`, including IPv6, which clients may try first."""
    try:
        socket.create_connection(("localhost", port), timeout=1).close()
    except OSError:
        return False
    return True
