"""Rules for stateful resources (tables, buckets, secrets), and for resource names."""

from collections.abc import Iterator
from typing import Any

from house.template import Finding, Resources, as_list, of_type, referred

TABLE = "AWS::DynamoDB::Table"
BUCKET = "AWS::S3::Bucket"
RETAINED = (TABLE, BUCKET, "AWS::SecretsManager::Secret")

# The property that sets the physical name of a resource. An event bus must have one.
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
    """No resource has a fixed name, unless it starts with the stack's name, so that several stacks can coexist."""
    for name, resource in resources.items():
        key = NAMED_BY.get(resource.get("Type", ""))
        given = (resource.get("Properties") or {}).get(key) if key else None
        if given is not None and referred(given) != "AWS::StackName":
            yield Finding(name, f"{key} is a fixed name: omit it, or start it with ${{AWS::StackName}}")


def state_is_retained(resources: Resources) -> Iterator[Finding]:
    """Tables, buckets and secrets are retained when their stack or definition is deleted."""
    for name, resource in resources.items():
        if resource.get("Type") in RETAINED:
            for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
                if resource.get(policy) != "Retain":
                    yield Finding(name, f"{policy} must be Retain")


def table_is_safe(resources: Resources) -> Iterator[Finding]:
    """A table has point-in-time recovery, encryption, deletion protection and time to live."""
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
    """A bucket blocks public access, enforces ownership, is encrypted and denies requests without TLS."""
    secured = {
        referred(policy.get("Bucket"))
        for _, policy in of_type(resources, "AWS::S3::BucketPolicy")
        if any(denies_plain_text(statement) for statement in as_list(policy["PolicyDocument"]["Statement"]))
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
            yield Finding(name, "no bucket policy denies requests without TLS")


def denies_plain_text(statement: dict[str, Any]) -> bool:
    """Whether a statement of a bucket policy denies all requests without TLS."""
    condition = (statement.get("Condition") or {}).get("Bool") or {}
    return (
        statement.get("Effect") == "Deny"
        and "s3:*" in as_list(statement.get("Action"))
        and str(condition.get("aws:SecureTransport")).lower() == "false"
    )
