//! `POST /documents/import`: charges credits, then fetches and stores the file within the request; refunds on failure.

use std::sync::Arc;
use std::time::Duration;

use contract::code::ErrorCode;
use contract::document::{DocumentImported, ImportDocument, document_url};
use contract::route::Header;
use domain::event::Event;
use domain::filename::Filename;
use domain::format::Format;
use domain::idempotency::body_hash;
use domain::job::JobLimits;
use domain::library::{
    Document, DocumentSource, DocumentStatus, Import, ImportStart, Inspection, InspectionTerms,
    ROOT_FOLDER, Version, contradicts, media_type,
};
use domain::outbox;
use domain::ports::{ImportStarted, PortError, PreviousImport, RemoteFile, RemoteFileError};
use domain::source::{SourceUrl, version_object};
use domain::timestamp::{Timestamp, days};
use runtime::api::{Request, Response};
use runtime::error::ApiError;
use tempfile::NamedTempFile;
use tokio::time::{Instant, sleep, timeout};

use crate::content::sample;
use crate::{Ports, State, document_not_found};

/// Timeout of an import. API Gateway's limit for a request is 30 seconds.
const TIMEOUT: Duration = Duration::from_secs(25);

/// Interval at which a replay polls for the end of the running import.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

pub(crate) async fn import_document<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let key = request.idempotency_key()?;
    let body = request.json()?;
    let input = ImportDocument::read(&body).map_err(|errors| request.malformed(errors))?;
    let guard = library.guard.with_own_hosts(request.own_hosts());
    let url = guard
        .admit_source(&input.url)
        .map_err(|error| ApiError::for_url(error, "$.url"))?;
    let caller = request.caller()?;
    let random = runtime::clock::random();
    let start = ImportStart {
        import: Import::begin(
            caller,
            key.as_ref(),
            library.retention.job_days,
            request.now,
            random,
        ),
        plan: caller.plan,
        body_hash: body_hash(&body),
    };
    match library.ports.start_import(&start).await? {
        ImportStarted::New => import(&library, &start, input, (url, &request)).await,
        ImportStarted::PreviousRequest(earlier) => replay(&library, &start, earlier).await,
        ImportStarted::QuotaExceeded(exceeded) => Err(exceeded.into()),
    }
}

/// Fetches and stores the file of a charged import. Refunds the charge on any error.
async fn import<P: Ports>(
    library: &State<P>,
    start: &ImportStart,
    input: ImportDocument,
    (url, request): (SourceUrl, &Request),
) -> Result<Response, ApiError> {
    let import = &start.import;
    let stored = fetch_and_store(library, start, input, (url, request.own_hosts()));
    let stored = timeout(TIMEOUT, stored).await;
    let imported = match stored.unwrap_or_else(|_| Err(unavailable())) {
        Ok((document, version)) => {
            let inspection = inspection(library, start, &version, &request.traceparent);
            finish(library, import, (document, version), inspection).await
        }
        Err(error) => Err(error),
    };
    let error = match imported {
        Ok(response) => return Ok(response),
        Err(error) => error,
    };
    let now = runtime::clock::now();
    if let Err(error) = library.ports.abandon_import(import, now).await {
        tracing::warn!(%error, document_id = %import.document_id, "failed import was not refunded; sweep retries it");
    }
    Err(error)
}

/// Writes the records of document and version. Runs outside the timeout, so that it is not interrupted halfway.
async fn finish<P: Ports>(
    library: &State<P>,
    import: &Import,
    (document, version): (Document, Version),
    inspection: Option<Inspection>,
) -> Result<Response, ApiError> {
    let ports = library.ports.as_ref();
    let written = ports.finish_import(import, &document, &version, inspection.as_ref());
    if !written.await? {
        // `sweep` has abandoned the import as stale and refunded it.
        return Err(unavailable());
    }
    tracing::info!(document_id = %document.id, size_bytes = document.size_bytes, "document imported");
    outbox::publish(ports, &[Event::of_import(&version)]).await;
    if let Some(Inspection { job, ticket, .. }) = &inspection {
        let group = job.account_id.as_str();
        outbox::send_now(ports, job.processor, group, ticket, Duration::ZERO).await;
    }
    Ok(created(&document, &version))
}

