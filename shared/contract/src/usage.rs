//! Shape of the usage route.

use domain::plan::{Plan, UNLIMITED, Unit};
use domain::timestamp::{Period, Timestamp};
use domain::usage::{Used, remaining};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the plan includes, in its unit; 2147483647 is unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// In a UTC day.
    pub per_day: u32,
    /// In a UTC month.
    pub per_month: u32,
}

/// What is left, in the plan's unit; 2147483647 is unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remaining {
    /// Of this UTC day.
    pub today: u32,
    /// Of this UTC month.
    pub this_month: u32,
}

/// When the counters start anew, in Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResetsAt {
    /// The day's counter.
    pub today: Timestamp,
    /// The month's counter.
    pub this_month: Timestamp,
}

/// Plan and quota of the account that a key belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The account's plan.
    pub plan: Plan,
    /// What the counters count.
    pub unit: Unit,
    /// What the plan includes.
    pub limits: Limits,
    /// What is left.
    pub remaining: Remaining,
    /// When the counters start anew.
    pub resets_at: ResetsAt,
}

impl Usage {
    /// What is shown of an account on `plan` that has `used` so much in `period`.
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
    fn unlimited_is_a_number_that_32_bits_hold() {
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
