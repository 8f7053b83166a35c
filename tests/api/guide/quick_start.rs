//! The quick start of the README and the server of the operations page: runs their code as a reader would.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::client::Client;
use tests::corpus;
use tests::stack::{checkout, new_account, stack};
use tests::trusted_host::TrustedHost;

/// Returns the code blocks of this language below a heading of a page.
fn blocks(page: &str, heading: &str, language: &str) -> Vec<String> {
    let text = fs::read_to_string(checkout().join(page)).unwrap();
    let (_, section) = text.split_once(heading).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let fence = format!("```{language}\n");
    let blocks = section.split(&fence).skip(1);
    let code = blocks.map(|block| block.split("\n```").next().unwrap().to_owned());
    code.collect()
}

/// A directory with the stack file where the pages expect it.
fn directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join(".octavo")).unwrap();
    fs::copy(&stack().file, directory.path().join(".octavo/stack.json")).unwrap();
    directory
}

fn python() -> std::path::PathBuf {
    checkout().join(".octavo/venv/tests/bin/python")
}

/// Runs code in a directory, for two minutes at most.
fn run(language: &str, code: &str, directory: &Path) -> Output {
    let mut command = Command::new("timeout");
    command.arg("120").current_dir(directory);
    match language {
        "sh" => command.args(["bash", "-c", code]),
        "python" => command.arg(python()).args(["-c", code]),
        "javascript" => {
            fs::write(directory.join("hello.mjs"), code).unwrap();
            command.args(["node", "hello.mjs"])
        }
        _ => panic!("no interpreter for {language}"),
    };
    command.output().unwrap()
}

fn quick_start(language: &str) {
    let directory = directory();
    let code = blocks("README.md", "## First conversion", language).swap_remove(0);
    for _ in 0..2 {
        let output = run(language, &code, directory.path());
        assert!(output.status.success(), "{output:?}");
        let pdf = directory.path().join("hello.pdf");
        let text = Command::new("pdftotext")
            .arg(&pdf)
            .arg("-")
            .output()
            .unwrap();
        assert!(
            String::from_utf8_lossy(&text.stdout).contains("Hello from Octavo."),
            "{text:?}"
        );
        fs::remove_file(pdf).unwrap();
    }
}

#[test]
fn the_quick_start_with_curl_works_twice_in_a_row() {
    quick_start("sh");
}

#[test]
fn the_quick_start_with_python_works_twice_in_a_row() {
    quick_start("python");
}

#[test]
fn the_quick_start_with_javascript_works_twice_in_a_row() {
    quick_start("javascript");
}

#[test]
fn the_quick_start_stops_when_its_job_fails() {
    let directory = directory();
    let code = blocks("README.md", "## First conversion", "sh").swap_remove(0);
    let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let code = code
        .replace("text/plain", docx)
        .replace("hello.txt", "hello.docx");
    let output = run("sh", &code, directory.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains(r#""status":"failed""#), "{output:?}");
    assert!(!directory.path().join("hello.pdf").exists());
}

#[test]
fn the_quick_start_shows_why_a_job_is_rejected_and_stops() {
    for language in ["sh", "python", "javascript"] {
        let directory = directory();
        let code = blocks("README.md", "## First conversion", language).swap_remove(0);
        let target = if language == "sh" {
            (r#"\"pdf\""#, r#"\"mp3\""#)
        } else {
            (r#""pdf""#, r#""mp3""#)
        };
        let output = run(
            language,
            &code.replace(target.0, target.1),
            directory.path(),
        );
        assert!(!output.status.success(), "{output:?}");
        let shown = String::from_utf8_lossy(&output.stderr);
        assert!(shown.contains("unsupported_conversion"), "{output:?}");
        assert!(!directory.path().join("hello.pdf").exists());
    }
}

#[tokio::test]
async fn the_local_server_serves_fetches_and_receives_webhooks() {
    let directory = directory();
    let pdf = corpus::directory().join("pdf-text/basicapi.pdf");
    let public = directory.path().join("public");
    fs::create_dir(&public).unwrap();
    fs::copy(pdf, public.join("report.pdf")).unwrap();
    // Other tests serve the trusted host at the same time.
    let file = directory.path().join(".octavo/stack.json");
    let mut content: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    content["trustedHost"]["port"] = json!(TrustedHost::port());
    fs::write(file, content.to_string()).unwrap();
    let code = blocks("docs/operations.md", "## The local stack", "python").swap_remove(0);
    let mut server = Command::new(python());
    let server = server.args(["-c", &code]).current_dir(directory.path());
    let mut server = server
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();

    let (_, key) = new_account("pro");
    let client = Client::with_key(Some(&key));
    let webhook = json!({"url": TrustedHost::url("/webhooks"), "events": ["job.completed"]});
    assert_eq!(client.post("/webhooks", &[], &webhook).await.status, 201);
    let job =
        json!({"filename": "report.pdf", "format": "txt", "url": TrustedHost::url("/report.pdf")});
    let created = client.create_job(&job, None).await.json();
    let job = client.wait(created["jobId"].as_str().unwrap()).await;
    assert_eq!(job["status"], "completed", "{job}");
    let printed = tokio::task::spawn_blocking(move || lines.next().unwrap().unwrap());
    let event: Value = serde_json::from_str(&printed.await.unwrap()).unwrap();
    assert_eq!(
        (&event["type"], &event["data"]["jobId"]),
        (&json!("job.completed"), &job["jobId"])
    );
    server.kill().unwrap();
    server.wait().unwrap();
}
