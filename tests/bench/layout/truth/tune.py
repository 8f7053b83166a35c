"""Designs of the tuning set."""

from truth.ooxml import CHAPTERS, NUMBERS, add_numbering
from truth.theme import Run, Theme
from truth.writer import Writer


def article(w: Writer) -> None:
    """Three levels of headings, paragraphs of several lines, bold and italic."""
    w.heading(w.prose.title())
    w.paragraph(w.prose.sentence(), " ", Run(w.prose.sentence(), bold=True), " ", w.prose.text())
    for _ in range(2):
        w.heading(w.prose.title(), 2)
        w.prose_paragraphs(2)
        w.heading(w.prose.title(), 3)
        w.paragraph(Run(w.prose.sentence(), italic=True), " ", w.prose.text())
    w.heading(w.prose.title())
    w.prose_paragraphs(3, 3, 6)


def bullets(w: Writer) -> None:
    """Nested bullets between paragraphs."""
    w.heading(w.prose.title())
    w.paragraph(w.prose.text())
    w.items([(level, w.prose.title(1, 6)) for level in (0, 0, 1, 1, 2, 0, 1, 0)])
    w.paragraph(w.prose.text())
    w.items([(level, w.prose.sentence()) for level in (0, 1, 2, 2, 1, 0)])
    w.paragraph(w.prose.sentence())


def outline(w: Writer) -> None:
    """Nested numbers, letters and Roman numerals; items of several lines."""
    w.heading(w.prose.title())
    w.items([(level, w.prose.text(1, 2)) for level in (0, 1, 1, 2, 2, 0, 0, 1)], add_numbering(w.package, NUMBERS))
    w.paragraph(w.prose.text())
    w.items([(0, w.prose.title()) for _ in range(5)], add_numbering(w.package, NUMBERS))


def newsletter(w: Writer) -> None:
    """A title above two columns."""
    w.heading(w.prose.title(3, 5))
    w.paragraph(w.prose.text())
    w.section(2)
    for _ in range(3):
        w.heading(w.prose.title(), 2)
        w.prose_paragraphs(2, 3, 6)


def ruled(w: Writer) -> None:
    """Ruled tables: plain, with merged columns and rows, and without a header row."""
    w.heading(w.prose.title())
    w.table(w.prose.rows(6, 4))
    w.paragraph(w.prose.text())
    head = [[w.prose.title(1, 1), w.prose.title(1, 2), "", w.prose.title(1, 2)], ["", *w.prose.rows(0, 2)[0], ""]]
    w.table(head + w.prose.rows(4, 4, header=False), merges=[(0, 1, 0, 2), (0, 0, 1, 0), (0, 3, 1, 3)])
    w.paragraph(w.prose.text())
    w.table(w.prose.rows(3, 2, header=False), header=False)


def prices(w: Writer) -> None:
    """A table without rules and with right-aligned numbers, between paragraphs."""
    w.heading(w.prose.title())
    w.paragraph(w.prose.text())
    w.table(w.prose.rows(8, 3), rules="none", numbers_right=True)
    w.paragraph(w.prose.text())
    w.table(w.prose.rows(5, 4), rules="none")
    w.paragraph(w.prose.sentence())


def ledger(w: Writer) -> None:
    """A ruled table across pages with a repeated header row."""
    w.heading(w.prose.title())
    w.paragraph(w.prose.sentence())
    w.table(w.prose.rows(70, 4), numbers_right=True)
    w.paragraph(w.prose.text())


def chapters(w: Writer) -> None:
    """Automatically numbered headings."""
    numbering = add_numbering(w.package, CHAPTERS, indent=False)
    for _ in range(3):
        w.heading(w.prose.title(), 1, numbering=numbering)
        w.prose_paragraphs(1)
        for level in (2, 3, 2):
            w.heading(w.prose.title(), level, numbering=numbering)
            w.prose_paragraphs(2, 2, 3)


