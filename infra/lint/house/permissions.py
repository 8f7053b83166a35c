"""Rules for roles (least privilege): exact actions, resources of this template only, conditions on event sources."""

from collections.abc import Iterator
from typing import Any

from house.template import Finding, Resources, as_list, of_type, referred

ROLE = "AWS::IAM::Role"


def allowed(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The Allow statements of a role's inline policies."""
    for policy in as_list(role.get("Policies")):
        for statement in as_list(policy["PolicyDocument"]["Statement"]):
            if statement.get("Effect") == "Allow":
                yield statement


def role_has_no_managed_policy(resources: Resources) -> Iterator[Finding]:
    """A role has inline policies only: managed policies allow more than one function needs."""
    for name, role in of_type(resources, ROLE):
        if role.get("ManagedPolicyArns"):
            yield Finding(name, "ManagedPolicyArns: write the exact actions instead")


def actions_are_exact(resources: Resources) -> Iterator[Finding]:
    """No action contains a wildcard, and NotAction is not used."""
    for name, role in of_type(resources, ROLE):
        for statement in allowed(role):
            for action in as_list(statement.get("Action")):
                if "*" in action:
                    yield Finding(name, f"the action {action} contains a wildcard")
            if "NotAction" in statement:
                yield Finding(name, "NotAction allows all actions that it does not list")


def resources_are_exact(resources: Resources) -> Iterator[Finding]:
    """The resources of a role's policies are references to resources of this template."""
    for name, role in of_type(resources, ROLE):
        for statement in allowed(role):
            for target in as_list(statement.get("Resource")):
                if referred(target) not in resources:
                    yield Finding(name, f"the resource {target} is not a reference to a resource of this template")
            if "NotResource" in statement:
                yield Finding(name, "NotResource allows all resources that it does not list")


def put_events_is_conditioned(resources: Resources) -> Iterator[Finding]:
    """A permission to put events on the bus has a condition on the event source."""
    for name, role in of_type(resources, ROLE):
        for statement in allowed(role):
            keys = {key for test in (statement.get("Condition") or {}).values() for key in test}
            if "events:PutEvents" in as_list(statement.get("Action")) and "events:source" not in keys:
                yield Finding(name, "events:PutEvents needs a condition on events:source")
