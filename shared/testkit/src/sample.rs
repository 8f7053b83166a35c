//! Sample accounts, keys, jobs and events.

pub mod library;
pub mod subscription;

use std::time::Duration;

use domain::account::{Account, StoredKey};
use domain::event::{Event, EventType};
use domain::filename::Filename;
use domain::format::Format;
use domain::id::{AccountId, JobId, SourceKey};
use domain::job::{
    Charge, Job, JobLimits, JobSource, JobStatus, Output, TimelineEntry, UploadedSource,
};
use domain::key::{ApiKey, Pepper, SecretHash};
use domain::operation::{ConvertOptions, Operation};
use domain::plan::Plan;
use domain::ports::{Acceptance, Accounts, Keys};
use domain::processor::Processor;
use domain::retry::ATTEMPTS;
use domain::scope::Scope;
use domain::timestamp::{Timestamp, days};
use domain::transition::TicketChange;
use domain::usage;
use secrecy::SecretString;
use serde_json::json;

use crate::environment::Environment;

/// A new account.
pub fn account(env: &impl Environment, plan: Plan) -> Account {
    Account {
        id: AccountId::mint(env.now(), env.random()),
        plan,
        email: Some("owner@example.com".to_owned()),
        locale: None,
        created_at: env.now(),
    }
}

/// A new key of `account` with every scope, and the hash of its secret.
pub fn key(env: &impl Environment, account: &Account) -> (StoredKey, SecretHash) {
    let key = api_key(env);
    let hash = key.hash(&pepper());
    let stored = StoredKey {
        id: key.id().clone(),
        secret_hash: hash.clone(),
        account_id: account.id.clone(),
        plan: account.plan,
        locale: account.locale,
        scopes: Scope::ALL.to_vec(),
        name: Some("test".to_owned()),
        created_at: env.now(),
        revoked_at: None,
    };
    (stored, hash)
}

/// A new account on `plan`, and the text of a key of it with these scopes.
pub async fn caller<W>(env: &W, plan: Plan, scopes: &[Scope]) -> (Account, String)
where
    W: Accounts + Keys + Environment,
{
    let (account, key) = (account(env, plan), api_key(env));
    env.create_account(&account).await.unwrap();
    let stored = StoredKey {
        id: key.id().clone(),
        secret_hash: key.hash(&pepper()),
        account_id: account.id.clone(),
        plan,
        locale: None,
        scopes: scopes.to_vec(),
        name: None,
        created_at: env.now(),
        revoked_at: None,
    };
    env.create_key(&stored).await.unwrap();
    (account, key.reveal())
}

/// A new API key.
pub fn api_key(env: &impl Environment) -> ApiKey {
    let random = [env.random(), env.random(), env.random()];
    let mut bytes = [0; 48];
    for (part, number) in bytes.chunks_exact_mut(16).zip(random) {
        part.copy_from_slice(&number.to_be_bytes());
    }
    ApiKey::mint(&bytes)
}

/// The pepper of tests.
pub fn pepper() -> Pepper {
    Pepper::new(SecretString::from("pepper"))
}

/// A queued job of `account`, accepted at `now`, that converts a text file to PDF.
pub fn job(env: &impl Environment, account: &Account, now: Timestamp) -> Job {
    let convert = Operation::Convert(ConvertOptions::to(Format::Pdf));
    let credits = convert.credits();
    Job {
        record_version: Job::RECORD_VERSION,
        id: JobId::mint(now, env.random()),
        account_id: account.id.clone(),
        status: JobStatus::Queued,
        attempt: 0,
        attempt_limit: ATTEMPTS,
        created_at: now,
        updated_at: now,
        expires_at: now.plus(days(30)),
        filename: Filename::try_from("Bericht März.txt".to_owned()).unwrap(),
        input_format: Format::Txt,
        format: Format::Pdf,
        steps: vec![convert],
        processor: Processor::ProcessOffice,
        source: JobSource::Upload(UploadedSource {
            key: SourceKey::mint(now, env.random()),
            etag: "\"0123456789abcdef\"".to_owned(),
            size_bytes: 12,
        }),
        attachments: Vec::new(),
        document: None,
        limits: JobLimits::from(account.plan.limits()),
        charge: Charge {
            credits,
            units: usage::units(account.plan, credits),
            day: now.period().day(),
        },
        result_days: 7,
        strict: true,
        metadata: Some(json!({"z": 1, "a": [1.5, null, true, ""], "big": 1e200, "": {}})),
        traceparent: Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned()),
        lease_until: None,
        not_before: None,
        progress: 0,
        output: None,
        error: None,
        refunded: false,
        warnings: Vec::new(),
        timeline: vec![TimelineEntry {
            status: JobStatus::Queued,
            at: now,
            attempt: 0,
        }],
        step_runs: Vec::new(),
    }
}

/// The acceptance of a new job under the idempotency key `fingerprint`.
pub fn acceptance(env: &impl Environment, account: &Account, fingerprint: &str) -> Acceptance {
    accept_at(env, account, fingerprint, env.now())
}

/// The acceptance of a job at `now`.
pub fn accept_at(
    env: &impl Environment,
    account: &Account,
    fingerprint: &str,
    now: Timestamp,
) -> Acceptance {
    let job = job(env, account, now);
    Acceptance {
        plan: account.plan,
        fingerprint: fingerprint.to_owned(),
        body_hash: "body".to_owned(),
        event: Event::of_job(EventType::JobCreated, &job),
        ticket: job.ticket_row(now, Duration::ZERO),
        job,
    }
}

/// The upload that is a job's source.
///
/// # Panics
/// If the job has another source.
pub fn upload(job: &mut Job) -> &mut UploadedSource {
    match &mut job.source {
        JobSource::Upload(upload) => upload,
        _ => panic!("{} has no upload", job.id),
    }
}

/// An unused fingerprint.
pub fn fingerprint(env: &impl Environment) -> String {
    format!("{:032x}", env.random())
}

/// The result of `job`.
pub fn output(job: &Job) -> Output {
    Output {
        object: "document.pdf".to_owned(),
        filename: job.filename.with_extension("pdf"),
        content_type: "application/pdf".to_owned(),
        size_bytes: 1_234,
        sha256: "00".repeat(32),
        pages: 1,
        contents: None,
        engine: "office 25.2.3 fonts 1".to_owned(),
        expires_at: job.created_at.plus(days(7)),
    }
}

/// When a ticket row is due.
///
/// # Panics
/// If the change writes no row.
pub fn due(change: &TicketChange) -> Timestamp {
    match change {
        TicketChange::Put { due, .. } => *due,
        other => panic!("no ticket row: {other:?}"),
    }
}
