//! Behavior of the ports on conflicts, throttling, partial responses and lost responses, against a scripted server, because
//! no emulator produces these.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

#[cfg(feature = "operator")]
mod dead_letters;
mod engine_functions;
mod script;
mod subscribers;

use std::time::{Duration, Instant};

use aws::{Connection, Credentials, Names, Services};
use domain::account::{Admission, StoredKey};
use domain::key::SecretHash;
use domain::plan::Plan;
use domain::ports::{
    AcceptOutcome, Acceptance, Callers, Due, DuePage, Jobs, KeyCreation, Keys, Outbox, PortError,
    PreviousRequest,
};
use domain::ticket::Ticket;
use domain::transition::{Claim, Transition};
use script::{Reply, Request, Script};
use serde_json::{Value, json};
use testkit::{Environment, Fakes, sample};

const TRANSACT: &str = "TransactWriteItems";
const READ: &str = "GetItem";

async fn services(script: &Script) -> Services {
    let connection = Connection {
        endpoint_url: Some(script.endpoint()),
        region: Some("us-east-1".to_owned()),
        credentials: Some(Credentials {
            access_key_id: "id".to_owned(),
            secret_access_key: "secret".into(),
        }),
    };
    let names = Names {
        accounts_table: Some("accounts".to_owned()),
        jobs_table: Some("jobs".to_owned()),
        subscriptions_table: Some("subscriptions".to_owned()),
        ..Names::default()
    };
    Services::from_names(&connection, names).await
}

fn acceptance() -> Acceptance {
    let env = Fakes::new();
    sample::acceptance(&env, &sample::account(&env, Plan::Free), "fingerprint")
}

fn claim() -> Transition {
    let job = acceptance().job;
    match job.claim(job.created_at) {
        Claim::Work(transition) => *transition,
        other => panic!("{other:?}"),
    }
}

fn canceled(codes: &[&str]) -> Reply {
    let reasons: Vec<Value> = codes.iter().map(|code| json!({"Code": code})).collect();
    Reply::Error(
        400,
        json!({"__type": "TransactionCanceledException", "CancellationReasons": reasons}),
    )
}

fn error(status: u16, name: &str) -> Reply {
    Reply::Error(status, json!({"__type": name, "message": "injected"}))
}

fn record(job: &str, body: &str) -> Reply {
    Reply::Ok(json!({"Item": {
        "pk": {"S": "IDEMPOTENCY#fingerprint"}, "sk": {"S": "IDEMPOTENCY"},
        "bodyHash": {"S": body}, "jobId": {"S": job}, "expiresAt": {"N": "9999999999999"},
    }}))
}

const CONFLICT: [&str; 6] = [
    "None",
    "None",
    "TransactionConflict",
    "None",
    "None",
    "None",
];

#[tokio::test]
async fn after_a_conflict_the_same_write_is_retried() {
    for conflict in [
        canceled(&CONFLICT),
        error(400, "TransactionInProgressException"),
        error(400, "TransactionConflictException"),
    ] {
        let script = Script::play(move |request: &Request| match request.number {
            0 => conflict.clone(),
            _ => Reply::Ok(json!({})),
        })
        .await;
        let accepted = services(&script).await.accept(&acceptance()).await;
        assert_eq!(accepted.unwrap(), AcceptOutcome::New);
        let bodies = script.bodies(TRANSACT);
        assert_eq!(bodies.len(), 2);
        assert_eq!(bodies[0], bodies[1], "the write or its token differs");
    }
}

#[tokio::test]
async fn a_permanent_conflict_is_contention_after_two_seconds() {
    let script = Script::play(|_: &Request| canceled(&CONFLICT)).await;
    let services = services(&script).await;
    let start = Instant::now();
    let accepted = services.accept(&acceptance()).await;
    assert!(
        matches!(accepted, Err(PortError::Contended)),
        "{accepted:?}"
    );
    assert!(start.elapsed() < Duration::from_millis(2_500));
    assert!(script.bodies(TRANSACT).len() > 4);
    let moved = services.apply(&claim()).await;
    assert!(matches!(moved, Err(PortError::Contended)), "{moved:?}");
}

