"""Runs LibreOffice: one run with its own profile converts any number of files."""

import json
import shutil
from pathlib import Path

import child

PROGRAM = "soffice"
WITHIN = 600.0  # seconds
EXPORTS = {
    # Text and lines only, like a printer driver's output.
    "untagged": {"UseTaggedPDF": False, "ExportBookmarks": False},
    "tagged": {"UseTaggedPDF": True},
}


def installed() -> bool:
    return shutil.which(PROGRAM) is not None


def command(sources: list[Path], target: str, directory: Path, profile: Path, *options: str) -> list[str]:
    """The command that converts each source to `directory`, with the suffix of `target`."""
    own = [f"-env:UserInstallation={profile.as_uri()}", "--headless", "--norestore", *options]
    return [PROGRAM, *own, "--convert-to", target, "--outdir", str(directory), *map(str, sources)]


def export(sources: list[Path], kind: str, directory: Path, scratch: Path) -> list[Path]:
    """Creates the PDFs of one of EXPORTS; raises RuntimeError if one is missing or not of that kind."""
    filter_options = {name: {"type": "boolean", "value": str(on).lower()} for name, on in EXPORTS[kind].items()}
    target = f"pdf:writer_pdf_Export:{json.dumps(filter_options)}"
    directory.mkdir(parents=True, exist_ok=True)
    finished = child.run(command(sources, target, directory, scratch / "profile"), scratch, WITHIN)
    made = [directory / f"{source.stem}.pdf" for source in sources]
    for path in made:
        if not path.exists():
            raise RuntimeError(f"LibreOffice did not write {path}: {finished.output.strip()}")
        if (b"/StructTreeRoot" in path.read_bytes()) != (kind == "tagged"):
            raise RuntimeError(f"{path} is not {kind}")
    return made
