"""Runs MiniStack in this process with shorter waits and additional logs.

Usage: launch.py STATE_DIRECTORY
Writes `wire.jsonl` (see `wire.py`) and `functions.log` (the functions' output) to the directory. If OCTAVO_FAULTS is
set, injects the faults of its `faults.json` and runs `sweep` more often.
"""

import contextlib
import ctypes
import http.server
import os
import queue
import signal
import socket
import socketserver
import sys
import threading
import types
from pathlib import Path

from hypercorn.config import Config
from ministack import app as ministack
from ministack.core import iam_actions, lambda_runtime
from ministack.services import eventbridge, s3, sts

import wire
from checksums import crc64nvme

PR_SET_PDEATHSIG = 1
# MiniStack's polling interval of idle processes in seconds, and the interval that replaces it.
IDLE_POLL = 0.1
IDLE_WAIT = 5
# Batch operations and the IAM action that permits them on AWS.
BATCHES = {"SendMessageBatch": "SendMessage"}
# How often schedules are due for tests: at each of MiniStack's checks, which are ten seconds apart.
SCHEDULE_INTERVAL = 5


def main(state: Path):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    shorten_waits()
    avoid_polling()
    keep_connections()
    name_sessions()
    allow_batches()
    keep_output(state / "functions.log")
    limit_starts()
    contain_failed_starts()
    keep_checksums()
    faults = None
    if os.environ.pop("OCTAVO_FAULTS", ""):
        faults = wire.Faults(state / "faults.json")
        shorten_schedules()
    ministack.app = wire.WireLog(ministack.app, state, faults)
    sys.argv = ["ministack"]
    ministack.main()


def shorten_waits():
    """By default, Nagle's algorithm and a 50 ms wait for log lines add some 90 ms to every invocation."""
    http.server.BaseHTTPRequestHandler.disable_nagle_algorithm = True
    lambda_runtime.Worker._drain_stderr_bounded.__defaults__ = (0.001, 0.001, 0.1)


def avoid_polling():
    """By default, two threads per idle process of a function wake up ten times a second to check whether it has ended.

    With hundreds of processes they contend for the interpreter's lock, and requests time out.
    """
    serve, shut_down = socketserver.BaseServer.serve_forever, socketserver.BaseServer.shutdown

    def serve_until_woken(server, poll_interval=IDLE_WAIT):
        serve(server, IDLE_WAIT)

    def wake_and_shut_down(server):
        server._BaseServer__shutdown_request = True
        with contextlib.suppress(OSError):
            socket.create_connection(server.server_address, timeout=1).close()
        shut_down(server)

    class Events(queue.Queue):
        def get(self, block=True, timeout=None):
            return super().get(block, IDLE_WAIT if timeout == IDLE_POLL else timeout)

    socketserver.BaseServer.serve_forever = serve_until_woken
    socketserver.BaseServer.shutdown = wake_and_shut_down
    lambda_runtime.queue = types.SimpleNamespace(Queue=Events, Empty=queue.Empty, Full=queue.Full)


def keep_connections():
    """By default, the 1,001st request on a connection is dropped without a response."""
    Config.keep_alive_max_requests = sys.maxsize


def name_sessions():
    """Records for the wire log which function a role session belongs to."""
    register = sts.register_session

    def register_and_name(access_key, session):
        wire.functions[access_key] = session["Arn"].rpartition("/")[2]
        register(access_key, session)

    sts.register_session = register_and_name


def allow_batches():
    """By default, SendMessageBatch requires an IAM action that does not exist on AWS."""
    operation_of = iam_actions._action_from_target

    def permission_of(headers):
        operation = operation_of(headers)
        return BATCHES.get(operation, operation)

    iam_actions._action_from_target = permission_of


def keep_output(path: Path):
    """Copies the functions' output to a file, each line prefixed with the function's name."""
    output = path.open("a", buffering=1, encoding="utf-8")
    pump = lambda_runtime.ProvidedWorker._pump_output

    def pump_and_keep(worker, stream, log_queue):
        pump(worker, Copying(stream, worker.func_name, output), log_queue)

    lambda_runtime.ProvidedWorker._pump_output = pump_and_keep


def limit_starts():
    """Starts two processes per CPU at a time. In a burst of a hundred, each would exceed its start-up timeout."""
    starting = threading.Semaphore(2 * (os.cpu_count() or 1))
    spawn = lambda_runtime.ProvidedWorker._spawn

    def spawn_in_turn(worker, *args, **kwargs):
        with starting:
            spawn(worker, *args, **kwargs)

    lambda_runtime.ProvidedWorker._spawn = spawn_in_turn


def contain_failed_starts():
    """By default, a process that fails to start ends every process of its function, also those with an invocation."""
    invoke = lambda_runtime.ProvidedWorker.invoke

    def invoke_alone(worker, *args, **kwargs):
        try:
            return invoke(worker, *args, **kwargs)
        except RuntimeError as error:
            kind = getattr(error, "error_type", "") or "Runtime.Unknown"
            payload = {"errorMessage": str(error), "errorType": kind}
            return {"status": "error", "error_payload": payload}

    lambda_runtime.ProvidedWorker.invoke = invoke_alone


def keep_checksums():
    """By default, an object that was uploaded without a checksum has none; S3 then calculates CRC-64/NVME."""
    headers_of = s3._object_response_headers

    def headers_with_checksum(obj, bucket_name="", key="", include_checksums=False):
        if include_checksums and not obj.get("checksums"):
            body = s3._read_body(bucket_name, key, obj)
            obj["checksums"] = {"CRC64NVME": s3._compute_s3_checksum("CRC64NVME", body)}
        return headers_of(obj, bucket_name, key, include_checksums=include_checksums)

    s3._crc64nvme = crc64nvme
    s3._object_response_headers = headers_with_checksum


def shorten_schedules():
    """Runs `sweep`, the only function with a schedule, at each check instead of once a minute."""
    interval = eventbridge._parse_rate_seconds
    # Rules with a pattern have no schedule.
    eventbridge._parse_rate_seconds = lambda expression: interval(expression) and SCHEDULE_INTERVAL


class Copying:
    """A stream whose lines are also written to a file."""

    def __init__(self, stream, name, output):
        self.stream, self.name, self.output = stream, name, output

    def readline(self):
        line = self.stream.readline()
        if line:
            self.output.write(f"{self.name} {line.decode(errors='replace').rstrip()}\n")
        return line

    def close(self):
        self.stream.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
