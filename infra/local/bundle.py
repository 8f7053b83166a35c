"""Packs a function's binary as the zip that the emulator runs."""

import io
import zipfile
from pathlib import Path

from failure import StackError

PDFIUM_USERS = {"process-pdf", "process-image", "process-office"}


def missing(binaries: list[Path]) -> None:
    """Raises if one of these has not been built."""
    absent = [path.name for path in binaries if not path.is_file()]
    if absent:
        raise StackError(f"not built yet: {', '.join(absent)} (in {binaries[0].parent}). Run `make build`.")


def pack(binary: Path, pdfium: Path) -> bytes:
    """The zip: the binary as `bootstrap`, beside it pdfium where the function uses it. Stored, since nothing is sent far."""
    contents = {"bootstrap": binary}
    if binary.name in PDFIUM_USERS:
        if not pdfium.is_file():
            raise StackError(f"{pdfium} is missing. Run `make setup`.")
        contents["libpdfium.so"] = pdfium
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, path in contents.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o100755 << 16
            archive.writestr(entry, path.read_bytes())
    return buffer.getvalue()
