//! `POST /documents/{documentId}/process` and `POST /documents/{documentId}/pages/{pageId}/process`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::document::{ProcessDocument, ProcessOperation};
use contract::job::{PageJobCreated, SavedDocumentJobCreated};
use domain::id::PageId;
use domain::idempotency::{IdempotencyKey, job_request_hash};
use domain::job::{DocumentWork, Job};
use domain::library::{Processing, page_id};
use domain::operation::Operation;
use domain::ports::{Jobs, PreviousRequest};
use domain::submit::{InputFormat, Submission, SubmissionTerms, Submitted, submit};
use domain::work_plan::Work;
use runtime::api::{Request, Response};
use runtime::error::{ApiError, format_at};
use serde_json::{Value, json};

use crate::subject::Subject;
use crate::{Ports, State};

/// The routes; idempotency keys are unique per route. Document and page IDs are hashed with the body.
const DOCUMENT_ROUTE: &str = "POST /documents/{documentId}/process";
const PAGE_ROUTE: &str = "POST /documents/{documentId}/pages/{pageId}/process";

pub(crate) async fn process_document<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input = ProcessRequest::read(&request, DOCUMENT_ROUTE)?;
    let subject = Subject::document(library.ports.as_ref(), &request).await;
    let submitted = input.submit(&library, &request, subject).await?;
    response(&submitted, |job, created| {
        let work = work_of(job)?;
        Some(json!(SavedDocumentJobCreated::of(job, work, created)))
    })
}

pub(crate) async fn process_page<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input = ProcessRequest::read(&request, PAGE_ROUTE)?;
    let subject = Subject::page(library.ports.as_ref(), &request).await;
    let submitted = input.submit(&library, &request, subject).await?;
    response(&submitted, |job, created| {
        let work = work_of(job)?;
        let page: PageId = page_id(&work.version, work.page?)?;
        Some(json!(PageJobCreated::of(job, work, page, created)))
    })
}

/// A request, validated without its document.
struct ProcessRequest {
    route: &'static str,
    key: Option<IdempotencyKey>,
    body_hash: String,
    strict: bool,
    processing: Processing,
}

impl ProcessRequest {
    fn read(request: &Request, route: &'static str) -> Result<Self, ApiError> {
        let key = request.idempotency_key()?;
        let body = request.json()?;
        let input = ProcessDocument::read(&body).map_err(|errors| request.malformed(errors))?;
        let fingerprinted = json!({
            "document": request.parameter("documentId"),
            "page": request.parameter("pageId"),
            "body": body,
        });
        let strict = request.is_strict()?;
        Ok(Self {
            route,
            key,
            body_hash: job_request_hash(&fingerprinted, strict),
            strict,
            processing: processing(input)?,
        })
    }

    /// Submits the job. A replay returns the earlier job even if its document was deleted since.
    async fn submit<P: Ports>(
        self,
        library: &State<P>,
        request: &Request,
        subject: Result<Subject, ApiError>,
    ) -> Result<Submitted, ApiError> {
        let ports = library.ports.as_ref();
        let prepared = subject.and_then(|subject| {
            let work = subject.work(&self.processing)?;
            Ok((subject, work))
        });
        match prepared {
            Ok((subject, work)) => {
                let submission = self.submission(request, subject, work)?;
                let random = runtime::clock::random();
                Ok(submit(ports, submission, library.retention, request.now, random).await?)
            }
            Err(error) => self.replay_or(error, ports, request).await,
        }
    }

    fn submission(
        self,
        request: &Request,
        subject: Subject,
        work: Work,
    ) -> Result<Submission, ApiError> {
        Ok(Submission {
            caller: request.caller()?.clone(),
            route: self.route,
            idempotency_key: self.key,
            body_hash: self.body_hash,
            filename: subject.filename.clone(),
            input_format: InputFormat::Declared(subject.format),
            work,
            document: Some(subject.document_work()),
            source: subject.into_source(),
            attachments: Vec::new(),
            terms: SubmissionTerms::Plan,
            strict: self.strict,
            metadata: None,
            traceparent: Some(request.traceparent.clone()),
        })
    }

    /// Returns the job of an earlier request with the same idempotency key, else `error`.
    async fn replay_or<P: Jobs>(
        self,
        error: ApiError,
        ports: &P,
        request: &Request,
    ) -> Result<Submitted, ApiError> {
        let Some(key) = self.key else {
            return Err(error);
        };
        let fingerprint = key.fingerprint(&request.caller()?.account_id, self.route);
        let earlier = ports.replay(&fingerprint, &self.body_hash, request.now);
        match earlier.await? {
            Some(PreviousRequest::Replayed(job)) => Ok(Submitted::Replayed(job)),
            Some(PreviousRequest::KeyReused) => Err(ApiError::key_reused()),
            None => Err(error),
        }
    }
}

fn processing(input: ProcessDocument) -> Result<Processing, ApiError> {
    let format = input
        .format
        .as_deref()
        .map(|name| format_at("$.format", name))
        .transpose()?;
    let (member, items) = match (input.pipeline, input.steps) {
        (Some(items), _) => ("pipeline", items),
        (None, items) => ("steps", items.unwrap_or_default()),
    };
    let steps = Operation::read_all(&items, member)?;
    match (input.operation, format) {
        (ProcessOperation::Convert, Some(format)) => Ok(Processing::Convert(format)),
        // The contract rejects `convert` without a format.
        (ProcessOperation::Convert | ProcessOperation::Image, format) => {
            let invalid = |error| ApiError::from_field_error(ErrorCode::InvalidStep, error);
            Processing::image(steps, format).map_err(invalid)
        }
        (ProcessOperation::Pipeline, format) => Ok(Processing::Pipeline {
            steps,
            member,
            format,
        }),
    }
}

fn response(
    submitted: &Submitted,
    body: impl Fn(&Job, bool) -> Option<Value>,
) -> Result<Response, ApiError> {
    let (Submitted::New(job) | Submitted::Replayed(job)) = submitted;
    // Jobs of this route always have a document.
    let body = body(job, matches!(submitted, Submitted::New(_))).ok_or_else(ApiError::internal)?;
    Ok(Response::submitted(submitted, |_, _| body))
}

fn work_of(job: &Job) -> Option<&DocumentWork> {
    job.document.as_ref()
}
