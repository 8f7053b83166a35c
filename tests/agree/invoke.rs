//! Runs a function outside the stack on the Lambda runtime interface emulator, as `sam local invoke` does.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use aws_sdk_lambda::Client;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tests::process::binary;
use tests::stack::{checkout, stack};

use crate::aws;

/// A new process of a function, with the binary and environment of the running stack.
pub(crate) struct Function {
    emulator: Child,
    address: String,
    _code: TempDir,
}

impl Function {
    pub(crate) async fn start(function: &str) -> Self {
        let code = TempDir::new().unwrap();
        std::fs::copy(binary(function), code.path().join("bootstrap")).unwrap();
        let library = checkout().join(".octavo/lib/libpdfium.so");
        std::fs::copy(library, code.path().join("libpdfium.so")).unwrap();
        let address = free_address();
        let emulator = Command::new(runtime_interface_emulator())
            .args([
                "--log-level",
                "error",
                "--runtime-interface-emulator-address",
                &address,
            ])
            .args(["--runtime-api-address", &free_address()])
            .arg(code.path().join("bootstrap"))
            .current_dir(code.path())
            .env_clear()
            .envs(environment(function).await)
            .env("TMPDIR", code.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let function = Self {
            emulator,
            address,
            _code: code,
        };
        function.wait_until_ready().await;
        function
    }

    /// Invokes the function and returns its response.
    pub(crate) async fn invoke(&self, event: &Value) -> Value {
        let url = format!(
            "http://{}/2015-03-31/functions/function/invocations",
            self.address
        );
        let response = tests::client::http()
            .build()
            .unwrap()
            .post(url)
            .body(event.to_string())
            .send()
            .await
            .unwrap();
        let text = response.text().await.unwrap();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("not JSON: {text}"))
    }

    async fn wait_until_ready(&self) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while tokio::net::TcpStream::connect(&self.address).await.is_err() {
            assert!(
                Instant::now() < deadline,
                "the runtime interface emulator does not listen"
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Function {
    /// Sends SIGTERM, which the emulator forwards to the function.
    fn drop(&mut self) {
        let id = Pid::from_raw(self.emulator.id().try_into().unwrap()).unwrap();
        kill_process(id, Signal::TERM).unwrap();
        self.emulator.wait().unwrap();
    }
}

/// The function's environment variables, and those that Lambda adds.
async fn environment(function: &str) -> Vec<(String, String)> {
    let client = Client::new(&aws::config().await);
    let name = &stack().resources.functions[function];
    let request = client.get_function_configuration().function_name(name);
    let configuration = request.send().await.unwrap();
    let variables = configuration
        .environment
        .and_then(|environment| environment.variables);
    let aws = &stack().aws;
    let added = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("LANG", "C.UTF-8"),
        ("AWS_REGION", &aws.region),
        ("AWS_ACCESS_KEY_ID", &aws.access_key_id),
        ("AWS_SECRET_ACCESS_KEY", &aws.secret_access_key),
        ("AWS_ENDPOINT_URL", &aws.endpoint_url),
        ("AWS_LAMBDA_FUNCTION_NAME", name),
    ];
    let added = added.map(|(name, value)| (name.to_owned(), value.to_owned()));
    variables
        .unwrap_or_default()
        .into_iter()
        .chain(added)
        .collect()
}

/// Path of the emulator, which is part of the SAM CLI.
fn runtime_interface_emulator() -> PathBuf {
    let libraries = checkout().join(".octavo/venv/tools/lib");
    let inside = Path::new("site-packages/samcli/local/rapid").join(match std::env::consts::ARCH {
        "aarch64" => "aws-lambda-rie-arm64",
        _ => "aws-lambda-rie-x86_64",
    });
    let versions = std::fs::read_dir(&libraries)
        .into_iter()
        .flatten()
        .flatten();
    let mut found = versions
        .map(|version| version.path().join(&inside))
        .filter(|path| path.exists());
    found
        .next()
        .expect("aws-lambda-rie is missing: run infra/setup.sh checks")
}

/// Returns an address with an unused port.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .to_string()
}
