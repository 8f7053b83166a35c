//! What the steps of pipelines left.

use std::path::Path;

use domain::filename::Filename;
use domain::format::Format;
use domain::id::AccountId;
use domain::job::{ArchiveContents, JobLimits, Warning};
use domain::operation::{ConvertOptions, Operation};
use domain::plan::Plan;
use domain::step_cache::{StepFacts, StepInput, StepKey};

use crate::world::{Ports, World};

const BODY: &[u8] = b"what the step left";

/// A step's artifact is found by its account and key alone, whole, and is replaced together with its facts.
pub async fn steps<P: Ports, W: World>(ports: &P, world: &W) {
    let account = AccountId::mint(world.now(), world.random());
    let (key, scratch) = (key("ab"), tempfile::tempdir().unwrap());
    let (artifact, copy) = (scratch.path().join("artifact"), scratch.path().join("copy"));
    std::fs::write(&artifact, BODY).unwrap();
    let facts = facts("aa");
    assert_eq!(ports.kept_step(&account, &key).await.unwrap(), None);
    let found = ports.fetch_step(&account, &key, &facts, &copy);
    assert!(!found.await.unwrap() && !copy.exists(), "before it is kept");

    let kept = ports.keep_step(&account, &key, &facts, &artifact);
    kept.await.unwrap();
    let known = ports.kept_step(&account, &key).await.unwrap();
    assert_eq!(known, Some(facts.clone()));
    let found = ports.fetch_step(&account, &key, &facts, &copy);
    assert!(found.await.unwrap());
    assert_eq!(std::fs::read(&copy).unwrap(), BODY);

    is_nobody_elses(ports, world, &account, &key, &facts).await;
    is_replaced(ports, &account, &key, &artifact).await;
}

async fn is_nobody_elses<P: Ports, W: World>(
    ports: &P,
    world: &W,
    account: &AccountId,
    key: &StepKey,
    facts: &StepFacts,
) {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("copy");
    let stranger = AccountId::mint(world.now(), world.random());
    for (account, key) in [(&stranger, key), (account, &self::key("cd"))] {
        assert_eq!(ports.kept_step(account, key).await.unwrap(), None);
        let found = ports.fetch_step(account, key, facts, &path);
        assert!(!found.await.unwrap() && !path.exists());
    }
}

/// Another worker did the same step and made other bytes: whoever read the first facts still finds the first bytes.
async fn is_replaced<P: Ports>(ports: &P, account: &AccountId, key: &StepKey, path: &Path) {
    std::fs::write(path, b"other bytes").unwrap();
    let (first, second) = (facts("aa"), facts("bb"));
    let kept = ports.keep_step(account, key, &second, path);
    kept.await.unwrap();
    let known = ports.kept_step(account, key).await.unwrap();
    assert_eq!(known, Some(second.clone()));
    for (facts, body) in [(&first, BODY), (&second, b"other bytes")] {
        let found = ports.fetch_step(account, key, facts, path);
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

fn facts(byte: &str) -> StepFacts {
    StepFacts {
        content_type: "application/zip".to_owned(),
        extension: "zip".to_owned(),
        size_bytes: BODY.len() as u64,
        sha256: byte.repeat(32),
        pages: 2,
        contents: Some(ArchiveContents {
            format: Format::Png,
            sizes: vec![9, 9],
        }),
        warnings: vec![Warning {
            code: "limited_by_plan".to_owned(),
            message: "smaller — „kleiner“".to_owned(),
        }],
        engine: "office 25.2.3 fonts 1".to_owned(),
    }
}
