"""Rules for engine functions, which parse customers' documents and therefore have no rights, and for coordinators."""

from collections.abc import Iterator
from typing import Any

from house.functions import FUNCTION
from house.permissions import ROLE, allowed, is_for_network_interfaces
from house.template import Finding, Resources, as_list, of_type, referred

LOGS = {"logs:CreateLogStream", "logs:PutLogEvents"}
# Resources that add permissions to a role from outside of its definition.
POLICIES = ("AWS::IAM::ManagedPolicy", "AWS::IAM::Policy", "AWS::IAM::RolePolicy")
# Resources that let others than coordinators invoke a function, with the property that names the function.
INVOKERS = {
    "AWS::Lambda::EventSourceMapping": "FunctionName",
    "AWS::Lambda::Permission": "FunctionName",
    "AWS::Lambda::Url": "TargetFunctionArn",
}
# Ways to invoke a function other than the API, and a reserve, against which idle environments count.
FORBIDDEN = ("Events", "FunctionUrlConfig", "ReservedConcurrentExecutions", "ProvisionedConcurrencyConfig")


def engines(resources: Resources) -> dict[str, dict[str, Any]]:
    """The engine functions: those whose logical id starts with Engine."""
    return {name: function for name, function in of_type(resources, FUNCTION) if name.startswith("Engine")}


def engine_has_no_rights(resources: Resources) -> Iterator[Finding]:
    """The role of an engine function allows nothing but its log and, for Lambda alone, network interfaces."""
    roles = dict(of_type(resources, ROLE))
    for function in engines(resources).values():
        name = referred(function.get("Role"))
        role = roles.get(name, {})
        group = referred((function.get("LoggingConfig") or {}).get("LogGroup"))
        for statement in allowed(role):
            actions = as_list(statement.get("Action"))
            targets = {referred(target) for target in as_list(statement.get("Resource"))}
            writes_log = set(actions) <= LOGS and targets == {group}
            if not writes_log and not is_for_network_interfaces(statement, role):
                yield Finding(name, f"an engine function may write its log only, not {actions}")
        for kind in POLICIES:
            for policy, properties in of_type(resources, kind):
                users = [*as_list(properties.get("Roles")), properties.get("RoleName")]
                if name in map(referred, users):
                    yield Finding(policy, f"{name} is the role of an engine function, which may write its log only")


def engine_is_isolated(resources: Resources) -> Iterator[Finding]:
    """An engine function is invoked by coordinators only, has no names of resources, and can be isolated by tenant."""
    for name, function in engines(resources).items():
        for key in FORBIDDEN:
            if function.get(key):
                yield Finding(name, f"{key} is not for engine functions")
        variables = (function.get("Environment") or {}).get("Variables") or {}
        for variable, value in variables.items():
            for target in references(value):
                kind = resources.get(target, {}).get("Type")
                if kind not in (None, "AWS::Serverless::HttpApi"):
                    yield Finding(
                        name, f"{variable} names {target}: the environment of an engine function names no resources"
                    )
        if not function.get("TenancyConfig"):
            yield Finding(name, "TenancyConfig is missing")
    for kind, key in INVOKERS.items():
        for name, properties in of_type(resources, kind):
            for target in references(properties.get(key)):
                if target in engines(resources):
                    yield Finding(name, f"{kind} is not for engine functions such as {target}")


def references(value: Any) -> Iterator[str]:
    """The logical ids in a value, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    elif isinstance(value, dict):
        for function, argument in value.items():
            if function == "Fn::Sub":
                text, *more = as_list(argument)
                yield from (part.split("}")[0].split(".")[0] for part in text.split("${")[1:])
                yield from references(more)
            elif target := referred({function: argument}):
                yield target
            else:
                yield from references(argument)


def only_engines_are_invoked(resources: Resources) -> Iterator[Finding]:
    """Only the roles of coordinators may invoke functions, and only engine functions."""
    coordinators = {referred(function.get("Role")) for function in coordinator_functions(resources)}
    for name, target in invocations(resources):
        if target not in engines(resources):
            yield Finding(name, f"lambda:InvokeFunction is for engine functions only, not for {target}")
        if name not in coordinators:
            yield Finding(name, "lambda:InvokeFunction is for the roles of coordinators only")
    invoked = {target for _, target in invocations(resources)}
    for name in engines(resources):
        if name not in invoked:
            yield Finding(name, "no role may invoke this engine function")


def coordinator_functions(resources: Resources) -> Iterator[dict[str, Any]]:
    """The coordinators: the functions Process…Function."""
    for name, function in of_type(resources, FUNCTION):
        if name.startswith("Process") and name.endswith("Function"):
            yield function


def invocations(resources: Resources) -> Iterator[tuple[str, str | None]]:
    """Each role, and each separate policy, with each function that it may invoke."""
    granted = [(name, statement) for name, role in of_type(resources, ROLE) for statement in allowed(role)]
    for kind in POLICIES:
        for name, policy in of_type(resources, kind):
            granted += [(name, statement) for statement in allowed({"Policies": policy})]
    for name, statement in granted:
        if any(action.startswith("lambda:Invoke") for action in as_list(statement.get("Action"))):
            for target in as_list(statement.get("Resource")):
                yield name, referred(target)


def coordinator_outlasts_engines(resources: Resources) -> Iterator[Finding]:
    """A coordinator's timeout is longer than that of each engine function that it may invoke."""
    invoked = list(invocations(resources))
    functions = dict(of_type(resources, FUNCTION))
    for name, function in functions.items():
        for role, target in invoked:
            if referred(function.get("Role")) == role and target in functions:
                timeout = int(functions[target].get("Timeout", 3))
                if int(function.get("Timeout", 3)) <= timeout:
                    yield Finding(name, f"Timeout must be longer than that of {target}, {timeout} seconds")
