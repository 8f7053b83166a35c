"""Turns a word-processor document into a PDF through the public API of a running stack, as a client would.

Finds the stack by OCTAVO_STACK, the path of its stack file (default: .octavo/stack.json), and needs nothing but Python.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import document

OUTPUT = Path(".octavo/demo/octavo-demo.pdf")
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
FINISHED_WITHIN = 120  # seconds
FINAL = {"completed", "failed", "dead_letter"}


class DemoError(Exception):
    """The demonstration did not go as it should."""


def main() -> int:
    stack = json.loads(Path(os.environ.get("OCTAVO_STACK", ".octavo/stack.json")).read_text(encoding="utf-8"))
    try:
        demonstrate(stack)
    except DemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    return 0


def demonstrate(stack: dict):
    api = Api(stack["baseUrl"], new_key(stack["admin"]))
    content = document.docx()
    source_key = upload(api, content)
    job = submit(api, source_key)
    job = finish(api, job["jobId"])
    show(job)
    if job["status"] != "completed":
        raise DemoError(f"the job ended {job['status']}: {job.get('error')}")
    save(download(api, job["jobId"]), job["output"])


class Api:
    """The public API with one account's key."""

    def __init__(self, base_url: str, key: str):
        self.base_url = base_url
        self.key = key

    def call(self, method: str, path: str, body: dict | None = None, **headers: str):
        """The answer to a request; its body is JSON."""
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json", **headers}
        return send(urllib.request.Request(f"{self.base_url}{path}", data, headers, method=method))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to the caller: the key must not travel to another host."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def send(request: urllib.request.Request):
    try:
        return OPENER.open(request, timeout=60)
    except urllib.error.HTTPError as error:
        if 300 <= error.code < 400:
            return error
        path = request.selector.partition("?")[0]
        reason = f"{request.get_method()} {path} answered {error.code}: {error.read().decode()}"
        raise DemoError(reason) from error


def new_key(admin: list[str]) -> str:
    account = operate(admin, "account", "create", "--plan", "pro")["accountId"]
    key = operate(admin, "key", "create", "--account", account)["key"]
    print(f"account    {account}, plan pro, with a key")
    return key


def operate(admin: list[str], *arguments: str) -> dict:
    done = subprocess.run([*admin, *arguments], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise DemoError(f"octavo-admin {' '.join(arguments)}: {(done.stderr or done.stdout).strip()}")
    return json.loads(done.stdout)


def upload(api: Api, content: bytes) -> str:
    """Uploads the document and returns its source key."""
    wanted = {"filename": "octavo-demo.docx", "contentType": DOCX, "sizeBytes": len(content)}
    with api.call("POST", "/files/upload", wanted) as response:
        grant = json.load(response)
    send(urllib.request.Request(grant["uploadUrl"], content, grant["headers"], method=grant["method"])).close()
    print(f"uploaded   octavo-demo.docx, {len(content):,} bytes")
    return grant["sourceKey"]


def submit(api: Api, source_key: str) -> dict:
    wanted = {"filename": "octavo-demo.docx", "inputFormat": "docx", "format": "pdf", "sourceKey": source_key}
    with api.call("POST", "/jobs", wanted, **{"Idempotency-Key": str(uuid.uuid4())}) as response:
        job = json.load(response)
        print(f"accepted   {job['jobId']}, answered {response.status}")
    return job


def finish(api: Api, job_id: str) -> dict:
    """The job, once it has ended."""
    deadline = time.monotonic() + FINISHED_WITHIN
    while time.monotonic() < deadline:
        with api.call("GET", f"/jobs/{job_id}") as response:
            job = json.load(response)
        if job["status"] in FINAL:
            return job
        time.sleep(0.2)
    raise DemoError(f"{job_id} is still {job['status']} after {FINISHED_WITHIN} s")


def show(job: dict):
    print("timeline")
    for entry in job["timeline"]:
        attempt = f"  attempt {entry['attempt']}" if entry.get("attempt") else ""
        after = (entry["at"] - job["createdAt"]) / 1000
        print(f"           +{after:6.2f} s  {entry['status']:<11}{attempt}".rstrip())


def download(api: Api, job_id: str) -> bytes:
    """The job's result, from where the API leads to."""
    with api.call("GET", f"/jobs/{job_id}/result") as response:
        if response.status != 302:
            raise DemoError(f"the result route answered {response.status} instead of leading to the result")
        location = response.headers["Location"]
    with send(urllib.request.Request(location)) as response:
        return response.read()


def save(content: bytes, facts: dict):
    """Checks the PDF against what the job says of it, and keeps it."""
    if not content.startswith(b"%PDF-"):
        raise DemoError("the result is no PDF")
    if (len(content), hashlib.sha256(content).hexdigest()) != (facts["sizeBytes"], facts["sha256"]):
        raise DemoError("the result is not the file that the job describes")
    if facts["pages"] != document.PAGES:
        raise DemoError(f"the PDF has {facts['pages']} pages instead of {document.PAGES}")
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_bytes(content)
    print(f"PDF        {OUTPUT}, {facts['pages']} pages, {len(content):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
