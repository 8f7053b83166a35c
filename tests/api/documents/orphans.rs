//! Concurrent imports, jobs, changes and deletions of documents: deleted documents leave no data, and the rows and objects
//! of the others are complete.

use std::collections::BTreeSet;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::Client as Tables;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::key::hex;
use domain::source::account_objects;
use futures::future::join_all;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::client::{Response, download, unique};
use tests::documents;
use tests::stack::stack;
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::account::{Account, job_id};
use crate::problem::assert_error;
use crate::storage::{objects, rows, text};

const ROUNDS: usize = 24;

/// More pages than fit in the version's row, so that the page sizes are stored in an object.
const PAGES: usize = 120;

/// Longer than the maximum run time of a function.
const AFTER_MAX_FUNCTION_TIME: Duration = Duration::from_secs(17 * 60);

/// A document that was imported, processed, and possibly deleted.
struct Lifecycle {
    document: String,
    removal: RemovalTime,
    jobs: Vec<String>,
}

#[tokio::test]
async fn concurrent_imports_jobs_and_deletions_leave_no_orphans() {
    let account = Account::new("pro");
    let pdf = documents::pdf(PAGES, 200, 100);
    let host = TrustedHost::serve(move |_| StubResponse::ok("application/pdf", pdf.clone())).await;
    let removals = [
        RemovalTime::DuringSubmission,
        RemovalTime::FirstJobStarted,
        RemovalTime::FirstJobFinished,
        RemovalTime::Never,
    ];
    let rounds = removals.iter().cycle().take(ROUNDS);
    let lifecycles = join_all(rounds.map(|removal| run_lifecycle(&account, *removal))).await;
    drop(host);
    let charged = check_jobs(&account, &lifecycles).await;
    let imports = i64::try_from(ROUNDS).unwrap();
    assert_eq!(account.remaining().await.1, 10_000 - charged - imports);

    wait_for_all_jobs(&account).await;
    let (kept, removed): (Vec<&Lifecycle>, Vec<&Lifecycle>) = lifecycles
        .iter()
        .partition(|lifecycle| lifecycle.removal == RemovalTime::Never);
    assert_eq!((kept.len(), removed.len()), (6, 18));
    let removed: Vec<_> = removed
        .iter()
        .map(|lifecycle| lifecycle.document.as_str())
        .collect();
    let kept: BTreeSet<_> = kept
        .iter()
        .map(|lifecycle| lifecycle.document.as_str())
        .collect();
    backdate_removals(&removed).await;
    wait_for_sweep(&removed).await;
    for document in &removed {
        let response = account.client.get(&format!("/documents/{document}")).await;
        assert_error(&response, 404, "document_not_found", &[]);
    }
    let versions = check_rows(&account, &removed, &kept).await;
    check_objects(&account, &versions).await;
    check_downloads(&account, &kept).await;
}

/// When the document is deleted.
#[derive(Clone, Copy, PartialEq)]
enum RemovalTime {
    /// While its jobs are being submitted.
    DuringSubmission,
    /// After its first job has started.
    FirstJobStarted,
    /// After its first job has finished.
    FirstJobFinished,
    Never,
}

/// Imports a document twice with one idempotency key; then processes, changes and deletes it.
async fn run_lifecycle(account: &Account, removal: RemovalTime) -> Lifecycle {
    let key = unique("orphan");
    let (one, two) = tokio::join!(import(account, &key), import(account, &key));
    assert_eq!(
        (one.status, one.json()),
        (201, two.json()),
        "{}",
        one.text()
    );
    let document = one.json()["documentId"].as_str().unwrap().to_owned();
    let all = tokio::join!(
        process(account, &document, "rotate"),
        process(account, &document, "rotate"),
        process(account, &document, "convert"),
        change(account, &document),
        import(account, &key),
        async {
            if removal == RemovalTime::DuringSubmission {
                remove(account, &document).await;
            }
        },
    );
    let mut jobs = Vec::new();
    for response in [all.0, all.1, all.2] {
        match response.status {
            202 => jobs.push(job_id(&response.json())),
            404 => assert_error(&response, 404, "document_not_found", &[]),
            _ => assert_error(&response, 409, "no_current_version", &[]),
        }
    }
    assert!([200, 404].contains(&all.3.status), "{}", all.3.text());
    assert!([201, 404].contains(&all.4.status), "{}", all.4.text());
    let until: &[&str] = match removal {
        RemovalTime::FirstJobStarted => &["queued"],
        RemovalTime::FirstJobFinished => &["queued", "processing"],
        RemovalTime::DuringSubmission | RemovalTime::Never => {
            return Lifecycle {
                document,
                removal,
                jobs,
            };
        }
    };
    let path = format!("/jobs/{}", jobs[0]);
    while until.contains(
        &account.client.get(&path).await.json()["status"]
            .as_str()
            .unwrap(),
    ) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    remove(account, &document).await;
    Lifecycle {
        document,
        removal,
        jobs,
    }
}

