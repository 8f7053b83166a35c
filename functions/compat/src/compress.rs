//! `POST /compress`.

use std::sync::Arc;

use contract::compat::CompressDocument;
use domain::operation::{CompressOptions, Operation};
use runtime::api::{Request, Response};
use runtime::error::{ApiError, format_at};

use crate::job_request::{self, JobRequest};
use crate::source::{DeclaredSource, Source};
use crate::{Compat, Ports};

pub(crate) async fn compress_document<P: Ports>(
    compat: Arc<Compat<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = request.json()?;
    let input = CompressDocument::read(&body).map_err(|errors| request.malformed(errors))?;
    let target = input.format.map(|name| format_at("$.format", &name));
    let options = CompressOptions {
        quality: input.quality,
        format: target.transpose()?,
        max_width: input.max_width,
        max_height: input.max_height,
        level: input.level,
        linearize: input.linearize,
        ..CompressOptions::default()
    };
    let declared = DeclaredSource {
        source_key: Some(input.source_key),
        url: None,
        filename: input.filename,
        input_format: input.input_format,
    };
    let source = Source::read(&compat.guard(&request), declared)?;
    let job_request = JobRequest {
        filename: source.filename,
        input_format: source.format.into(),
        source: source.source,
        attachments: Vec::new(),
        work: job_request::single_operation(Operation::Compress(options)),
        result_body: None,
        source_member: source.member,
        operation_member: None,
    };
    job_request::serve(&compat, &request, "POST /compress", &body, job_request).await
}
