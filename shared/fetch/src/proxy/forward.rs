//! Passes a request for an `http` page on, over a connection of its own, and its answer back.

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

use super::meter::Metered;
use super::{MAX_HEAD_BYTES, MAX_HEADERS, STEP};
use crate::remote_url::RemoteUrl;

/// What the browser gets.
pub(super) type Body = Either<Passed, Empty<Bytes>>;

/// What is between two neighbours only [RFC 9110, section 7.6.1], beside what `Connection` names.
const BETWEEN_NEIGHBOURS: [HeaderName; 8] = [
    CONNECTION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("proxy-authorization"),
];

/// An answer without a body.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut answer = Response::new(Either::Right(Empty::new()));
    *answer.status_mut() = status;
    answer
}

/// Passes the request on to `server`, where the judged `url` leads.
pub(super) async fn forward(
    request: Request<Incoming>,
    url: &RemoteUrl,
    server: Metered,
) -> Response<Body> {
    let Some(request) = to_server(request, url) else {
        return empty(StatusCode::BAD_REQUEST);
    };
    match timeout(STEP, send(request, server)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => empty(StatusCode::BAD_GATEWAY),
        Err(_) => empty(StatusCode::GATEWAY_TIMEOUT),
    }
}

fn to_server(mut request: Request<Incoming>, url: &RemoteUrl) -> Option<Request<Incoming>> {
    let host = HeaderValue::try_from(url.authority()).ok()?;
    *request.uri_mut() = url.request_target().parse::<Uri>().ok()?;
    let headers = request.headers_mut();
    remove_between_neighbours(headers);
    headers.insert(HOST, host);
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    Some(request)
}

async fn send(request: Request<Incoming>, server: Metered) -> Result<Response<Body>, hyper::Error> {
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .handshake(TokioIo::new(server))
        .await?;
    let mut driver = JoinSet::new();
    driver.spawn(async move {
        // Whatever befalls the connection shows in the answer or its body.
        connection.await.ok();
    });
    let mut answer = sender.send_request(request).await?;
    remove_between_neighbours(answer.headers_mut());
    Ok(answer.map(|body| {
        Either::Left(Passed {
            body,
            _driver: driver,
        })
    }))
}

fn remove_between_neighbours(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&BETWEEN_NEIGHBOURS) {
        headers.remove(name);
    }
}

/// A body on its way from the server to the browser.
pub(super) struct Passed {
    body: Incoming,
    /// Moves bytes between connection and body; dies with it.
    _driver: JoinSet<()>,
}

impl HttpBody for Passed {
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
