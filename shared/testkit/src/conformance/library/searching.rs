//! Search by words.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::account::Account;
use domain::id::DocumentId;
use domain::library::{Document, Filter, MatchedBy, Search, SearchResults, Words, search};
use domain::plan::Plan;
use domain::ports::Posting;

use super::{imported, imported_as};
use crate::conformance::stored_account;
use crate::environment::{Environment, Ports};

async fn found<P: Ports>(ports: &P, account: &Account, text: &str) -> SearchResults {
    let wanted = Search::new(Some(text), Filter::default());
    let found = search(ports, &account.id, &wanted, None, 100)
        .await
        .unwrap();
    assert_eq!(found.next, None);
    found
}

fn ids(found: &SearchResults) -> Vec<DocumentId> {
    let hits = found.hits.iter();
    hits.map(|hit| hit.document.id.clone()).collect()
}

async fn index<P: Ports>(ports: &P, document: &Document, text: &str) {
    let (account, id, words) = (&document.account_id, &document.id, Words::of(text));
    assert!(ports.index_words(account, id, &words).await.unwrap());
}

pub(super) async fn words_find_their_documents<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let stranger = stored_account(ports, env, Plan::Business).await;
    let at = |number| env.now().plus(Duration::from_millis(number));
    let (one, _) = imported(ports, env, &account, "scan 1.pdf", at(1)).await;
    let (two, _) = imported(ports, env, &account, "Invoice.pdf", at(2)).await;
    let (three, _) = imported_as(ports, env, &account, "scan 3.pdf", at(3), |document| {
        document.tags = vec!["invoices 2026".to_owned()];
    })
    .await;
    index(ports, &one, "The INVOICES of Straße 7, invoice enclosed").await;
    index(ports, &two, "Nothing of that kind").await;
    let foreign = imported(ports, env, &stranger, "scan.pdf", at(4)).await.0;
    index(ports, &foreign, "invoice strasse").await;

    let invoices = found(ports, &account, "INVOICE").await;
    assert_eq!(
        ids(&invoices),
        [one.id.clone(), three.id.clone(), two.id.clone()]
    );
    let by: Vec<_> = invoices
        .hits
        .iter()
        .map(|hit| hit.matched.clone())
        .collect();
    assert_eq!(
        by,
        [
            vec![MatchedBy::Ocr],
            vec![MatchedBy::Tags],
            vec![MatchedBy::Filename]
        ]
    );
    // The first is found by its text and scanned again among the records.
    assert_eq!((invoices.scanned, invoices.indexed), (3, 2));
    assert_eq!(
        ids(&found(ports, &account, "stra INVOI").await),
        std::slice::from_ref(&one.id)
    );
    assert_eq!(ids(&found(ports, &account, "strasse kind").await), []);
    assert_eq!(
        ids(&found(ports, &account, "nothing").await),
        std::slice::from_ref(&two.id)
    );
    assert_eq!(ids(&found(ports, &account, "invoiced").await), []);
    // Found by text and by name: returned once.
    index(ports, &three, "scan of a scan").await;
    let scans = found(ports, &account, "scan").await;
    assert_eq!(ids(&scans), [three.id.clone(), one.id.clone()]);
    assert_eq!(scans.hits[0].matched, [MatchedBy::Filename, MatchedBy::Ocr]);
    // Too short for the index: found by name only.
    let sevens = found(ports, &account, "7").await;
    assert_eq!(ids(&sevens), []);
    let threes = found(ports, &account, "3").await;
    assert_eq!(ids(&threes), std::slice::from_ref(&three.id));
    let stored = ports.document(&account.id, &one.id).await.unwrap().unwrap();
    assert!(stored.ocr_indexed && stored.revision > one.revision);
}

pub(super) async fn new_words_replace_old_ones<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let (document, _) = imported(ports, env, &account, "a.pdf", env.now()).await;
    let postings = async |prefix: &str| {
        let slice = ports.postings(&account.id, prefix, None, 100).await;
        let words = slice.unwrap().postings.into_iter().map(|found| found.word);
        words.collect::<Vec<_>>()
    };
    index(ports, &document, "paper pap parcel").await;
    assert_eq!(postings("pa").await, ["pap", "paper", "parcel"]);
    index(ports, &document, "paper and ink").await;
    assert_eq!(postings("pa").await, ["paper"]);
    assert_eq!(postings("pap").await, ["paper"]);
    assert_eq!(postings("ink").await, ["ink"]);
    let after = Posting {
        word: "paper".to_owned(),
        document: document.id.clone(),
    };
    let rest = ports.postings(&account.id, "pa", Some(&after), 10).await;
    assert_eq!(rest.unwrap().postings, []);
    let with_words = ports.with_words(&account.id, std::slice::from_ref(&document.id));
    let with_words = with_words.await.unwrap();
    assert_eq!(with_words.len(), 1);
    assert_eq!(with_words[0].1, Words::of("and ink paper"));
    let mut revised = ports
        .document(&account.id, &document.id)
        .await
        .unwrap()
        .unwrap();
    let seen = revised.revision;
    (revised.revision, revised.ocr_indexed) = (document.revision + 1, false);
    assert!(
        !ports
            .replace_document(&revised, document.revision)
            .await
            .unwrap()
    );
    let stored = ports
        .document(&account.id, &document.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((stored.ocr_indexed, stored.revision), (true, seen));
}

pub(super) async fn pages_of_a_search_omit_and_repeat_nothing<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Business).await;
    let start = env.now();
    let mut wanted = BTreeSet::new();
    for number in 0..90_u64 {
        let now = start.plus(Duration::from_millis(number));
        let name = if number % 3 == 0 {
            "page.pdf"
        } else {
            "scan.pdf"
        };
        let (document, _) = imported(ports, env, &account, name, now).await;
        if number % 2 == 0 {
            index(ports, &document, "pages page paged").await;
        }
        if number % 2 == 0 || number % 3 == 0 {
            wanted.insert(document.id);
        }
    }
    for limit in [7, 40, 100] {
        let (mut seen, mut next) = (Vec::new(), None);
        let words = Search::new(Some("pag"), Filter::default());
        for _ in 0..50 {
            let page = search(ports, &account.id, &words, next, limit)
                .await
                .unwrap();
            assert!(page.hits.len() <= limit as usize);
            seen.extend(ids(&page));
            next = page.next;
            if next.is_none() {
                break;
            }
        }
        assert_eq!(seen.len(), wanted.len(), "pages of {limit}");
        assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), wanted);
    }
    // The page that ends with the last posting is not the last: matches by name follow.
    let now = start.plus(Duration::from_secs(1));
    let (by_text, _) = imported(ports, env, &account, "scan.pdf", now).await;
    let (by_name, _) = imported(ports, env, &account, "zebra.pdf", now).await;
    index(ports, &by_text, "zebra").await;
    let zebra = Search::new(Some("zebra"), Filter::default());
    let page = search(ports, &account.id, &zebra, None, 1).await.unwrap();
    assert_eq!(ids(&page), [by_text.id]);
    assert!(page.next.is_some());
    let rest = search(ports, &account.id, &zebra, page.next, 1).await;
    let rest = rest.unwrap();
    assert_eq!((ids(&rest), rest.scanned >= 1), (vec![by_name.id], true));
}
