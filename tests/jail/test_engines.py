"""Each engine function runs documents of each of its operations, with an object store for inputs and results."""

import hashlib
import os
import re
import time
import unittest
from dataclasses import dataclass, field
from pathlib import Path

from function import ENDED, ROOT, Function, find
from store import Store, Upload

CORPUS = Path(os.environ.get("OCTAVO_CORPUS", ROOT / "../shared/corpus"))
# A document that crashes its engine must not fail the tests of the others.
RESTARTS = 3
# Documents one after the other. All cases are more than the documents of one zygote.
RUNS = 100 if os.environ.get("OCTAVO_CASES") == "all" else 5
TIME = 60_000  # milliseconds
LIMITS = {"fileBytes": 100_000_000, "pages": 500, "imageSide": 10_000}
PDF, JPEG, SCAN = "pdf-text/multi_page.pdf", "images/jpeg/cat.jpg", "ocr-truth/deu-brief-300.jpg"
SOURCE_KEY = "src_01kaj2v7w2q9r8s5t4v3w2x1y0"
TRUSTED_HOST = "pages.octavo.test"
# How files of a format begin.
SIGNATURES = {
    "csv": b"",
    "docx": b"PK\3\4",
    "hocr": b"<",
    "jpg": b"\xff\xd8\xff",
    "json": b"{",
    "md": b"",
    "ods": b"PK\3\4",
    "pdf": b"%PDF-",
    "png": b"\x89PNG",
    "tiff": b"II*\0",
    "txt": b"",
    "webp": b"RIFF",
    "zip": b"PK\3\4",
}
PAGE = b"""<!doctype html><html lang="en"><title>Title</title>
<style>body { font-family: sans-serif } canvas { border: 1px solid }</style>
<h1>Heading</h1><p id="text">Paragraph</p><canvas width="200" height="100"></canvas><svg><circle r="9"/></svg>
<script>document.querySelector("canvas").getContext("2d").fillRect(10, 10, 50, 50);
document.getElementById("text").textContent += " written by a script";</script></html>"""
# Requests of a page to everything on its machine; none may arrive.
INTRUSIVE = """<!doctype html><title>Title</title><p>Paragraph</p>
<img src="http://{0}/2018-06-01/runtime/invocation/next"><iframe src="http://{1}/iframe"></iframe>
<link rel="stylesheet" href="http://{0}/style"><script src="http://{1}/script"></script>
<script>for (const host of ["{0}", "{1}"]) {{ fetch("http://" + host + "/fetch", {{mode: "no-cors"}});
navigator.sendBeacon("http://" + host + "/beacon", "x"); new WebSocket("ws://" + host + "/socket"); }}</script>"""


@dataclass(frozen=True)
class Case:
    """A document with an operation. `source` is a file of the corpus or content."""

    source: str | bytes
    format: str
    operation: str
    options: dict = field(default_factory=dict)
    attachments: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.operation} of {self.format} {self.options}"

    def content(self) -> bytes:
        return self.source if isinstance(self.source, bytes) else (CORPUS / self.source).read_bytes()


def convert(source: str | bytes, from_format: str, to_format: str, **options: object) -> Case:
    return Case(source, from_format, "convert", {"format": to_format} | options)


