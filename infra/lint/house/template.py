"""How the rules read a template: its resources by type, and what a value refers to.

cfn-lint has merged the Globals into the functions by then, but has not expanded them: a rule sees SAM's own resources.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

Resources = dict[str, dict[str, Any]]


class Finding(NamedTuple):
    """A breach of a rule: the resource at fault and what is wrong with it."""

    resource: str
    message: str


def of_type(resources: Resources, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The logical ids and properties of the resources of one type."""
    for name, resource in resources.items():
        if resource.get("Type") == kind:
            yield name, resource.get("Properties") or {}


def referred(value: Any) -> str | None:
    """The logical id that a `Ref`, `Fn::GetAtt` or leading `Fn::Sub` variable names, else nothing."""
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
    """A value that may be written alone or as a list, as a list; nothing as the empty one."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def alarmed(resources: Resources, metric: str, dimension: str) -> set[str]:
    """The logical ids that have an alarm on `metric` whose `dimension` refers to them."""
    return {
        name
        for _, alarm in of_type(resources, "AWS::CloudWatch::Alarm")
        if alarm.get("MetricName") == metric
        for pair in as_list(alarm.get("Dimensions"))
        if pair.get("Name") == dimension and (name := referred(pair.get("Value")))
    }
