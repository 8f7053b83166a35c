"""The stack file: how tests, tools and people find a running local stack."""

import json
import os
import tempfile
from pathlib import Path

import template as sam
from deploy import CREDENTIALS, REGION


def describe(port: int, endpoint: str, outputs: dict[str, str], admin: list[str]) -> dict:
    """The stack file's content from the stack's outputs, as yet without keys."""
    return {
        "baseUrl": f"http://127.0.0.1:{port}/api/v1",
        "siteUrl": f"http://127.0.0.1:{port}/",
        "aws": {
            "endpointUrl": endpoint,
            "region": REGION,
            "accessKeyId": CREDENTIALS["aws_access_key_id"],
            "secretAccessKey": CREDENTIALS["aws_secret_access_key"],
        },
        "resources": resources(outputs),
        "admin": admin,
        "keys": {},
    }


def resources(outputs: dict[str, str]) -> dict:
    dead_letter_queues = named(outputs, "DeadLetterQueueUrl")
    queues = {name: url for name, url in named(outputs, "QueueUrl").items() if not name.endswith("-dead-letter")}
    return {
        "bus": outputs["BusName"],
        "bucket": outputs["BucketName"],
        "pepperSecret": outputs["PepperSecretArn"],
        "subscriptionsKey": outputs["SubscriptionsKeyArn"],
        "tables": named(outputs, "Table"),
        "queues": queues,
        "deadLetterQueues": dead_letter_queues,
        "functions": named(outputs, "Function"),
        "userPool": {"id": outputs["UserPoolId"], "clientId": outputs["UserPoolClientId"]},
    }


def named(outputs: dict[str, str], kind: str) -> dict[str, str]:
    """The outputs whose name ends in `kind`, by the rest of the name: JobsTable -> jobs."""
    return {sam.kebab(name.removesuffix(kind)): value for name, value in outputs.items() if name.endswith(kind)}


def write(path: Path, content: dict):
    """Replaces the file at once, readable by its owner only: it holds keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    os.replace(draft, path)
