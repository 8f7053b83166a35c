"""OCR of a long scanned book through the API of a running stack: time, attempts, processes, memory, text of all pages.

usage: book.py PAGES

OCTAVO_STACK is the path of the stack file. Requires poppler. Each page is a small scan with its number in words and
digits, so that each page of the result is known. Prints the progress, then one JSON object.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
import zlib
from pathlib import Path

WIDTH, HEIGHT = 210, 298  # points
DPI = 200
FINAL = {"completed", "failed", "dead_letter"}
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def words(number: int) -> str:
    return " ".join(WORDS[int(digit)] for digit in str(number))


def pdf(objects: list[bytes]) -> bytes:
    """Builds a PDF whose first object is its catalog."""
    file, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, content in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start, size = len(file), len(objects) + 1
    file += b"xref\n0 %d\n0000000000 65535 f \n" % size
    file += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    file += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    return bytes(file)


def stream(entries: bytes, content: bytes) -> bytes:
    packed = zlib.compress(content)
    return b"<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (entries, len(packed), packed)


def document(pages: list[tuple[bytes, list[bytes]]]) -> bytes:
    """Builds a PDF of pages: the content of each, and the object that it uses as `/X`."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b""]
    kids = []
    for content, used in pages:
        first = len(objects) + 1
        resources = b"<</Font<</X %d 0 R>>/XObject<</X %d 0 R>>>>" % (first, first)
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents %d 0 R/Resources%s>>"
        objects += [*used, stream(b"", content), page % (WIDTH, HEIGHT, first + 1, resources)]
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids))
    return pdf(objects)


def printed(numbers: range) -> bytes:
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>"
    text = "BT /X 11 Tf 14 TL 20 240 Td (Page {0}) Tj T* (is page {1}.) Tj ET"
    return document([(text.format(number, words(number)).encode(), [font]) for number in numbers])


def scanned(pages: int, scratch: Path) -> bytes:
    """Renders pages and stores them as gray images."""
    (scratch / "printed.pdf").write_bytes(printed(range(1, pages + 1)))
    command = ["pdftoppm", "-gray", "-r", str(DPI), str(scratch / "printed.pdf"), str(scratch / "page")]
    subprocess.run(command, check=True)
    shown = []
    for file in sorted(scratch.glob("page-*.pgm")):
        header = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", file.read_bytes())
        width, height = (int(side) for side in header.groups())
        entries = b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8"
        entries += b"/Width %d/Height %d" % (width, height)
        image = stream(entries, file.read_bytes()[header.end() :])
        shown.append((b"q %d 0 0 %d 0 0 cm /X Do Q" % (WIDTH, HEIGHT), [image]))
        file.unlink()
    return document(shown)


class Api:
    """A client with a key of the largest plan."""

    def __init__(self, stack: dict):
        self.base, self.key = stack["baseUrl"], stack["keys"]["business"]

    def call(self, method: str, path: str, body: dict | None = None) -> dict:
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        headers["Idempotency-Key"] = str(uuid.uuid4())
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, content, headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def upload(self, content: bytes) -> str:
        file = {"filename": "book.pdf", "contentType": "application/pdf", "sizeBytes": len(content)}
        place = self.call("POST", "/files/upload", file)
        request = urllib.request.Request(place["uploadUrl"], content, place["headers"], method=place["method"])
        urllib.request.urlopen(request).close()
        return place["sourceKey"]


def functions() -> dict[int, tuple[int, int]]:
    """The processes of functions and engines: highest resident memory in KiB, and CPU time in clock ticks."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            status = (process / "status").read_text()
            times = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        memory = re.search(r"VmHWM:\s+(\d+)", status)
        if status.startswith("Name:\tbootstrap") and memory:
            found[int(process.name)] = (int(memory[1]), int(times[11]) + int(times[12]))
    return found


def recognized(file: Path, pages: int) -> dict[str, int]:
    """Counts the pages, those with their number, and those that say it in words."""
    command = ["pdftotext", str(file), "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = text.removesuffix("\f").split("\f")
    numbered = zip(range(1, pages + 1), found, strict=False)
    known = [(f"Page {number}" in text, words(number) in " ".join(text.split())) for number, text in numbered]
    digits, spelled = (sum(of) for of in zip(*known, strict=True))
    return {"pages": len(found), "digits": digits, "words": spelled}


def main(pages: int) -> int:
    api = Api(json.loads(Path(os.environ["OCTAVO_STACK"]).read_text(encoding="utf-8")))
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        source = scanned(pages, scratch)
        print(f"{pages} pages, {len(source)} bytes", flush=True)
        ocr = {"operation": "ocr", "output": "pdf", "language": "en"}
        body = {"filename": "book.pdf", "inputFormat": "pdf", "format": "pdf", "operations": [ocr]}
        job = api.call("POST", "/jobs", {**body, "sourceKey": api.upload(source)})
        started, most, running, memory = time.monotonic(), 0, 0, {}
        while job["status"] not in FINAL:
            before = functions()
            time.sleep(3)
            after = functions()
            memory |= {process: max(memory.get(process, 0), used) for process, (used, _) in after.items()}
            busy = [process for process, (_, ticks) in after.items() if ticks - before.get(process, (0, 0))[1] > 5]
            running = max(running, len(busy))
            job = api.call("GET", f"/jobs/{job['jobId']}")
            if job["progress"] != most:
                most = job["progress"]
                seconds = time.monotonic() - started
                print(f"{seconds:.0f} s: {job['status']}, {most} %, {len(busy)} processes", flush=True)
        facts = {
            "status": job["status"],
            "error": job.get("error"),
            "warnings": [warning["code"] for warning in job["warnings"]],
            "attempts": job["attempts"],
            "seconds": round(time.monotonic() - started),
            "busyProcesses": running,
            "largestProcessMiB": max(memory.values(), default=0) // 1024,
        }
        if job["status"] == "completed":
            result = scratch / "result.pdf"
            with urllib.request.urlopen(job["artifactUrl"]) as response:
                result.write_bytes(response.read())
            facts |= {"sizeBytes": result.stat().st_size, "recognized": recognized(result, pages)}
        print(json.dumps(facts))
        return 0 if job["status"] == "completed" else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