async fn import(account: &Account, key: &str) -> Response {
    let body = json!({"url": TrustedHost::url("/report.pdf")});
    let headers = [("idempotency-key", key)];
    account
        .client
        .post("/documents/import", &headers, &body)
        .await
}

async fn process(account: &Account, document: &str, what: &str) -> Response {
    let body = match what {
        "rotate" => {
            json!({"operation": "image", "steps": [{"operation": "rotate", "angle": 90}]})
        }
        _ => json!({"operation": "convert", "format": "txt"}),
    };
    let path = format!("/documents/{document}/process");
    account.client.post(&path, &[], &body).await
}

async fn change(account: &Account, document: &str) -> Response {
    let headers = [("content-type", "application/json")];
    let body = json!({"tags": ["changed"]}).to_string().into_bytes();
    let path = format!("/documents/{document}");
    account
        .client
        .send("PATCH", &path, &headers, Some(body))
        .await
}

/// Deletes a document by two concurrent requests, of which one succeeds.
async fn remove(account: &Account, document: &str) {
    let path = format!("/documents/{document}");
    let remove = || account.client.send("DELETE", &path, &[], None);
    let (one, two) = tokio::join!(remove(), remove());
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404]);
}

/// Asserts that each job has completed or failed with `source_missing`; returns the credits charged.
async fn check_jobs(account: &Account, lifecycles: &[Lifecycle]) -> i64 {
    let (mut charged, mut completed, mut without_source) = (0, 0, 0);
    for lifecycle in lifecycles {
        let is_kept = lifecycle.removal == RemovalTime::Never;
        assert!(lifecycle.removal == RemovalTime::DuringSubmission || lifecycle.jobs.len() == 3);
        for job in &lifecycle.jobs {
            let job = account.client.wait(job).await;
            let too_late = job["error"]["code"] == "source_missing";
            assert!(
                job["status"] == "completed" || (too_late && !is_kept),
                "{job}"
            );
            without_source += usize::from(too_late);
            completed += usize::from(!too_late && !is_kept);
            charged += job["creditsCharged"].as_i64().unwrap();
        }
    }
    println!(
        "of jobs on deleted documents {completed} completed and {without_source} found no source"
    );
    assert!(
        completed > 0 && without_source > 0,
        "the deletions were too early or too late"
    );
    charged
}

