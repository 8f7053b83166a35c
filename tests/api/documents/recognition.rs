//! What is recognised in a saved document is what a search finds it by.

/// Documents that come from the host that the stack may fetch from.
mod urls {
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};
    use tests::corpus::directory;
    use tests::trusted_host::{Served, TrustedHost};

    use crate::account::{Account, job_id};

    /// Serves what lies in the corpus under the path asked for.
    async fn serve() -> TrustedHost {
        let file = |path: &str| std::fs::read(directory().join(&path[1..])).unwrap();
        TrustedHost::serve(move |path| Served::ok("application/octet-stream", file(path))).await
    }

    /// Imports a file of the corpus: its identifier.
    async fn import(account: &Account, file: &str) -> String {
        let body = json!({"url": TrustedHost::url(&format!("/{file}"))});
        let answer = account.client.post("/documents/import", &[], &body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["documentId"].as_str().unwrap().to_owned()
    }

    /// Has these steps done to a document or one of its pages: the ended job.
    async fn processed(account: &Account, target: &str, steps: &Value) -> Value {
        let path = format!("/documents/{target}/process");
        let body = json!({"operation": "pipeline", "steps": steps});
        let answer = account.client.post(&path, &[], &body).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        let job = account.client.wait(&job_id(&answer.json())).await;
        assert_eq!(job["status"], "completed", "{job}");
        job
    }

    /// The documents that a search finds, and its facts.
    async fn search(account: &Account, query: &str) -> (Vec<String>, Value) {
        let path = format!("/documents/search?q={query}");
        let answer = account.client.get(&path).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let body = answer.json();
        let ids = body["documents"].as_array().unwrap().iter();
        let ids = ids.map(|document| document["id"].as_str().unwrap().to_owned());
        (ids.collect(), body["search"].clone())
    }

    #[tokio::test]
    async fn a_scan_is_found_by_its_words_once_they_are_recognised() {
        let (account, other) = (Account::new("pro"), Account::new("pro"));
        let _host = serve().await;
        let letter = import(&account, "ocr-truth/eng-letter-300.png").await;
        let beside = import(&account, "ocr-truth/eng-invoice-150.jpg").await;
        let (found, facts) = search(&account, "weighbridge").await;
        assert_eq!((found, &facts["matched"]), (vec![], &json!({})));

        let before = account.remaining().await.1;
        let job = processed(&account, &letter, &json!([{"operation": "ocr"}])).await;
        assert_eq!(job["creditsCharged"], 3);
        assert_eq!(before - account.remaining().await.1, 3);
        let (found, facts) = search(&account, "weighbridge").await;
        assert_eq!(found, [letter.as_str()]);
        let expected = json!({
            "mode": "token", "query": "weighbridge", "tokens": ["weighbridge"],
            "matched": {letter.as_str(): ["ocr"]}, "ocr": facts["ocr"],
        });
        assert_eq!(facts, expected);
        for (query, hits) in [
            // Every word equals or begins one, whatever the case and the order.
            ("CAPTAINS%20harb", true),
            ("mooring%20whitlock", true),
            ("mooring%20copper", false),
            ("bridge", false),
            ("zeppelin", false),
        ] {
            let (found, _) = search(&account, query).await;
            assert_eq!(found.contains(&letter), hits, "{query}");
            assert!(!found.contains(&beside), "{query}: not recognised yet");
        }
        assert_eq!(search(&other, "weighbridge").await.0, Vec::<String>::new());

        // The text stands beside the picture, which stays as it is.
        let path = format!("/documents/{letter}");
        let detail = account.client.get(&path).await.json();
        assert_eq!(detail["document"]["contentType"], "image/png");
        assert_eq!(detail["versions"][0]["contentType"], "text/plain");
        let gone = account.client.send("DELETE", &path, &[], None).await;
        assert_eq!(gone.status, 204);
        assert_eq!(
            search(&account, "weighbridge").await.0,
            Vec::<String>::new()
        );
    }

    #[tokio::test]
    async fn each_recognised_page_adds_its_words_to_those_of_its_document() {
        let account = Account::new("pro");
        let _host = serve().await;
        let report = "ocr-truth/fra-rapport-300.pdf";
        let french = std::fs::read(directory().join(report)).unwrap();
        let french = account.client.upload("b.pdf", "application/pdf", french);
        let merge = json!([{"operation": "merge", "sourceKeys": [french.await]}]);
        let document = import(&account, "ocr-truth/deu-liste-200.pdf").await;
        processed(&account, &document, &merge).await;
        let pages = pages(&account, &document).await;
        let finds = async |query: &str| {
            let (found, facts) = search(&account, query).await;
            assert_eq!(found.is_empty(), facts["matched"] == json!({}));
            found == [document.as_str()]
        };
        let (german, french) = ("apfelsaft%20kartoffelsalat", "printemps%20colonies");
        assert!(!finds(german).await && !finds(french).await);
        let ocr = |language| json!([{"operation": "ocr", "language": language}]);
        let page = |place: usize| format!("{document}/pages/{}", pages[place]);
        processed(&account, &page(1), &ocr("fr")).await;
        assert!(!finds(german).await && finds(french).await);
        processed(&account, &page(0), &ocr("de")).await;
        assert!(finds(german).await && finds(french).await);
        assert!(
            finds("r%C3%BCcklage%20%C3%A2g%C3%A9e").await,
            "words of both pages"
        );
        // The whole document anew: only what is recognised now counts.
        processed(&account, &document, &ocr("de")).await;
        assert!(finds(german).await);
    }

    /// The two pages of a document's current version, once they are known.
    async fn pages(account: &Account, document: &str) -> [String; 2] {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let path = format!("/documents/{document}");
            let detail = account.client.get(&path).await.json();
            let version = &detail["versions"][0];
            assert_eq!(detail["document"]["currentVersionId"], version["id"]);
            if let [one, two] = version["pages"].as_array().unwrap().as_slice() {
                return [one, two].map(|page| page["id"].as_str().unwrap().to_owned());
            }
            assert!(Instant::now() < deadline, "no pages yet: {detail}");
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }
}
