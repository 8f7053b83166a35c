"""Writes the demo's DOCX document: two pages with headings, a table and an image."""

import io
import struct
import zipfile
import zlib

PAGES = 2
TITLE = "From word processor to PDF"
EMU_PER_PIXEL = 9525

RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'


def docx() -> bytes:
    """The document, as a .docx file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", content_types())
        archive.writestr("_rels/.rels", relationships(("rId1", "officeDocument", "word/document.xml")))
        archive.writestr("word/_rels/document.xml.rels", document_relationships())
        archive.writestr("word/styles.xml", styles())
        archive.writestr("word/document.xml", document())
        archive.writestr("word/media/spectrum.png", spectrum(480, 160))
    return buffer.getvalue()


def content_types() -> str:
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    return (
        f'{DECLARATION}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="png" ContentType="image/png"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main}.document.main+xml"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{main}.styles+xml"/></Types>'
    )


def relationships(*targets: tuple[str, str, str]) -> str:
    entries = "".join(
        f'<Relationship Id="{key}" Type="{RELATIONSHIPS}/{kind}" Target="{target}"/>' for key, kind, target in targets
    )
    return f'{DECLARATION}<Relationships xmlns="{PACKAGE}/relationships">{entries}</Relationships>'


def document_relationships() -> str:
    return relationships(("rId1", "styles", "styles.xml"), ("rId2", "image", "media/spectrum.png"))


def styles() -> str:
    headings = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/>'
        f'<w:pPr><w:keepNext/><w:spacing w:before="240" w:after="120"/><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
        f'<w:rPr><w:b/><w:color w:val="1F3864"/><w:sz w:val="{size}"/></w:rPr></w:style>'
        for level, size in ((1, 40), (2, 28))
    )
    return (
        f'{DECLARATION}<w:styles xmlns:w="{WORD}"><w:docDefaults><w:rPrDefault><w:rPr>'
        '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="22"/><w:lang w:val="en-GB"/>'
        '</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr>'
        f"</w:pPrDefault></w:docDefaults>{headings}</w:styles>"
    )


def document() -> str:
    body = [
        paragraph(TITLE, "Heading1"),
        paragraph("This document was uploaded to Octavo through its public API and converted to PDF by a job."),
        paragraph("How it was converted", "Heading2"),
        table(
            ("Step", "By", "Result"),
            ("Upload", "the client", "the document is in the account's private storage"),
            ("Submit", "POST /jobs", "job, charge and ticket are written in one transaction"),
            ("Convert", "engine-office", "a sandboxed engine writes the PDF"),
            ("Verify", "engine-office", "the PDF opens and has all its pages"),
        ),
        '<w:p><w:r><w:br w:type="page"/></w:r></w:p>',
        paragraph("An image", "Heading2"),
        picture("rId2", 480, 160),
        paragraph("Accents and other scripts survive: Größe, naïve, Škoda, Ελληνικά, Кириллица, 中文, €."),
    ]
    page = '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/>'
    return (
        f'{DECLARATION}<w:document xmlns:w="{WORD}" xmlns:r="{RELATIONSHIPS}"><w:body>'
        f"{''.join(body)}<w:sectPr>{page}</w:sectPr></w:body></w:document>"
    )


def paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def table(*rows: tuple[str, ...]) -> str:
    border = 'w:val="single" w:sz="4" w:color="808080"'
    borders = "".join(f"<w:{side} {border}/>" for side in ("top", "left", "bottom", "right", "insideH", "insideV"))
    widths = (1800, 2200, 5000)
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    cells = "".join(f"<w:tr>{''.join(map(cell, row, widths))}</w:tr>" for row in rows)
    return (
        f"<w:tbl><w:tblPr><w:tblBorders>{borders}</w:tblBorders></w:tblPr><w:tblGrid>{grid}</w:tblGrid>{cells}</w:tbl>"
    )


def cell(text: str, width: int) -> str:
    return f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>{paragraph(text)}</w:tc>'


def picture(relationship: str, width: int, height: int) -> str:
    extent = f'cx="{width * EMU_PER_PIXEL}" cy="{height * EMU_PER_PIXEL}"'
    return (
        f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{DRAWING}/wordprocessingDrawing"><wp:extent {extent}/>'
        f'<wp:docPr id="1" name="Spectrum" descr="A spectrum of colors"/><a:graphic xmlns:a="{DRAWING}/main">'
        f'<a:graphicData uri="{DRAWING}/picture"><pic:pic xmlns:pic="{DRAWING}/picture">'
        '<pic:nvPicPr><pic:cNvPr id="1" name="spectrum.png"/><pic:cNvPicPr/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip r:embed="{relationship}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {extent}/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>'
        "</wp:inline></w:drawing></w:r></w:p>"
    )


def spectrum(width: int, height: int) -> bytes:
    """A PNG image with a color gradient."""
    row = b"\0" + b"".join(
        bytes((255 * x // width, 120 + 100 * (x % 60) // 60, 255 - 255 * x // width)) for x in range(width)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(row * height)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in chunks)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
