//! Search finds saved documents by their recognized text.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::corpus::directory;
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::account::{Account, job_id};

/// Serves the corpus file at the requested path.
async fn serve() -> TrustedHost {
    let file = |path: &str| std::fs::read(directory().join(&path[1..])).unwrap();
    TrustedHost::serve(move |path| StubResponse::ok("application/octet-stream", file(path))).await
}

/// Imports a corpus file and returns the document identifier.
async fn import(account: &Account, file: &str) -> String {
    let body = json!({"url": TrustedHost::url(&format!("/{file}"))});
    let response = account.client.post("/documents/import", &[], &body).await;
    assert_eq!(response.status, 201, "{}", response.text());
    response.json()["documentId"].as_str().unwrap().to_owned()
}

/// Runs these steps on a document or one of its pages and returns the finished job.
async fn process(account: &Account, target: &str, steps: &Value) -> Value {
    let path = format!("/documents/{target}/process");
    let body = json!({"operation": "pipeline", "steps": steps});
    let response = account.client.post(&path, &[], &body).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let job = account.client.wait(&job_id(&response.json())).await;
    assert_eq!(job["status"], "completed", "{job}");
    job
}

/// Returns the documents that a search finds, and the `search` details.
async fn search(account: &Account, query: &str) -> (Vec<String>, Value) {
    let path = format!("/documents/search?q={query}");
    let response = account.client.get(&path).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let body = response.json();
    let ids = body["documents"].as_array().unwrap().iter();
    let ids = ids.map(|document| document["id"].as_str().unwrap().to_owned());
    (ids.collect(), body["search"].clone())
}

#[tokio::test]
async fn search_finds_a_scan_by_its_recognized_words() {
    let (account, other) = (Account::new("pro"), Account::new("pro"));
    let _host = serve().await;
    let letter = import(&account, "ocr-truth/eng-letter-300.png").await;
    let not_recognized = import(&account, "ocr-truth/eng-invoice-150.jpg").await;
    let (found, details) = search(&account, "weighbridge").await;
    assert_eq!((found, &details["matched"]), (vec![], &json!({})));

    let before = account.remaining().await.1;
    let job = process(&account, &letter, &json!([{"operation": "ocr"}])).await;
    assert_eq!(job["creditsCharged"], 3);
    assert_eq!(before - account.remaining().await.1, 3);
    let (found, details) = search(&account, "weighbridge").await;
    assert_eq!(found, [letter.as_str()]);
    let expected = json!({
        "mode": "token", "query": "weighbridge", "tokens": ["weighbridge"],
        "matched": {letter.as_str(): ["ocr"]}, "ocr": details["ocr"],
    });
    assert_eq!(details, expected);
    for (query, hits) in [
        // Each query word matches the start of a word, in any order, ignoring case.
        ("CAPTAINS%20harb", true),
        ("mooring%20whitlock", true),
        ("mooring%20copper", false),
        ("bridge", false),
        ("zeppelin", false),
    ] {
        let (found, _) = search(&account, query).await;
        assert_eq!(found.contains(&letter), hits, "{query}");
        assert!(
            !found.contains(&not_recognized),
            "{query}: not recognized yet"
        );
    }
    assert_eq!(search(&other, "weighbridge").await.0, Vec::<String>::new());

    // The text is a rendition; the image stays the current version.
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
async fn words_of_each_recognized_page_are_added_to_the_document() {
    let account = Account::new("pro");
    let _host = serve().await;
    let report = "ocr-truth/fra-rapport-300.pdf";
    let french = std::fs::read(directory().join(report)).unwrap();
    let french = account.client.upload("b.pdf", "application/pdf", french);
    let merge = json!([{"operation": "merge", "sourceKeys": [french.await]}]);
    let document = import(&account, "ocr-truth/deu-liste-200.pdf").await;
    process(&account, &document, &merge).await;
    let pages = wait_for_pages(&account, &document).await;
    let is_found_by = async |query: &str| {
        let (found, details) = search(&account, query).await;
        assert_eq!(found.is_empty(), details["matched"] == json!({}));
        found == [document.as_str()]
    };
    let (german, french) = ("apfelsaft%20kartoffelsalat", "printemps%20colonies");
    assert!(!is_found_by(german).await && !is_found_by(french).await);
    let ocr = |language| json!([{"operation": "ocr", "language": language}]);
    let page = |place: usize| format!("{document}/pages/{}", pages[place]);
    process(&account, &page(1), &ocr("fr")).await;
    assert!(!is_found_by(german).await && is_found_by(french).await);
    process(&account, &page(0), &ocr("de")).await;
    assert!(is_found_by(german).await && is_found_by(french).await);
    assert!(
        is_found_by("r%C3%BCcklage%20%C3%A2g%C3%A9e").await,
        "words of both pages"
    );
    // OCR of the whole document replaces the words of its pages.
    process(&account, &document, &ocr("de")).await;
    assert!(is_found_by(german).await);
}

/// Waits for the inspection of the current version; returns the identifiers of its two pages.
async fn wait_for_pages(account: &Account, document: &str) -> [String; 2] {
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
