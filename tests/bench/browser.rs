//! Peer: a warm browser driven over the DevTools protocol on a pair of pipes, without proxy or sandbox.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::process::Process;
use tests::stack::stack;

use crate::peers::require;

/// Where the distribution package installs it.
const PROGRAM: &str = "/usr/lib/chromium/chromium-headless-shell";

/// A browser process, killed on drop.
pub(crate) struct Browser {
    child: Child,
    commands: ChildStdin,
    responses: BufReader<ChildStdout>,
    last_id: u64,
    session: Option<String>,
    /// Lifecycle events: loader and name.
    lifecycle: Vec<(Value, Value)>,
    _profile: TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Panics if the peer is not installed.
pub(crate) fn require_peer() {
    require(PROGRAM, Command::new(PROGRAM).arg("--version"));
}

impl Browser {
    /// Starts the browser. Only the stack's trusted host resolves; documents reference others.
    pub(crate) fn start() -> Self {
        let profile = TempDir::new().unwrap();
        let host = &stack().trusted_host;
        let mut child = Command::new("/bin/sh")
            .args([
                "-c",
                r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#,
                PROGRAM,
            ])
            .args([
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--no-zygote",
                "--disable-gpu",
                "--in-process-gpu",
            ])
            .args([
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--ignore-certificate-errors",
            ])
            .arg(format!(
                "--host-resolver-rules=MAP {} {}, MAP * ~NOTFOUND",
                host.name, host.address
            ))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            commands: child.stdin.take().unwrap(),
            responses: BufReader::new(child.stdout.take().unwrap()),
            child,
            last_id: 0,
            session: None,
            lifecycle: Vec::new(),
            _profile: profile,
        }
    }

    /// CPU time of the browser and its child processes.
    pub(crate) fn cpu_time(&self) -> Duration {
        let own = Process::of(self.child.id());
        own.family().into_iter().map(Process::cpu_time).sum()
    }

    /// Prints a page to a file in a new tab, after it and its fonts have loaded and the lifecycle event `quiet` was
    /// received.
    pub(crate) fn print(&mut self, url: &str, quiet: Option<&str>, target: &Path) -> Duration {
        let started = Instant::now();
        self.session = None;
        let tab = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let tab = json!({"targetId": tab["targetId"], "flatten": true});
        let attached = self.call("Target.attachToTarget", tab.clone());
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        self.call("Page.enable", json!({}));
        self.call("Page.setLifecycleEventsEnabled", json!({"enabled": true}));
        let navigation = self.call("Page.navigate", json!({"url": url}));
        let loader = navigation["loaderId"].clone();
        self.wait_for(&loader, quiet.unwrap_or("load"));
        let fonts =
            json!({"expression": "document.fonts.ready.then(() => 1)", "awaitPromise": true});
        self.call("Runtime.evaluate", fonts);
        let options = json!({
            "printBackground": true, "preferCSSPageSize": true, "generateTaggedPDF": true,
            "generateDocumentOutline": true, "transferMode": "ReturnAsStream",
        });
        let printed = self.call("Page.printToPDF", options);
        let pdf = self.read(&printed["stream"]);
        assert!(pdf.len() > 1_000, "{url}");
        std::fs::write(target, pdf).unwrap();
        let time = started.elapsed();
        self.session = None;
        self.call("Target.closeTarget", json!({"targetId": tab["targetId"]}));
        time
    }

    /// Reads a stream as base64; its content is not used.
    fn read(&mut self, stream: &Value) -> String {
        let mut all = String::new();
        loop {
            let chunk = self.call("IO.read", json!({"handle": stream, "size": 1 << 20}));
            all += chunk["data"].as_str().unwrap();
            if chunk["eof"] == true {
                return all;
            }
        }
    }

    fn wait_for(&mut self, loader: &Value, name: &str) {
        while !self
            .lifecycle
            .iter()
            .any(|(of, is)| of == loader && is == name)
        {
            self.receive();
        }
        self.lifecycle.clear();
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut command = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = &self.session {
            command["sessionId"] = session.as_str().into();
        }
        write!(self.commands, "{command}\0").unwrap();
        loop {
            let mut message = self.receive();
            if message["id"] == self.last_id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let mut text = Vec::new();
        self.responses.read_until(0, &mut text).unwrap();
        assert_eq!(text.pop(), Some(0), "the browser has exited");
        let mut message: Value = serde_json::from_slice(&text).unwrap();
        if message["method"] == "Page.lifecycleEvent" {
            let event = &mut message["params"];
            let found = (event["loaderId"].take(), event["name"].take());
            self.lifecycle.push(found);
        }
        message
    }
}

/// The URL of a file.
pub(crate) fn file_url(file: &Path) -> String {
    let file: PathBuf = file.canonicalize().unwrap();
    format!("file://{}", file.display())
}
