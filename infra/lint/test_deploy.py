"""infra/deploy.sh with stubs for cargo, docker and SAM: the commands it runs, their order, and its error messages.

Run by `python -m unittest discover infra/lint` in the root of the checkout.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from test_bundle import crate, zip_functions

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "infra"))

import tenant_isolation  # noqa: E402

RECORDER = """#!/bin/sh
printf '%s PROFILE=%s\\n' "$(basename "$0") $*" "$PROFILE" >> "$CALLS"
"""

# Python of the local stack, which chooses the isolation and describes the stack.
PYTHON = (
    RECORDER
    + """case "$1" in *tenant_isolation.py)
  echo 'TenantIsolation=true: the reason' >&2
  echo true ;;
esac
"""
)


def executable(path: Path, text: str) -> None:
    """Writes an executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class Deploy(unittest.TestCase):
    """The script in a copy of the checkout with only the files that it reads."""

    def setUp(self) -> None:
        self.checkout = Path(self.enterContext(TemporaryDirectory()))
        self.stubs = self.checkout / "stubs"
        (self.checkout / "infra").mkdir()
        shutil.copy(ROOT / "infra/deploy.sh", self.checkout / "infra/deploy.sh")
        shutil.copy(ROOT / "samconfig.toml", self.checkout / "samconfig.toml")
        for name in ("cargo", "docker"):
            executable(self.stubs / name, RECORDER)
        executable(self.stubs / "uname", "#!/bin/sh\necho x86_64\n")
        executable(self.checkout / ".octavo/venv/tools/bin/sam", RECORDER)
        executable(self.checkout / ".octavo/venv/tools/bin/python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        executable(self.checkout / ".octavo/venv/stack/bin/python", PYTHON)

    def run_script(self, *arguments: str) -> tuple[int, str, list[str]]:
        """Runs the script; returns exit status, messages and recorded calls."""
        calls = self.checkout / "calls"
        calls.write_text("")
        environment = {"PATH": f"{self.stubs}:{os.environ['PATH']}", "CALLS": str(calls), "HOME": str(self.checkout)}
        command = [str(self.checkout / "infra/deploy.sh"), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr, calls.read_text().splitlines()

    def assert_rejected(self, message: str, *arguments: str) -> None:
        status, messages, calls = self.run_script(*arguments)
        self.assertEqual((status, messages), (1, f"deploy: {message}\n"))
        self.assertEqual([call for call in calls if not call.startswith("docker")], [])

    def test_it_builds_packs_deploys_and_describes(self) -> None:
        status, messages, calls = self.run_script("dev", "--no-execute-changeset")
        self.assertEqual((status, messages), (0, "TenantIsolation=true: the reason\n"))
        docker, cargo, build, isolation, deploy, describe = calls
        self.assertEqual(docker, "docker info PROFILE=")
        self.assertRegex(cargo, r"^cargo build --locked --profile ship (--package=[a-z-]+ )+PROFILE=$")
        self.assertEqual(build, "sam build PROFILE=ship")
        self.assertEqual(isolation, "python infra/tenant_isolation.py PROFILE=")
        self.assertEqual(
            deploy,
            "sam deploy --config-env dev --parameter-overrides Stage=dev LogLevel=DEBUG TenantIsolation=true"
            " --no-execute-changeset PROFILE=",
        )
        self.assertEqual(
            describe,
            "python infra/describe_stack.py --stack octavo-dev --admin target/ship/octavo-admin"
            " --output .octavo/aws-dev.json PROFILE=",
        )

    def test_it_builds_every_zip_function_and_octavo_admin(self) -> None:
        _, _, calls = self.run_script("dev")
        built = set(re.findall(r"--package=(\S+)", calls[1]))
        self.assertEqual(built, {crate(name) for name in zip_functions()} | {"octavo-admin"})

    def test_the_isolation_of_the_stages_table_is_kept(self) -> None:
        settings = self.checkout / "samconfig.toml"
        settings.write_text(settings.read_text().replace('"Stage=dev"', '"Stage=dev", "TenantIsolation=false"'))
        _, messages, calls = self.run_script("dev")
        self.assertEqual((messages, calls[3]), ("", "sam deploy --config-env dev PROFILE="))

    def test_parameters_given_as_options_are_kept(self) -> None:
        _, _, calls = self.run_script("dev", "--parameter-overrides", "Stage=dev")
        self.assertEqual(calls[3], "sam deploy --config-env dev --parameter-overrides Stage=dev PROFILE=")

    def test_without_the_quota_nothing_is_deployed(self) -> None:
        executable(self.checkout / ".octavo/venv/stack/bin/python", "#!/bin/sh\nexit 1\n")
        status, _, calls = self.run_script("dev")
        self.assertEqual((status, len(calls)), (1, 3))

    def test_it_stops_at_the_first_failure(self) -> None:
        executable(self.stubs / "cargo", "#!/bin/sh\nexit 101\n")
        status, _, calls = self.run_script("dev")
        self.assertEqual((status, calls), (101, ["docker info PROFILE="]))

    def test_a_stage_is_required(self) -> None:
        self.assert_rejected("usage: infra/deploy.sh STAGE [OPTION...]")

    def test_the_local_stage_is_not_deployed(self) -> None:
        self.assert_rejected("the stage 'local' is reserved for the local stack: run make serve", "local")

    def test_a_stage_without_settings_is_rejected(self) -> None:
        self.assert_rejected(
            "samconfig.toml has no table [staging.deploy.parameters]: copy that of dev",
            "staging",
        )

    def test_an_architecture_other_than_the_machines_is_rejected(self) -> None:
        executable(self.stubs / "uname", "#!/bin/sh\necho aarch64\n")
        self.assert_rejected("the stage dev runs on x86_64, but this machine builds for arm64", "dev")

    def test_the_architecture_is_read_from_the_stages_table(self) -> None:
        settings = self.checkout / "samconfig.toml"
        settings.write_text(settings.read_text().replace('"Stage=dev"', '"Stage=dev", "Architecture=arm64"'))
        self.assert_rejected("the stage dev runs on arm64, but this machine builds for x86_64", "dev")

    def test_without_docker_nothing_is_built(self) -> None:
        executable(self.stubs / "docker", "#!/bin/sh\nexit 1\n")
        self.assert_rejected("Docker is not running: start it to build the images of the engine functions", "dev")

    def test_without_the_setup_nothing_is_built(self) -> None:
        (self.checkout / ".octavo/venv/tools/bin/sam").unlink()
        self.assert_rejected("the SAM CLI is missing: run infra/setup.sh", "dev")


class Isolation(unittest.TestCase):
    """The choice of TenantIsolation by the account's quota."""

    def test_a_quota_of_a_thousand_isolates(self) -> None:
        isolated, reason = tenant_isolation.choose(1_000)
        self.assertTrue(isolated)
        self.assertIn("the quota of 1000 concurrent executions allows 2500 isolated environments", reason)
        self.assertIn("Lambda charges for each new environment", reason)

    def test_a_smaller_quota_does_not(self) -> None:
        isolated, reason = tenant_isolation.choose(10)
        self.assertFalse(isolated)
        self.assertIn("allows 25 isolated environments", reason)


if __name__ == "__main__":
    unittest.main()
