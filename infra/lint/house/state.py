"""Rules for what outlives a deployment: tables and buckets; and for names, which would tie two stacks together."""

from collections.abc import Iterator
from typing import Any

from house.template import Finding, Resources, as_list, of_type, referred

TABLE = "AWS::DynamoDB::Table"
BUCKET = "AWS::S3::Bucket"
RETAINED = (TABLE, BUCKET, "AWS::SecretsManager::Secret")

# The property that gives a resource a name of our choice. An event bus must have one.
NAMED_BY = {
    "AWS::CloudWatch::Alarm": "AlarmName",
    "AWS::DynamoDB::Table": "TableName",
    "AWS::Events::Archive": "ArchiveName",
    "AWS::Events::EventBus": "Name",
    "AWS::Events::Rule": "Name",
    "AWS::IAM::Role": "RoleName",
    "AWS::Logs::LogGroup": "LogGroupName",
    "AWS::S3::Bucket": "BucketName",
    "AWS::SQS::Queue": "QueueName",
    "AWS::SecretsManager::Secret": "Name",
    "AWS::Serverless::Function": "FunctionName",
}


def name_is_not_fixed(resources: Resources) -> Iterator[Finding]:
    """Nothing has a name of its own, except one made from the stack's, so that two stacks can live side by side."""
    for name, resource in resources.items():
        key = NAMED_BY.get(resource.get("Type", ""))
        given = (resource.get("Properties") or {}).get(key) if key else None
        if given is not None and referred(given) != "AWS::StackName":
            yield Finding(name, f"{key} is fixed: let CloudFormation choose it, or start it with the stack's name")


def state_is_retained(resources: Resources) -> Iterator[Finding]:
    """Tables, buckets and secrets stay when their stack or their definition goes."""
    for name, resource in resources.items():
        if resource.get("Type") in RETAINED:
            for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
                if resource.get(policy) != "Retain":
                    yield Finding(name, f"{policy} must be Retain")


def table_is_safe(resources: Resources) -> Iterator[Finding]:
    """A table can be restored to any second, is encrypted, protected and drops what has expired."""
    for name, table in of_type(resources, TABLE):
        for setting, switch in (
            ("PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled"),
            ("SSESpecification", "SSEEnabled"),
            ("TimeToLiveSpecification", "Enabled"),
        ):
            if (table.get(setting) or {}).get(switch) is not True:
                yield Finding(name, f"{setting}.{switch} must be true")
        if not table.get("DeletionProtectionEnabled"):
            yield Finding(name, "DeletionProtectionEnabled is missing")


def bucket_is_private(resources: Resources) -> Iterator[Finding]:
    """A bucket is closed to the public, owned by its account, encrypted, and refuses requests without TLS."""
    secured = {
        referred(policy.get("Bucket"))
        for _, policy in of_type(resources, "AWS::S3::BucketPolicy")
        if any(refuses_plain_text(statement) for statement in as_list(policy["PolicyDocument"]["Statement"]))
    }
    for name, bucket in of_type(resources, BUCKET):
        block = bucket.get("PublicAccessBlockConfiguration") or {}
        for switch in ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"):
            if block.get(switch) is not True:
                yield Finding(name, f"PublicAccessBlockConfiguration.{switch} must be true")
        owners = [rule.get("ObjectOwnership") for rule in as_list((bucket.get("OwnershipControls") or {}).get("Rules"))]
        if owners != ["BucketOwnerEnforced"]:
            yield Finding(name, "OwnershipControls must be BucketOwnerEnforced")
        if not bucket.get("BucketEncryption"):
            yield Finding(name, "BucketEncryption is missing")
        if name not in secured:
            yield Finding(name, "no bucket policy refuses requests without TLS")


def refuses_plain_text(statement: dict[str, Any]) -> bool:
    """Does a statement of a bucket policy deny everything that comes without TLS?"""
    condition = (statement.get("Condition") or {}).get("Bool") or {}
    return (
        statement.get("Effect") == "Deny"
        and "s3:*" in as_list(statement.get("Action"))
        and str(condition.get("aws:SecureTransport")).lower() == "false"
    )
