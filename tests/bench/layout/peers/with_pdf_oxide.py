"""Converts to Markdown with pdf_oxide."""

from pathlib import Path

from pdf_oxide import PdfDocument


def convert(source: str, target: Path) -> None:
    # Without artifacts (detected headers and footers), which are not part of the text.
    markdown = PdfDocument(source).to_markdown_all(include_images=True, include_artifacts=False)
    target.write_text(markdown, encoding="utf-8")
