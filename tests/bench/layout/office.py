"""LibreOffice as a program: one run converts any number of files, with a profile of its own."""

import json
import shutil
from pathlib import Path

import child

PROGRAM = "soffice"
WITHIN = 600.0  # seconds
EXPORTS = {
    # Text and lines alone, as a printer's driver writes them.
    "untagged": {"UseTaggedPDF": False, "ExportBookmarks": False},
    "tagged": {"UseTaggedPDF": True},
}


def installed() -> bool:
    return shutil.which(PROGRAM) is not None


def command(sources: list[Path], target: str, directory: Path, profile: Path, *options: str) -> list[str]:
    """Converts each source to `directory`, under its own name with the ending of `target`."""
    own = [f"-env:UserInstallation={profile.as_uri()}", "--headless", "--norestore", *options]
    return [PROGRAM, *own, "--convert-to", target, "--outdir", str(directory), *map(str, sources)]


def export(sources: list[Path], kind: str, directory: Path, scratch: Path) -> list[Path]:
    """Makes the PDFs of one of EXPORTS; RuntimeError if one is not made, or is not of that kind."""
    filter_options = {name: {"type": "boolean", "value": str(on).lower()} for name, on in EXPORTS[kind].items()}
    target = f"pdf:writer_pdf_Export:{json.dumps(filter_options)}"
    directory.mkdir(parents=True, exist_ok=True)
    ended = child.run(command(sources, target, directory, scratch / "profile"), scratch, WITHIN)
    made = [directory / f"{source.stem}.pdf" for source in sources]
    for path in made:
        if not path.exists():
            raise RuntimeError(f"LibreOffice made no {path}: {ended.said.strip()}")
        if (b"/StructTreeRoot" in path.read_bytes()) != (kind == "tagged"):
            raise RuntimeError(f"{path} is not {kind}")
    return made
