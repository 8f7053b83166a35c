"""Runs Octavo's stack on this machine.

serve            starts the stack and runs until Ctrl-C
run -- COMMAND   starts the stack, runs COMMAND with the stack file's path in OCTAVO_STACK, stops the stack, and
                 exits with COMMAND's status
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

try:
    import stack
except ModuleNotFoundError as error:
    sys.exit(f"octavo: Python package {error.name} is missing: run `make setup`, then .octavo/venv/stack/bin/python")
from failure import StackError

SERVED = Path(".octavo/stack.json")


def main() -> int:
    arguments = parse()
    # A shell without job control starts background processes with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with stack.running(arguments.state, arguments.stack_file) as (emulator, content):
            return arguments.do(arguments, emulator, content)
    except StackError as error:
        print(f"octavo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def parse() -> argparse.Namespace:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="local", description=__doc__, formatter_class=formatter)
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    add(actions, "serve", serve, Path(".octavo/local"), SERVED)
    run_parser = add(actions, "run", run, Path(".octavo/test"), None)
    run_parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    arguments.state = arguments.state.resolve()
    arguments.stack_file = (arguments.stack_file or arguments.state / "stack.json").resolve()
    return arguments


def add(actions, name: str, do, state: Path, stack_file: Path | None) -> argparse.ArgumentParser:
    parser = actions.add_parser(name)
    parser.add_argument("--state", type=Path, default=state, help="the stack's directory (default: %(default)s)")
    parser.add_argument("--stack-file", type=Path, default=stack_file, help="where to write the stack file")
    parser.set_defaults(do=do)
    return parser


def serve(arguments, emulator, content) -> int:
    print(
        f"""Octavo is running.

  API          {content["baseUrl"]}
  key          {content["keys"]["business"]}
  try          curl -H 'Authorization: Bearer {content["keys"]["business"]}' {content["baseUrl"]}/usage
  stack file   {arguments.stack_file}
  logs         {arguments.state}/functions.log, emulator.log, wire.jsonl

Press Ctrl-C to stop.""",
        flush=True,
    )
    while True:
        emulator.check()
        time.sleep(0.5)


def run(arguments, emulator, content) -> int:
    environment = {**os.environ, "OCTAVO_STACK": str(arguments.stack_file)}
    try:
        process = subprocess.Popen(arguments.command, env=environment)
    except OSError as error:
        raise StackError(f"{arguments.command[0]} cannot be started: {error.strerror}") from error
    with process as command:
        try:
            return wait(command, emulator)
        finally:
            if command.poll() is None:
                command.terminate()


def wait(command: subprocess.Popen, emulator) -> int:
    """Returns the command's exit status; raises StackError if the emulator ends first."""
    while True:
        try:
            status = command.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            emulator.check()
            continue
        return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