/// Waits for all jobs of the account, including the internal inspections of new versions.
async fn wait_for_all_jobs(account: &Account) {
    let deadline = Instant::now() + Duration::from_secs(200);
    let ended = ["completed", "failed", "dead_letter"];
    loop {
        let rows = rows("jobs").await;
        let jobs = rows.iter().filter(|row| text(row, "sk") == "JOB");
        let own = jobs.filter(|row| text(row, "accountId") == account.id);
        let busy = own
            .filter(|row| !ended.contains(&text(row, "status")))
            .count();
        if busy == 0 {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "{busy} jobs not finished in time"
        );
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Sets the removals back in time, so that `sweep` finishes them: no function can still be working on these documents.
async fn backdate_removals(documents: &[&str]) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let past = AttributeValue::N((now - AFTER_MAX_FUNCTION_TIME).as_millis().to_string());
    let tables = Tables::new(&crate::aws::config().await);
    for document in documents {
        let update = tables
            .update_item()
            .table_name(&stack().resources.tables["documents"])
            .key("pk", AttributeValue::S(format!("DOC#{document}")))
            .key("sk", AttributeValue::S("REMOVAL".to_owned()))
            .update_expression("SET removedAt = :past, dueAt = :past")
            .condition_expression("removedAt > :past")
            .expression_attribute_values(":past", past.clone());
        update.send().await.unwrap();
    }
}

/// Waits until `sweep` has finished these removals.
async fn wait_for_sweep(documents: &[&str]) {
    let deadline = Instant::now() + Duration::from_secs(130);
    loop {
        let rows = rows("documents").await;
        let removals = rows.iter().filter(|row| text(row, "sk") == "REMOVAL");
        let of_these = |pk: &str| documents.iter().any(|id| pk.ends_with(id));
        let left = removals.filter(|row| of_these(text(row, "pk"))).count();
        if left == 0 {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "{left} removals not finished in time"
        );
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Asserts that no row contains the identifier of a deleted document, and that the others have a record and versions and no
/// unfinished rows. Returns `document/version` of each version.
async fn check_rows(
    account: &Account,
    removed: &[&str],
    kept: &BTreeSet<&str>,
) -> BTreeSet<String> {
    let mut versions = BTreeSet::new();
    let mut records = BTreeSet::new();
    for row in rows("documents").await {
        let shown = format!("{row:?}");
        let orphan = removed.iter().find(|id| shown.contains(**id));
        assert_eq!(orphan, None, "{shown}");
        if !shown.contains(&account.id) {
            continue;
        }
        match (
            text(&row, "pk").split_once('#').unwrap(),
            text(&row, "sk").split_once('#'),
        ) {
            (("ACCOUNT", _), Some(("DOC", id))) => assert!(records.insert(id.to_owned())),
            (("DOC", id), Some(("VERSION", version))) => {
                assert!(kept.contains(id), "{shown}");
                versions.insert(format!("{id}/{version}"));
            }
            _ => panic!("unfinished: {shown}"),
        }
    }
    assert!(
        records.iter().map(String::as_str).eq(kept.iter().copied()),
        "{records:?}"
    );
    // The import, two edits and a rendition.
    assert_eq!(versions.len(), kept.len() * 4);
    versions
}

/// Asserts that each object belongs to an existing version or job, and that each version has its content.
async fn check_objects(account: &Account, versions: &BTreeSet<String>) {
    let own = account.id.parse().unwrap();
    let jobs: BTreeSet<_> = rows("jobs")
        .await
        .iter()
        .map(|row| text(row, "pk").to_owned())
        .collect();
    let mut contents = BTreeSet::new();
    for prefix in account_objects(&own) {
        for name in objects(&prefix).await {
            let parts: Vec<&str> = name.split('/').collect();
            match *parts.as_slice() {
                ["documents", _, document, version, "content"] => {
                    contents.insert(format!("{document}/{version}"));
                }
                ["documents", _, document, version, "pages"] => {
                    assert!(
                        versions.contains(&format!("{document}/{version}")),
                        "{name}"
                    );
                }
                ["results", _, job, ..] => {
                    assert!(jobs.contains(&format!("JOB#{job}")), "{name}")
                }
                _ => panic!("orphaned object {name}"),
            }
        }
    }
    assert_eq!(&contents, versions);
}

/// Asserts that the SHA-256 of each version equals that of its download.
async fn check_downloads(account: &Account, kept: &BTreeSet<&str>) {
    for document in kept {
        let path = format!("/documents/{document}");
        let detail: Value = account.client.get(&path).await.json();
        assert_eq!(detail["document"]["tags"], json!(["changed"]));
        for version in detail["versions"].as_array().unwrap() {
            let path = format!(
                "{path}/versions/{}/download",
                version["id"].as_str().unwrap()
            );
            let redirect = account.client.get(&path).await;
            let file = download(redirect.header("location")).await;
            assert_eq!(version["sha256"], hex(&Sha256::digest(&file.bytes)));
        }
    }
}
