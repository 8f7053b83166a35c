"""The text and the embedded objects of a paragraph."""

import re

from lxml import etree

from readers.docx_names import RELATIONSHIPS, qualified

FIELD_LINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
LITERAL = {qualified("tab"): " ", qualified("br"): " ", qualified("cr"): " ", qualified("noBreakHyphen"): "-"}
# Skipped elements: fallbacks, which repeat their alternative; deleted text; tab stops.
PASSED_OVER = {qualified("del"), qualified("moveFrom"), qualified("pPr"), qualified("rPr")}
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/main}blip"
OLD_PICTURE = "{urn:schemas-microsoft-com:vml}imagedata"


class Text:
    """`words` in order, `images`, link `targets` (relationship id or URL), and text `boxes`."""

    def __init__(self, paragraph: etree._Element):
        self.parts: list[str] = []
        self.images = 0
        self.targets: list[str] = []
        self.boxes: list[etree._Element] = []
        self.last: tuple[str, int] | None = None
        # Open fields: the instruction, or whether the result has been reached.
        self.fields: list[list[str | bool]] = []
        self.walk(paragraph)

    @property
    def words(self) -> str:
        return "".join(self.parts)

    def walk(self, parent: etree._Element):
        for child in parent:
            if child.tag in PASSED_OVER or child.tag == FALLBACK:
                continue
            if child.tag == qualified("txbxContent"):
                self.boxes.append(child)
                continue
            self.take(child)
            if not is_page(child.get(qualified("instr"), "")):
                self.walk(child)
            if child.tag == qualified("hyperlink"):
                self.last = (child.get(f"{{{RELATIONSHIPS}}}id", ""), len(self.parts))

    def take(self, element: etree._Element):
        tag = element.tag
        if tag == qualified("t"):
            self.append(element.text or "")
        elif tag in LITERAL:
            self.append(LITERAL[tag])
        elif tag in (PICTURE, OLD_PICTURE):
            self.images += 1
        elif tag == qualified("hyperlink"):
            self.link(element.get(f"{{{RELATIONSHIPS}}}id"))
        elif tag == qualified("fldSimple"):
            self.begin_simple(element.get(qualified("instr"), ""))
        elif tag == qualified("fldChar"):
            self.field(element.get(qualified("fldCharType"), ""))
        elif tag == qualified("instrText") and self.fields:
            self.fields[-1][0] += element.text or ""

    def append(self, text: str):
        if not any(is_page(field[0]) for field in self.fields):
            self.parts.append(text)

    def link(self, target: str | None):
        """Records a link, unless it continues the previous one."""
        if target and self.last != (target, len(self.parts)):
            self.targets.append(target)

    def begin_simple(self, instruction: str):
        if is_page(instruction):
            self.parts.append("{PAGE}")

    def field(self, kind: str):
        if kind == "begin":
            self.fields.append(["", False])
        elif kind == "separate" and self.fields:
            self.result()
        elif kind == "end" and self.fields:
            self.result()
            self.fields.pop()

    def result(self):
        field = self.fields[-1]
        if field[1]:
            return
        field[1] = True
        if is_page(field[0]):
            self.parts.append("{PAGE}")
        elif link := FIELD_LINK.match(field[0]):
            self.targets.append(link[1])


def is_page(instruction: str | bool) -> bool:
    return str(instruction).split()[:1] == ["PAGE"]
