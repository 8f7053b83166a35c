//! The upload route: authorises one upload of an exact type and size.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::route::Header;
use contract::upload::{AuthorizeUpload, UploadAuthorized};
use domain::account::Caller;
use domain::id::SourceKey;
use domain::idempotency::body_hash;
use domain::key::Pepper;
use domain::ports::{Callers, Remembered, UploadGrant, Uploads};
use domain::timestamp::days;
use runtime::api::{Answer, Api, Call, Gate, Issuer};
use runtime::refusal::Refusal;

/// What the upload route may do.
pub trait Ports: Callers + Uploads + 'static {}

impl<P: Callers + Uploads + 'static> Ports for P {}

struct Files<P> {
    ports: Arc<P>,
    job_days: u32,
}

/// The upload route over `ports`; an idempotency key lives as long as a job, `job_days`.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
    job_days: u32,
) -> Api<impl Send + Sync + 'static> {
    let gate = Gate::new(Arc::clone(&ports) as Arc<dyn Callers>, pepper, issuer);
    Api::new("files", Arc::new(Files { ports, job_days }), Some(gate))
        .route("authorizeUpload", authorize_upload)
}

async fn authorize_upload<P: Ports>(files: Arc<Files<P>>, call: Call) -> Result<Answer, Refusal> {
    let body = call.json()?;
    let request = AuthorizeUpload::read(&body).map_err(|faults| call.malformed(faults))?;
    let caller = call.caller()?;
    check(&request, caller)?;
    let (source, replayed) = source_key(&files, &call, caller, &body_hash(&body)).await?;
    let grant = files
        .ports
        .upload_url(
            &caller.account_id,
            &source,
            &request.content_type,
            request.size_bytes,
            call.now,
        )
        .await?;
    let answer = Answer::json(201, &authorized(source, grant));
    Ok(if replayed {
        answer.with(Header::IdempotencyReplayed, "true")
    } else {
        answer
    })
}

fn check(request: &AuthorizeUpload, caller: &Caller) -> Result<(), Refusal> {
    if !request.is_supported() {
        let detail = format!(
            "{} is not a type that this service reads; see GET /formats",
            request.content_type
        );
        return Err(Refusal::new(ErrorCode::UnsupportedMediaType, detail));
    }
    let most = caller.plan.limits().file_bytes;
    if request.size_bytes > most {
        let detail = format!("the {} plan allows {most} bytes a file", caller.plan);
        return Err(Refusal::new(ErrorCode::PayloadTooLarge, detail));
    }
    Ok(())
}

/// A new source key, or the one that an earlier request with the same idempotency key was given.
async fn source_key<P: Ports>(
    files: &Files<P>,
    call: &Call,
    caller: &Caller,
    body_hash: &str,
) -> Result<(SourceKey, bool), Refusal> {
    let source = SourceKey::mint(call.now, runtime::clock::random());
    let Some(key) = call.idempotency_key()? else {
        return Ok((source, false));
    };
    let account = &caller.account_id;
    let fingerprint = key.fingerprint(account, "POST /files/upload");
    let expires_at = call.now.plus(days(files.job_days));
    match files
        .ports
        .remember(
            account,
            &fingerprint,
            body_hash,
            &source,
            call.now,
            expires_at,
        )
        .await?
    {
        Remembered::New => Ok((source, false)),
        Remembered::Replayed(earlier) => Ok((earlier, true)),
        Remembered::KeyReused => Err(Refusal::key_reused()),
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
