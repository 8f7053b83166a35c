"""Formatting of document parts: runs, styles, images."""

import io
from dataclasses import dataclass

from PIL import Image, ImageDraw


@dataclass(frozen=True)
class Run:
    """A formatted run of a paragraph: its style, link target, or the text of the footnote that it references."""

    text: str = ""
    bold: bool = False
    italic: bool = False
    superscript: bool = False
    link: str = ""
    note: str = ""


@dataclass(frozen=True)
class Theme:
    """Fonts and sizes in points; `headings` from level 1 on."""

    font: str = "Liberation Serif"
    size: float = 11
    headings: tuple[float, ...] = (18, 14, 12)
    heading_font: str = ""
    color: str = "1F3864"
    after: float = 8
    indent: float = 0
    align: str = "LEFT"


def picture(width: int, height: int, seed: int, kind: str) -> io.BytesIO:
    """A pattern that differs for each seed."""
    image = Image.new("RGB", (width, height))
    points = ((x, y) for y in range(height) for x in range(width))
    image.putdata([((x * 5 + seed * 37) % 256, (y * 3 + seed * 11) % 256, (x + y + seed) % 256) for x, y in points])
    ImageDraw.Draw(image).ellipse((width // 4, height // 4, 3 * width // 4, 3 * height // 4), outline=(255, 255, 255))
    buffer = io.BytesIO()
    image.save(buffer, kind)
    buffer.seek(0)
    return buffer
