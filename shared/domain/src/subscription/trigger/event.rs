//! Trigger events that the app's backend puts on the bus.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use super::Trigger;
use crate::field::{self, FieldError};
use crate::id::{AccountId, EventId};
use crate::timestamp::Timestamp;

/// Why an event of the app is not a valid trigger event.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TriggerEventError {
    /// The detail type is not a known trigger.
    #[error("unknown detail type {0:?}")]
    Unknown(String),
    /// The detail is too large, in bytes of JSON.
    #[error("the detail has {0} bytes; the maximum is {max}", max = TriggerEvent::MAX_DETAIL_BYTES)]
    TooLarge(usize),
    /// Members of the detail are invalid.
    #[error("{}", list(.0))]
    Form(Vec<FieldError>),
}

/// The `detail` of an event of the app.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    account_id: AccountId,
    id: String,
    occurred_at: Timestamp,
    data: Map<String, Value>,
}

/// A trigger event. `Debug` omits the data.
#[derive(Clone, PartialEq)]
pub struct TriggerEvent {
    /// The trigger.
    pub trigger: Trigger,
    /// Identifier, derived from the account and the app's identifier, so that duplicates have the same one.
    pub id: EventId,
    /// The account.
    pub account_id: AccountId,
    /// Time of the event.
    pub occurred_at: Timestamp,
    /// Data of the event.
    pub data: Map<String, Value>,
}

impl TriggerEvent {
    /// Maximum length of the app's identifier in characters.
    pub const MAX_ID_LENGTH: usize = 200;

    /// Latest accepted time of an event: the end of the year 9999.
    pub const LATEST: Timestamp = Timestamp(253_402_300_799_999);

    /// Maximum size of the detail in bytes of JSON, so that it fits into a DynamoDB item of 400 KB.
    pub const MAX_DETAIL_BYTES: usize = 256 * 1024;

    /// Parses an event from the bus.
    ///
    /// # Errors
    /// [`TriggerEventError`], which never contains data of the event.
    pub fn read(detail_type: &str, detail: &Value) -> Result<Self, TriggerEventError> {
        let unknown = |_| TriggerEventError::Unknown(detail_type.to_owned());
        let trigger: Trigger = detail_type.parse().map_err(unknown)?;
        let bytes = detail.to_string().len();
        if bytes > Self::MAX_DETAIL_BYTES {
            return Err(TriggerEventError::TooLarge(bytes));
        }
        let read: Detail = field::read(detail, "$").map_err(TriggerEventError::Form)?;
        match read.errors(trigger) {
            errors if errors.is_empty() => Ok(Self::of(trigger, read)),
            errors => Err(TriggerEventError::Form(errors)),
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
    /// Checks the values of the members.
    fn errors(&self, trigger: Trigger) -> Vec<FieldError> {
        let id = (!self.is_named()).then(|| {
            let message = "must be 1 to 200 characters without control characters";
            FieldError::invalid("$.id", message)
        });
        let when = (!self.is_dated()).then(|| {
            let latest = TriggerEvent::LATEST.milliseconds();
            let message = format!("must be Unix milliseconds from 0 to {latest}");
            FieldError::invalid("$.occurredAt", message)
        });
        let data = self.data.is_empty();
        let data = data.then(|| FieldError::invalid("$.data", "must not be empty"));
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
        (1..=TriggerEvent::MAX_ID_LENGTH).contains(&length)
            && !self.id.chars().any(char::is_control)
    }
}

impl fmt::Debug for TriggerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TriggerEvent({}, {}, ***)", self.trigger, self.id)
    }
}

fn list(errors: &[FieldError]) -> String {
    let errors = errors.iter();
    let lines: Vec<_> = errors
        .map(|error| format!("{} {}", error.path, error.message))
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

    fn error(name: &str, detail: &Value) -> String {
        TriggerEvent::read(name, detail).unwrap_err().to_string()
    }

    #[test]
    fn unknown_members_are_kept_and_known_ones_checked() {
        let good = detail(&json!({"text": "https://example.com", "colour": "red"}));
        let event = TriggerEvent::read("qr.scanned", &good).unwrap();
        assert_eq!(event.data["colour"], "red");
        let bad = detail(&json!({"text": 5}));
        assert!(error("qr.scanned", &bad).starts_with("$.data.text "));
        let far = detail(&json!({"latitude": 91.0, "longitude": 0.0}));
        assert!(error("geotag.captured", &far).starts_with("$.data.latitude "));
    }

    #[test]
    fn the_identifier_depends_on_account_and_app_identifier_only() {
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
    fn errors_of_a_detail_contain_no_values() {
        let good = detail(&json!({"text": "a"}));
        for member in ["accountId", "id", "occurredAt", "data"] {
            let mut without = good.clone();
            without.as_object_mut().unwrap().remove(member);
            assert!(error("qr.scanned", &without).contains(member), "{member}");
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
            let errors = error("qr.scanned", &bad);
            assert!(
                errors.contains(member) && !errors.contains("secret"),
                "{errors}"
            );
        }
        for first_or_last in [0, TriggerEvent::LATEST.milliseconds()] {
            let mut dated = good.clone();
            dated["occurredAt"] = json!(first_or_last);
            assert!(TriggerEvent::read("qr.scanned", &dated).is_ok());
        }
        assert_eq!(
            error("job.completed", &good),
            "unknown detail type \"job.completed\""
        );
    }

    #[test]
    fn a_detail_that_is_too_large_is_rejected_with_its_size() {
        let of_size = |bytes: usize| {
            let empty = detail(&json!({"text": ""})).to_string().len();
            detail(&json!({"text": "x".repeat(bytes - empty)}))
        };
        let largest = of_size(TriggerEvent::MAX_DETAIL_BYTES);
        assert!(TriggerEvent::read("qr.scanned", &largest).is_ok());
        let larger = of_size(TriggerEvent::MAX_DETAIL_BYTES + 1);
        assert_eq!(
            error("qr.scanned", &larger),
            "the detail has 262145 bytes; the maximum is 262144"
        );
    }
}