/// Creates the inspection job, which counts the pages of the imported version.
fn inspection<P>(
    library: &State<P>,
    start: &ImportStart,
    version: &Version,
    traceparent: &str,
) -> Option<Inspection> {
    let terms = InspectionTerms {
        limits: JobLimits::from(start.plan.limits()),
        kept: days(library.retention.job_days),
        result_days: library.retention.result_days,
        traceparent: Some(traceparent.to_owned()),
    };
    Inspection::of_version(version, terms, runtime::clock::now())
}

/// Fetches the file, detects its content type, stores it, and returns the records of document and version.
async fn fetch_and_store<P: Ports>(
    library: &State<P>,
    start: &ImportStart,
    input: ImportDocument,
    (url, own_hosts): (SourceUrl, &[String]),
) -> Result<(Document, Version), ApiError> {
    let (import, ports) = (&start.import, library.ports.as_ref());
    let file = NamedTempFile::new().map_err(scratch_error)?;
    let max_bytes = Import::max_bytes(start.plan);
    let sources = library.sources.as_ref();
    let fetched = sources.fetch_remote(&url, max_bytes, own_hosts, file.path());
    let fetched = fetched
        .await
        .map_err(|error| fetch_error(error, max_bytes))?;
    if fetched.size_bytes == 0 {
        let (code, message) = (ErrorCode::SourceUnavailable, "leads to an empty file");
        return Err(ApiError::for_field(code, "$.url", message));
    }
    let content = sample(file.path().to_owned())
        .await
        .map_err(scratch_error)?;
    let by_name = [input.filename.as_ref(), fetched.filename.as_ref()]
        .into_iter()
        .flatten()
        .find_map(|name| Format::from_extension(&name.extension()?));
    let declared = [
        input.content_type.as_deref(),
        fetched
            .content_type
            .as_deref()
            .filter(|media_type| is_specific(media_type)),
        by_name.map(Format::mime_type),
        fetched.content_type.as_deref(),
    ];
    let declared: Vec<&str> = declared.into_iter().flatten().collect();
    let content_type = media_type(&content.head, &content.tail, &declared);
    let requested = input.content_type.as_deref();
    if requested.is_some_and(|media_type| contradicts(media_type, &content_type)) {
        return Err(content_mismatch(&content_type));
    }
    let object = version_object(&import.account_id, &import.document_id, &import.version_id);
    let etag = ports.store(file.path(), &object, &content_type).await?;
    records(import, input, &fetched, content_type, content.sha256, etag)
}

/// Returns whether a `Content-Type` is more reliable than the filename. Servers send generic types for unknown files.
fn is_specific(media_type: &str) -> bool {
    !matches!(
        media_type,
        "text/plain" | "application/octet-stream" | "binary/octet-stream"
    )
}

fn records(
    import: &Import,
    input: ImportDocument,
    fetched: &RemoteFile,
    content_type: String,
    sha256: String,
    etag: String,
) -> Result<(Document, Version), ApiError> {
    let filename = match input.filename.or_else(|| fetched.filename.clone()) {
        Some(filename) => filename,
        None => default_filename(&content_type)?,
    };
    let now = import.created_at;
    let version = Version {
        record_version: Version::RECORD_VERSION,
        id: import.version_id.clone(),
        document_id: import.document_id.clone(),
        account_id: import.account_id.clone(),
        number: 1,
        filename,
        content_type,
        size_bytes: fetched.size_bytes,
        sha256,
        etag,
        page_count: None,
        page_sizes: Vec::new(),
        source: DocumentSource::Import,
        job_id: None,
        operation: None,
        parent_version_id: None,
        created_at: now,
    };
    let folder_id = input.folder_id.unwrap_or_else(|| ROOT_FOLDER.to_owned());
    Ok((document(&version, folder_id, input.group_id, now), version))
}

