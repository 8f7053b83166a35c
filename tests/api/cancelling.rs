//! Jobs that wait for their processor: what is shown of them, and their cancellation.

/// The processor of these jobs is switched off meanwhile.
mod alone {
    use futures::future::join_all;
    use serde_json::{Value, json};
    use tests::client::unique;
    use tests::stack::admin;

    use crate::account::{Account, accepted};
    use crate::refusal::{assert_problem, problem};
    use crate::storage::{self, text};

    /// A processor that takes no tickets until this value goes.
    struct Off(&'static str);

    impl Off {
        fn switch(name: &'static str) -> Self {
            admin(&["processor", "off", name]);
            Self(name)
        }
    }

    impl Drop for Off {
        fn drop(&mut self) {
            admin(&["processor", "on", self.0]);
        }
    }

    #[tokio::test]
    async fn a_waiting_job_is_shown_cancelled_and_refunded_and_never_done() {
        let account = Account::new("starter");
        let (body, key) = (account.conversion().await, unique("waiting"));
        let off = Off::switch("process-ocr");
        let job = accepted(&account.client.create_job(&body, Some(&key)).await);
        let stays = account.accept(&body).await;
        assert_eq!(account.remaining().await.1, 1_996);
        check_waiting(&account, &job).await;
        cancel_at_once(&account, &job).await;
        assert_eq!(untold(&job).await, Vec::<String>::new());
        assert_eq!(account.remaining().await.1, 1_998);
        check_cancelled(&account, &job).await;
        let again = account.client.create_job(&body, Some(&key)).await;
        assert_eq!(
            (again.status, &again.json()["status"]),
            (200, &json!("failed"))
        );
        drop(off);
        assert_eq!(account.client.wait(&stays).await["status"], "completed");
        check_cancelled(&account, &job).await;
        assert_eq!(account.remaining().await.1, 1_998);
        refuse_after_completion(&account, &stays).await;
    }

    /// What is still to be told of a job.
    async fn untold(job: &str) -> Vec<String> {
        let partition = format!("JOB#{job}");
        let rows = storage::rows("jobs").await;
        let own = rows.iter().filter(|row| text(row, "pk") == partition);
        let names = own.map(|row| text(row, "sk").to_owned());
        names.filter(|name| name.starts_with("OUTBOX#")).collect()
    }

    async fn check_waiting(account: &Account, job: &str) {
        let answer = account.client.get(&format!("/jobs/{job}")).await;
        assert_eq!(answer.header("retry-after"), "1");
        assert_eq!(answer.header("location"), format!("/api/v1/jobs/{job}"));
        let mut shown = answer.json();
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
        let title = "The job has no result yet";
        assert_problem(
            &result,
            &problem(409, "job_not_completed", title, &path, true),
        );
        let queued = account.client.get("/jobs?status=queued").await.json();
        assert_eq!(queued["jobs"].as_array().unwrap().len(), 2);
        assert_eq!(queued["jobs"][1], answer.json());
    }

    /// Ten cancel at the same time: one does, the others are told so.
    async fn cancel_at_once(account: &Account, job: &str) {
        let path = format!("/jobs/{job}");
        let cancel = |_| account.client.send("DELETE", &path, &[], None);
        let answers = join_all((0..10).map(cancel)).await;
        let (done, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|a| a.status == 204);
        assert_eq!(done.len(), 1);
        for answer in refused {
            let title = "The job can no longer be cancelled";
            assert_problem(
                answer,
                &problem(409, "job_not_cancellable", title, &path, false),
            );
        }
    }

    async fn check_cancelled(account: &Account, job: &str) {
        let answer = account.client.get(&format!("/jobs/{job}")).await;
        assert_eq!(answer.header("retry-after"), "");
        let shown = answer.json();
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

    async fn refuse_after_completion(account: &Account, job: &str) {
        let before = account.usage().await;
        let answer = account
            .client
            .send("DELETE", &format!("/jobs/{job}"), &[], None)
            .await;
        assert_eq!(answer.refusal(), (409, "job_not_cancellable".to_owned()));
        assert_eq!(account.usage().await, before);
        let result = account.client.get(&format!("/jobs/{job}/result")).await;
        assert_eq!(result.status, 302);
    }
}
