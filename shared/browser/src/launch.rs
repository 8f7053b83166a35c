//! Starts a browser that can do nothing but load and render.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use task::Outcome;

use crate::Page;
use crate::connection::Connection;

/// What the browser may connect to.
pub enum NetworkAccess<'a> {
    /// Nothing: the kernel refuses it every socket.
    Nothing,
    /// The proxy at this port of the loopback address.
    Proxy {
        /// The proxy's port.
        port: u16,
        /// The key whose certificates the browser accepts for any host: base64 of the SHA-256 of its public half.
        trusted_key: Option<&'a str>,
    },
}

/// Connects the browser's pipes to file descriptors 3 and 4, and discards its log, which may quote the page.
const PLUMBING: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

/// Arguments of every browser.
const ARGUMENTS: &[&str] = &[
    "--remote-debugging-pipe",
    // The browser's sandbox needs user namespaces, which Lambda and our seccomp filter refuse. Our sandbox confines it
    // instead, for one document, in a process group of its own.
    "--no-sandbox",
    "--no-zygote",
    // Saves a process and a profile on disk: no browser outlives its document.
    "--enable-features=NetworkServiceInProcess2",
    "--incognito",
    // No process for each site: all sites belong to one document.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider",
    // Shared memory in files of the scratch directory, where the sandbox counts it.
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--in-process-gpu",
    // No windows, downloads, devices, nor services of the vendor.
    "--block-new-web-contents",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-notifications",
    "--disable-quic",
    "--disable-speech-api",
    "--disable-sync",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--password-store=basic",
    // The same rendering everywhere.
    "--accept-lang=en-US",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--window-size=1280,1024",
];

/// Starts a browser with a fresh profile in `directory`, and opens its page, which is empty.
pub fn launch(
    program: &Path,
    directory: &Path,
    access: &NetworkAccess<'_>,
    until: Instant,
) -> Outcome<Page> {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(PLUMBING).arg(program).args(ARGUMENTS);
    let profile = directory.join("profile");
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.args(network(access));
    let mut child = command
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let missing = || std::io::Error::other("a pipe of the browser is missing");
    let commands = child.stdin.take().ok_or_else(missing)?;
    let messages = child.stdout.take().ok_or_else(missing)?;
    Ok(Page::open(Connection::new(commands, messages), until)?)
}

/// Sends all requests to the proxy, which resolves names as well. Without `<-loopback>` the browser would connect to the
/// loopback address itself. Without access, nothing listens at the proxy's port.
fn network(access: &NetworkAccess<'_>) -> Vec<String> {
    let (port, key) = match access {
        NetworkAccess::Nothing => (9, None),
        NetworkAccess::Proxy { port, trusted_key } => (*port, *trusted_key),
    };
    let key = key.map(|key| format!("--ignore-certificate-errors-spki-list={key}"));
    let arguments = [
        format!("--proxy-server=http://127.0.0.1:{port}"),
        "--proxy-bypass-list=<-loopback>".to_owned(),
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1".to_owned(),
    ];
    arguments.into_iter().chain(key).collect()
}
