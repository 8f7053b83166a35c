//! PDF/A: a job whose result has the requested level, and a level that does not exist.

use serde_json::json;

use crate::account::{Account, accepted_job_id};
use crate::problem::assert_error;

#[tokio::test]
async fn a_document_is_archived_in_a_level() {
    let account = Account::new("pro");
    let file = tests::corpus::directory().join("pdf-text/fileAttachment.pdf");
    let pdf = std::fs::read(file).unwrap();
    let source = account
        .client
        .upload("report.pdf", "application/pdf", pdf)
        .await;
    let body = |level: &str| {
        json!({
            "filename": "report.pdf", "format": "pdf", "sourceKey": source,
            "operations": [{"operation": "pdfa", "level": level}],
        })
    };
    for (level, part, is_dropped) in [("1b", 1, true), ("3b", 3, false)] {
        let created = account.client.create_job(&body(level), None).await;
        let job = account.client.wait(&accepted_job_id(&created)).await;
        assert_eq!(job["status"], "completed", "{job}");
        assert_eq!(job["processor"], "process-office", "{job}");
        let warnings = job["warnings"].to_string();
        let has_warning = warnings.contains("attachments_left_out");
        assert_eq!(has_warning, is_dropped, "{level}: {warnings}");
        let result = account.client.result(&job).await;
        let text = String::from_utf8_lossy(&result);
        let identification = format!("<pdfaid:part>{part}</pdfaid:part>");
        assert!(text.contains(&identification), "{level}");
    }
    let rejected = account.client.create_job(&body("2a"), None).await;
    let errors = [("$.operations[0].level", "invalid_value")];
    assert_error(&rejected, 422, "invalid_step", &errors);
}
