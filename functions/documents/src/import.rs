//! `POST /documents/import`: charged first, fetched and stored within the request, given back when that fails.

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
    Document, DocumentSource, DocumentStatus, Import, ImportStart, Look, LookTerms, ROOT_FOLDER,
    Version, contradicts, media_type,
};
use domain::outbox;
use domain::ports::{EarlierImport, ImportBegun, PortError, RemoteFault, RemoteFile};
use domain::source::{SourceUrl, version_object};
use domain::timestamp::{Timestamp, days};
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;
use tempfile::NamedTempFile;
use tokio::time::{Instant, sleep, timeout};

use crate::content::look_into;
use crate::{Ports, State, document_not_found};

/// How long everything may take: the gateway waits 30 seconds.
const WITHIN: Duration = Duration::from_secs(25);

/// How often a replay looks whether the import that it repeats has ended.
const LOOK_EVERY: Duration = Duration::from_millis(250);

pub(crate) async fn import_document<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let key = call.idempotency_key()?;
    let body = call.json()?;
    let request = ImportDocument::read(&body).map_err(|faults| call.malformed(faults))?;
    let guard = library.guard.with_own(call.own_hosts());
    let url = guard
        .admit_source(&request.url)
        .map_err(|refusal| Refusal::url(refusal, "$.url"))?;
    let caller = call.caller()?;
    let random = runtime::clock::random();
    let start = ImportStart {
        import: Import::begin(
            caller,
            key.as_ref(),
            library.retention.job_days,
            call.now,
            random,
        ),
        plan: caller.plan,
        body_hash: body_hash(&body),
    };
    match library.ports.begin_import(&start).await? {
        ImportBegun::New => carry_out(&library, &start, request, (url, &call)).await,
        ImportBegun::Earlier(earlier) => replay(&library, &start, earlier).await,
        ImportBegun::Spent(spent) => Err(spent.into()),
    }
}

/// Fetches and stores what is charged already. Whatever goes wrong gives the charge back.
async fn carry_out<P: Ports>(
    library: &State<P>,
    start: &ImportStart,
    request: ImportDocument,
    (url, call): (SourceUrl, &Call),
) -> Result<Answer, Refusal> {
    let import = &start.import;
    let brought = bring(library, start, request, (url, call.own_hosts()));
    let brought = timeout(WITHIN, brought).await;
    let imported = match brought.unwrap_or_else(|_| Err(unavailable())) {
        Ok((document, version)) => {
            let look = look(library, start, &version, &call.traceparent);
            finish(library, import, (document, version), look).await
        }
        Err(refusal) => Err(refusal),
    };
    let refusal = match imported {
        Ok(answer) => return Ok(answer),
        Err(refusal) => refusal,
    };
    let now = runtime::clock::now();
    if let Err(error) = library.ports.give_up_import(import, now).await {
        tracing::warn!(%error, document_id = %import.document_id, "a failed import is not given up; sweep will do it");
    }
    Err(refusal)
}

/// Writes what was brought. Outside the time limit: nothing may cut it off halfway.
async fn finish<P: Ports>(
    library: &State<P>,
    import: &Import,
    (document, version): (Document, Version),
    look: Option<Look>,
) -> Result<Answer, Refusal> {
    let ports = library.ports.as_ref();
    let written = ports.finish_import(import, &document, &version, look.as_ref());
    if !written.await? {
        // `sweep` took it for lost: it was given up and given back.
        return Err(unavailable());
    }
    tracing::info!(document_id = %document.id, size_bytes = document.size_bytes, "document imported");
    outbox::publish(ports, &[Event::of_import(&version)]).await;
    if let Some(Look { job, ticket, .. }) = &look {
        let group = job.account_id.as_str();
        outbox::send_at_once(ports, job.processor, group, ticket, Duration::ZERO).await;
    }
    Ok(created(&document, &version))
}

/// The look into what was imported, which finds its pages.
fn look<P>(
    library: &State<P>,
    start: &ImportStart,
    version: &Version,
    traceparent: &str,
) -> Option<Look> {
    let terms = LookTerms {
        limits: JobLimits::from(start.plan.limits()),
        kept: days(library.retention.job_days),
        result_days: library.retention.result_days,
        traceparent: Some(traceparent.to_owned()),
    };
    Look::into_version(version, terms, runtime::clock::now())
}

