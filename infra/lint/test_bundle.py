"""The zip files of `sam build`: a target for each zip function, the right files, and only binaries that run on Lambda.

Run by `python -m unittest discover infra/lint` in the root of the checkout; needs make, gcc and readelf.
"""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from test_house_rules import merged

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = ROOT / "infra/bundle/Makefile"
GLIBC = ROOT / "infra/lint/glibc.sh"
FACES = ROOT / "shared/pdf/src/text_drawing/faces.rs"

# arc4random requires glibc 2.36, newer than the 2.34 of Lambda's runtime.
TOO_NEW = "extern unsigned arc4random(void); int main(void) { return (int)arc4random(); }"
OLD_ENOUGH = "int main(void) { return 0; }"


def zip_functions() -> dict[str, dict[str, Any]]:
    """The functions of the template that are deployed as zip files."""
    return {
        name: resource["Properties"]
        for name, resource in merged().items()
        if resource["Type"] == "AWS::Serverless::Function" and resource["Properties"].get("PackageType") != "Image"
    }


def crate(name: str) -> str:
    """The crate and binary of a function: `EnginePdfFunction` -> `engine-pdf`; all coordinators are `process`."""
    kebab = re.sub(r"(?<!^)(?=[A-Z])", "-", name.removesuffix("Function")).lower()
    return "process" if kebab.startswith("process-") else kebab


class Scratch(unittest.TestCase):
    """A test with a temporary directory."""

    def setUp(self) -> None:
        self.directory = Path(self.enterContext(TemporaryDirectory()))

    def compile(self, source: str, name: str) -> Path:
        """Compiles a C program."""
        program = self.directory / name
        program.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["gcc", "-x", "c", "-o", str(program), "-"], input=source, text=True, check=True)  # noqa: S607
        return program


class Bundle(Scratch):
    """The makefile used by `sam build`."""

    def make(self, function: str, **variables: str) -> subprocess.CompletedProcess[str]:
        artifacts = self.directory / "artifacts"
        shutil.rmtree(artifacts, ignore_errors=True)
        artifacts.mkdir()
        environment = os.environ | {
            "ARTIFACTS_DIR": str(artifacts),
            "CARGO_TARGET_DIR": str(self.directory / "target"),
            "PDFIUM": str(self.directory / "pdfium/libpdfium.so"),
            "FONTS": str(self.directory / "installed"),
            **variables,
        }
        command = ["make", "--makefile", str(MAKEFILE), f"build-{function}"]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    def packed(self) -> dict[str, bytes]:
        artifacts = self.directory / "artifacts"
        files = (path for path in artifacts.rglob("*") if path.is_file())
        return {str(path.relative_to(artifacts)): path.read_bytes() for path in files}

    def install_fonts(self) -> dict[str, bytes]:
        """Creates every font that the engine lists, each in its own directory, and one other font."""
        listed = re.findall(r'^ +"(.+\.tt[cf])",$', FACES.read_text(), re.MULTILINE)
        self.assertGreater(len(listed), 30)
        for name in [*listed, "Other-Regular.ttf"]:
            path = self.directory / "installed" / name.split("-")[0] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
        return {f"fonts/{name}": name.encode() for name in listed}

    def test_each_zip_contains_the_functions_binary_and_its_libraries(self) -> None:
        library = self.compile(OLD_ENOUGH, "pdfium/libpdfium.so").read_bytes()
        listed = self.install_fonts()
        for function in zip_functions():
            with self.subTest(function=function):
                name = crate(function)
                binary = self.compile(f'char *name = "{name}"; {OLD_ENOUGH}', f"target/debug/{name}").read_bytes()
                result = self.make(function)
                self.assertEqual(result.returncode, 0, result.stderr)
                pdfium = {"libpdfium.so": library} if name == "engine-pdf" else {}
                fonts = listed if name == "engine-pdf" else {}
                self.assertEqual(self.packed(), {"bootstrap": binary} | pdfium | fonts)
                mode = (self.directory / "artifacts/bootstrap").stat().st_mode & 0o777
                self.assertEqual(mode, 0o711 if name == "engine-pdf" else 0o755)

    def test_a_missing_font_is_reported(self) -> None:
        self.compile(OLD_ENOUGH, "pdfium/libpdfium.so")
        self.compile(OLD_ENOUGH, "target/debug/engine-pdf")
        self.install_fonts()
        (self.directory / "installed/NotoSansThai/NotoSansThai-Regular.ttf").unlink()
        result = self.make("EnginePdfFunction")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("NotoSansThai-Regular.ttf is missing: run infra/setup.sh first", result.stderr)

    def test_a_missing_binary_is_reported(self) -> None:
        result = self.make("JobsFunction")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("target/debug/jobs is missing: build it with cargo first", result.stderr)
        self.assertEqual(self.packed(), {})

    def test_a_missing_library_is_reported(self) -> None:
        self.compile(OLD_ENOUGH, "target/debug/engine-pdf")
        result = self.make("EnginePdfFunction")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("libpdfium.so is missing: run infra/setup.sh first", result.stderr)

    def test_binaries_with_a_newer_glibc_than_lambdas_are_rejected(self) -> None:
        self.compile(TOO_NEW, "target/ship/jobs")
        result = self.make("JobsFunction", PROFILE="ship")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("needs glibc 2.36", result.stderr)
        self.assertEqual(self.packed(), {})

    def test_large_binaries_are_rejected_except_for_engine_functions(self) -> None:
        self.compile(OLD_ENOUGH, "pdfium/libpdfium.so")
        self.install_fonts()
        for name, function, status in [("jobs", "JobsFunction", 2), ("engine-pdf", "EnginePdfFunction", 0)]:
            with self.subTest(function=function):
                binary = self.compile(OLD_ENOUGH, f"target/ship/{name}")
                binary.write_bytes(binary.read_bytes() + os.urandom(8_000_000))
                result = self.make(function, PROFILE="ship")
                self.assertEqual(result.returncode, status, result.stderr)


class Glibc(Scratch):
    """The check of the glibc version required by a binary."""

    def check(self, *files: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(GLIBC), *map(str, files)], capture_output=True, text=True, check=False)

    def test_a_binary_within_the_limit_passes(self) -> None:
        result = self.check(self.compile(OLD_ENOUGH, "old"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_binary_that_requires_a_newer_glibc_is_reported(self) -> None:
        result = self.check(self.compile(OLD_ENOUGH, "old"), self.compile(TOO_NEW, "new"))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\A\S+/new: needs glibc 2\.36, but provided\.al2023 has 2\.34: [^\n]+\n\Z")

    def test_a_file_that_is_not_elf_is_rejected(self) -> None:
        text = self.directory / "text"
        text.write_text("#!/bin/sh\n")
        result = self.check(text)
        self.assertEqual((result.returncode, result.stderr), (2, f"{text}: not an ELF file\n"))

    def test_no_arguments_are_an_error(self) -> None:
        self.assertEqual(self.check().returncode, 2)


if __name__ == "__main__":
    unittest.main()
