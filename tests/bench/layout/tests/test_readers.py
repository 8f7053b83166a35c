"""Every reader yields the same common model for the same document."""

import json
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import docx
from docx.oxml import parse_xml

import model
import readers
from model import Cell, Document, Footnote, Heading, Image, Item, Paragraph, Table
from readers.html import from_html
from readers.markdown import from_markdown
from score import MEASURES, score
from truth import sets

WANTED = Document(
    [
        Heading(2, "Care of the lamp"),
        Paragraph("It is cleaned every Monday; see the log."),
        Item(0, "Cloth"),
        Item(1, "Grey"),
        Item(0, "Spirit"),
        Table((Cell(0, 0, 1, 1, "Line"), Cell(0, 1, 1, 1, "Time"), Cell(1, 1, 1, 1, "07:15"))),
        Image(),
        Footnote("It is blue."),
    ],
    ["https://example.org/log"],
)
MARKDOWN = """\
## Care of the **lamp**

It is cleaned
every *Monday*; see the [log](https://example.org/log).[^1]

- Cloth
    1. Grey
- Spirit

| Line | Time |
|------|------|
|      | 07:15 |

![](lamp.png)

[^1]: It is blue.
"""
HTML = """\
<html><head><title>Not said</title></head><body><header>Handbook</header>
<h2>Care of the <b>lamp</b></h2><div>It is cleaned every Monday; see the <a href="https://example.org/log">log</a>.
<a role="doc-noteref" href="#n">1</a></div>
<ul><li><p>Cloth</p><ol><li>Grey</li></ol></li><li>Spirit</li></ul>
<table><thead><tr><th>Line</th><th>Time</th></tr></thead><tr><td></td><td>07:15</td></tr></table>
<figure><img src="data:,"></figure><aside role="doc-footnote" id="n">It is blue.</aside>
<footer>Sheet 1</footer></body></html>
"""
SPANS = """<table><tr><th rowspan="2">Season</th><th colspan="2">Weekday</th></tr><tr><td>Early</td><td>Late</td></tr>
<tr><td>Summer</td><td>12 <img src="data:,"></td><td>9</td></tr></table>"""

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
ALTERNATIVES = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
BOX = "<w:txbxContent><w:p><w:r><w:t>In a box</w:t></w:r></w:p></w:txbxContent>"
# Markup saved by word processors: a text box with its fallback, a tracked change, a link and a page number as fields.
SAVED = f"""<w:p {WORD} {ALTERNATIVES}><w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs></w:pPr>
<w:r><mc:AlternateContent><mc:Choice Requires="wps">{BOX}</mc:Choice>
<mc:Fallback>{BOX}</mc:Fallback></mc:AlternateContent></w:r>
<w:r><w:t>The</w:t><w:tab/></w:r><w:del><w:r><w:t>old</w:t></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins>
<w:r><w:fldChar w:fldCharType="begin"/><w:instrText> HYPERLINK "https://example.org/log" </w:instrText></w:r>
<w:r><w:fldChar w:fldCharType="separate"/><w:t xml:space="preserve"> log, </w:t><w:fldChar w:fldCharType="end"/></w:r>
<w:fldSimple w:instr=" PAGE "><w:r><w:t>7</w:t></w:r></w:fldSimple></w:p>"""


def written(kind: str, text: str, **members: object) -> dict:
    return {"type": kind, "runs": [{"text": text}], **members}


def cell(row: int, column: int, text: str) -> dict:
    return {"row": row, "column": column, "rowSpan": 1, "columnSpan": 1, "blocks": [written("paragraph", text)]}


LAMP = [
    written("heading", "Care of the lamp", level=2),
    {
        "type": "paragraph",
        "runs": [{"text": "It is cleaned every Monday; see the "}, {"text": "log", "link": "https://example.org/log"}],
    },
    written("footnote", "It is blue.", label="1"),
]
ITEMS = [("•", 0, "Cloth"), ("1.", 1, "Grey"), ("•", 0, "Spirit")]
# A paragraph and a table that continue on the next page, the table with a repeated header row.
PAGES = [
    {"number": 1, "header": [written("paragraph", "Handbook")], "blocks": LAMP},
    {
        "number": 2,
        "footer": [written("paragraph", "Sheet 2")],
        "blocks": [
            written("paragraph", "of days.", continues=True),
            {"type": "list", "items": [written("", text, marker=sign, level=level) for sign, level, text in ITEMS]},
            {"type": "table", "widths": [1, 1], "rows": 2, "headerRows": 1, "cells": [cell(0, 0, "Line")]},
        ],
    },
    {
        "number": 3,
        "blocks": [
            {
                "type": "table",
                "widths": [1, 1],
                "rows": 2,
                "headerRows": 1,
                "continues": True,
                "cells": [cell(0, 0, "Line"), cell(1, 1, "07:15")],
            },
            {"type": "image", "image": 0},
        ],
    },
]


class ReadersTest(unittest.TestCase):
    def test_pages_of_the_model(self):
        with TemporaryDirectory() as place:
            path = Path(place, "pages.json")
            path.write_text(json.dumps(PAGES))
            found = readers.read(path)
        wanted = [*WANTED.blocks]
        wanted[1] = Paragraph("It is cleaned every Monday; see the log of days.")
        wanted[5:] = [Table((Cell(0, 0, 1, 1, "Line"), Cell(2, 1, 1, 1, "07:15"))), Image()]
        wanted.insert(2, Footnote("It is blue."))
        self.assertEqual(found, Document(wanted, WANTED.links, "Handbook", "Sheet {PAGE}"))

    def test_markdown(self):
        self.assertEqual(from_markdown(MARKDOWN), WANTED)

    def test_html(self):
        wanted = Document(WANTED.blocks, WANTED.links, "Handbook", "Sheet 1")
        self.assertEqual(from_html(HTML), wanted)

    def test_spans_of_html(self):
        cells = ((0, 0, 2, 1, "Season"), (0, 1, 1, 2, "Weekday"), (1, 1, 1, 1, "Early"), (1, 2, 1, 1, "Late"))
        cells += ((2, 0, 1, 1, "Summer"), (2, 1, 1, 1, "12"), (2, 2, 1, 1, "9"))
        self.assertEqual(from_html(SPANS).blocks, [Table(tuple(Cell(*cell) for cell in cells)), Image()])

    def test_empty_documents(self):
        self.assertEqual(from_html(""), Document())
        self.assertEqual(from_markdown("\n"), Document())

    def test_word_processor_markup(self):
        package = docx.Document()
        package.element.body.insert(0, parse_xml(SAVED))
        with TemporaryDirectory() as place:
            path = Path(place, "saved.docx")
            package.save(path)
            found = readers.read(path)
        self.assertEqual(found.blocks, [Paragraph("The new log, {PAGE}"), Paragraph("In a box")])
        self.assertEqual(found.links, ["https://example.org/log"])

    def test_generated_documents_match_their_truth(self):
        with TemporaryDirectory() as place:
            for kind in sets.DESIGNS:
                for path in sets.generate(kind, Path(place) / kind):
                    with self.subTest(path.stem):
                        result = score(model.load(path.with_suffix(".json")), readers.read(path))
                        values = {measure: result.value(measure) for measure in MEASURES}
                        self.assertEqual(
                            {measure for measure, value in values.items() if value not in (1, None)}, set()
                        )


if __name__ == "__main__":
    unittest.main()
