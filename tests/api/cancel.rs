//! Queued jobs: status and cancellation.

/// Run alone, because the processor is switched off.
mod alone {
    use futures::future::join_all;
    use serde_json::{Value, json};
    use tests::client::unique;
    use tests::stack::admin;

    use crate::account::{Account, accepted_job_id};
    use crate::problem::{assert_problem, expected_problem};
    use crate::storage::{self, text};

    /// Keeps a processor switched off until dropped.
    struct ProcessorOff(&'static str);

    impl ProcessorOff {
        fn new(name: &'static str) -> Self {
            admin(&["processor", "off", name]);
            Self(name)
        }
    }

    impl Drop for ProcessorOff {
        fn drop(&mut self) {
            admin(&["processor", "on", self.0]);
        }
    }

    #[tokio::test]
    async fn a_queued_job_is_cancelled_refunded_and_never_processed() {
        let account = Account::new("starter");
        let (body, key) = (account.conversion_body().await, unique("waiting"));
        let off = ProcessorOff::new("process-ocr");
        let job = accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
        let other = account.submit_job(&body).await;
        assert_eq!(account.remaining().await.1, 1_996);
        check_queued(&account, &job).await;
        cancel_concurrently(&account, &job).await;
        assert_eq!(outbox_rows(&job).await, Vec::<String>::new());
        assert_eq!(account.remaining().await.1, 1_998);
        check_cancelled(&account, &job).await;
        let again = account.client.create_job(&body, Some(&key)).await;
        assert_eq!(
            (again.status, &again.json()["status"]),
            (200, &json!("failed"))
        );
        drop(off);
        assert_eq!(account.client.wait(&other).await["status"], "completed");
        check_cancelled(&account, &job).await;
        assert_eq!(account.remaining().await.1, 1_998);
        check_not_cancellable_after_completion(&account, &other).await;
    }

    /// Returns the names of the job's outbox rows.
    async fn outbox_rows(job: &str) -> Vec<String> {
        let partition = format!("JOB#{job}");
        let rows = storage::rows("jobs").await;
        let own = rows.iter().filter(|row| text(row, "pk") == partition);
        let names = own.map(|row| text(row, "sk").to_owned());
        names.filter(|name| name.starts_with("OUTBOX#")).collect()
    }

    async fn check_queued(account: &Account, job: &str) {
        let response = account.client.get(&format!("/jobs/{job}")).await;
        assert_eq!(response.header("retry-after"), "1");
        assert_eq!(response.header("location"), format!("/api/v1/jobs/{job}"));
        let mut shown = response.json();
        let at = shown["createdAt"].clone();
        let kept = shown["expiresAt"].as_i64().unwrap() - at.as_i64().unwrap();
        assert_eq!(kept, 30 * 24 * 3_600_000);
        shown.as_object_mut().unwrap().remove("expiresAt");
        let expected = json!({
            "jobId": job, "status": "queued", "created": false,
            "statusUrl": format!("/api/v1/jobs/{job}"), "resultUrl": format!("/api/v1/jobs/{job}/result"),
            "processor": "process-ocr", "filename": "page.pdf", "operation": "convert", "createdAt": at,
            "updatedAt": at, "attempts": 0, "progress": 0, "creditsCharged": 2, "warnings": [],
            "timeline": [{"status": "queued", "at": at, "attempt": 0}]
        });
        assert_eq!(shown, expected);
        let path = format!("/jobs/{job}/result");
        let result = account.client.get(&path).await;
        let title = "The job has no result";
        assert_problem(
            &result,
            &expected_problem(409, "job_not_completed", title, &path, true),
        );
        let queued = account.client.get("/jobs?status=queued").await.json();
        assert_eq!(queued["jobs"].as_array().unwrap().len(), 2);
        assert_eq!(queued["jobs"][1], response.json());
    }

    /// Sends ten concurrent cancellations: one succeeds, the others get 409.
    async fn cancel_concurrently(account: &Account, job: &str) {
        let path = format!("/jobs/{job}");
        let cancel = |_| account.client.send("DELETE", &path, &[], None);
        let responses = join_all((0..10).map(cancel)).await;
        let (done, refused): (Vec<_>, Vec<_>) = responses.iter().partition(|a| a.status == 204);
        assert_eq!(done.len(), 1);
        for response in refused {
            let title = "The job can no longer be cancelled";
            assert_problem(
                response,
                &expected_problem(409, "job_not_cancellable", title, &path, false),
            );
        }
    }

    async fn check_cancelled(account: &Account, job: &str) {
        let response = account.client.get(&format!("/jobs/{job}")).await;
        assert_eq!(response.header("retry-after"), "");
        let shown = response.json();
        assert_eq!(
            (&shown["status"], &shown["creditsCharged"]),
            (&json!("failed"), &json!(0))
        );
        assert_eq!(shown["error"]["code"], "cancelled");
        assert_eq!(shown["attempts"], 0);
        let statuses: Vec<&Value> = shown["timeline"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| &entry["status"])
            .collect();
        assert_eq!(statuses, ["queued", "failed"]);
    }

    async fn check_not_cancellable_after_completion(account: &Account, job: &str) {
        let before = account.usage().await;
        let response = account
            .client
            .send("DELETE", &format!("/jobs/{job}"), &[], None)
            .await;
        assert_eq!(response.problem(), (409, "job_not_cancellable".to_owned()));
        assert_eq!(account.usage().await, before);
        let result = account.client.get(&format!("/jobs/{job}/result")).await;
        assert_eq!(result.status, 302);
    }
}
