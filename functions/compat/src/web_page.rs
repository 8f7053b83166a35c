//! `POST /webpage-to-pdf`: anonymous and rate limited.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::RenderWebPage;
use domain::filename::Filename;
use domain::format::Format;
use domain::job::{Job, JobErrorCode};
use domain::processor::Processor;
use domain::source::{SourceUrl, UrlError};
use domain::submit::RequestedSource;
use domain::work_plan::Work;
use fetch::{Policy, RemoteUrl};
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::anonymous::{AnonymousJob, submit_anonymous, wait_or_cancel};
use crate::response::{self, ResultBody};
use crate::source::named;
use crate::{Compat, Ports};

/// The rate limit's purpose.
const PURPOSE: &str = "webpage-to-pdf";

pub(crate) async fn render_web_page<P: Ports>(
    compat: Arc<Compat<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = request.json()?;
    let input = RenderWebPage::read(&body).map_err(|errors| request.malformed(errors))?;
    let page = check_url(&compat.guard(&request), &request, &input.url)?;
    let (ports, rate_limit) = (compat.ports.as_ref(), compat.settings.rate_limit);
    if !ports.is_enabled(Processor::ProcessWeb).await? {
        let detail = "Rendering of web pages is temporarily disabled. Try again later.";
        return Err(ApiError::new(ErrorCode::RenderFailed, detail));
    }
    rate_limit
        .check(ports, &compat.pepper, PURPOSE, &request)
        .await?;
    let work = AnonymousJob {
        route: "POST /webpage-to-pdf",
        filename: input.filename.unwrap_or_else(|| by_host(&page)),
        input_format: Format::Html,
        source: RequestedSource::WebPage(input.url),
        work: Work::convert(Format::Pdf),
    };
    let job = submit_anonymous(&compat, &request, work).await?;
    let job = wait_or_cancel(&compat, &request, job).await?;
    match job
        .as_ref()
        .and_then(|job| Some((job, job.output.as_ref()?)))
    {
        Some((job, output)) => response::result(ports, job, output, &ResultBody::File).await,
        None => Err(failure(&request, job.as_ref())),
    }
}

/// Checks the page's URL without DNS lookups. Plain `http` is allowed.
fn check_url(guard: &Policy, request: &Request, url: &SourceUrl) -> Result<RemoteUrl, ApiError> {
    let guard = Policy {
        plain_http: true,
        ..guard.clone()
    };
    guard.admit(url.reveal()).map_err(|error| match error {
        UrlError::Invalid => {
            let message = "must be an absolute http or https URL";
            url_error(request, ErrorCode::InvalidUrl, message)
        }
        UrlError::Blocked => blocked(request),
    })
}

fn blocked(request: &Request) -> ApiError {
    url_error(
        request,
        ErrorCode::UrlBlocked,
        "must not lead to a private address",
    )
}

fn url_error(request: &Request, code: ErrorCode, message: &str) -> ApiError {
    ApiError {
        status: Some(request.route.status_of(code)),
        ..ApiError::for_field(code, "$.url", message)
    }
}

/// Returns `{host}.html`. The extension protects hosts such as `example.com`, whose end looks like an extension and would be
/// replaced by that of the result.
fn by_host(page: &RemoteUrl) -> Filename {
    let name = Filename::try_from(format!("{}.html", page.host()));
    name.unwrap_or_else(|_| named("page.html"))
}

fn failure(request: &Request, job: Option<&Job>) -> ApiError {
    let error = job.and_then(|job| job.error.as_ref());
    match error {
        Some(error) if error.code == JobErrorCode::FetchBlocked => blocked(request),
        Some(error) => ApiError::new(
            ErrorCode::RenderFailed,
            format!("The page could not be rendered: {}", error.message),
        ),
        None => ApiError::new(
            ErrorCode::RenderFailed,
            "The page could not be rendered within 20 seconds. Try again later.",
        ),
    }
}
