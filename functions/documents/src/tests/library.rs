//! Listing, search, update and deletion of documents.

use std::collections::HashSet;

use domain::event::{EventType, Subject};
use domain::id::DocumentId;
use domain::library::Words;
use domain::outbox::event_shard;
use domain::plan::Plan;
use domain::ports::{Due, Library, Outbox};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};
use testkit::{Call, Fault};

use super::Caller;

const UNKNOWN: &str = "doc_01arz3ndektsv4rrffq69g5fav";
const NO_VERSION: &str = "ver_01arz3ndektsv4rrffq69g5fav";

#[tokio::test]
async fn an_empty_library_can_be_listed_and_searched() {
    let caller = Caller::on(Plan::Business).await;
    let list = caller.get("/documents").await;
    let empty =
        json!({"documents": [], "count": 0, "hasMore": false, "scanned": 0, "nextCursor": null});
    assert_eq!((list.status, &list.body), (200, &empty));
    let found = caller.get("/documents/search").await;
    let mut expected = empty;
    expected["search"] = json!({
        "mode": "token", "query": null, "tokens": [], "matched": {},
        "ocr": {"indexed": 0, "missing": 0},
    });
    assert_eq!((found.status, found.body), (200, expected));
}

#[tokio::test]
async fn the_list_is_newest_first_and_its_cursor_bound_to_account_and_filters() {
    let caller = Caller::on(Plan::Business).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.insert(
            0,
            caller.imported(&format!("{number}.pdf")).await.to_string(),
        );
    }
    let all = caller.get("/documents").await;
    assert_eq!(all.ids(), ids);
    let first = caller.get("/documents?limit=2").await;
    assert_eq!(first.ids(), ids[..2]);
    assert_eq!(
        (&first.body["hasMore"], &first.body["count"]),
        (&json!(true), &json!(2))
    );
    let cursor = first.text("nextCursor");
    let second = caller
        .get(&format!("/documents?limit=3&cursor={cursor}"))
        .await;
    assert_eq!(second.ids(), ids[2..]);
    assert_eq!(
        (&second.body["hasMore"], &second.body["nextCursor"]),
        (&json!(false), &Value::Null)
    );
    let other = Caller::another(&caller.fakes, Plan::Business).await;
    for (caller, path) in [
        (&other, format!("/documents?cursor={cursor}")),
        (&caller, format!("/documents?q=pdf&cursor={cursor}")),
        (&caller, format!("/documents?status=ready&cursor={cursor}")),
        (&caller, format!("/documents/search?cursor={cursor}")),
        (&caller, "/documents?cursor=junk".to_owned()),
        (&caller, "/documents/search?cursor=junk".to_owned()),
    ] {
        assert_eq!(
            caller.get(&path).await.error(),
            (400, "invalid_cursor"),
            "{path}"
        );
    }
    assert_eq!(other.get("/documents").await.body["count"], 0);
}

#[tokio::test]
async fn filters_select_and_archived_documents_are_hidden() {
    let caller = Caller::on(Plan::Business).await;
    let plain = caller.imported("Straße.pdf").await.to_string();
    let kept = caller.imported("other.pdf").await.to_string();
    let change = json!({"folderId": "f", "groupId": "g", "tags": [" Tax", "2026"]});
    let path = format!("/documents/{kept}");
    let changed = caller.send("PATCH", &path, &[], Some(&change)).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(changed.body["document"]["tags"], json!(["2026", "tax"]));
    let created = changed.body["document"]["createdAt"].as_i64().unwrap();
    for (query, expected) in [
        ("/documents?q=STRASSE".to_owned(), vec![&plain]),
        ("/documents?folderId=f".to_owned(), vec![&kept]),
        ("/documents?folderId=root".to_owned(), vec![&plain]),
        ("/documents?groupId=g".to_owned(), vec![&kept]),
        (
            "/documents?type=application/pdf".to_owned(),
            vec![&kept, &plain],
        ),
        ("/documents?type=application".to_owned(), vec![]),
        ("/documents?source=import".to_owned(), vec![&kept, &plain]),
        ("/documents?source=job".to_owned(), vec![]),
        ("/documents/search?q=stra".to_owned(), vec![&plain]),
        ("/documents/search?q=TAX".to_owned(), vec![&kept]),
        (
            "/documents/search?tags=tax,%202026%20".to_owned(),
            vec![&kept],
        ),
        ("/documents/search?tags=tax,other".to_owned(), vec![]),
        (format!("/documents/search?from={created}"), vec![&kept]),
        (
            format!("/documents/search?to={}", created - 1),
            vec![&plain],
        ),
        (
            format!("/documents/search?to={}&from=0", created / 1_000 + 1),
            vec![&kept, &plain],
        ),
    ] {
        let response = caller.get(&query).await;
        assert_eq!(response.ids(), expected, "{query}");
        assert_eq!(response.body["scanned"], 2, "{query}");
    }
    let archive = json!({"status": "archived"});
    assert_eq!(
        caller
            .send("PATCH", &path, &[], Some(&archive))
            .await
            .status,
        200
    );
    assert_eq!(caller.get("/documents").await.ids(), [plain.as_str()]);
    assert_eq!(
        caller.get("/documents/search").await.ids(),
        [plain.as_str()]
    );
    assert_eq!(
        caller.get("/documents?status=archived").await.ids(),
        [kept.as_str()]
    );
    assert_eq!(
        caller.get(&path).await.body["document"]["status"],
        "archived"
    );
    let ready = json!({"status": "ready", "groupId": null, "filename": "new name.pdf"});
    let back = caller.send("PATCH", &path, &[], Some(&ready)).await;
    assert_eq!(back.body["document"]["groupId"], Value::Null);
    assert_eq!(back.body["document"]["filename"], "new name.pdf");
    assert_eq!(back.body["versions"][0]["filename"], "other.pdf");
    assert_eq!(
        caller.get("/documents").await.ids(),
        [kept.as_str(), plain.as_str()]
    );
}

