"""Reads a fixed-layout document with independent libraries and prints its pages as JSON.

Each page has its size, the texts of its lines, and its unrotated boxes, in points.
"""

import json
import re
import sys
from pathlib import Path

import docx
import lxml.html
import pptx
from docx.oxml.ns import qn

UNITS = 12_700


def read_docx(path):
    document = docx.Document(path)
    pages = []
    for paragraph in document.element.body.iterchildren(qn("w:p")):
        boxes, texts = [], []
        for anchor in paragraph.iter(qn("wp:anchor")):
            if anchor.getparent().getparent().tag.endswith("}Fallback"):
                continue
            offsets = [int(offset.text) / UNITS for offset in anchor.iter(qn("wp:posOffset"))]
            extent = anchor.find(qn("wp:extent"))
            width, height = int(extent.get("cx")) / UNITS, int(extent.get("cy")) / UNITS
            turned = any(place.get("rot") for place in anchor.iter(qn("a:xfrm")))
            name = anchor.find(qn("wp:docPr")).get("name").split()[0]
            if not turned:
                boxes.append([name, *offsets, offsets[0] + width, offsets[1] + height])
            texts.append("".join(text.text or "" for text in anchor.iter(qn("w:t"))))
        pages.append({"texts": texts, "boxes": boxes})
        ends = paragraph.find(f"{qn('w:pPr')}/{qn('w:sectPr')}")
        if ends is not None:
            size_pages(pages, ends)
    size_pages(pages, document.element.body.find(qn("w:sectPr")))
    return pages


def size_pages(pages, section):
    """Sets the size of the pages of the section that ends here."""
    size = section.find(qn("w:pgSz"))
    sides = [int(size.get(qn(name))) / 20 for name in ("w:w", "w:h")]
    for page in pages:
        page.setdefault("size", sides)


def read_pptx(path):
    presentation = pptx.Presentation(path)
    size = [presentation.slide_width / UNITS, presentation.slide_height / UNITS]
    return [read_slide(slide, size) for slide in presentation.slides]


def read_slide(slide, size):
    boxes, texts = [], []
    for shape in slide.shapes:
        name = shape.name.split()[0].replace("Text", "Line")
        sides = [shape.left, shape.top, shape.left + shape.width, shape.top + shape.height]
        if not shape.rotation:
            boxes.append([name, *(side / UNITS for side in sides)])
        if shape.has_text_frame:
            texts.append(shape.text_frame.text)
    return {"size": size, "texts": texts, "boxes": boxes}


def read_html(path):
    page = lxml.html.document_fromstring(Path(path).read_bytes().decode("utf-8"))
    sizes = dict(re.findall(r"\.(size-[\w-]+) \{[^}]*?(width: [^}]*)\}", Path(path).read_text("utf-8")))
    return [read_section(section, sizes) for section in page.iter("section")]


def read_section(section, sizes):
    size = [float(side) for side in re.findall(r"([\d.]+)pt", sizes[section.get("class").split()[1]])]
    texts = [line.text_content() for line in section.iter("div") if line.get("class") == "line"]
    boxes = []
    for thing in section:
        style = thing.get("style")
        sides = [re.search(rf"(?:^|;){name}:(-?[\d.]+)", style) for name in ("left", "top", "width", "height")]
        if all(sides) and "rotate" not in style:
            left, top, width, height = (float(side.group(1)) for side in sides)
            boxes.append(["Thing", left, top, left + width, top + height])
    return {"size": size, "texts": texts, "boxes": boxes}


def read_txt(path):
    pages = Path(path).read_text("utf-8").split("\f")
    return [{"texts": [page], "boxes": [], "size": [0, 0]} for page in pages]


READERS = {"docx": read_docx, "pptx": read_pptx, "html": read_html, "txt": read_txt}

if __name__ == "__main__":
    print(json.dumps(READERS[sys.argv[2]](sys.argv[1])))
