//! `POST /webpage-to-pdf`: open to anybody, within a budget.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::RenderWebPage;
use domain::filename::Filename;
use domain::format::Format;
use domain::job::{Job, JobErrorCode};
use domain::processor::Processor;
use domain::source::{SourceUrl, UrlRefusal};
use domain::submit::RequestedSource;
use domain::work_plan::Work;
use fetch::{Policy, RemoteUrl};
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::answer::{self, Shape};
use crate::public::{PublicWork, done, submitted};
use crate::source::named;
use crate::{Compat, Ports};

/// What these requests are counted as.
const PURPOSE: &str = "webpage-to-pdf";

pub(crate) async fn render_web_page<P: Ports>(
    compat: Arc<Compat<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json()?;
    let request = RenderWebPage::read(&body).map_err(|faults| call.malformed(faults))?;
    let page = admitted(&compat.guard(&call), &call, &request.url)?;
    let (ports, budget) = (compat.ports.as_ref(), compat.settings.budget);
    if !ports.is_on(Processor::ProcessWeb).await? {
        let detail = "web pages are not rendered for now; try again later";
        return Err(Refusal::new(ErrorCode::RenderFailed, detail));
    }
    budget.spend(ports, &compat.pepper, PURPOSE, &call).await?;
    let work = PublicWork {
        route: "POST /webpage-to-pdf",
        filename: request.filename.unwrap_or_else(|| by_host(&page)),
        input_format: Format::Html,
        source: RequestedSource::WebPage(request.url),
        work: Work::convert(Format::Pdf),
    };
    let job = submitted(&compat, &call, work).await?;
    let job = done(&compat, &call, job).await?;
    match job
        .as_ref()
        .and_then(|job| Some((job, job.output.as_ref()?)))
    {
        Some((job, output)) => answer::result(ports, job, output, &Shape::File).await,
        None => Err(failure(&call, job.as_ref())),
    }
}

/// Judges the page's URL by its text; `http` will do.
fn admitted(guard: &Policy, call: &Call, url: &SourceUrl) -> Result<RemoteUrl, Refusal> {
    let guard = Policy {
        plain_http: true,
        ..guard.clone()
    };
    guard.admit(url.reveal()).map_err(|refusal| match refusal {
        UrlRefusal::Invalid => {
            let message = "must be an absolute http or https address";
            refused(call, ErrorCode::InvalidUrl, message)
        }
        UrlRefusal::Blocked => blocked(call),
    })
}

fn blocked(call: &Call) -> Refusal {
    refused(call, ErrorCode::UrlBlocked, "must be a public address")
}

fn refused(call: &Call, code: ErrorCode, message: &str) -> Refusal {
    Refusal {
        status: Some(call.route.status_of(code)),
        ..Refusal::of_member(code, "$.url", message)
    }
}

/// A host may end in what looks like an extension, so it gets one that the result takes away again.
fn by_host(page: &RemoteUrl) -> Filename {
    let name = Filename::try_from(format!("{}.html", page.host()));
    name.unwrap_or_else(|_| named("page.html"))
}

fn failure(call: &Call, job: Option<&Job>) -> Refusal {
    let error = job.and_then(|job| job.error.as_ref());
    match error {
        Some(error) if error.code == JobErrorCode::FetchBlocked => blocked(call),
        Some(error) => Refusal::new(
            ErrorCode::RenderFailed,
            format!("the page could not be rendered: {}", error.message),
        ),
        None => Refusal::new(
            ErrorCode::RenderFailed,
            "the page could not be rendered within 20 seconds",
        ),
    }
}
