//! Results of several files are ZIP archives.

use serde_json::{Value, json};
use tests::documents;

use crate::account::Account;

#[tokio::test]
async fn several_pages_become_a_zip_of_files_with_stable_names() {
    let account = Account::new("business");
    let pdf = documents::pdf(3, 100, 60);
    let source = account
        .client
        .upload("plan.pdf", "application/pdf", pdf)
        .await;
    let body = json!({"filename": "plan.pdf", "format": "PNG", "sourceKey": source});
    let job = account.run_job(&body).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["output"]["contentType"], "application/zip");
    assert_eq!(job["output"]["pages"], 3);
    let files = job["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(name).collect();
    assert_eq!(names, ["plan-0001.png", "plan-0002.png", "plan-0003.png"]);
    let archive = account.client.result(&job).await;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
    for file in files {
        assert_eq!(file["contentType"], "image/png");
        let entry = archive.by_name(name(file)).unwrap();
        assert_eq!(file["sizeBytes"], entry.size());
    }
    assert_eq!(archive.len(), 3);
}

fn name(file: &Value) -> &str {
    file["name"].as_str().unwrap()
}
