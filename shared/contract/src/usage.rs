//! Schema of the usage route.

use domain::plan::{Plan, UNLIMITED, Unit};
use domain::timestamp::{Period, Timestamp};
use domain::usage::{Used, remaining};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Quota of the plan, in its unit. 2147483647 means unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Quota per UTC day.
    pub per_day: u32,
    /// Quota per UTC month.
    pub per_month: u32,
}

/// Remaining quota, in the unit of the plan. 2147483647 means unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remaining {
    /// Remaining today (UTC).
    pub today: u32,
    /// Remaining this month (UTC).
    pub this_month: u32,
}

/// Times at which the quotas reset, in Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResetsAt {
    /// Reset of the daily quota.
    pub today: Timestamp,
    /// Reset of the monthly quota.
    pub this_month: Timestamp,
}

/// Plan, usage and quota of the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Plan of the account.
    pub plan: Plan,
    /// Unit of the quota: requests or credits.
    pub unit: Unit,
    /// Quota of the plan.
    pub limits: Limits,
    /// Remaining quota.
    pub remaining: Remaining,
    /// Times at which the quotas reset.
    pub resets_at: ResetsAt,
}

impl Usage {
    /// Creates the response for an account on `plan` that has `used` units in `period`.
    #[must_use]
    pub fn of(plan: Plan, used: Used, period: Period) -> Self {
        let limits = plan.limits();
        Self {
            plan,
            unit: limits.unit,
            limits: Limits {
                per_day: limits.per_day.unwrap_or(UNLIMITED),
                per_month: limits.per_month.unwrap_or(UNLIMITED),
            },
            remaining: Remaining {
                today: remaining(limits.per_day, used.today),
                this_month: remaining(limits.per_month, used.this_month),
            },
            resets_at: ResetsAt {
                today: period.next_day(),
                this_month: period.next_month(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_free_account_after_three_requests() {
        let usage = Usage::of(
            Plan::Free,
            Used {
                today: 3,
                this_month: 42,
            },
            Timestamp(1_795_250_000_000).period(),
        );
        assert_eq!(
            serde_json::to_value(usage).unwrap(),
            json!({
                "plan": "free",
                "unit": "requests",
                "limits": {"per_day": 10, "per_month": 100},
                "remaining": {"today": 7, "this_month": 58},
                "resetsAt": {"today": 1_795_305_600_000_i64, "this_month": 1_796_083_200_000_i64}
            })
        );
    }

    #[test]
    fn unlimited_fits_into_32_bits() {
        let usage = Usage::of(
            Plan::Business,
            Used {
                today: 3,
                this_month: 42,
            },
            Timestamp(0).period(),
        );
        assert_eq!(usage.remaining.this_month, 2_147_483_647);
        assert_eq!(usage.limits.per_day, 2_147_483_647);
    }
}
