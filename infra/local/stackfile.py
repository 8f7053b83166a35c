"""The stack file: URLs, resources and keys of a running local stack, for tests, tools and users."""

import json
import os
import tempfile
from pathlib import Path

import template as sam
from deploy import CREDENTIALS, REGION


def describe(port: int, endpoint: str, outputs: dict[str, str], admin: list[str]) -> dict:
    """The stack file's content from the stack's outputs, without keys."""
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


def named(outputs: dict[str, str], suffix: str) -> dict[str, str]:
    """The outputs whose name ends with `suffix`, by the rest of the name: JobsTable -> jobs."""
    return {sam.kebab(name.removesuffix(suffix)): value for name, value in outputs.items() if name.endswith(suffix)}


def write(path: Path, content: dict):
    """Replaces the file atomically, readable by its owner only, because it contains keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    os.replace(draft, path)
