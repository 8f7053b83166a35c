//! The running stack, from its stack file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stack {
    pub base_url: String,
    pub site_url: String,
    pub aws: Aws,
    pub resources: Resources,
    pub admin: Vec<String>,
    pub keys: BTreeMap<String, String>,
    pub trusted_host: TrustedHost,
    #[serde(skip)]
    pub file: PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Aws {
    pub endpoint_url: String,
    pub region: String,
    pub access_key_id: String,
    pub secret_access_key: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resources {
    pub bus: String,
    pub bucket: String,
    pub tables: BTreeMap<String, String>,
    pub queues: BTreeMap<String, String>,
    pub dead_letter_queues: BTreeMap<String, String>,
    pub functions: BTreeMap<String, String>,
    pub pepper_secret: String,
}

/// The non-public host that the stack may connect to.
#[derive(Debug, Deserialize)]
pub struct TrustedHost {
    pub name: String,
    pub port: u16,
    pub address: String,
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// Root of the checkout.
pub fn checkout() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The stack of the file in `OCTAVO_STACK`, or the one of `make serve`.
pub fn stack() -> &'static Stack {
    static STACK: OnceLock<Stack> = OnceLock::new();
    STACK.get_or_init(|| {
        let file = std::env::var_os("OCTAVO_STACK")
            .map_or_else(|| checkout().join(".octavo/stack.json"), PathBuf::from);
        let file = checkout().join(file);
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| {
            panic!(
                "no running stack at {} ({error}): start one with `make serve`",
                file.display()
            )
        });
        let mut stack: Stack = serde_json::from_str(&text).unwrap();
        stack.file = file;
        stack
    })
}

/// Creates an account on `plan` and a key with all scopes; returns `(account, key)`.
pub fn new_account(plan: &str) -> (String, String) {
    let account = admin(&["account", "create", "--plan", plan])["accountId"]
        .as_str()
        .unwrap()
        .to_owned();
    let key = admin(&["key", "create", "--account", &account])["key"]
        .as_str()
        .unwrap()
        .to_owned();
    (account, key)
}

/// Runs `octavo-admin` and parses the object that it prints.
pub fn admin(arguments: &[&str]) -> Value {
    try_admin(arguments).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// Runs `octavo-admin`; returns its output or its error text.
pub fn try_admin(arguments: &[&str]) -> Result<Value, String> {
    let output = run_admin(arguments);
    if output.status.success() {
        Ok(serde_json::from_slice(&output.stdout).unwrap())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Runs `octavo-admin`; returns the printed object and whether it exited with 0.
pub fn admin_report(arguments: &[&str]) -> (Value, bool) {
    let output = run_admin(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout);
    let report = report.unwrap_or_else(|error| panic!("{arguments:?}: {error}: {complaint}"));
    (report, output.status.success())
}

fn run_admin(arguments: &[&str]) -> Output {
    let (program, prefix) = stack().admin.split_first().unwrap();
    Command::new(checkout().join(program))
        .args(prefix)
        .args(arguments)
        .current_dir(checkout())
        .output()
        .unwrap()
}
