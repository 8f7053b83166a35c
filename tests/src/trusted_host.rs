//! HTTPS server at the trusted host, the one non-public address that the stack fetches from and delivers to.

mod exchange;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

pub use exchange::{Request, StubAction, StubResponse};

use crate::stack::stack;

/// Timeout for an expected request; covers a killed worker, a sweep and a cold start.
const TIMEOUT: Duration = Duration::from_secs(180);

/// The running server; stops when dropped.
pub struct TrustedHost {
    requests: Arc<Mutex<Vec<Request>>>,
    serving: JoinHandle<()>,
}

impl Drop for TrustedHost {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl TrustedHost {
    /// Serves the response that `response` returns for each path.
    pub async fn serve(response: impl Fn(&str) -> StubResponse + Send + Sync + 'static) -> Self {
        Self::serve_actions(move |request, _| StubAction::Respond(response(&request.path))).await
    }

    /// Responds 204 to every request.
    pub async fn accept_all() -> Self {
        Self::serve(|_| StubResponse::status(204)).await
    }

    /// Handles each request as `handler` returns; its second argument counts the requests for that path, including this one.
    pub async fn serve_actions(
        handler: impl Fn(&Request, usize) -> StubAction + Send + Sync + 'static,
    ) -> Self {
        let host = &stack().trusted_host;
        let chain = CertificateDer::pem_file_iter(&host.certificate).unwrap();
        let key = PrivateKeyDer::from_pem_file(&host.key).unwrap();
        Self::serve_with_certificate(chain.map(Result::unwrap).collect(), key, handler).await
    }

    /// As [`TrustedHost::serve_actions`], with another certificate.
    pub async fn serve_with_certificate(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
        handler: impl Fn(&Request, usize) -> StubAction + Send + Sync + 'static,
    ) -> Self {
        let address = stack().trusted_host.address.as_str();
        let listener = TcpListener::bind((address, Self::port())).await.unwrap();
        let (acceptor, handler) = (acceptor(chain, key), Arc::new(handler));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, handler, seen) =
                    (acceptor.clone(), Arc::clone(&handler), Arc::clone(&seen));
                tokio::spawn(async move {
                    let stream = acceptor.accept(stream).await?;
                    exchange::handle(stream, |request| record(&seen, request, &*handler)).await
                });
            }
        });
        Self { requests, serving }
    }

    /// Returns the port of this test. Concurrent tests have different ports.
    pub fn port() -> u16 {
        let slot = std::env::var("NEXTEST_TEST_GLOBAL_SLOT");
        let slot: u16 = slot.map_or(0, |slot| slot.parse().unwrap());
        let host = &stack().trusted_host;
        assert!(slot < host.ports, "more tests at the same time than ports");
        host.port + slot
    }

    /// Returns the URL of a path on this host.
    pub fn url(path: &str) -> String {
        let name = &stack().trusted_host.name;
        format!("https://{name}:{}{path}", Self::port())
    }

    /// Returns the requested paths in order.
    pub fn requests(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests
            .iter()
            .map(|request| request.path.clone())
            .collect()
    }

    /// Returns the requests for a path in order.
    pub fn received(&self, path: &str) -> Vec<Request> {
        let requests = self.requests.lock().unwrap();
        let of_path = requests.iter().filter(|request| request.path == path);
        of_path.cloned().collect()
    }

    /// Waits for at least `count` requests for a path and returns them.
    ///
    /// # Panics
    /// If they do not arrive in time.
    pub async fn receive(&self, path: &str, count: usize) -> Vec<Request> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let received = self.received(path);
            if received.len() >= count {
                return received;
            }
            assert!(
                Instant::now() < deadline,
                "{} requests for {path} instead of {count}: {received:?}",
                received.len()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Records a request and returns how to handle it.
fn record(
    seen: &Mutex<Vec<Request>>,
    request: Request,
    handler: &dyn Fn(&Request, usize) -> StubAction,
) -> StubAction {
    let mut seen = seen.lock().unwrap();
    seen.push(request.clone());
    let count = seen
        .iter()
        .filter(|other| other.path == request.path)
        .count();
    drop(seen);
    handler(&request, count)
}

fn acceptor(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> TlsAcceptor {
    let provider = tokio_rustls::rustls::crypto::ring::default_provider();
    let config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}
