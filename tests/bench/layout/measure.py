"""Runs every tool on every document and scores the outputs."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import child
import model
import office
import readers
from model import Document
from peers import Peer
from score import Score, score
from truth import sets

EXPORTS = tuple(office.EXPORTS)


@dataclass(frozen=True)
class Result:
    """Result of one tool on one document. `work` is the CPU time in seconds without starting Python and loading the
    library, if known; `peak` is the peak of resident bytes of any process; `error` is the reason for a missing output,
    which counts as an empty document."""

    tool: str
    set: str
    export: str
    document: str
    score: Score
    cpu: float
    work: float | None
    peak: int
    error: str


@dataclass(frozen=True)
class Source:
    set: str
    export: str
    pdf: Path
    truth: Document


def prepare(corpus: Path, directory: Path, copies: int) -> list[Source]:
    """Writes all documents and their PDFs to `directory`; exports a whole set at a time."""
    sources = []
    for kind in sets.SETS:
        documents = sets.generate(kind, directory / kind, copies) if kind in sets.DESIGNS else None
        documents = documents or sets.gather(corpus, directory / kind)
        truths = [model.load(path.with_suffix(".json")) for path in documents]
        for export in EXPORTS:
            with scratch() as place:
                pdfs = office.export(documents, export, directory / kind / export, Path(place))
            sources += [Source(kind, export, pdf, truth) for pdf, truth in zip(pdfs, truths, strict=True)]
    return sources


def measure(tools: tuple[Peer, ...], sources: list[Source], outputs: Path) -> Iterator[Result]:
    """Converts each document with each tool in sequence, and keeps the outputs."""
    for source in sources:
        for tool in tools:
            target = outputs / tool.name / source.set / source.export / f"{source.pdf.stem}{tool.ending}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            yield convert(tool, source, target)


def convert(tool: Peer, source: Source, target: Path) -> Result:
    with scratch() as place:
        finished = child.run(tool.command(source.pdf, target), Path(place))
    output, error = outcome(finished, target)
    return Result(
        tool.name,
        source.set,
        source.export,
        source.pdf.stem,
        score(source.truth, output),
        finished.cpu,
        seconds(finished.output) if finished.succeeded else None,
        finished.peak,
        error,
    )


def outcome(finished: child.FinishedProcess, target: Path) -> tuple[Document, str]:
    """Returns the output and an empty error, or an empty document and the error."""
    if not finished.succeeded or not target.exists():
        last = finished.output.strip().splitlines()[-1:]
        return Document(), f"status {finished.status}, {'' if target.exists() else 'no output file, '}printed {last}"
    try:
        return readers.read(target), ""
    except Exception as exception:  # the run continues with any unreadable output
        return Document(), f"unreadable: {exception!r}"


def seconds(output: str) -> float | None:
    """The time that `convert.py` prints as its last line."""
    lines = output.strip().splitlines()
    try:
        return float(lines[-1]) if lines else None
    except ValueError:
        return None


def scratch() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="layout-", ignore_cleanup_errors=True)
