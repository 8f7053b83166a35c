"""pymupdf4llm's markdown, of its last version that reads the structure by rules alone, without a trained model."""

from pathlib import Path

import pymupdf4llm


def convert(source: str, target: Path) -> None:
    # Into the working directory: that there are pictures is measured, not what they show.
    markdown = pymupdf4llm.to_markdown(source, write_images=True, image_path=".")
    target.write_text(markdown, encoding="utf-8")
