//! The table of plans: what each counts, how much it includes, and how large one document may be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// A megabyte as plans count it.
pub const MEGABYTE: u64 = 1_000_000;

/// What "unlimited" is written as, so that a client with 32-bit integers can compare and subtract.
pub const UNLIMITED: u32 = 2_147_483_647;

/// A plan that an account is on. A larger one compares as greater.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = unknown)]
pub enum Plan {
    /// Counts requests.
    Free,
    /// Counts credits.
    Starter,
    /// Counts credits.
    Pro,
    /// Counts nothing.
    Business,
}

/// What a plan's counters count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// One for each accepted billable request, whatever it costs.
    Requests,
    /// The price of the operations.
    Credits,
}

/// One row of the table of plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLimits {
    /// The plan that this row is about.
    pub plan: Plan,
    /// What the counters count.
    pub unit: Unit,
    /// Units a UTC day; `None` is unlimited.
    pub per_day: Option<u32>,
    /// Units a UTC month; `None` is unlimited.
    pub per_month: Option<u32>,
    /// Largest size of one document in bytes.
    pub file_bytes: u64,
    /// Most pages of one document.
    pub pages: u32,
    /// Longest side of an image that is put out, in pixels.
    pub image_side: u32,
    /// Requests a second and key.
    pub burst: u32,
    /// Most keys that an account may hold at a time.
    pub keys: u32,
    /// Most webhooks and automation hooks together that an account may hold at a time.
    pub subscriptions: u32,
}

/// Every plan, cheapest first.
pub const PLANS: [PlanLimits; 4] = [
    PlanLimits {
        plan: Plan::Free,
        unit: Unit::Requests,
        per_day: Some(10),
        per_month: Some(100),
        file_bytes: 25 * MEGABYTE,
        pages: 200,
        image_side: 4_000,
        burst: 5,
        keys: 20,
        subscriptions: 10,
    },
    PlanLimits {
        plan: Plan::Starter,
        unit: Unit::Credits,
        per_day: None,
        per_month: Some(2_000),
        file_bytes: 100 * MEGABYTE,
        pages: 1_000,
        image_side: 8_000,
        burst: 20,
        keys: 50,
        subscriptions: 25,
    },
    PlanLimits {
        plan: Plan::Pro,
        unit: Unit::Credits,
        per_day: None,
        per_month: Some(10_000),
        file_bytes: 250 * MEGABYTE,
        pages: 2_000,
        image_side: 12_000,
        burst: 50,
        keys: 100,
        subscriptions: 100,
    },
    PlanLimits {
        plan: Plan::Business,
        unit: Unit::Credits,
        per_day: None,
        per_month: None,
        file_bytes: 1_024 * MEGABYTE,
        pages: 5_000,
        image_side: 20_000,
        burst: 200,
        keys: 500,
        subscriptions: 10_000,
    },
];

impl Plan {
    /// This plan's row of the table.
    #[must_use]
    pub fn limits(self) -> &'static PlanLimits {
        let [free, starter, pro, business] = &PLANS;
        match self {
            Self::Free => free,
            Self::Starter => starter,
            Self::Pro => pro,
            Self::Business => business,
        }
    }

    /// The name used in the API and in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl PlanLimits {
    /// Whether anything has to be counted before work is accepted.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.per_day.is_some() || self.per_month.is_some()
    }
}

fn unknown(name: &str) -> String {
    format!(
        "unknown plan {name:?}: one of {}",
        Plan::VARIANTS
            .iter()
            .map(|plan| plan.name())
            .collect::<Vec<_>>()
            .join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_plan_finds_its_own_row() {
        for row in &PLANS {
            assert_eq!(row.plan.limits(), row);
            assert_eq!(row.plan.name().parse(), Ok(row.plan));
        }
    }

    #[test]
    fn only_business_counts_nothing() {
        let counted: Vec<_> = PLANS
            .iter()
            .filter(|row| row.is_counted())
            .map(|row| row.plan)
            .collect();
        assert_eq!(counted, [Plan::Free, Plan::Starter, Plan::Pro]);
    }
}
