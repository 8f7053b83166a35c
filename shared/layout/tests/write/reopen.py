"""What a library reads in a document: `reopen.py <path> docx|xlsx|pptx`, an object of JSON.

A library takes long to import, so it is imported where it is used.
"""

# ruff: noqa: PLC0415
import json
import sys


def read_docx(path):
    import docx

    document = docx.Document(path)
    return {
        "title": document.core_properties.title,
        "paragraphs": [paragraph(one) for one in document.paragraphs],
        "fonts": fonts(document),
        "tables": [docx_table(one) for one in document.tables],
        "pictures": [[one.width.pt, one.height.pt] for one in document.inline_shapes],
        "sections": [section(one) for one in document.sections],
        "links": [
            [link.text, link.address or f"#{link.fragment}"] for one in document.paragraphs for link in one.hyperlinks
        ],
    }


def paragraph(one):
    runs = [[run.text, look(run.font)] for run in one.runs if look(run.font)]
    return [one.style.name, one.text, *runs]


def look(font):
    color = font.color.rgb if font.color and font.color.type else None
    looks = {
        "bold": font.bold,
        "italic": font.italic,
        "strike": font.strike,
        "underline": font.underline,
        "superscript": font.superscript,
        "subscript": font.subscript,
        "rtl": font.rtl,
        str(color): color,
    }
    return " ".join(name for name, is_set in looks.items() if is_set)


def fonts(document):
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import parse_xml
    from docx.oxml.ns import qn

    table = document.part.part_related_by(RELATIONSHIP_TYPE.FONT_TABLE)
    return {
        font.get(qn("w:name")): {child.tag.partition("}")[2]: child.get(qn("w:val")) for child in font}
        for font in parse_xml(table.blob)
    }


def docx_table(table):
    return [[cell.text for cell in row.cells] for row in table.rows]


def section(one):
    return {
        "size": [one.page_width.pt, one.page_height.pt],
        "orientation": str(one.orientation),
        "header": [paragraph.text for paragraph in one.header.paragraphs],
        "footer": [paragraph.text for paragraph in one.footer.paragraphs],
    }


def read_xlsx(path):
    import openpyxl

    book = openpyxl.load_workbook(path)
    return {sheet.title: read_sheet(sheet) for sheet in book.worksheets}


def read_sheet(sheet):
    from openpyxl.cell.cell import MergedCell

    def value(cell):
        if isinstance(cell, MergedCell):
            return None
        shown = str(cell.value) if cell.is_date else cell.value
        return shown if cell.number_format == "General" else [shown, cell.number_format]

    return {
        "rows": [[value(cell) for cell in row] for row in sheet.iter_rows()],
        "links": {
            cell.coordinate: cell.hyperlink.target for row in sheet.iter_rows() for cell in row if cell.hyperlink
        },
        "merged": sorted(str(area) for area in sheet.merged_cells.ranges),
        "widths": [sheet.column_dimensions[name].width for name in sorted(sheet.column_dimensions)],
        "frozen": sheet.freeze_panes,
    }


def read_pptx(path):
    import pptx

    slides = pptx.Presentation(path)
    return {
        "size": [slides.slide_width.pt, slides.slide_height.pt],
        "slides": [[shape(one) for one in slide.shapes] for slide in slides.slides],
    }


def shape(one):
    shape_json = {
        "kind": str(one.shape_type),
        "at": [round(side.pt) for side in (one.left, one.top, one.width, one.height)],
    }
    if one.has_text_frame:
        shape_json["text"] = [[each.level, each.text] for each in one.text_frame.paragraphs]
    if one.has_table:
        shape_json["table"] = [[cell.text for cell in row.cells] for row in one.table.rows]
        shape_json["merged"] = [
            [row, column, cell.span_height, cell.span_width]
            for row, cells in enumerate(one.table.rows)
            for column, cell in enumerate(cells.cells)
            if cell.is_merge_origin
        ]
    return shape_json


READERS = {"docx": read_docx, "xlsx": read_xlsx, "pptx": read_pptx}

if __name__ == "__main__":
    print(json.dumps(READERS[sys.argv[2]](sys.argv[1])))
