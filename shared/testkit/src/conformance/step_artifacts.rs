//! Artifacts of pipeline steps.

use std::path::Path;

use domain::filename::Filename;
use domain::format::Format;
use domain::id::AccountId;
use domain::job::{ArchiveContents, JobLimits, JobWarning};
use domain::operation::{ConvertOptions, Operation};
use domain::plan::Plan;
use domain::step_cache::{StepArtifact, StepInput, StepKey};

use crate::environment::{Environment, Ports};

const BODY: &[u8] = b"artifact of the step";

/// A step's artifact is found by its account and key only, and is replaced together with its metadata.
pub async fn step_artifacts<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = AccountId::mint(env.now(), env.random());
    let (key, scratch) = (key("ab"), tempfile::tempdir().unwrap());
    let (artifact, copy) = (scratch.path().join("artifact"), scratch.path().join("copy"));
    std::fs::write(&artifact, BODY).unwrap();
    let expected = metadata("aa");
    assert_eq!(ports.step_artifact(&account, &key).await.unwrap(), None);
    let found = ports.fetch_step_artifact(&account, &key, &expected, &copy);
    assert!(
        !found.await.unwrap() && !copy.exists(),
        "before it is stored"
    );

    let stored = ports.store_step_artifact(&account, &key, &expected, &artifact);
    stored.await.unwrap();
    let found = ports.step_artifact(&account, &key).await.unwrap();
    assert_eq!(found, Some(expected.clone()));
    let found = ports.fetch_step_artifact(&account, &key, &expected, &copy);
    assert!(found.await.unwrap());
    assert_eq!(std::fs::read(&copy).unwrap(), BODY);

    is_private(ports, env, &account, &key, &expected).await;
    is_replaced(ports, &account, &key, &artifact).await;
}

async fn is_private<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    account: &AccountId,
    key: &StepKey,
    expected: &StepArtifact,
) {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("copy");
    let stranger = AccountId::mint(env.now(), env.random());
    for (account, key) in [(&stranger, key), (account, &self::key("cd"))] {
        assert_eq!(ports.step_artifact(account, key).await.unwrap(), None);
        let found = ports.fetch_step_artifact(account, key, expected, &path);
        assert!(!found.await.unwrap() && !path.exists());
    }
}

/// Another worker executed the same step with different bytes: readers of the first metadata still find the first bytes.
async fn is_replaced<P: Ports>(ports: &P, account: &AccountId, key: &StepKey, path: &Path) {
    std::fs::write(path, b"other bytes").unwrap();
    let (first, second) = (metadata("aa"), metadata("bb"));
    let stored = ports.store_step_artifact(account, key, &second, path);
    stored.await.unwrap();
    let found = ports.step_artifact(account, key).await.unwrap();
    assert_eq!(found, Some(second.clone()));
    for (expected, body) in [(&first, BODY), (&second, b"other bytes")] {
        let found = ports.fetch_step_artifact(account, key, expected, path);
        assert!(found.await.unwrap());
        assert_eq!(std::fs::read(path).unwrap(), body);
    }
}

fn key(sha256: &str) -> StepKey {
    let input = StepInput {
        sha256,
        format: Format::Docx,
        attachments: &[],
        operation: &Operation::Convert(ConvertOptions::to(Format::Pdf)),
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
        pages: 2,
        contents: Some(ArchiveContents {
            format: Format::Png,
            sizes: vec![9, 9],
        }),
        warnings: vec![JobWarning {
            code: "limited_by_plan".to_owned(),
            message: "smaller — „kleiner“".to_owned(),
        }],
        engine: "office 25.2.3 fonts 1".to_owned(),
    }
}
