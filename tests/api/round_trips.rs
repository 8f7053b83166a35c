//! Number of AWS requests per API request, from the emulator's wire log.

/// Run alone, because the wire log counts the requests of the whole stack.
mod alone {
    mod every_route;

    use std::time::{Duration, Instant};

    use tests::client::unique;
    use tests::logs;
    use tests::wire::{assert_at_most, during};

    use crate::account::{Account, accepted_job_id};

    /// Warms up each function, so that reading secrets at a cold start is not counted.
    async fn warm(account: &Account) {
        let job = account.run_job(&account.conversion_body().await).await;
        account.client.result(&job).await;
        account.jobs().await;
        account.usage().await;
    }

    const SUBMIT: [(&str, usize); 3] = [("dynamodb", 2), ("s3", 1), ("sqs", 1)];
    const AUTHENTICATE: [(&str, usize); 1] = [("dynamodb", 1)];
    /// DynamoDB: read, claim, finish, removal of sent outbox rows. S3: check of the stored result; the download and the upload
    /// of the engine function, whose presigned requests carry the rights of the coordinator. Jobs of more than half a second
    /// publish their events in two parts, and remove two rows.
    const PROCESS: [(&str, usize); 4] = [("dynamodb", 5), ("lambda", 1), ("s3", 3), ("events", 2)];

    #[tokio::test]
    async fn job_routes_make_few_aws_requests() {
        let account = Account::new("starter");
        warm(&account).await;
        let (client, body, key) = (
            &account.client,
            account.conversion_body().await,
            unique("trips"),
        );
        let (response, requests) = during("jobs", client.create_job(&body, Some(&key))).await;
        let job = accepted_job_id(&response);
        assert_at_most(&requests, &SUBMIT, "submit");
        client.wait(&job).await;
        check_pipeline(&account).await;
        let path = format!("/jobs/{job}");
        for path in [path.clone(), format!("{path}/result")] {
            let (response, requests) = during("jobs", client.get(&path)).await;
            assert!([200, 302].contains(&response.status), "{}", response.text());
            assert_at_most(&requests, &[("dynamodb", 2)], &path);
        }
        let (_, requests) = during("jobs", client.get("/jobs")).await;
        assert_at_most(&requests, &[("dynamodb", 3)], "list");
        let (_, requests) = during("account", client.get("/usage")).await;
        assert_at_most(&requests, &[("dynamodb", 2)], "usage");
    }

    #[tokio::test]
    async fn a_coordinator_makes_few_aws_requests() {
        let account = Account::new("starter");
        warm(&account).await;
        let body = account.conversion_body().await;
        let work = async {
            let job = account.run_job(&body).await;
            wait_until_logged(job["jobId"].as_str().unwrap()).await;
        };
        let ((), requests) = during("process-ocr", work).await;
        assert_at_most(&requests, &PROCESS, "a job of one step");
    }

    /// Waits until the coordinator has logged the duration of a job, after its last request.
    async fn wait_until_logged(job: &str) {
        let deadline = Instant::now() + Duration::from_secs(10);
        let is_about_job =
            |line: &serde_json::Value| line["span"]["job_id"] == job && line["finish_ms"].is_u64();
        while !logs::of("process-ocr").iter().any(is_about_job) {
            assert!(Instant::now() < deadline, "{job} is not logged");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Compared to a job, a pipeline also reads whether its processor is enabled.
    async fn check_pipeline(account: &Account) {
        let source = account.conversion_body().await["sourceKey"].take();
        let steps = serde_json::json!([{"operation": "convert", "format": "txt"}]);
        let body = serde_json::json!({"sourceKey": source, "steps": steps});
        let key = unique("trips");
        let headers = [("idempotency-key", &*key)];
        let created = account.client.post("/pipeline", &headers, &body);
        let (response, requests) = during("jobs", created).await;
        accepted_job_id(&response);
        let most = [("dynamodb", 3), ("s3", 1), ("sqs", 1)];
        assert_at_most(&requests, &most, "pipeline");
    }

    #[tokio::test]
    async fn uploads_make_few_aws_requests() {
        let account = Account::new("starter");
        warm(&account).await;
        let body =
            serde_json::json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 1});
        let upload = |headers| account.client.post("/files/upload", headers, &body);
        let (response, requests) = during("files", upload(&[])).await;
        assert_eq!(response.status, 201, "{}", response.text());
        assert_at_most(&requests, &AUTHENTICATE, "upload");
        let key = unique("trips");
        let (response, requests) = during("files", upload(&[("idempotency-key", &key)])).await;
        assert_eq!(response.status, 201, "{}", response.text());
        assert_at_most(&requests, &[("dynamodb", 2)], "upload with a key");
    }

    #[tokio::test]
    async fn malformed_requests_make_no_aws_requests_beyond_authentication() {
        let account = Account::new("starter");
        warm(&account).await;
        let malformed_key = tests::client::Client::with_key(Some("oct_junk_junk"));
        let (response, requests) = during("jobs", malformed_key.get("/jobs")).await;
        assert_eq!(response.status, 401);
        assert_at_most(&requests, &[], "a malformed key");
        let (response, requests) = during("jobs", account.client.get("/jobs/junk")).await;
        assert_eq!(response.status, 404);
        assert_at_most(&requests, &AUTHENTICATE, "a malformed identifier");
        let body = serde_json::json!({"filename": "a", "format": "pdf"});
        let (response, requests) = during("jobs", account.client.create_job(&body, None)).await;
        assert_eq!(response.status, 422);
        assert_at_most(&requests, &AUTHENTICATE, "a malformed body");
    }
}
