//! Triggers of automation hooks: what the app around the service puts on the bus.

mod data;

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::field::{self, FieldError};
use crate::id::{AccountId, EventId};
use crate::plan::Plan;
use crate::timestamp::Timestamp;

pub use data::{
    GeotagCaptured, OcrCompleted, PdfExported, QrScanned, ScanCreated, TimestampCaptured,
};

/// The source of every event that the app around the service puts on the bus.
pub const TRIGGER_SOURCE: &str = "octavo.app";

macro_rules! triggers {
    ($($variant:ident = $name:literal, $plan:ident, $doc:literal;)*) => {
        /// What fires an automation hook.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum Trigger {
            $(#[doc = $doc] #[serde(rename = $name)] $variant,)*
        }

        impl Trigger {
            /// Every trigger, in the order of the table.
            pub const ALL: &'static [Trigger] = &[$(Trigger::$variant,)*];

            /// The detail type on the bus.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// When it fires.
            #[must_use]
            pub fn description(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }

            /// The smallest plan that includes it.
            #[must_use]
            pub fn plan(self) -> Plan {
                match self { $(Self::$variant => Plan::$plan,)* }
            }

            /// Whether the members of `data` that are known are right.
            ///
            /// # Errors
            /// Each that is not, as `$.data.<member>`.
            fn check(self, data: &Value) -> Result<(), Vec<FieldError>> {
                match self { $(Self::$variant => field::read::<data::$variant>(data, "$.data").map(drop),)* }
            }
        }
    };
}

triggers! {
    ScanCreated = "scan.created", Free, "A document is scanned in the mobile app.";
    PdfExported = "pdf.exported", Free, "A document group is exported to PDF.";
    GeotagCaptured = "geotag.captured", Pro, "A scan is tagged with location data.";
    TimestampCaptured = "timestamp.captured", Business, "A timestamp-stamped capture is made.";
    OcrCompleted = "ocr.completed", Pro, "On-device OCR text becomes available for a scan.";
    QrScanned = "qr.scanned", Free, "A QR code is scanned, with the decoded text.";
}

impl Trigger {
    /// Whether a plan includes it.
    #[must_use]
    pub fn is_included_in(self, plan: Plan) -> bool {
        plan >= self.plan()
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Trigger {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mut all = Self::ALL.iter().copied();
        all.find(|trigger| trigger.name() == name)
            .ok_or_else(|| format!("unknown trigger {name:?}"))
    }
}

/// Why what the app put on the bus is no trigger.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TriggerFault {
    /// Its detail type is none of the triggers'.
    #[error("the detail type {0:?} is no trigger")]
    Unknown(String),
    /// Its detail has another form.
    #[error("{}", list(.0))]
    Form(Vec<FieldError>),
}

/// What the app's backend puts on the bus as `detail`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    account_id: AccountId,
    id: String,
    occurred_at: Timestamp,
    data: Map<String, Value>,
}

/// A trigger that fired. Prints without its data.
#[derive(Clone, PartialEq)]
pub struct TriggerEvent {
    /// Which one.
    pub trigger: Trigger,
    /// Derived from account and the app's own identifier, so that an event put twice stays one.
    pub id: EventId,
    /// The account that it concerns.
    pub account_id: AccountId,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// What is said about it.
    pub data: Map<String, Value>,
}

impl TriggerEvent {
    /// Longest identifier that the app may give an event, in characters.
    pub const LONGEST_ID: usize = 200;

    /// Reads what was put on the bus.
    ///
    /// # Errors
    /// [`TriggerFault`], which says what is wrong without repeating what it holds.
    pub fn read(detail_type: &str, detail: &Value) -> Result<Self, TriggerFault> {
        let unknown = |_| TriggerFault::Unknown(detail_type.to_owned());
        let trigger: Trigger = detail_type.parse().map_err(unknown)?;
        let read: Detail = field::read(detail, "$").map_err(TriggerFault::Form)?;
        let mut faults = Vec::new();
        let length = read.id.chars().count();
        if !(1..=Self::LONGEST_ID).contains(&length) || read.id.chars().any(char::is_control) {
            let message = "must be 1 to 200 characters, none of them a control character";
            faults.push(FieldError::invalid("$.id", message));
        }
        if read.data.is_empty() {
            faults.push(FieldError::invalid("$.data", "must say something"));
        }
        let data = detail.get("data").unwrap_or(&Value::Null);
        faults.extend(trigger.check(data).err().into_iter().flatten());
        if !faults.is_empty() {
            return Err(TriggerFault::Form(faults));
        }
        Ok(Self {
            trigger,
            id: EventId::derive(Timestamp(0), &format!("{}/{}", read.account_id, read.id)),
            account_id: read.account_id,
            occurred_at: read.occurred_at,
            data: read.data,
        })
    }
}

