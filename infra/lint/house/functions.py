"""Rules for functions: logs that expire, a role of their own, an alarm on their errors."""

from collections import Counter
from collections.abc import Iterator

from house.template import Finding, Resources, alarmed, of_type, referred

FUNCTION = "AWS::Serverless::Function"


def function_has_log_group(resources: Resources) -> Iterator[Finding]:
    """Every function writes to a log group of this template."""
    groups = {name for name, _ in of_type(resources, "AWS::Logs::LogGroup")}
    for name, function in of_type(resources, FUNCTION):
        if referred((function.get("LoggingConfig") or {}).get("LogGroup")) not in groups:
            yield Finding(name, "LoggingConfig.LogGroup must refer to a log group of this template")


def log_group_has_retention(resources: Resources) -> Iterator[Finding]:
    """Every log group forgets after a stated time."""
    for name, group in of_type(resources, "AWS::Logs::LogGroup"):
        if not group.get("RetentionInDays"):
            yield Finding(name, "RetentionInDays is missing: the log would be kept for ever")


def function_has_own_role(resources: Resources) -> Iterator[Finding]:
    """Every function has one role, written out and not shared: the ones that SAM makes allow logging everywhere."""
    roles = {name for name, _ in of_type(resources, "AWS::IAM::Role")}
    role_of = {name: referred(function.get("Role")) for name, function in of_type(resources, FUNCTION)}
    uses = Counter(role_of.values())
    for name, role in role_of.items():
        if role not in roles:
            yield Finding(name, "Role must refer to a role of this template")
        elif uses[role] > 1:
            yield Finding(name, f"{role} belongs to another function too")


def function_has_errors_alarm(resources: Resources) -> Iterator[Finding]:
    """Every function has an alarm on its errors."""
    watched = alarmed(resources, "Errors", "FunctionName")
    for name, _ in of_type(resources, FUNCTION):
        if name not in watched:
            yield Finding(name, "no alarm on the metric Errors of this function")
