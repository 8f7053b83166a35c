"""Rules for queues: dead-letter queues, alarms, encryption, visibility timeouts, partial batch responses."""

from collections.abc import Iterator
from typing import Any

from house.template import Finding, Resources, alarmed, as_list, of_type, referred

QUEUE = "AWS::SQS::Queue"
FUNCTION = "AWS::Serverless::Function"

# AWS recommends a visibility timeout of six times the function timeout, to allow for retries of throttled invocations.
VISIBILITY_PER_TIMEOUT = 6


def dead_letter_queues(resources: Resources) -> set[str]:
    """The logical ids of the queues that are the redrive target of another queue."""
    return {
        target
        for _, queue in of_type(resources, QUEUE)
        if (target := referred((queue.get("RedrivePolicy") or {}).get("deadLetterTargetArn")))
    }


def queue_redrives(resources: Resources) -> Iterator[Finding]:
    """Every queue has a dead-letter queue or is one."""
    queues = {name for name, _ in of_type(resources, QUEUE)}
    dead = dead_letter_queues(resources)
    for name, queue in of_type(resources, QUEUE):
        policy = queue.get("RedrivePolicy")
        if policy is None:
            if name not in dead:
                yield Finding(name, "RedrivePolicy is missing and no queue redrives to this one")
        elif referred(policy.get("deadLetterTargetArn")) not in queues or not policy.get("maxReceiveCount"):
            yield Finding(name, "RedrivePolicy needs a queue of this template and maxReceiveCount")


def queue_has_alarm(resources: Resources) -> Iterator[Finding]:
    """A dead-letter queue has an alarm on its depth, every other queue one on the age of its oldest message."""
    dead = dead_letter_queues(resources)
    deep = alarmed(resources, "ApproximateNumberOfMessagesVisible", "QueueName")
    old = alarmed(resources, "ApproximateAgeOfOldestMessage", "QueueName")
    for name, _ in of_type(resources, QUEUE):
        if name in dead and name not in deep:
            yield Finding(name, "no alarm on ApproximateNumberOfMessagesVisible of this dead-letter queue")
        if name not in dead and name not in old:
            yield Finding(name, "no alarm on ApproximateAgeOfOldestMessage of this queue")


def queue_is_encrypted(resources: Resources) -> Iterator[Finding]:
    """Every queue is encrypted at rest."""
    for name, queue in of_type(resources, QUEUE):
        if queue.get("SqsManagedSseEnabled") is not True and not queue.get("KmsMasterKeyId"):
            yield Finding(name, "SqsManagedSseEnabled must be true")


def event_sources(resources: Resources) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """For each SQS event source: the function's logical id, its properties, the properties of the event source."""
    for name, function in of_type(resources, FUNCTION):
        for event in (function.get("Events") or {}).values():
            if event.get("Type") == "SQS":
                yield name, function, event["Properties"]


def visibility_covers_timeout(resources: Resources) -> Iterator[Finding]:
    """The visibility timeout of a queue is at least six times the timeout of its function."""
    queues = dict(of_type(resources, QUEUE))
    for name, function, source in event_sources(resources):
        queue = referred(source.get("Queue"))
        minimum = VISIBILITY_PER_TIMEOUT * int(function.get("Timeout", 3))
        if queue not in queues:
            yield Finding(name, "an SQS event must refer to a queue of this template")
        elif int(queues[queue].get("VisibilityTimeout", 30)) < minimum:
            yield Finding(queue, f"VisibilityTimeout must be at least {minimum}: six times the timeout of {name}")


def event_source_is_careful(resources: Resources) -> Iterator[Finding]:
    """An SQS event source reports batch item failures and has a maximum concurrency."""
    for name, _, source in event_sources(resources):
        if "ReportBatchItemFailures" not in as_list(source.get("FunctionResponseTypes")):
            yield Finding(name, "FunctionResponseTypes of an SQS event must contain ReportBatchItemFailures")
        if not (source.get("ScalingConfig") or {}).get("MaximumConcurrency"):
            yield Finding(name, "ScalingConfig.MaximumConcurrency of an SQS event is missing")
