"""Peers: tools that convert a PDF to a file for which a reader exists."""

import importlib.util
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import office

CONVERT = Path(__file__).parent / "convert.py"
Command = Callable[[Path, Path], list[str]]


@dataclass(frozen=True)
class Peer:
    """A tool, the suffix of its output, whether it is installed, and its command for (source, target)."""

    name: str
    ending: str
    here: Callable[[], bool]
    command: Command


def library(name: str, module: str, ending: str) -> Peer:
    """A Python library, run by `convert.py`."""
    return Peer(
        name,
        ending,
        lambda: importlib.util.find_spec(module) is not None,
        lambda source, target: [sys.executable, str(CONVERT), module, str(source), str(target)],
    )


def imported(source: Path, target: Path) -> list[str]:
    profile = target.parent / "profile"
    return office.command([source], "docx", target.parent, profile, "--infilter=writer_pdf_import")


PEERS = (
    library("pdf2docx", "pdf2docx", ".docx"),
    library("pdf_oxide", "pdf_oxide", ".md"),
    library("pdfplumber", "pdfplumber", ".json"),
    library("pymupdf4llm", "pymupdf4llm", ".md"),
    Peer("LibreOffice", ".docx", office.installed, imported),
)


def ours(command: str) -> Peer:
    """Octavo's own command, called with a PDF and the path of the output in the common model."""
    line = shlex.split(command)
    return Peer("ours", ".json", lambda: True, lambda source, target: [*line, str(source), str(target)])


def missing(peers: tuple[Peer, ...]) -> list[str]:
    return [peer.name for peer in peers if not peer.here()]
