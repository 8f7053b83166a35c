"""Converts to DOCX with pdf2docx."""

from pathlib import Path

from pdf2docx import Converter


def convert(source: str, target: Path) -> None:
    converter = Converter(source)
    converter.convert(str(target))
    converter.close()
