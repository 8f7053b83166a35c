"""More designs of the tuning set: less common features."""

from truth.ooxml import BULLETS, CHAPTERS, NUMBERS, add_numbering
from truth.theme import Run, Theme
from truth.writer import Writer

BRACKETS = (("decimal", "%1)"), ("lowerRoman", "(%2)"), ("bullet", "-"))
LETTERS = (("arabicAbjad", "%1."), ("decimal", "%2)"))
CAPITALS = (("upperRoman", "%1."), ("upperLetter", "%2."), ("decimal", "%3)"))


def address(w: Writer) -> str:
    return f"https://example.org/{w.prose.random.randrange(10**6)}"


def booktabs(w: Writer) -> None:
    """Tables with rules at the top, below the header row and at the bottom; texts of several lines."""
    w.heading(w.prose.title())
    w.paragraph(w.prose.text())
    w.table(w.prose.rows(7, 4), rules="ends", numbers_right=True)
    w.paragraph(w.prose.text())
    rows = [[w.prose.title(1, 1), w.prose.title(1, 2), w.prose.title(1, 1)]]
    rows += [[w.prose.title(1, 2), w.prose.sentence(8, 16), w.prose.amount()] for _ in range(5)]
    w.table(rows, rules="ends", widths=(35, 95, 30))
    w.paragraph(w.prose.text())


def hairlines(w: Writer) -> None:
    """Tables with rules between rows only, with texts of several lines and empty cells."""
    w.heading(w.prose.title())
    rows = [[w.prose.title(1, 1), w.prose.title(1, 1), w.prose.title(1, 2), w.prose.title(1, 1)]]
    for place in range(6):
        note = "" if place % 3 == 1 else w.prose.sentence(4, 9)
        rows.append([w.prose.title(1, 2), w.prose.amount(), note, "" if place == 4 else w.prose.amount()])
    w.table(rows, rules="rows", widths=(35, 25, 75, 25))
    w.paragraph(w.prose.text())
    w.table(w.prose.rows(9, 3, header=False), rules="rows", header=False)
    w.paragraph(w.prose.text())


def sparse(w: Writer) -> None:
    """Tables without rules, with empty cells, and with texts of several lines."""
    w.heading(w.prose.title())
    w.paragraph(w.prose.text())
    rows = w.prose.rows(8, 4)
    for place in range(1, 9):
        rows[place][1 + place % 3] = ""
    w.table(rows, rules="none", numbers_right=True)
    w.paragraph(w.prose.text())
    rows = [[w.prose.title(1, 1), w.prose.title(1, 2), w.prose.title(1, 1)]]
    rows += [[w.prose.amount(), w.prose.sentence(8, 14), w.prose.amount()] for _ in range(5)]
    w.table(rows, rules="none", widths=(25, 80, 25))
    w.paragraph(w.prose.text())
    w.table([[w.prose.title(1, 2), w.prose.title(1, 3)] for _ in range(6)], rules="none", header=False)
    w.paragraph(w.prose.text())


def novel(w: Writer) -> None:
    """Paragraphs separated only by first-line indents, across pages, and centered chapter titles."""
    for _ in range(3):
        w.heading(w.prose.title(), centered=True)
        w.prose_paragraphs(9, 1, 8)


def reversed_table(w: Writer) -> None:
    """Right-to-left tables."""
    w.heading(w.prose.title())
    w.table(w.prose.rows(5, 3))
    w.paragraph(w.prose.text())
    rows = [[w.prose.title(1, 2) for _ in range(4)] for _ in range(4)]
    rows[2][0] = rows[3][2] = ""
    w.table(rows, merges=[(1, 0, 2, 0), (3, 1, 3, 2)])
    w.paragraph(w.prose.text())
    w.items([(level, w.prose.text(1, 2)) for level in (0, 1, 1, 0)], add_numbering(w.package, NUMBERS))


