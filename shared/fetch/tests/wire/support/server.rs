//! A server on loopback that answers each request as it is told.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::{Identity, Reply, Step};

type Answer = dyn Fn(&str) -> Reply + Send + Sync;

/// Stops when it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    seen: Arc<Seen>,
    _tasks: JoinSet<()>,
}

#[derive(Default)]
struct Seen {
    connections: AtomicUsize,
    requests: Mutex<Vec<String>>,
    server_names: Mutex<Vec<Option<String>>>,
}

impl Server {
    /// With an identity it speaks TLS.
    pub(crate) async fn start(
        identity: Option<Identity>,
        answer: impl Fn(&str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let (answer, watched): (Arc<Answer>, _) = (Arc::new(answer), Arc::clone(&seen));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                watched.connections.fetch_add(1, Ordering::Relaxed);
                let (identity, answer) = (identity.clone(), Arc::clone(&answer));
                connections.spawn(converse(stream, identity, answer, Arc::clone(&watched)));
            }
        });
        Self {
            address,
            seen,
            _tasks: tasks,
        }
    }

    /// How many connections were accepted so far.
    pub(crate) fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::Relaxed)
    }

    /// Head and body of every request so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.requests.lock().unwrap().clone()
    }

    /// The names that TLS clients asked for.
    pub(crate) fn server_names(&self) -> Vec<Option<String>> {
        self.seen.server_names.lock().unwrap().clone()
    }
}

async fn converse(
    stream: TcpStream,
    identity: Option<Identity>,
    answer: Arc<Answer>,
    seen: Arc<Seen>,
) {
    let Some(Identity(config)) = identity else {
        speak(stream, answer.as_ref(), &seen).await;
        return;
    };
    if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
        let name = stream.get_ref().1.server_name().map(str::to_owned);
        seen.server_names.lock().unwrap().push(name);
        speak(stream, answer.as_ref(), &seen).await;
    }
}

async fn speak(mut stream: impl Connection, answer: &Answer, seen: &Seen) {
    let Some(request) = read_request(&mut stream).await else {
        return;
    };
    seen.requests.lock().unwrap().push(request.clone());
    for step in answer(&request) {
        if !play(&mut stream, step).await {
            return;
        }
    }
    stream.shutdown().await.ok();
    // A client that is still sending is not cut off: it reads the answer first.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
}

/// A connection that can be torn down.
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

/// Whether the conversation goes on.
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
