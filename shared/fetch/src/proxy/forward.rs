//! Forwards a plain HTTP request over a new connection and returns the response.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{CONNECTION, HOST, TE, TRAILER, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Uri};
use http_body_util::Either;
use http_body_util::Empty;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::metered_stream::MeteredStream;
use super::{MAX_HEAD_BYTES, MAX_HEADERS, STEP_TIMEOUT};
use crate::remote_url::RemoteUrl;

/// Body of a response to the browser.
pub(super) type Body = Either<ForwardedBody, Empty<Bytes>>;

/// Hop-by-hop headers [RFC 9110, section 7.6.1], in addition to those listed in `Connection`.
const HOP_BY_HOP: [HeaderName; 8] = [
    CONNECTION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("proxy-authorization"),
];

/// A response without a body.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Either::Right(Empty::new()));
    *response.status_mut() = status;
    response
}

/// Forwards the request to `server`, a connection to the host of the checked `url`.
pub(super) async fn forward(
    request: Request<Incoming>,
    url: &RemoteUrl,
    server: MeteredStream,
) -> Response<Body> {
    let Some(request) = to_server(request, url) else {
        return empty(StatusCode::BAD_REQUEST);
    };
    match timeout(STEP_TIMEOUT, send(request, server)).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => empty(StatusCode::BAD_GATEWAY),
        Err(_) => empty(StatusCode::GATEWAY_TIMEOUT),
    }
}

fn to_server(mut request: Request<Incoming>, url: &RemoteUrl) -> Option<Request<Incoming>> {
    let host = HeaderValue::try_from(url.authority()).ok()?;
    *request.uri_mut() = url.request_target().parse::<Uri>().ok()?;
    let headers = request.headers_mut();
    remove_hop_by_hop(headers);
    headers.insert(HOST, host);
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    Some(request)
}

async fn send(
    request: Request<Incoming>,
    server: MeteredStream,
) -> Result<Response<Body>, hyper::Error> {
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .handshake(TokioIo::new(server))
        .await?;
    let mut driver = JoinSet::new();
    driver.spawn(async move {
        // Errors of the connection appear in the response or its body, too.
        connection.await.ok();
    });
    let mut response = sender.send_request(request).await?;
    remove_hop_by_hop(response.headers_mut());
    Ok(response.map(|body| {
        Either::Left(ForwardedBody {
            body,
            _driver: driver,
        })
    }))
}

fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&HOP_BY_HOP) {
        headers.remove(name);
    }
}

/// A response body streamed from the server to the browser.
pub(super) struct ForwardedBody {
    body: Incoming,
    /// Drives the connection to the server; aborted when dropped.
    _driver: JoinSet<()>,
}

impl HttpBody for ForwardedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