/// The document and its version, whose content is stored.
async fn bring<P: Ports>(
    library: &State<P>,
    start: &ImportStart,
    request: ImportDocument,
    (url, own_hosts): (SourceUrl, &[String]),
) -> Result<(Document, Version), Refusal> {
    let (import, ports) = (&start.import, library.ports.as_ref());
    let file = NamedTempFile::new().map_err(scratch)?;
    let most = Import::most_bytes(start.plan);
    let sources = library.sources.as_ref();
    let fetched = sources.fetch_remote(&url, most, own_hosts, file.path());
    let fetched = fetched.await.map_err(|fault| failed(fault, most))?;
    if fetched.size_bytes == 0 {
        let (code, message) = (ErrorCode::SourceUnavailable, "leads to an empty file");
        return Err(Refusal::of_member(code, "$.url", message));
    }
    let content = look_into(file.path().to_owned()).await.map_err(scratch)?;
    let by_name = [request.filename.as_ref(), fetched.filename.as_ref()]
        .into_iter()
        .flatten()
        .find_map(|name| Format::from_extension(&name.extension()?));
    let claims = [
        request.content_type.as_deref(),
        fetched
            .content_type
            .as_deref()
            .filter(|claim| says_something(claim)),
        by_name.map(Format::mime_type),
        fetched.content_type.as_deref(),
    ];
    let claims: Vec<&str> = claims.into_iter().flatten().collect();
    let content_type = media_type(&content.head, &content.tail, &claims);
    let stated = request.content_type.as_deref();
    if stated.is_some_and(|claim| contradicts(claim, &content_type)) {
        return Err(mismatched(&content_type));
    }
    let object = version_object(&import.account_id, &import.document_id, &import.version_id);
    let etag = ports.store(file.path(), &object, &content_type).await?;
    records(
        import,
        request,
        &fetched,
        content_type,
        content.sha256,
        etag,
    )
}

/// What servers say of files that they know nothing about counts less than the name.
fn says_something(claim: &str) -> bool {
    !matches!(
        claim,
        "text/plain" | "application/octet-stream" | "binary/octet-stream"
    )
}

fn records(
    import: &Import,
    request: ImportDocument,
    fetched: &RemoteFile,
    content_type: String,
    sha256: String,
    etag: String,
) -> Result<(Document, Version), Refusal> {
    let filename = match request.filename.or_else(|| fetched.filename.clone()) {
        Some(filename) => filename,
        None => nameless(&content_type)?,
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
    let folder_id = request.folder_id.unwrap_or_else(|| ROOT_FOLDER.to_owned());
    Ok((
        document(&version, folder_id, request.group_id, now),
        version,
    ))
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

/// The name of a file that neither its owner nor its server names.
fn nameless(content_type: &str) -> Result<Filename, Refusal> {
    let extension = Format::from_mime_type(content_type).map_or("bin", Format::extension);
    let name = Filename::try_from(format!("document.{extension}"));
    name.map_err(|_| unavailable())
}

/// The answer to a request whose key was used before; one that is still at work is waited for.
async fn replay<P: Ports>(
    library: &State<P>,
    start: &ImportStart,
    earlier: EarlierImport,
) -> Result<Answer, Refusal> {
    let deadline = Instant::now() + WITHIN;
    let mut earlier = earlier;
    loop {
        match earlier {
            EarlierImport::KeyReused => return Err(Refusal::key_reused()),
            EarlierImport::Deleted => return Err(document_not_found()),
            EarlierImport::Imported(both) => {
                let answer = created(&both.0, &both.1);
                return Ok(answer.with(Header::IdempotencyReplayed, "true"));
            }
            EarlierImport::Running if Instant::now() > deadline => {
                return Err(PortError::Contended.into());
            }
            EarlierImport::Running => sleep(LOOK_EVERY).await,
        }
        let import = &start.import;
        let fingerprint = import.fingerprint.as_deref().unwrap_or_default();
        let now = runtime::clock::now();
        let found = library
            .ports
            .earlier_import(&import.account_id, fingerprint, &start.body_hash, now)
            .await?;
        // It failed meanwhile, and its key is free again.
        earlier = found.ok_or_else(unavailable)?;
    }
}

fn created(document: &Document, version: &Version) -> Answer {
    Answer::json(201, &DocumentImported::of(document, version))
        .with(Header::Location, document_url(&document.id))
}

fn failed(fault: RemoteFault, most: u64) -> Refusal {
    match fault {
        RemoteFault::Blocked => Refusal::url_blocked("$.url"),
        RemoteFault::Failed => unavailable(),
        RemoteFault::TooLarge => {
            let detail = format!("an import may hold at most {most} bytes on this plan");
            Refusal::new(ErrorCode::PayloadTooLarge, detail)
        }
        RemoteFault::NotKept(error) => error.into(),
    }
}

fn unavailable() -> Refusal {
    let message = "could not be fetched from this address within 18 seconds, or its server refused";
    Refusal::of_member(ErrorCode::SourceUnavailable, "$.url", message)
}

/// A media type that the client states, and that the bytes do not have.
fn mismatched(content_type: &str) -> Refusal {
    let message = format!("does not fit the file, which is {content_type} by its bytes");
    Refusal::of_member(ErrorCode::ContentMismatch, "$.contentType", message)
}

fn scratch(error: std::io::Error) -> Refusal {
    let error = PortError::Unavailable {
        service: "scratch",
        reason: error.to_string(),
    };
    error.into()
}
