//! Pagination of lists and searches while the library changes.

use std::collections::BTreeSet;

use domain::library::Words;
use domain::ports::Library;
use serde_json::{Value, json};

use crate::account::Account;
use crate::problem::assert_error;
use tests::library_fixture::LibraryFixture;

/// Returns the document identifiers of one page and the path of the next.
async fn page(account: &Account, path: &str) -> (Vec<String>, Option<String>) {
    let response = account.client.get(path).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let body = response.json();
    let documents = body["documents"].as_array().unwrap();
    let ids = documents.iter().map(|document| document["id"].as_str());
    let ids: Vec<_> = ids.map(|id| id.unwrap().to_owned()).collect();
    assert_eq!(body["count"], ids.len());
    assert_eq!(body["hasMore"], body["nextCursor"].is_string());
    let base = path.split("&cursor=").next().unwrap();
    let next = body["nextCursor"].as_str();
    (ids, next.map(|cursor| format!("{base}&cursor={cursor}")))
}

#[tokio::test]
async fn pagination_is_stable_while_documents_are_added_and_deleted() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    let mut expected = Vec::new();
    for number in 0..25 {
        expected.insert(0, library.add(&format!("{number}.pdf")).await.to_string());
    }
    let (mut seen, mut next) = page(&account, "/documents?limit=4").await;
    while let Some(path) = next {
        library.add("new.pdf").await;
        // The last document of the previous page, and the last of the remaining ones.
        for (id, was_seen) in [
            (seen.last().unwrap().clone(), true),
            (expected.last().unwrap().clone(), false),
        ] {
            let path = format!("/documents/{id}");
            let gone = account.client.send("DELETE", &path, &[], None).await;
            if gone.status == 204 && !was_seen && !seen.contains(&id) {
                expected.pop();
            }
        }
        let (more, after) = page(&account, &path).await;
        seen.extend(more);
        next = after;
    }
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_filter_reads_a_bounded_number_of_documents_per_page() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    let mut expected = Vec::new();
    for number in 0..300 {
        let rare = number % 100 == 50;
        let name = if rare { "Größe.pdf" } else { "other.pdf" };
        let id = library.add_large_record(name).await;
        if rare {
            expected.insert(0, id.to_string());
        }
    }
    for list in ["/documents", "/documents/search"] {
        let (mut seen, mut scanned) = (Vec::new(), 0);
        let mut next = Some(format!("{list}?q=GR%C3%96SSE&limit=2"));
        while let Some(path) = next {
            let body = account.client.get(&path).await.json();
            let in_page = body["scanned"].as_u64().unwrap();
            // A search examines what one query of DynamoDB returns.
            assert!(list == "/documents" || in_page < 300, "{in_page}");
            scanned += in_page;
            let (ids, after) = page(&account, &path).await;
            seen.extend(ids);
            next = after;
        }
        assert_eq!(seen, expected, "{list}");
        assert_eq!(scanned, 300, "{list}");
    }
}

#[tokio::test]
async fn search_matches_text_name_and_tags() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    let tagged = library
        .add_with("a.pdf", |document| {
            document.tags = vec!["invoice 7".to_owned()]
        })
        .await;
    let named = library.add("My Invoice.pdf").await;
    let text = library.add("scan.pdf").await;
    let words = Words::of("Old INVOICES and Straße");
    let indexed = library
        .services
        .index_words(&library.account, &text, &words);
    assert!(indexed.await.unwrap());
    let response = account
        .client
        .get("/documents/search?q=Invoice")
        .await
        .json();
    let expected = json!({
        "mode": "token", "query": "Invoice", "tokens": ["invoice"],
        "matched": {
            tagged.as_str(): ["tags"], named.as_str(): ["filename"], text.as_str(): ["ocr"],
        },
        "ocr": {"indexed": 1, "missing": 2},
    });
    assert_eq!(response["search"], expected);
    for (query, found) in [
        ("q=strasse%20invo", vec![&text]),
        ("q=strasse%20paper", vec![]),
        ("q=invoice&tags=Invoice%207", vec![&tagged]),
        ("q=invoice&status=archived", vec![]),
        ("q=invoice&folderId=elsewhere", vec![]),
        ("q=invoice&to=0", vec![]),
    ] {
        let (ids, next) = page(&account, &format!("/documents/search?{query}")).await;
        let found: Vec<_> = found.into_iter().map(ToString::to_string).collect();
        assert_eq!((ids, next), (found, None), "{query}");
    }
    let mut next = Some("/documents/search?q=invoice&limit=1".to_owned());
    let mut seen = Vec::new();
    while let Some(path) = next {
        let (ids, after) = page(&account, &path).await;
        seen.extend(ids);
        next = after;
    }
    assert_eq!(seen.len(), 3);
    assert_eq!(seen.into_iter().collect::<BTreeSet<_>>().len(), 3);
}

#[tokio::test]
async fn a_cursor_is_bound_to_its_list() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    for _ in 0..3 {
        library.add("a.pdf").await;
    }
    let first = account.client.get("/documents?limit=1&q=a").await.json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let stranger = Account::new("business");
    for (account, path) in [
        (&stranger, format!("/documents?q=a&cursor={cursor}")),
        (&account, format!("/documents?cursor={cursor}")),
        (&account, format!("/documents?q=b&cursor={cursor}")),
        (&account, format!("/documents/search?q=a&cursor={cursor}")),
        (&account, "/documents?cursor=x".to_owned()),
    ] {
        let response = account.client.get(&path).await;
        assert_error(&response, 400, "invalid_cursor", &[]);
    }
}

#[tokio::test]
async fn pages_of_a_version_are_listed_in_order() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    let path = format!("/documents/{}", library.add("a.pdf").await);
    let detail = account.client.get(&path).await.json();
    let version = &detail["versions"][0];
    assert_eq!(version["pages"].as_array().unwrap().len(), 100);
    let path = format!("{path}/versions/{}/pages", version["id"].as_str().unwrap());
    let mut numbers = Vec::new();
    let mut next = Some(format!("{path}?limit=100"));
    while let Some(path) = next {
        let body = account.client.get(&path).await.json();
        assert_eq!(body["pageCount"], 250);
        let pages = body["pages"].as_array().unwrap();
        numbers.extend(pages.iter().map(|page| page["number"].as_u64().unwrap()));
        let cursor = body["nextCursor"].as_str().map(str::to_owned);
        next = cursor.map(|cursor| {
            format!(
                "{}?limit=100&cursor={cursor}",
                path.split('?').next().unwrap()
            )
        });
    }
    assert_eq!(numbers, (1..=250).collect::<Vec<_>>());
    assert_eq!(version["pages"][0]["width"], Value::Null);
}
