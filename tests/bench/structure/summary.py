"""The results as Markdown tables and as JSON."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import adjacency
from documents import Conversions, MarkdownResult, TableResult
from metrics import LABELS, METRICS, mean

HEADER = (
    *("tool", *LABELS, "false tables", "headings/page"),
    *("ICDAR P", "ICDAR R", "ICDAR F1", "CPU s/page", "failed"),
)


def tools_table(results: list[Conversions]) -> str:
    rows = []
    for result in results:
        figures = summarize(result)
        cells = [formatted(figures[name]) for name in (*METRICS, "precision", "recall", "f1", "cpu")]
        wanted = [item for item in result.odl if not item.true_tables]
        false_tables = f"{figures['falseTables']} of {len(wanted)}" if wanted else ""
        headings = formatted(figures["headings"], 2)
        rows.append([result.tool, *cells[:7], false_tables, headings, *cells[7:], str(figures["failed"])])
    return table([list(HEADER), *rows])


def summarize(result: Conversions) -> dict:
    """Means over documents. ICDAR F1 is that of mean precision and mean recall."""
    precision = mean([item.agreement.precision for item in result.icdar])
    recall = mean([item.agreement.recall for item in result.icdar])
    everything = [*result.odl, *result.icdar]
    return {
        **{metric: mean([getattr(item.scores, metric) for item in result.odl]) for metric in METRICS},
        "falseTables": sum(item.has_false_table for item in result.odl),
        "headings": per_page((item.headings for item in result.odl), result.odl),
        "trueHeadings": per_page((item.true_headings for item in result.odl), result.odl),
        "precision": precision,
        "recall": recall,
        "f1": None if precision is None or recall is None else adjacency.f1(precision, recall),
        "cpu": per_page([result.cpu], everything),
        "failed": len(result.failures()),
    }


def per_page(values: Iterable[float], results: list[MarkdownResult | TableResult]) -> float | None:
    pages = sum(item.pages for item in results)
    return sum(values) / pages if pages else None


def odl_table(results: list[Conversions]) -> str:
    """Octavo and the best other tool on each document of opendataloader-bench."""
    ours, *peers = results
    others = [{item.document: item for item in peer.odl} for peer in peers if peer.odl]
    rows = [["document", *LABELS, "tables", "headings", "best peer", *LABELS]]
    for item in ours.odl:
        names = [peer.tool for peer in peers if peer.odl]
        found = [(other[item.document].scores, name) for other, name in zip(others, names, strict=True)]
        best, name = max(found, key=lambda entry: entry[0].overall or 0, default=(None, ""))
        counts = [f"{item.tables} ({item.true_tables})", f"{item.headings} ({item.true_headings})"]
        peer = [formatted(getattr(best, metric, None)) for metric in METRICS]
        rows.append(
            [item.document, *(formatted(getattr(item.scores, metric)) for metric in METRICS), *counts, name, *peer]
        )
    return table(rows)


def icdar_table(results: list[Conversions]) -> str:
    """F1 of every tool on each document of ICDAR 2013."""
    results = [result for result in results if result.icdar]
    rows = [["document", *(result.tool for result in results)]]
    for items in zip(*(result.icdar for result in results), strict=True):
        figures = [adjacency.f1(item.agreement.precision, item.agreement.recall) for item in items]
        rows.append([items[0].document, *map(formatted, figures)])
    return table(rows)


def write(results: list[Conversions], versions: dict[str, str], output: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    names = ", ".join(f"{name} {number}" for name, number in versions.items())
    counts = f"In parentheses: the number of tables and headings in the ground truth. Versions: {names}."
    parts = ["# Structure", tools_table(results), "## opendataloader-bench", odl_table(results), counts]
    parts += ["## ICDAR 2013, F1", icdar_table(results)] if results[0].icdar else []
    (output / "report.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    content = {
        "versions": versions,
        "tools": {result.tool: summarize(result) for result in results},
        "documents": {result.tool: [document(item) for item in [*result.odl, *result.icdar]] for result in results},
    }
    (output / "results.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def document(item: MarkdownResult | TableResult) -> dict:
    overall = {"overall": item.scores.overall} if isinstance(item, MarkdownResult) else {}
    return {**asdict(item), **overall}


def formatted(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def table(rows: list[list[str]]) -> str:
    header, *rest = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([header, "|---" * len(rows[0]) + "|", *rest])
