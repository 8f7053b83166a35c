//! The running stack, from its stack file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::SystemTime;

use aws::{Connection, Credentials, Names, Services};
use domain::account::{Account, StoredKey};
use domain::id::AccountId;
use domain::key::ApiKey;
use domain::plan::Plan;
use domain::ports::{Accounts as _, KeyCreation, Keys as _};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use tokio::runtime;

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
    /// The first of its ports; see [`crate::trusted_host::TrustedHost::port`].
    pub port: u16,
    /// Number of its ports, which follow each other.
    pub ports: u16,
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

/// Connects to the tables of accounts, jobs and documents, and to the bucket.
pub async fn services() -> Services {
    let stack = stack();
    let connection = Connection {
        endpoint_url: Some(stack.aws.endpoint_url.clone()),
        region: Some(stack.aws.region.clone()),
        credentials: Some(Credentials {
            access_key_id: stack.aws.access_key_id.clone(),
            secret_access_key: stack.aws.secret_access_key.clone().into(),
        }),
    };
    let table = |name: &str| stack.resources.tables.get(name).cloned();
    let names = Names {
        accounts_table: table("accounts"),
        jobs_table: table("jobs"),
        documents_table: table("documents"),
        bucket: Some(stack.resources.bucket.clone()),
        ..Names::default()
    };
    Services::from_names(&connection, names).await
}

/// Creates an account on `plan` and a key with all scopes, as `octavo-admin` does, but without starting a process; returns
/// `(account, key)`.
pub fn new_account(plan: &str) -> (String, String) {
    let plan: Plan = plan.parse().unwrap();
    // Most callers run on a runtime, which cannot wait for another one on its thread.
    let creation = std::thread::spawn(move || {
        let mut runtime = runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        runtime.block_on(create_account(plan))
    });
    creation.join().unwrap()
}

async fn create_account(plan: Plan) -> (String, String) {
    let (services, now) = (services().await, Timestamp::from(SystemTime::now()));
    let account = Account {
        id: AccountId::mint(now, rand::random()),
        plan,
        email: None,
        locale: None,
        created_at: now,
    };
    services.create_account(&account).await.unwrap();
    let pepper = services.pepper(&stack().resources.pepper_secret).await;
    let key = ApiKey::mint(&std::array::from_fn(|_| rand::random_range(0..248)));
    let stored = StoredKey {
        id: key.id().clone(),
        secret_hash: key.hash(&pepper.unwrap()),
        account_id: account.id.clone(),
        plan,
        locale: None,
        scopes: Scope::ALL.to_vec(),
        name: None,
        created_at: now,
        revoked_at: None,
    };
    let created = services.create_key(&stored).await.unwrap();
    assert_eq!(created, KeyCreation::Created);
    (account.id.to_string(), key.reveal())
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
