"""Lambda function that reports what its execution environment permits: one JSON document, logged and returned.

It reads and changes nothing outside its environment and reports names of environment variables, not their values.
"""

import json
import os
import platform
import pwd
import resource
import socket
import tempfile
from pathlib import Path

import execute_only
import system_calls
from forked import forked

# Fields of /proc/self/status.
STATUS = ("Uid", "Gid", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp", "Seccomp_filters")

# Variables whose values are not secret.
PUBLIC_VARIABLES = ("AWS_EXECUTION_ENV", "AWS_LAMBDA_INITIALIZATION_TYPE", "AWS_LAMBDA_RUNTIME_API", "HOME", "PATH")

# Where a function might write.
DIRECTORIES = ("/", "/dev", "/dev/shm", "/home", "/mnt", "/opt", "/run", "/tmp", "/var/runtime", "/var/task")  # noqa: S108

# Runtime API, X-Ray daemon, instance metadata.
ENDPOINTS = ("169.254.100.1:9001", "169.254.100.1:2000", "169.254.169.254:80", "127.0.0.1:9001")
CONNECT_TIMEOUT = 1  # seconds


def handle(_event: object, _context: object) -> dict:
    """The entry point of the function."""
    result = report()
    print(json.dumps(result))
    return result


def report() -> dict:
    return {
        "kernel": dict(zip(("system", "node", "release", "version", "machine"), os.uname(), strict=True)),
        "libc": " ".join(platform.libc_ver()),
        "cpus": os.cpu_count(),
        "memory": first_line("/proc/meminfo"),
        "users": forked(users),
        "status": status(),
        "limits": limits(),
        "systemCalls": system_calls.report(),
        "devices": listing("/dev"),
        "sharedMemory": forked(shared_memory),
        "processes": processes(),
        "executeOnly": execute_only.report(),
        "writable": {path: forked(lambda path=path: write_file(path)) for path in directories()},
        "mounts": Path("/proc/self/mounts").read_text().splitlines(),
        "endpoints": {endpoint: forked(lambda endpoint=endpoint: connect(endpoint)) for endpoint in endpoints()},
        "variables": variables(),
    }


def users() -> dict:
    user = os.getuid()
    try:
        entry = pwd.getpwuid(user)
        known = {"name": entry.pw_name, "home": entry.pw_dir, "shell": entry.pw_shell}
    except KeyError:
        known = None
    return {"uids": os.getresuid(), "gids": os.getresgid(), "groups": os.getgroups(), "entry": known}


def status() -> dict:
    lines = Path("/proc/self/status").read_text().splitlines()
    fields = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return {name: fields.get(name) for name in STATUS}


def limits() -> dict:
    """Resource limits as [soft, hard]; -1 is unlimited."""
    names = sorted(name for name in dir(resource) if name.startswith("RLIMIT_"))
    return {name: resource.getrlimit(getattr(resource, name)) for name in names}


def shared_memory() -> str:
    """POSIX shared memory, as `shm_open` creates it."""
    path = Path("/dev/shm/octavo-probe")  # noqa: S108
    path.write_bytes(b"x")
    path.unlink()
    return "ok"


def processes() -> dict:
    """The parent of this process, and which parts of other processes this one can read."""
    parent = os.getpid()  # The parent of the forked processes that read.
    return {
        "ownParent": os.getppid(),
        "visible": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
        "first": first_line("/proc/1/cmdline").replace("\0", " "),
        "firstEnviron": forked(lambda: execute_only.read("/proc/1/environ")),
        "parentEnviron": forked(lambda: execute_only.read(f"/proc/{parent}/environ")),
        "parentMemory": forked(lambda: execute_only.read_memory(parent)),
    }


def directories() -> list[str]:
    home = os.environ.get("HOME")
    return [*DIRECTORIES, *([home] if home and home not in DIRECTORIES else [])]


def write_file(directory: str) -> str:
    with tempfile.TemporaryFile(dir=directory) as file:
        file.write(b"x")
    return "ok"


def endpoints() -> list[str]:
    configured = os.environ.get("AWS_LAMBDA_RUNTIME_API", "")
    return [*ENDPOINTS, *([configured] if configured and configured not in ENDPOINTS else [])]


def connect(endpoint: str) -> str:
    """Opens a TCP connection and closes it."""
    host, _, port = endpoint.rpartition(":")
    socket.create_connection((host, int(port)), timeout=CONNECT_TIMEOUT).close()
    return "ok"


def variables() -> dict:
    public = {name: os.environ[name] for name in PUBLIC_VARIABLES if name in os.environ}
    return {"names": sorted(os.environ), "values": public}


def listing(directory: str) -> list[str] | str:
    try:
        return sorted(os.listdir(directory))
    except OSError as error:
        return str(error)


def first_line(path: str) -> str:
    try:
        return Path(path).read_text().partition("\n")[0]
    except OSError as error:
        return str(error)
