"""Each rule passes on the template and fails on a copy with the violation that it is for.

Run by `python -m unittest discover infra/lint` in the root of the checkout.
"""

import subprocess
import sys
import unittest
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from cfnlint.decode import decode
from cfnlint.helpers import load_plugins
from cfnlint.template import Template
from cfnlint.template.transforms.transform import Transform

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"

Violation = Callable[[dict[str, Any]], object]


def merged() -> dict[str, Any]:
    """The resources of the template as cfn-lint passes them to rules: with the Globals merged."""
    template, problems = decode(str(TEMPLATE))
    cfn = Template(str(TEMPLATE), template, ["us-east-1"])
    problems = problems or Transform().transform(cfn)
    if problems:
        raise AssertionError(problems)
    return cfn.template["Resources"]


def properties(name: str, *path: str | int) -> Callable[[dict[str, Any]], Any]:
    """The value at `path` in the properties of the resource `name`."""

    def find(resources: dict[str, Any]) -> Any:
        value = resources[name]["Properties"]
        for step in path:
            value = value[step]
        return value

    return find


def statement(resources: dict[str, Any], role: str, action: str) -> dict[str, Any]:
    """The statement of a role that allows `action`."""
    document = properties(role, "Policies", 0, "PolicyDocument", "Statement")(resources)
    return next(s for s in document if action in (s["Action"] if isinstance(s["Action"], list) else [s["Action"]]))


def put(name: str, *path: str | int, to: object) -> Violation:
    """Sets the property at `path`."""
    return lambda resources: properties(name, *path[:-1])(resources).__setitem__(path[-1], to)


def drop(name: str, *path: str | int) -> Violation:
    """Removes the property at `path`."""
    return lambda resources: properties(name, *path[:-1])(resources).pop(path[-1])


def remove(*names: str) -> Violation:
    """Removes resources."""
    return lambda resources: [resources.pop(name) for name in names]


def grant(role: str, action: str, **change: object) -> Violation:
    """Changes the statement of a role that allows `action`."""
    return lambda resources: statement(resources, role, action).update(change)


def add_statement(role: str, action: str, target: object) -> Violation:
    """Adds a statement to a role."""
    added = {"Effect": "Allow", "Action": action, "Resource": target}
    return lambda resources: properties(role, "Policies", 0, "PolicyDocument", "Statement")(resources).append(added)


def add_policy(role: str, *statements: dict[str, Any]) -> Violation:
    """Adds a policy to a role from outside."""
    policy = {"PolicyName": "more", "Roles": [{"Ref": role}], "PolicyDocument": {"Statement": [*statements]}}
    return add("AWS::IAM::Policy", **policy)


def add(kind: str, **properties: object) -> Violation:
    """Adds the resource `More`."""
    return lambda resources: resources.update(More={"Type": kind, "Properties": properties})


PROCESSOR = "ProcessPdfFunction"
ENGINE = "EnginePdfFunction"
INVOKE = {"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": {"Fn::GetAtt": [ENGINE, "Arn"]}}
NETWORK = ("Policies", 1, "Fn::If", 1, "PolicyDocument", "Statement")
TICKET = ("Events", "Ticket", "Properties")

