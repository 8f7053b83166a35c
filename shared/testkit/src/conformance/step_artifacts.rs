//! Artifacts of pipeline steps.

use domain::filename::Filename;
use domain::format::Format;
use domain::id::AccountId;
use domain::job::{ArchiveContents, JobLimits, JobWarning};
use domain::operation::{ConvertOptions, Operation};
use domain::plan::Plan;
use domain::step_cache::{StepArtifact, StepInput, StepKey, step_object};

use crate::environment::{Environment, Ports};
use crate::fakes::crc64nvme;

const BODY: &[u8] = b"artifact of the step";

/// A step's artifact is found by its account and key only, and is replaced together with its metadata.
pub async fn step_artifacts<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = AccountId::mint(env.now(), env.random());
    let (key, expected) = (key("ab"), metadata("aa"));
    assert_eq!(ports.step_artifact(&account, &key).await.unwrap(), None);
    let missing = result(&account, "missing");
    let cached = ports.cache_step_artifact(&account, &key, &expected, &missing, "\"etag\"");
    assert!(!cached.await.unwrap(), "of an object that does not exist");
    assert_eq!(ports.step_artifact(&account, &key).await.unwrap(), None);

    cache(ports, &account, &key, &expected, BODY).await;
    let found = ports.step_artifact(&account, &key).await.unwrap();
    assert_eq!(found, Some(expected.clone()));
    assert_eq!(content(ports, &account, &key, &expected).await, BODY);
    let copy = step_object(&account, &key, &expected.sha256);
    let copy = ports.stored(&copy).await.unwrap().unwrap();
    assert_eq!(copy.content_type, expected.content_type);
    assert_eq!(copy.crc64nvme, Some(crc64nvme(BODY)));

    is_private(ports, env, &account, &key).await;
    is_replaced(ports, &account, &key).await;
}

async fn is_private<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    account: &AccountId,
    key: &StepKey,
) {
    let stranger = AccountId::mint(env.now(), env.random());
    for (account, key) in [(&stranger, key), (account, &self::key("cd"))] {
        assert_eq!(ports.step_artifact(account, key).await.unwrap(), None);
    }
}

/// Another worker executed the same step with different bytes: readers of the first metadata still find the first bytes.
async fn is_replaced<P: Ports>(ports: &P, account: &AccountId, key: &StepKey) {
    let (first, second) = (metadata("aa"), metadata("bb"));
    cache(ports, account, key, &second, b"other bytes").await;
    let found = ports.step_artifact(account, key).await.unwrap();
    assert_eq!(found, Some(second.clone()));
    assert_eq!(content(ports, account, key, &first).await, BODY);
    assert_eq!(content(ports, account, key, &second).await, b"other bytes");
}

/// Caches the artifact of a step whose result has these bytes; the result is deleted afterwards.
async fn cache<P: Ports>(
    ports: &P,
    account: &AccountId,
    key: &StepKey,
    artifact: &StepArtifact,
    body: &[u8],
) {
    let object = result(account, &artifact.sha256);
    let scratch = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&scratch, body).unwrap();
    let stored = ports.store(scratch.path(), &object, &artifact.content_type);
    let etag = stored.await.unwrap();
    let replaced = ports.cache_step_artifact(account, key, artifact, &object, "\"other\"");
    assert!(!replaced.await.unwrap(), "of a replaced object");
    let cached = ports.cache_step_artifact(account, key, artifact, &object, &etag);
    assert!(cached.await.unwrap());
    ports.discard(&object).await.unwrap();
}

async fn content<P: Ports>(
    ports: &P,
    account: &AccountId,
    key: &StepKey,
    artifact: &StepArtifact,
) -> Vec<u8> {
    let object = step_object(account, key, &artifact.sha256);
    ports.content(&object, 1_000).await.unwrap().unwrap()
}

fn result(account: &AccountId, name: &str) -> String {
    format!("results/{account}/{name}")
}

fn key(identity: &str) -> StepKey {
    let input = StepInput {
        identity,
        format: Format::Docx,
        attachments: &[],
        operation: &Operation::Convert(ConvertOptions::to(Format::Pdf)),
        part: None,
        limits: JobLimits::from(Plan::Pro.limits()),
        filename: &Filename::try_from("report.docx".to_owned()).unwrap(),
        engine: "office 25.2.3 fonts 1",
    };
    StepKey::of(&input).unwrap()
}

fn metadata(byte: &str) -> StepArtifact {
    StepArtifact {
        content_type: "application/zip".to_owned(),
        extension: "zip".to_owned(),
        size_bytes: BODY.len() as u64,
        sha256: byte.repeat(32),
        crc64nvme: Some(crc64nvme(BODY)),
        pages: 2,
        contents: Some(ArchiveContents {
            format: Format::Png,
            sizes: vec![9, 9],
            images: None,
        }),
        warnings: vec![JobWarning {
            code: "limited_by_plan".to_owned(),
            message: "smaller — „kleiner“".to_owned(),
            data: serde_json::Map::from_iter([("pages".to_owned(), serde_json::json!([1, 2]))]),
        }],
        engine: "office 25.2.3 fonts 1".to_owned(),
    }
}