#[tokio::test]
async fn search_results_state_what_matched() {
    let caller = Caller::on(Plan::Business).await;
    let text = caller.imported("scan.pdf").await;
    let name = caller.imported("Invoice 7.pdf").await;
    let words = Words::of("INVOICES from Köln");
    let indexed = caller.fakes.index_words(&caller.account.id, &text, &words);
    assert!(indexed.await.unwrap());
    let found = caller.get("/documents/search?q=Invoice").await;
    assert_eq!(found.ids(), [text.as_str(), name.as_str()]);
    let matched = json!({text.as_str(): ["ocr"], name.as_str(): ["filename"]});
    let expected = json!({
        "mode": "token", "query": "Invoice", "tokens": ["invoice"], "matched": matched,
        "ocr": {"indexed": 1, "missing": 1},
    });
    assert_eq!(found.body["search"], expected);
    assert_eq!(found.body["scanned"], 2);
    let mut pages = HashSet::new();
    let mut path = "/documents/search?q=Invoice&limit=1".to_owned();
    loop {
        let page = caller.get(&path).await;
        for id in page.ids() {
            assert!(pages.insert(id.to_owned()), "{id} is listed twice");
        }
        let Some(cursor) = page.body["nextCursor"].as_str() else {
            break;
        };
        path = format!("/documents/search?q=Invoice&limit=1&cursor={cursor}");
    }
    assert_eq!(pages.len(), 2);
}

#[tokio::test]
async fn a_deleted_document_is_not_found() {
    let caller = Caller::on(Plan::Business).await;
    let id = caller.imported("a.pdf").await;
    let path = format!("/documents/{id}");
    let deleted = caller.send("DELETE", &path, &[], None).await;
    assert_eq!((deleted.status, &deleted.body), (204, &Value::Null));
    for (method, rest) in [("GET", ""), ("DELETE", ""), ("GET", "/download")] {
        let response = caller
            .send(method, &format!("{path}{rest}"), &[], None)
            .await;
        assert_eq!(response.error(), (404, "document_not_found"));
    }
    assert_eq!(caller.get("/documents").await.body["count"], 0);
    assert!(
        caller
            .fakes
            .object(&format!("documents/{}/{id}", caller.account.id))
            .is_none()
    );
}

/// Returns the events of a document in the outbox.
async fn outbox_events(caller: &Caller, id: &DocumentId) -> Vec<EventType> {
    let subject = Subject::Document(id.clone());
    let far = Timestamp(i64::MAX);
    let page = caller.fakes.due(event_shard(&subject), far, None, 100);
    let rows = page.await.unwrap().rows.into_iter();
    rows.filter_map(|due| match due {
        Due::Event(event) if event.subject() == subject => Some(event.event_type),
        _ => None,
    })
    .collect()
}

#[tokio::test]
async fn events_stay_in_the_outbox_while_the_bus_is_down() {
    let caller = Caller::on(Plan::Business).await;
    let delete_and_publish = async |id: &DocumentId| {
        let path = format!("/documents/{id}");
        assert_eq!(caller.send("DELETE", &path, &[], None).await.status, 204);
        let published = caller.fakes.published().into_iter();
        let published: Vec<_> = published.map(|event| event.event_type).collect();
        (published, outbox_events(&caller, id).await)
    };
    let both = [EventType::DocumentImported, EventType::DocumentDeleted];
    caller.fakes.fail(Call::Publish, Fault::Unavailable, 2);
    let id = caller.imported("a.pdf").await;
    let (published, mut left) = delete_and_publish(&id).await;
    left.sort_unstable();
    assert_eq!((published, left), (vec![], both.to_vec()));
    let id = caller.imported("b.pdf").await;
    assert_eq!(delete_and_publish(&id).await, (both.to_vec(), vec![]));
}

