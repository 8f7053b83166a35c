//! `POST /sandbox/convert`: converts the built-in sample document for the website's demo.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::ConvertSample;
use contract::route::Header;
use domain::format::Format;
use domain::job::Job;
use domain::operation::{ConvertOptions, Operation, conversion};
use domain::sandbox_token;
use domain::submit::{RequestedSource, SubmitError};
use domain::work_plan::Work;
use runtime::api::{Request, Response};
use runtime::error::{ApiError, format_at};

use crate::anonymous::{AnonymousJob, submit_anonymous, wait_or_cancel};
use crate::response::{self, ResultBody};
use crate::sample;
use crate::source::named;
use crate::{Compat, Ports};

/// The rate limit's purpose.
const PURPOSE: &str = "sandbox";

pub(crate) async fn convert_sample<P: Ports>(
    compat: Arc<Compat<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    if !is_own_page(&compat, &request) {
        return Err(forbidden());
    }
    let body = request.json()?;
    let input = ConvertSample::read(&body).map_err(|errors| request.malformed(errors))?;
    let work = work(format_at("$.format", &input.format)?)?;
    let (ports, rate_limit) = (compat.ports.as_ref(), compat.settings.rate_limit);
    rate_limit
        .check(ports, &compat.pepper, PURPOSE, &request)
        .await?;
    let job = accepted(&compat, &request, work).await?;
    let Some(job) = wait_or_cancel(&compat, &request, job).await? else {
        return Err(busy());
    };
    match &job.output {
        Some(output) => response::result(ports, &job, output, &ResultBody::File).await,
        None => Err(failed(&job)),
    }
}

/// Returns whether the request has the origin of this host and a valid sandbox token of its page.
fn is_own_page<P>(compat: &Compat<P>, request: &Request) -> bool {
    let host = request.header("host").unwrap_or_default();
    let own = format!("{}://{host}", compat.settings.own_scheme);
    let token = request.header("x-sandbox-token").unwrap_or_default();
    !host.is_empty()
        && request.header("origin") == Some(&own)
        && sandbox_token::is_valid(&compat.pepper, token, request.now)
}

/// Plans the conversion of the sample: directly if supported, else via PDF.
fn work(target: Format) -> Result<AnonymousJob, ApiError> {
    let direct = conversion(sample::FORMAT, target).is_some();
    let via_pdf = conversion(Format::Pdf, target).is_some();
    let operations = match (direct, via_pdf) {
        (true, _) => Vec::new(),
        (false, true) => vec![Operation::Convert(ConvertOptions::to(Format::Pdf))],
        (false, false) => {
            let message = format!("is {target}, to which the sample cannot be converted");
            let code = ErrorCode::UnsupportedConversion;
            return Err(ApiError::for_field(code, "$.format", message));
        }
    };
    Ok(AnonymousJob {
        route: "POST /sandbox/convert",
        filename: named(sample::NAME),
        input_format: sample::FORMAT,
        source: RequestedSource::Upload(sample::source()),
        work: Work {
            operations,
            ..Work::convert(target)
        },
    })
}

/// Submits the job. The sample is stored as an upload, which expires; it is uploaded again if missing.
async fn accepted<P: Ports>(
    compat: &Compat<P>,
    request: &Request,
    work: AnonymousJob,
) -> Result<Job, ApiError> {
    match submit_anonymous(compat, request, work.clone()).await {
        Err(SubmitError::SourceUnavailable(_)) => {
            sample::upload(compat.ports.as_ref()).await?;
            Ok(submit_anonymous(compat, request, work).await?)
        }
        other => Ok(other?),
    }
}

fn forbidden() -> ApiError {
    let detail = "This route accepts requests from the service's own website only. Use an API key and POST /jobs.";
    let error = ApiError::new(ErrorCode::OriginForbidden, detail);
    error.with_header(
        Header::WwwAuthenticate,
        "Bearer error=\"insufficient_scope\"",
    )
}

fn busy() -> ApiError {
    let detail = "The service is busy. Retry in a minute.";
    ApiError::new(ErrorCode::ProcessorUnavailable, detail).with_header(Header::RetryAfter, "60")
}

/// Maps any job error to 500, because the sample is the service's own document.
fn failed(job: &Job) -> ApiError {
    let code = job.error.as_ref().map(|error| error.code);
    tracing::error!(job_id = %job.id, ?code, "sample conversion failed");
    ApiError::internal()
}
