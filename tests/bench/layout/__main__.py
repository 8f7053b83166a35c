"""Benchmark of structure extraction from PDF: generates documents with known structure, converts and scores them.

    python tests/bench/layout measure DIRECTORY [--ours COMMAND] [--copies N] [--only TOOL]...
        runs every tool on every document and prints the result table; writes all files and results.json to DIRECTORY
    python tests/bench/layout generate DIRECTORY [--copies N]
        writes only the documents and their ground truth
    python tests/bench/layout score TRUTH.json OUTPUT
        prints the measures of one output (.docx, .html, .md, or .json in the common model, see model.py)
    python tests/bench/layout roundtrip DIRECTORY PROGRAM [DOCUMENT.docx]...
        converts Word documents, or those of the corpus, to PDF, to Word and to PDF, and prints the losses
    python tests/bench/layout memory DIRECTORY PROGRAM
        converts PDFs of up to 5,000 pages, and prints the peak memory
    python tests/bench/layout pictures DIRECTORY PROGRAM
        renders difficult pages next to their conversions

COMMAND is called with a PDF and the path of the .json to write, in the common model or as pages of the layout model.
PROGRAM is `convert-fixture`, with libpdfium.so next to it.
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
    """Returns exit status 1 if a tool is missing or if `measure` counted an output of Octavo as empty."""
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
        return report_error(f"unknown tool: {', '.join(sorted(unknown))}")
    tools = tuple(tool for tool in tools if not arguments.only or tool.name in arguments.only)
    if absent := peers.missing(tools):
        return report_error(f"not installed: {', '.join(absent)}; `make setup-bench` installs them")
    directory = arguments.directory.resolve()
    sources = measure.prepare(CORPUS / "layout-truth", directory / "documents", arguments.copies)
    results = list(measure.measure(tools, sources, directory / "outputs"))
    print(report.table(results))
    for result in results:
        if result.error:
            print(f"{result.tool}, {result.set}/{result.export}/{result.document}: {result.error}")
    report.write(results, versions(), directory / "results.json")
    return any(result.error for result in results if result.tool == "ours")


def versions() -> dict[str, str]:
    found = {name: version(name) for name in LIBRARIES}
    with measure.scratch() as place:
        output = child.run([office.PROGRAM, "--version"], Path(place)).output
    return {**found, "LibreOffice": output.strip()}


def run_generate(arguments: argparse.Namespace) -> int:
    for kind in sets.DESIGNS:
        made = sets.generate(kind, arguments.directory / kind, arguments.copies)
        print(f"{arguments.directory / kind}: {len(made)} documents")
    return 0


def run_score(arguments: argparse.Namespace) -> int:
    result = score(model.load(arguments.truth), readers.read(arguments.output))
    for name in MEASURES:
        print(f"{name:11}{report.formatted(result.value(name))}")
    return 0


def run_roundtrip(arguments: argparse.Namespace) -> int:
    documents = arguments.documents or sorted([*CORPUS.glob("layout-truth/*.docx"), *CORPUS.glob("docx/*.docx")])
    results = list(roundtrip.round_trips(arguments.program, documents, arguments.directory.resolve()))
    print(roundtrip.table(results))
    return 0


def run_memory(arguments: argparse.Namespace) -> int:
    print(memory.table(list(memory.measure(arguments.program, arguments.directory.resolve()))))
    return 0


def run_pictures(arguments: argparse.Namespace) -> int:
    for path in pictures.draw(arguments.program, arguments.directory.resolve()):
        print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


def report_error(text: str) -> int:
    print(text, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