#[tokio::test]
async fn a_used_idempotency_key_takes_precedence_over_an_exhausted_quota_and_a_conflict() {
    let script = Script::play(|request: &Request| match request.operation.as_str() {
        TRANSACT => canceled(&[
            "ConditionalCheckFailed",
            "TransactionConflict",
            "ConditionalCheckFailed",
            "None",
            "None",
            "None",
        ]),
        _ => record("job_01kb0000000000000000000000", "another body"),
    })
    .await;
    let accepted = services(&script).await.accept(&acceptance()).await;
    assert_eq!(
        accepted.unwrap(),
        AcceptOutcome::PreviousRequest(PreviousRequest::KeyReused)
    );
    assert_eq!(script.operations(), [TRANSACT, READ]);
    assert_eq!(script.bodies(READ)[0]["ConsistentRead"], true);
}

#[tokio::test]
async fn a_charge_that_fits_by_now_is_retried() {
    let script =
        Script::play(
            |request: &Request| match (request.operation.as_str(), request.number) {
                (TRANSACT, 0) => canceled(&[
                    "None",
                    "None",
                    "ConditionalCheckFailed",
                    "None",
                    "None",
                    "None",
                ]),
                (TRANSACT, _) => Reply::Ok(json!({})),
                _ => Reply::Ok(json!({"Item": {"month": {"N": "99"}, "d21": {"N": "9"}}})),
            },
        )
        .await;
    let accepted = services(&script).await.accept(&acceptance()).await;
    assert_eq!(accepted.unwrap(), AcceptOutcome::New);
    assert_eq!(script.operations(), [TRANSACT, READ, TRANSACT]);
}

#[tokio::test]
async fn after_a_lost_response_the_record_shows_whose_write_it_was() {
    let ours = acceptance();
    let id = ours.job.id.to_string();
    let other = "job_01kb0000000000000000000000".to_owned();
    let lost = || error(500, "InternalServerError");
    for (lost, recorded, expected) in [
        (lost(), record(&id, "body"), Some(AcceptOutcome::New)),
        (Reply::Drop, record(&id, "body"), Some(AcceptOutcome::New)),
        (
            lost(),
            record(&other, "another body"),
            Some(AcceptOutcome::PreviousRequest(PreviousRequest::KeyReused)),
        ),
        (lost(), Reply::Ok(json!({})), None),
    ] {
        let script = Script::play(move |request: &Request| match request.operation.as_str() {
            TRANSACT => lost.clone(),
            _ => recorded.clone(),
        })
        .await;
        let accepted = services(&script).await.accept(&ours).await;
        match expected {
            Some(expected) => assert_eq!(accepted.unwrap(), expected),
            None => assert!(matches!(accepted, Err(PortError::Unavailable { .. }))),
        }
        for body in script.bodies(TRANSACT) {
            assert_eq!(body["ClientRequestToken"], id);
        }
    }
}

#[tokio::test]
async fn a_stale_transition_is_distinguished_from_our_own_repeated_one() {
    for ours in [true, false] {
        let script = Script::play(move |request: &Request| match request.operation.as_str() {
            TRANSACT => canceled(&["ConditionalCheckFailed", "None", "None"]),
            _ => {
                let write = if ours {
                    request.last_write.clone()
                } else {
                    json!({"S": "another"})
                };
                Reply::Ok(
                    json!({"Item": {"pk": {"S": "JOB#x"}, "sk": {"S": "JOB"}, "writeId": write}}),
                )
            }
        })
        .await;
        assert_eq!(services(&script).await.apply(&claim()).await.unwrap(), ours);
    }
}

#[tokio::test]
async fn a_heartbeat_is_retried_after_a_concurrent_transaction() {
    let script = Script::play(|request: &Request| match request.number {
        0 => error(400, "TransactionConflictException"),
        _ => Reply::Ok(json!({})),
    })
    .await;
    let job = acceptance().job;
    let held = services(&script)
        .await
        .extend_lease(&job.id, 1, job.created_at, 5)
        .await;
    assert!(held.unwrap());
    assert_eq!(script.bodies("UpdateItem").len(), 2);
}

