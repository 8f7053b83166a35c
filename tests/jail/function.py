"""A function of the template in the jail, with its environment variables and the runtime API."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import template as sam
from runtime_api import REGION, RuntimeApi
from store import Store

ROOT = Path(__file__).resolve().parents[2]
PDFIUM = ROOT / ".octavo/lib/libpdfium.so"
START_TIMEOUT = 120  # seconds
STOP_TIMEOUT = 20  # seconds
ACCOUNT = "123456789012"
# Errors of reading files of a process that has ended.
ENDED = (FileNotFoundError, ProcessLookupError)

TEMPLATE = sam.load(ROOT / "template.yaml")


@dataclass(frozen=True)
class Declared:
    """A function as the template declares it."""

    logical_id: str
    binary: str
    properties: dict

    @property
    def name(self) -> str:
        return sam.kebab(self.logical_id.removesuffix("Function"))

    @property
    def memory(self) -> int:
        return self.properties.get("MemorySize") or self.globals["MemorySize"]

    @property
    def temporary(self) -> int:
        """Size of /tmp in MiB."""
        return self.properties.get("EphemeralStorage", {}).get("Size", 512)

    @property
    def timeout(self) -> int:
        return self.properties.get("Timeout") or self.globals["Timeout"]

    @property
    def globals(self) -> dict:
        return TEMPLATE["Globals"]["Function"]

    def variables(self) -> dict[str, str]:
        """The environment variables, with values as after a deployment."""
        both = [place.get("Environment", {}).get("Variables", {}) for place in (self.globals, self.properties)]
        return {name: value_of(expression) for name, expression in (both[0] | both[1]).items()}


def declared() -> list[Declared]:
    """Every function of the template."""
    crates = sam.crates(TEMPLATE)
    return [Declared(name, crates[name], properties) for name, properties in sam.functions(TEMPLATE).items()]


def find(name: str) -> Declared:
    return next(function for function in declared() if function.name == name)


def binaries() -> Path:
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    return target.resolve() / os.environ.get("OCTAVO_PROFILE", "debug")


def value_of(expression: object) -> str:
    """A value for an expression of the template: defaults of parameters, invented names of resources."""
    match expression:
        case {"Ref": name}:
            value = reference(name)
        case {"Fn::GetAtt": [name, *_]}:
            value = f"arn:aws:service:{REGION}:{ACCOUNT}:{sam.kebab(name)}"
        case {"Fn::Sub": str(text)}:
            value = re.sub(r"\$\{([^}]+)\}", lambda found: reference(found[1]), text)
        case str() | int():
            value = str(expression)
        case _:
            raise ValueError(f"the jail has no value for {expression}")
    return value


def reference(name: str) -> str:
    """The value of `!Ref`."""
    pseudo = {"AWS::Region": REGION, "AWS::AccountId": ACCOUNT, "AWS::URLSuffix": "amazonaws.com"}
    if name in pseudo:
        return pseudo[name]
    if name in TEMPLATE["Parameters"]:
        return str(TEMPLATE["Parameters"][name].get("Default", ""))
    if TEMPLATE["Resources"].get(name, {}).get("Type") == "AWS::SQS::Queue":
        return f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/{sam.kebab(name)}"
    return sam.kebab(name)


class Function:
    """A started function. Ends with its processes when the context is left."""

    def __init__(self, function: Declared, store: Store, restarts: int = 0, variables: dict[str, str] | None = None):
        bootstrap = binaries() / function.binary
        if not bootstrap.is_file():
            raise AssertionError(f"{bootstrap} is missing: run `make build`")
        self.function = function
        self.api = RuntimeApi(function.name)
        self.directory = tempfile.TemporaryDirectory(prefix="octavo-jail-")
        self.log = Path(self.directory.name, "log")
        environment = lambda_variables(function, self.api) | function.variables()
        # The engines do not use it. Other functions find the store's secret there.
        environment |= {"AWS_ENDPOINT_URL": store.url} | (variables or {})
        files = [[str(bootstrap), "bootstrap", 0o755]]
        if function.name.startswith("engine-"):
            # Execute-only, as deployed, for everybody: in a user namespace, the user of the jail owns the file.
            files = [[str(bootstrap), "bootstrap", 0o111], [str(PDFIUM), "libpdfium.so", 0o755]]
        specification = {
            "command": ["/var/task/bootstrap"],
            "environment": environment,
            "files": files,
            "visible": [],
            "temporaryMiB": function.temporary,
            "restarts": restarts,
        }
        self.process = start(specification, Path(self.directory.name), self.log)
        self.started = time.monotonic()

    def __enter__(self) -> "Function":
        return self

    def __exit__(self, *_: object):
        self.process.kill()
        self.process.wait(STOP_TIMEOUT)
        self.api.server.close()
        self.directory.cleanup()

    def wait_until_ready(self) -> float:
        """Waits for the first request for an invocation, and returns the seconds since the start."""
        deadline = self.started + START_TIMEOUT
        while not self.api.ready.wait(0.02):
            self.check()
            if time.monotonic() > deadline:
                raise AssertionError(f"no request for an invocation within {START_TIMEOUT} s; {self.output()}")
        return time.monotonic() - self.started

    def invoke(self, payload: dict) -> dict:
        """Invokes the function and returns its response."""
        invocation = self.api.submit(payload, self.function.timeout)
        deadline = time.monotonic() + self.function.timeout
        while not invocation.done.wait(0.02):
            self.check()
            if time.monotonic() > deadline:
                raise AssertionError(f"no response within {self.function.timeout} s; {self.output()}")
        if invocation.error is not None:
            raise AssertionError(f"the function failed: {invocation.error!r}; {self.output()}")
        return json.loads(invocation.response)

    def processes(self) -> list[Path]:
        """The directories in /proc of the function's processes, which may have ended; the first is the bootstrap's."""
        # The first two are `jail.py` and process 1 of the jail.
        return descendants(self.process.pid)[2:]

    def check(self):
        """Raises AssertionError if the function has ended."""
        if self.process.poll() is not None or self.api.init_error is not None:
            raise AssertionError(f"{self.function.name} ended: {self.api.init_error or ''} {self.output()}")

    def containment(self) -> list[dict[str, int]]:
        """The metrics of containment (EMF) that the function logged, one set for each start of its program."""
        lines = [json.loads(line) for line in self.log.read_text(errors="replace").splitlines() if '"_aws"' in line]
        metrics = [(line, line["_aws"]["CloudWatchMetrics"][0]["Metrics"]) for line in lines]
        sets = [{metric["Name"]: line[metric["Name"]] for metric in listed} for line, listed in metrics]
        return [found for found in sets if "ParentNotDumpable" in found]

    def output(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines()[-20:]
        return "\n".join([f"the end of the output of {self.function.name}:", *lines])


def descendants(process: int) -> list[Path]:
    """The directories in /proc of a process and its descendants, parents first."""
    return [Path(f"/proc/{process}"), *(path for child in children(process) for path in descendants(child))]


def children(process: int) -> list[int]:
    found: list[str] = []
    with contextlib.suppress(*ENDED):
        for thread in os.listdir(f"/proc/{process}/task"):
            with contextlib.suppress(*ENDED):
                found += Path(f"/proc/{process}/task/{thread}/children").read_text().split()
    return [int(child) for child in found]


def start(specification: dict, directory: Path, log: Path) -> subprocess.Popen:
    """Starts a program in the jail, with its output in `log`."""
    path = directory / "specification.json"
    path.write_text(json.dumps(specification))
    with log.open("wb") as output:
        command = [sys.executable, str(Path(__file__).with_name("jail.py")), str(path)]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)


def lambda_variables(function: Declared, api: RuntimeApi) -> dict[str, str]:
    """The variables that Lambda sets."""
    return {
        "AWS_ACCESS_KEY_ID": "jail",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EXECUTION_ENV": "AWS_Lambda_provided.al2023",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory),
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{function.name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": "2026/01/01/[$LATEST]jail",
        "AWS_LAMBDA_METADATA_API": api.endpoint,
        "AWS_LAMBDA_METADATA_TOKEN": "jail",
        "AWS_LAMBDA_RUNTIME_API": api.endpoint,
        "AWS_REGION": REGION,
        "AWS_SECRET_ACCESS_KEY": "jail",
        "AWS_SESSION_TOKEN": "jail",
        "AWS_XRAY_DAEMON_ADDRESS": "169.254.100.1:2000",
        "LAMBDA_RUNTIME_DIR": "/var/runtime",
        "LAMBDA_TASK_ROOT": "/var/task",
        "LANG": "en_US.UTF-8",
        "LD_LIBRARY_PATH": "/var/task:/var/task/lib:/opt/lib",
        "PATH": "/usr/local/bin:/usr/bin/:/bin:/opt/bin",
        "TZ": ":UTC",
        "_HANDLER": "bootstrap",
    }
