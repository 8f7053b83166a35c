//! A server on loopback with scripted responses.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::{Identity, Reply, Step};

type Respond = dyn Fn(&str) -> Reply + Send + Sync;

/// Stops when it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    recorded: Arc<Recorded>,
    _tasks: JoinSet<()>,
}

#[derive(Default)]
struct Recorded {
    connections: AtomicUsize,
    requests: Mutex<Vec<String>>,
    server_names: Mutex<Vec<Option<String>>>,
}

impl Server {
    /// Starts a server; with a certificate it uses TLS.
    pub(crate) async fn start(
        identity: Option<Identity>,
        respond: impl Fn(&str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let recorded = Arc::new(Recorded::default());
        let (respond, shared): (Arc<Respond>, _) = (Arc::new(respond), Arc::clone(&recorded));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                shared.connections.fetch_add(1, Ordering::Relaxed);
                let (identity, respond) = (identity.clone(), Arc::clone(&respond));
                connections.spawn(serve_connection(
                    stream,
                    identity,
                    respond,
                    Arc::clone(&shared),
                ));
            }
        });
        Self {
            address,
            recorded,
            _tasks: tasks,
        }
    }

    /// Number of connections accepted so far.
    pub(crate) fn connections(&self) -> usize {
        self.recorded.connections.load(Ordering::Relaxed)
    }

    /// Head and body of every request so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.recorded.requests.lock().unwrap().clone()
    }

    /// The SNI names of TLS clients.
    pub(crate) fn server_names(&self) -> Vec<Option<String>> {
        self.recorded.server_names.lock().unwrap().clone()
    }
}

async fn serve_connection(
    stream: TcpStream,
    identity: Option<Identity>,
    respond: Arc<Respond>,
    recorded: Arc<Recorded>,
) {
    let Some(Identity(config)) = identity else {
        serve_request(stream, respond.as_ref(), &recorded).await;
        return;
    };
    if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
        let name = stream.get_ref().1.server_name().map(str::to_owned);
        recorded.server_names.lock().unwrap().push(name);
        serve_request(stream, respond.as_ref(), &recorded).await;
    }
}

async fn serve_request(mut stream: impl Connection, respond: &Respond, recorded: &Recorded) {
    let Some(request) = read_request(&mut stream).await else {
        return;
    };
    recorded.requests.lock().unwrap().push(request.clone());
    for step in respond(&request) {
        if !play(&mut stream, step).await {
            return;
        }
    }
    stream.shutdown().await.ok();
    // Drain the request, so that a client that is still sending can read the response.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
}

/// A connection that can be reset.
trait Connection: AsyncRead + AsyncWrite + Unpin {
    fn reset_when_dropped(&self);
}

impl Connection for TcpStream {
    fn reset_when_dropped(&self) {
        self.set_zero_linger().unwrap();
    }
}

impl Connection for TlsStream<TcpStream> {
    fn reset_when_dropped(&self) {
        self.get_ref().0.reset_when_dropped();
    }
}

/// Performs one step; `false` if the connection is to be closed.
async fn play(stream: &mut impl Connection, step: Step) -> bool {
    match step {
        Step::Bytes(bytes) => {
            stream.write_all(&bytes).await.is_ok() && stream.flush().await.is_ok()
        }
        Step::Pause(time) => {
            tokio::time::sleep(time).await;
            true
        }
        Step::Forever(bytes, pause) => {
            while stream.write_all(&bytes).await.is_ok() && stream.flush().await.is_ok() {
                tokio::time::sleep(pause).await;
            }
            false
        }
        Step::Hang => std::future::pending().await,
        Step::Cut => false,
        Step::Reset => {
            stream.reset_when_dropped();
            false
        }
    }
}

async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let read = stream
            .read(&mut chunk)
            .await
            .ok()
            .filter(|read| *read > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && body.len() >= content_length(head)
        {
            return Some(text.into_owned());
        }
    }
}

fn content_length(head: &str) -> usize {
    let line = head.lines().find_map(|line| {
        line.to_lowercase()
            .strip_prefix("content-length:")
            .map(str::to_owned)
    });
    line.map_or(0, |length| length.trim().parse().unwrap())
}
