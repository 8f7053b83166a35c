"""Converts to Markdown with pymupdf4llm, in its last version with rules only, without a trained model."""

from pathlib import Path

import pymupdf4llm


def convert(source: str, target: Path) -> None:
    # Written to the working directory: only the presence of images is measured.
    markdown = pymupdf4llm.to_markdown(source, write_images=True, image_path=".")
    target.write_text(markdown, encoding="utf-8")
