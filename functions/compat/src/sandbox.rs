//! `POST /sandbox/convert`: converts the service's own sample for the service's own page.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::ConvertSample;
use contract::route::Header;
use domain::format::Format;
use domain::job::Job;
use domain::operation::{ConvertOptions, Operation, conversion};
use domain::sandbox_token;
use domain::submit::{NotSubmitted, RequestedSource};
use domain::work_plan::Work;
use runtime::api::{Answer, Call};
use runtime::refusal::{Refusal, format_at};

use crate::answer::{self, Shape};
use crate::public::{PublicWork, done, submitted};
use crate::sample;
use crate::source::named;
use crate::{Compat, Ports};

/// What these requests are counted as.
const PURPOSE: &str = "sandbox";

pub(crate) async fn convert_sample<P: Ports>(
    compat: Arc<Compat<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    if !is_own_page(&compat, &call) {
        return Err(forbidden());
    }
    let body = call.json()?;
    let request = ConvertSample::read(&body).map_err(|faults| call.malformed(faults))?;
    let work = work(format_at("$.format", &request.format)?)?;
    let (ports, budget) = (compat.ports.as_ref(), compat.settings.budget);
    budget.spend(ports, &compat.pepper, PURPOSE, &call).await?;
    let job = accepted(&compat, &call, work).await?;
    let Some(job) = done(&compat, &call, job).await? else {
        return Err(busy());
    };
    match &job.output {
        Some(output) => answer::result(ports, &job, output, &Shape::File).await,
        None => Err(failed(&job)),
    }
}

/// Whether the request comes from a page of this very host, which carries a token that is still good.
fn is_own_page<P>(compat: &Compat<P>, call: &Call) -> bool {
    let host = call.header("host").unwrap_or_default();
    let own = format!("{}://{host}", compat.settings.own_scheme);
    let token = call.header("x-sandbox-token").unwrap_or_default();
    !host.is_empty()
        && call.header("origin") == Some(&own)
        && sandbox_token::is_good(&compat.pepper, token, call.now)
}

/// The conversion of the sample: at once where one processor does it, else by way of PDF.
fn work(target: Format) -> Result<PublicWork, Refusal> {
    let at_once = conversion(sample::FORMAT, target).is_some();
    let by_pdf = conversion(Format::Pdf, target).is_some();
    let operations = match (at_once, by_pdf) {
        (true, _) => Vec::new(),
        (false, true) => vec![Operation::Convert(ConvertOptions::to(Format::Pdf))],
        (false, false) => {
            let message = format!("the sample cannot be converted to {target}");
            let code = ErrorCode::UnsupportedConversion;
            return Err(Refusal::of_member(code, "$.format", message));
        }
    };
    Ok(PublicWork {
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

/// Has the job accepted. The sample lies where uploads lie and goes as they go, so it may have to be put there first.
async fn accepted<P: Ports>(
    compat: &Compat<P>,
    call: &Call,
    work: PublicWork,
) -> Result<Job, Refusal> {
    match submitted(compat, call, work.clone()).await {
        Err(NotSubmitted::SourceUnavailable(_)) => {
            sample::put(compat.ports.as_ref()).await?;
            Ok(submitted(compat, call, work).await?)
        }
        other => Ok(other?),
    }
}

fn forbidden() -> Refusal {
    let detail = "this works on the service's own page only; get an API key and use POST /jobs";
    let refusal = Refusal::new(ErrorCode::OriginForbidden, detail);
    refusal.with(
        Header::WwwAuthenticate,
        "Bearer error=\"insufficient_scope\"",
    )
}

fn busy() -> Refusal {
    let detail = "the service is busy; try again in a minute";
    Refusal::new(ErrorCode::ProcessorUnavailable, detail).with(Header::RetryAfter, "60")
}

/// The sample is the service's own, so whatever fails is its fault.
fn failed(job: &Job) -> Refusal {
    let code = job.error.as_ref().map(|error| error.code);
    tracing::error!(job_id = %job.id, ?code, "the sample could not be converted");
    Refusal::internal()
}
