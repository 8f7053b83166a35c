//! Serves the host that the stack's guarded client may reach, so that a test can be fetched from.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::stack::stack;

/// What the host answers: status, headers, body.
#[derive(Clone)]
pub struct Served {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Served {
    pub fn ok(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let content_type = ("Content-Type", content_type.to_owned());
        Self {
            status: 200,
            headers: vec![content_type],
            body: body.into(),
        }
    }

    pub fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::ok("text/plain", "no")
        }
    }

    pub fn redirect(to: &str) -> Self {
        Self {
            status: 302,
            headers: vec![("Location", to.to_owned())],
            body: Vec::new(),
        }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// The host, serving until it is dropped.
pub struct TrustedHost {
    requests: Arc<Mutex<Vec<String>>>,
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
        let host = &stack().trusted_host;
        let listener = TcpListener::bind((host.address.as_str(), host.port))
            .await
            .unwrap();
        let (acceptor, answer) = (acceptor(), Arc::new(answer));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, answer, seen) =
                    (acceptor.clone(), Arc::clone(&answer), Arc::clone(&seen));
                tokio::spawn(async move {
                    let stream = acceptor.accept(stream).await?;
                    converse(stream, &*answer, &seen).await
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
        self.requests.lock().unwrap().clone()
    }
}

fn acceptor() -> TlsAcceptor {
    let host = &stack().trusted_host;
    let chain = CertificateDer::pem_file_iter(&host.certificate).unwrap();
    let key = PrivateKeyDer::from_pem_file(&host.key).unwrap();
    let provider = tokio_rustls::rustls::crypto::ring::default_provider();
    let config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain.map(Result::unwrap).collect(), key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// One request, one answer [RFC 9112].
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    answer: &(dyn Fn(&str) -> Served + Send + Sync),
    seen: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut request_line = String::new();
    stream.read_line(&mut request_line).await?;
    let path = request_line
        .split(' ')
        .nth(1)
        .unwrap_or_default()
        .to_owned();
    let mut header = String::new();
    while stream.read_line(&mut header).await? > 2 {
        header.clear();
    }
    seen.lock().unwrap().push(path.clone());
    let served = answer(&path);
    let mut head = format!("HTTP/1.1 {} -\r\nConnection: close\r\n", served.status);
    if !served
        .headers
        .iter()
        .any(|(name, _)| *name == "Content-Length")
    {
        head.push_str(&format!("Content-Length: {}\r\n", served.body.len()));
    }
    for (name, value) in &served.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).await?;
    stream.write_all(&served.body).await?;
    stream.shutdown().await
}
