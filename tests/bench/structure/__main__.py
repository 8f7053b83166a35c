"""Benchmark of structure on real documents with public ground truth.

    python tests/bench/structure BENCHMARKS OUTPUT PROGRAM [--only TOOL]...

BENCHMARKS contains `odl` and `icdar2013`, see README.md. PROGRAM is `convert-fixture`, with libpdfium.so next to it.
Prints the table of the tools, and writes report.md, results.json and worst.html to OUTPUT.
"""

import argparse
import sys
from pathlib import Path

import gallery
import summary
import tools
from documents import convert_all, find_icdar, find_odl


def main() -> int:
    """Returns exit status 1 if documents or tools are missing, or if Octavo failed on a document."""
    arguments = parse()
    odl, icdar = find_odl(arguments.benchmarks / "odl"), find_icdar(arguments.benchmarks / "icdar2013")
    if not odl and not icdar:
        return fail(f"{arguments.benchmarks} has no documents in odl or icdar2013: see tests/bench/structure/README.md")
    chosen = [tool for tool in tools.PEERS if not arguments.only or tool.name in arguments.only]
    if absent := [tool.name for tool in chosen if not tool.version]:
        return fail(f"not installed: {', '.join(absent)}; `make setup-bench` installs them")
    program = str(arguments.program.resolve())
    ours = tools.ours(program)
    output = arguments.output.resolve()
    results = [convert_all(tool, odl, icdar, output / "outputs") for tool in (ours, *chosen)]
    print(summary.tools_table(results))
    summary.write(results, {tool.name: tool.version for tool in chosen}, output)
    gallery.write(results[0], odl, output / "outputs" / ours.name / "odl", program, output)
    failures = [f"{result.tool}: {error}" for result in results for error in result.failures()]
    print("\n".join([*failures, f"{output / 'report.md'}, {output / 'results.json'}, {output / 'worst.html'}"]))
    return bool(results[0].failures())


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--only", action="append", default=[], choices=[tool.name for tool in tools.PEERS])
    return parser.parse_args()


def fail(text: str) -> int:
    print(text, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
