"""pdf_oxide's markdown."""

from pathlib import Path

from pdf_oxide import PdfDocument


def convert(source: str, target: Path) -> None:
    # Without artifacts, which are what it takes for headers and footers: they do not belong to the text.
    markdown = PdfDocument(source).to_markdown_all(include_images=True, include_artifacts=False)
    target.write_text(markdown, encoding="utf-8")
