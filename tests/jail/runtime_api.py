"""Lambda's runtime API for one function: hands out invocations and collects responses."""

import json
import queue
import select
import socket
import threading
import time
import uuid
from dataclasses import dataclass, field

import http_server

VERSION = "/2018-06-01/runtime"
# Where Lambda serves it.
ADDRESS = "169.254.100.1"
REGION = "us-east-1"
# How often a waiting request checks whether its function has ended.
POLL = 0.02  # seconds


@dataclass
class Invocation:
    """An invocation with its outcome."""

    payload: bytes
    deadline: float
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    done: threading.Event = field(default_factory=threading.Event)
    response: bytes | None = None
    error: bytes | None = None


class RuntimeApi:
    """The server. `requests` are the paths of all requests, `ready` is set by the first request for an invocation."""

    def __init__(self, function: str):
        self.function = function
        self.ready = threading.Event()
        self.init_error: bytes | None = None
        self.requests: list[str] = []
        self.waiting: queue.Queue[Invocation] = queue.Queue()
        self.running: dict[str, Invocation] = {}
        self.server = http_server.Server(ADDRESS, lambda *request: Handler(self, *request))

    @property
    def endpoint(self) -> str:
        return self.server.endpoint

    def submit(self, payload: dict, seconds: float) -> Invocation:
        invocation = Invocation(json.dumps(payload).encode(), time.time() + seconds)
        self.waiting.put(invocation)
        return invocation


class Handler(http_server.Handler):
    """One connection of the function's runtime client."""

    def __init__(self, api: RuntimeApi, *request: object):
        self.api = api
        super().__init__(*request)

    def do_GET(self):  # noqa: N802
        self.api.requests.append(self.path)
        if self.path != f"{VERSION}/invocation/next":
            self.respond(404)
            return
        self.api.ready.set()
        if invocation := self.next_invocation():
            self.hand_out(invocation)

    def next_invocation(self) -> Invocation | None:
        """Waits for an invocation; `None` if the function has ended."""
        while self.is_connected():
            try:
                return self.api.waiting.get(timeout=POLL)
            except queue.Empty:
                continue
        return None

    def is_connected(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return not readable or self.connection.recv(1, socket.MSG_PEEK) != b""

    def hand_out(self, invocation: Invocation):
        self.api.running[invocation.request_id] = invocation
        headers = {
            "Content-Type": "application/json",
            "Lambda-Runtime-Aws-Request-Id": invocation.request_id,
            "Lambda-Runtime-Deadline-Ms": str(int(invocation.deadline * 1000)),
            "Lambda-Runtime-Invoked-Function-Arn": f"arn:aws:lambda:{REGION}:123456789012:function:{self.api.function}",
            "Lambda-Runtime-Trace-Id": f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]};Sampled=0",
        }
        self.respond(200, invocation.payload, headers)

    def do_POST(self):  # noqa: N802
        self.api.requests.append(self.path)
        body = self.read_body()
        match self.path.removeprefix(VERSION).split("/"):
            case ["", "init", "error"]:
                self.api.init_error = body
            case ["", "invocation", request_id, "response"] if request_id in self.api.running:
                self.api.running[request_id].response = body
                self.api.running.pop(request_id).done.set()
            case ["", "invocation", request_id, "error"] if request_id in self.api.running:
                self.api.running[request_id].error = body
                self.api.running.pop(request_id).done.set()
            case _:
                self.respond(404)
                return
        self.respond(202)
