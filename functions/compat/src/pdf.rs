//! `POST /pdf`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::ProcessPdf;
use domain::format::Format;
use domain::id::SourceKey;
use domain::operation::{MergeOptions, Operation};
use domain::submit::{InputFormat, RequestedSource};
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::job_request::{self, JobRequest};
use crate::source::named;
use crate::{Compat, Ports};

pub(crate) async fn process_pdf<P: Ports>(
    compat: Arc<Compat<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = request.json()?;
    let input = ProcessPdf::read(&body).map_err(|errors| request.malformed(errors))?;
    let operation = input.operation(&body)?;
    let (source, others) = sources(&input.source_keys)?;
    let (operation, name) = match operation {
        Operation::Merge(_) => (merge_with(others), "merged.pdf"),
        other => (other, "document.pdf"),
    };
    let job_request = JobRequest {
        filename: input.filename.unwrap_or_else(|| named(name)),
        input_format: InputFormat::Expected(Format::Pdf),
        source: RequestedSource::Upload(source),
        attachments: Vec::new(),
        work: job_request::single_operation(operation),
        result_body: None,
        source_member: "sourceKeys[0]",
        operation_member: Some("operation"),
    };
    job_request::serve(&compat, &request, "POST /pdf", &body, job_request).await
}

/// Parses the source keys into the first and the others. Malformed keys get the same error as unknown ones.
fn sources(keys: &[String]) -> Result<(SourceKey, Vec<SourceKey>), ApiError> {
    let read = |(index, key): (usize, &String)| {
        let key = key.parse();
        key.map_err(|_| ApiError::source_unavailable(&format!("$.sourceKeys[{index}]")))
    };
    let keys: Vec<SourceKey> = keys
        .iter()
        .enumerate()
        .map(read)
        .collect::<Result<_, _>>()?;
    let mut keys = keys.into_iter();
    let first = keys.next().ok_or_else(|| {
        ApiError::new(ErrorCode::InvalidRequest, "$.sourceKeys must not be empty")
    })?;
    Ok((first, keys.collect()))
}

fn merge_with(source_keys: Vec<SourceKey>) -> Operation {
    Operation::Merge(MergeOptions { source_keys })
}
