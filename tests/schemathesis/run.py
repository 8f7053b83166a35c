"""Tests the running stack with valid and invalid requests that schemathesis generates from its OpenAPI description.

The identifier of an existing job is a parameter value, so that requests get other responses than 404, too.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
SEED = "20261121"
EXAMPLES = "25" if os.environ.get("OCTAVO_CASES") == "all" else "10"
# Seconds. Requests with URLs wait for their result; the function's timeout is 29 s.
TIMEOUT = "35"


def main() -> int:
    stack = json.loads(Path(os.environ["OCTAVO_STACK"]).read_text())
    account = admin(stack, "account", "create", "--plan", "business")["accountId"]
    token = admin(stack, "account", "token", account)["token"]
    api = Api(stack["baseUrl"], token)
    with tempfile.TemporaryDirectory() as directory:
        description = Path(directory, "openapi.json")
        description.write_text(json.dumps(with_gateway_errors(api.get("/openapi.json"))))
        config = Path(directory, "schemathesis.toml")
        config.write_text((HERE / "schemathesis.toml").read_text() + parameters(api.create_job()))
        return run(config, description, stack["baseUrl"], token)


def with_gateway_errors(document: dict) -> dict:
    """Adds 405 to all operations: the local gateway decodes `%3F` in a path, which then matches another route."""
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"].setdefault("405", {"$ref": "#/components/responses/Problem"})
    return document


def run(config: Path, description: Path, base_url: str, token: str) -> int:
    command = [Path(sys.executable).with_name("schemathesis"), "--config-file", config, "run", description]
    options = ["--url", base_url, "--header", f"Authorization: Bearer {token}", "--seed", SEED]
    options += ["--request-timeout", TIMEOUT]
    options += ["--max-examples", EXAMPLES, "--phases", "examples,coverage,fuzzing,stateful"]
    options += ["--continue-on-failure", "--generation-database", "none", "--no-color"]
    # Schemathesis writes its records of failures to the working directory.
    return subprocess.run([*command, *options], check=False, cwd=config.parent).returncode


def parameters(job: str) -> str:
    """Returns the configuration of `jobId`: an existing and an unknown job."""
    values = json.dumps([job, "job_01kaj2v7w2q9r8s5t4v3w2x1y0"])
    return f'\n[parameters]\n"path.jobId" = {values}\n'


def admin(stack: dict, *arguments: str) -> dict:
    result = subprocess.run([*stack["admin"], *arguments], check=True, capture_output=True)
    return json.loads(result.stdout)


class Api:
    """Minimal API client that creates a job."""

    def __init__(self, base_url: str, token: str) -> None:
        self.base_url = base_url
        self.token = token

    def get(self, path: str) -> dict:
        return self.send(urllib.request.Request(self.base_url + path))

    def post(self, path: str, body: dict, **headers: str) -> dict:
        request = urllib.request.Request(self.base_url + path, json.dumps(body).encode(), headers)
        request.add_header("Content-Type", "application/json")
        return self.send(request)

    def send(self, request: urllib.request.Request) -> dict:
        request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def create_job(self) -> str:
        """Uploads a text file, creates a job and returns its identifier."""
        text = b"Hello from Octavo.\n"
        upload = {"filename": "a.txt", "contentType": "text/plain", "sizeBytes": len(text)}
        grant = self.post("/files/upload", upload)
        put = urllib.request.Request(grant["uploadUrl"], text, grant["headers"], method="PUT")
        urllib.request.urlopen(put).close()
        body = {"filename": "a.txt", "format": "pdf", "sourceKey": grant["sourceKey"]}
        return self.post("/jobs", body, **{"Idempotency-Key": "schemathesis"})["jobId"]


if __name__ == "__main__":
    sys.exit(main())
