//! Every member of `POST /jobs`, wrong in every way: refused with its path, not charged, and no key used up.

use serde_json::{Value, json};
use tests::client::unique;

use crate::account::{Account, accepted};
use crate::members::{Kind, Member, Wrong, without, wrong};
use crate::refusal::assert_refused;

const MEMBERS: [Member; 6] = [
    member("filename", Kind::Text, true),
    member("format", Kind::Text, true),
    member("inputFormat", Kind::Text, false),
    member("sourceKey", Kind::Text, true),
    member("operations", Kind::List, false),
    member("metadata", Kind::Object, false),
];

const fn member(name: &'static str, kind: Kind, required: bool) -> Member {
    Member {
        name,
        kind,
        required,
    }
}

/// Refuses each of `wrong` under one key, which then still works for `base`.
async fn refuse_all(account: &Account, base: &Value, code: &str, wrong: Vec<Wrong>) {
    let key = unique("members");
    let before = account.usage().await;
    for wrong in wrong {
        let answer = account.client.create_job(&wrong.body, Some(&key)).await;
        assert_eq!(answer.status, 422, "{}: {}", wrong.what, answer.text());
        assert_refused(&answer, 422, code, &wrong.faults());
        assert_eq!(account.usage().await, before, "{}", wrong.what);
    }
    assert_eq!(account.jobs().await, Vec::<String>::new());
    accepted(&account.client.create_job(base, Some(&key)).await);
    assert_eq!(account.jobs().await.len(), 1);
}

#[tokio::test]
async fn wrong_members_are_refused() {
    let account = Account::new("pro");
    let base = account.conversion().await;
    let mut all = wrong(&base, &MEMBERS);
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
    all.extend(more.map(|(name, value)| Wrong::set(&base, name, value, "invalid_value")));
    refuse_all(&account, &base, "invalid_request", all).await;
}

#[tokio::test]
async fn formats_that_nobody_knows_are_refused() {
    let account = Account::new("pro");
    let base = account.conversion().await;
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
        let wrong = |name: &&str| Wrong::set(&base, member, json!(name), "unsupported_conversion");
        names
            .iter()
            .chain([&long.as_str()])
            .map(wrong)
            .collect::<Vec<_>>()
    });
    refuse_all(&account, &base, "unsupported_conversion", all.collect()).await;
}

#[tokio::test]
async fn a_source_is_named_once() {
    let account = Account::new("pro");
    let base = account.conversion().await;
    let mut both = base.clone();
    both["url"] = json!("https://example.org/page.pdf");
    let neither = without(&base, "sourceKey");
    for (body, fault) in [
        (&both, ("$.url", "invalid_value")),
        (&neither, ("$.sourceKey", "missing_field")),
    ] {
        let answer = account.client.create_job(body, None).await;
        assert_refused(&answer, 422, "invalid_request", &[fault]);
    }
    assert_eq!(account.jobs().await, Vec::<String>::new());
}

#[tokio::test]
async fn members_at_their_limits_are_accepted() {
    let account = Account::new("business");
    let base = account.conversion().await;
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
        let job = account.accept(&body).await;
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
