"""Writes the stack file of a stack in AWS for octavo-admin: URLs and resource names, without credentials."""

import argparse
import sys
from pathlib import Path

import boto3

sys.path.insert(0, str(Path(__file__).resolve().parent / "local"))

import stackfile


def main() -> None:
    """Reads the outputs of the stack and writes the file."""
    arguments = parse()
    session = boto3.Session()
    outputs = outputs_of(session.client("cloudformation"), arguments.stack)
    stackfile.write(arguments.output, describe(outputs, session.region_name, arguments.admin, arguments.output))
    print(f"{arguments.stack}: {outputs['BaseUrl']}. To manage it: octavo-admin --stack-file {arguments.output}")


def parse() -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stack", required=True, help="name of the stack")
    parser.add_argument("--admin", required=True, help="path of octavo-admin")
    parser.add_argument("--output", required=True, type=Path, help="path of the stack file to write")
    return parser.parse_args()


def outputs_of(cloudformation, stack: str) -> dict[str, str]:
    """The outputs of a stack: key -> value."""
    described = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]["Outputs"]
    return {output["OutputKey"]: output["OutputValue"] for output in described}


def describe(outputs: dict[str, str], region: str, admin: str, path: Path) -> dict:
    """The content of the stack file, as for the local stack; credentials and endpoint come from the environment."""
    return {
        "baseUrl": outputs["BaseUrl"],
        "siteUrl": outputs["BaseUrl"].removesuffix("api/v1"),
        "aws": {"region": region},
        "resources": stackfile.resources(outputs),
        "admin": [admin, "--stack-file", str(path)],
        "keys": {},
    }


if __name__ == "__main__":
    main()
