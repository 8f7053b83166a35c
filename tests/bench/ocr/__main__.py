"""OCR by language and resolution, of Octavo, Tesseract and OCRmyPDF on the same pages in the same run.

usage: ocr UDHR DIRECTORY PROGRAM [--scans CORPUS] [--only PATTERN]

UDHR: see pages.py. DIRECTORY receives the pages and `results.json`. PROGRAM is `convert-fixture`. With --scans, the
pages with known text of the corpus are measured, too. Prints the percentage of wrong characters (edit distance without
white space) and of words found in any order, for each page and on average, and the CPU seconds of a page.
"""

import argparse
import json
import re
import resource
import sys
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from pages import run, write_pages

# Marks of direction and joining, which do not change what a reader sees.
MARKS = dict.fromkeys([*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A)])

TOOLS = ("octavo", "octavo, detected", "tesseract", "ocrmypdf")


@dataclass
class Page:
    """A page with known text; `language` is that of Tesseract's model."""

    file: Path
    language: str
    dpi: int

    @property
    def truth(self) -> str:
        return normalized(self.file.with_suffix(".txt").read_text(encoding="utf-8"))

    @property
    def requested(self) -> str:
        """The language of a request: vertical text is detected."""
        return self.language.removesuffix("_vert")

    @property
    def models(self) -> str:
        """Tesseract's models: the Russian one alone misreads Latin letters and digits."""
        return {"rus": "rus+eng"}.get(self.language, self.language)


def normalized(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(MARKS))


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def octavo(program: Path, page: Page, language: str | None, scratch: Path) -> str:
    step = {"operation": "ocr", "output": "text"}
    if language:
        step["language"] = language
    work, target = scratch / "work", scratch / "octavo.txt"
    work.mkdir()
    run(program, work, json.dumps([step]), page.file, target)
    return target.read_text(encoding="utf-8")


def tesseract(page: Page, scratch: Path) -> str:
    picture = page.file
    if picture.suffix == ".pdf":
        picture = scratch / "page.pgm"
        run("pdftoppm", "-gray", "-singlefile", "-r", str(page.dpi), page.file, picture.with_suffix(""))
    return run("tesseract", picture, "-", "-l", page.models, "--dpi", str(page.dpi))


def ocrmypdf(page: Page, scratch: Path) -> str:
    sidecar = scratch / "ocrmypdf.txt"
    program = Path(sys.executable).with_name("ocrmypdf")
    options = ("--quiet", "--output-type", "pdf", "--language", page.models, "--sidecar", sidecar)
    run(program, *options, page.file, scratch / "ocrmypdf.pdf")
    return sidecar.read_text(encoding="utf-8")


def measure(program: Path, page: Page) -> dict[str, tuple[float, float, float]]:
    """Returns wrong characters and words found, as parts of those of the page, and CPU seconds, of each tool."""
    results = {}
    for tool in TOOLS:
        with tempfile.TemporaryDirectory() as directory:
            scratch = Path(directory)
            before = cpu_seconds()
            match tool:
                case "octavo":
                    found = octavo(program, page, page.requested, scratch)
                case "octavo, detected":
                    found = octavo(program, page, None, scratch)
                case "tesseract":
                    found = tesseract(page, scratch)
                case _:
                    found = ocrmypdf(page, scratch)
            seconds = cpu_seconds() - before
        results[tool] = (*score(normalized(found), page.truth), seconds)
    return results


def score(found: str, truth: str) -> tuple[float, float]:
    """Returns wrong characters and words found, as parts of those of the truth.

    >>> score("one two", "one three two two")
    (0.6428571428571429, 0.5)
    """
    wrong = Levenshtein.distance("".join(found.split()), "".join(truth.split()))
    left = found.split()
    hits = 0
    for word in truth.split():
        if word in left:
            left.remove(word)
            hits += 1
    return wrong / len("".join(truth.split())), hits / len(truth.split())


def recorded(corpus: Path) -> list[Page]:
    """Returns the pages with known text of the corpus."""
    rows = json.loads((corpus / "manifest.json").read_text(encoding="utf-8"))
    rows = [row for row in rows if row["kind"] == "ocr-truth"]
    return [Page(corpus / row["file"], row["language"], row["dpi"]) for row in rows]


def show(name: str, results: dict[str, tuple[float, float, float]]) -> None:
    cells = (f"{wrong * 100:9.2f}{words * 100:7.1f}{seconds:7.2f}" for wrong, words, seconds in results.values())
    print(f"{name:<28}" + "  ".join(cells), flush=True)


def mean(results: list[dict[str, tuple[float, float, float]]]) -> dict[str, tuple[float, float, float]]:
    columns = {tool: zip(*(page[tool] for page in results), strict=True) for tool in TOOLS}
    return {tool: tuple(sum(values) / len(values) for values in column) for tool, column in columns.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("udhr", type=Path)
    parser.add_argument("directory", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--scans", type=Path)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    write_pages(arguments.udhr, arguments.directory)
    rows = json.loads((arguments.directory / "pages.json").read_text(encoding="utf-8"))
    pages = [Page(arguments.directory / row["file"], row["language"], row["dpi"]) for row in rows]
    if arguments.scans:
        pages += recorded(arguments.scans)
    pages = [page for page in pages if re.search(arguments.only, page.file.name)]
    print(f"{'page':<28}" + "  ".join(f"{tool:>23}" for tool in TOOLS))
    print(" " * 28 + "  ".join(f"{'% wrong':>9}{'% words':>7}{'CPU s':>7}" for _ in TOOLS))
    results = []
    for page in pages:
        results.append(measure(arguments.program, page))
        show(page.file.stem, results[-1])
    for dpi in sorted({page.dpi for page in pages}):
        show(f"mean at {dpi} dpi", mean([found for page, found in zip(pages, results, strict=True) if page.dpi == dpi]))
    show("mean", mean(results))
    report = {page.file.name: found for page, found in zip(pages, results, strict=True)}
    (arguments.directory / "results.json").write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
