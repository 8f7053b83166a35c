"""The project's own rules for cfn-lint, which loads this file because of `append_rules` in .cfnlintrc.

A rule is a function of the package `house`; its docstring is the rule's description. cfn-lint reserves E9000 to E9999
for custom rules.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from cfnlint.rules import CloudFormationLintRule, RuleMatch
from cfnlint.template import Template

# cfn-lint loads this file by its path, not as part of a package.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from house import engines, functions, permissions, queues, state
from house.template import Finding, Resources


def rule(number: str, check: Callable[[Resources], Iterator[Finding]]) -> type[CloudFormationLintRule]:
    """Wraps `check` as a rule of cfn-lint."""
    sentence = (check.__doc__ or "").strip()

    def match(self: CloudFormationLintRule, cfn: Template) -> list[RuleMatch]:
        return [
            RuleMatch(["Resources", finding.resource], f"{finding.resource}: {finding.message}")
            for finding in check(cfn.template["Resources"])
        ]

    members = {"id": number, "shortdesc": sentence, "description": sentence, "tags": ["octavo"], "match": match}
    return type(check.__name__, (CloudFormationLintRule,), members)


FunctionHasLogGroup = rule("E9101", functions.function_has_log_group)
LogGroupHasRetention = rule("E9102", functions.log_group_has_retention)
FunctionHasOwnRole = rule("E9103", functions.function_has_own_role)
FunctionHasErrorsAlarm = rule("E9104", functions.function_has_errors_alarm)

QueueRedrives = rule("E9201", queues.queue_redrives)
QueueHasAlarm = rule("E9202", queues.queue_has_alarm)
QueueIsEncrypted = rule("E9203", queues.queue_is_encrypted)
VisibilityCoversTimeout = rule("E9204", queues.visibility_covers_timeout)
EventSourceIsCareful = rule("E9205", queues.event_source_is_careful)

RoleHasNoManagedPolicy = rule("E9301", permissions.role_has_no_managed_policy)
ActionsAreExact = rule("E9302", permissions.actions_are_exact)
ResourcesAreExact = rule("E9303", permissions.resources_are_exact)
PutEventsIsConditioned = rule("E9304", permissions.put_events_is_conditioned)

NameIsNotFixed = rule("E9401", state.name_is_not_fixed)
StateIsRetained = rule("E9402", state.state_is_retained)
TableIsSafe = rule("E9403", state.table_is_safe)
BucketIsPrivate = rule("E9404", state.bucket_is_private)

EngineHasNoRights = rule("E9501", engines.engine_has_no_rights)
EngineIsIsolated = rule("E9502", engines.engine_is_isolated)
OnlyEnginesAreInvoked = rule("E9503", engines.only_engines_are_invoked)
CoordinatorOutlastsEngines = rule("E9504", engines.coordinator_outlasts_engines)
