//! How many requests to AWS each call makes, counted at the emulator's wire.

/// Nothing else calls meanwhile.
mod alone {
    mod every_route;

    use tests::client::unique;
    use tests::wire::{assert_at_most, during};

    use crate::account::{Account, accepted};

    /// Has each function read its secrets and open its connections before anything is counted.
    async fn warm(account: &Account) {
        let job = account.ended(&account.conversion().await).await;
        account.client.result(&job).await;
        account.jobs().await;
        account.usage().await;
    }

    const SUBMIT: [(&str, usize); 3] = [("dynamodb", 2), ("s3", 1), ("sqs", 1)];
    const GATE: [(&str, usize); 1] = [("dynamodb", 1)];

    #[tokio::test]
    async fn a_call_makes_as_few_requests_as_it_can() {
        let account = Account::new("starter");
        warm(&account).await;
        let (client, body, key) = (&account.client, account.conversion().await, unique("trips"));
        let (answer, asked) = during("jobs", client.create_job(&body, Some(&key))).await;
        let job = accepted(&answer);
        assert_at_most(&asked, &SUBMIT, "submit");
        client.wait(&job).await;
        pipeline_asks_for_its_switch_beside(&account).await;
        let path = format!("/jobs/{job}");
        for path in [path.clone(), format!("{path}/result")] {
            let (answer, asked) = during("jobs", client.get(&path)).await;
            assert!([200, 302].contains(&answer.status), "{}", answer.text());
            assert_at_most(&asked, &[("dynamodb", 2)], &path);
        }
        let (_, asked) = during("jobs", client.get("/jobs")).await;
        assert_at_most(&asked, &[("dynamodb", 3)], "list");
        let (_, asked) = during("account", client.get("/usage")).await;
        assert_at_most(&asked, &[("dynamodb", 2)], "usage");
    }

    /// A pipeline reads the switch of its processor, and nothing else more than any job.
    async fn pipeline_asks_for_its_switch_beside(account: &Account) {
        let source = account.conversion().await["sourceKey"].take();
        let steps = serde_json::json!([{"operation": "convert", "format": "txt"}]);
        let body = serde_json::json!({"sourceKey": source, "steps": steps});
        let key = unique("trips");
        let headers = [("idempotency-key", &*key)];
        let created = account.client.post("/pipeline", &headers, &body);
        let (answer, asked) = during("jobs", created).await;
        accepted(&answer);
        let most = [("dynamodb", 3), ("s3", 1), ("sqs", 1)];
        assert_at_most(&asked, &most, "pipeline");
    }

    #[tokio::test]
    async fn an_upload_asks_once_and_once_more_with_a_key() {
        let account = Account::new("starter");
        warm(&account).await;
        let body =
            serde_json::json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 1});
        let upload = |headers| account.client.post("/files/upload", headers, &body);
        let (answer, asked) = during("files", upload(&[])).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        assert_at_most(&asked, &GATE, "upload");
        let key = unique("trips");
        let (answer, asked) = during("files", upload(&[("idempotency-key", &key)])).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        assert_at_most(&asked, &[("dynamodb", 2)], "upload with a key");
    }

    #[tokio::test]
    async fn what_is_junk_on_its_face_is_refused_without_any_request() {
        let account = Account::new("starter");
        warm(&account).await;
        let nobody = tests::client::Client::with_key(Some("oct_junk_junk"));
        let (answer, asked) = during("jobs", nobody.get("/jobs")).await;
        assert_eq!(answer.status, 401);
        assert_at_most(&asked, &[], "a malformed key");
        let (answer, asked) = during("jobs", account.client.get("/jobs/junk")).await;
        assert_eq!(answer.status, 404);
        assert_at_most(&asked, &GATE, "a malformed identifier");
        let body = serde_json::json!({"filename": "a", "format": "pdf"});
        let (answer, asked) = during("jobs", account.client.create_job(&body, None)).await;
        assert_eq!(answer.status, 422);
        assert_at_most(&asked, &GATE, "a malformed body");
    }
}