#[tokio::test]
async fn unprocessed_items_of_a_batch_are_retried_and_the_order_is_kept() {
    let jobs: Vec<_> = (0..3).map(|_| acceptance().job).collect();
    let key = |job: &domain::job::Job| json!({"pk": {"S": format!("JOB#{}", job.id)}, "sk": {"S": "JOB"}});
    let row = |job: &domain::job::Job| {
        let mut row = key(job);
        row["dueAt"] = json!({"N": "1"});
        row
    };
    let keys: Vec<Value> = jobs.iter().map(key).collect();
    let rows: Vec<Value> = jobs.iter().map(row).collect();
    let script =
        Script::play(
            move |request: &Request| match (request.operation.as_str(), request.number) {
                ("Query", _) => Reply::Ok(json!({"Items": keys})),
                (_, 1) => Reply::Ok(json!({
                    "Responses": {"jobs": [rows[2]]},
                    "UnprocessedKeys": {"jobs": {"Keys": [keys[0], keys[1]]}},
                })),
                _ => Reply::Ok(json!({"Responses": {"jobs": [rows[1], rows[0]]}})),
            },
        )
        .await;
    let page = services(&script)
        .await
        .due(3, jobs[0].created_at, None, 10)
        .await
        .unwrap();
    let expected: Vec<_> = jobs
        .iter()
        .map(|job| domain::ports::Due::Lease(job.id.clone()))
        .collect();
    assert_eq!((page.rows, page.next), (expected, None));
    assert_eq!(
        script.operations(),
        ["Query", "BatchGetItem", "BatchGetItem"]
    );
    let again = &script.bodies("BatchGetItem")[1]["RequestItems"]["jobs"]["Keys"];
    assert_eq!(again.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn rows_of_a_newer_release_are_reported_and_the_next_page_starts_after_them() {
    let job = acceptance().job;
    let good = serde_json::to_string(&Ticket::for_job(&job)).unwrap();
    let newer = good.replace("\"version\":1", "\"version\":2");
    let pk = format!("JOB#{}", job.id);
    let row = |sk: &str, version: u32, payload: &str| {
        json!({
            "pk": {"S": pk}, "sk": {"S": sk}, "recordVersion": {"N": version.to_string()},
            "dueAt": {"N": "7"}, "payload": {"S": payload}, "sent": {"N": "2"},
        })
    };
    let event = "OUTBOX#event#evt_01kb0000000000000000000000";
    for (sk, version, payload, readable) in [
        ("OUTBOX#ticket", 1, good.as_str(), true),
        ("OUTBOX#ticket", 2, &good, false),
        ("OUTBOX#ticket", 1, &newer, false),
        ("OUTBOX#ticket", 1, "{}", false),
        (event, 1, &good, false),
        ("OUTBOX#another", 1, &good, false),
    ] {
        let stored = row(sk, version, payload);
        let key = json!({"pk": stored["pk"], "sk": stored["sk"]});
        let last = json!({"pk": stored["pk"], "sk": stored["sk"], "dueShard": {"N": "3"}, "dueAt": {"N": "7"}});
        let answered = last.clone();
        let script = Script::play(move |request: &Request| {
            Reply::Ok(match (request.operation.as_str(), request.number) {
                ("Query", 0) => json!({"Items": [key], "LastEvaluatedKey": answered}),
                ("Query", _) => json!({"Items": []}),
                _ => json!({"Responses": {"jobs": [stored]}}),
            })
        })
        .await;
        let services = services(&script).await;
        let page = services.due(3, job.created_at, None, 1).await.unwrap();
        let expected = match readable {
            true => (
                vec![Due::Ticket {
                    ticket: Ticket::for_job(&job),
                    sent: 2,
                }],
                vec![],
            ),
            false => (vec![], vec![format!("{pk} {sk}")]),
        };
        assert_eq!((page.rows, page.unreadable), expected, "{sk} {payload}");
        let end = services.due(3, job.created_at, page.next.as_ref(), 1).await;
        assert_eq!(end.unwrap(), DuePage::default());
        let queries = script.bodies("Query");
        assert_eq!(queries[0].get("ExclusiveStartKey"), None);
        assert_eq!(queries[1]["ExclusiveStartKey"], last);
    }
}

fn key() -> (StoredKey, SecretHash) {
    let env = Fakes::new();
    sample::key(&env, &sample::account(&env, Plan::Free))
}

#[tokio::test]
async fn a_key_is_created_after_the_conflict() {
    let conflict = canceled(&["TransactionConflict", "None", "None"]);
    let script = Script::play(move |request: &Request| match request.number {
        0 => conflict.clone(),
        _ => Reply::Ok(json!({})),
    })
    .await;
    let created = services(&script).await.create_key(&key().0).await;
    assert_eq!(created.unwrap(), KeyCreation::Created);
    let bodies = script.bodies(TRANSACT);
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[0], bodies[1], "the write or its token differs");
}

#[tokio::test]
async fn after_a_lost_response_the_stored_key_shows_whether_it_was_created() {
    for stored in [true, false] {
        let script = Script::play(move |request: &Request| match request.operation.as_str() {
            TRANSACT => Reply::Drop,
            _ if stored => Reply::Ok(json!({"Item": {"pk": {"S": "KEY#x"}, "sk": {"S": "KEY"}}})),
            _ => Reply::Ok(json!({})),
        })
        .await;
        let created = services(&script).await.create_key(&key().0).await;
        match stored {
            true => assert_eq!(created.unwrap(), KeyCreation::Created),
            false => assert!(matches!(created, Err(PortError::Unavailable { .. }))),
        }
    }
}

#[tokio::test]
async fn a_key_of_an_account_without_a_count_is_revoked_too() {
    let (key, _) = key();
    let owner = key.account_id.clone();
    let script = Script::play(move |request: &Request| match request.operation.as_str() {
        TRANSACT => canceled(&["None", "ConditionalCheckFailed"]),
        READ => Reply::Ok(json!({"Item": {"accountId": {"S": owner.as_str()}}})),
        _ => Reply::Ok(json!({})),
    })
    .await;
    let now = key.created_at;
    let revoked = services(&script).await.revoke_key(&key.id, None, now).await;
    assert!(revoked.unwrap());
    let update = &script.bodies("UpdateItem")[0];
    assert_eq!(update["Key"]["pk"]["S"], format!("KEY#{}", key.id));
    assert_eq!(
        update["ExpressionAttributeValues"][":now"]["N"],
        now.0.to_string()
    );
}

#[tokio::test]
async fn a_request_during_the_revocation_of_its_key_may_be_retried() {
    let script = Script::play(|_: &Request| error(400, "TransactionConflictException")).await;
    let (key, hash) = key();
    let services = services(&script).await;
    let admission = services.admit(&key.id, &hash, key.created_at).await;
    assert!(
        matches!(admission, Err(PortError::Contended)),
        "{admission:?}"
    );
}

#[tokio::test]
async fn stale_counters_of_a_key_are_removed() {
    let env = Fakes::new();
    let account = sample::account(&env, Plan::Free);
    let (key, hash) = sample::key(&env, &account);
    let now = env.now();
    for (left_over, updates) in [(63, 1), (64, 2)] {
        let mut stored = json!({
            "pk": {"S": "KEY#x"}, "sk": {"S": "KEY"}, "id": {"S": key.id}, "plan": {"S": "free"},
            "secretHash": {"S": hash.as_str()}, "accountId": {"S": account.id}, "scopes": {"L": []},
            "createdAt": {"N": "1"}, "burstLimit": {"N": "5"},
        });
        for ago in 0..=left_over {
            stored[format!("b{}", now.seconds() - ago * 60)] = json!({"N": "1"});
        }
        let script =
            Script::play(move |_: &Request| Reply::Ok(json!({"Attributes": stored}))).await;
        let admission = services(&script)
            .await
            .admit(&key.id, &hash, now)
            .await
            .unwrap();
        assert!(matches!(admission, Admission::Admitted { burst, .. } if burst.remaining == 4));
        let bodies = script.bodies("UpdateItem");
        assert_eq!(bodies.len(), updates);
        if let Some(removal) = bodies.get(1) {
            let expression = removal["UpdateExpression"].as_str().unwrap();
            assert!(expression.starts_with("REMOVE b") && expression.matches('b').count() == 64);
            let present = format!("b{}", now.seconds());
            assert!(
                !expression.contains(&present),
                "the current second's counter was removed"
            );
        }
    }
}

#[tokio::test]
async fn a_deleted_ticket_row_is_not_created_again() {
    let script = Script::play(|_: &Request| error(400, "ConditionalCheckFailedException")).await;
    let job = acceptance().job;
    let postponed = services(&script)
        .await
        .postpone(&job.id, 1, job.created_at)
        .await;
    assert!(postponed.is_ok(), "{postponed:?}");
    let body = &script.bodies("UpdateItem")[0];
    assert_eq!(body["ConditionExpression"], "attribute_exists(pk)");
}

#[tokio::test]
async fn an_unreachable_service_is_named() {
    let script = Script::play(|_: &Request| Reply::Drop).await;
    let services = services(&script).await;
    drop(script);
    let error = services.job(&acceptance().job.id).await.unwrap_err();
    assert_eq!(error.to_string(), "dynamodb: cannot be reached");
}