class Engine:
    """Tests of every engine function. The function is started once, with an object store."""

    name = ""
    cases: tuple[Case, ...] = ()

    @classmethod
    def setUpClass(cls):
        cls.store = Store()
        cls.addClassCleanup(cls.store.server.close)
        cls.function = cls.enterClassContext(Function(find(cls.name), cls.store, RESTARTS, cls.variables()))
        print(f"  {cls.name} is ready after {cls.function.wait_until_ready():.1f} s", flush=True)

    @classmethod
    def variables(cls) -> dict[str, str]:
        """Environment variables besides those of the template."""
        return {}

    def test_no_process_has_credentials(self):
        checked = 0
        for process in self.function.processes():
            try:
                environment, command = (process / "environ").read_bytes(), (process / "cmdline").read_text()
            except (PermissionError, *ENDED):  # closed to everybody but root, or ended
                continue
            checked += 1
            for name in (b"AWS_SECRET_ACCESS_KEY", b"AWS_SESSION_TOKEN", b"AWS_LAMBDA_METADATA_TOKEN"):
                self.assertNotIn(name, environment, command)
        self.assertGreater(checked, 0)

    def test_the_bootstrap_is_closed_to_other_processes(self):
        """The kernel gives the files in /proc of such a process to root."""
        bootstrap = self.function.processes()[0]
        self.assertNotEqual(bootstrap.stat().st_uid, (bootstrap / "environ").stat().st_uid)

    def test_documents(self):
        for case in self.cases:
            with self.subTest(str(case)):
                started = time.monotonic()
                self.run_case(case)
                print(f"  {self.name}: {case} in {time.monotonic() - started:.1f} s", flush=True)

    def run_series(self, case: Case):
        """Runs a document several times. The program is never started afresh, as it would be after a crash."""
        starts = len(self.function.containment())
        for run in range(RUNS):
            with self.subTest(run=run):
                self.run_case(case)
        self.assertEqual(starts, len(self.function.containment()))

    def run_case(self, case: Case) -> bytes:
        """Runs a document and returns its result."""
        return self.run_source(case, {"type": "file"} | self.store.input(case.content()))

    def run_source(self, case: Case, source: dict) -> bytes:
        upload, response = self.invoke(case, source)
        self.assertEqual("completed", response["type"], f"{response}; {self.function.output()}")
        result = response["value"]
        self.assertEqual([], self.store.refused)
        self.assertIsNotNone(upload.content, "nothing was uploaded")
        self.assertEqual(result["contentType"], upload.content_type)
        self.assertEqual(result["sizeBytes"], len(upload.content))
        self.assertEqual(result["sha256"], hashlib.sha256(upload.content).hexdigest())
        self.assertEqual(SIGNATURES[result["extension"]], upload.content[: len(SIGNATURES[result["extension"]])])
        return upload.content

    def invoke(self, case: Case, source: dict, time: int = TIME) -> tuple[Upload, dict]:
        """Invokes the function with an `invocation::Request`, and returns what it uploads and responds."""
        upload, form = self.store.form(LIMITS["fileBytes"])
        attachments = [
            {"step": 0, "format": kind, "file": self.store.input((CORPUS / path).read_bytes())}
            for path, kind in case.attachments
        ]
        work = {
            "type": "run",
            "steps": [{"operation": case.operation} | case.options],
            "source": source,
            "format": case.format,
            "attachments": attachments,
            "filename": f"document.{case.format}",
            "limits": LIMITS,
            "output": form,
            "timeMs": time,
        }
        job = {"jobId": "job_01kaj2v7w2q9r8s5t4v3w2x1y0", "attempt": 1}
        return upload, self.function.invoke({"version": 2, "job": job, "work": work})


class Office(Engine, unittest.TestCase):
    """LibreOffice, the readers of office formats, and Ghostscript."""

    name = "engine-office"
    cases = (
        convert("docx/footnotes.docx", "docx", "pdf"),
        convert("xlsx/merged_range.xlsx", "xlsx", "pdf", fitToWidth=True),
        convert("pptx/sld-notes.pptx", "pptx", "pdf", notes=True),
        convert("xlsx/merged_range.xlsx", "xlsx", "ods"),
        convert("xlsx/merged_range.xlsx", "xlsx", "csv"),
        convert("docx/footnotes.docx", "docx", "md"),
        convert("docx/footnotes.docx", "docx", "txt"),
        convert("office-encrypted/example_password.docx", "docx", "pdf", password="Password1234_"),  # noqa: S106
        Case(PDF, "pdf", "pdfa", {"level": "2u"}),
    )

    def test_a_series_of_documents(self):
        self.run_series(convert("docx/footnotes.docx", "docx", "pdf"))


class Pdf(Engine, unittest.TestCase):
    """libqpdf, pdfium, layout."""

    name = "engine-pdf"
    cases = (
        convert(PDF, "pdf", "png"),
        convert(PDF, "pdf", "docx", ocr="off"),
        convert(PDF, "pdf", "txt", ocr="off"),
        Case(PDF, "pdf", "merge", {"sourceKeys": [SOURCE_KEY]}, (("images/png/basn2c16.png", "png"),)),
        Case(PDF, "pdf", "split"),
        Case(PDF, "pdf", "extract-pages", {"pages": "2"}),
        Case(PDF, "pdf", "delete-pages", {"pages": "1"}),
        Case(PDF, "pdf", "reorder", {"order": [5, 4, 3, 2, 1]}),
        Case(PDF, "pdf", "rotate", {"angle": 90}),
        Case(PDF, "pdf", "optimize"),
        Case(PDF, "pdf", "encrypt", {"userPassword": "secret"}),
        Case("pdf-encrypted/aes-256-r6.pdf", "pdf", "decrypt", {"password": "usersecret"}),
        Case(PDF, "pdf", "watermark", {"text": "Draft"}),
        Case(PDF, "pdf", "page-numbers"),
        Case(PDF, "pdf", "metadata", {"title": "Title"}),
        Case(PDF, "pdf", "repair"),
        Case(PDF, "pdf", "compare", {"sourceKey": SOURCE_KEY, "output": "pdf"}, ((PDF, "pdf"),)),
        Case(PDF, "pdf", "info"),
        Case("pdf-forms/fancy_fields.pdf", "pdf", "fill", {"fields": {"Are You A Fairy? 🌿": False}}),
        Case("pdf-forms/fancy_fields.pdf", "pdf", "sanitize", {"metadata": True}),
        Case("pdf-forms/fancy_fields.pdf", "pdf", "flatten"),
    )

    def test_a_series_of_documents(self):
        self.run_series(convert(PDF, "pdf", "txt", ocr="off"))


