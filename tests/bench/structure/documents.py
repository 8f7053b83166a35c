"""The documents of the public benchmarks, and the scores of one tool on them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import adjacency
import markup
import metrics
import tools
from adjacency import Agreement
from metrics import Scores


@dataclass(frozen=True)
class Document:
    name: str
    pdf: Path
    truth: Path
    pages: int


@dataclass(frozen=True)
class MarkdownResult:
    """Scores of one Markdown output, and the numbers of its tables and headings and of those in the ground truth."""

    document: str
    pages: int
    error: str
    scores: Scores
    tables: int
    headings: int
    true_tables: int
    true_headings: int

    @property
    def has_false_table(self) -> bool:
        return self.tables > 0 and self.true_tables == 0


@dataclass(frozen=True)
class TableResult:
    document: str
    pages: int
    error: str
    agreement: Agreement


@dataclass(frozen=True)
class Conversions:
    """All results of one tool, and its CPU seconds."""

    tool: str
    cpu: float = 0.0
    odl: list[MarkdownResult] = field(default_factory=list)
    icdar: list[TableResult] = field(default_factory=list)

    def failures(self) -> list[str]:
        return [f"{result.document}: {result.error}" for result in [*self.odl, *self.icdar] if result.error]


def find_odl(directory: Path) -> list[Document]:
    """Documents of opendataloader-bench: `pdf/NAME.pdf` with `truth/NAME.md`."""
    return list(existing((pdf, directory / "truth" / f"{pdf.stem}.md") for pdf in directory.glob("pdf/*.pdf")))


def find_icdar(directory: Path) -> list[Document]:
    """Documents of the ICDAR 2013 table competition, in any subdirectory: `NAME.pdf` with `NAME-str.xml`."""
    return list(existing((pdf, pdf.with_name(f"{pdf.stem}-str.xml")) for pdf in directory.rglob("*.pdf")))


def existing(pairs: Iterator[tuple[Path, Path]]) -> Iterator[Document]:
    for pdf, truth in sorted(pairs):
        if truth.exists():
            yield Document(pdf.stem, pdf.absolute(), truth, tools.page_count(pdf))


def convert_all(tool: tools.Tool, odl: list[Document], icdar: list[Document], outputs: Path) -> Conversions:
    """Converts all documents, and keeps the outputs. A missing output counts as an empty one."""
    markdown, markdown_cpu = convert(tool.markdown, odl, outputs / tool.name / "odl")
    tables, tables_cpu = convert(tool.tables, icdar, outputs / tool.name / "icdar2013")
    return Conversions(
        tool.name,
        markdown_cpu + tables_cpu,
        [score_markdown(*item) for item in markdown],
        [score_tables(*item) for item in tables],
    )


def convert(
    converter: tools.Converter | None, documents: list[Document], directory: Path
) -> tuple[list[tuple[Document, Path, str]], float]:
    """Each document with its output and the reason if that is missing, and the CPU seconds of all."""
    if converter is None or not documents:
        return [], 0.0
    batch = converter.convert([document.pdf for document in documents], directory)
    outputs = [directory / f"{document.name}{converter.suffix}" for document in documents]
    errors = [batch.errors.get(document.name, "") for document in documents]
    return list(zip(documents, outputs, errors, strict=True)), batch.cpu


def score_markdown(document: Document, target: Path, error: str) -> MarkdownResult:
    truth = document.truth.read_text(encoding="utf-8")
    output = "" if error else target.read_text(encoding="utf-8", errors="replace")
    return MarkdownResult(
        document.name, document.pages, error, metrics.score(truth, output), *counts(output), *counts(truth)
    )


def counts(markdown: str) -> tuple[int, int]:
    """The numbers of tables and headings."""
    html = markup.with_html_tables(markdown)
    return len(markup.tables(html)), sum(is_heading for is_heading, _ in markup.sections(html))


def score_tables(document: Document, target: Path, error: str) -> TableResult:
    output = adjacency.relations([]) if error else adjacency.read_output(target)
    return TableResult(
        document.name, document.pages, error, adjacency.compare(adjacency.read_truth(document.truth), output)
    )
