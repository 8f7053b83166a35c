//! Synchronous invocations: JSON payloads in, JSON responses out. The handler can end the loop after its response was sent.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use lambda_runtime::tower::{Layer, Service};
use lambda_runtime::{LambdaEvent, LambdaInvocation, Runtime, service_fn};
use serde::Serialize;
use serde_json::Value;
use tracing::Instrument;

use crate::Error;

/// An invocation.
#[derive(Clone, PartialEq)]
pub struct Invocation {
    /// The payload.
    pub payload: Value,
    /// The time left until the function's timeout.
    pub time_left: Duration,
}

impl fmt::Debug for Invocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Invocation")
            .field("payload", &"***")
            .field("time_left", &self.time_left)
            .finish()
    }
}

/// A response, and what the process does after it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply<T> {
    /// The response.
    pub response: T,
    /// What the process does next.
    pub next: Next,
}

/// What a process does after its response was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Serves the next invocation.
    Serve,
    /// Ends the loop.
    End,
}

/// Serves invocations until Lambda ends the process, or until a handler's reply has [`Next::End`] and its response was sent.
///
/// # Errors
/// When the Lambda runtime API is unreachable.
pub async fn serve<H, F, T>(handler: H) -> Result<(), Error>
where
    H: Fn(Invocation) -> F,
    F: Future<Output = Reply<T>>,
    T: Serialize,
{
    let handler = &handler;
    let ends = Arc::new(AtomicBool::new(false));
    let layer = EndLayer(Arc::clone(&ends));
    let handle = service_fn(move |event: LambdaEvent<Value>| {
        let ends = Arc::clone(&ends);
        let span = tracing::info_span!("invocation", request_id = %event.context.request_id);
        let replied = handler(Invocation {
            time_left: time_left(&event),
            payload: event.payload,
        });
        let replied = async move {
            let reply = replied.await;
            ends.store(reply.next == Next::End, Ordering::Relaxed);
            Ok::<_, Error>(reply.response)
        };
        replied.instrument(span)
    });
    let served = Runtime::new(handle).layer(layer).run().await;
    ended(served)
}

fn time_left(event: &LambdaEvent<Value>) -> Duration {
    let deadline = event.context.deadline();
    deadline
        .duration_since(SystemTime::now())
        .unwrap_or_default()
}

/// The result of the runtime, in which [`LoopEnd`] is no error.
fn ended(served: Result<(), Error>) -> Result<(), Error> {
    match served {
        Err(error) if error.is::<LoopEnd>() => Ok(()),
        other => other,
    }
}

/// Stops the runtime's loop after a response. The runtime has no other way to stop it.
#[derive(Clone, Copy, Debug)]
struct LoopEnd;

impl fmt::Display for LoopEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the loop ends after this response")
    }
}

impl std::error::Error for LoopEnd {}

/// Fails an invocation with [`LoopEnd`] after its response was sent, if the flag is set.
struct EndLayer(Arc<AtomicBool>);

impl<S> Layer<S> for EndLayer {
    type Service = EndService<S>;

    fn layer(&self, inner: S) -> EndService<S> {
        EndService {
            inner,
            ends: Arc::clone(&self.0),
        }
    }
}

struct EndService<S> {
    inner: S,
    ends: Arc<AtomicBool>,
}

impl<S> Service<LambdaInvocation> for EndService<S>
where
    S: Service<LambdaInvocation, Response = (), Error = Error>,
{
    type Response = ();
    type Error = Error;
    type Future = EndFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, invocation: LambdaInvocation) -> Self::Future {
        EndFuture {
            sent: Box::pin(self.inner.call(invocation)),
            ends: Arc::clone(&self.ends),
        }
    }
}

struct EndFuture<F> {
    sent: Pin<Box<F>>,
    ends: Arc<AtomicBool>,
}

impl<F: Future<Output = Result<(), Error>>> Future for EndFuture<F> {
    type Output = Result<(), Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let sent = std::task::ready!(self.sent.as_mut().poll(context));
        Poll::Ready(match self.ends.load(Ordering::Relaxed) {
            true => Err(LoopEnd.into()),
            false => sent,
        })
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    /// Sends one response with this flag and result of the runtime API.
    async fn send(ends: bool, result: fn() -> Result<(), Error>) -> Result<(), Error> {
        let layer = EndLayer(Arc::new(AtomicBool::new(ends)));
        let mut service = layer.layer(service_fn(
            move |_: LambdaInvocation| async move { result() },
        ));
        let (parts, ()) = http::Response::new(()).into_parts();
        let sent = service.call(LambdaInvocation {
            parts,
            body: Bytes::new(),
            context: lambda_runtime::Context::default(),
        });
        sent.await
    }

    #[tokio::test]
    async fn the_runtime_stops_after_a_response_only_if_the_reply_ends_the_loop() {
        assert!(send(false, || Ok(())).await.is_ok());
        let failed = send(false, || Err("unreachable".into())).await;
        assert_eq!(
            ended(failed).map_err(|error| error.to_string()),
            Err("unreachable".to_owned())
        );
        for result in [|| Ok(()), || Err("unreachable".into())] {
            let stopped = send(true, result).await;
            assert!(stopped.as_ref().is_err_and(|error| error.is::<LoopEnd>()));
            assert!(ended(stopped).is_ok());
        }
    }
}
