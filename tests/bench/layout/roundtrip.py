"""Word documents to PDF, to Word, to PDF: whether there are as many pages, and which words are gone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import convert
from words import words


@dataclass(frozen=True)
class Trip:
    """A document's way there and back: the pages of the first PDF and of the second, how many words the first has, and
    which of its words and how many of its letters and digits the second has less often."""

    document: str
    tagged: bool
    pages: tuple[int, int]
    words: int
    lost: list[str]
    letters: int

    @property
    def kept(self) -> float:
        """The share of the words that is kept."""
        return 1 - len(self.lost) / self.words if self.words else 1.0

    @property
    def holds(self) -> bool:
        """Whether the number of pages is within one and 99.9 % of the words are kept."""
        return abs(self.pages[0] - self.pages[1]) <= 1 and self.kept >= 0.999


def trips(program: str, documents: list[Path], directory: Path) -> Iterator[Trip]:
    """Takes each document there and back, once with tags and once without; all files stay in the directory."""
    for document in documents:
        for tagged in (True, False):
            place = directory / f"{document.stem}.{'tagged' if tagged else 'untagged'}"
            place.mkdir(parents=True, exist_ok=True)
            yield trip(program, document, place, tagged)


def trip(program: str, document: Path, place: Path, tagged: bool) -> Trip:
    first = convert.to(program, document, place / "first.pdf", tagged=tagged)
    again = convert.to(program, first.path, place / "again.docx")
    second = convert.to(program, again.path, place / "second.pdf")
    before, after = said(program, first.path), said(program, second.path)
    gone = [Counter(kind(before)) - Counter(kind(after)) for kind in (words, letters)]
    lost = sorted(gone[0].elements())
    return Trip(document.name, tagged, (first.pages, second.pages), len(words(before)), lost, gone[1].total())


def said(program: str, pdf: Path) -> str:
    return convert.to(program, pdf, pdf.with_suffix(".txt")).path.read_text(encoding="utf-8")


def letters(text: str) -> list[str]:
    """Letters and digits, wherever words begin and end."""
    return [letter for word in words(text) for letter in word if letter.isalnum()]


def table(made: list[Trip]) -> str:
    """A line for each document in markdown."""
    lines = ["| document | tags | pages | words | kept | letters lost | words lost |", "|---|---|---|---|---|---|---|"]
    for one in made:
        tags, pages = "yes" if one.tagged else "no", " → ".join(map(str, one.pages))
        lost = " ".join(one.lost[:12]) + (" …" if len(one.lost) > 12 else "")
        lines.append(f"| {one.document} | {tags} | {pages} | {one.words} | {one.kept:.2%} | {one.letters} | {lost} |")
    return "\n".join(lines)