def reversed_report(w: Writer) -> None:
    """Right-to-left text with Latin words, brackets and percentages, and items numbered by letters."""
    numbering = add_numbering(w.package, CHAPTERS, indent=False)
    w.heading(w.prose.title(), 1, numbering=numbering)
    for _ in range(3):
        w.heading(w.prose.title(), 2, numbering=numbering)
        part = f" (Linux) {w.prose.amount()}% «{w.prose.title(1, 2)}» "
        w.paragraph(w.prose.text(), part, w.prose.text(), " ", address(w), " ", w.prose.sentence())
        w.items([(level, w.prose.text(1, 2)) for level in (0, 1, 1, 0)], add_numbering(w.package, LETTERS))
        w.table(w.prose.rows(4, 3), rules="rows")
    w.prose_paragraphs(2, 3, 6)


def vocalized(w: Writer) -> None:
    """Right-to-left text with vowel marks, in paragraphs, nested items and tables."""
    w.heading(w.prose.title())
    w.prose_paragraphs(2)
    w.table(w.prose.rows(5, 3))
    w.heading(w.prose.title(), 2)
    w.items([(level, w.prose.sentence()) for level in (0, 1, 2, 2, 0)], add_numbering(w.package, NUMBERS))
    w.table(w.prose.rows(5, 3), rules="rows")
    w.prose_paragraphs(2)


def persian(w: Writer) -> None:
    """Two right-to-left columns of justified text with items."""
    w.heading(w.prose.title(3, 5))
    w.prose_paragraphs(1)
    w.section(2)
    for _ in range(3):
        w.heading(w.prose.title(), 2)
        w.prose_paragraphs(2, 3, 6)
        w.items([(level, w.prose.text(1, 2)) for level in (0, 1, 1, 0)], add_numbering(w.package, NUMBERS))


def directory(w: Writer) -> None:
    """Links in items, in titles, across line breaks, adjacent, and repeated."""
    w.heading(w.prose.title())
    w.items([(0, Run(w.prose.title(2, 4), link=address(w))) for _ in range(4)])
    for _ in range(3):
        w.heading(w.prose.title(), 2)
        one, other = address(w), address(w)
        parts = (Run(w.prose.title(1, 2), link=one), ", ", Run(w.prose.title(1, 2), link=other))
        w.paragraph(
            w.prose.sentence(), " ", *parts, " ", w.prose.sentence(), " ", Run(w.prose.title(2, 3), link=one), "."
        )
        w.paragraph(Run(other, link=other))
        w.paragraph(w.prose.text(), " ", Run(w.prose.sentence(), link=address(w)), " ", w.prose.text())


def steps(w: Writer) -> None:
    """Other numberings, items of several lines, and bullets nested in numbers."""
    w.heading(w.prose.title())
    w.items([(level, w.prose.text(1, 3)) for level in (0, 0, 1, 1, 2, 2, 0, 1, 0)], add_numbering(w.package, BRACKETS))
    w.paragraph(w.prose.text())
    w.heading(w.prose.title(), 2)
    w.items([(level, w.prose.title(2, 6)) for level in (0, 1, 1, 2, 2, 1, 0, 0)], add_numbering(w.package, CAPITALS))
    w.paragraph(w.prose.text())
    w.items([(level, w.prose.text(1, 3)) for level in (0, 1, 2, 0, 0)], add_numbering(w.package, BULLETS))
    w.items([(0, w.prose.text(1, 2)) for _ in range(12)], add_numbering(w.package, NUMBERS))
    w.paragraph(w.prose.text())


def brochure(w: Writer) -> None:
    """Three columns on a landscape page, with pictures and items in them."""
    w.page(297, 210, 15)
    w.heading(w.prose.title(3, 6))
    w.section(3)
    for place in range(4):
        w.heading(w.prose.title(), 2)
        w.prose_paragraphs(2, 2, 4)
        if place % 2:
            w.image(160, 80, 60)
        w.items([(0, w.prose.title(2, 8)) for _ in range(3)])
        w.prose_paragraphs(1, 3, 5)


