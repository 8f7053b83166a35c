"""Designs of the held-out documents (set `kept`): nothing may be tuned on them."""

from truth.ooxml import BULLETS, NUMBERS, add_numbering
from truth.theme import Run, Theme
from truth.writer import Writer


def manual(w: Writer) -> None:
    """Headings with typed numbers, hardly larger than the text; lists in between."""
    for chapter in (1, 2, 3):
        w.heading(f"{chapter} {w.prose.title()}")
        w.prose_paragraphs(1)
        for part in (1, 2):
            w.heading(f"{chapter}.{part} {w.prose.title()}", 2)
            w.prose_paragraphs(1)
            w.items([(0, w.prose.sentence()) for _ in range(4)], add_numbering(w.package, NUMBERS))


def magazine(w: Writer) -> None:
    """Three columns under a centered title, an image in one of them, and one column again."""
    w.heading(w.prose.title(3, 4), centered=True)
    w.section(3)
    for place in range(3):
        w.heading(w.prose.title(1, 3), 2)
        w.prose_paragraphs(3, 3, 5)
        if place == 1:
            w.image(150, 100, 45)
    w.section(1)
    w.paragraph(w.prose.text())


def invoice(w: Writer) -> None:
    """Short address lines, a table with rules only at top and bottom, and a total in its last row."""
    for _ in range(4):
        w.paragraph(w.prose.title(2, 3), after=0)
    w.paragraph(w.prose.amount(), align="RIGHT")
    w.heading(w.prose.title(1, 2))
    rows = [*w.prose.rows(9, 4), [w.prose.title(1, 1), "", "", w.prose.amount()]]
    w.table(rows, rules="ends", numbers_right=True)
    w.paragraph(w.prose.text())
    w.paragraph(w.prose.sentence(3, 5), after=0)
    w.paragraph(w.prose.title(2, 2))


def catalogue(w: Writer) -> None:
    """Captioned tables with horizontal rules only and cells of several lines."""
    w.heading(w.prose.title())
    for rules in ("rows", "none"):
        w.paragraph(w.prose.text())
        head = [[w.prose.title(1, 2) for _ in range(3)]]
        w.table(head + [[w.prose.title(1, 2), w.prose.text(1, 2), w.prose.sentence()] for _ in range(5)], rules=rules)
        w.paragraph(Run(w.prose.sentence(), italic=True))


def broad(w: Writer) -> None:
    """A landscape page with a table of many columns, two rows of merged headers and merged rows."""
    w.page(297, 210)
    w.heading(w.prose.title())
    head = [
        [w.prose.title(1, 1), w.prose.title(1, 2), "", "", w.prose.title(1, 2), "", "", w.prose.title(1, 1)],
        ["", *(w.prose.title(1, 1) for _ in range(6)), ""],
    ]
    body = w.prose.rows(6, 8, header=False)
    for row in (1, 4):
        body[row][0] = ""
    spans = [(0, 1, 0, 3), (0, 4, 0, 6), (0, 0, 1, 0), (0, 7, 1, 7), (2, 0, 3, 0), (5, 0, 6, 0)]
    w.table(head + body, merges=spans)
    w.paragraph(w.prose.text())


def register(w: Writer) -> None:
    """A table without rules across pages, with cells of several lines, between a header and a footer."""
    w.margins(w.prose.title(3, 3), w.prose.title(1, 1))
    w.heading(w.prose.title())
    head = [[w.prose.title(1, 1) for _ in range(3)]]
    w.table(head + [[w.prose.amount(), w.prose.sentence(), w.prose.title(2, 4)] for _ in range(45)], rules="none")
    w.heading(w.prose.title(), 2)
    w.paragraph(w.prose.text())


def minutes(w: Writer) -> None:
    """Other bullets below numbers, long items, and lists separated by one sentence."""
    w.heading(w.prose.title())
    mixed = (NUMBERS[0], BULLETS[1], BULLETS[2])
    for _ in range(3):
        w.items([(level, w.prose.text(1, 3)) for level in (0, 1, 1, 2, 0, 1)], add_numbering(w.package, mixed))
        w.paragraph(w.prose.sentence())


def novel(w: Writer) -> None:
    """Paragraphs separated only by first-line indents, across pages."""
    w.margins("", "")
    for _ in range(3):
        w.heading(w.prose.title(1, 3), centered=True)
        w.prose_paragraphs(9, 1, 7)


