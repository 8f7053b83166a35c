//! Imports, jobs, changes and removals of the same documents at the same time: nothing of what was removed is left, and
//! what is left names nothing that is not there.

/// Documents that come from the host that the stack may fetch from.
mod urls {
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

    use aws_sdk_dynamodb::Client as Tables;
    use aws_sdk_dynamodb::types::AttributeValue;
    use domain::key::hex;
    use domain::source::account_objects;
    use futures::future::join_all;
    use serde_json::{Value, json};
    use sha2::{Digest, Sha256};
    use tests::client::{Answer, download, unique};
    use tests::documents;
    use tests::stack::stack;
    use tests::trusted_host::{Served, TrustedHost};

    use crate::account::{Account, job_id};
    use crate::refusal::assert_refused;
    use crate::storage::{objects, rows, text};

    const ROUNDS: usize = 24;

    /// More pages than the record of a version holds the sizes of: those lie in an object of their own.
    const PAGES: usize = 120;

    /// Longer than the time that latecomers have.
    const LATER: Duration = Duration::from_secs(17 * 60);

    /// A document that was imported, worked on, and perhaps removed meanwhile.
    struct Life {
        document: String,
        removal: Removal,
        jobs: Vec<String>,
    }

    #[tokio::test]
    async fn of_concurrent_imports_jobs_and_removals_no_orphan_stays() {
        let account = Account::new("pro");
        let pdf = documents::pdf(PAGES, 200, 100);
        let host = TrustedHost::serve(move |_| Served::ok("application/pdf", pdf.clone())).await;
        let removals = [
            Removal::AtOnce,
            Removal::Begun,
            Removal::Ended,
            Removal::Never,
        ];
        let rounds = removals.iter().cycle().take(ROUNDS);
        let lives = join_all(rounds.map(|removal| live(&account, *removal))).await;
        drop(host);
        let spent = check_jobs(&account, &lives).await;
        let imports = i64::try_from(ROUNDS).unwrap();
        assert_eq!(account.remaining().await.1, 10_000 - spent - imports);

        until_nobody_works_for(&account).await;
        let (kept, removed): (Vec<&Life>, Vec<&Life>) = lives
            .iter()
            .partition(|life| life.removal == Removal::Never);
        assert_eq!((kept.len(), removed.len()), (6, 18));
        let removed: Vec<_> = removed.iter().map(|life| life.document.as_str()).collect();
        let kept: BTreeSet<_> = kept.iter().map(|life| life.document.as_str()).collect();
        let_latecomers_time_pass(&removed).await;
        until_swept(&removed).await;
        for document in &removed {
            let answer = account.client.get(&format!("/documents/{document}")).await;
            assert_refused(&answer, 404, "document_not_found", &[]);
        }
        let versions = check_rows(&account, &removed, &kept).await;
        check_objects(&account, &versions).await;
        check_downloads(&account, &kept).await;
    }

    /// When a document is removed.
    #[derive(Clone, Copy, PartialEq)]
    enum Removal {
        /// While its jobs are being accepted.
        AtOnce,
        /// Once its first job has begun.
        Begun,
        /// Once its first job has ended.
        Ended,
        Never,
    }

