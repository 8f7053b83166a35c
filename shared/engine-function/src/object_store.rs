//! Downloads inputs and uploads results through presigned requests, streaming from and to files.
//!
//! The URLs come from the coordinator, which is trusted, so they are not guarded against SSRF; the local stack's object store
//! is on loopback and without TLS. Neither URLs nor content are logged.

use std::path::Path;
use std::time::Duration;

use fetch::TrustStore;
use invocation::{FailedInput, Input, UploadForm};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::{Body, Client, ClientBuilder, Response, StatusCode, redirect, retry};
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;
use tokio::time::sleep;
use tokio_util::io::ReaderStream;

/// Timeout of connect and TLS handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of a response's headers and of each read of its body.
const READ_TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes of a file read at a time.
const CHUNK: usize = 256 * 1024;
/// Delays before the second and the third attempt of a request that failed on the way or in the object store.
const RETRIES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];

/// HTTP clients for presigned requests.
#[derive(Clone, Debug)]
pub struct ObjectStore {
    downloads: Client,
    /// Without [`READ_TIMEOUT`], which would count while a result is sent. The deadline of the run ends an upload.
    uploads: Client,
}

/// Why a request has no result.
enum RequestError<E> {
    /// Another attempt may succeed.
    Temporary,
    /// Another attempt fails the same way.
    Final(E),
}

/// A result could not be uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UploadFailed;

/// A file to upload.
pub(crate) struct Upload<'a> {
    pub(crate) path: &'a Path,
    pub(crate) size_bytes: u64,
    pub(crate) content_type: &'a str,
    pub(crate) extension: &'a str,
}

impl ObjectStore {
    /// Clients that trust the system's certificate authorities.
    ///
    /// # Errors
    /// The system has no certificate authorities.
    pub fn new() -> Result<Self, runtime::Error> {
        Self::with_read_timeout(READ_TIMEOUT)
    }

    /// As [`ObjectStore::new`], with another timeout of reads of downloads.
    ///
    /// # Errors
    /// As [`ObjectStore::new`].
    pub fn with_read_timeout(timeout: Duration) -> Result<Self, runtime::Error> {
        let trust = TrustStore::system()?;
        let build = |builder: ClientBuilder| builder.build().map_err(reqwest::Error::without_url);
        Ok(Self {
            downloads: build(builder(&trust).read_timeout(timeout))?,
            uploads: build(builder(&trust))?,
        })
    }

    /// Downloads an input to `path`, and checks its size.
    pub(crate) async fn download(&self, input: &Input, path: &Path) -> Result<(), FailedInput> {
        let mut delays = RETRIES.iter();
        loop {
            match (self.try_download(input, path).await, delays.next()) {
                (Ok(()), _) => return Ok(()),
                (Err(RequestError::Final(failure)), _) => return Err(failure),
                (Err(RequestError::Temporary), Some(delay)) => sleep(*delay).await,
                (Err(RequestError::Temporary), None) => return Err(FailedInput::Interrupted),
            }
        }
    }

    /// Uploads a file by POST: the form's fields in order, then its type, then its content.
    pub(crate) async fn upload(
        &self,
        form: &UploadForm,
        upload: &Upload<'_>,
    ) -> Result<(), UploadFailed> {
        let mut delays = RETRIES.iter();
        loop {
            match (self.try_upload(form, upload).await, delays.next()) {
                (Ok(()), _) => return Ok(()),
                (Err(RequestError::Temporary), Some(delay)) => sleep(*delay).await,
                (Err(_), _) => return Err(UploadFailed),
            }
        }
    }

    async fn try_download(
        &self,
        input: &Input,
        path: &Path,
    ) -> Result<(), RequestError<FailedInput>> {
        let interrupted = RequestError::Final(FailedInput::Interrupted);
        let headers = header_map(&input.get.headers).ok_or(interrupted)?;
        let request = self.downloads.get(&input.get.url).headers(headers);
        let response = request.send().await.map_err(temporary)?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND | StatusCode::PRECONDITION_FAILED => {
                return Err(RequestError::Final(FailedInput::Changed));
            }
            // S3 responds 400 ExpiredToken if the session that signed the URL has ended.
            StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                return Err(RequestError::Final(FailedInput::Expired));
            }
            status => {
                tracing::warn!(%status, "an input cannot be downloaded");
                return Err(RequestError::Temporary);
            }
        }
        save(response, path, input.size_bytes).await
    }

    async fn try_upload(
        &self,
        form: &UploadForm,
        upload: &Upload<'_>,
    ) -> Result<(), RequestError<UploadFailed>> {
        let file = File::open(upload.path).await.map_err(|error| {
            tracing::error!(%error, "the result cannot be read");
            RequestError::Final(UploadFailed)
        })?;
        let content = Body::wrap_stream(ReaderStream::with_capacity(file, CHUNK));
        let part = Part::stream_with_length(content, upload.size_bytes)
            .file_name(format!("result.{}", upload.extension))
            .mime_str(upload.content_type)
            .map_err(|_| RequestError::Final(UploadFailed))?;
        let fields = form.fields.iter().cloned();
        let body = fields
            .fold(Form::new(), |body, (name, value)| body.text(name, value))
            .text("Content-Type", upload.content_type.to_owned())
            .part("file", part);
        let request = self.uploads.post(&form.url).multipart(body);
        let response = request.send().await.map_err(temporary)?;
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        tracing::warn!(%status, "the result cannot be uploaded");
        Err(match status.is_client_error() {
            true => RequestError::Final(UploadFailed),
            false => RequestError::Temporary,
        })
    }
}

fn builder(trust: &TrustStore) -> ClientBuilder {
    Client::builder()
        .tls_backend_preconfigured(trust.client_config())
        .connect_timeout(CONNECT_TIMEOUT)
        .no_proxy()
        .redirect(redirect::Policy::none())
        .referer(false)
        .retry(retry::never())
        // Lambda freezes the process between invocations, which breaks idle connections.
        .pool_max_idle_per_host(0)
        .http1_only()
}

/// Streams a body of this size to a file.
async fn save(
    mut response: Response,
    path: &Path,
    size_bytes: u64,
) -> Result<(), RequestError<FailedInput>> {
    let unwritable = |error: std::io::Error| {
        tracing::error!(%error, "an input cannot be written");
        RequestError::Final(FailedInput::Interrupted)
    };
    // Replaces what an interrupted attempt has left.
    let mut file = File::create(path).await.map_err(unwritable)?;
    let mut received = 0_u64;
    while let Some(chunk) = response.chunk().await.map_err(temporary)? {
        received = received.saturating_add(chunk.len() as u64);
        if received > size_bytes {
            break;
        }
        file.write_all(&chunk).await.map_err(unwritable)?;
    }
    file.flush().await.map_err(unwritable)?;
    match received == size_bytes {
        true => Ok(()),
        false => Err(RequestError::Final(FailedInput::Changed)),
    }
}

fn temporary<E>(error: reqwest::Error) -> RequestError<E> {
    let error = error.without_url();
    tracing::warn!(%error, "the object store is not reachable");
    RequestError::Temporary
}

fn header_map(headers: &[(String, String)]) -> Option<HeaderMap> {
    let header = |(name, value): &(String, String)| {
        let name = HeaderName::try_from(name).ok()?;
        Some((name, HeaderValue::try_from(value).ok()?))
    };
    headers.iter().map(header).collect()
}
