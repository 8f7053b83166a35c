"""Rules for roles: exact actions on resources of this template, and events only under our own name."""

from collections.abc import Iterator
from typing import Any

from house.template import Finding, Resources, as_list, of_type, referred

ROLE = "AWS::IAM::Role"


def allowed(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The statements of a role's own policies that allow something."""
    for policy in as_list(role.get("Policies")):
        for statement in as_list(policy["PolicyDocument"]["Statement"]):
            if statement.get("Effect") == "Allow":
                yield statement


def role_has_no_managed_policy(resources: Resources) -> Iterator[Finding]:
    """A role has its own policies only: the managed ones allow more than one function needs."""
    for name, role in of_type(resources, ROLE):
        if role.get("ManagedPolicyArns"):
            yield Finding(name, "ManagedPolicyArns: write the exact actions instead")


def actions_are_exact(resources: Resources) -> Iterator[Finding]:
    """No action has a wildcard, and none is given by exclusion."""
    for name, role in of_type(resources, ROLE):
        for statement in allowed(role):
            for action in as_list(statement.get("Action")):
                if "*" in action:
                    yield Finding(name, f"the action {action} is not exact")
            if "NotAction" in statement:
                yield Finding(name, "NotAction allows what nobody has thought of")


def resources_are_exact(resources: Resources) -> Iterator[Finding]:
    """What a role may touch is named by reference to a resource of this template."""
    for name, role in of_type(resources, ROLE):
        for statement in allowed(role):
            for target in as_list(statement.get("Resource")):
                if referred(target) not in resources:
                    yield Finding(name, f"the resource {target} does not refer to one of this template")
            if "NotResource" in statement:
                yield Finding(name, "NotResource allows what nobody has thought of")


def put_events_is_conditioned(resources: Resources) -> Iterator[Finding]:
    """A function puts events on the bus under a stated source only."""
    for name, role in of_type(resources, ROLE):
        for statement in allowed(role):
            keys = {key for test in (statement.get("Condition") or {}).values() for key in test}
            if "events:PutEvents" in as_list(statement.get("Action")) and "events:source" not in keys:
                yield Finding(name, "events:PutEvents needs a condition on events:source")
