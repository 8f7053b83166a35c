//! Validation of fields and parameters of the library's routes.

use serde_json::{Value, json};
use tests::client::unique;

use crate::account::Account;
use crate::invalid_bodies::{Field, InvalidBody, JsonType, invalid_bodies};
use crate::problem::assert_error;
use tests::library_fixture::LibraryFixture;

const fn text(name: &'static str, required: bool) -> Field {
    Field {
        name,
        json_type: JsonType::Text,
        required,
    }
}

#[tokio::test]
async fn invalid_imports_are_rejected_without_charge() {
    let account = Account::new("starter");
    let members = [
        text("url", true),
        text("filename", false),
        text("contentType", false),
        text("folderId", false),
        text("groupId", false),
    ];
    let base = json!({"url": "https://10.0.0.1/a.pdf"});
    let mut all = invalid_bodies(&base, &members);
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
    all.extend(
        more.map(|(name, value)| InvalidBody::with_field(&base, name, value, "invalid_value")),
    );
    let key = unique("import");
    let headers = [("idempotency-key", key.as_str())];
    for invalid in all {
        // `"7"` is a string, thus of the valid type; invalid URLs are tested elsewhere.
        if invalid.body["url"] == "7" {
            continue;
        }
        let response = account
            .client
            .post("/documents/import", &headers, &invalid.body)
            .await;
        invalid.assert_rejected(&response, 400, "invalid_request");
    }
    let response = account
        .client
        .post("/documents/import", &headers, &base)
        .await;
    assert_error(&response, 422, "url_blocked", &[("$.url", "url_blocked")]);
    assert_eq!(account.remaining().await.1, 2_000);
}

#[tokio::test]
async fn invalid_changes_are_rejected() {
    let account = Account::new("business");
    let path = format!(
        "/documents/{}",
        LibraryFixture::open(&account.id).await.add("a.pdf").await
    );
    let before = account.client.get(&path).await.json();
    let members = [
        text("filename", false),
        text("folderId", false),
        text("status", false),
        Field {
            name: "tags",
            json_type: JsonType::List,
            required: false,
        },
    ];
    let base = json!({});
    let mut all = invalid_bodies(&base, &members);
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
    all.extend(
        more.map(|(name, value)| InvalidBody::with_field(&base, name, value, "invalid_value")),
    );
    for invalid in all {
        // Strings are valid names and folders; an invalid status is tested above.
        if invalid.body == json!({"status": "7"}) {
            continue;
        }
        let response = patch(&account, &path, &invalid.body).await;
        invalid.assert_rejected(&response, 400, "invalid_request");
    }
    let tags = json!({"tags": ["fine", "a,b"]});
    let response = patch(&account, &path, &tags).await;
    assert_error(
        &response,
        400,
        "invalid_request",
        &[("$.tags[1]", "invalid_value")],
    );
    assert_eq!(account.client.get(&path).await.json(), before);
    assert_eq!(
        patch(&account, &path, &base).await.json(),
        before,
        "an equal change has no effect"
    );
}

async fn patch(account: &Account, path: &str, body: &Value) -> tests::client::Response {
    let headers = [("content-type", "application/json")];
    let body = body.to_string().into_bytes();
    account
        .client
        .send("PATCH", path, &headers, Some(body))
        .await
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
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
            let response = account.client.get(&format!("{list}?{name}={value}")).await;
            let expected_error = format!("$.{name}");
            assert_error(
                &response,
                400,
                "invalid_request",
                &[(&expected_error, "invalid_value")],
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
            let response = account.client.get(&format!("{list}?{query}")).await;
            assert_eq!(response.status, 200, "{list}?{query}: {}", response.text());
        }
    }
    for (list, query, expected_error) in [
        (of_list[0], "limit=5&limit=5", "$.limit"),
        (of_search[0], "q=a&q=b", "$.q"),
        (of_search[0], "q=a&tags=a&tags=b", "$.tags"),
    ] {
        let response = account.client.get(&format!("{list}?{query}")).await;
        let expected_error = (expected_error, "invalid_value");
        assert_error(&response, 400, "invalid_request", &[expected_error]);
    }
    let query = format!("q={}&tags={}", long(120), "tag,".repeat(125));
    let response = account
        .client
        .get(&format!("/documents/search?{query}"))
        .await;
    assert_eq!(response.status, 200, "{}", response.text());
}
