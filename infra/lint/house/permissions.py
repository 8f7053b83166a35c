"""Rules for roles (least privilege): exact actions, resources of this template only, conditions on event sources."""

from collections.abc import Iterator
from typing import Any

from house.template import Finding, Resources, alternatives, as_list, of_type, referred

ROLE = "AWS::IAM::Role"
# With these actions Lambda places a function in subnets, by the function's role. IAM limits them to no resources.
NETWORK_INTERFACES = {
    "ec2:AssignPrivateIpAddresses",
    "ec2:CreateNetworkInterface",
    "ec2:DeleteNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:UnassignPrivateIpAddresses",
}


def statements(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The statements of a role's inline policies, under every condition."""
    for policy in alternatives(role.get("Policies")):
        yield from alternatives(policy["PolicyDocument"]["Statement"])


def allowed(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The Allow statements of a role's inline policies."""
    return (statement for statement in statements(role) if statement.get("Effect") == "Allow")


def is_for_network_interfaces(statement: dict[str, Any], role: dict[str, Any]) -> bool:
    """Whether a statement allows Lambda to manage network interfaces, which the role denies to the function's code."""
    actions = set(as_list(statement.get("Action")))
    return bool(actions) and actions <= NETWORK_INTERFACES and any(map(denies_code, statements(role)))


def denies_code(statement: dict[str, Any]) -> bool:
    """Whether a statement denies EC2 to the code of every function that has the role."""
    condition = statement.get("Condition") or {}
    operator, keys = next(iter(condition.items()), ("", {}))
    pattern = (keys.get("lambda:SourceFunctionArn") or {}).get("Fn::Sub", "")
    return (
        statement.get("Effect") == "Deny"
        and as_list(statement.get("Action")) == ["ec2:*"]
        and as_list(statement.get("Resource")) == ["*"]
        and (len(condition), operator, list(keys)) == (1, "ArnLike", ["lambda:SourceFunctionArn"])
        and pattern == "arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:*"
    )


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
            if is_for_network_interfaces(statement, role):
                continue
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
