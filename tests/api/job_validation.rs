//! Validation of every field of `POST /jobs`: errors have the path, charge nothing and do not consume the idempotency key.

use serde_json::{Value, json};
use tests::client::unique;

use crate::account::{Account, accepted_job_id};
use crate::invalid_bodies::{Field, InvalidBody, JsonType, invalid_bodies, without_field};
use crate::problem::assert_error;

const FIELDS: [Field; 6] = [
    field("filename", JsonType::Text, true),
    field("format", JsonType::Text, true),
    field("inputFormat", JsonType::Text, false),
    field("sourceKey", JsonType::Text, true),
    field("operations", JsonType::List, false),
    field("metadata", JsonType::Object, false),
];

const fn field(name: &'static str, json_type: JsonType, required: bool) -> Field {
    Field {
        name,
        json_type,
        required,
    }
}

/// Asserts that each of `invalid_bodies` is rejected under one idempotency key, which can then be used for `base`.
async fn assert_all_rejected(
    account: &Account,
    base: &Value,
    code: &str,
    invalid_bodies: Vec<InvalidBody>,
) {
    let key = unique("members");
    let before = account.usage().await;
    for invalid in invalid_bodies {
        let response = account.client.create_job(&invalid.body, Some(&key)).await;
        invalid.assert_rejected(&response, 422, code);
        assert_eq!(account.usage().await, before, "{}", invalid.name);
    }
    assert_eq!(account.jobs().await, Vec::<String>::new());
    accepted_job_id(&account.client.create_job(base, Some(&key)).await);
    assert_eq!(account.jobs().await.len(), 1);
}

#[tokio::test]
async fn invalid_fields_are_rejected() {
    let account = Account::new("pro");
    let base = account.conversion_body().await;
    let mut all = invalid_bodies(&base, &FIELDS);
    let more = [
        ("filename", json!("")),
        ("filename", json!("   ")),
        ("filename", json!("..")),
        ("filename", json!("folder/")),
        ("filename", json!("\u{0}\u{1}\r\n")),
        ("filename", json!("a".repeat(256))),
        ("filename", json!("ä".repeat(256))),
        ("metadata", json!({"k": "v".repeat(16 * 1_024 - 7)})),
        (
            "operations",
            json!([{"operation": "o".repeat(32 * 1_024 - 17)}]),
        ),
    ];
    all.extend(
        more.map(|(name, value)| InvalidBody::with_field(&base, name, value, "invalid_value")),
    );
    assert_all_rejected(&account, &base, "invalid_request", all).await;
}

#[tokio::test]
async fn unknown_formats_are_rejected() {
    let account = Account::new("pro");
    let base = account.conversion_body().await;
    let names = [
        "",
        " ",
        " txt",
        "txt ",
        "exe",
        ".txt",
        "text/plain",
        "t\u{0}xt",
        "TXТ",
    ];
    let long = "txt".repeat(1_000);
    let all = ["format", "inputFormat"].iter().flat_map(|member| {
        let wrong = |name: &&str| {
            InvalidBody::with_field(&base, member, json!(name), "unsupported_conversion")
        };
        names
            .iter()
            .chain([&long.as_str()])
            .map(wrong)
            .collect::<Vec<_>>()
    });
    assert_all_rejected(&account, &base, "unsupported_conversion", all.collect()).await;
}

#[tokio::test]
async fn exactly_one_source_is_required() {
    let account = Account::new("pro");
    let base = account.conversion_body().await;
    let mut both = base.clone();
    both["url"] = json!("https://example.org/page.pdf");
    let neither = without_field(&base, "sourceKey");
    for (body, expected_error) in [
        (&both, ("$.url", "invalid_value")),
        (&neither, ("$.sourceKey", "missing_field")),
    ] {
        let response = account.client.create_job(body, None).await;
        assert_error(&response, 422, "invalid_request", &[expected_error]);
    }
    assert_eq!(account.jobs().await, Vec::<String>::new());
}

#[tokio::test]
async fn fields_at_their_limits_are_accepted() {
    let account = Account::new("business");
    let base = account.conversion_body().await;
    let metadata = json!({"k": "v".repeat(16 * 1_024 - 8)});
    assert_eq!(metadata.to_string().len(), 16 * 1_024);
    let good = [
        ("filename", json!(format!("{}.pdf", "a".repeat(251)))),
        ("filename", json!("ä".repeat(255))),
        ("filename", json!("a\u{0}b\r\nc.pdf")),
        ("format", json!("TXT")),
        ("format", json!("Text")),
        ("inputFormat", json!("PDF")),
        ("operations", json!([])),
        ("metadata", json!({})),
        ("metadata", metadata),
    ];
    for (name, value) in good {
        let mut body = base.clone();
        body[name] = value.clone();
        let job = account.submit_job(&body).await;
        let job = account.client.get(&format!("/jobs/{job}")).await.json();
        match name {
            "filename" => {
                let sent = value.as_str().unwrap();
                let shown: String = sent.chars().filter(|c| !c.is_control()).collect();
                assert_eq!(job["filename"], shown);
            }
            "metadata" => assert_eq!(job["metadata"], value),
            _ => {}
        }
    }
}
