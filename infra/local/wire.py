"""ASGI middleware that logs every request to the emulator, for tests to count, and injects faults."""

import asyncio
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

# The scope of a SigV4 signature, in the header or in a presigned URL's query.
CREDENTIAL = re.compile(r"Credential=([^/,&]+)/\d+/[^/,&]+/([^/,&]+)/aws4_request")
# The same in a signed upload form, whose fields come before the file.
FORM_CREDENTIAL = re.compile(rb'name="x-amz-credential"\s+([^/\s]+)/\d+/', re.IGNORECASE)
FORM_FIELDS = 16_384  # bytes that contain the fields

# Access key of a function's role session -> name of the function.
functions: dict[str, str] = {}


@dataclass(frozen=True)
class RequestInfo:
    """AWS service (`execute-api` for the public API), operation (or HTTP method), and calling function of a request."""

    service: str
    operation: str
    function: str | None


class WireLog:
    """ASGI middleware around the emulator's application.

    Each request is logged as one line of JSON: `time` (epoch seconds), `service`, `operation`, `function` (physical
    name; null if the caller is not a function), `status`, and `fault` if the response was injected. The line is
    written before the response is sent, so that a client that has the response finds the line.

    `GET /_octavo/state` returns the stack's directory, which identifies the stack.
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
        request = describe(scope)
        if is_upload_form(scope):
            request, receive = await describe_form(receive)
        fault = self.faults.take(request) if self.faults else None
        if fault:
            await self.fail(fault, request, (scope, receive, send))
        else:
            await self.app(scope, receive, self.recording(request, send))

    def recording(self, request: RequestInfo, send):
        async def record(message):
            if message["type"] == "http.response.start":
                self.record(request, message["status"])
            await send(message)

        return record

    def record(self, request: RequestInfo, status: int, **more):
        entry = {"time": time.time(), **vars(request), "status": status, **more}
        self.log.write(json.dumps(entry, separators=(",", ":")) + "\n")

    async def fail(self, fault: dict, request: RequestInfo, exchange):
        scope, receive, send = exchange
        if fault.get("phase") == "after":
            await self.app(scope, receive, discard)
        else:
            await drain(receive)
        status = fault.get("status", 500)
        self.record(request, status, fault=True)
        await asyncio.sleep(fault.get("delay", 0))
        await respond(send, status, *error_response(fault, request))


class Faults:
    """Faults requested by a test, in a file that the test may rewrite at any time.

    The file contains a list of `{service, operation, status, error, times}` with these optional members: `function`
    (applies only to requests of that function), `reasons` (cancellation reasons of a transaction), `body` (the whole
    response, for a partial failure with status 200), `phase: "after"` (the request is executed and only its response is
    lost), `delay` (seconds between the line in the log and the response). `times` is 1 by default; rewriting the file
    resets the counters.
    """

    def __init__(self, path: Path):
        self.path = path
        self.version = None
        self.rules: list[dict] = []

    def take(self, request: RequestInfo) -> dict | None:
        """Returns the fault for this request, if any, and decrements its counter."""
        self.refresh()
        for rule in self.rules:
            if rule["times"] > 0 and matches(rule, request):
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
            return  # incompletely written: read again with the next request
        self.version = version
        self.rules = [{"times": 1, **rule} for rule in rules]


def describe(scope) -> RequestInfo:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    signature = headers.get(b"authorization", "")
    if not signature.startswith("AWS4-"):
        signature = unquote(scope.get("query_string", b"").decode("latin-1"))
    signed = CREDENTIAL.search(signature)
    if not signed:
        return RequestInfo("execute-api", scope["method"], None)
    operation = headers.get(b"x-amz-target", scope["method"]).rpartition(".")[2]
    return RequestInfo(signed[2], operation, functions.get(signed[1]))


def is_upload_form(scope) -> bool:
    """Whether a request uploads a file with a signed form to the bucket, and is not one of the API, at 127.0.0.1."""
    headers = dict(scope["headers"])
    content_type = headers.get(b"content-type", b"")
    is_form = scope["method"] == "POST" and content_type.startswith(b"multipart/form-data")
    return is_form and headers.get(b"host", b"").startswith(b"localhost")


async def describe_form(receive):
    """The request of a signed form, and a `receive` that repeats the messages that were read."""
    messages, start = [], b""
    while len(start) < FORM_FIELDS and not FORM_CREDENTIAL.search(start):
        messages.append(await receive())
        start += messages[-1].get("body", b"")
        if not messages[-1].get("more_body"):
            break
    signed = FORM_CREDENTIAL.search(start)
    function = functions.get(signed[1].decode("latin-1")) if signed else None

    async def repeat():
        return messages.pop(0) if messages else await receive()

    return RequestInfo("s3", "POST", function), repeat


def matches(rule: dict, request: RequestInfo) -> bool:
    return all(rule[name] == value for name, value in vars(request).items() if name in rule)


def error_response(fault: dict, request: RequestInfo) -> tuple[bytes, bytes]:
    """Content type and body in the error format of the service."""
    error = fault.get("error", "InternalServerError")
    if request.service == "s3":
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