#[tokio::test]
async fn documents_of_other_accounts_are_not_found() {
    let owner = Caller::on(Plan::Business).await;
    let stranger = Caller::another(&owner.fakes, Plan::Business).await;
    let id = owner.imported("a.pdf").await.to_string();
    let version = owner.get(&format!("/documents/{id}")).await.body["versions"][0]["id"].clone();
    let version = version.as_str().unwrap();
    let patch = json!({"tags": ["x"]});
    for (method, rest) in [
        ("GET", String::new()),
        ("PATCH", String::new()),
        ("DELETE", String::new()),
        ("GET", "/download".to_owned()),
        ("GET", format!("/versions/{version}/download")),
        ("GET", format!("/versions/{version}/pages")),
        ("GET", format!("/versions/{NO_VERSION}/pages")),
        ("GET", "/versions/junk/download".to_owned()),
    ] {
        let body = (method == "PATCH").then_some(&patch);
        for unknown in [id.as_str(), UNKNOWN, "junk", "doc_", &id.to_uppercase()] {
            let path = format!("/documents/{unknown}{rest}");
            let mut response = stranger.send(method, &path, &[], body).await;
            assert_eq!(
                response.error(),
                (404, "document_not_found"),
                "{method} {path}"
            );
            assert_eq!(response.body["instance"], format!("/api/v1{path}"));
            response.body["instance"] = Value::Null;
            let mut other = stranger.get("/documents/other").await;
            other.body["instance"] = Value::Null;
            assert_eq!(response.body, other.body);
        }
    }
    for rest in ["pages", "download"] {
        for unknown in [NO_VERSION, "junk", "ver_"] {
            let path = format!("/documents/{id}/versions/{unknown}/{rest}");
            assert_eq!(owner.get(&path).await.error(), (404, "version_not_found"));
        }
    }
    assert_eq!(
        owner.get(&format!("/documents/{id}")).await.body["document"]["tags"],
        json!([])
    );
}

#[tokio::test]
async fn invalid_bodies_and_parameters_are_rejected() {
    let caller = Caller::on(Plan::Business).await;
    let path = format!("/documents/{}", caller.imported("a.pdf").await);
    for body in [
        json!({"colour": 1}),
        json!({"status": "error"}),
        json!({"tags": ["a,b"]}),
        json!([]),
    ] {
        let response = caller.send("PATCH", &path, &[], Some(&body)).await;
        assert_eq!(response.error(), (400, "invalid_request"), "{body}");
    }
    for query in [
        "limit=0",
        "limit=101",
        "source=web",
        "status=new",
        "q=",
        "type=",
    ] {
        let response = caller.get(&format!("/documents?{query}")).await;
        let right = ["q=", "type="].contains(&query);
        assert_eq!(response.status, if right { 200 } else { 400 }, "{query}");
    }
    let long = "x".repeat(121);
    for query in [
        format!("q={long}"),
        "from=now".to_owned(),
        format!("tags={}", "a,".repeat(300)),
    ] {
        let response = caller.get(&format!("/documents/search?{query}")).await;
        assert_eq!(response.error(), (400, "invalid_request"), "{query}");
    }
    let other = caller.send("PUT", "/documents/search", &[], None).await;
    assert_eq!(
        (other.error(), other.headers["allow"].as_str()),
        ((405, "method_not_allowed"), "GET")
    );
    let other = caller.get("/documents/import").await;
    assert_eq!(
        (other.error(), other.headers["allow"].as_str()),
        ((405, "method_not_allowed"), "POST")
    );
}

#[tokio::test]
async fn each_route_requires_its_scope() {
    let owner = Caller::on(Plan::Business).await;
    let reader = Caller::with(&owner.fakes, Plan::Business, &[Scope::DocumentsRead]).await;
    let writer = Caller::with(&owner.fakes, Plan::Business, &[Scope::DocumentsWrite]).await;
    for (method, path, reads) in [
        ("GET", "/documents", true),
        ("GET", "/documents/search", true),
        ("POST", "/documents/import", false),
        ("GET", "/documents/x", true),
        ("PATCH", "/documents/x", false),
        ("DELETE", "/documents/x", false),
        ("GET", "/documents/x/download", true),
        ("GET", "/documents/x/versions/y/download", true),
        ("GET", "/documents/x/versions/y/pages", true),
    ] {
        let (may, may_not, scope) = match reads {
            true => (&reader, &writer, "documents:read"),
            false => (&writer, &reader, "documents:write"),
        };
        let rejected = may_not.send(method, path, &[], None).await;
        assert_eq!(
            rejected.error(),
            (403, "insufficient_scope"),
            "{method} {path}"
        );
        assert!(rejected.headers["www-authenticate"].contains(scope));
        assert_ne!(
            may.send(method, path, &[], None).await.status,
            403,
            "{method} {path}"
        );
    }
}
