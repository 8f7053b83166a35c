"""Packs the functions' binaries as zip files for the emulator."""

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from failure import StackError

# Crates whose name starts with this contain document engines and need pdfium.
ENGINES = "engine-"


def require(binaries: Path, names: set[str]):
    """Raises StackError if a binary has not been built."""
    absent = sorted(name for name in names if not (binaries / name).is_file())
    if absent:
        raise StackError(f"not built yet: {', '.join(absent)} (in {binaries}). Run `make build`.")


def pack(binaries: Path, crates: set[str], pdfium: Path) -> dict[str, bytes]:
    """Crate -> zip."""
    with ThreadPoolExecutor() as pool:
        zips = pool.map(lambda crate: pack_one(binaries / crate, pdfium), crates)
        return dict(zip(crates, zips, strict=True))


def pack_one(binary: Path, pdfium: Path) -> bytes:
    """The zip: the binary as `bootstrap`, for engine functions also pdfium. Uncompressed: it stays on this machine."""
    contents = {"bootstrap": binary}
    if binary.name.startswith(ENGINES):
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
