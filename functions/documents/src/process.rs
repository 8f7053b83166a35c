//! `POST /documents/{documentId}/process` and `POST /documents/{documentId}/pages/{pageId}/process`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::document::{ProcessDocument, ProcessOperation};
use contract::job::{PageJobCreated, SavedDocumentJobCreated};
use domain::id::PageId;
use domain::idempotency::{IdempotencyKey, body_hash};
use domain::job::{DocumentWork, Job};
use domain::library::{Processing, page_id};
use domain::operation::Operation;
use domain::ports::{Earlier, Jobs};
use domain::submit::{InputFormat, Submission, Submitted, Terms, submit};
use domain::work_plan::Work;
use runtime::api::{Answer, Call};
use runtime::refusal::{Refusal, format_at};
use serde_json::{Value, json};

use crate::subject::Subject;
use crate::{Ports, State};

/// The scope of idempotency keys. Which document and page are meant counts as a part of the body.
const DOCUMENT_ROUTE: &str = "POST /documents/{documentId}/process";
const PAGE_ROUTE: &str = "POST /documents/{documentId}/pages/{pageId}/process";

pub(crate) async fn process_document<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request = Request::read(&call, DOCUMENT_ROUTE)?;
    let subject = Subject::document(library.ports.as_ref(), &call).await;
    let submitted = request.submit(&library, &call, subject).await?;
    answer(&submitted, |job, created| {
        let work = work_of(job)?;
        Some(json!(SavedDocumentJobCreated::of(job, work, created)))
    })
}

pub(crate) async fn process_page<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request = Request::read(&call, PAGE_ROUTE)?;
    let subject = Subject::page(library.ports.as_ref(), &call).await;
    let submitted = request.submit(&library, &call, subject).await?;
    answer(&submitted, |job, created| {
        let work = work_of(job)?;
        let page: PageId = page_id(&work.version, work.page?)?;
        Some(json!(PageJobCreated::of(job, work, page, created)))
    })
}

/// What is asked for, as far as the request alone tells.
struct Request {
    route: &'static str,
    key: Option<IdempotencyKey>,
    body_hash: String,
    processing: Processing,
}

impl Request {
    fn read(call: &Call, route: &'static str) -> Result<Self, Refusal> {
        let key = call.idempotency_key()?;
        let body = call.json()?;
        let asked = ProcessDocument::read(&body).map_err(|faults| call.malformed(faults))?;
        let whole = json!({
            "document": call.parameter("documentId"),
            "page": call.parameter("pageId"),
            "body": body,
        });
        Ok(Self {
            route,
            key,
            body_hash: body_hash(&whole),
            processing: processing(asked)?,
        })
    }

    /// Has the job accepted; a request that was answered before is answered as then, whatever has become of its document.
    async fn submit<P: Ports>(
        self,
        library: &State<P>,
        call: &Call,
        subject: Result<Subject, Refusal>,
    ) -> Result<Submitted, Refusal> {
        let ports = library.ports.as_ref();
        let prepared = subject.and_then(|subject| {
            let work = subject.work(&self.processing)?;
            Ok((subject, work))
        });
        match prepared {
            Ok((subject, work)) => {
                let submission = self.submission(call, subject, work)?;
                let random = runtime::clock::random();
                Ok(submit(ports, submission, library.retention, call.now, random).await?)
            }
            Err(refusal) => self.earlier_or(refusal, ports, call).await,
        }
    }

    fn submission(self, call: &Call, subject: Subject, work: Work) -> Result<Submission, Refusal> {
        Ok(Submission {
            caller: call.caller()?.clone(),
            route: self.route,
            idempotency_key: self.key,
            body_hash: self.body_hash,
            filename: subject.filename.clone(),
            input_format: InputFormat::Stated(subject.format),
            work,
            document: Some(subject.document_work()),
            source: subject.into_source(),
            attachments: Vec::new(),
            terms: Terms::Plan,
            metadata: None,
            traceparent: Some(call.traceparent.clone()),
        })
    }

    async fn earlier_or<P: Jobs>(
        self,
        refusal: Refusal,
        ports: &P,
        call: &Call,
    ) -> Result<Submitted, Refusal> {
        let Some(key) = self.key else {
            return Err(refusal);
        };
        let fingerprint = key.fingerprint(&call.caller()?.account_id, self.route);
        let earlier = ports.replay(&fingerprint, &self.body_hash, call.now);
        match earlier.await? {
            Some(Earlier::Replayed(job)) => Ok(Submitted::Replayed(job)),
            Some(Earlier::KeyReused) => Err(Refusal::key_reused()),
            None => Err(refusal),
        }
    }
}

fn processing(asked: ProcessDocument) -> Result<Processing, Refusal> {
    let format = asked
        .format
        .as_deref()
        .map(|name| format_at("$.format", name))
        .transpose()?;
    let (member, items) = match (asked.pipeline, asked.steps) {
        (Some(items), _) => ("pipeline", items),
        (None, items) => ("steps", items.unwrap_or_default()),
    };
    let steps = Operation::read_all(&items, member)?;
    match (asked.operation, format) {
        (ProcessOperation::Convert, Some(format)) => Ok(Processing::Convert(format)),
        // The contract lets no `convert` through without its format.
        (ProcessOperation::Convert | ProcessOperation::Image, format) => {
            let invalid = |fault| Refusal::about(ErrorCode::InvalidStep, fault);
            Processing::image(steps, format).map_err(invalid)
        }
        (ProcessOperation::Pipeline, format) => Ok(Processing::Pipeline {
            steps,
            member,
            format,
        }),
    }
}

fn answer(
    submitted: &Submitted,
    body: impl Fn(&Job, bool) -> Option<Value>,
) -> Result<Answer, Refusal> {
    let (Submitted::New(job) | Submitted::Replayed(job)) = submitted;
    // A job that was accepted by this route has its document.
    let body = body(job, matches!(submitted, Submitted::New(_))).ok_or_else(Refusal::internal)?;
    Ok(Answer::submitted(submitted, |_, _| body))
}

fn work_of(job: &Job) -> Option<&DocumentWork> {
    job.document.as_ref()
}
