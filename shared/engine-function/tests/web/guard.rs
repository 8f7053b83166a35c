//! SSRF guard: pages reach no private addresses, no local files, and nothing past the proxy.

use std::net::{TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use domain::job::JobErrorCode;
use engine::{EngineError, WebAccess, WebProxy};
use engine_function::{Engine as _, InstalledEngines, PAGE};
use fetch::{Client, Policy, TrustStore};
use serde_json::json;

use crate::internet::{Internet, html, not_found, redirect};
use crate::support::{
    convert, engines, engines_of, engines_over, page_error, print, run, run_on,
    with_and_without_landlock,
};

const SITE: &str = "http://site.example.com";
const PUBLIC: &str = "93.184.216.34:80";

/// A listener on a loopback port, which pages must not reach.
struct Canary {
    tcp: TcpListener,
    udp: UdpSocket,
}

impl Canary {
    /// Listens on a fixed port, which the test pages contain.
    fn at(port: u16) -> Self {
        let tcp = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        Self { tcp, udp }
    }

    fn assert_no_connection(&self) {
        std::thread::sleep(Duration::from_millis(50));
        assert!(
            self.tcp.accept().is_err(),
            "a connection bypassed the proxy"
        );
        assert!(
            self.udp.recv(&mut [0; 64]).is_err(),
            "a datagram bypassed the proxy"
        );
    }
}

#[test]
fn pages_at_private_addresses_are_blocked_with_and_without_redirects() {
    let internet = Internet::with_site(|path| match path {
        "/metadata" => redirect("http://169.254.169.254/latest/meta-data/"),
        "/inside" => redirect("http://inside.example.com/"),
        "/tls" => redirect("https://inside.example.com/"),
        "/refresh" => html("<meta http-equiv=refresh content='0;url=http://10.0.0.1/'><p>x"),
        "/script" => html("<script>location = 'http://[::1]:8080/'</script>"),
        _ => not_found(),
    });
    internet.name("inside.example.com", &["10.1.2.3"]);
    for path in ["/metadata", "/inside", "/tls", "/refresh", "/script"] {
        let (code, message) = page_error(&internet, &format!("{SITE}{path}"));
        assert_eq!(code, JobErrorCode::FetchBlocked, "{path}: {message}");
    }
    assert_eq!(internet.dialed(), [PUBLIC]);
    for url in [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::ffff:169.254.169.254]/",
        "https://10.0.0.1/",
        "http://inside.example.com/",
        "http://0x7f.1/",
    ] {
        let (code, message) = page_error(&internet, url);
        assert_eq!(code, JobErrorCode::FetchBlocked, "{url}: {message}");
    }
    assert_eq!(internet.dialed(), [PUBLIC]);
}

#[test]
fn dns_rebinding_to_a_private_address_is_blocked() {
    let internet = Internet::with_site(|path| match path {
        "/" => html(
            "<p id=p>wait</p><script>fetch('/secret').then(r => p.textContent = r.status)</script>",
        ),
        _ => html("secret"),
    });
    internet.name("site.example.com", &["93.184.216.34", "127.0.0.1"]);
    let text = print(&internet, &format!("{SITE}/")).unwrap();
    assert!(text.contains("403"), "{text}");
    assert_eq!(internet.dialed(), [PUBLIC]);
}

#[test]
fn subresources_reach_neither_local_files_nor_loopback() {
    with_and_without_landlock(subresources_are_guarded);
}

