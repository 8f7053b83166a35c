//! `POST /pipeline`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::job::{CreatePipeline, PipelineCreated};
use contract::route::Header;
use domain::filename::Filename;
use domain::format::Format;
use domain::id::{DocumentId, SourceKey, VersionId};
use domain::idempotency::{IdempotencyKey, job_request_hash};
use domain::job::{DocumentResult, DocumentWork};
use domain::operation::{InvalidOperation, Operation};
use domain::ports::ObjectMetadata;
use domain::processor::Processor;
use domain::scope::Scope;
use domain::submit::{
    InputFormat, RequestedSource, Submission, SubmissionTerms, SubmitError, Submitted, find_replay,
    submit,
};
use domain::work_plan::Work;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State};

/// The route; idempotency keys are unique per route.
const ROUTE: &str = "POST /pipeline";

/// `Retry-After` in seconds while the processor is disabled.
const DISABLED_RETRY_AFTER: &str = "60";

/// Creates a pipeline job. A replay returns the earlier job even if the request would fail now, because the processor is
/// disabled or the document or source was deleted.
pub(crate) async fn create_pipeline<P: Ports>(
    jobs: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let pipeline = PipelineRequest::read(&request)?;
    let submitted = match pipeline.submit(&jobs, &request).await {
        Ok(submitted) => submitted,
        Err(error) => {
            let fingerprint = pipeline
                .key
                .fingerprint(&request.caller()?.account_id, ROUTE);
            let ports = jobs.ports.as_ref();
            let earlier = find_replay(ports, &fingerprint, &pipeline.body_hash, request.now);
            earlier.await?.ok_or(error)?
        }
    };
    Ok(Response::submitted(&submitted, PipelineCreated::of))
}

/// A validated request.
struct PipelineRequest {
    key: IdempotencyKey,
    body_hash: String,
    strict: bool,
    input: CreatePipeline,
    steps: Vec<Operation>,
}

impl PipelineRequest {
    fn read(request: &Request) -> Result<Self, ApiError> {
        let key = request.required_idempotency_key()?;
        let body = request.json()?;
        let input = CreatePipeline::read(&body).map_err(|errors| request.malformed(errors))?;
        let steps = Operation::read_all(&input.steps, "steps").map_err(steps_error)?;
        let scope = Scope::DocumentsRead;
        if input.document_id.is_some() && !request.caller()?.has_scope(scope) {
            return Err(ApiError::insufficient_scope(scope));
        }
        let strict = request.is_strict()?;
        Ok(Self {
            key,
            body_hash: job_request_hash(&body, strict),
            strict,
            input,
            steps,
        })
    }

    async fn submit<P: Ports>(
        &self,
        jobs: &State<P>,
        request: &Request,
    ) -> Result<Submitted, ApiError> {
        let ports = jobs.ports.as_ref();
        if !ports.is_enabled(Processor::ProcessPipeline).await? {
            return Err(processor_disabled());
        }
        let document = self.document(ports, request).await?;
        let (document, document_filename) = document.unzip();
        let (key, metadata) = self.source(ports, request).await?;
        let submission = Submission {
            caller: request.caller()?.clone(),
            route: ROUTE,
            idempotency_key: Some(self.key.clone()),
            body_hash: self.body_hash.clone(),
            filename: self.filename(document_filename, &metadata)?,
            input_format: InputFormat::Undeclared,
            work: Work {
                pipeline: true,
                ..Work::steps(self.steps.clone(), "steps")
            },
            source: RequestedSource::Inspected { key, metadata },
            attachments: Vec::new(),
            document,
            terms: SubmissionTerms::Plan,
            strict: self.strict,
            metadata: None,
            traceparent: Some(request.traceparent.clone()),
        };
        let random = runtime::clock::random();
        let submitted = submit(ports, submission, jobs.retention, request.now, random);
        submitted.await.map_err(submit_error)
    }

    /// Loads the uploaded file's metadata.
    async fn source<P: Ports>(
        &self,
        ports: &P,
        request: &Request,
    ) -> Result<(SourceKey, ObjectMetadata), ApiError> {
        let key: SourceKey = self.input.source_key.parse().map_err(|_| forbidden())?;
        let metadata = ports.inspect(&request.caller()?.account_id, &key).await?;
        metadata
            .map(|metadata| (key, metadata))
            .ok_or_else(forbidden)
    }

    /// Returns the filename of the request, else that of the document, else a generic name with the extension of the
    /// upload's media type.
    fn filename(
        &self,
        document_filename: Option<Filename>,
        metadata: &ObjectMetadata,
    ) -> Result<Filename, ApiError> {
        if let Some(name) = &self.input.filename {
            return Ok(name.clone());
        }
        let format = Format::from_mime_type(&metadata.content_type).ok_or_else(unknown_format)?;
        if let Some(name) = document_filename {
            return Ok(name.with_extension(format.extension()));
        }
        let name = format!("document.{}", format.extension());
        Filename::try_from(name).map_err(|_| unknown_format())
    }

    /// Returns the document that gets the result as a new version, and its filename.
    async fn document<P: Ports>(
        &self,
        ports: &P,
        request: &Request,
    ) -> Result<Option<(DocumentWork, Filename)>, ApiError> {
        let Some(document) = &self.input.document_id else {
            return Ok(None);
        };
        let account = &request.caller()?.account_id;
        let id: DocumentId = document
            .parse()
            .map_err(|_| ApiError::not_found(ErrorCode::DocumentNotFound))?;
        let found = ports.document(account, &id).await?;
        let found = found.ok_or_else(|| ApiError::not_found(ErrorCode::DocumentNotFound))?;
        let version = match &self.input.version_id {
            Some(version) => {
                let version: VersionId = version
                    .parse()
                    .map_err(|_| ApiError::not_found(ErrorCode::VersionNotFound))?;
                let found = ports.version(account, &id, &version).await?;
                found
                    .ok_or_else(|| ApiError::not_found(ErrorCode::VersionNotFound))?
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

/// Maps errors in the steps to the codes of this route.
fn steps_error(invalid: InvalidOperation) -> ApiError {
    match invalid {
        InvalidOperation::Source(_) => forbidden(),
        other => other.into(),
    }
}

/// Maps submission errors to the codes of this route.
fn submit_error(error: SubmitError) -> ApiError {
    match error {
        SubmitError::SourceUnavailable(_) => forbidden(),
        SubmitError::UnknownInputFormat(_) => unknown_format(),
        other => other.into(),
    }
}

/// One error for unknown source keys and those of other accounts, without naming the key, so that keys cannot be probed.
fn forbidden() -> ApiError {
    let detail = "A sourceKey of this request is not an uploaded file of this account. Upload the file first.";
    ApiError::new(ErrorCode::SourceForbidden, detail).with_header(
        Header::WwwAuthenticate,
        "Bearer error=\"insufficient_scope\"",
    )
}

fn unknown_format() -> ApiError {
    let message = "must have the extension of a supported format: the upload's content type does not determine the format";
    ApiError::for_field(ErrorCode::UnsupportedConversion, "$.filename", message)
}

fn no_content() -> ApiError {
    let detail = "The document has no version yet. Wait until its import has completed.";
    ApiError::new(ErrorCode::NoCurrentVersion, detail)
}

fn processor_disabled() -> ApiError {
    let detail = "Pipelines are temporarily disabled. Retry in a minute.";
    ApiError::new(ErrorCode::ProcessorUnavailable, detail)
        .with_header(Header::RetryAfter, DISABLED_RETRY_AFTER)
}
