"""Helpers of the rules: resources by type, and references.

When the rules run, cfn-lint has merged the Globals into the functions but not expanded them: a rule sees SAM resources.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

Resources = dict[str, dict[str, Any]]


class Finding(NamedTuple):
    """A violation of a rule: the resource and the message."""

    resource: str
    message: str


def of_type(resources: Resources, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The logical ids and properties of the resources of one type."""
    for name, resource in resources.items():
        if resource.get("Type") == kind:
            yield name, resource.get("Properties") or {}


def referred(value: Any) -> str | None:
    """The logical id in a `Ref`, `Fn::GetAtt` or leading `Fn::Sub` variable, else None."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    function, argument = next(iter(value.items()))
    if function == "Ref":
        return argument
    if function == "Fn::GetAtt":
        return argument[0] if isinstance(argument, list) else argument.split(".")[0]
    if function == "Fn::Sub" and isinstance(argument, str) and argument.startswith("${"):
        return argument[2:].split("}")[0].split(".")[0]
    return None


def as_list(value: Any) -> list[Any]:
    """Converts a single value or a list to a list, and None to the empty list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def alternatives(value: Any) -> Iterator[Any]:
    """The values of a single value or list under every condition: both branches of `Fn::If`, without `AWS::NoValue`."""
    for item in as_list(value):
        if isinstance(item, dict) and list(item) == ["Fn::If"]:
            for branch in item["Fn::If"][1:]:
                yield from alternatives(branch)
        elif item != {"Ref": "AWS::NoValue"}:
            yield item


def alarmed(resources: Resources, metric: str, dimension: str) -> set[str]:
    """The logical ids that have an alarm on `metric` whose `dimension` refers to them."""
    return {
        name
        for _, alarm in of_type(resources, "AWS::CloudWatch::Alarm")
        if alarm.get("MetricName") == metric
        for pair in as_list(alarm.get("Dimensions"))
        if pair.get("Name") == dimension and (name := referred(pair.get("Value")))
    }