def minutes(w: Writer) -> None:
    """Short paragraphs, many of one line, that start in bold; and centered lines of a title page."""
    w.heading(w.prose.title(2, 4), centered=True)
    w.paragraph(w.prose.title(2, 4), align="CENTER")
    w.paragraph(w.prose.title(1, 3), align="RIGHT")
    for _ in range(4):
        w.heading(w.prose.title(), 2)
        for least in (1, 1, 2, 1, 3):
            w.paragraph(Run(f"{w.prose.title(1, 1)}:", bold=True), " ", w.prose.text(least, least))


def letters(w: Writer) -> None:
    """A header without a footer on landscape pages, and tables of full width."""
    w.page(297, 210, 20)
    w.margins(w.prose.title(4, 6), w.prose.title(2, 3))
    for _ in range(3):
        w.heading(w.prose.title())
        w.table(w.prose.rows(6, 7), numbers_right=True)
        w.prose_paragraphs(4, 2, 6)


def inventory(w: Writer) -> None:
    """A ruled table across pages with texts of several lines, row spans, and empty cells."""
    w.heading(w.prose.title())
    rows = [[w.prose.title(1, 1) for _ in range(4)]]
    merges = []
    for place in range(24):
        name = "" if place % 3 == 1 else w.prose.title(1, 2)
        rows.append([name, w.prose.sentence(5, 18), w.prose.amount(), "" if place % 4 == 2 else w.prose.title(1, 1)])
        if place % 3 == 1:
            merges.append((place, 0, place + 1, 0))
    w.table(rows, merges=merges, widths=(30, 80, 25, 30))
    w.paragraph(w.prose.text())
    w.table([[w.prose.title(2, 5), w.prose.text(2, 3)] for _ in range(3)], header=False, widths=(45, 110))


def bold_titles(w: Writer) -> None:
    """Bold headings of text size; numbered ones; and lists directly below them."""
    numbering = add_numbering(w.package, CHAPTERS, indent=False)
    for _ in range(3):
        w.heading(w.prose.title(), 1, numbering=numbering)
        for _ in range(2):
            w.heading(w.prose.title(2, 8), 2, numbering=numbering)
            w.items([(0, w.prose.sentence()) for _ in range(3)])
            w.paragraph(Run(w.prose.sentence(), bold=True), " ", w.prose.text())
            w.prose_paragraphs(1, 2, 6)


def annotated(w: Writer) -> None:
    """Footnotes on several pages, some of several lines, below tables and columns."""
    for _ in range(3):
        w.heading(w.prose.title())
        for place in range(5):
            note = Run(note=w.prose.text(1, 3)) if place % 2 == 0 else ""
            w.paragraph(w.prose.text(), note, " ", w.prose.text(2, 6))
        w.table(w.prose.rows(4, 3))


def statement(w: Writer) -> None:
    """Tables across pages without rules, with rules between rows only, or only at top and bottom."""
    w.margins(w.prose.title(2, 4), w.prose.title(1, 2))
    for rules in ("none", "rows", "ends"):
        w.heading(w.prose.title())
        w.paragraph(w.prose.text())
        w.table(w.prose.rows(48, 4), rules=rules, numbers_right=rules != "rows")
    w.paragraph(w.prose.text())


def glossary(w: Writer) -> None:
    """Text tables: two columns of several lines each, with few or no rules."""
    w.heading(w.prose.title())
    for rules in ("none", "rows", "ends"):
        w.paragraph(w.prose.text())
        rows = [[w.prose.title(1, 2), w.prose.title(1, 2)]]
        rows += [[w.prose.sentence(4, 9), w.prose.text(1, 2)] for _ in range(4)]
        w.table(rows, rules=rules, widths=(55, 105))
    w.paragraph(w.prose.text())
    rows = [[w.prose.title(1, 1) for _ in range(3)]]
    rows += [[w.prose.sentence(6, 12) for _ in range(3)] for _ in range(4)]
    w.table(rows, rules="none", widths=(55, 55, 55))
    w.paragraph(w.prose.text())


