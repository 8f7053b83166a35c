"""The tools that are compared with, each a program that turns a PDF into a file that a reader is for."""

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
    """A tool, the ending of what it writes, whether it is here, and its command for (source, target)."""

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
    """A command of our own that takes a PDF and the name of the file of the common form to write."""
    line = shlex.split(command)
    return Peer("ours", ".json", lambda: True, lambda source, target: [*line, str(source), str(target)])


def missing(peers: tuple[Peer, ...]) -> list[str]:
    return [peer.name for peer in peers if not peer.here()]
