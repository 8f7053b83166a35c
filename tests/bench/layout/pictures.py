"""Screenshots of difficult pages: a page of an untagged PDF next to the page of the Word document made from it."""

from pathlib import Path

from PIL import Image

import convert
import measure
from truth import held_out
from truth.prose import Prose
from truth.writer import Writer

# Held-out designs, and the page to show.
PAGES = (("paper", 1), ("invoice", 1), ("hebrew", 1))
RESOLUTION = 72
MARGIN = 8  # pixels
COLORS = 24


def draw(program: str, directory: Path) -> list[Path]:
    """Writes `NAME.png` for each page, the source on the left and the result on the right."""
    directory.mkdir(parents=True, exist_ok=True)
    with measure.scratch() as place:
        return [picture(program, name, page, Path(place), directory / f"{name}.png") for name, page in PAGES]


def picture(program: str, name: str, page: int, place: Path, target: Path) -> Path:
    before = convert.to(program, source(name, place), place / f"{name}.pdf", tagged=False).path
    made = convert.to(program, before, place / f"{name}.again.docx").path
    after = convert.to(program, made, place / f"{name}.again.pdf").path
    sides = [rendered(program, path, page) for path in (before, after)]
    width = sum(side.width for side in sides) + 3 * MARGIN
    both = Image.new("L", (width, max(side.height for side in sides) + 2 * MARGIN), 160)
    both.paste(sides[0], (MARGIN, MARGIN))
    both.paste(sides[1], (2 * MARGIN + sides[0].width, MARGIN))
    both.quantize(COLORS).save(target, optimize=True)
    return target


def source(name: str, place: Path) -> Path:
    """The first document of a design."""
    _, language, hyphenate, theme, write = next(design for design in held_out.DESIGNS if design[0] == name)
    writer = Writer(Prose(f"kept {name} 1", language, hyphenate=hyphenate), theme)
    write(writer)
    writer.save(place, name)
    return place / f"{name}.docx"


def rendered(program: str, pdf: Path, page: int) -> Image.Image:
    made = convert.to(program, pdf, pdf.with_suffix(".png"), pages=str(page), resolution=RESOLUTION)
    with Image.open(made.path) as image:
        return image.convert("L")
