//! `POST /pipeline`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::job::{CreatePipeline, PipelineCreated};
use contract::route::Header;
use domain::filename::Filename;
use domain::format::Format;
use domain::id::{DocumentId, SourceKey, VersionId};
use domain::idempotency::{IdempotencyKey, body_hash};
use domain::job::{DocumentResult, DocumentWork};
use domain::operation::{InvalidOperation, Operation};
use domain::ports::SourceFacts;
use domain::processor::Processor;
use domain::scope::Scope;
use domain::submit::{
    InputFormat, NotSubmitted, RequestedSource, Submission, Submitted, Terms, replayed, submit,
};
use domain::work_plan::Work;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Ports, State};

/// The route, which is the scope of its idempotency keys.
const ROUTE: &str = "POST /pipeline";

/// Seconds after which it is worth trying again while the processor is switched off.
const OFF_FOR: &str = "60";

/// A replay is answered even when the request would be refused by now: the processor is switched off, or the document or
/// the source is gone.
pub(crate) async fn create_pipeline<P: Ports>(
    jobs: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let asked = Asked::read(&call)?;
    let submitted = match asked.submit(&jobs, &call).await {
        Ok(submitted) => submitted,
        Err(refusal) => {
            let fingerprint = asked.key.fingerprint(&call.caller()?.account_id, ROUTE);
            let ports = jobs.ports.as_ref();
            let earlier = replayed(ports, &fingerprint, &asked.body_hash, call.now);
            earlier.await?.ok_or(refusal)?
        }
    };
    Ok(Answer::submitted(&submitted, PipelineCreated::of))
}

/// A request that is well formed.
struct Asked {
    key: IdempotencyKey,
    body_hash: String,
    request: CreatePipeline,
    steps: Vec<Operation>,
}

impl Asked {
    fn read(call: &Call) -> Result<Self, Refusal> {
        let key = call.required_idempotency_key()?;
        let body = call.json()?;
        let request = CreatePipeline::read(&body).map_err(|faults| call.malformed(faults))?;
        let steps = Operation::read_all(&request.steps, "steps").map_err(unreadable)?;
        let scope = Scope::DocumentsRead;
        if request.document_id.is_some() && !call.caller()?.may(scope) {
            return Err(Refusal::lacks(scope));
        }
        Ok(Self {
            key,
            body_hash: body_hash(&body),
            request,
            steps,
        })
    }

    async fn submit<P: Ports>(&self, jobs: &State<P>, call: &Call) -> Result<Submitted, Refusal> {
        let ports = jobs.ports.as_ref();
        if !ports.is_on(Processor::ProcessPipeline).await? {
            return Err(switched_off());
        }
        let named = self.document(ports, call).await?;
        let (document, of_document) = named.unzip();
        let (key, facts) = self.source(ports, call).await?;
        let submission = Submission {
            caller: call.caller()?.clone(),
            route: ROUTE,
            idempotency_key: Some(self.key.clone()),
            body_hash: self.body_hash.clone(),
            filename: self.filename(of_document, &facts)?,
            input_format: InputFormat::Untold,
            work: Work {
                pipeline: true,
                ..Work::steps(self.steps.clone(), "steps")
            },
            source: RequestedSource::Inspected { key, facts },
            attachments: Vec::new(),
            document,
            terms: Terms::Plan,
            metadata: None,
            traceparent: Some(call.traceparent.clone()),
        };
        let random = runtime::clock::random();
        let submitted = submit(ports, submission, jobs.retention, call.now, random);
        submitted.await.map_err(refusal)
    }

    /// The upload that is processed.
    async fn source<P: Ports>(
        &self,
        ports: &P,
        call: &Call,
    ) -> Result<(SourceKey, SourceFacts), Refusal> {
        let key: SourceKey = self.request.source_key.parse().map_err(|_| forbidden())?;
        let facts = ports.inspect(&call.caller()?.account_id, &key).await?;
        facts.map(|facts| (key, facts)).ok_or_else(forbidden)
    }

    /// The name that the client gives, else the document's, else one by the type of the upload, which is all that is known
    /// about it.
    fn filename(
        &self,
        of_document: Option<Filename>,
        facts: &SourceFacts,
    ) -> Result<Filename, Refusal> {
        if let Some(name) = &self.request.filename {
            return Ok(name.clone());
        }
        let format = Format::from_mime_type(&facts.content_type).ok_or_else(unknown_format)?;
        if let Some(name) = of_document {
            return Ok(name.with_extension(format.extension()));
        }
        let name = format!("document.{}", format.extension());
        Filename::try_from(name).map_err(|_| unknown_format())
    }

    /// What the result becomes in the library.
    async fn document<P: Ports>(
        &self,
        ports: &P,
        call: &Call,
    ) -> Result<Option<(DocumentWork, Filename)>, Refusal> {
        let Some(document) = &self.request.document_id else {
            return Ok(None);
        };
        let account = &call.caller()?.account_id;
        let id: DocumentId = document
            .parse()
            .map_err(|_| Refusal::not_found(ErrorCode::DocumentNotFound))?;
        let found = ports.document(account, &id).await?;
        let found = found.ok_or_else(|| Refusal::not_found(ErrorCode::DocumentNotFound))?;
        let version = match &self.request.version_id {
            Some(version) => {
                let version: VersionId = version
                    .parse()
                    .map_err(|_| Refusal::not_found(ErrorCode::VersionNotFound))?;
                let found = ports.version(account, &id, &version).await?;
                found
                    .ok_or_else(|| Refusal::not_found(ErrorCode::VersionNotFound))?
                    .1
                    .id
            }
            None => found.current_version_id.ok_or_else(no_content)?,
        };
        let work = DocumentWork {
            document: id,
            version,
            page: None,
            result: DocumentResult::Version,
        };
        Ok(Some((work, found.filename)))
    }
}

/// Why the steps cannot be read, in this route's terms.
fn unreadable(invalid: InvalidOperation) -> Refusal {
    match invalid {
        InvalidOperation::Source(_) => forbidden(),
        other => other.into(),
    }
}

/// Why a request did not become a job, in this route's terms.
fn refusal(refused: NotSubmitted) -> Refusal {
    match refused {
        NotSubmitted::SourceUnavailable(_) => forbidden(),
        NotSubmitted::UnknownInputFormat(_) => unknown_format(),
        other => other.into(),
    }
}

/// Unknown and another account's are not told apart, nor which of several it is.
fn forbidden() -> Refusal {
    let detail = "a sourceKey of this request names no uploaded file of this account";
    Refusal::new(ErrorCode::SourceForbidden, detail).with(
        Header::WwwAuthenticate,
        "Bearer error=\"insufficient_scope\"",
    )
}

fn unknown_format() -> Refusal {
    let message = "must have an extension that tells the format: the type of the upload does not";
    Refusal::of_member(ErrorCode::UnsupportedConversion, "$.filename", message)
}

fn no_content() -> Refusal {
    let detail = "the document has no version yet";
    Refusal::new(ErrorCode::NoCurrentVersion, detail)
}

fn switched_off() -> Refusal {
    let detail = "pipelines are switched off for now; try again later";
    Refusal::new(ErrorCode::ProcessorUnavailable, detail).with(Header::RetryAfter, OFF_FOR)
}
