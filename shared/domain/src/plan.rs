//! The table of plans: unit, quota and document limits of each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// A megabyte of plan limits (decimal).
pub const MEGABYTE: u64 = 1_000_000;

/// Numeric value for "unlimited", so that clients with 32-bit integers can compare and subtract.
pub const UNLIMITED: u32 = 2_147_483_647;

/// The plan of an account, ordered by size.
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
    /// Its quota counts requests.
    Free,
    /// Its quota counts credits.
    Starter,
    /// Its quota counts credits.
    Pro,
    /// No quota.
    Business,
}

/// The unit of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Each accepted billable request counts one, regardless of its price.
    Requests,
    /// Each request counts the price of its operations.
    Credits,
}

/// One row of the table of plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLimits {
    /// The plan.
    pub plan: Plan,
    /// The unit.
    pub unit: Unit,
    /// Units per UTC day; `None` is unlimited.
    pub per_day: Option<u32>,
    /// Units per UTC month; `None` is unlimited.
    pub per_month: Option<u32>,
    /// Maximum size of a document in bytes.
    pub file_bytes: u64,
    /// Maximum number of pages of a document.
    pub pages: u32,
    /// Maximum side of an output image in pixels.
    pub image_side: u32,
    /// Requests per second and key.
    pub burst: u32,
    /// Maximum number of active API keys of an account.
    pub keys: u32,
    /// Maximum number of active webhooks and automation hooks of an account, together.
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
    /// Returns this plan's row of the table.
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

    /// Returns the name in the API and in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl PlanLimits {
    /// Whether usage must be counted before work is accepted.
    #[must_use]
    pub fn is_metered(&self) -> bool {
        self.per_day.is_some() || self.per_month.is_some()
    }
}

/// Returns the largest page limit of any plan.
#[must_use]
pub fn max_pages() -> u32 {
    let pages = PLANS.iter().map(|limits| limits.pages);
    pages.max().unwrap_or_default()
}

fn unknown(name: &str) -> String {
    format!(
        "unknown plan {name:?}; expected one of {}",
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
    fn only_business_is_unmetered() {
        let counted: Vec<_> = PLANS
            .iter()
            .filter(|row| row.is_metered())
            .map(|row| row.plan)
            .collect();
        assert_eq!(counted, [Plan::Free, Plan::Starter, Plan::Pro]);
    }
}
