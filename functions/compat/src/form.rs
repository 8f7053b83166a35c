//! The way of every form with an account: a job is submitted, perhaps waited for, and answered.

use std::time::Duration;

use contract::code::ErrorCode;
use contract::route::Header;
use domain::field::FieldError;
use domain::filename::Filename;
use domain::idempotency::body_hash;
use domain::job::Job;
use domain::submit::{
    InputFormat, NotSubmitted, RequestedSource, Submission, Submitted, Terms, submit,
};
use domain::work_plan::{Unplannable, Work};
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;
use serde_json::Value;

use crate::answer::{self, Shape};
use crate::wait::{deadline, until_ended};
use crate::{Compat, Ports};

/// How long a client waits for a result. What is left of the function's 29 seconds is for the answer.
const PATIENCE: Duration = Duration::from_secs(25);

/// The member of a work plan that holds the one operation of a form.
const STEPS: &str = "operations";

/// The member of a job that says where its source is.
const SOURCE: &str = "$.sourceKey";

/// What a request asks for.
pub(crate) struct Form {
    /// The name of the source.
    pub(crate) filename: Filename,
    /// What the source is said to be.
    pub(crate) input_format: InputFormat,
    /// Where it is.
    pub(crate) source: RequestedSource,
    /// What is put behind it.
    pub(crate) attachments: Vec<RequestedSource>,
    /// What is done.
    pub(crate) work: Work,
    /// What the client waits for; nothing where it does not.
    pub(crate) shape: Option<Shape>,
    /// The member that says where the source is.
    pub(crate) source_member: &'static str,
    /// The member that names the operation, where there is one.
    pub(crate) operation_member: Option<&'static str>,
}

/// A form's one operation.
pub(crate) fn one(operation: domain::operation::Operation) -> Work {
    Work::steps(vec![operation], STEPS)
}

/// Submits, waits and answers. `route` is the scope of idempotency keys.
pub(crate) async fn serve<P: Ports>(
    compat: &Compat<P>,
    call: &Call,
    route: &'static str,
    body: &Value,
    form: Form,
) -> Result<Answer, Refusal> {
    let paths = Paths::of(&form);
    let shape = form.shape.clone();
    let submission = submission(call, route, body, form)?;
    let (ports, random) = (compat.ports.as_ref(), runtime::clock::random());
    let submitted = submit(
        ports,
        submission,
        compat.settings.retention,
        call.now,
        random,
    );
    let (job, replayed) = match submitted.await.map_err(|refused| paths.refusal(refused))? {
        Submitted::New(job) => (job, false),
        Submitted::Replayed(job) => (job, true),
    };
    let answer = answered(compat, call, *job, replayed, shape).await;
    Ok(match (answer, replayed) {
        (answer, false) => answer?,
        (Ok(answer), true) => answer.with(Header::IdempotencyReplayed, "true"),
        (Err(refusal), true) => return Err(refusal.with(Header::IdempotencyReplayed, "true")),
    })
}

async fn answered<P: Ports>(
    compat: &Compat<P>,
    call: &Call,
    job: Job,
    replayed: bool,
    shape: Option<Shape>,
) -> Result<Answer, Refusal> {
    let impatient = prefers_no_wait(call);
    let Some(shape) = shape.filter(|_| !impatient) else {
        let answer = answer::job(if replayed { 200 } else { 202 }, &job, replayed);
        return Ok(match impatient {
            true => answer.with(Header::PreferenceApplied, "respond-async"),
            false => answer,
        });
    };
    let ports = compat.ports.as_ref();
    let job = until_ended(ports, job, deadline(call, PATIENCE)).await;
    if job.status.is_terminal() {
        return answer::ended(ports, &job, &shape, call.now).await;
    }
    // Never 200: who waits takes the body of that for the result.
    Ok(answer::job(202, &job, replayed))
}

/// `Prefer: respond-async`, among other preferences or alone [RFC 7240].
fn prefers_no_wait(call: &Call) -> bool {
    let preferences = call.header("prefer").unwrap_or_default().split([',', ';']);
    let mut names = preferences.map(str::trim);
    names.any(|name| name.eq_ignore_ascii_case("respond-async"))
}

fn submission(
    call: &Call,
    route: &'static str,
    body: &Value,
    form: Form,
) -> Result<Submission, Refusal> {
    Ok(Submission {
        caller: call.caller()?.clone(),
        route,
        idempotency_key: call.idempotency_key()?,
        body_hash: body_hash(body),
        filename: form.filename,
        input_format: form.input_format,
        work: form.work,
        source: form.source,
        attachments: form.attachments,
        document: None,
        terms: Terms::Plan,
        metadata: None,
        traceparent: Some(call.traceparent.clone()),
    })
}

/// Where the members of a form stand that a refusal may be about.
struct Paths {
    source: String,
    operation: Option<String>,
}

impl Paths {
    fn of(form: &Form) -> Self {
        let path = |member: &str| format!("$.{member}");
        Self {
            source: path(form.source_member),
            operation: form.operation_member.map(path),
        }
    }

    /// The refusal of the job, in terms of the form.
    fn refusal(&self, refused: NotSubmitted) -> Refusal {
        match refused {
            NotSubmitted::SourceUnavailable(fault) => {
                Refusal::source_unavailable(&self.member(&fault.path))
            }
            NotSubmitted::Unplannable(Unplannable::Step(fault)) => self.step(fault),
            NotSubmitted::Unplannable(Unplannable::OutputTooLarge(fault)) => {
                let path = self.member(&fault.path);
                Unplannable::OutputTooLarge(FieldError { path, ..fault }).into()
            }
            other => other.into(),
        }
    }

    /// An operation that cannot be done on the source at all, a source that it does not take, or an option of one.
    fn step(&self, fault: FieldError) -> Refusal {
        let path = self.member(&fault.path);
        let named = self.operation.as_ref().unwrap_or(&self.source);
        let (path, unsupported) = match path.as_str() {
            "$.operation" => (named.clone(), true),
            _ => (path, names_source(&fault.path)),
        };
        if !unsupported {
            return Unplannable::Step(FieldError { path, ..fault }).into();
        }
        Refusal::of_member(ErrorCode::UnsupportedOperation, path, fault.message)
    }

    /// Where a member of the job stands in the form: the options of its operation in the body itself, and what is put
    /// behind the first source next to it.
    fn member(&self, path: &str) -> String {
        if path == SOURCE {
            return self.source.clone();
        }
        let Some(option) = path.strip_prefix(&format!("$.{STEPS}[0]")) else {
            return path.to_owned();
        };
        let place = option.strip_prefix(".sourceKeys[");
        let place = place.and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
        match place {
            Some(place) => format!("$.sourceKeys[{}]", place + 1),
            None => format!("${option}"),
        }
    }
}

/// Whether a member of a job names one of its sources.
fn names_source(path: &str) -> bool {
    path == SOURCE || path.contains(".sourceKey")
}
