//! Reading the subscriptions of an event when a row is unreadable or the table throttles.

use domain::account::Account;
use domain::plan::Plan;
use domain::ports::{PortError, SubscriptionPage, Subscriptions};
use domain::subscription::{Subscription, SubscriptionKind};
use serde_json::{Map, Value, json};
use testkit::{Fakes, sample};

use crate::script::{Reply, Request, Script};
use crate::{error, services};

fn account() -> (Fakes, Account) {
    let env = Fakes::new();
    let account = sample::account(&env, Plan::Free);
    (env, account)
}

fn webhook(env: &Fakes, account: &Account) -> Subscription {
    sample::subscription::webhook(env, account)
}

/// The row of a subscription as DynamoDB JSON.
fn row(subscription: &Subscription) -> Value {
    let mut row = attributes(&serde_json::to_value(subscription).unwrap());
    row["pk"] = json!({"S": format!("ACCOUNT#{}", subscription.account_id)});
    row["sk"] = json!({"S": format!("WEBHOOK#{}", subscription.id)});
    row
}

fn attributes(value: &Value) -> Value {
    let members = value.as_object().unwrap().iter();
    let members: Map<_, _> = members
        .map(|(name, value)| (name.clone(), attribute(value)))
        .collect();
    members.into()
}

fn attribute(value: &Value) -> Value {
    match value {
        Value::String(text) => json!({"S": text}),
        Value::Number(number) => json!({"N": number.to_string()}),
        Value::Array(items) => json!({"L": items.iter().map(attribute).collect::<Vec<_>>()}),
        Value::Object(_) => json!({"M": attributes(value)}),
        other => panic!("{other}"),
    }
}

async fn read(
    script: &Script,
    account: &Account,
    limit: u32,
) -> Result<SubscriptionPage, PortError> {
    let services = services(script).await;
    let kind = SubscriptionKind::Webhook;
    services.subscriptions(&account.id, kind, None, limit).await
}

#[tokio::test]
async fn an_unreadable_row_is_reported_and_hides_no_other() {
    let (env, account) = account();
    let [one, broken, other] = [0; 3].map(|_| webhook(&env, &account));
    let mut unreadable = row(&broken);
    unreadable["status"] = json!({"S": "paused"});
    let rows = [row(&one), unreadable, row(&other)];
    let name = format!("ACCOUNT#{} WEBHOOK#{}", account.id, broken.id);
    for (limit, subscriptions, next) in [
        (3, vec![one.clone(), other], None),
        // The next page starts after a row, readable or not.
        (2, vec![one], Some(broken.id)),
    ] {
        let rows = rows.clone();
        let script = Script::play(move |_: &Request| Reply::Ok(json!({"Items": rows}))).await;
        let expected = SubscriptionPage {
            subscriptions,
            unreadable: vec![name.clone()],
            next,
        };
        assert_eq!(read(&script, &account, limit).await.unwrap(), expected);
    }
}

#[tokio::test]
async fn a_throttled_query_is_retried_after_the_sdks_retries() {
    let (env, account) = account();
    let one = webhook(&env, &account);
    let stored = row(&one);
    let script = Script::play(move |request: &Request| match request.number {
        0..4 => error(400, "ProvisionedThroughputExceededException"),
        _ => Reply::Ok(json!({"Items": [stored]})),
    })
    .await;
    let page = read(&script, &account, 10).await.unwrap();
    assert_eq!(page.subscriptions, [one]);
    assert_eq!(script.bodies("Query").len(), 5);
}
