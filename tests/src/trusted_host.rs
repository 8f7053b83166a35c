//! Serves the host that the stack's guarded client may reach, so that a test can be fetched from and called.

mod exchange;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

pub use exchange::{Reply, Request, Served};

use crate::stack::stack;

/// The longest that a test waits for a request: a worker that dies, a sweep and a cold start fit in.
const PATIENCE: Duration = Duration::from_secs(180);

/// The host, serving until it is dropped.
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
    /// Answers each path as `answer` says.
    pub async fn serve(answer: impl Fn(&str) -> Served + Send + Sync + 'static) -> Self {
        Self::reply(move |request, _| Reply::Served(answer(&request.path))).await
    }

    /// Takes whatever it is sent.
    pub async fn willing() -> Self {
        Self::serve(|_| Served::status(204)).await
    }

    /// Does with each request as `reply` says, which is also told how many came for that path up to this one.
    pub async fn reply(reply: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        let host = &stack().trusted_host;
        let chain = CertificateDer::pem_file_iter(&host.certificate).unwrap();
        let key = PrivateKeyDer::from_pem_file(&host.key).unwrap();
        Self::reply_as(chain.map(Result::unwrap).collect(), key, reply).await
    }

    /// The same under another certificate.
    pub async fn reply_as(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
        reply: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let host = &stack().trusted_host;
        let listener = TcpListener::bind((host.address.as_str(), host.port))
            .await
            .unwrap();
        let (acceptor, reply) = (acceptor(chain, key), Arc::new(reply));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, reply, seen) =
                    (acceptor.clone(), Arc::clone(&reply), Arc::clone(&seen));
                tokio::spawn(async move {
                    let stream = acceptor.accept(stream).await?;
                    exchange::converse(stream, |request| note(&seen, request, &*reply)).await
                });
            }
        });
        Self { requests, serving }
    }

    /// Where a path of this host is.
    pub fn url(path: &str) -> String {
        let host = &stack().trusted_host;
        format!("https://{}:{}{path}", host.name, host.port)
    }

    /// The paths that were asked for, in order.
    pub fn requests(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests
            .iter()
            .map(|request| request.path.clone())
            .collect()
    }

    /// What came for a path so far, in order.
    pub fn received(&self, path: &str) -> Vec<Request> {
        let requests = self.requests.lock().unwrap();
        let of_path = requests.iter().filter(|request| request.path == path);
        of_path.cloned().collect()
    }

    /// What came for a path, once that are `count` requests or more.
    ///
    /// # Panics
    /// When they do not come.
    pub async fn receive(&self, path: &str, count: usize) -> Vec<Request> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let received = self.received(path);
            if received.len() >= count {
                return received;
            }
            assert!(
                Instant::now() < deadline,
                "{} requests for {path} rather than {count}: {received:?}",
                received.len()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Keeps a request and says what becomes of it.
fn note(
    seen: &Mutex<Vec<Request>>,
    request: Request,
    reply: &dyn Fn(&Request, usize) -> Reply,
) -> Reply {
    let mut seen = seen.lock().unwrap();
    seen.push(request.clone());
    let count = seen
        .iter()
        .filter(|other| other.path == request.path)
        .count();
    drop(seen);
    reply(&request, count)
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
