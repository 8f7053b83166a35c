//! Peer: unoserver, a warm LibreOffice that converts documents in sequence.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tests::corpus;
use tests::corpus::Entry;
use tests::process::Process;
use tests::stack::checkout;

use crate::peers::require;

/// The Python for which the distribution packages LibreOffice's bindings (python3-uno).
const PYTHON: &str = "/usr/bin/python3";
/// Start-up time limit.
const START_WITHIN: Duration = Duration::from_secs(60);

/// A running server.
pub(super) struct Unoserver {
    server: Child,
    port: u16,
    home: TempDir,
}

/// Panics if the peer is not installed.
pub(super) fn require_peer() {
    require(
        "unoserver",
        python().args(["-c", "import uno, unoserver.server"]),
    );
    require("unoconvert", Command::new(client()).arg("--help"));
}

fn peers() -> PathBuf {
    checkout().join(".octavo/venv/peers")
}

fn client() -> PathBuf {
    peers().join("bin/unoconvert")
}

fn python() -> Command {
    let libraries = std::fs::read_dir(peers().join("lib")).into_iter().flatten();
    let libraries: Vec<PathBuf> = libraries
        .map(|entry| entry.unwrap().path().join("site-packages"))
        .collect();
    let mut python = Command::new(PYTHON);
    python.env("PYTHONPATH", std::env::join_paths(libraries).unwrap());
    python
}

impl Unoserver {
    pub(super) fn start() -> Self {
        let home = TempDir::new().unwrap();
        let (port, inner) = (free_port(), free_port());
        let server = python()
            .args(["-m", "unoserver.server", "--interface", "127.0.0.1"])
            .args(["--port", &port.to_string()])
            .args(["--uno-port", &inner.to_string()])
            .arg("--user-installation")
            .arg(home.path().join("profile"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { server, port, home }
    }

    /// CPU time of the server for these documents, once it is warm.
    pub(super) fn convert(&self, documents: &[Entry]) -> Duration {
        let since = Instant::now();
        while !self.convert_one(&documents[0]) {
            assert!(
                since.elapsed() < START_WITHIN,
                "unoserver did not start in time"
            );
            std::thread::sleep(Duration::from_millis(200));
        }
        let before = self.cpu_time();
        for document in documents {
            assert!(self.convert_one(document), "{}", document.file);
        }
        self.cpu_time() - before
    }

    fn convert_one(&self, document: &Entry) -> bool {
        let result = self.home.path().join("result.pdf");
        std::fs::remove_file(&result).ok();
        let status = Command::new(client())
            .args(["--port", &self.port.to_string(), "--convert-to", "pdf"])
            .arg(corpus::directory().join(&document.file))
            .arg(&result)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        status.success() && is_pdf(&result)
    }

    fn cpu_time(&self) -> Duration {
        let server = Process::of(self.server.id());
        let living = server.descendants().into_iter().chain([server]);
        living.map(Process::cpu_time).sum()
    }
}

impl Drop for Unoserver {
    fn drop(&mut self) {
        for process in Process::of(self.server.id()).descendants() {
            process.kill();
        }
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

fn is_pdf(file: &Path) -> bool {
    std::fs::read(file).is_ok_and(|bytes| bytes.starts_with(b"%PDF-"))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
