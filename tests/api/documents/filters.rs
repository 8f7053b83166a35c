//! Filter parameters of document lists and searches.

use std::collections::BTreeSet;

use domain::library::{Document, DocumentSource, DocumentStatus};
use serde_json::Value;
use tests::library_fixture::LibraryFixture;

use crate::account::Account;

/// Returns the filenames of the documents on one page.
async fn list_names(account: &Account, path: &str) -> BTreeSet<String> {
    let response = account.client.get(path).await;
    assert_eq!(response.status, 200, "{path}: {}", response.text());
    let body = response.json();
    assert_eq!(body["nextCursor"], Value::Null, "{path}");
    assert_eq!(body["hasMore"], false, "{path}");
    let documents = body["documents"].as_array().unwrap().iter();
    let names: BTreeSet<_> = documents
        .map(|document| document["filename"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(body["count"], names.len(), "{path}");
    names
}

/// Creates four documents that each differ from the first in one property, and an archived one; returns their creation times.
async fn create_library(account: &Account) -> Vec<i64> {
    let mut library = LibraryFixture::open(&account.id).await;
    type Change = fn(&mut Document);
    let changes: [(&str, Change); 5] = [
        ("Plain.pdf", |_| ()),
        ("Picture.png", |document| {
            document.content_type = "image/png".to_owned();
            document.tags = vec!["a".to_owned()];
        }),
        ("Filed.pdf", |document| {
            document.folder_id = "Reports".to_owned();
            document.source = DocumentSource::Import;
            document.tags = vec!["a".to_owned(), "b c".to_owned()];
        }),
        ("Grouped.pdf", |document| {
            document.group_id = Some("g".to_owned());
            document.source = DocumentSource::Job;
            document.tags = vec!["b c".to_owned()];
        }),
        ("Archived.pdf", |document| {
            document.status = DocumentStatus::Archived;
        }),
    ];
    let mut times = Vec::new();
    for (name, change) in changes {
        let noted = |document: &mut Document| {
            change(document);
            times.push(document.created_at.milliseconds());
        };
        library.add_with(name, noted).await;
    }
    times
}

#[tokio::test]
async fn each_parameter_filters() {
    let account = Account::new("business");
    let times = create_library(&account).await;
    let all = ["Plain.pdf", "Picture.png", "Filed.pdf", "Grouped.pdf"];
    let both = ["/documents", "/documents/search"];
    let (list, search) = (&both[..1], &both[1..]);
    let [_, second, third, ..] = times[..] else {
        panic!("{times:?}")
    };
    for (routes, query, found) in [
        (&both[..], String::new(), &all[..]),
        (&both, "q=P".to_owned(), &all),
        (&both, "q=pic".to_owned(), &["Picture.png"]),
        (&both, "q=none".to_owned(), &[]),
        (&both, "type=image/png".to_owned(), &["Picture.png"]),
        (&both, "type=image".to_owned(), &[]),
        (&both, "folderId=Reports".to_owned(), &["Filed.pdf"]),
        (&both, "folderId=reports".to_owned(), &[]),
        (
            &both,
            "folderId=root&type=image/png".to_owned(),
            &["Picture.png"],
        ),
        (&both, "groupId=g".to_owned(), &["Grouped.pdf"]),
        (&both, "groupId=root".to_owned(), &[]),
        (&both, "status=archived".to_owned(), &["Archived.pdf"]),
        (&both, "status=ready".to_owned(), &all),
        (&both, "status=processing".to_owned(), &[]),
        (
            &both,
            "type=application/pdf&folderId=root&q=g".to_owned(),
            &["Grouped.pdf"],
        ),
        (list, "source=import".to_owned(), &["Filed.pdf"]),
        (list, "source=job".to_owned(), &["Grouped.pdf"]),
        (list, "source=app".to_owned(), &["Plain.pdf", "Picture.png"]),
        (search, "tags=a".to_owned(), &["Picture.png", "Filed.pdf"]),
        (search, "tags=A,%20B%20C".to_owned(), &["Filed.pdf"]),
        (search, "tags=a,b".to_owned(), &[]),
        // Both bounds are inclusive; small numbers are seconds.
        (
            search,
            format!("from={third}"),
            &["Filed.pdf", "Grouped.pdf"],
        ),
        (
            search,
            format!("to={second}"),
            &["Plain.pdf", "Picture.png"],
        ),
        (
            search,
            format!("from={second}&to={third}"),
            &["Picture.png", "Filed.pdf"],
        ),
        (search, format!("from={}", third / 1_000 + 1), &[]),
        (search, format!("to={}", third / 1_000 + 1), &all),
        (search, format!("from={}", times[0] / 1_000), &all),
    ] {
        let found: BTreeSet<_> = found.iter().map(|name| (*name).to_owned()).collect();
        for route in routes {
            let path = format!("{route}?{query}");
            assert_eq!(list_names(&account, &path).await, found, "{path}");
        }
    }
}

#[tokio::test]
async fn the_default_limit_is_fifty() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    for number in 0..101 {
        library.add(&format!("{number}.pdf")).await;
    }
    for list in ["/documents", "/documents/search"] {
        for (query, count) in [("", 50), ("?limit=1", 1), ("?limit=100", 100)] {
            let body = account.client.get(&format!("{list}{query}")).await.json();
            assert_eq!(body["count"], count, "{list}{query}");
            assert_eq!(body["documents"].as_array().unwrap().len(), count);
            assert_eq!(body["hasMore"], true, "{list}{query}");
        }
    }
}
