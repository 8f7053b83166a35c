"""What a document holds, as a library finds it: `outline.py <path> docx|xlsx|pptx`, an array of JSON.

A paragraph is `["paragraph", text]`, `["heading", level, text]` or `["item", level, text]`, a link
`["link", text, target]`, a picture `["picture", width, height, words]`, and a table `["table", cells]` with
`[row, column, rows, columns, text]` for each cell. A library takes long to import, so it is
imported where it is used.
"""

# ruff: noqa: PLC0415
import json
import sys

EMU = 12700


def read_docx(path):
    import docx
    from docx.table import Table

    found = []
    for block in docx.Document(path).iter_inner_content():
        found += docx_table(block) if isinstance(block, Table) else docx_paragraph(block)
    return found


def docx_paragraph(block):
    from docx.oxml.ns import qn

    pictures = [
        ["picture", round(one.extent.cx / EMU), round(one.extent.cy / EMU), one.docPr.get("descr")]
        for one in block._p.iter(qn("wp:inline"))
    ]
    links = [["link", one.text, one.address or f"#{one.fragment}"] for one in block.hyperlinks]
    if not block.text:
        return pictures
    numbered = block._p.pPr is not None and block._p.pPr.numPr
    name = block.style.name
    if name.startswith("Heading "):
        text = ["heading", int(name.removeprefix("Heading ")), block.text]
    elif numbered is not None and numbered is not False:
        text = ["item", numbered.ilvl.val, block.text]
    else:
        text = ["paragraph", block.text]
    return [text, *links, *pictures]


def docx_table(table):
    places = {}
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells.cells):
            places.setdefault(cell._tc, []).append((row, column, cell.text))
    return [["table", sorted(spanned(one) for one in places.values())]]


def spanned(places):
    rows, columns, texts = zip(*places, strict=True)
    return [min(rows), min(columns), len(set(rows)), len(set(columns)), texts[0]]


def read_xlsx(path):
    import openpyxl

    return [["table", xlsx_cells(sheet)] for sheet in openpyxl.load_workbook(path).worksheets]


def xlsx_cells(sheet):
    merged = {(area.min_row, area.min_col): area for area in sheet.merged_cells.ranges}
    cells = []
    for row in sheet.iter_rows():
        for cell in row:
            area = merged.get((cell.row, cell.column))
            rows, columns = (area.size["rows"], area.size["columns"]) if area else (1, 1)
            if cell.value is not None or area:
                cells.append([cell.row - 1, cell.column - 1, rows, columns, xlsx_value(cell)])
    return cells


def xlsx_value(cell):
    if cell.is_date:
        return cell.value.date().isoformat()
    return "" if cell.value is None else cell.value


def read_pptx(path):
    import pptx

    found = []
    for slide in pptx.Presentation(path).slides:
        for shape in slide.shapes:
            found += pptx_shape(shape)
    return found


def pptx_shape(shape):
    from pptx.enum.shapes import MSO_SHAPE_TYPE

    if shape.has_table:
        return [["table", pptx_cells(shape.table)]]
    if shape.shape_type == MSO_SHAPE_TYPE.PICTURE:
        words = shape._element.nvPicPr.cNvPr.get("descr")
        return [["picture", round(shape.width / EMU), round(shape.height / EMU), words]]
    found = []
    for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else []:
        properties = paragraph._p.pPr
        is_item = any(child.tag.endswith(("}buChar", "}buAutoNum")) for child in properties)
        found.append(["item", paragraph.level, paragraph.text] if is_item else ["paragraph", paragraph.text])
        linked = [run for run in paragraph.runs if run.hyperlink.address]
        found += [["link", run.text, run.hyperlink.address] for run in linked]
    return found


def pptx_cells(table):
    return [
        [row, column, cell.span_height, cell.span_width, cell.text]
        for row, cells in enumerate(table.rows)
        for column, cell in enumerate(cells.cells)
        if not cell.is_spanned
    ]


READERS = {"docx": read_docx, "xlsx": read_xlsx, "pptx": read_pptx}

if __name__ == "__main__":
    print(json.dumps(READERS[sys.argv[2]](sys.argv[1])))
