//! From an address to a connection.

use std::io;
use std::net::SocketAddr;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// A connection, before or after TLS.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Connects to addresses that the guard has judged. TLS is laid over the connection by the client.
#[async_trait]
pub trait Connector: Send + Sync {
    /// A connection to exactly this address.
    ///
    /// # Errors
    /// Nothing accepted the connection there.
    async fn connect(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>>;
}

/// Plain TCP, without any proxy.
#[derive(Clone, Copy, Debug, Default)]
pub struct TcpConnector;

#[async_trait]
impl Connector for TcpConnector {
    async fn connect(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Box::new(stream))
    }
}
