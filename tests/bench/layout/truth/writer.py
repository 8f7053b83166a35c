"""Writes a DOCX and records its ground truth in the common model, block by block."""

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Unpack

import docx
from docx.enum.section import WD_ORIENT, WD_SECTION
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK
from docx.shared import Mm, Pt, RGBColor
from docx.text.paragraph import Paragraph

from truth import ooxml
from truth.prose import SOFT_HYPHEN, Prose
from truth.table import Shape, add_table
from truth.theme import Run, Theme, picture

WRITTEN = (2024, 1, 1)
RIGHT_TO_LEFT = ("ar", "ar-vocalized", "fa", "he")


class Writer:
    def __init__(self, prose: Prose, theme: Theme):
        self.prose = prose
        self.theme = theme
        self.package = docx.Document()
        self.truth: dict[str, Any] = {"blocks": [], "links": [], "header": None, "footer": None}
        self.notes: list[str] = []
        self.dress()
        self.page(210, 297)

    def dress(self) -> None:
        theme, styles = self.theme, self.package.styles
        normal = styles["Normal"]
        ooxml.set_fonts(normal.element.get_or_add_rPr(), theme.font, round(theme.size * 2))
        normal.paragraph_format.space_after = Pt(theme.after)
        for level, size in enumerate(theme.headings, 1):
            style = styles[f"Heading {level}"]
            ooxml.set_fonts(style.element.get_or_add_rPr(), theme.heading_font or theme.font, round(size * 2))
            style.font.color.rgb = RGBColor.from_string(theme.color)
            style.paragraph_format.space_after = Pt(4)

    @property
    def right_to_left(self) -> bool:
        return self.prose.language in RIGHT_TO_LEFT

    def note_block(self, kind: str, **members: object) -> None:
        self.truth["blocks"].append({"type": kind, **members})

    def page(self, width: int, height: int, margin: int = 22) -> None:
        """Sets the page size of this section in mm."""
        section = self.package.sections[-1]
        section.orientation = WD_ORIENT.LANDSCAPE if width > height else WD_ORIENT.PORTRAIT
        section.page_width, section.page_height = Mm(width), Mm(height)
        section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Mm(margin)

    def heading(self, text: str, level: int = 1, *, numbering: str = "", centered: bool = False) -> None:
        paragraph = self.package.add_heading(text, level)
        if numbering:
            ooxml.number(paragraph, numbering, level - 1)
        if centered:
            paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
        if self.right_to_left:
            ooxml.right_to_left(paragraph)
        self.note_block("heading", level=level, text=text)

    def paragraph(self, *parts: str | Run, align: str = "", after: float | None = None) -> None:
        paragraph = self.package.add_paragraph()
        paragraph.alignment = WD_ALIGN_PARAGRAPH[align or self.theme.align]
        if self.theme.indent:
            paragraph.paragraph_format.first_line_indent = Mm(self.theme.indent)
        if after is not None:
            paragraph.paragraph_format.space_after = Pt(after)
        text = self.fill(paragraph, parts)
        if self.right_to_left:
            ooxml.right_to_left(paragraph)
        self.note_block("paragraph", text=text)

    def fill(self, paragraph: Paragraph, parts: Sequence[str | Run]) -> str:
        """Adds the parts, and returns their text."""
        runs = [Run(part) if isinstance(part, str) else part for part in parts]
        for part in runs:
            run = paragraph.add_run(part.text)
            run.bold, run.italic = part.bold or None, part.italic or None
            run.font.superscript = part.superscript or None
            if part.link:
                run.font.color.rgb = RGBColor(0x05, 0x63, 0xC1)
                ooxml.link(paragraph, run, part.link)
                self.truth["links"].append(part.link)
            if part.note:
                self.notes.append(part.note)
                ooxml.refer(paragraph, len(self.notes))
        return "".join(part.text for part in runs).replace(SOFT_HYPHEN, "")

    def prose_paragraphs(self, count: int, least: int = 2, most: int = 5) -> None:
        for _ in range(count):
            self.paragraph(self.prose.text(least, most))

    def items(self, entries: Sequence[tuple[int, str | Run]], numbering: str = "") -> None:
        """Adds items by level, with a numbering of `ooxml.add_numbering` or else the bullet styles."""
        noted = []
        for level, part in entries:
            style = None if numbering else ("List Bullet" if level == 0 else f"List Bullet {level + 1}")
            paragraph = self.package.add_paragraph(style=style)
            paragraph.paragraph_format.space_after = Pt(2)
            if numbering:
                ooxml.number(paragraph, numbering, level)
            noted.append({"level": level, "text": self.fill(paragraph, [part])})
            if self.right_to_left:
                ooxml.right_to_left(paragraph)
        self.note_block("list", items=noted)

    def table(self, rows: list[list[str]], **shape: Unpack[Shape]) -> None:
        add_table(self.package, rows, self.right_to_left, shape)
        # Space before the next block.
        self.package.add_paragraph().paragraph_format.space_after = Pt(2)
        merges = [list(merge) for merge in shape.get("merges", ())]
        self.note_block("table", rows=rows, merges=merges, header_row=shape.get("header", True))

    def image(self, width: int, height: int, mm: int, kind: str = "PNG") -> None:
        self.package.add_picture(picture(width, height, self.prose.random.randrange(250), kind), width=Mm(mm))
        self.note_block("image", pixels=[width, height], width_mm=mm)

    def page_break(self) -> None:
        self.package.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
        self.note_block("page_break")

    def section(self, columns: int = 1, *, new_page: bool = False) -> None:
        """Starts a section with columns, on this page or on a new one."""
        start = WD_SECTION.NEW_PAGE if new_page else WD_SECTION.CONTINUOUS
        section = self.package.add_section(start)
        ooxml.set_columns(section, columns)
        if self.right_to_left:
            ooxml.child(section._sectPr, "bidi")

    def margins(self, header: str, footer: str = "") -> None:
        """Sets header and footer; the footer ends with the page number."""
        section = self.package.sections[0]
        section.header.paragraphs[0].text = header
        line = section.footer.paragraphs[0]
        line.add_run(f"{footer} ".lstrip())
        ooxml.add_field(line, "PAGE")
        self.truth["header"], self.truth["footer"] = header or None, f"{footer} {{PAGE}}".lstrip()

    def save(self, directory: Path, name: str) -> None:
        """Writes `name.docx`, deterministically, and `name.json`."""
        if self.notes:
            ooxml.add_footnotes(self.package, self.notes)
        for text in self.notes:
            self.note_block("footnote", text=text)
        properties = self.package.core_properties
        properties.created = properties.modified = datetime(*WRITTEN)
        properties.author, properties.title = "layout truth", name
        buffer = io.BytesIO()
        self.package.save(buffer)
        with zipfile.ZipFile(buffer) as made, zipfile.ZipFile(directory / f"{name}.docx", "w") as archive:
            for entry in made.infolist():
                dated = zipfile.ZipInfo(entry.filename, (*WRITTEN, 0, 0, 0))
                dated.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(dated, made.read(entry.filename))
        truth = {"file": f"{name}.docx", "language": self.prose.language, **self.truth}
        text = json.dumps(truth, ensure_ascii=False, indent=1)
        (directory / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
