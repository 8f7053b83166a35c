"""Compares two PDFs: pages, words, fonts and pixels."""

import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageChops

from words import words

RESOLUTION = "50"  # dots per inch
# Difference of gray levels above which a pixel counts as different: a quarter of full scale.
TOLERANCE = 64


@dataclass(frozen=True)
class Difference:
    """Difference of two PDFs: page counts, words that only one of them has, whether their fonts differ, the largest
    share of different pixels and its page (from 1), and the first page whose size differs."""

    pages: tuple[int, int] = (0, 0)
    missing: Counter[str] = field(default_factory=Counter)
    added: Counter[str] = field(default_factory=Counter)
    fonts: bool = False
    pixels: float = 0.0
    page: int = 0
    resized: int = 0

    def __bool__(self) -> bool:
        return bool(self.pages[0] != self.pages[1] or self.missing or self.added or self.pixels or self.resized)

    @property
    def lost(self) -> Counter[str]:
        """Missing letters and digits, independent of where lines and cells divide words."""
        missing, added = ("".join(words.elements()) for words in (self.missing, self.added))
        return Counter(filter(str.isalnum, missing)) - Counter(filter(str.isalnum, added))


def compare(plain: Path, ours: Path) -> Difference:
    before, after = (Counter(words(output("pdftotext", pdf, "-"))) for pdf in (plain, ours))
    counts, (pixels, page), resized = [0, 0], (0.0, 0), 0
    for number, (one, other) in enumerate(zip_longest(pages(plain), pages(ours)), 1):
        counts = [counts[0] + (one is not None), counts[1] + (other is not None)]
        if one and other and one.size != other.size:
            resized = resized or number
        elif one and other:
            pixels, page = max((pixels, page), (different_pixels(one, other), number), key=lambda found: found[0])
    is_same = fonts(plain) == fonts(ours)
    return Difference((counts[0], counts[1]), before - after, after - before, not is_same, pixels, page, resized)


def different_pixels(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that differ in two images of the same size."""
    levels = ImageChops.difference(one, other).histogram()
    return sum(levels[TOLERANCE:]) / sum(levels)


def fonts(pdf: Path) -> set[str]:
    """The names of the fonts, without the prefix of subsets."""
    return {line.split()[0].rpartition("+")[2] for line in output("pdffonts", pdf).splitlines()[2:]}


def output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace")


def pages(pdf: Path) -> Iterator[Image.Image]:
    """The rendered pages, one at a time."""
    command = ["pdftoppm", "-r", RESOLUTION, "-gray", pdf]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        yield from images(process.stdout)


def images(stream: BinaryIO) -> Iterator[Image.Image]:
    """The images of a sequence of binary PGM files without comments, as `pdftoppm` writes them."""
    while stream.readline():
        size = tuple(map(int, stream.readline().split()))
        stream.readline()
        yield Image.frombytes("L", size, stream.read(size[0] * size[1]))
