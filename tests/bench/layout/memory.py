"""Memory usage of conversions of long documents, whose pages contain different text and tables."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import convert
from truth.prose import Prose

PAGES = (10, 100, 1_000, 5_000)
FORMATS = ("docx", "html", "json", "xlsx", "pptx")
# Number of objects before the pages.
BEFORE = 3


@dataclass(frozen=True)
class Usage:
    """Resource usage of a conversion: CPU seconds, peak resident bytes of any process, and bytes of the result.

    All are 0 if the document was rejected.
    """

    pages: int
    format: str
    cpu: float
    peak: int
    size: int


def measure(program: str, directory: Path) -> Iterator[Usage]:
    """Converts a document of each length to each format; all files stay in the directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for pages in PAGES:
        source = directory / f"{pages}.pdf"
        source.write_bytes(document(pages))
        for name in FORMATS:
            try:
                made = convert.to(program, source, directory / f"{pages}.{name}")
            except RuntimeError as error:
                print(error, file=sys.stderr)
                yield Usage(pages, name, 0.0, 0, 0)
            else:
                yield Usage(pages, name, made.cpu, made.peak, made.path.stat().st_size)


def document(pages: int) -> bytes:
    """A PDF of `pages` pages."""
    prose = Prose(f"memory {pages}", "en")
    kids = " ".join(f"{BEFORE + 1 + 2 * page} 0 R" for page in range(pages))
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {pages}/Kids[{kids}]/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>>>",
        font,
    ]
    for page in range(pages):
        content = page_content(page + 1, prose)
        objects.append(f"<</Type/Page/Parent 2 0 R/Contents {BEFORE + 2 + 2 * page} 0 R>>")
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    return serialized(objects)


def page_content(number: int, prose: Prose) -> str:
    """A title, three paragraphs and a ruled table."""
    lines = [text(72, 770, 18, f"Chapter {number}")]
    for line in range(30):
        lines.append(text(72, 740 - 14 * line - 10 * (line // 10), 10, prose.sentence(11, 12)))
    for row in range(6):
        y = 270 - 18 * row
        lines += [text(76 + 110 * column, y, 10, prose.amount()) for column in range(4)]
        lines.append(f"72 {y - 5} 440 0.5 re f")
    lines += [f"{72 + 110 * column} 175 0.5 108 re f" for column in range(5)]
    return "\n".join([*lines, "72 283 440 0.5 re f"])


def text(x: int, y: int, size: int, content: str) -> str:
    return f"BT /F {size} Tf {x} {y} Td ({content}) Tj ET"


def serialized(objects: list[str]) -> bytes:
    file = bytearray(b"%PDF-1.7\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<</Root 1 0 R/Size {size}>>\nstartxref\n{len(file)}\n%%EOF\n"
    return bytes(file + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode("ascii"))


def table(usages: list[Usage]) -> str:
    """A row for each number of pages: peak memory in 10⁶ bytes and CPU seconds for each format."""
    formats = list(dict.fromkeys(usage.format for usage in usages))
    lines = [f"| pages | {' | '.join(formats)} |", f"|---|{'---|' * len(formats)}"]
    for pages in dict.fromkeys(usage.pages for usage in usages):
        cells = [formatted(usage) for usage in usages if usage.pages == pages]
        lines.append(f"| {pages:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def formatted(usage: Usage) -> str:
    return f"{usage.peak / 1e6:.0f} MB, {usage.cpu:.1f} s" if usage.size else "rejected"
