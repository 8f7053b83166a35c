//! Imports at and above the limits of their fields, and the complete response.

use serde_json::{Value, json};
use tests::client::Response;
use tests::documents;
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::account::Account;
use crate::problem::assert_error;

async fn import(account: &Account, body: &Value) -> Response {
    account.client.post("/documents/import", &[], body).await
}

#[tokio::test]
async fn an_import_returns_the_document_and_its_version() {
    let account = Account::new("starter");
    let pdf = documents::pdf(1, 200, 100);
    let size = pdf.len();
    let _host = TrustedHost::serve(move |_| StubResponse::ok("application/pdf", pdf.clone())).await;
    for (more, folder, group) in [
        (json!({}), "root", None),
        (json!({"folderId": "f", "groupId": "g"}), "f", Some("g")),
    ] {
        let mut body = json!({"url": TrustedHost::url("/a.pdf")});
        let members = body.as_object_mut().unwrap();
        members.extend(more.as_object().unwrap().clone());
        let response = import(&account, &body).await;
        let imported = response.json();
        let id = imported["documentId"].as_str().unwrap();
        let mut expected = json!({
            "id": id, "documentId": id, "versionId": imported["versionId"], "filename": "a.pdf",
            "contentType": "application/pdf", "sizeBytes": size, "folderId": folder,
            "downloadUrl": format!("/api/v1/documents/{id}/download"), "status": "imported",
        });
        if let Some(group) = group {
            expected["groupId"] = json!(group);
        }
        assert_eq!((response.status, &imported), (201, &expected));
        assert_eq!(
            response.header("location"),
            format!("/api/v1/documents/{id}")
        );

        let detail = account.client.get(&format!("/documents/{id}")).await.json();
        let document = &detail["document"];
        let expected = json!({
            "id": id, "filename": "a.pdf", "contentType": "application/pdf", "sizeBytes": size,
            "folderId": folder, "groupId": group, "currentVersionId": imported["versionId"], "versionCount": 1,
            "source": "import", "status": "ready", "tags": [], "createdAt": document["createdAt"],
            "updatedAt": document["updatedAt"],
        });
        assert_eq!(document, &expected);
    }
    assert_eq!(account.remaining().await.1, 2_000 - 2);
}

#[tokio::test]
async fn fields_at_their_limits_are_accepted_and_above_them_rejected() {
    let account = Account::new("starter");
    let _host =
        TrustedHost::serve(|_| StubResponse::ok("application/pdf", documents::pdf(1, 200, 100)))
            .await;
    let base = TrustedHost::url("/");
    let url = |length: usize| format!("{base}{}", "a".repeat(length - base.len()));
    let filename = |length: usize| format!("{}.pdf", "ä".repeat(length - 4));
    let text = |length: usize| "x".repeat(length);
    let body = |url: String| json!({"url": url, "filename": "a.pdf"});
    let longest = json!({
        "url": url(2_048), "filename": filename(180), "folderId": text(120), "groupId": text(120),
        "contentType": format!("text/{}", text(115)),
    });
    let response = import(&account, &longest).await;
    assert_eq!(response.status, 201, "{}", response.text());
    for member in ["filename", "folderId", "groupId"] {
        assert_eq!(response.json()[member], longest[member]);
    }
    let response = import(&account, &body(url(2_049))).await;
    assert_error(&response, 400, "invalid_url", &[("$.url", "invalid_url")]);
    for (member, value) in [
        ("filename", filename(181)),
        ("folderId", text(121)),
        ("groupId", text(121)),
        ("contentType", format!("text/{}", text(116))),
    ] {
        let mut body = body(url(100));
        body[member] = json!(value);
        let expected_error = format!("$.{member}");
        let response = import(&account, &body).await;
        assert_error(
            &response,
            400,
            "invalid_request",
            &[(&expected_error, "invalid_value")],
        );
    }
    assert_eq!(account.remaining().await.1, 2_000 - 1);
}