impl fmt::Debug for TriggerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TriggerEvent({}, {}, ***)", self.trigger, self.id)
    }
}

fn list(faults: &[FieldError]) -> String {
    let faults = faults.iter();
    let lines: Vec<_> = faults
        .map(|fault| format!("{} {}", fault.path, fault.message))
        .collect();
    lines.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn detail(data: &Value) -> Value {
        json!({"accountId": AccountId::mint(Timestamp(1), 1), "id": "app-1", "occurredAt": 1_795_000_000_000_i64, "data": data})
    }

    fn fault(name: &str, detail: &Value) -> String {
        TriggerEvent::read(name, detail).unwrap_err().to_string()
    }

    #[test]
    fn the_table_says_which_plan_includes_which_trigger() {
        let included = |plan| {
            let all = Trigger::ALL.iter();
            all.filter(|trigger| trigger.is_included_in(plan)).count()
        };
        let plans = [Plan::Free, Plan::Starter, Plan::Pro, Plan::Business];
        assert_eq!(plans.map(included), [3, 3, 5, 6]);
        for trigger in Trigger::ALL {
            assert_eq!(serde_json::to_value(trigger).unwrap(), trigger.name());
            assert_eq!(trigger.name().parse(), Ok(*trigger));
        }
    }

    #[test]
    fn what_the_app_adds_is_kept_and_what_is_known_is_checked() {
        let good = detail(&json!({"text": "https://example.com", "colour": "red"}));
        let event = TriggerEvent::read("qr.scanned", &good).unwrap();
        assert_eq!(event.data["colour"], "red");
        let bad = detail(&json!({"text": 5}));
        assert!(fault("qr.scanned", &bad).starts_with("$.data.text "));
        let far = detail(&json!({"latitude": 91.0, "longitude": 0.0}));
        assert!(fault("geotag.captured", &far).starts_with("$.data.latitude "));
    }

    #[test]
    fn the_identifier_depends_on_account_and_the_apps_own_alone() {
        let read = |detail: &Value| TriggerEvent::read("qr.scanned", detail).unwrap().id;
        let one = detail(&json!({"text": "a"}));
        let mut later = one.clone();
        later["occurredAt"] = json!(1_795_000_000_001_i64);
        assert_eq!(read(&one), read(&later));
        let mut other = one.clone();
        other["id"] = json!("app-2");
        assert_ne!(read(&one), read(&other));
        other = one.clone();
        other["accountId"] = json!(AccountId::mint(Timestamp(1), 2));
        assert_ne!(read(&one), read(&other));
    }

    #[test]
    fn a_detail_of_another_form_says_what_is_wrong_and_not_what_it_holds() {
        let good = detail(&json!({"text": "a"}));
        for member in ["accountId", "id", "occurredAt", "data"] {
            let mut without = good.clone();
            without.as_object_mut().unwrap().remove(member);
            assert!(fault("qr.scanned", &without).contains(member), "{member}");
        }
        for (member, value) in [
            ("accountId", json!("acc_secret")),
            ("id", json!("")),
            ("id", json!("a\nb")),
            ("id", json!(7)),
            ("occurredAt", json!("yesterday")),
            ("data", json!([])),
            ("data", json!({})),
        ] {
            let mut bad = good.clone();
            bad[member] = value;
            let told = fault("qr.scanned", &bad);
            assert!(told.contains(member) && !told.contains("secret"), "{told}");
        }
        assert_eq!(
            fault("job.completed", &good),
            "the detail type \"job.completed\" is no trigger"
        );
    }
}