    /// Imports a document twice under one key, and has it worked on, changed and removed.
    async fn live(account: &Account, removal: Removal) -> Life {
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
                if removal == Removal::AtOnce {
                    remove(account, &document).await;
                }
            },
        );
        let mut jobs = Vec::new();
        for answer in [all.0, all.1, all.2] {
            match answer.status {
                202 => jobs.push(job_id(&answer.json())),
                404 => assert_refused(&answer, 404, "document_not_found", &[]),
                _ => assert_refused(&answer, 409, "no_current_version", &[]),
            }
        }
        assert!([200, 404].contains(&all.3.status), "{}", all.3.text());
        assert!([201, 404].contains(&all.4.status), "{}", all.4.text());
        let until: &[&str] = match removal {
            Removal::Begun => &["queued"],
            Removal::Ended => &["queued", "processing"],
            Removal::AtOnce | Removal::Never => {
                return Life {
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
        Life {
            document,
            removal,
            jobs,
        }
    }

    async fn import(account: &Account, key: &str) -> Answer {
        let body = json!({"url": TrustedHost::url("/report.pdf")});
        let headers = [("idempotency-key", key)];
        account
            .client
            .post("/documents/import", &headers, &body)
            .await
    }

    async fn process(account: &Account, document: &str, what: &str) -> Answer {
        let body = match what {
            "rotate" => {
                json!({"operation": "image", "steps": [{"operation": "rotate", "angle": 90}]})
            }
            _ => json!({"operation": "convert", "format": "txt"}),
        };
        let path = format!("/documents/{document}/process");
        account.client.post(&path, &[], &body).await
    }

    async fn change(account: &Account, document: &str) -> Answer {
        let headers = [("content-type", "application/json")];
        let body = json!({"tags": ["changed"]}).to_string().into_bytes();
        let path = format!("/documents/{document}");
        account
            .client
            .send("PATCH", &path, &headers, Some(body))
            .await
    }

    /// Removes a document from two sides: it goes once.
    async fn remove(account: &Account, document: &str) {
        let path = format!("/documents/{document}");
        let remove = || account.client.send("DELETE", &path, &[], None);
        let (one, two) = tokio::join!(remove(), remove());
        let mut statuses = [one.status, two.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 404]);
    }

    /// Each job has ended as it may: what all of them cost.
    async fn check_jobs(account: &Account, lives: &[Life]) -> i64 {
        let (mut spent, mut done, mut missed) = (0, 0, 0);
        for life in lives {
            let stays = life.removal == Removal::Never;
            assert!(life.removal == Removal::AtOnce || life.jobs.len() == 3);
            for job in &life.jobs {
                let job = account.client.wait(job).await;
                let too_late = job["error"]["code"] == "source_missing";
                assert!(
                    job["status"] == "completed" || (too_late && !stays),
                    "{job}"
                );
                missed += usize::from(too_late);
                done += usize::from(!too_late && !stays);
                spent += job["creditsCharged"].as_i64().unwrap();
            }
        }
        println!("of jobs on removed documents {done} were done and {missed} found no source");
        assert!(
            done > 0 && missed > 0,
            "the removals came too early or too late"
        );
        spent
    }

    /// Waits for what Octavo does for itself, too: the looks into new versions.
    async fn until_nobody_works_for(account: &Account) {
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
            assert!(Instant::now() < deadline, "{busy} jobs have not ended");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Makes the removals as old as if nobody could be at work on these documents any more, which is so.
    async fn let_latecomers_time_pass(documents: &[&str]) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let past = AttributeValue::N((now - LATER).as_millis().to_string());
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

    /// Waits until `sweep`, which runs every minute, has done with these removals.
    async fn until_swept(documents: &[&str]) {
        let deadline = Instant::now() + Duration::from_secs(130);
        loop {
            let rows = rows("documents").await;
            let removals = rows.iter().filter(|row| text(row, "sk") == "REMOVAL");
            let of_these = |pk: &str| documents.iter().any(|id| pk.ends_with(id));
            let left = removals.filter(|row| of_these(text(row, "pk"))).count();
            if left == 0 {
                return;
            }
            assert!(Instant::now() < deadline, "{left} removals still wait");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// No row says the name of a document that was removed, and those that stay have a record and versions, and nothing
    /// that is unfinished. `document/version` of each version.
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
        // What was imported, two edits and a rendition.
        assert_eq!(versions.len(), kept.len() * 4);
        versions
    }

    /// Each object belongs to a version or a job that is there, and each version has its content.
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
                    _ => panic!("nothing names {name}"),
                }
            }
        }
        assert_eq!(&contents, versions);
    }

    /// What is told of each version that stays is what its download holds.
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
}