def spanned(w: Writer) -> None:
    """Tables with few or no rules and with column and row spans, and small ones."""
    w.heading(w.prose.title())
    for rules in ("rows", "ends", "none"):
        head = [["", w.prose.title(1, 2), "", w.prose.title(1, 2), ""], [w.prose.title(1, 1) for _ in range(5)]]
        rows = head + w.prose.rows(5, 5, header=False)
        w.table(rows, rules=rules, merges=[(0, 1, 0, 2), (0, 3, 0, 4)], numbers_right=rules == "ends")
        w.paragraph(w.prose.text())
    w.table(w.prose.rows(2, 2), rules="rows")
    w.paragraph(w.prose.text())
    w.table(w.prose.rows(2, 3), rules="none")
    w.paragraph(w.prose.text())


def tables_in_columns(w: Writer) -> None:
    """Tables within text columns, with and without rules."""
    w.heading(w.prose.title())
    w.section(2)
    for place, rules in enumerate(("grid", "rows", "none", "ends")):
        w.heading(w.prose.title(), 2)
        w.prose_paragraphs(1 + place % 2, 2, 4)
        w.table(w.prose.rows(4, 3), rules=rules, widths=(27, 24, 24))
        w.prose_paragraphs(2, 2, 4)


def foreign_tables(w: Writer) -> None:
    """Tables with few or no rules in other scripts, links, and footnotes."""
    w.heading(w.prose.title())
    for rules in ("none", "rows", "ends"):
        w.paragraph(w.prose.text(), " ", Run(w.prose.title(1, 2), link=address(w)), " ", w.prose.sentence())
        w.table(w.prose.rows(5, 3), rules=rules)
    w.paragraph(w.prose.text(), Run(note=w.prose.sentence()), " ", w.prose.text())
    w.paragraph(w.prose.text(), Run(note=w.prose.text(2, 3)), " ", w.prose.text())
    w.items([(level, w.prose.sentence()) for level in (0, 1, 0)], add_numbering(w.package, NUMBERS))


def hebrew(w: Writer) -> None:
    w.margins(w.prose.title(2, 4), w.prose.title(1, 2))
    foreign_tables(w)
    w.prose_paragraphs(3, 4, 9)


def japanese(w: Writer) -> None:
    foreign_tables(w)
    w.prose_paragraphs(4, 4, 9)


def leaflet(w: Writer) -> None:
    """One page with a header and a footer, which occur only once."""
    w.margins(w.prose.title(2, 4), w.prose.title(1, 2))
    w.heading(w.prose.title())
    w.prose_paragraphs(2)
    w.items([(0, w.prose.sentence()) for _ in range(4)])
    w.prose_paragraphs(2)


def columns_with_notes(w: Writer) -> None:
    """Two columns with footnotes and links, across pages."""
    w.heading(w.prose.title())
    w.section(2)
    for place in range(14):
        note = Run(note=w.prose.sentence()) if place % 3 == 1 else ""
        w.paragraph(w.prose.text(), note, " ", Run(w.prose.title(2, 4), link=address(w)), " ", w.prose.text(2, 6))


def mixture(w: Writer, rules: str) -> None:
    """Many tables with the same kind of rules and different shapes, between paragraphs."""
    draw = w.prose.random
    w.heading(w.prose.title())
    for _ in range(9):
        w.paragraph(w.prose.text(1, 3))
        columns, header = draw.randint(2, 7), draw.random() < 0.7
        rows = w.prose.rows(draw.randint(2, 8), columns, header=header)
        if draw.random() < 0.4:
            for row in rows[1:]:
                row[draw.randrange(columns)] = w.prose.title(1, 3)
        if draw.random() < 0.4:
            for row in rows[1:]:
                row[draw.randrange(1, columns)] = ""
        if draw.random() < 0.3:
            for row in rows:
                row[0] = w.prose.title(3, 6)
        w.table(rows, rules=rules, header=header, numbers_right=draw.random() < 0.5)


def mixture_of_grids(w: Writer) -> None:
    mixture(w, "grid")


def mixture_of_rows(w: Writer) -> None:
    mixture(w, "rows")


def mixture_of_ends(w: Writer) -> None:
    mixture(w, "ends")


