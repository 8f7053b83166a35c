"""Deploys `template.yaml` to the emulator: code, CloudFormation stack, and the parts its CloudFormation omits."""

import json
import time

import boto3
import botocore.config

import gateway
import template as sam
from failure import StackError

REGION = "us-east-1"
CREDENTIALS = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
STACK = "octavo"
CODE_BUCKET = "octavo-code"
TEMPLATE = "template.json"
DEPLOY_TIMEOUT = 120  # seconds


class Aws:
    """Clients of the emulator's services."""

    def __init__(self, endpoint: str):
        self.endpoint = endpoint
        self.session = boto3.Session(region_name=REGION, **CREDENTIALS)
        self.config = botocore.config.Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1})

    def client(self, service: str):
        return self.session.client(service, endpoint_url=self.endpoint, config=self.config)


def deploy(endpoint: str, code: dict[str, bytes], template: dict, parameters: dict[str, str]) -> dict[str, str]:
    """Deploys the template with the zip of each crate; returns the stack's outputs."""
    aws = Aws(endpoint)
    s3 = aws.client("s3")
    keys = upload(s3, code)
    keys = {logical_id: keys[crate] for logical_id, crate in sam.crates(template).items()}
    sam.localize(template, CODE_BUCKET, keys, parameters)
    s3.put_object(Bucket=CODE_BUCKET, Key=TEMPLATE, Body=json.dumps(template).encode())
    cloudformation = aws.client("cloudformation")
    create(cloudformation, aws, parameters)
    outputs = wait(cloudformation)
    ids = physical_ids(cloudformation)
    expire_items(aws.client("dynamodb"), template, ids)
    gateway.connect(aws.client("apigatewayv2"), template, ids)
    return outputs


def upload(s3, code: dict[str, bytes]) -> dict[str, str]:
    """Crate -> object key of its zip."""
    s3.create_bucket(Bucket=CODE_BUCKET)
    keys = {crate: f"{crate}.zip" for crate in code}
    for crate, content in code.items():
        s3.put_object(Bucket=CODE_BUCKET, Key=keys[crate], Body=content)
    return keys


def create(cloudformation, aws: Aws, parameters: dict[str, str]):
    cloudformation.create_stack(
        StackName=STACK,
        TemplateURL=f"{aws.endpoint}/{CODE_BUCKET}/{TEMPLATE}",
        Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        OnFailure="DO_NOTHING",
    )


def wait(cloudformation) -> dict[str, str]:
    deadline = time.monotonic() + DEPLOY_TIMEOUT
    while time.monotonic() < deadline:
        stack = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]
        if stack["StackStatus"] == "CREATE_COMPLETE":
            return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}
        if stack["StackStatus"] != "CREATE_IN_PROGRESS":
            raise StackError(f"template.yaml could not be deployed ({stack['StackStatus']}):{reasons(cloudformation)}")
        time.sleep(0.05)
    raise StackError(f"template.yaml was not deployed within {DEPLOY_TIMEOUT} s")


def reasons(cloudformation) -> str:
    events = cloudformation.describe_stack_events(StackName=STACK)["StackEvents"]
    failed = [event for event in events if event["ResourceStatus"].endswith("FAILED")]
    lines = [f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason', '')}" for event in failed]
    return "".join(f"\n    {line}" for line in lines)


def physical_ids(cloudformation) -> dict[str, str]:
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=STACK)
    resources = [resource for page in pages for resource in page["StackResourceSummaries"]]
    return {resource["LogicalResourceId"]: resource["PhysicalResourceId"] for resource in resources}


def expire_items(dynamodb, template: dict, ids: dict[str, str]):
    for logical_id, specification in sam.expiring_tables(template).items():
        dynamodb.update_time_to_live(TableName=ids[logical_id], TimeToLiveSpecification=specification)
