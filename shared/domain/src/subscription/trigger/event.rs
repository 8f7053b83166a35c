//! Triggers that fired: what the app's backend puts on the bus.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use super::Trigger;
use crate::field::{self, FieldError};
use crate::id::{AccountId, EventId};
use crate::timestamp::Timestamp;

/// Why what the app put on the bus is no trigger.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TriggerFault {
    /// Its detail type is none of the triggers'.
    #[error("the detail type {0:?} is no trigger")]
    Unknown(String),
    /// Its detail has so many bytes of JSON.
    #[error("the detail has {0} bytes and may have {max}", max = TriggerEvent::LARGEST_DETAIL)]
    TooLarge(usize),
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

    /// The last moment at which an event may have happened: the end of the year 9999.
    pub const LATEST: Timestamp = Timestamp(253_402_300_799_999);

    /// Largest detail, in bytes of its JSON: what is stored of it has to fit into an item of a table, of 400 KB.
    pub const LARGEST_DETAIL: usize = 256 * 1024;

    /// Reads what was put on the bus.
    ///
    /// # Errors
    /// [`TriggerFault`], which says what is wrong without repeating what it holds.
    pub fn read(detail_type: &str, detail: &Value) -> Result<Self, TriggerFault> {
        let unknown = |_| TriggerFault::Unknown(detail_type.to_owned());
        let trigger: Trigger = detail_type.parse().map_err(unknown)?;
        let bytes = detail.to_string().len();
        if bytes > Self::LARGEST_DETAIL {
            return Err(TriggerFault::TooLarge(bytes));
        }
        let read: Detail = field::read(detail, "$").map_err(TriggerFault::Form)?;
        match read.faults(trigger) {
            faults if faults.is_empty() => Ok(Self::of(trigger, read)),
            faults => Err(TriggerFault::Form(faults)),
        }
    }

    fn of(trigger: Trigger, detail: Detail) -> Self {
        let name = format!("{}/{}", detail.account_id, detail.id);
        Self {
            trigger,
            id: EventId::derive(Timestamp(0), &name),
            account_id: detail.account_id,
            occurred_at: detail.occurred_at,
            data: detail.data,
        }
    }
}

impl Detail {
    /// What is wrong with its values.
    fn faults(&self, trigger: Trigger) -> Vec<FieldError> {
        let id = (!self.is_named()).then(|| {
            let message = "must be 1 to 200 characters, none of them a control character";
            FieldError::invalid("$.id", message)
        });
        let when = (!self.is_dated()).then(|| {
            let latest = TriggerEvent::LATEST.milliseconds();
            let message = format!("must be Unix milliseconds from 0 to {latest}");
            FieldError::invalid("$.occurredAt", message)
        });
        let data = self.data.is_empty();
        let data = data.then(|| FieldError::invalid("$.data", "must say something"));
        let members = trigger.check(&Value::Object(self.data.clone()));
        let members = members.err().into_iter().flatten();
        let own = id.into_iter().chain(when).chain(data);
        own.chain(members).collect()
    }

    fn is_dated(&self) -> bool {
        (Timestamp(0)..=TriggerEvent::LATEST).contains(&self.occurred_at)
    }

    fn is_named(&self) -> bool {
        let length = self.id.chars().count();
        (1..=TriggerEvent::LONGEST_ID).contains(&length) && !self.id.chars().any(char::is_control)
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
            ("occurredAt", json!(-1)),
            ("occurredAt", json!(253_402_300_800_000_i64)),
            ("occurredAt", json!(i64::MIN)),
            ("occurredAt", json!(u64::MAX)),
            ("data", json!([])),
            ("data", json!({})),
        ] {
            let mut bad = good.clone();
            bad[member] = value;
            let told = fault("qr.scanned", &bad);
            assert!(told.contains(member) && !told.contains("secret"), "{told}");
        }
        for first_or_last in [0, TriggerEvent::LATEST.milliseconds()] {
            let mut dated = good.clone();
            dated["occurredAt"] = json!(first_or_last);
            assert!(TriggerEvent::read("qr.scanned", &dated).is_ok());
        }
        assert_eq!(
            fault("job.completed", &good),
            "the detail type \"job.completed\" is no trigger"
        );
    }

    #[test]
    fn a_detail_that_no_table_could_hold_is_refused_with_its_size() {
        let of_size = |bytes: usize| {
            let empty = detail(&json!({"text": ""})).to_string().len();
            detail(&json!({"text": "x".repeat(bytes - empty)}))
        };
        let largest = of_size(TriggerEvent::LARGEST_DETAIL);
        assert!(TriggerEvent::read("qr.scanned", &largest).is_ok());
        let larger = of_size(TriggerEvent::LARGEST_DETAIL + 1);
        assert_eq!(
            fault("qr.scanned", &larger),
            "the detail has 262145 bytes and may have 262144"
        );
    }
}
