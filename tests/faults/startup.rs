//! Starting a second local stack, and errors at start.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use tests::process::binaries;
use tests::stack::{checkout, stack};
use tests::wire::state_directory;

pub(crate) fn without_binaries() {
    let (state, empty) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let mut command = local(state.path(), "true");
    let output = command
        .env("CARGO_TARGET_DIR", empty.path())
        .output()
        .unwrap();
    let searched = empty.path().join("debug");
    let searched = searched.to_str().unwrap();
    assert_startup_error(&output, &["octavo-admin", searched, "make build"]);
}

pub(crate) fn without_packages() {
    // The system's Python does not have the packages of the virtual environment.
    let output = Command::new("/usr/bin/python3")
        .args(["-I", "infra/local", "serve"])
        .current_dir(checkout())
        .output()
        .unwrap();
    assert_startup_error(&output, &["boto3", "make setup"]);
}

pub(crate) fn with_a_directory_in_use() {
    let state = state_directory();
    let output = local(&state, "true").output().unwrap();
    assert_startup_error(&output, &[state.to_str().unwrap(), "--state"]);
}

pub(crate) fn concurrent_with_another() {
    let state = TempDir::new().unwrap();
    let script = format!(
        r#"cat "$OCTAVO_STACK"; kill -9 $(pgrep -f "launch.py {}$"); sleep 30"#,
        state.path().display()
    );
    let output = local(state.path(), &script).output().unwrap();
    let other: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let endpoint = other["aws"]["endpointUrl"].as_str().unwrap();
    let (_, port) = endpoint.rsplit_once(':').unwrap();
    assert_startup_error(&output, &[&format!("port {port})")]);
    assert_ne!(other["baseUrl"], stack().base_url);
    assert!(
        !state.path().join("stack.json").exists(),
        "the stack file is not removed"
    );
}

fn local(state: &Path, script: &str) -> Command {
    let mut command = Command::new(checkout().join(".octavo/venv/stack/bin/python"));
    command
        .args(["infra/local", "run", "--state"])
        .arg(state)
        .args(["--", "sh", "-c", script])
        .current_dir(checkout())
        .env("CARGO_TARGET_DIR", binaries().parent().unwrap());
    command
}

/// Asserts exit code 1 and an error message without traceback that contains all of `expected`.
fn assert_startup_error(output: &Output, expected: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(!stderr.contains("Traceback"), "{stderr}");
    for text in expected {
        assert!(stderr.contains(text), "no {text:?} in: {stderr}");
    }
}
