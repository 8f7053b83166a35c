//! Cold start time, idle memory and zip size of the API functions.

use std::io::Read as _;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tests::client::Client;
use tests::documents::archive;
use tests::process::{Process, binary, workers};

use crate::megabytes;
use crate::statistics::Sample;

const FUNCTIONS: [&str; 4] = ["jobs", "files", "account", "site"];

/// Cold starts of each function.
const STARTS: usize = 9;

pub(crate) async fn report() {
    // The stack starts a function on its first request.
    let client = Client::of_new_account("free");
    for path in ["/usage", "/health"] {
        client.get(path).await;
    }
    println!(
        "\nAPI functions: cold start in ms (median, 95th percentile), MB idle, MB warm in the stack, MB of the zip"
    );
    for function in FUNCTIONS {
        let starts: Vec<(Duration, u64)> = (0..STARTS).map(|_| start(function)).collect();
        let times: Sample = starts.iter().map(|(time, _)| *time).collect();
        let idle = starts.iter().map(|(_, memory)| *memory).max().unwrap();
        let warm = workers(function)
            .into_iter()
            .map(Process::memory)
            .max()
            .unwrap_or(0);
        let bytes = std::fs::read(binary(function)).unwrap();
        let zip = archive([("bootstrap", bytes)]).len() as u64;
        println!(
            "  {function:<10}{times}{:>9.1}{:>9.1}{:>9.2}",
            megabytes(idle),
            megabytes(warm),
            megabytes(zip)
        );
    }
}

/// Starts a function like Lambda; returns the time until it requests its first event, and its memory then.
fn start(function: &str) -> (Duration, u64) {
    let runtime_interface = TcpListener::bind("127.0.0.1:0").unwrap();
    let warm = workers(function)
        .into_iter()
        .next()
        .unwrap_or_else(|| panic!("{function} has not run yet"));
    let started = Instant::now();
    let mut child = Command::new(binary(function))
        .env_clear()
        .envs(warm.environment())
        .env(
            "AWS_LAMBDA_RUNTIME_API",
            runtime_interface.local_addr().unwrap().to_string(),
        )
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut connection, _) = runtime_interface.accept().unwrap();
    let mut request = [0; 64];
    let count = connection.read(&mut request).unwrap();
    let took = started.elapsed();
    assert!(
        request[..count].starts_with(b"GET /2018-06-01/runtime/invocation/next"),
        "{function} did not start"
    );
    sleep(Duration::from_millis(100));
    let memory = Process::of(child.id()).memory();
    child.kill().unwrap();
    child.wait().unwrap();
    (took, memory)
}
