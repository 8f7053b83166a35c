//! Trusted hosts: connected to at the configured address, by exact name and port; all other rules apply.

use std::process::Command;

use domain::source::UrlError;
use fetch::{Client, FailedStep, FetchError, Policy, Source, TrustStore};

use crate::support::{Authority, Server, Step, assert_fails, limits, ok};

struct Intranet {
    server: Server,
    client: Client,
    authority: Authority,
}

impl Intranet {
    async fn new() -> Self {
        let authority = Authority::new();
        let identity = authority.identity("fixtures.octavo.test");
        let server = Server::start(Some(identity), |request| {
            let path = request.split(' ').nth(1).unwrap();
            match path.strip_prefix("/to/") {
                Some(location) => vec![Step::Bytes(
                    format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n").into_bytes(),
                )],
                None => ok("Content-Type: application/pdf\r\n", b"%PDF"),
            }
        })
        .await;
        let trusted = format!("fixtures.octavo.test:{}=127.0.0.1", server.address.port());
        let policy = Policy::https(vec!["own.octavo.test".to_owned()], trusted.parse().unwrap());
        let trust = TrustStore::only(Authority::new().pem().as_bytes())
            .unwrap()
            .with_trusted_host_authorities(authority.pem().as_bytes())
            .unwrap();
        let client = Client::system(policy, trust);
        Self {
            server,
            client,
            authority,
        }
    }

    fn url(&self, path: &str) -> String {
        format!(
            "https://fixtures.octavo.test:{}{path}",
            self.server.address.port()
        )
    }

    async fn fetch(&self, path: &str) -> Result<fetch::FetchedDocument, FetchError> {
        let url = self.client.policy().admit(&self.url(path)).unwrap();
        self.client
            .fetch(&Source::from(url), &limits(), &mut Vec::new())
            .await
    }
}

#[tokio::test]
async fn a_trusted_host_is_fetched_from_loopback() {
    let intranet = Intranet::new().await;
    let fetched = intranet.fetch("/paper.pdf").await.unwrap();
    assert_eq!(fetched.bytes, 4);
    assert_eq!(fetched.content_type.as_deref(), Some("application/pdf"));
    let port = intranet.server.address.port();
    let host = format!("\r\nhost: fixtures.octavo.test:{port}\r\n");
    assert!(intranet.server.requests()[0].contains(&host));
    assert_eq!(
        intranet.server.server_names(),
        [Some("fixtures.octavo.test".to_owned())]
    );
}

#[tokio::test]
async fn all_other_rules_apply() {
    let intranet = Intranet::new().await;
    let admit = |text: String| intranet.client.policy().admit(&text).map(drop);
    let port = intranet.server.address.port();
    assert_eq!(admit(intranet.url("/")), Ok(()));
    for (text, expected) in [
        (
            intranet.url("/").replace("https:", "http:"),
            UrlError::Invalid,
        ),
        (
            intranet.url("/").replace("//", "//user@"),
            UrlError::Blocked,
        ),
        (
            intranet.url("/").replace("fixtures.", "a.fixtures."),
            UrlError::Blocked,
        ),
        (format!("https://127.0.0.1:{port}/"), UrlError::Blocked),
        (
            "https://fixtures.octavo.test/".to_owned(),
            UrlError::Blocked,
        ),
        (
            format!("https://fixtures.octavo.test:{}/", port ^ 1),
            UrlError::Blocked,
        ),
    ] {
        assert_eq!(admit(text.clone()), Err(expected), "{text}");
    }
}

#[tokio::test]
async fn redirects_of_a_trusted_host_are_checked() {
    let intranet = Intranet::new().await;
    let port = intranet.server.address.port();
    for location in [
        format!("https://127.0.0.1:{port}/"),
        format!("https://other.octavo.test:{port}/"),
        format!("http://fixtures.octavo.test:{port}/"),
        "https://169.254.169.254/".to_owned(),
    ] {
        assert_fails!(
            intranet.fetch(&format!("/to/{location}")).await,
            FetchError::Blocked
        );
    }
    assert_eq!(intranet.server.requests().len(), 4);
    assert_eq!(intranet.fetch("/to//paper.pdf").await.unwrap().bytes, 4);
}

#[tokio::test]
async fn a_trusted_host_needs_a_certificate_for_its_name() {
    let intranet = Intranet::new().await;
    let server = Server::start(
        Some(intranet.authority.identity("else.octavo.test")),
        |_| ok("", b"x"),
    )
    .await;
    let port = server.address.port();
    let trusted = format!("fixtures.octavo.test:{port}=127.0.0.1")
        .parse()
        .unwrap();
    let trust = TrustStore::only(intranet.authority.pem().as_bytes()).unwrap();
    let client = Client::system(Policy::https(Vec::new(), trusted), trust);
    let url = client
        .policy()
        .admit(&format!("https://fixtures.octavo.test:{port}/"))
        .unwrap();
    let outcome = client
        .fetch(&Source::from(url), &limits(), &mut Vec::new())
        .await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Tls));
    assert_eq!(server.requests(), [""; 0]);
}

/// Runs three tests again with proxy variables that point to a closed port.
#[test]
fn proxy_variables_are_ignored() {
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args([
        "--exact",
        "trusted::a_trusted_host_is_fetched_from_loopback",
        "delivery::the_request_is_sent_as_given",
        "metadata::size_sha256_filename_and_content_type",
    ]);
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        again
            .env(name, "http://127.0.0.1:9")
            .env(name.to_lowercase(), "http://127.0.0.1:9");
    }
    let output = again.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("3 passed"),
        "{text}"
    );
}
