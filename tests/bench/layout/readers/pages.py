"""Parses pages of the layout model, as written by `layout-fixture` and conversions to JSON.

Blocks that continue across pages are joined, as in the writers of flowing formats.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from model import Block, Document, Footnote, Heading, Image, Item, Paragraph, Table, table

Entry = dict[str, Any]


def from_pages(pages: list[Entry]) -> Document:
    """The document of these pages; raises KeyError for any other format."""
    body = joined([block for page in pages for block in page["blocks"]])
    return Document(
        [block for entry in body for block in read_block(entry)],
        [target for entry in body for target in links(entry)],
        page_margin(pages, "header"),
        page_margin(pages, "footer"),
    )


def joined(blocks: list[Entry]) -> list[Entry]:
    """The blocks, with continuations joined to the block that they continue, even across footnotes."""
    result: list[Entry] = []
    for entry in blocks:
        before = next((known for known in reversed(result) if known["type"] not in ("footnote", "rule")), None)
        if entry.get("continues") and before and before["type"] == entry["type"]:
            result[place(result, before)] = extended(before, entry)
        else:
            result.append(entry)
    return result


def place(entries: list[Entry], wanted: Entry) -> int:
    return next(at for at, entry in enumerate(entries) if entry is wanted)


def extended(before: Entry, rest: Entry) -> Entry:
    if before["type"] == "paragraph":
        ends = [run.get("link") for run in (before["runs"][-1], rest["runs"][0])]
        space = {"text": " ", "link": ends[0] if ends[0] == ends[1] else None}
        return {**before, "runs": [*before["runs"], space, *rest["runs"]]}
    repeated = rest["headerRows"] if same_header(before, rest) else 0
    moved = [
        {**cell, "row": cell["row"] - repeated + before["rows"]} for cell in rest["cells"] if cell["row"] >= repeated
    ]
    return {**before, "rows": before["rows"] + rest["rows"] - repeated, "cells": [*before["cells"], *moved]}


def same_header(before: Entry, rest: Entry) -> bool:
    count = rest["headerRows"]
    return count > 0 and head(before, count) == head(rest, count)


def head(entry: Entry, count: int) -> list[tuple[int, int, str]]:
    return [(cell["row"], cell["column"], text_of(cell["blocks"])) for cell in entry["cells"] if cell["row"] < count]


def read_block(entry: Entry) -> Iterator[Block]:
    match entry["type"]:
        case "heading":
            yield Heading(entry["level"], text(entry["runs"]))
        case "paragraph":
            yield Paragraph(text(entry["runs"]))
        case "list":
            yield from (Item(item["level"], text(item["runs"])) for item in entry["items"])
        case "table":
            yield read_table(entry)
            yield from (block for cell in entry["cells"] for block in images(cell["blocks"]))
        case "image":
            yield Image()
        case "footnote":
            yield Footnote(text(entry["runs"]))


def read_table(entry: Entry) -> Table:
    rows = [[""] * len(entry["widths"]) for _ in range(entry["rows"])]
    merges = []
    for cell in entry["cells"]:
        top, left = cell["row"], cell["column"]
        rows[top][left] = text_of(cell["blocks"])
        merges.append([top, left, top + cell["rowSpan"] - 1, left + cell["columnSpan"] - 1])
    return table(rows, merges)


def images(blocks: Iterable[Entry]) -> Iterator[Block]:
    return (Image() for block in blocks if block["type"] == "image")


def text(runs: Iterable[Entry]) -> str:
    return "".join(run["text"] for run in runs)


def text_of(blocks: Iterable[Entry]) -> str:
    """The text of blocks, without list markers."""
    return " ".join(part for block in blocks for part in parts(block))


def parts(block: Entry) -> Iterator[str]:
    if "runs" in block:
        yield text(block["runs"])
    yield from (text(item["runs"]) for item in block.get("items", ()))
    yield from (text_of(cell["blocks"]) for cell in block.get("cells", ()))


def links(block: Entry) -> Iterator[str]:
    """Link targets, once for adjacent runs with the same target; footnote references do not count."""
    for runs in [block.get("runs", ()), *(item["runs"] for item in block.get("items", ()))]:
        targets = [None if run.get("link") == "#note" else run.get("link") for run in runs]
        yield from (now for now, before in zip(targets, [None, *targets], strict=False) if now and now != before)
    for cell in block.get("cells", ()):
        for inner in cell["blocks"]:
            yield from links(inner)


def page_margin(pages: list[Entry], name: str) -> str:
    """The header or footer of the last page that has one, with `{PAGE}` for the page number."""
    found = [(page["number"], text_of(page[name])) for page in pages if page.get(name)]
    if not found:
        return ""
    number, written = found[-1]
    return re.sub(rf"\b{number}\b", "{PAGE}", written)
