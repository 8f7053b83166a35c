"""Compares Octavo's PDFs of office documents with those of plain LibreOffice on the same machine.

    python tests/bench/fidelity OUTPUT PROGRAM [DIRECTORY]

Converts all office documents below DIRECTORY, by default the corpus (OCTAVO_CORPUS, else ../shared/corpus). PROGRAM is
`convert-fixture`, with libpdfium.so next to it. The PDFs stay in OUTPUT/plain and OUTPUT/octavo.
"""

import argparse
import os
import shutil
import sys
from collections import Counter
from pathlib import Path

import child
import convert
import measure
import office
from compare import Difference, compare
from expected import Result, explanation

CORPUS = Path(os.environ.get("OCTAVO_CORPUS", "../shared/corpus"))
FORMATS = frozenset(("csv", "doc", "docx", "odp", "ods", "odt", "ppt", "pptx", "rtf", "xls", "xlsb", "xlsx"))
WITHIN = 300.0  # seconds
SHOWN_WORDS = 8
HEADINGS = "| document | pages | words missing | words added | pixels | explanation |\n|---|---|---|---|---|---|"
# The default locale of Octavo. Without it, LibreOffice takes paper and number formats from the environment.
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>en-US</value></prop></item></oor:items>
"""


def main() -> int:
    """Prints a row for each difference, and a summary. Returns exit status 1 if a difference is not explained."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("directory", type=Path, nargs="?", default=CORPUS)
    arguments = parser.parse_args()
    root, output, program = (path.resolve() for path in (arguments.directory, arguments.output, arguments.program))
    documents = [path for path in sorted(root.rglob("*")) if path.suffix[1:].lower() in FORMATS and path.is_file()]
    totals: Counter[str] = Counter()
    print(HEADINGS)
    for document in documents:
        name = str(document.relative_to(root))
        result = examine(document, output / "plain" / f"{name}.pdf", output / "octavo" / f"{name}.pdf", str(program))
        if result.differs:
            print(row(name, result), flush=True)
        totals[explanation(result) or "without explanation" if result.differs else "equal"] += 1
    print(f"\n{len(documents)} documents", *(f"{count:4} {why}" for why, count in totals.most_common()), sep="\n")
    return bool(totals["without explanation"])


def examine(document: Path, plain: Path, ours: Path, program: str) -> Result:
    for path in (plain, ours):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
    by_soffice(document, plain)
    try:
        warnings = frozenset(warning["code"] for warning in convert.to(program, document, ours).warnings)
    except RuntimeError as error:
        return Result(document, plain.exists(), str(error).removeprefix(f"{document} to {ours}: ").splitlines()[-1])
    difference = compare(plain, ours) if plain.exists() else Difference()
    return Result(document, plain.exists(), "", warnings, difference)


def by_soffice(document: Path, target: Path) -> None:
    """Converts with a new profile. The target is missing if LibreOffice wrote nothing."""
    with measure.scratch() as place:
        scratch = Path(place)
        settings = scratch / "profile/user/registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        settings.write_text(SETTINGS, encoding="utf-8")
        child.run(office.command([document], "pdf", scratch, scratch / "profile"), scratch, WITHIN)
        if (made := scratch / f"{document.stem}.pdf").exists():
            shutil.move(made, target)


def row(name: str, result: Result) -> str:
    found = result.difference
    if result.error or not result.has_plain:
        cells = [f"{'PDF' if result.has_plain else 'none'} → {result.error or 'PDF'}", "", "", ""]
    else:
        pages = " → ".join(map(str, dict.fromkeys(found.pages)))
        pixels = f"{found.pixels:.2%} of page {found.page}" if found.pixels else ""
        size = f"size of page {found.resized}" if found.resized else ""
        cells = [pages, shown(found.missing), shown(found.added), f"{pixels} {size}".strip()]
    return f"| {' | '.join([name, *cells, explanation(result)])} |"


def shown(words: Counter[str]) -> str:
    some = " ".join(sorted(words)[:SHOWN_WORDS]).replace("|", "\\|")
    return f"{words.total()}: {some}{' …' if len(words) > SHOWN_WORDS else ''}" if words else ""


if __name__ == "__main__":
    sys.exit(main())
