//! Starts a browser with all features disabled except loading and rendering.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use task::TaskResult;

use crate::Page;
use crate::connection::Connection;

/// The network access of the browser.
pub enum NetworkAccess<'a> {
    /// No network: seccomp denies all sockets.
    None,
    /// A proxy on loopback.
    Proxy {
        /// The proxy's port.
        port: u16,
        /// Base64 SHA-256 of the public key (SPKI) whose certificates the browser accepts for any host.
        interception_key_hash: Option<&'a str>,
    },
}

/// Connects the browser's pipes to file descriptors 3 and 4, and discards its log, which may quote the page.
const REDIRECT_PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

/// Arguments of every browser.
const ARGUMENTS: &[&str] = &[
    "--remote-debugging-pipe",
    // The browser's own sandbox needs user namespaces, which Lambda and the seccomp filter deny. The crate `sandbox` confines
    // the browser instead, for one document and in its own process group.
    "--no-sandbox",
    "--no-zygote",
    // Saves a process and a profile on disk; the browser is used for one document only.
    "--enable-features=NetworkServiceInProcess2",
    "--incognito",
    // No process per site: all sites belong to one document.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider",
    // Shared memory in files of the scratch directory, where the sandbox counts it.
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--in-process-gpu",
    // No windows, downloads, devices or vendor services.
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
    // Reproducible rendering.
    "--accept-lang=en-US",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--window-size=1280,1024",
];

/// Starts a browser with a new profile in `directory` and opens an empty page.
///
/// # Errors
///
/// Fails if the program cannot be started, or the browser fails or does not respond before `until`.
pub fn launch(
    program: &Path,
    directory: &Path,
    access: &NetworkAccess<'_>,
    until: Instant,
) -> TaskResult<Page> {
    let mut command = Command::new("/bin/sh");
    command
        .arg("-c")
        .arg(REDIRECT_PIPES)
        .arg(program)
        .args(ARGUMENTS);
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

/// Arguments that send all requests to the proxy, which also resolves names. Without `<-loopback>` the browser would connect
/// to loopback addresses directly. Without network access, the proxy's port is closed.
fn network(access: &NetworkAccess<'_>) -> Vec<String> {
    let (port, key) = match access {
        NetworkAccess::None => (9, None),
        NetworkAccess::Proxy {
            port,
            interception_key_hash,
        } => (*port, *interception_key_hash),
    };
    let key = key.map(|key| format!("--ignore-certificate-errors-spki-list={key}"));
    let arguments = [
        format!("--proxy-server=http://127.0.0.1:{port}"),
        "--proxy-bypass-list=<-loopback>".to_owned(),
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1".to_owned(),
    ];
    arguments.into_iter().chain(key).collect()
}