fn subresources_are_guarded() {
    let canary = Canary::at(47_117);
    let internet = Internet::with_site(|path| {
        match path {
        "/" => html(
            "<p>besides</p><iframe src='file:///etc/passwd'></iframe><iframe src='view-source:file:///etc/passwd'></iframe>
             <iframe src='http://127.0.0.1:47117/'></iframe><iframe src='http://169.254.169.254/'></iframe>
             <iframe src='http://169.254.100.1:9001/2018-06-01/runtime/invocation/next'></iframe>
             <img src='http://sandbox.localdomain:4243/'><img src='http://[fe80::1]:9001/'>
             <iframe src='chrome://version'></iframe><object data='file:///etc/passwd'></object>
             <img src='http://localhost:47117/'><link rel=stylesheet href='http://127.0.0.1:47117/x.css'>
             <link rel=preconnect href='http://127.0.0.1:47117'><link rel=dns-prefetch href='//intern.example.com'>
             <script>
               new WebSocket('ws://127.0.0.1:47117/'); navigator.sendBeacon('http://127.0.0.1:47117/', 'x');
               new EventSource('http://127.0.0.1:47117/'); fetch('http://127.0.0.1:47117/', {mode: 'no-cors'});
               fetch('file:///etc/passwd').then(r => r.text()).then(t => document.body.append(t));
               new Worker(URL.createObjectURL(new Blob([\"fetch('http://127.0.0.1:47117/', {mode: 'no-cors'})\"])));
               open('http://127.0.0.1:47117/');
               const peer = new RTCPeerConnection({iceServers: [{urls: ['stun:127.0.0.1:47117', 'turn:127.0.0.1:47117?transport=tcp'], username: 'a', credential: 'b'}]});
               peer.createDataChannel('x'); peer.createOffer().then(o => peer.setLocalDescription(o));
             </script>",
        ),
        _ => not_found(),
    }
    });
    let text = print(&internet, &format!("{SITE}/")).unwrap();
    assert!(text.contains("besides"), "{text}");
    assert!(!text.contains("root:"), "{text}");
    canary.assert_no_connection();
    assert_eq!(internet.dialed(), [PUBLIC]);
}

#[test]
fn the_check_passes_when_the_browser_uses_the_proxy() {
    let internet = Internet::default();
    let scratch = tempfile::tempdir().unwrap();
    let proven =
        engines(&internet, PAGE).check_browser_uses_proxy(scratch.path(), &AtomicBool::new(false));
    assert_eq!(proven, Ok(()));
    assert_eq!(internet.dialed(), [""; 0]);
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

/// A proxy that the browser bypasses.
#[derive(Debug)]
struct Bypassed(u16);

impl WebAccess for Bypassed {
    fn open(&self) -> std::io::Result<Box<dyn WebProxy>> {
        Ok(Box::new(Bypassed(self.0)))
    }
}

impl WebProxy for Bypassed {
    fn port(&self) -> u16 {
        self.0
    }

    fn has_blocked(&self, _: &str) -> bool {
        false
    }

    fn is_exceeded(&self) -> bool {
        false
    }
}

#[test]
fn the_check_fails_when_the_browser_bypasses_the_proxy() {
    let scratch = tempfile::tempdir().unwrap();
    let engines = engines_over(Arc::new(Bypassed(9)));
    let proven = engines.check_browser_uses_proxy(scratch.path(), &AtomicBool::new(false));
    assert!(matches!(proven, Err(EngineError::Service(_))), "{proven:?}");
}

#[test]
fn the_first_page_is_loaded_only_if_the_browser_uses_its_proxy() {
    let steps = [convert(json!({"format": "pdf"}))];
    let url = format!("{SITE}/");
    let bypassing = InstalledEngines::new(engines_over(Arc::new(Bypassed(9))));
    for _ in 0..2 {
        let refused = run_on(&|request| bypassing.run(request), &url, &steps);
        assert!(
            matches!(refused, Err(EngineError::Service(_))),
            "{refused:?}"
        );
    }
    let internet = Internet::with_site(|_| html("<p>a page"));
    let checked = InstalledEngines::new(engines(&internet, PAGE));
    for _ in 0..2 {
        assert!(run_on(&|request| checked.run(request), &url, &steps).is_ok());
    }
    assert_eq!(internet.dialed(), [PUBLIC]);
}

#[test]
fn pages_reach_no_service_of_the_platform() {
    with_and_without_landlock(platform_is_guarded);
}

/// Neither by address nor by the name of a trusted host with the same address.
fn platform_is_guarded() {
    let (runtime_api, telemetry_api) = (Canary::at(47_118), Canary::at(47_119));
    let internet = Internet::with_site(|path| {
        match path {
        "/" => html(
            "<p id=p>wait</p><script>
               const urls = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', 'api'].flatMap(
                 host => [47118, 47119].map(port => `http://${host}:${port}/2018-06-01/runtime/invocation/next`));
               Promise.allSettled(urls.map(url => fetch(url, {mode: 'no-cors'}))).then(() => p.textContent = 'tried');
             </script>",
        ),
        _ => not_found(),
    }
    });
    let trusted = "api:47118=127.0.0.1".parse().unwrap();
    let policy = Policy::https_or_http(Vec::new(), trusted).with_own_endpoint("127.0.0.1:47118");
    let client = Client::new(policy, TrustStore::system().unwrap(), internet.clone());
    let text = run(&engines_of(client, PAGE), &format!("{SITE}/")).unwrap();
    assert!(text.contains("tried"), "{text}");
    runtime_api.assert_no_connection();
    telemetry_api.assert_no_connection();
    assert_eq!(internet.dialed(), [PUBLIC]);
}
