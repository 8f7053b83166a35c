//! Usage of an account per day and month, and what remains of its quota.

use serde::{Deserialize, Serialize};

use crate::plan::{Plan, PlanLimits, UNLIMITED, Unit};
use crate::timestamp::{Period, Timestamp};

/// Usage in one UTC day and in its month, in the plan's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Used {
    /// Units used in the UTC day.
    pub today: u32,
    /// Units used in the UTC month.
    pub this_month: u32,
}

/// A quota that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaExceeded {
    /// The unit of the plan.
    pub unit: Unit,
    /// When the counter resets.
    pub resets_at: Timestamp,
}

/// Returns the units that work priced at `credits` adds to the counter of `plan`.
#[must_use]
pub fn units(plan: Plan, credits: u32) -> u32 {
    let limits = plan.limits();
    match limits.unit {
        Unit::Requests => 1,
        Unit::Credits if limits.is_metered() => credits,
        Unit::Credits => 0,
    }
}

/// Returns the remaining units of a quota; [`UNLIMITED`] for a plan without one.
#[must_use]
pub fn remaining(limit: Option<u32>, used: u32) -> u32 {
    limit.map_or(UNLIMITED, |limit| limit.saturating_sub(used))
}

/// Returns the quota, if any, that `units` more would exceed. The monthly quota is checked first, because it resets later.
#[must_use]
pub fn quota_exceeded(
    limits: &PlanLimits,
    used: Used,
    units: u32,
    period: Period,
) -> Option<QuotaExceeded> {
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
    Some(QuotaExceeded {
        unit: limits.unit,
        resets_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_250_000_000);

    #[test]
    fn units_follow_the_plan() {
        let counted: Vec<_> = [Plan::Free, Plan::Starter, Plan::Pro, Plan::Business]
            .map(|plan| units(plan, 3))
            .into();
        assert_eq!(counted, [1, 3, 3, 0]);
    }

    #[test]
    fn a_quota_is_exceeded_when_the_next_unit_does_not_fit() {
        let period = NOW.period();
        let free = Plan::Free.limits();
        assert_eq!(
            quota_exceeded(
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
            quota_exceeded(
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
            quota_exceeded(
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
            quota_exceeded(
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
            quota_exceeded(
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
