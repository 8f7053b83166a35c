//! What counts as a request on the Free plan: each accepted piece of work once, and nothing else.

/// One of them is fetched from the host that the stack may fetch from.
mod urls {
    use serde_json::{Value, json};
    use tests::client::unique;
    use tests::documents;
    use tests::shelf::Shelf;
    use tests::trusted_host::{Served, TrustedHost};

    use crate::account::Account;

    #[tokio::test]
    async fn each_kind_of_work_is_one_request_and_all_else_is_none() {
        let account = Account::new("free");
        let _host =
            TrustedHost::serve(|_| Served::ok("application/pdf", documents::pdf(1, 200, 100)))
                .await;
        let (document, _) = Shelf::of(&account.id).await.put_pdf("a.pdf", 2).await;
        let job = account.conversion().await;
        let (source, url) = (job["sourceKey"].clone(), TrustedHost::url("/a.pdf"));
        let turn = json!({"operation": "rotate", "angle": 90});
        let convert = json!({"operation": "convert", "format": "txt"});
        let work: [(&str, Value, u16); 7] = [
            ("/jobs", job, 202),
            (
                "/pipeline",
                json!({"sourceKey": source, "steps": [turn, turn, convert]}),
                202,
            ),
            ("/convert", json!({"url": url, "format": "txt"}), 200),
            (
                "/pdf",
                json!({"operation": "split", "sourceKeys": [source]}),
                202,
            ),
            ("/merge", json!({"files": [url, url]}), 200),
            (&format!("/documents/{document}/process"), convert, 202),
            ("/documents/import", json!({"url": url}), 201),
        ];
        for (left, (path, body, status)) in (3..10).rev().zip(&work) {
            let key = unique("free");
            for replayed in [false, true] {
                let headers = [("idempotency-key", key.as_str())];
                let answer = account.client.post(path, &headers, body).await;
                assert_eq!(answer.header("idempotency-replayed") == "true", replayed);
                let again = if *status == 202 { 200 } else { *status };
                let expected = if replayed { again } else { *status };
                assert_eq!(answer.status, expected, "{path}: {}", answer.text());
                assert_eq!(account.remaining().await, (left, left + 90), "{path}");
            }
            for path in ["/health", "/formats", "/usage", "/jobs", "/documents"] {
                assert_eq!(account.client.get(path).await.status, 200, "{path}");
            }
            let (other, none) = (unique("refused"), json!([]));
            let headers = [("idempotency-key", other.as_str())];
            let refused = account.client.post(path, &headers, &none).await;
            assert!([400, 422].contains(&refused.status), "{path}");
            assert_eq!(account.remaining().await, (left, left + 90), "{path}");
        }
        let shown = account
            .client
            .get(&format!("/documents/{document}/download"))
            .await;
        assert_eq!(shown.status, 302);
        assert_eq!(account.remaining().await, (3, 93));
    }
}
