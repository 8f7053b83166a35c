"""The images contain the same engines and fonts as the setup installs for the tests.

Run by `python -m unittest discover infra/lint` in the root of the checkout.
"""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "infra/images/Dockerfile").read_text()
ENGINES = ("LIBREOFFICE", "TESSERACT", "BROWSER", "LIBHEIF", "GHOSTSCRIPT")

# A separate package on older systems; trixie's fonts-liberation is version 2.
OF_OLDER_SYSTEMS = {"fonts-liberation2"}
# Needed in images for TLS and the font cache; on other systems they are dependencies of other packages.
OF_IMAGES = {"ca-certificates", "fontconfig"}


def setup_packages(array: str) -> set[str]:
    """The packages in an array of infra/setup/packages.sh."""
    script = f'source infra/setup/packages.sh && printf "%s\\n" "${{{array}[@]}}"'
    done = subprocess.run(["/bin/bash", "-euc", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def argument(name: str) -> set[str]:
    """The packages in an ARG of the Dockerfile."""
    return set(re.search(rf'^ARG {name}="([^"]*)"', DOCKERFILE, re.MULTILINE)[1].replace("\\", " ").split())


def stages() -> dict[str, str]:
    """Name -> text of each stage of the Dockerfile."""
    parts = re.split(r"^FROM \S+ AS (\S+)$", DOCKERFILE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


class Packages(unittest.TestCase):
    """Compares the Dockerfile with the setup."""

    def test_the_engines_are_the_same(self) -> None:
        for engine in ENGINES:
            with self.subTest(engine=engine):
                self.assertEqual(argument(engine), setup_packages(engine))

    def test_the_fonts_are_the_same(self) -> None:
        listed = re.findall(r"^ {6}(\S+) \\$", stages()["engine"], re.MULTILINE)
        self.assertEqual(set(listed) - OF_IMAGES, setup_packages("FONTS") - OF_OLDER_SYSTEMS)

    def test_each_image_installs_what_it_declares(self) -> None:
        installed = {name: set(re.findall(r"\$([A-Z]+)", text)) for name, text in stages().items()}
        declared = {name: set(re.findall(r"^ARG ([A-Z]+)$", text, re.MULTILINE)) for name, text in stages().items()}
        images = {name for name in installed if name.startswith("engine-")}
        self.assertEqual({name: installed[name] for name in images}, {name: declared[name] for name in images})
        self.assertEqual(set.union(*(installed[name] for name in images)), set(ENGINES))

    def test_every_image_of_the_template_is_a_stage_with_its_own_bootstrap(self) -> None:
        template = (ROOT / "template.yaml").read_text()
        targets = re.findall(r"DockerBuildTarget: ([a-z-]+)", template)
        self.assertEqual(set(targets), {name for name in stages() if name.startswith("engine-")})
        for target in targets:
            self.assertIn(f"COPY --from=build /src/target/ship/{target} ./bootstrap\n", stages()[target])
            self.assertIn(f"--package {target}", stages()["build"])
            self.assertRegex(stages()["build"], rf"chmod 711 .*target/ship/{target}\b")


if __name__ == "__main__":
    unittest.main()
