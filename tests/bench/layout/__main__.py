"""How well converters keep the structure of PDFs: makes documents whose structure is known, converts and scores them.

    python tests/bench/layout measure DIRECTORY [--ours COMMAND] [--copies N] [--only TOOL]...
        runs every tool on every document and prints the table; documents, outputs and results.json go to DIRECTORY
    python tests/bench/layout generate DIRECTORY [--copies N]
        only writes the documents and their truth
    python tests/bench/layout score TRUTH.json OUTPUT
        prints the measures of one output (.docx, .html, .md, or .json of the common form, see model.py)
    python tests/bench/layout roundtrip DIRECTORY PROGRAM [DOCUMENT.docx]...
        takes Word documents, or all of the corpus, to PDF, to Word and to PDF, and prints what is lost
    python tests/bench/layout memory DIRECTORY PROGRAM
        converts PDF of up to 5,000 pages, and prints how much memory that takes
    python tests/bench/layout pictures DIRECTORY PROGRAM
        draws hard pages beside what becomes of them

COMMAND is run with a PDF and the name of the .json to write, of the common form or pages of the model. PROGRAM is our
`convert-fixture`, with the library of PDF beside it.
The corpus is OCTAVO_CORPUS, else ../shared/corpus.
"""

import argparse
import os
import sys
from importlib.metadata import version
from pathlib import Path

import child
import measure
import memory
import model
import office
import peers
import pictures
import readers
import report
import roundtrip
from score import MEASURES, score
from truth import sets

CORPUS = Path(os.environ.get("OCTAVO_CORPUS", "../shared/corpus")).resolve()
LIBRARIES = ("pdf2docx", "PyMuPDF", "pdf_oxide", "pdfplumber", "pymupdf4llm")


def main() -> int:
    """Exit status 1 if a tool is missing, or if `measure` had to count an output of ours as empty."""
    arguments = parse()
    return arguments.run(arguments)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="measure | generate | score | …")
    command = commands.add_parser("measure")
    command.add_argument("directory", type=Path)
    command.add_argument("--ours", default="")
    command.add_argument("--only", action="append", default=[])
    command.add_argument("--copies", type=int, default=1)
    command.set_defaults(run=run_measure)
    command = commands.add_parser("generate")
    command.add_argument("directory", type=Path)
    command.add_argument("--copies", type=int, default=1)
    command.set_defaults(run=run_generate)
    command = commands.add_parser("score")
    command.add_argument("truth", type=Path)
    command.add_argument("output", type=Path)
    command.set_defaults(run=run_score)
    for name, run in (("roundtrip", run_roundtrip), ("memory", run_memory), ("pictures", run_pictures)):
        command = commands.add_parser(name)
        command.add_argument("directory", type=Path)
        command.add_argument("program", type=lambda path: str(Path(path).resolve()))
        command.set_defaults(run=run)
        if name == "roundtrip":
            command.add_argument("documents", type=Path, nargs="*")
    return parser.parse_args()


def run_measure(arguments: argparse.Namespace) -> int:
    tools = peers.PEERS + ((peers.ours(arguments.ours),) if arguments.ours else ())
    if unknown := set(arguments.only) - {tool.name for tool in tools}:
        return complain(f"no such tool: {', '.join(sorted(unknown))}")
    tools = tuple(tool for tool in tools if not arguments.only or tool.name in arguments.only)
    if absent := peers.missing(tools):
        return complain(f"not installed: {', '.join(absent)}; `make setup-bench` installs them")
    directory = arguments.directory.resolve()
    sources = measure.prepare(CORPUS / "layout-truth", directory / "documents", arguments.copies)
    results = list(measure.measure(tools, sources, directory / "outputs"))
    print(report.table(results))
    for result in results:
        if result.trouble:
            print(f"{result.tool}, {result.set}/{result.export}/{result.document}: {result.trouble}")
    report.write(results, versions(), directory / "results.json")
    return any(result.trouble for result in results if result.tool == "ours")


def versions() -> dict[str, str]:
    found = {name: version(name) for name in LIBRARIES}
    with measure.scratch() as place:
        said = child.run([office.PROGRAM, "--version"], Path(place)).said
    return {**found, "LibreOffice": said.strip()}


def run_generate(arguments: argparse.Namespace) -> int:
    for kind in sets.DESIGNS:
        made = sets.generate(kind, arguments.directory / kind, arguments.copies)
        print(f"{arguments.directory / kind}: {len(made)} documents")
    return 0


def run_score(arguments: argparse.Namespace) -> int:
    result = score(model.load(arguments.truth), readers.read(arguments.output))
    for name in MEASURES:
        print(f"{name:11}{report.shown(result.value(name))}")
    return 0


def run_roundtrip(arguments: argparse.Namespace) -> int:
    documents = arguments.documents or sorted([*CORPUS.glob("layout-truth/*.docx"), *CORPUS.glob("docx/*.docx")])
    made = list(roundtrip.trips(arguments.program, documents, arguments.directory.resolve()))
    print(roundtrip.table(made))
    return 0


def run_memory(arguments: argparse.Namespace) -> int:
    print(memory.table(list(memory.measure(arguments.program, arguments.directory.resolve()))))
    return 0


def run_pictures(arguments: argparse.Namespace) -> int:
    for path in pictures.draw(arguments.program, arguments.directory.resolve()):
        print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


def complain(text: str) -> int:
    print(text, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
