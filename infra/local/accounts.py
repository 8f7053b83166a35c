"""Creates the local stack's accounts with the operator's command."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

from failure import StackError

PLANS = ("free", "starter", "pro", "business")


def one_a_plan(admin: list[str]) -> dict[str, str]:
    """Plan -> key with all scopes, of a new account of that plan."""
    with ThreadPoolExecutor() as pool:
        return dict(zip(PLANS, pool.map(lambda plan: new_key(admin, plan), PLANS), strict=True))


def new_key(admin: list[str], plan: str) -> str:
    account = call(admin, "account", "create", "--plan", plan)["accountId"]
    return call(admin, "key", "create", "--account", account)["key"]


def call(admin: list[str], *arguments: str) -> dict:
    """Runs the operator's command and returns the JSON object that it prints."""
    done = subprocess.run([*admin, *arguments], capture_output=True, text=True, timeout=60, check=False)
    command = f"{os.path.basename(admin[0])} {' '.join(arguments)}"
    if done.returncode != 0:
        raise StackError(f"`{command}` failed: {(done.stderr or done.stdout).strip()}")
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise StackError(f"`{command}` printed no JSON object") from error