fn document(
    version: &Version,
    folder_id: String,
    group_id: Option<String>,
    now: Timestamp,
) -> Document {
    Document {
        record_version: Document::RECORD_VERSION,
        id: version.document_id.clone(),
        account_id: version.account_id.clone(),
        filename: version.filename.clone(),
        content_type: version.content_type.clone(),
        size_bytes: version.size_bytes,
        folder_id,
        group_id,
        current_version_id: Some(version.id.clone()),
        version_count: 1,
        source: version.source,
        status: DocumentStatus::Ready,
        tags: Vec::new(),
        ocr_indexed: false,
        revision: 1,
        created_at: now,
        updated_at: now,
    }
}

/// Returns the filename of a file for which neither request nor server gives one.
fn default_filename(content_type: &str) -> Result<Filename, ApiError> {
    let extension = Format::from_mime_type(content_type).map_or("bin", Format::extension);
    let name = Filename::try_from(format!("document.{extension}"));
    name.map_err(|_| unavailable())
}

/// Creates the response to a request with a used idempotency key. Waits for an import that is still running.
async fn replay<P: Ports>(
    library: &State<P>,
    start: &ImportStart,
    earlier: PreviousImport,
) -> Result<Response, ApiError> {
    let deadline = Instant::now() + TIMEOUT;
    let mut earlier = earlier;
    loop {
        match earlier {
            PreviousImport::KeyReused => return Err(ApiError::key_reused()),
            PreviousImport::Deleted => return Err(document_not_found()),
            PreviousImport::Imported(imported) => {
                let response = created(&imported.0, &imported.1);
                return Ok(response.with_header(Header::IdempotencyReplayed, "true"));
            }
            PreviousImport::Running if Instant::now() > deadline => {
                return Err(PortError::Contended.into());
            }
            PreviousImport::Running => sleep(POLL_INTERVAL).await,
        }
        let import = &start.import;
        let fingerprint = import.fingerprint.as_deref().unwrap_or_default();
        let now = runtime::clock::now();
        let found = library
            .ports
            .previous_import(&import.account_id, fingerprint, &start.body_hash, now)
            .await?;
        // The import failed in the meantime, which freed its key.
        earlier = found.ok_or_else(unavailable)?;
    }
}

fn created(document: &Document, version: &Version) -> Response {
    Response::json(201, &DocumentImported::of(document, version))
        .with_header(Header::Location, document_url(&document.id))
}

fn fetch_error(error: RemoteFileError, max_bytes: u64) -> ApiError {
    match error {
        RemoteFileError::Blocked => ApiError::url_blocked("$.url"),
        RemoteFileError::Failed => unavailable(),
        RemoteFileError::TooLarge => {
            let detail = format!(
                "The file exceeds the limit of {max_bytes} bytes for imports on this plan."
            );
            ApiError::new(ErrorCode::PayloadTooLarge, detail)
        }
        RemoteFileError::NotStored(error) => error.into(),
    }
}

fn unavailable() -> ApiError {
    let message =
        "could not be fetched: the server did not respond within 18 seconds or returned an error";
    ApiError::for_field(ErrorCode::SourceUnavailable, "$.url", message)
}

/// Creates the error for a `contentType` that contradicts the bytes.
fn content_mismatch(content_type: &str) -> ApiError {
    let message = format!("does not match the file, which is {content_type} by its content");
    ApiError::for_field(ErrorCode::ContentMismatch, "$.contentType", message)
}

fn scratch_error(error: std::io::Error) -> ApiError {
    let error = PortError::Unavailable {
        service: "scratch",
        reason: error.to_string(),
    };
    error.into()
}
