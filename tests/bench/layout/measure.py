"""Runs every tool on every document and scores what comes out."""

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
    """One tool on one document. `work` are the CPU seconds without starting Python and loading the library, if known;
    `peak` is the most resident bytes of any process; `trouble` says why there is no output, which then counts as an
    empty document."""

    tool: str
    set: str
    export: str
    document: str
    score: Score
    cpu: float
    work: float | None
    peak: int
    trouble: str


@dataclass(frozen=True)
class Source:
    set: str
    export: str
    pdf: Path
    truth: Document


def prepare(corpus: Path, directory: Path, copies: int) -> list[Source]:
    """Writes all documents and their PDFs into `directory`; a way of export at a time for all of a set."""
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
    """Converts each document with each tool, one after the other, and keeps the outputs."""
    for source in sources:
        for tool in tools:
            target = outputs / tool.name / source.set / source.export / f"{source.pdf.stem}{tool.ending}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            yield convert(tool, source, target)


def convert(tool: Peer, source: Source, target: Path) -> Result:
    with scratch() as place:
        ended = child.run(tool.command(source.pdf, target), Path(place))
    output, trouble = outcome(ended, target)
    return Result(
        tool.name,
        source.set,
        source.export,
        source.pdf.stem,
        score(source.truth, output),
        ended.cpu,
        seconds(ended.said) if ended.well else None,
        ended.peak,
        trouble,
    )


def outcome(ended: child.Ended, target: Path) -> tuple[Document, str]:
    """The output and no trouble, or an empty document and what went wrong."""
    if not ended.well or not target.exists():
        last = ended.said.strip().splitlines()[-1:]
        return Document(), f"status {ended.status}, {'' if target.exists() else 'no output, '}said {last}"
    try:
        return readers.read(target), ""
    except Exception as error:  # whatever a tool has written, the run goes on
        return Document(), f"unreadable: {error!r}"


def seconds(said: str) -> float | None:
    """The time that `convert.py` prints as its last line."""
    lines = said.strip().splitlines()
    try:
        return float(lines[-1]) if lines else None
    except ValueError:
        return None


def scratch() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="layout-", ignore_cleanup_errors=True)