def paper(w: Writer) -> None:
    """A summary over two columns with footnotes, superscripts, numbered headings and a small table."""
    w.heading(w.prose.title(4, 6), centered=True)
    w.paragraph(w.prose.text(3, 4), align="JUSTIFY")
    w.section(2)
    for chapter in (1, 2, 3, 4):
        w.heading(f"{chapter}. {w.prose.title()}", 2)
        w.paragraph(w.prose.text(), Run(note=w.prose.sentence()), " ", w.prose.sentence())
        w.paragraph(w.prose.sentence(), " It grew by 10", Run("6", superscript=True), " a year. ", w.prose.text())
        if chapter == 2:
            w.table(w.prose.rows(4, 3), rules="ends", widths=(30, 22, 22))
        w.prose_paragraphs(2, 3, 5)


def leaflet(w: Writer) -> None:
    """Links in items and paragraphs, two of them with the same target, and small images."""
    w.heading(w.prose.title())
    w.image(90, 60, 25)
    w.paragraph(w.prose.text(), " ", Run("info@example.org", link="mailto:info@example.org"))
    same = "https://example.org/start"
    w.items([(0, Run(w.prose.title(2, 4), link=f"https://example.org/leaf/{place}")) for place in range(4)])
    w.heading(w.prose.title(), 2)
    long = Run(w.prose.text(2, 3), link=same)
    w.paragraph(w.prose.sentence(), " ", long, " ", w.prose.sentence(), " ", Run(w.prose.title(), link=same))
    w.image(60, 60, 20, "JPEG")


def hebrew(w: Writer) -> None:
    """Right to left, with a table whose first column is the rightmost."""
    w.heading(w.prose.title())
    w.prose_paragraphs(2)
    w.table(w.prose.rows(5, 3))
    w.heading(w.prose.title(), 2)
    w.items([(0, w.prose.sentence()) for _ in range(4)], add_numbering(w.package, NUMBERS))


def japanese(w: Writer) -> None:
    """Text without spaces in two columns, with bullets."""
    w.heading(w.prose.title(2, 3))
    w.section(2)
    for _ in range(3):
        w.heading(w.prose.title(1, 2), 2)
        w.prose_paragraphs(2, 3, 6)
        w.items([(0, w.prose.title(1, 3)) for _ in range(3)])


def gazette(w: Writer) -> None:
    """Three narrow columns of small justified text with many hyphenated words, across pages."""
    w.margins(w.prose.title(2, 3))
    w.section(3)
    for _ in range(9):
        w.heading(w.prose.title(1, 2))
        w.prose_paragraphs(5, 2, 5)


def dossier(w: Writer) -> None:
    """Portrait and landscape pages of other sizes under one header, with all features."""
    w.margins(w.prose.title(2, 4), w.prose.title(1, 1))
    w.heading(w.prose.title())
    w.prose_paragraphs(2)
    w.items([(level, w.prose.title()) for level in (0, 1, 0)])
    w.section(new_page=True)
    w.page(297, 210)
    w.heading(w.prose.title(), 2)
    w.table(w.prose.rows(5, 6))
    w.section(new_page=True)
    w.page(148, 210, 15)
    w.heading(w.prose.title(), 2)
    w.image(160, 90, 70)
    w.paragraph(w.prose.text(), " ", Run(w.prose.title(), link="https://example.org/dossier"))


NOVEL = Theme("Liberation Serif", 12, (16,), color="000000", after=0, indent=6, align="JUSTIFY")
# Name, language, hyphenation, theme, function.
DESIGNS = (
    ("manual", "en", False, Theme("Open Sans", 10, (11.5, 10.5), color="000000"), manual),
    ("magazine", "en", False, Theme("Liberation Sans Narrow", 10, (26, 13), color="C00000", after=6), magazine),
    ("invoice", "de", False, Theme("Liberation Sans", 10, (15,), color="000000"), invoice),
    ("catalogue", "en", False, Theme("Caladea", 10, (17,)), catalogue),
    ("broad", "en", False, Theme("Carlito", 10, (16,)), broad),
    ("register", "fr", False, Theme("Liberation Serif", 10, (16, 13)), register),
    ("minutes", "en", False, Theme("DejaVu Serif", 9.5, (16,)), minutes),
    ("novel", "en", False, NOVEL, novel),
    ("paper", "en", False, Theme("Liberation Serif", 9.5, (18, 11), color="000000", after=4), paper),
    ("leaflet", "en", False, Theme("Open Sans", 11, (24, 16), color="008080"), leaflet),
    ("hebrew", "he", False, Theme("Noto Sans Hebrew", 11, (18, 14)), hebrew),
    ("japanese", "ja", False, Theme("WenQuanYi Micro Hei", 10, (20, 13)), japanese),
    ("gazette", "de", True, Theme("DejaVu Serif", 8, (10,), after=3, align="JUSTIFY"), gazette),
    ("dossier", "ru", False, Theme("Liberation Sans", 11, (18, 14)), dossier),
)
