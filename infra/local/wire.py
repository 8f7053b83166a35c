"""Logs every request that reaches the emulator and makes chosen ones fail, for tests to count and break round trips."""

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

# The scope of a SigV4 signature, in the header or in a presigned URL's query.
CREDENTIAL = re.compile(r"Credential=([^/,&]+)/\d+/[^/,&]+/([^/,&]+)/aws4_request")

# Access key of a function's role session -> name of the function.
functions: dict[str, str] = {}


@dataclass(frozen=True)
class Call:
    """What a request asks for: AWS service (or the API itself), operation (or HTTP verb), and the function asking."""

    service: str
    operation: str
    function: str | None


class Wire:
    """An ASGI application around the emulator's.

    Each answered request is one line of `log`: `time` (epoch seconds), `service`, `operation`, `function` (physical
    name, null for anything that is not a function), `status`, and `fault` where the answer was injected. The line is
    written before the answer leaves, so whoever has the answer finds its line.

    `GET /_octavo/state` answers with the stack's directory, by which it is known.
    """

    def __init__(self, app, state: Path, faults: "Faults | None"):
        self.app = app
        self.state = state
        self.log = (state / "wire.jsonl").open("a", buffering=1, encoding="utf-8")
        self.faults = faults

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["path"] == "/_octavo/state":
            await respond(send, 200, b"text/plain", str(self.state).encode())
            return
        call = describe(scope)
        fault = self.faults.take(call) if self.faults else None
        if fault:
            await self.fail(fault, call, (scope, receive, send))
        else:
            await self.app(scope, receive, self.recording(call, send))

    def recording(self, call: Call, send):
        async def record(message):
            if message["type"] == "http.response.start":
                self.record(call, message["status"])
            await send(message)

        return record

    def record(self, call: Call, status: int, **more):
        entry = {"time": time.time(), **vars(call), "status": status, **more}
        self.log.write(json.dumps(entry, separators=(",", ":")) + "\n")

    async def fail(self, fault: dict, call: Call, exchange):
        scope, receive, send = exchange
        if fault.get("phase") == "after":
            await self.app(scope, receive, discard)
        else:
            await drain(receive)
        status = fault.get("status", 500)
        self.record(call, status, fault=True)
        await respond(send, status, *answer(fault, call))


class Faults:
    """The faults that a test has asked for, in a file that it may rewrite at any time.

    The file holds a list of `{service, operation, status, error, times}`, each with as many of these as it needs:
    `function` (only requests of that function), `reasons` (codes of a cancelled transaction), `body` (the whole
    answer, for a partial failure with status 200), `phase: "after"` (the request is carried out and only its answer
    is lost). `times` counts down from 1 by default; rewriting the file starts anew.
    """

    def __init__(self, path: Path):
        self.path = path
        self.version = None
        self.rules: list[dict] = []

    def take(self, call: Call) -> dict | None:
        """The fault for this request, which is then used up once."""
        self.refresh()
        for rule in self.rules:
            if rule["times"] > 0 and matches(rule, call):
                rule["times"] -= 1
                return rule
        return None

    def refresh(self):
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            self.version, self.rules = None, []
            return
        version = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        if version == self.version:
            return
        try:
            rules = json.loads(self.path.read_text(encoding="utf-8"))
        except ValueError:
            return  # half written: looked at again with the next request
        self.version = version
        self.rules = [{"times": 1, **rule} for rule in rules]


def describe(scope) -> Call:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    signature = headers.get(b"authorization", "")
    if not signature.startswith("AWS4-"):
        signature = unquote(scope.get("query_string", b"").decode("latin-1"))
    signed = CREDENTIAL.search(signature)
    if not signed:
        return Call("execute-api", scope["method"], None)
    operation = headers.get(b"x-amz-target", scope["method"]).rpartition(".")[2]
    return Call(signed[2], operation, functions.get(signed[1]))


def matches(rule: dict, call: Call) -> bool:
    return all(rule[name] == value for name, value in vars(call).items() if name in rule)


def answer(fault: dict, call: Call) -> tuple[bytes, bytes]:
    """Content type and body, as the service would put the error."""
    error = fault.get("error", "InternalServerError")
    if call.service == "s3":
        return b"application/xml", f"<Error><Code>{error}</Code><Message>injected</Message></Error>".encode()
    content = fault.get("body") or {"__type": error, "message": "injected", "Message": "injected"}
    if reasons := fault.get("reasons"):
        content["CancellationReasons"] = [{"Code": code} for code in reasons]
    return b"application/x-amz-json-1.0", json.dumps(content).encode()


async def respond(send, status: int, content_type: bytes, body: bytes):
    headers = [(b"content-type", content_type), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def drain(receive):
    while (await receive()).get("more_body"):
        pass


async def discard(_message):
    pass