# rule, resource that it must report, change that violates the rule
CASES: list[tuple[str, str, Violation]] = [
    ("E9101", "JobsFunction", drop("JobsFunction", "LoggingConfig", "LogGroup")),
    ("E9101", "JobsFunction", put("JobsFunction", "LoggingConfig", "LogGroup", to="/aws/lambda/jobs")),
    ("E9102", "ApiLogGroup", drop("ApiLogGroup", "RetentionInDays")),
    ("E9103", "FilesFunction", put("FilesFunction", "Role", to={"Fn::GetAtt": ["JobsRole", "Arn"]})),
    ("E9103", "FilesFunction", drop("FilesFunction", "Role")),
    ("E9103", "FilesFunction", put("FilesFunction", "Role", to="arn:aws:iam::123456789012:role/shared")),
    ("E9104", "SweepFunction", remove("SweepErrorsAlarm")),
    ("E9104", "SweepFunction", put("SweepErrorsAlarm", "MetricName", to="Throttles")),
    ("E9201", "ProcessPdfQueue", drop("ProcessPdfQueue", "RedrivePolicy")),
    ("E9201", "ProcessPdfDeadLetterQueue", drop("ProcessPdfDeadLetterQueue", "RedrivePolicy", "maxReceiveCount")),
    ("E9202", "ProcessPdfDeadLetterQueue", remove("ProcessPdfDeadLetterAlarm")),
    ("E9202", "DeadLetterDeadLetterQueue", put("DeadLetterDeadLetterAlarm", "MetricName", to="NumberOfMessagesSent")),
    ("E9202", "ProcessPdfQueue", remove("ProcessPdfAgeAlarm")),
    ("E9202", "SlowDeliverQueue", remove("SlowDeliverAgeAlarm")),
    ("E9203", "DeadLetterDeadLetterQueue", put("DeadLetterDeadLetterQueue", "SqsManagedSseEnabled", to=False)),
    ("E9204", "ProcessPdfQueue", put("ProcessPdfQueue", "VisibilityTimeout", to=5339)),
    ("E9204", "ProcessPdfQueue", drop("ProcessPdfQueue", "VisibilityTimeout")),
    ("E9204", "ProcessPdfQueue", put(PROCESSOR, "Timeout", to=901)),
    ("E9204", "SlowDeliverQueue", put("SlowDeliverQueue", "VisibilityTimeout", to=359)),
    ("E9204", PROCESSOR, put(PROCESSOR, *TICKET, "Queue", to="arn:aws:sqs:us-east-1:123456789012:other")),
    ("E9205", PROCESSOR, drop(PROCESSOR, *TICKET, "FunctionResponseTypes")),
    ("E9205", PROCESSOR, drop(PROCESSOR, *TICKET, "ScalingConfig")),
    ("E9205", "DeliverFunction", drop("DeliverFunction", "Events", "SlowTicket", "Properties", "ScalingConfig")),
    ("E9301", "SiteRole", put("SiteRole", "ManagedPolicyArns", to=["arn:aws:iam::aws:policy/ReadOnlyAccess"])),
    ("E9302", "JobsRole", grant("JobsRole", "sqs:SendMessage", Action="sqs:*")),
    ("E9302", "JobsRole", grant("JobsRole", "sqs:SendMessage", NotAction="sqs:DeleteQueue")),
    ("E9303", "JobsRole", grant("JobsRole", "sqs:SendMessage", Resource="*")),
    ("E9303", "JobsRole", grant("JobsRole", "s3:ListBucket", Resource=["arn:aws:s3:::documents"])),
    ("E9303", "JobsRole", grant("JobsRole", "s3:ListBucket", Resource={"Fn::Sub": "arn:${AWS::Partition}:s3:::*"})),
    ("E9304", "SweepRole", grant("SweepRole", "events:PutEvents", Condition={})),
    ("E9303", "EnginePdfRole", drop("EnginePdfRole", *NETWORK, 1)),
    ("E9303", "EnginePdfRole", put("EnginePdfRole", *NETWORK, 1, "Effect", to="Allow")),
    ("E9303", "EnginePdfRole", put("EnginePdfRole", *NETWORK, 1, "Action", to="ec2:CreateNetworkInterface")),
    (
        "E9303",
        "EnginePdfRole",
        put("EnginePdfRole", *NETWORK, 1, "Condition", "Bool", to={"aws:SecureTransport": False}),
    ),
    ("E9303", "EnginePdfRole", put("EnginePdfRole", *NETWORK, 0, "Action", 0, to="ec2:RunInstances")),
    ("E9401", "JobsTable", put("JobsTable", "TableName", to="jobs")),
    ("E9401", "Bus", put("Bus", "Name", to="octavo")),
    ("E9401", "JobsFunction", put("JobsFunction", "FunctionName", to={"Fn::Sub": "jobs-${Stage}"})),
    ("E9402", "Documents", lambda resources: resources["Documents"].pop("DeletionPolicy")),
    ("E9402", "JobsTable", lambda resources: resources["JobsTable"].update(UpdateReplacePolicy="Delete")),
    ("E9403", "JobsTable", drop("JobsTable", "PointInTimeRecoverySpecification")),
    ("E9403", "JobsTable", put("JobsTable", "TimeToLiveSpecification", "Enabled", to=False)),
    ("E9403", "AccountsTable", drop("AccountsTable", "SSESpecification")),
    ("E9403", "AccountsTable", drop("AccountsTable", "DeletionProtectionEnabled")),
    ("E9404", "Documents", put("Documents", "PublicAccessBlockConfiguration", "BlockPublicPolicy", to=False)),
    ("E9404", "Documents", drop("Documents", "OwnershipControls")),
    ("E9404", "Documents", drop("Documents", "BucketEncryption")),
    ("E9404", "Documents", remove("DocumentsPolicy")),
    ("E9404", "Documents", put("DocumentsPolicy", "PolicyDocument", "Statement", 0, "Effect", to="Allow")),
    ("E9501", "EnginePdfRole", add_statement("EnginePdfRole", "s3:GetObject", {"Fn::GetAtt": ["Documents", "Arn"]})),
    (
        "E9501",
        "EnginePdfRole",
        add_statement("EnginePdfRole", "lambda:InvokeFunction", {"Fn::GetAtt": [ENGINE, "Arn"]}),
    ),
    ("E9501", "EnginePdfRole", grant("EnginePdfRole", "logs:PutLogEvents", Resource={"Ref": "JobsLogGroup"})),
    ("E9501", "EnginePdfRole", drop("EnginePdfRole", *NETWORK, 1)),
    ("E9501", "EngineWebRole", add_statement("EngineWebRole", "ec2:CreateNetworkInterface", "*")),
    ("E9501", "More", add_policy("EngineWebRole")),
    ("E9502", ENGINE, put(ENGINE, "Events", to={"Every": {"Type": "Schedule", "Properties": {}}})),
    ("E9502", ENGINE, put(ENGINE, "ReservedConcurrentExecutions", to=20)),
    ("E9502", ENGINE, put(ENGINE, "Environment", "Variables", "JOBS_TABLE", to={"Ref": "JobsTable"})),
    (
        "E9502",
        "EngineWebFunction",
        put("EngineWebFunction", "Environment", "Variables", "X", to={"Fn::Sub": "a${Bus}"}),
    ),
    ("E9502", ENGINE, drop(ENGINE, "TenancyConfig")),
    ("E9502", "More", add("AWS::Lambda::EventSourceMapping", FunctionName={"Ref": ENGINE})),
    ("E9502", "More", add("AWS::Lambda::Permission", FunctionName={"Fn::GetAtt": [ENGINE, "Arn"]})),
    ("E9502", "More", add("AWS::Lambda::Url", TargetFunctionArn={"Fn::Sub": f"${{{ENGINE}.Arn}}:live"})),
    ("E9503", "ProcessPdfRole", grant("ProcessPdfRole", "lambda:InvokeFunction", Resource={"Ref": "SweepFunction"})),
    ("E9503", "JobsRole", add_statement("JobsRole", "lambda:InvokeAsync", {"Fn::GetAtt": ["SweepFunction", "Arn"]})),
    ("E9503", "JobsRole", add_statement("JobsRole", "lambda:InvokeFunction", {"Fn::GetAtt": [ENGINE, "Arn"]})),
    ("E9503", "More", add_policy("JobsRole", INVOKE)),
    ("E9503", "EngineOfficeFunction", remove("ProcessOfficeRole", "ProcessPipelineRole")),
    ("E9504", PROCESSOR, put(ENGINE, "Timeout", to=890)),
    ("E9504", "ProcessPipelineFunction", put("ProcessPipelineFunction", "Timeout", to=839)),
]


