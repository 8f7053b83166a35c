"""Chooses the template parameter TenantIsolation from the account's quota: prints it, and the reason to stderr."""

import sys

import boto3

# Environments of functions that are isolated by tenant, active and idle, for each unit of concurrency.
ENVIRONMENTS_PER_CONCURRENCY = 2.5
# The default quota. With less, idle environments of some accounts would keep others from starting.
MIN_QUOTA = 1000


def main() -> None:
    """Reads the quota of concurrent executions, chooses, and explains the choice."""
    settings = boto3.client("lambda").get_account_settings()
    isolated, reason = choose(settings["AccountLimit"]["ConcurrentExecutions"])
    print(reason, file=sys.stderr)
    print(str(isolated).lower())


def choose(quota: int) -> tuple[bool, str]:
    """Whether to isolate accounts, and why, for the operator."""
    limit = (
        f"the quota of {quota} concurrent executions allows {int(quota * ENVIRONMENTS_PER_CONCURRENCY)} "
        "isolated environments, idle ones included"
    )
    if quota >= MIN_QUOTA:
        return True, (
            f"TenantIsolation=true: {limit}. No environment of an engine function serves two accounts. "
            "Lambda charges for each new environment; an account's first document on an engine function needs one. "
            'To turn it off, add "TenantIsolation=false" to parameter_overrides in samconfig.toml.'
        )
    return False, (
        f"TenantIsolation=false: {limit}, too few for many accounts. Documents of different accounts can follow "
        "each other in one environment of an engine function, at no additional cost. "
        f"Request a quota of {MIN_QUOTA}, or add "
        '"TenantIsolation=true" to parameter_overrides in samconfig.toml.'
    )


if __name__ == "__main__":
    main()
