"""Creates the local stack's accounts with octavo-admin."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

from failure import StackError

PLANS = ("free", "starter", "pro", "business")


def one_per_plan(admin: list[str]) -> dict[str, str]:
    """Creates one account per plan; returns plan -> API key with all scopes."""
    with ThreadPoolExecutor() as pool:
        return dict(zip(PLANS, pool.map(lambda plan: new_key(admin, plan), PLANS), strict=True))


def new_key(admin: list[str], plan: str) -> str:
    account = call(admin, "account", "create", "--plan", plan)["accountId"]
    return call(admin, "key", "create", "--account", account)["key"]


def call(admin: list[str], *arguments: str) -> dict:
    """Runs octavo-admin and returns the JSON object that it prints."""
    done = subprocess.run([*admin, *arguments], capture_output=True, text=True, timeout=60, check=False)
    command = f"{os.path.basename(admin[0])} {' '.join(arguments)}"
    if done.returncode != 0:
        raise StackError(f"`{command}` failed: {(done.stderr or done.stdout).strip()}")
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise StackError(f"`{command}` printed no JSON object") from error
