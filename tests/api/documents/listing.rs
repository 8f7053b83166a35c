//! Lists and searches over pages, while the library changes.

use std::collections::BTreeSet;

use domain::library::Words;
use domain::ports::Library;
use serde_json::{Value, json};

use crate::account::Account;
use crate::refusal::assert_refused;
use tests::shelf::Shelf;

/// One page: its documents' identifiers and the path of the next.
async fn page(account: &Account, path: &str) -> (Vec<String>, Option<String>) {
    let answer = account.client.get(path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body = answer.json();
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
async fn pages_lose_and_repeat_nothing_while_documents_come_and_go() {
    let account = Account::new("business");
    let mut shelf = Shelf::of(&account.id).await;
    let mut expected = Vec::new();
    for number in 0..25 {
        expected.insert(0, shelf.put(&format!("{number}.pdf")).await.to_string());
    }
    let (mut seen, mut next) = page(&account, "/documents?limit=4").await;
    while let Some(path) = next {
        shelf.put("new.pdf").await;
        // The last one seen, and the last one that is still to come.
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
async fn a_filter_goes_through_thousands_of_documents_in_bounded_steps() {
    let account = Account::new("business");
    let mut shelf = Shelf::of(&account.id).await;
    let mut wanted = Vec::new();
    for number in 0..3_000 {
        let rare = number % 1_000 == 500;
        let name = if rare { "Größe.pdf" } else { "other.pdf" };
        let id = shelf.put(name).await;
        if rare {
            wanted.insert(0, id.to_string());
        }
    }
    for list in ["/documents", "/documents/search"] {
        let (mut seen, mut scanned) = (Vec::new(), 0);
        let mut next = Some(format!("{list}?q=GR%C3%96SSE&limit=2"));
        while let Some(path) = next {
            let body = account.client.get(&path).await.json();
            assert!(body["scanned"].as_u64().unwrap() <= 5_000);
            scanned += body["scanned"].as_u64().unwrap();
            let (ids, after) = page(&account, &path).await;
            seen.extend(ids);
            next = after;
        }
        assert_eq!(seen, wanted, "{list}");
        assert_eq!(scanned, 3_000, "{list}");
    }
}

#[tokio::test]
async fn a_search_finds_by_text_name_and_tags() {
    let account = Account::new("business");
    let mut shelf = Shelf::of(&account.id).await;
    let tagged = shelf
        .put_as("a.pdf", |document| {
            document.tags = vec!["invoice 7".to_owned()]
        })
        .await;
    let named = shelf.put("My Invoice.pdf").await;
    let text = shelf.put("scan.pdf").await;
    let words = Words::of("Old INVOICES and Straße");
    let indexed = shelf.services.index_words(&shelf.account, &text, &words);
    assert!(indexed.await.unwrap());
    let answer = account
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
    assert_eq!(answer["search"], expected);
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
async fn a_cursor_works_only_where_it_was_made() {
    let account = Account::new("business");
    let mut shelf = Shelf::of(&account.id).await;
    for _ in 0..3 {
        shelf.put("a.pdf").await;
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
        let answer = account.client.get(&path).await;
        assert_refused(&answer, 400, "invalid_cursor", &[]);
    }
}

#[tokio::test]
async fn pages_of_a_version_are_listed_in_order() {
    let account = Account::new("business");
    let mut shelf = Shelf::of(&account.id).await;
    let path = format!("/documents/{}", shelf.put("a.pdf").await);
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
