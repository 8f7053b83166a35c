"""Demo client: converts a document to PDF, then runs a pipeline (convert, watermark, OCR) on a running stack.

OCTAVO_STACK is the path of the stack file (default: .octavo/stack.json). Requires only Python's standard library.
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

OUTPUT = Path(".octavo/demo")
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
JOB_TIMEOUT = 120  # seconds
FINAL = {"completed", "failed", "dead_letter"}


class DemoError(Exception):
    """A request or a check of the demo failed."""


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
    job = complete(api, submit(api, "/jobs", conversion(source_key)))
    save_pdf(download(api, job["jobId"]), job["output"])
    job = complete(api, submit(api, "/pipeline", pipeline(source_key)))
    save_text(download(api, job["jobId"]), job["output"])


def conversion(source_key: str) -> dict:
    return {"filename": "octavo-demo.docx", "inputFormat": "docx", "format": "pdf", "sourceKey": source_key}


def pipeline(source_key: str) -> dict:
    """Converts to PDF, adds a watermark, and recognizes the text of the pages."""
    steps = [
        {"operation": "convert", "format": "pdf"},
        {"operation": "watermark", "text": "Draft", "opacity": 20},
        {"operation": "ocr", "mode": "force", "language": "en"},
    ]
    return {"filename": "octavo-demo.docx", "sourceKey": source_key, "steps": steps}


def complete(api: "Api", job_id: str) -> dict:
    """Waits for the job, prints its timeline, and raises DemoError unless it completed."""
    job = wait_until_final(api, job_id)
    show(job)
    if job["status"] != "completed":
        raise DemoError(f"{job['jobId']} has the status {job['status']}: {job.get('error')}")
    return job


class Api:
    """Client of the public API with one account's key."""

    def __init__(self, base_url: str, key: str):
        self.base_url = base_url
        self.key = key

    def call(self, method: str, path: str, body: dict | None = None, **headers: str):
        """Sends a request with a JSON body and returns the response."""
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json", **headers}
        return send(urllib.request.Request(f"{self.base_url}{path}", data, headers, method=method))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Does not follow redirects: the API key must not be sent to another host."""

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
        reason = f"{request.get_method()} {path} returned {error.code}: {error.read().decode()}"
        raise DemoError(reason) from error


def new_key(admin: list[str]) -> str:
    account = run_admin(admin, "account", "create", "--plan", "pro")["accountId"]
    key = run_admin(admin, "key", "create", "--account", account)["key"]
    print(f"account    {account}, plan pro, API key created")
    return key


def run_admin(admin: list[str], *arguments: str) -> dict:
    done = subprocess.run([*admin, *arguments], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise DemoError(f"octavo-admin {' '.join(arguments)}: {(done.stderr or done.stdout).strip()}")
    return json.loads(done.stdout)


def upload(api: Api, content: bytes) -> str:
    """Uploads the document and returns its source key."""
    request = {"filename": "octavo-demo.docx", "contentType": DOCX, "sizeBytes": len(content)}
    with api.call("POST", "/files/upload", request) as response:
        grant = json.load(response)
    send(urllib.request.Request(grant["uploadUrl"], content, grant["headers"], method=grant["method"])).close()
    print(f"uploaded   octavo-demo.docx, {len(content):,} bytes")
    return grant["sourceKey"]


def submit(api: Api, path: str, request: dict) -> str:
    """Submits a job and returns its identifier."""
    with api.call("POST", path, request, **{"Idempotency-Key": str(uuid.uuid4())}) as response:
        job = json.load(response)
        print(f"accepted   {job['jobId']}, POST {path} returned {response.status}")
    return job["jobId"]


def wait_until_final(api: Api, job_id: str) -> dict:
    """Polls the job until it has a final status."""
    deadline = time.monotonic() + JOB_TIMEOUT
    while time.monotonic() < deadline:
        with api.call("GET", f"/jobs/{job_id}") as response:
            job = json.load(response)
        if job["status"] in FINAL:
            return job
        time.sleep(0.2)
    raise DemoError(f"{job_id} is still {job['status']} after {JOB_TIMEOUT} s")


def show(job: dict):
    print("timeline")
    for entry in job["timeline"]:
        attempt = f"  attempt {entry['attempt']}" if entry.get("attempt") else ""
        after = (entry["at"] - job["createdAt"]) / 1000
        print(f"           +{after:6.2f} s  {entry['status']:<11}{attempt}".rstrip())
    for step in job.get("steps", []):
        took = (step["endedAt"] - step["startedAt"]) / 1000
        print(f"           step {step['operation']:<11}{step['status']:<11}{took:6.2f} s")


def download(api: Api, job_id: str) -> bytes:
    """Downloads the job's result from the URL that the API redirects to."""
    with api.call("GET", f"/jobs/{job_id}/result") as response:
        if response.status != 302:
            raise DemoError(f"GET /jobs/{job_id}/result returned {response.status} instead of 302")
        location = response.headers["Location"]
    with send(urllib.request.Request(location)) as response:
        return response.read()


def save_pdf(content: bytes, output: dict):
    """Checks the PDF against the job's output and saves it."""
    if not content.startswith(b"%PDF-"):
        raise DemoError("the result is not a PDF")
    if output["pages"] != document.PAGES:
        raise DemoError(f"the PDF has {output['pages']} pages instead of {document.PAGES}")
    save("octavo-demo.pdf", content, output)


def save_text(content: bytes, output: dict):
    """Checks the recognized text and saves it."""
    if document.TITLE not in content.decode():
        raise DemoError(f"the recognized text does not contain the title: {content[:200]!r}")
    save("octavo-demo.txt", content, output)


def save(name: str, content: bytes, output: dict):
    if (len(content), hashlib.sha256(content).hexdigest()) != (output["sizeBytes"], output["sha256"]):
        raise DemoError("size or SHA-256 of the result differs from the job's output")
    OUTPUT.mkdir(parents=True, exist_ok=True)
    OUTPUT.joinpath(name).write_bytes(content)
    print(f"result     {OUTPUT / name}, {output['pages']} pages, {len(content):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