def narrow(w: Writer) -> None:
    """Two columns of justified text with many hyphenated words, across pages."""
    w.heading(w.prose.title())
    w.section(2)
    for _ in range(4):
        w.heading(w.prose.title(), 2)
        w.prose_paragraphs(5, 3, 6)


def report(w: Writer) -> None:
    """Header and footer on four pages, with lists and a table."""
    w.margins(w.prose.title(3, 4), w.prose.title(1, 2))
    for page in range(4):
        if page:
            w.page_break()
        w.heading(w.prose.title())
        w.prose_paragraphs(3)
        w.items([(0, w.prose.sentence()) for _ in range(3)])
    w.table(w.prose.rows(4, 3))


def notes(w: Writer) -> None:
    """Footnotes, links and superscripts."""
    w.heading(w.prose.title())
    for place in range(5):
        address = f"https://example.org/{w.prose.random.randrange(10**6)}"
        # Links across a line break have two annotation areas in a PDF, and count as one link.
        link = Run(w.prose.text(2, 2) if place == 2 else w.prose.title(2, 3), link=address)
        note = Run(note=w.prose.sentence()) if place % 2 else ""
        w.paragraph(w.prose.text(1, 2), " ", link, note, ". ", w.prose.text())
        area, volume = (Run(power, superscript=True) for power in "23")
        w.paragraph(
            w.prose.sentence(), " The area is 12 m", area, " and the volume 31 m", volume, ". ", w.prose.sentence()
        )


def pictures(w: Writer) -> None:
    """Images between paragraphs, each with a caption."""
    w.heading(w.prose.title())
    sizes = ((240, 90, 140), (120, 120, 50), (80, 120, 40), (200, 80, 90))
    for place, (width, height, mm) in enumerate(sizes):
        w.paragraph(w.prose.text())
        w.image(width, height, mm, "JPEG" if place % 2 else "PNG")
        w.paragraph(Run(w.prose.sentence(), italic=True), align="CENTER")


def arabic(w: Writer) -> None:
    """Right to left: headings, paragraphs and bullets."""
    w.heading(w.prose.title())
    w.prose_paragraphs(2)
    w.items([(level, w.prose.sentence()) for level in (0, 0, 1, 0)])
    w.heading(w.prose.title(), 2)
    w.prose_paragraphs(2)


def chinese(w: Writer) -> None:
    """Text without spaces, and a table."""
    w.heading(w.prose.title())
    w.prose_paragraphs(3, 3, 6)
    w.heading(w.prose.title(), 2)
    w.table(w.prose.rows(4, 3))
    w.items([(0, w.prose.sentence()) for _ in range(3)])


SANS = Theme("Liberation Sans", 10, (16, 13, 11), color="000000")
# Name, language, hyphenation, theme, function.
DESIGNS = (
    ("article", "en", False, Theme(), article),
    ("bullets", "fr", False, SANS, bullets),
    ("outline", "en", False, Theme("Carlito", 11, (20, 14, 12), color="7F0000"), outline),
    ("newsletter", "en", False, Theme("Caladea", 10, (22, 12), heading_font="Liberation Sans"), newsletter),
    ("ruled", "en", False, Theme("DejaVu Sans", 9, (15, 12)), ruled),
    ("prices", "de", False, Theme("Liberation Sans", 10.5, (16, 12)), prices),
    ("ledger", "en", False, Theme("Liberation Sans", 9, (14,)), ledger),
    ("chapters", "en", False, Theme("Liberation Serif", 11.5, (17, 14, 12.5)), chapters),
    ("narrow", "de", True, Theme("Liberation Serif", 9, (16, 11), align="JUSTIFY", after=4), narrow),
    ("report", "en", False, Theme("Carlito", 11, (18,)), report),
    ("notes", "en", False, Theme("Liberation Serif", 11, (18,)), notes),
    ("pictures", "fr", False, Theme("Caladea", 11, (18,)), pictures),
    ("arabic", "ar", False, Theme("Noto Naskh Arabic", 12, (18, 15)), arabic),
    ("chinese", "zh", False, Theme("WenQuanYi Micro Hei", 11, (18, 14)), chinese),
)
