"""A page with the worst documents: the first page of the PDF, the result and the ground truth next to each other."""

from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

import convert
from documents import Conversions, Document, MarkdownResult
from metrics import LABELS, METRICS
from summary import formatted

COUNT = 10
RESOLUTION = 80
STYLE = """body { font: 14px sans-serif; margin: 1em } section { display: flex; gap: 8px; height: 95vh }
section > * { flex: 1; min-width: 0; border: 1px solid #999; object-fit: contain; object-position: top }"""
CONTENT_STYLE = "body { font: 13px sans-serif } td, th { border: 1px solid #999 } table { border-collapse: collapse }"


def write(result: Conversions, documents: list[Document], outputs: Path, program: str, output: Path) -> None:
    """Writes worst.html, with the outputs of `result` in `outputs`, and the images of the pages."""
    by_name = {document.name: document for document in documents}
    worst = sorted(result.odl, key=lambda item: item.scores.overall or 0)[:COUNT]
    images = output / "worst"
    images.mkdir(parents=True, exist_ok=True)
    sections = []
    for item in worst:
        document = by_name[item.document]
        image = convert.to(
            program, document.pdf, images / f"{item.document}.png", pages="1", resolution=RESOLUTION
        ).path
        sides = [rendered(outputs / f"{item.document}.md"), rendered(document.truth)]
        sections.append(f'{heading(item)}<section><img src="worst/{image.name}" alt="page">{"".join(sides)}</section>')
    page = f'<!doctype html><meta charset="utf-8"><title>Worst results</title><style>{STYLE}</style>{"".join(sections)}'
    (output / "worst.html").write_text(page, encoding="utf-8")


def heading(item: MarkdownResult) -> str:
    figures = [
        f"{label} {formatted(getattr(item.scores, metric))}" for label, metric in zip(LABELS, METRICS, strict=True)
    ]
    return f"<h2>{escape(item.document)}: {', '.join(figures)}</h2><p>page, result, ground truth</p>"


def rendered(path: Path) -> str:
    """The Markdown as HTML in a frame without scripts."""
    source = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    content = MarkdownIt("commonmark", {"html": True}).enable("table").render(source)
    return f'<iframe sandbox srcdoc="{escape(f"<style>{CONTENT_STYLE}</style>{content}")}"></iframe>'
