"""Differences from plain LibreOffice that are known and wanted."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import ZipFile, is_zipfile

from compare import Difference

SPREADSHEETS = (".ods", ".xls", ".xlsb", ".xlsx")
VOLATILE = re.compile(rb"\b(?:NOW|RAND|RANDBETWEEN|TODAY)\(")


@dataclass(frozen=True)
class Result:
    """A document: whether plain LibreOffice wrote a PDF, Octavo's error or warning codes, and the difference of the two
    PDFs, if both exist."""

    document: Path
    has_plain: bool = True
    error: str = ""
    warnings: frozenset[str] = frozenset()
    difference: Difference = field(default_factory=Difference)

    @property
    def differs(self) -> bool:
        return self.has_plain == bool(self.error) or bool(self.difference)

    @property
    def kind(self) -> str:
        return self.document.suffix.lower()


def is_hostile(result: Result) -> bool:
    return "damaged" in result.error and "hostile" in result.document.parts


def is_csv(result: Result) -> bool:
    return not result.error and result.kind == ".csv"


def has_volatile_formulas(result: Result) -> bool:
    lost = result.difference.lost
    if not lost or any(map(str.isalpha, lost)) or not is_zipfile(result.document):
        return False
    with ZipFile(result.document) as package:
        return any(VOLATILE.search(package.read(name)) for name in package.namelist())


def shows_the_name(result: Result) -> bool:
    found, document = result.difference, result.document
    return set(found.missing) == {document.name} and set(found.added) == {f"document{document.suffix}"}


def uses_other_fonts(result: Result) -> bool:
    found = result.difference
    return bool(found) and not found.lost and (found.fonts or "fonts_replaced" in result.warnings)


def shows_cut_cells(result: Result) -> bool:
    found = result.difference
    return bool(found) and not found.lost and result.kind in SPREADSHEETS


# Each rule with the reason why the difference is wanted. The first that applies explains a document.
RULES: dict[Callable[[Result], bool], str] = {
    is_hostile: "hostile documents are refused",
    is_csv: "CSV: encoding and separator are detected, values stay as written, columns fit the text and the paper",
    has_volatile_formulas: "random numbers and current times in formulas",
    shows_the_name: "fields show a neutral file name",
    uses_other_fonts: "other substitutes of fonts than those of fontconfig",
    shows_cut_cells: "cut cells are shown whole",
}


def explanation(result: Result) -> str:
    """The reason of a difference, empty if none is known."""
    return next((why for applies, why in RULES.items() if applies(result)), "")