class HouseRules(unittest.TestCase):
    """The rules as cfn-lint loads them, on the template and on broken copies of it."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.resources = merged()
        cls.rules = load_plugins(str(ROOT / "infra/lint/rules"))

    def findings(self, resources: dict[str, Any]) -> set[tuple[str, str]]:
        """The violated rules, each with the resource."""
        cfn = SimpleNamespace(template={"Resources": resources})
        return {(rule.id, match.path[1]) for rule in self.rules for match in rule.match(cfn)}

    def test_the_template_satisfies_every_rule(self) -> None:
        self.assertEqual(self.findings(self.resources), set())

    def test_each_violation_is_found_by_its_rule(self) -> None:
        for number, name, violate in CASES:
            with self.subTest(rule=number, resource=name):
                broken = deepcopy(self.resources)
                violate(broken)
                self.assertIn((number, name), self.findings(broken))

    def test_each_rule_has_a_test_case(self) -> None:
        self.assertEqual({rule.id for rule in self.rules}, {number for number, _, _ in CASES})

    def test_each_rule_has_a_description(self) -> None:
        for rule in self.rules:
            with self.subTest(rule=rule.id):
                self.assertRegex(rule.shortdesc, r"^[A-Z].*\.$")


class Linter(unittest.TestCase):
    """cfn-lint itself, run in the root of the checkout, which contains its configuration."""

    def lint(self, template: Path) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).with_name("cfn-lint")), "--format", "parseable", str(template)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    def test_it_applies_the_house_rules(self) -> None:
        text = TEMPLATE.read_text()
        with TemporaryDirectory() as directory:
            broken = Path(directory, "template.yaml")
            broken.write_text(text.replace("SqsManagedSseEnabled: true", "SqsManagedSseEnabled: false", 1))
            result = self.lint(broken)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("E9203:ProcessOfficeQueue: SqsManagedSseEnabled must be true", result.stdout)

    def test_the_template_is_clean(self) -> None:
        result = self.lint(TEMPLATE)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)


if __name__ == "__main__":
    unittest.main()