class Image(Engine, unittest.TestCase):
    """Codecs of images."""

    name = "engine-image"
    cases = (
        convert("images/png/basn2c16.png", "png", "webp"),
        convert("images/svg/bidi-reordering.svg", "svg", "png"),
        convert("images/heic/testHEIF.heic", "heic", "jpeg"),
        convert("images/avif/kodim03_yuv420_8bpc.avif", "avif", "png"),
        convert(JPEG, "jpeg", "pdf"),
        Case(JPEG, "jpeg", "resize", {"width": 64}),
        Case(JPEG, "jpeg", "compress"),
        Case(JPEG, "jpeg", "crop", {"x": 10, "y": 10, "width": 64, "height": 64}),
        Case(JPEG, "jpeg", "rotate", {"angle": 90}),
        Case(JPEG, "jpeg", "cleanup", {"deskew": True, "binarize": True}),
        Case(JPEG, "jpeg", "info"),
        Case("images/tiff/testTIFF_multipage.tif", "tiff", "extract-pages", {"pages": "2"}),
    )


class Ocr(Engine, unittest.TestCase):
    """Tesseract."""

    name = "engine-ocr"
    cases = (
        Case(SCAN, "jpeg", "ocr", {"language": "deu", "output": "text"}),
        Case(SCAN, "jpeg", "ocr", {"language": "deu", "output": "pdf"}),
        Case("pdf-scan/ocr_test.pdf", "pdf", "ocr", {"output": "hocr"}),
        convert("ocr-truth/eng-invoice-150.jpg", "jpeg", "docx"),
        convert(PDF, "pdf", "docx"),
    )

    def test_a_document_that_takes_too_long_starts_the_program_afresh(self):
        """In the same process: an exit might fail the next invocation."""
        process, starts = self.function.processes()[0], len(self.function.containment())
        case = Case(SCAN, "jpeg", "ocr")
        _, response = self.invoke(case, {"type": "file"} | self.store.input(case.content()), time=300)
        self.assertEqual({"type": "interrupted", "value": "timedOut"}, response)
        self.run_case(case)
        self.assertEqual(starts + 1, len(self.function.containment()))
        self.assertEqual(process, self.function.processes()[0])


class Web(Engine, unittest.TestCase):
    """Chromium."""

    name = "engine-web"
    cases = (
        convert(PAGE, "html", "pdf"),
        convert(PAGE, "html", "png"),
        convert("html/testHTML_embedded_img.html", "html", "pdf"),
        convert(b"# Heading\n\nParagraph\n", "md", "pdf"),
    )

    @classmethod
    def variables(cls) -> dict[str, str]:
        return {"TRUSTED_HOSTS": f"{TRUSTED_HOST}:{cls.store.server.server_port}=127.0.0.1"}

    def web_page(self, content: bytes) -> tuple[str, dict]:
        """Stores a web page and returns its path, and the page as a source."""
        path = self.store.page(content)
        return path, {"type": "webPage", "url": f"http://{TRUSTED_HOST}:{self.store.server.server_port}{path}"}

    def test_a_web_page_becomes_a_picture(self):
        _, source = self.web_page(PAGE)
        self.run_source(convert(PAGE, "html", "png"), source)

    def test_a_series_of_documents(self):
        self.run_series(convert(PAGE, "html", "pdf"))

    def test_pages_and_documents_reach_nothing_on_the_machine(self):
        """The runtime API, and a listener on loopback. The page itself is on loopback, too, as a trusted host."""
        before = len(self.function.api.requests)
        listener = Store()
        self.addCleanup(listener.server.close)
        content = INTRUSIVE.format(self.function.api.endpoint, listener.server.endpoint).encode()
        case = convert(content, "html", "pdf")
        self.run_case(case)
        path, source = self.web_page(content)
        self.run_source(case, source)
        self.assertIn(path, self.store.requests)
        self.assertEqual([], listener.requests)
        requests = {path.rpartition("/")[2] for path in self.function.api.requests[before:]}
        self.assertLessEqual(requests, {"next", "response"})


class Operations(unittest.TestCase):
    """The cases are complete."""

    def test_every_engine_function_has_a_case_for_each_of_its_operations(self):
        """By the table in docs/conversions.md, which is generated."""
        table = (ROOT / "docs/conversions.md").read_text()
        documented: dict[str, set[str]] = {}
        for processor, operations in re.findall(r"^\| process-(\w+) \| (`[^|]+`) \|", table, re.MULTILINE):
            documented.setdefault(f"engine-{processor}", set()).update(re.findall(r"[\w-]+", operations))
        # Of a PDF it becomes `optimize` when the job is created.
        documented["engine-pdf"].remove("compress")
        engines = (Office, Pdf, Image, Ocr, Web)
        self.assertEqual(documented, {engine.name: {case.operation for case in engine.cases} for engine in engines})
