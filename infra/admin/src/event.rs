//! `event put`: publishes triggers of the mobile app manually.

use clap::Subcommand;
use contract::event::trigger_detail_sample;
use domain::id::AccountId;
use domain::subscription::{TRIGGER_SOURCE, Trigger, TriggerEvent};
use domain::timestamp::Timestamp;
use serde_json::{Map, Value, json};

use crate::error::AdminError;
use crate::stack::Stack;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Publishes a trigger to the event bus, as the app's backend does.
    Put {
        /// Account id.
        #[arg(long)]
        account: AccountId,
        /// Trigger, such as scan.created.
        #[arg(long)]
        event: String,
        /// The app's id of the event. Default: a random id.
        #[arg(long)]
        id: Option<String>,
        /// Data of the event, a JSON object. Default: the trigger's sample.
        #[arg(long, value_parser = read_object)]
        data: Option<Map<String, Value>>,
        /// Skips the validation of the event.
        #[arg(long)]
        unchecked: bool,
    },
}

pub(crate) async fn run(
    stack: &Stack,
    command: Command,
    now: Timestamp,
) -> Result<Value, AdminError> {
    let Command::Put {
        account,
        event,
        id,
        data,
        unchecked,
    } = command;
    let id = id.unwrap_or_else(|| format!("octavo-admin-{:032x}", rand::random::<u128>()));
    let data = data.or_else(|| sample(&event)).unwrap_or_default();
    let detail = json!({"accountId": account, "id": id, "occurredAt": now, "data": data});
    if !unchecked {
        let read = TriggerEvent::read(&event, &detail);
        read.map_err(|error| AdminError::Rejected(error.to_string()))?;
    }
    let services = stack.services().await;
    let text = detail.to_string();
    let put = services.put_on_bus(TRIGGER_SOURCE, &event, &text).await?;
    Ok(json!({"eventId": put, "id": id}))
}

/// Returns the data of a trigger's sample; `None` if the trigger is unknown.
fn sample(event: &str) -> Option<Map<String, Value>> {
    let trigger: Trigger = event.parse().ok()?;
    let mut detail = trigger_detail_sample(trigger);
    match detail.get_mut("data").map(Value::take) {
        Some(Value::Object(data)) => Some(data),
        _ => None,
    }
}

fn read_object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trigger_has_a_valid_sample() {
        let account = AccountId::mint(Timestamp(1), 1);
        for trigger in Trigger::ALL {
            let data = sample(trigger.name()).unwrap();
            let detail = json!({"accountId": account, "id": "a", "occurredAt": 1, "data": data});
            assert!(TriggerEvent::read(trigger.name(), &detail).is_ok());
        }
        assert_eq!(sample("job.created"), None);
    }
}
