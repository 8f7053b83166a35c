//! `POST /convert`.

use std::sync::Arc;

use contract::compat::ConvertDocument;
use domain::work_plan::Work;
use runtime::api::{Request, Response};
use runtime::error::{ApiError, format_at};

use crate::job_request::{self, JobRequest};
use crate::response::ResultBody;
use crate::source::{DeclaredSource, Source};
use crate::{Compat, Ports};

pub(crate) async fn convert_document<P: Ports>(
    compat: Arc<Compat<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = request.json()?;
    let input = ConvertDocument::read(&body).map_err(|errors| request.malformed(errors))?;
    let waits = input.url.is_some();
    let target = format_at("$.format", &input.format)?;
    let declared = DeclaredSource {
        source_key: input.source_key,
        url: input.url,
        filename: input.filename,
        input_format: input.input_format,
    };
    let source = Source::read(&compat.guard(&request), declared)?;
    let job_request = JobRequest {
        filename: source.filename,
        input_format: source.format.into(),
        source: source.source,
        attachments: Vec::new(),
        work: Work::convert(target),
        result_body: waits.then_some(ResultBody::File),
        source_member: source.member,
        operation_member: None,
    };
    job_request::serve(&compat, &request, "POST /convert", &body, job_request).await
}