def mixture_of_gaps(w: Writer) -> None:
    mixture(w, "none")


MONO = Theme("Liberation Mono", 9, (14, 11), color="000000")
# Name, language, hyphenation, theme, function.
DESIGNS = (
    ("wider-booktabs", "en", False, Theme("Liberation Serif", 10, (16, 12)), booktabs),
    ("wider-hairlines", "fr", False, Theme("Carlito", 11, (18, 14)), hairlines),
    ("wider-sparse", "en", False, Theme("Liberation Sans", 10, (15, 12)), sparse),
    (
        "wider-novel",
        "en",
        True,
        Theme("Liberation Serif", 11, (15,), align="JUSTIFY", after=0, indent=6, color="000000"),
        novel,
    ),
    ("wider-reversed", "ar", False, Theme("Noto Naskh Arabic", 11, (17, 14)), reversed_table),
    ("wider-reversed-report", "ar", False, Theme("Noto Sans Arabic", 11, (17, 14), align="JUSTIFY"), reversed_report),
    ("wider-vocalized", "ar-vocalized", False, Theme("Noto Naskh Arabic", 12, (18, 14)), vocalized),
    ("wider-persian", "fa", False, Theme("Noto Sans Arabic", 10, (18, 13), align="JUSTIFY"), persian),
    ("wider-directory", "en", False, Theme("Liberation Serif", 11, (17, 13)), directory),
    ("wider-steps", "de", False, Theme("Caladea", 10.5, (16, 13)), steps),
    ("wider-brochure", "en", False, Theme("Carlito", 10, (20, 13), after=5), brochure),
    ("wider-minutes", "fr", False, Theme("Liberation Sans", 10, (15, 12)), minutes),
    ("wider-letters", "de", False, MONO, letters),
    ("wider-inventory", "en", False, Theme("Liberation Serif", 10, (15, 12)), inventory),
    ("wider-titles", "en", False, Theme("Liberation Sans", 10, (10, 10), after=6), bold_titles),
    ("wider-statement", "en", False, Theme("Carlito", 10, (15,)), statement),
    ("wider-glossary", "de", False, Theme("Liberation Serif", 10, (16, 12)), glossary),
    ("wider-spanned", "en", False, Theme("Liberation Sans", 9.5, (15, 12)), spanned),
    ("wider-beside", "en", False, Theme("Caladea", 9.5, (18, 12)), tables_in_columns),
    ("wider-hebrew", "he", False, Theme("DejaVu Sans", 10, (15, 12)), hebrew),
    ("wider-japanese", "ja", False, Theme("WenQuanYi Micro Hei", 10, (15, 12)), japanese),
    ("wider-leaflet", "ru", False, Theme("DejaVu Sans", 10, (15, 12)), leaflet),
    ("wider-columns", "en", False, Theme("Liberation Serif", 10, (17, 12)), columns_with_notes),
    ("wider-grids", "en", False, Theme("Carlito", 10, (15, 12)), mixture_of_grids),
    ("wider-rows", "de", False, Theme("Liberation Serif", 9.5, (15, 12)), mixture_of_rows),
    ("wider-ends", "fr", False, Theme("Liberation Sans", 9.5, (15, 12)), mixture_of_ends),
    ("wider-gaps", "en", False, Theme("Caladea", 10, (15, 12)), mixture_of_gaps),
    ("wider-rows-from-right", "he", False, Theme("DejaVu Sans", 9.5, (15, 12)), lambda w: mixture(w, "rows")),
    ("wider-gaps-from-right", "ar", False, Theme("Noto Naskh Arabic", 10, (15, 12)), lambda w: mixture(w, "none")),
    ("wider-ends-unspaced", "zh", False, Theme("WenQuanYi Micro Hei", 10, (15, 12)), lambda w: mixture(w, "ends")),
    ("wider-gaps-russian", "ru", False, Theme("DejaVu Sans", 9, (15, 12)), lambda w: mixture(w, "none")),
    ("wider-annotated", "en", False, Theme("Liberation Serif", 11, (16,)), annotated),
)
