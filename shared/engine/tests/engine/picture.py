"""Makes and reads images with Pillow.

`make PATH KIND` and `make-rows PATH` write an image with metadata, `make-fax FROM TO CODING` converts one to a CCITT
coding, and `read PATH` prints an image's properties and metadata as JSON.
"""

import hashlib
import io
import json
import struct
import sys

from PIL import Image, PngImagePlugin

ORIENTATION, MAKER, WIDTH = 0x0112, 0x010F, 0xA002
CAMERA, PLACE = 0x8769, 0x8825
PACKET = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 tiff:Orientation="6" dc:source="Lighthouse"/></rdf:RDF></x:xmpmeta>"""


def preview():
    """A JPEG preview unlike any part of the test images."""
    file = io.BytesIO()
    Image.new("RGB", (16, 16), (1, 200, 3)).save(file, "JPEG")
    return file.getvalue()


def with_preview(block):
    """Adds a thumbnail directory (IFD1) to an EXIF block [Exif 2.32, 4.6.2], which Pillow cannot write."""
    head, block = block[:6], bytearray(block[6:])
    order = "<" if block[:2] == b"II" else ">"
    (first,) = struct.unpack_from(order + "I", block, 4)
    (count,) = struct.unpack_from(order + "H", block, first)
    struct.pack_into(order + "I", block, first + 2 + 12 * count, len(block))
    entries = [
        (0x0103, 3, 1, 6 << 16 if order == ">" else 6),
        (0x0201, 4, 1, len(block) + 42),
        (0x0202, 4, 1, len(preview())),
    ]
    directory = struct.pack(order + "H", len(entries))
    directory += b"".join(struct.pack(order + "HHII", *entry) for entry in entries) + bytes(4)
    return head + bytes(block) + directory + preview()


def metadata_blocks():
    """An EXIF block with location and preview, and a PNG text chunk with an XMP packet."""
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    exif[MAKER] = "Octavo Optics"
    exif.get_ifd(CAMERA)[WIDTH] = 240
    exif.get_ifd(PLACE)[1] = "N"
    exif.get_ifd(PLACE)[2] = (52.0, 30.0, 0.0)
    text = PngImagePlugin.PngInfo()
    text.add_itxt("XML:com.adobe.xmp", PACKET.decode())
    return with_preview(exif.tobytes()), text


def make(path, kind):
    """Writes 240 x 160 stored pixels, red above blue, with orientation 6; poorly compressed."""
    image = Image.new("RGB", (240, 160), (200, 30, 30))
    image.paste((30, 30, 200), (0, 80, 240, 160))
    image.paste(Image.effect_noise((80, 40), 60), (80, 60))
    exif, text = metadata_blocks()
    if kind == "PNG":
        image.save(path, kind, exif=exif, pnginfo=text, compress_level=0)
    else:
        image.save(path, kind, exif=exif, xmp=PACKET, quality=100)


def make_rows(path):
    """Writes a PNG of repeating rows with orientation 6; upright, nothing repeats and it compresses worse."""
    noise = hashlib.shake_256().digest(17 * 256)
    rows = [noise[256 * row : 256 * (row + 1)] for row in range(16)]
    image = Image.frombytes("P", (256, 256), b"".join(rows[which % 16] for which in noise[-256:]))
    image.putpalette(value for gray in range(256) for value in (gray, gray, gray))
    exif, text = metadata_blocks()
    image.save(path, "PNG", exif=exif, pnginfo=text, compress_level=9)


def corners(image):
    right, bottom = image.width - 1, image.height - 1
    return [image.getpixel(corner) for corner in ((0, 0), (right, 0), (0, bottom), (right, bottom))]


T4_OPTIONS, FILL_ORDER, ROWS_PER_STRIP = 292, 266, 278
FAXES = {
    "group3": ("group3", {}),
    "group3-strips": ("group3", {ROWS_PER_STRIP: 16}),
    "group3-2d": ("group3", {T4_OPTIONS: 1}),
    "group3-2d-fill": ("group3", {T4_OPTIONS: 5}),
    "huffman": ("tiff_ccitt", {}),
    "group4-lsb-first": ("group4", {FILL_ORDER: 2}),
}


def make_fax(source, target, coding):
    """A bilevel TIFF, by libtiff."""
    compression, tags = FAXES[coding]
    with Image.open(source) as image:
        bilevel = image.convert("1", dither=Image.Dither.NONE)
        bilevel.save(target, "TIFF", compression=compression, tiffinfo=tags)


def read(path):
    with open(path, "rb") as file:
        has_preview = preview() in file.read()
    with Image.open(path) as image:
        image.load()
        exif = image.getexif()
        packet = image.info.get("xmp") or image.info.get("XML:com.adobe.xmp") or b""
        packet = packet.encode() if isinstance(packet, str) else packet
        return {
            "format": image.format,
            "sides": image.size,
            "orientation": exif.get(ORIENTATION),
            "maker": exif.get(MAKER),
            "width": exif.get_ifd(CAMERA).get(WIDTH),
            "place": bool(exif.get_ifd(PLACE)),
            "source": b"Lighthouse" in packet,
            "turns": b'tiff:Orientation="6"' in packet,
            "preview": has_preview,
            "profile": len(image.info.get("icc_profile") or b""),
            "corners": corners(image.convert("RGBA")),
            "frames": getattr(image, "n_frames", 1),
        }


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3])
    elif sys.argv[1] == "make-rows":
        make_rows(sys.argv[2])
    elif sys.argv[1] == "make-fax":
        make_fax(sys.argv[2], sys.argv[3], sys.argv[4])
    else:
        print(json.dumps(read(sys.argv[2])))
