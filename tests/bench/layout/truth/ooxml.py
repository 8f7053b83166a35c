"""OOXML features missing from python-docx: numbering, columns, borders, links, footnotes, and right-to-left."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from docx.document import Document as Package
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.section import Section
from docx.table import Table
from docx.text.paragraph import Paragraph
from docx.text.run import Run
from lxml import etree

# Format and text of each numbering level.
BULLETS = (("bullet", "•"), ("bullet", "◦"), ("bullet", "▪"))
NUMBERS = (("decimal", "%1."), ("lowerLetter", "%2)"), ("lowerRoman", "%3."))
CHAPTERS = (("decimal", "%1"), ("decimal", "%1.%2"), ("decimal", "%1.%2.%3"))
EDGES = ("top", "left", "bottom", "right", "insideH", "insideV")


def child(parent: etree._Element, name: str, **attributes: str) -> etree._Element:
    """Appends an element with attributes of the same namespace."""
    element = OxmlElement(f"w:{name}")
    for key, value in attributes.items():
        element.set(qn(f"w:{key}"), value)
    parent.append(element)
    return element


def add_numbering(package: Package, levels: Sequence[tuple[str, str]], *, indent: bool = True) -> str:
    """Defines a new numbering, which starts at 1, and returns its id."""
    root = package.part.numbering_part.element
    number = str(1000 + len(root))
    step = 420 if indent else 0
    drawn = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/>'
        f'<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{step * (level + 1)}" w:hanging="{step}"/></w:pPr></w:lvl>'
        for level, (kind, text) in enumerate(levels)
    )
    abstract = f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{number}">{drawn}</w:abstractNum>'
    root.insert(0, parse_xml(abstract))
    used = f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="{number}"/></w:num>'
    root.append(parse_xml(used))
    return number


def number(paragraph: Paragraph, numbering: str, level: int) -> None:
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    properties.get_or_add_ilvl().val = level
    properties.get_or_add_numId().val = int(numbering)


def set_columns(section: Section, count: int, space: int = 400) -> None:
    """Sets columns with a gap of `space` twentieths of a point."""
    for old in section._sectPr.findall(qn("w:cols")):
        section._sectPr.remove(old)
    child(section._sectPr, "cols", num=str(count), space=str(space))


def set_borders(table: Table, edges: Sequence[str]) -> None:
    """Sets borders on these of EDGES only."""
    borders = child(table._tbl.tblPr, "tblBorders")
    for edge in EDGES:
        child(borders, edge, val="single" if edge in edges else "nil", sz="4", space="0", color="444444")


def underline_row(table: Table, row: int) -> None:
    """Sets a bottom border on all cells of a row."""
    for cell in table.rows[row].cells:
        borders = child(cell._tc.get_or_add_tcPr(), "tcBorders")
        child(borders, "bottom", val="single", sz="6", space="0", color="000000")


def repeat_header(table: Table) -> None:
    child(table.rows[0]._tr.get_or_add_trPr(), "tblHeader")


def link(paragraph: Paragraph, run: Run, address: str) -> None:
    """Makes a run of the paragraph a link."""
    relationship = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    wrapper = OxmlElement("w:hyperlink")
    wrapper.set(qn("r:id"), relationship)
    run._r.addprevious(wrapper)
    wrapper.append(run._r)


def add_field(paragraph: Paragraph, instruction: str) -> None:
    child(paragraph.add_run()._r, "fldChar", fldCharType="begin")
    child(paragraph.add_run()._r, "instrText").text = instruction
    child(paragraph.add_run()._r, "fldChar", fldCharType="end")


def refer(paragraph: Paragraph, note: int) -> None:
    """Adds a reference to the footnote with this number, from 1."""
    run = paragraph.add_run()
    run.font.superscript = True
    child(run._r, "footnoteReference", id=str(note + 1))


def add_footnotes(package: Package, notes: Sequence[str]) -> None:
    """Adds the footnotes part: the texts after the two required separators."""
    raised = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
    mark = f"<w:r>{raised}<w:footnoteRef/></w:r>"
    small = '<w:rPr><w:sz w:val="16"/></w:rPr>'
    texts = "".join(
        f'<w:footnote w:id="{place + 2}"><w:p><w:pPr><w:spacing w:after="0"/></w:pPr>{mark}'
        f'<w:r>{small}<w:t xml:space="preserve"> {escape(text)}</w:t></w:r></w:p></w:footnote>'
        for place, text in enumerate(notes)
    )
    separators = "".join(
        f'<w:footnote w:id="{place}" w:type="{kind}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
        for place, kind in enumerate(("separator", "continuationSeparator"))
    )
    content = f'<?xml version="1.0"?><w:footnotes {nsdecls("w")}>{separators}{texts}</w:footnotes>'
    name = PackURI("/word/footnotes.xml")
    part = Part(name, CONTENT_TYPE.WML_FOOTNOTES, content.encode(), package.part.package)
    package.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def right_to_left(paragraph: Paragraph) -> None:
    child(paragraph._p.get_or_add_pPr(), "bidi")
    for run in paragraph.runs:
        child(run._r.get_or_add_rPr(), "rtl")


def set_fonts(properties: etree._Element, font: str, half_points: int) -> None:
    """Sets one font and size for Latin, East Asian and complex scripts."""
    fonts = properties.get_or_add_rFonts()
    for script in list(fonts.attrib):
        del fonts.attrib[script]
    for script in ("ascii", "hAnsi", "eastAsia", "cs"):
        fonts.set(qn(f"w:{script}"), font)
    for name in ("sz", "szCs"):
        for old in properties.findall(qn(f"w:{name}")):
            properties.remove(old)
        child(properties, name, val=str(half_points))
