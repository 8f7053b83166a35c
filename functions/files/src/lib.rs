//! Upload route: presigns a PUT of one file with an exact content type and size.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::route::Header;
use contract::upload::{AuthorizeUpload, UploadAuthorized};
use domain::account::Caller;
use domain::id::SourceKey;
use domain::idempotency::body_hash;
use domain::key::Pepper;
use domain::ports::{Callers, RecordedUpload, UploadGrant, Uploads};
use domain::timestamp::days;
use runtime::api::{Api, Authenticator, Issuer, Request, Response};
use runtime::error::ApiError;

/// Ports that the upload route uses.
pub trait Ports: Callers + Uploads + 'static {}

impl<P: Callers + Uploads + 'static> Ports for P {}

struct Files<P> {
    ports: Arc<P>,
    job_days: u32,
}

/// Creates the upload route over `ports`. Idempotency keys expire after `job_days`, like jobs.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
    job_days: u32,
) -> Api<impl Send + Sync + 'static> {
    let authenticator = Authenticator::new(Arc::clone(&ports) as Arc<dyn Callers>, pepper, issuer);
    Api::new(
        "files",
        Arc::new(Files { ports, job_days }),
        Some(authenticator),
    )
    .route("authorizeUpload", authorize_upload)
}

async fn authorize_upload<P: Ports>(
    files: Arc<Files<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = request.json()?;
    let input = AuthorizeUpload::read(&body).map_err(|errors| request.malformed(errors))?;
    let caller = request.caller()?;
    check(&input, caller)?;
    let (source, replayed) = source_key(&files, &request, caller, &body_hash(&body)).await?;
    let grant = files
        .ports
        .upload_url(
            &caller.account_id,
            &source,
            &input.content_type,
            input.size_bytes,
            request.now,
        )
        .await?;
    let response = Response::json(201, &authorized(source, grant));
    Ok(if replayed {
        response.with_header(Header::IdempotencyReplayed, "true")
    } else {
        response
    })
}

fn check(input: &AuthorizeUpload, caller: &Caller) -> Result<(), ApiError> {
    if !input.is_supported() {
        let detail = format!(
            "The content type {} is not supported. GET /formats lists the supported types.",
            input.content_type
        );
        return Err(ApiError::new(ErrorCode::UnsupportedMediaType, detail));
    }
    let maximum = caller.plan.limits().file_bytes;
    if input.size_bytes > maximum {
        let detail = format!(
            "The file has {} bytes. The {} plan allows {maximum} bytes per file.",
            input.size_bytes, caller.plan
        );
        return Err(ApiError::new(ErrorCode::PayloadTooLarge, detail));
    }
    Ok(())
}

/// Returns a new source key, or that of an earlier request with the same idempotency key, and whether it is a replay.
async fn source_key<P: Ports>(
    files: &Files<P>,
    request: &Request,
    caller: &Caller,
    body_hash: &str,
) -> Result<(SourceKey, bool), ApiError> {
    let source = SourceKey::mint(request.now, runtime::clock::random());
    let Some(key) = request.idempotency_key()? else {
        return Ok((source, false));
    };
    let account = &caller.account_id;
    let fingerprint = key.fingerprint(account, "POST /files/upload");
    let expires_at = request.now.plus(days(files.job_days));
    match files
        .ports
        .record_upload(
            account,
            &fingerprint,
            body_hash,
            &source,
            request.now,
            expires_at,
        )
        .await?
    {
        RecordedUpload::New => Ok((source, false)),
        RecordedUpload::Replayed(earlier) => Ok((earlier, true)),
        RecordedUpload::KeyReused => Err(ApiError::key_reused()),
    }
}

fn authorized(source_key: SourceKey, grant: UploadGrant) -> UploadAuthorized {
    UploadAuthorized {
        upload_url: grant.url,
        source_key,
        expires_at: grant.expires_at,
        method: "PUT".to_owned(),
        headers: grant.headers.into_iter().collect(),
    }
}
