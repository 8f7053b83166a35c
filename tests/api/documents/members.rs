//! Every member and parameter of the library's routes, wrong in every way.

use serde_json::{Value, json};
use tests::client::unique;

use crate::account::Account;
use crate::members::{Kind, Member, Wrong, wrong};
use crate::refusal::assert_refused;
use tests::shelf::Shelf;

const fn text(name: &'static str, required: bool) -> Member {
    Member {
        name,
        kind: Kind::Text,
        required,
    }
}

#[tokio::test]
async fn wrong_members_of_an_import_are_refused_and_cost_nothing() {
    let account = Account::new("starter");
    let members = [
        text("url", true),
        text("filename", false),
        text("contentType", false),
        text("folderId", false),
        text("groupId", false),
    ];
    let base = json!({"url": "https://10.0.0.1/a.pdf"});
    let mut all = wrong(&base, &members);
    let long = |count| json!("x".repeat(count));
    let more = [
        ("filename", long(181)),
        ("filename", json!("..")),
        ("contentType", json!("")),
        ("contentType", long(121)),
        ("folderId", long(121)),
        ("folderId", json!("a\u{0}b")),
        ("groupId", json!("")),
        ("groupId", long(1_000_000 - 200)),
    ];
    all.extend(more.map(|(name, value)| Wrong::set(&base, name, value, "invalid_value")));
    let key = unique("import");
    let headers = [("idempotency-key", key.as_str())];
    for wrong in all {
        // A URL of the wrong kind is still a text where it is one.
        if wrong.body["url"] == "7" {
            continue;
        }
        let answer = account
            .client
            .post("/documents/import", &headers, &wrong.body)
            .await;
        assert_eq!(answer.status, 400, "{}: {}", wrong.what, answer.text());
        assert_refused(&answer, 400, "invalid_request", &wrong.faults());
    }
    let answer = account
        .client
        .post("/documents/import", &headers, &base)
        .await;
    assert_refused(&answer, 422, "url_blocked", &[("$.url", "url_blocked")]);
    assert_eq!(account.remaining().await.1, 2_000);
}

#[tokio::test]
async fn wrong_members_of_a_change_are_refused_and_change_nothing() {
    let account = Account::new("business");
    let path = format!(
        "/documents/{}",
        Shelf::of(&account.id).await.put("a.pdf").await
    );
    let before = account.client.get(&path).await.json();
    let members = [
        text("filename", false),
        text("folderId", false),
        text("status", false),
        Member {
            name: "tags",
            kind: Kind::List,
            required: false,
        },
    ];
    let base = json!({});
    let mut all = wrong(&base, &members);
    let many: Vec<String> = (0..51).map(|number| format!("t{number}")).collect();
    let more = [
        ("filename", json!("")),
        ("filename", json!("x".repeat(256))),
        ("folderId", json!("")),
        ("groupId", json!(7)),
        ("groupId", json!("x".repeat(121))),
        ("status", json!("READY")),
        ("status", json!("importing")),
        ("tags", json!(many)),
    ];
    all.extend(more.map(|(name, value)| Wrong::set(&base, name, value, "invalid_value")));
    for wrong in all {
        // A text is a name, a folder; and as a status it is judged above.
        if wrong.body == json!({"status": "7"}) {
            continue;
        }
        let answer = patch(&account, &path, &wrong.body).await;
        assert_eq!(answer.status, 400, "{}: {}", wrong.what, answer.text());
        assert_refused(&answer, 400, "invalid_request", &wrong.faults());
    }
    let tags = json!({"tags": ["fine", "a,b"]});
    let answer = patch(&account, &path, &tags).await;
    assert_refused(
        &answer,
        400,
        "invalid_request",
        &[("$.tags[1]", "invalid_value")],
    );
    assert_eq!(account.client.get(&path).await.json(), before);
    assert_eq!(
        patch(&account, &path, &base).await.json(),
        before,
        "nothing to change"
    );
}

async fn patch(account: &Account, path: &str, body: &Value) -> tests::client::Answer {
    let headers = [("content-type", "application/json")];
    let body = body.to_string().into_bytes();
    account
        .client
        .send("PATCH", path, &headers, Some(body))
        .await
}

#[tokio::test]
async fn parameters_out_of_range_are_refused() {
    let account = Account::new("business");
    let long = |count| "x".repeat(count);
    let both = ["/documents", "/documents/search"];
    let of_list = &both[..1];
    let of_search = &both[1..];
    for (lists, name, value) in [
        (&both[..], "limit", "0".to_owned()),
        (&both, "limit", "101".to_owned()),
        (&both, "limit", "-1".to_owned()),
        (&both, "limit", "ten".to_owned()),
        (&both, "q", long(121)),
        (&both, "type", long(121)),
        (&both, "folderId", long(121)),
        (&both, "groupId", long(121)),
        (&both, "status", "done".to_owned()),
        (of_list, "source", long(81)),
        (of_list, "source", "web".to_owned()),
        (of_search, "tags", long(501)),
        (of_search, "tags", long(51)),
        (of_search, "from", "now".to_owned()),
        (of_search, "to", "1.5".to_owned()),
    ] {
        for list in lists {
            let answer = account.client.get(&format!("{list}?{name}={value}")).await;
            let fault = format!("$.{name}");
            assert_refused(
                &answer,
                400,
                "invalid_request",
                &[(&fault, "invalid_value")],
            );
        }
    }
    for query in [
        "limit=100",
        "limit=1",
        "q=",
        "nothing=known",
        "status=archived",
        "nothing=known&nothing=else",
    ] {
        for list in both {
            let answer = account.client.get(&format!("{list}?{query}")).await;
            assert_eq!(answer.status, 200, "{list}?{query}: {}", answer.text());
        }
    }
    for (list, query, fault) in [
        (of_list[0], "limit=5&limit=5", "$.limit"),
        (of_search[0], "q=a&q=b", "$.q"),
        (of_search[0], "q=a&tags=a&tags=b", "$.tags"),
    ] {
        let answer = account.client.get(&format!("{list}?{query}")).await;
        let fault = (fault, "invalid_value");
        assert_refused(&answer, 400, "invalid_request", &[fault]);
    }
    let query = format!("q={}&tags={}", long(120), "tag,".repeat(125));
    let answer = account
        .client
        .get(&format!("/documents/search?{query}"))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}
