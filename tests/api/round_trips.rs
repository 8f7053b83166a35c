//! How many requests to AWS each call makes, counted at the emulator's wire.

/// Nothing else calls meanwhile.
mod alone {
    mod every_route;

    use tests::client::{Answer, unique};
    use tests::stack::stack;
    use tests::wire;

    use crate::account::{Account, accepted};

    /// What `call` answers and what `function` asked of AWS meanwhile: service and operation, in order.
    async fn counted(function: &str, call: impl Future<Output = Answer>) -> (Answer, Vec<String>) {
        let before = wire::requests().len();
        let answer = call.await;
        let name = &stack().resources.functions[function];
        let own = wire::requests().split_off(before).into_iter();
        let own = own.filter(|request| request.function.as_ref() == Some(name));
        let asked = own.map(|request| format!("{} {}", request.service, request.operation));
        (answer, asked.collect())
    }

    /// Has each function read its secrets and open its connections before anything is counted.
    async fn warm(account: &Account) {
        let job = account.ended(&account.conversion().await).await;
        account.client.result(&job).await;
        account.jobs().await;
        account.usage().await;
    }

    const GATE: &str = "dynamodb UpdateItem";

    #[tokio::test]
    async fn a_call_makes_as_few_requests_as_it_can() {
        let account = Account::new("starter");
        warm(&account).await;
        let (client, body, key) = (&account.client, account.conversion().await, unique("trips"));
        let (answer, asked) = counted("jobs", client.create_job(&body, Some(&key))).await;
        let job = accepted(&answer);
        let submit = [
            GATE,
            "s3 HEAD",
            "dynamodb TransactWriteItems",
            "sqs SendMessage",
        ];
        assert_eq!(asked, submit);
        client.wait(&job).await;
        pipeline_asks_for_its_switch_beside(&account).await;
        let path = format!("/jobs/{job}");
        let one_job = [GATE, "dynamodb GetItem"];
        for path in [path.clone(), format!("{path}/result")] {
            let (answer, asked) = counted("jobs", client.get(&path)).await;
            assert!([200, 302].contains(&answer.status), "{}", answer.text());
            assert_eq!(asked, one_job, "{path}");
        }
        let (_, asked) = counted("jobs", client.get("/jobs")).await;
        assert_eq!(asked, [GATE, "dynamodb Query", "dynamodb BatchGetItem"]);
        let (_, asked) = counted("account", client.get("/usage")).await;
        assert_eq!(asked.len(), 2, "{asked:?}");
        assert!(
            asked.iter().all(|request| request.starts_with("dynamodb ")),
            "{asked:?}"
        );
    }

    /// A pipeline reads the switch of its processor, and nothing else more than any job.
    async fn pipeline_asks_for_its_switch_beside(account: &Account) {
        let source = account.conversion().await["sourceKey"].take();
        let steps = serde_json::json!([{"operation": "convert", "format": "txt"}]);
        let body = serde_json::json!({"sourceKey": source, "steps": steps});
        let key = unique("trips");
        let headers = [("idempotency-key", &*key)];
        let created = account.client.post("/pipeline", &headers, &body);
        let (answer, asked) = counted("jobs", created).await;
        accepted(&answer);
        let submit = [
            GATE,
            "dynamodb GetItem",
            "s3 HEAD",
            "dynamodb TransactWriteItems",
            "sqs SendMessage",
        ];
        assert_eq!(asked, submit);
    }

    #[tokio::test]
    async fn an_upload_asks_once_and_once_more_with_a_key() {
        let account = Account::new("starter");
        warm(&account).await;
        let body =
            serde_json::json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 1});
        let upload = |headers| account.client.post("/files/upload", headers, &body);
        let (answer, asked) = counted("files", upload(&[])).await;
        assert_eq!((answer.status, asked), (201, vec![GATE.to_owned()]));
        let key = unique("trips");
        let (answer, asked) = counted("files", upload(&[("idempotency-key", &key)])).await;
        let with_key = vec![GATE.to_owned(), "dynamodb PutItem".to_owned()];
        assert_eq!((answer.status, asked), (201, with_key));
    }

    #[tokio::test]
    async fn what_is_junk_on_its_face_is_refused_without_any_request() {
        let account = Account::new("starter");
        warm(&account).await;
        let nobody = tests::client::Client::with_key(Some("oct_junk_junk"));
        let (answer, asked) = counted("jobs", nobody.get("/jobs")).await;
        assert_eq!((answer.status, asked), (401, Vec::new()));
        let (answer, asked) = counted("jobs", account.client.get("/jobs/junk")).await;
        assert_eq!((answer.status, asked), (404, vec![GATE.to_owned()]));
        let body = serde_json::json!({"filename": "a", "format": "pdf"});
        let (answer, asked) = counted("jobs", account.client.create_job(&body, None)).await;
        assert_eq!((answer.status, asked), (422, vec![GATE.to_owned()]));
    }
}
