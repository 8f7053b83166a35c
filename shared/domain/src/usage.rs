//! Usage: what an account has spent in a period and what is left.

use serde::{Deserialize, Serialize};

use crate::plan::{Plan, PlanLimits, UNLIMITED, Unit};
use crate::timestamp::{Period, Timestamp};

/// What an account has used in one UTC day and in its month, in the plan's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Used {
    /// In this UTC day.
    pub today: u32,
    /// In this UTC month.
    pub this_month: u32,
}

/// A limit that is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// What the plan counts.
    pub unit: Unit,
    /// When the counter starts anew.
    pub resets_at: Timestamp,
}

/// What the counter of `plan` is raised by for work that costs `credits`.
#[must_use]
pub fn units(plan: Plan, credits: u32) -> u32 {
    let limits = plan.limits();
    match limits.unit {
        Unit::Requests => 1,
        Unit::Credits if limits.is_counted() => credits,
        Unit::Credits => 0,
    }
}

/// What is left of a limit; a plan without one always has [`UNLIMITED`] left.
#[must_use]
pub fn remaining(limit: Option<u32>, used: u32) -> u32 {
    limit.map_or(UNLIMITED, |limit| limit.saturating_sub(used))
}

/// Which limit, if any, refuses `units` more. The month counts before the day, because it resets later.
#[must_use]
pub fn spent(limits: &PlanLimits, used: Used, units: u32, period: Period) -> Option<Spent> {
    let over = |limit: Option<u32>, used: u32| {
        limit.is_some_and(|limit| used.saturating_add(units) > limit)
    };
    let resets_at = if over(limits.per_month, used.this_month) {
        period.next_month()
    } else if over(limits.per_day, used.today) {
        period.next_day()
    } else {
        return None;
    };
    Some(Spent {
        unit: limits.unit,
        resets_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_250_000_000);

    #[test]
    fn free_counts_requests_paid_plans_credits_and_business_nothing() {
        let counted: Vec<_> = [Plan::Free, Plan::Starter, Plan::Pro, Plan::Business]
            .map(|plan| units(plan, 3))
            .into();
        assert_eq!(counted, [1, 3, 3, 0]);
    }

    #[test]
    fn a_limit_is_spent_when_the_next_unit_does_not_fit() {
        let period = NOW.period();
        let free = Plan::Free.limits();
        assert_eq!(
            spent(
                free,
                Used {
                    today: 9,
                    this_month: 99
                },
                1,
                period
            ),
            None
        );
        assert_eq!(
            spent(
                free,
                Used {
                    today: 10,
                    this_month: 50
                },
                1,
                period
            )
            .unwrap()
            .resets_at,
            period.next_day()
        );
        assert_eq!(
            spent(
                free,
                Used {
                    today: 10,
                    this_month: 100
                },
                1,
                period
            )
            .unwrap()
            .resets_at,
            period.next_month()
        );
        let starter = Plan::Starter.limits();
        assert!(
            spent(
                starter,
                Used {
                    today: 0,
                    this_month: 1_999
                },
                2,
                period
            )
            .is_some()
        );
        assert!(
            spent(
                Plan::Business.limits(),
                Used {
                    today: 9,
                    this_month: u32::MAX
                },
                0,
                period
            )
            .is_none()
        );
    }

    #[test]
    fn unlimited_stays_unlimited() {
        assert_eq!(remaining(None, 5), UNLIMITED);
        assert_eq!(remaining(Some(10), 12), 0);
    }
}
