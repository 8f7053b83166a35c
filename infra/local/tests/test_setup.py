"""The setup stops at the first failing part, and derives the backports source from the machine's APT sources."""

import shutil
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

# A nearby mirror.
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


FAILING = """\
rust_toolchain() { :; }
system_packages() { :; }
stack_environment() { :; }
tools_environment() { failing; }
peers_packages() { failing; }
failing() {
  false
  touch went-on
}
"""


class FailureTest(unittest.TestCase):
    """`infra/setup.sh` with replaced parts."""

    def test_a_failing_part_stops_the_setup(self):
        for purpose in ("deploy", "bench", "checks"):
            with self.subTest(purpose), TemporaryDirectory() as directory:
                checkout = Path(directory)
                (checkout / "infra/setup").mkdir(parents=True)
                shutil.copy(ROOT / "infra/setup.sh", checkout / "infra")
                for part in ("common", "packages", "python", "node", "cargo"):
                    (checkout / f"infra/setup/{part}.sh").write_text(FAILING, encoding="utf-8")
                done = subprocess.run([checkout / "infra/setup.sh", purpose], capture_output=True, check=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertFalse((checkout / "went-on").exists())

    def test_a_failing_package_query_stops_the_setup(self):
        script = "source infra/setup/packages.sh; missing_packages() { exit 7; }; peers_packages"
        command = ["/bin/bash", "-euo", "pipefail", "-c", script]
        self.assertEqual(subprocess.run(command, cwd=ROOT, check=False).returncode, 7)


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

    def test_a_disabled_entry_is_ignored(self):
        self.assertEqual(
            self.derived("debian.sources", DEB822.replace("Types: deb d", "Enabled: no\nTypes: deb d")), ""
        )

    def test_one_line(self):
        self.assertEqual(self.derived("sources.list", ONE_LINE), ONE_LINE_BACKPORTS)
