"""Round trip DOCX → PDF → DOCX → PDF: page counts and lost words."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import convert
from words import words


@dataclass(frozen=True)
class RoundTrip:
    """Round trip of a document: page counts of the first and second PDF, word count of the first, and the words and
    number of letters and digits that are missing in the second."""

    document: str
    tagged: bool
    pages: tuple[int, int]
    words: int
    lost: list[str]
    letters: int

    @property
    def kept(self) -> float:
        """The share of words that are kept."""
        return 1 - len(self.lost) / self.words if self.words else 1.0

    @property
    def holds(self) -> bool:
        """Whether the page counts differ by at most one and 99.9 % of the words are kept."""
        return abs(self.pages[0] - self.pages[1]) <= 1 and self.kept >= 0.999


def round_trips(program: str, documents: list[Path], directory: Path) -> Iterator[RoundTrip]:
    """Runs the round trip of each document, once with tags and once without; all files stay in the directory."""
    for document in documents:
        for tagged in (True, False):
            place = directory / f"{document.stem}.{'tagged' if tagged else 'untagged'}"
            place.mkdir(parents=True, exist_ok=True)
            yield round_trip(program, document, place, tagged)


def round_trip(program: str, document: Path, place: Path, tagged: bool) -> RoundTrip:
    first = convert.to(program, document, place / "first.pdf", tagged=tagged)
    again = convert.to(program, first.path, place / "again.docx")
    second = convert.to(program, again.path, place / "second.pdf")
    before, after = text_of(program, first.path), text_of(program, second.path)
    gone = [Counter(kind(before)) - Counter(kind(after)) for kind in (words, letters)]
    lost = sorted(gone[0].elements())
    return RoundTrip(document.name, tagged, (first.pages, second.pages), len(words(before)), lost, gone[1].total())


def text_of(program: str, pdf: Path) -> str:
    return convert.to(program, pdf, pdf.with_suffix(".txt")).path.read_text(encoding="utf-8")


def letters(text: str) -> list[str]:
    """Letters and digits, ignoring word boundaries."""
    return [letter for word in words(text) for letter in word if letter.isalnum()]


def table(results: list[RoundTrip]) -> str:
    """A Markdown table with a row for each document."""
    lines = ["| document | tags | pages | words | kept | letters lost | words lost |", "|---|---|---|---|---|---|---|"]
    for one in results:
        tags, pages = "yes" if one.tagged else "no", " → ".join(map(str, one.pages))
        lost = " ".join(one.lost[:12]) + (" …" if len(one.lost) > 12 else "")
        lines.append(f"| {one.document} | {tags} | {pages} | {one.words} | {one.kept:.2%} | {one.letters} | {lost} |")
    return "\n".join(lines)
