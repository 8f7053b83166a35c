//! Starts a browser that can do as little as possible beside loading and printing.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use task::Outcome;

use super::connection::Connection;

/// How far the browser may reach.
pub(crate) enum Way<'a> {
    /// Nowhere: the kernel grants it no socket at all.
    None,
    /// To the proxy at this port of the loopback address, with the key that it may show for others.
    Proxy(u16, Option<&'a str>),
}

/// Gives the browser its pipes where it looks for them, and nobody what it writes: that may quote the page.
const PLUMBING: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

/// What never changes.
const ARGUMENTS: &[&str] = &[
    "--remote-debugging-pipe",
    // Its own sandbox needs namespaces of users, which Lambda refuses and our filter of system calls as well. It runs
    // inside ours instead, one document long, and shares its process group with nothing else.
    "--no-sandbox",
    "--no-zygote",
    // One process and a profile on disk less to begin: nothing of a document outlives its browser.
    "--enable-features=NetworkServiceInProcess2",
    "--incognito",
    // No process for each site: all that is here belongs to one document.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider",
    // Shared memory in files of the scratch directory, where it is counted.
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--in-process-gpu",
    // Windows, downloads, devices and everything that talks to its maker.
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
    // The same picture everywhere.
    "--accept-lang=en-US",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--window-size=1280,1024",
];

/// Starts a browser with a fresh profile in `directory`, which is its home, too.
pub(crate) fn launch(
    program: &Path,
    directory: &Path,
    way: &Way<'_>,
) -> Outcome<(Child, Connection)> {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(PLUMBING).arg(program).args(ARGUMENTS);
    let profile = directory.join("profile");
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.args(network(way));
    let mut child = command
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let missing = || std::io::Error::other("a pipe of the browser is missing");
    let commands = child.stdin.take().ok_or_else(missing)?;
    let answers = child.stdout.take().ok_or_else(missing)?;
    Ok((child, Connection::new(commands, answers)))
}

/// All that goes out goes to the proxy, which resolves names as well. Without `<-loopback>` the browser would connect to
/// the loopback address itself. Where there is no way, the proxy is one that nothing listens at.
fn network(way: &Way<'_>) -> Vec<String> {
    let (port, key) = match way {
        Way::None => (9, None),
        Way::Proxy(port, key) => (*port, *key),
    };
    let key = key.map(|key| format!("--ignore-certificate-errors-spki-list={key}"));
    let arguments = [
        format!("--proxy-server=http://127.0.0.1:{port}"),
        "--proxy-bypass-list=<-loopback>".to_owned(),
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1".to_owned(),
    ];
    arguments.into_iter().chain(key).collect()
}
