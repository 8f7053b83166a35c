"""The wire log records service, operation and function of each request, and a fault hits matching requests only."""

import asyncio
import json
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import wire

SIGNED = "AWS4-HMAC-SHA256 Credential={key}/20260101/us-east-1/{service}/aws4_request, SignedHeaders=host, Signature=0"


def request(service: str, target: str = "", key: str = "test", method: str = "POST") -> dict:
    """The ASGI scope of a signed request."""
    headers = [(b"authorization", SIGNED.format(key=key, service=service).encode())]
    if target:
        headers.append((b"x-amz-target", target.encode()))
    return {"type": "http", "path": "/", "method": method, "headers": headers, "query_string": b""}


TRANSACT = request("dynamodb", "DynamoDB_20120810.TransactWriteItems", key="ASIAJOBS")
CONFLICT = {
    "service": "dynamodb",
    "operation": "TransactWriteItems",
    "status": 400,
    "error": "TransactionCanceledException",
    "reasons": ["TransactionConflict", "None"],
}


class WireTest(unittest.TestCase):
    """The middleware around an emulator that returns 200 and counts executed requests."""

    def setUp(self):
        self.state = Path(self.enterContext(TemporaryDirectory()))
        self.wire = wire.WireLog(self.emulator, self.state, wire.Faults(self.state / "faults.json"))
        self.body = b""
        self.addCleanup(self.wire.log.close)
        self.executed = 0
        wire.functions["ASIAJOBS"] = "stack-JobsFunction"

    async def emulator(self, _scope, receive, send):
        self.executed += 1
        self.body, more = b"", True
        while more:
            message = await receive()
            self.body += message["body"]
            more = message["more_body"]
        await wire.respond(send, 200, b"text/plain", b"emulator")

    def send(self, scope: dict, *chunks: bytes) -> tuple[int, bytes]:
        messages, unread = [], list(chunks or (b"",))

        async def receive():
            chunk = unread.pop(0)
            return {"type": "http.request", "body": chunk, "more_body": bool(unread)}

        async def send(message):
            messages.append(message)

        asyncio.run(self.wire(scope, receive, send))
        return messages[0]["status"], messages[1]["body"]

    def inject(self, *faults: dict):
        (self.state / "faults.json").write_text(json.dumps(faults), encoding="utf-8")

    def logged(self) -> list[tuple]:
        lines = (self.state / "wire.jsonl").read_text(encoding="utf-8").splitlines()
        names = ("service", "operation", "function", "status", "fault")
        return [tuple(json.loads(line).get(name) for name in names) for line in lines]

    def test_service_operation_and_function_are_logged(self):
        self.send(TRANSACT)
        self.send(request("s3", method="HEAD"))
        expected = [
            ("dynamodb", "TransactWriteItems", "stack-JobsFunction", 200, None),
            ("s3", "HEAD", None, 200, None),
        ]
        self.assertEqual(self.logged(), expected)

    def test_presigned_and_unsigned_requests(self):
        presigned = request("", method="PUT") | {"headers": []}
        presigned["query_string"] = b"X-Amz-Credential=ASIAJOBS%2F20260101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=1"
        self.send(presigned)
        self.send(presigned | {"query_string": b""})
        expected = [("s3", "PUT", "stack-JobsFunction", 200, None), ("execute-api", "PUT", None, 200, None)]
        self.assertEqual(self.logged(), expected)

    def test_signed_upload_forms(self):
        form = request("", method="POST")
        form["headers"] = [(b"content-type", b"multipart/form-data; boundary=b"), (b"host", b"localhost:4566")]
        field = b'--b\r\nContent-Disposition: form-data; name="X-Amz-Credential"\r\n\r\n'
        chunks = (b"", field, b"ASIAJOBS/20260101/us-east-1/s3/aws4_request\r\n", b"--b--")
        self.send(form, *chunks)
        self.assertEqual(self.body, b"".join(chunks))
        self.send(form, b"--b--")
        self.send(form | {"headers": [form["headers"][0], (b"host", b"127.0.0.1:4566")]}, *chunks)
        expected = [("s3", "POST", "stack-JobsFunction"), ("s3", "POST", None), ("execute-api", "POST", None)]
        self.assertEqual([line[:3] for line in self.logged()], expected)

    def test_a_fault_is_injected_the_given_number_of_times(self):
        self.inject(CONFLICT | {"times": 2})
        responses = [self.send(TRANSACT) for _ in range(3)]
        self.assertEqual([status for status, _ in responses], [400, 400, 200])
        body = json.loads(responses[0][1])
        self.assertEqual(body["__type"], "TransactionCanceledException")
        self.assertEqual(body["CancellationReasons"], [{"Code": "TransactionConflict"}, {"Code": "None"}])
        self.assertEqual(self.executed, 1)
        self.assertEqual([line[-1] for line in self.logged()], [True, True, None])

    def test_a_fault_does_not_affect_other_operations_and_functions(self):
        self.inject(CONFLICT | {"function": "stack-SweepFunction"})
        self.assertEqual(self.send(TRANSACT)[0], 200)
        self.inject(CONFLICT)
        self.assertEqual(self.send(request("dynamodb", "DynamoDB_20120810.PutItem"))[0], 200)

    def test_rewriting_the_file_resets_the_counters(self):
        for _ in range(2):
            (self.state / "faults.json").unlink(missing_ok=True)
            self.send(TRANSACT)
            self.inject(CONFLICT)
            self.assertEqual([self.send(TRANSACT)[0] for _ in range(2)], [400, 200])

    def test_phase_after_executes_the_request_and_drops_the_response(self):
        self.inject(CONFLICT | {"status": 500, "phase": "after"})
        self.assertEqual(self.send(TRANSACT)[0], 500)
        self.assertEqual(self.executed, 1)

    def test_a_delayed_fault_is_logged_before_its_response(self):
        self.inject(CONFLICT | {"delay": 0.05})
        self.assertEqual(self.send(TRANSACT)[0], 400)
        line = json.loads((self.state / "wire.jsonl").read_text(encoding="utf-8"))
        self.assertGreaterEqual(time.time() - line["time"], 0.05)
        self.assertEqual(self.executed, 0)

    def test_a_partial_failure(self):
        body = {"FailedEntryCount": 1, "Entries": [{"ErrorCode": "InternalFailure"}]}
        self.inject({"service": "events", "operation": "PutEvents", "status": 200, "body": body})
        status, response = self.send(request("events", "AWSEvents.PutEvents"))
        self.assertEqual((status, json.loads(response)), (200, body))
