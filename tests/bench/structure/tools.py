"""The tools of the benchmark: each converts a list of PDFs to a directory, in processes of its own."""

import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import child
import measure

LIBRARIES = Path(__file__).parent / "libraries.py"
# Of one document. A library gets that for each of the documents that it converts.
WITHIN = 60.0  # seconds


@dataclass
class Batch:
    """CPU seconds of all processes, and the reasons for missing outputs by the name of the document."""

    cpu: float = 0.0
    errors: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Converter:
    """Converts PDFs to files with this suffix. Arguments of `run`: PDFs, directory."""

    suffix: str
    run: Callable[[list[Path], Path], Batch]

    def convert(self, sources: list[Path], directory: Path) -> Batch:
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        return self.run(sources, directory)


@dataclass(frozen=True)
class Tool:
    """A tool, its Python package, and its converters: None if it has no such output."""

    name: str
    package: str
    markdown: Converter | None
    tables: Converter | None
    needs: str = ""

    @property
    def version(self) -> str:
        """The version of its package, or an empty string if that or the program that it needs is not installed."""
        if self.needs and shutil.which(self.needs) is None:
            return ""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""


def ours(program: str) -> Tool:
    """Octavo, by the executable `convert-fixture`, started once per document."""
    return Tool("Octavo", "", *(Converter(suffix, by_program(program, suffix)) for suffix in (".md", ".json")))


def by_program(program: str, suffix: str) -> Callable[[list[Path], Path], Batch]:
    steps = json.dumps([{"operation": "convert", "format": suffix[1:]}])

    def run(sources: list[Path], directory: Path) -> Batch:
        batch = Batch()
        for source in sources:
            with measure.scratch() as place, measure.scratch() as job:
                target = directory / f"{source.stem}{suffix}"
                finished = child.run([program, job, steps, str(source), str(target)], Path(place), WITHIN)
            batch.cpu += finished.cpu
            if not finished.succeeded or not target.exists():
                batch.errors[source.stem] = reason(finished)
        return batch

    return run


def library(function: str, suffix: str) -> Converter:
    """A function of libraries.py, started once for all documents, and again after a document that ended the process."""

    def run(sources: list[Path], directory: Path) -> Batch:
        batch, pending = Batch(), sources
        while pending:
            command = [sys.executable, str(LIBRARIES), function, str(directory), suffix, *map(str, pending)]
            with measure.scratch() as place:
                finished = child.run(command, Path(place), WITHIN * len(pending))
            batch.cpu += finished.cpu
            at = [source for source in pending if f"converting {source}\n" in finished.output] or pending
            if not finished.succeeded:
                batch.errors[at[-1].stem] = reason(finished)
            pending = [] if finished.succeeded else pending[pending.index(at[-1]) + 1 :]
        missing = [source.stem for source in sources if not (directory / f"{source.stem}{suffix}").exists()]
        return Batch(batch.cpu, {name: batch.errors.get(name, "no output") for name in missing})

    return Converter(suffix, run)


def reason(finished: child.FinishedProcess) -> str:
    return f"status {finished.status}, printed {finished.output.strip().splitlines()[-1:]}"


def from_markdown(name: str) -> Tool:
    """A library whose tables are read from its Markdown."""
    converter = library(name, ".md")
    return Tool(name, name, converter, converter)


PEERS = (
    Tool(
        "opendataloader",
        "opendataloader-pdf",
        library("opendataloader", ".md"),
        library("opendataloader_tables", ".md"),
        "java",
    ),
    Tool("pymupdf4llm", "pymupdf4llm", library("pymupdf4llm", ".md"), library("pymupdf_tables", ".json")),
    from_markdown("pdf_oxide"),
    from_markdown("markitdown"),
    Tool("camelot", "camelot-py", None, library("camelot_tables", ".json")),
    Tool("pdfplumber", "pdfplumber", None, library("pdfplumber_tables", ".json")),
)


def page_count(pdf: Path) -> int:
    """The number of pages according to poppler; raises RuntimeError if it cannot open the file."""
    with measure.scratch() as place:
        finished = child.run(["pdfinfo", str(pdf.resolve())], Path(place))
    found = re.search(r"^Pages:\s+(\d+)$", finished.output, re.MULTILINE)
    if found is None:
        raise RuntimeError(f"pdfinfo {pdf}: {finished.output.strip()}")
    return int(found[1])
