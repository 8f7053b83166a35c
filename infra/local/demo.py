"""Has a running stack turn a document into a PDF, and read the text of its pages in a pipeline, as a client would.

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

OUTPUT = Path(".octavo/demo")
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
    job = completed(api, submit(api, "/jobs", conversion(source_key)))
    save_pdf(download(api, job["jobId"]), job["output"])
    job = completed(api, submit(api, "/pipeline", pipeline(source_key)))
    save_text(download(api, job["jobId"]), job["output"])


def conversion(source_key: str) -> dict:
    return {"filename": "octavo-demo.docx", "inputFormat": "docx", "format": "pdf", "sourceKey": source_key}


def pipeline(source_key: str) -> dict:
    """To a PDF, a mark on its pages, and the text of their pictures."""
    steps = [
        {"operation": "convert", "format": "pdf"},
        {"operation": "watermark", "text": "Draft", "opacity": 20},
        {"operation": "ocr", "mode": "force", "language": "en"},
    ]
    return {"filename": "octavo-demo.docx", "sourceKey": source_key, "steps": steps}


def completed(api: "Api", job_id: str) -> dict:
    """The job, once it is completed, with how it went shown."""
    job = finish(api, job_id)
    show(job)
    if job["status"] != "completed":
        raise DemoError(f"the job ended {job['status']}: {job.get('error')}")
    return job


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


def submit(api: Api, path: str, wanted: dict) -> str:
    """Has the job accepted and returns its identifier."""
    with api.call("POST", path, wanted, **{"Idempotency-Key": str(uuid.uuid4())}) as response:
        job = json.load(response)
        print(f"accepted   {job['jobId']}, POST {path} answered {response.status}")
    return job["jobId"]


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
    for step in job.get("steps", []):
        took = (step["endedAt"] - step["startedAt"]) / 1000
        print(f"           step {step['operation']:<11}{step['status']:<11}{took:6.2f} s")


def download(api: Api, job_id: str) -> bytes:
    """The job's result, from where the API leads to."""
    with api.call("GET", f"/jobs/{job_id}/result") as response:
        if response.status != 302:
            raise DemoError(f"the result route answered {response.status} instead of leading to the result")
        location = response.headers["Location"]
    with send(urllib.request.Request(location)) as response:
        return response.read()


def save_pdf(content: bytes, facts: dict):
    """Checks the PDF against what the job says of it, and keeps it."""
    if not content.startswith(b"%PDF-"):
        raise DemoError("the result is no PDF")
    if facts["pages"] != document.PAGES:
        raise DemoError(f"the PDF has {facts['pages']} pages instead of {document.PAGES}")
    save("octavo-demo.pdf", content, facts)


def save_text(content: bytes, facts: dict):
    """Checks that the text was read off the pages, and keeps it."""
    if document.TITLE not in content.decode():
        raise DemoError(f"the recognised text does not hold the title: {content[:200]!r}")
    save("octavo-demo.txt", content, facts)


def save(name: str, content: bytes, facts: dict):
    if (len(content), hashlib.sha256(content).hexdigest()) != (facts["sizeBytes"], facts["sha256"]):
        raise DemoError("the result is not the file that the job describes")
    OUTPUT.mkdir(parents=True, exist_ok=True)
    OUTPUT.joinpath(name).write_bytes(content)
    print(f"result     {OUTPUT / name}, {facts['pages']} pages, {len(content):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
