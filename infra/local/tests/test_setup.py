"""The set-up step takes the source of backports from the machine's own, in either of apt's formats."""

import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[3]
DEB822 = """\
Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main

# The mirror nearby.
Types: deb deb-src
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 bWFkZSB1cA==
 -----END PGP PUBLIC KEY BLOCK-----
"""
DEB822_BACKPORTS = """\
Types: deb
URIs: http://mirror.example/debian
Suites: bookworm-backports
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 bWFkZSB1cA==
 -----END PGP PUBLIC KEY BLOCK-----
"""
ONE_LINE = """\
deb-src http://mirror.example/debian bookworm main
deb http://mirror.example/debian bookworm-updates main
deb [signed-by=/usr/share/keyrings/example.gpg] http://mirror.example/debian bookworm main contrib
"""
ONE_LINE_BACKPORTS = (
    "deb [signed-by=/usr/share/keyrings/example.gpg] http://mirror.example/debian bookworm-backports main\n"
)


class BackportsTest(unittest.TestCase):
    """`backports_source` of infra/setup/packages.sh."""

    def derived(self, name: str, content: str) -> str:
        directory = Path(self.enterContext(TemporaryDirectory()))
        (directory / name).write_text(content, encoding="utf-8")
        script = 'source infra/setup/packages.sh; backports_source "$1" bookworm bookworm-backports'
        command = ["/bin/bash", "-euo", "pipefail", "-c", script, "-", str(directory / name)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    def test_deb822(self):
        self.assertEqual(self.derived("debian.sources", DEB822), DEB822_BACKPORTS)

    def test_a_disabled_entry_is_passed_over(self):
        self.assertEqual(
            self.derived("debian.sources", DEB822.replace("Types: deb d", "Enabled: no\nTypes: deb d")), ""
        )

    def test_one_line(self):
        self.assertEqual(self.derived("sources.list", ONE_LINE), ONE_LINE_BACKPORTS)
