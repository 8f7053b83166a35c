"""Reads `template.yaml` and adapts it for the emulator, so that the template itself stays plain SAM."""

import re
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

# The crate of all coordinators.
COORDINATOR = "process"


def load(path: Path) -> dict:
    """The template, with short forms (`!Ref`) expanded."""
    return yaml_parse(path.read_text(encoding="utf-8"))


def functions(template: dict) -> dict[str, dict]:
    """Logical id -> properties of each function."""
    return of_type(template, "AWS::Serverless::Function")


def crates(template: dict) -> dict[str, str]:
    """Logical id -> crate (and binary) of each function: `EngineOfficeFunction` is `engine-office`."""
    names = {logical_id: kebab(logical_id.removesuffix("Function")) for logical_id in functions(template)}
    return {logical_id: COORDINATOR if is_coordinator(name) else name for logical_id, name in names.items()}


def is_coordinator(name: str) -> bool:
    """Whether a function is a coordinator: `process-office` and the others, one for each queue of jobs."""
    return name.startswith(f"{COORDINATOR}-")


def kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def localize(template: dict, bucket: str, keys: dict[str, str], parameters: dict[str, str]):
    """Points each function to its zip in `bucket`, and removes or adapts unsupported features."""
    for logical_id, properties in functions(template).items():
        resource = template["Resources"][logical_id]
        for name in ("Metadata", "IgnoreGlobals"):
            resource.pop(name, None)
        # An image contains the same bootstrap; the engines are installed on this machine.
        for name in ("PackageType", "ImageUri", "ImageConfig"):
            properties.pop(name, None)
        properties["CodeUri"] = {"Bucket": bucket, "Key": keys[logical_id]}
        for event in properties.get("Events", {}).values():
            write_out_concurrency(event.get("Properties", {}), parameters)
    for logical_id, alarm in of_type(template, "AWS::CloudWatch::Alarm").items():
        if "Metrics" in alarm:  # metric math
            del template["Resources"][logical_id]


def write_out_concurrency(event: dict, parameters: dict[str, str]):
    """Resolves the parameter to a number, because the emulator's queue poller fails on text."""
    scaling = event.get("ScalingConfig", {})
    match scaling.get("MaximumConcurrency"):
        case {"Ref": parameter}:
            scaling["MaximumConcurrency"] = int(parameters[parameter])


def routes(template: dict) -> list[tuple[str, str]]:
    """(route key, function's logical id) of every declared route."""
    return [
        (route_key(event.get("Properties", {})), logical_id)
        for logical_id, properties in functions(template).items()
        for event in properties.get("Events", {}).values()
        if event["Type"] == "HttpApi"
    ]


def route_key(event: dict) -> str:
    if "Path" not in event:
        return "$default"
    return f"{event['Method'].upper()} {event['Path']}"


def expiring_tables(template: dict) -> dict[str, dict]:
    """Logical id -> time-to-live specification of each table that has one."""
    name = "TimeToLiveSpecification"
    tables = of_type(template, "AWS::DynamoDB::Table").items()
    return {logical_id: table[name] for logical_id, table in tables if name in table}


def of_type(template: dict, kind: str) -> dict[str, dict]:
    resources = template["Resources"].items()
    return {name: resource.get("Properties", {}) for name, resource in resources if resource["Type"] == kind}
