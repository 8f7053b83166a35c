//! `POST /merge`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::MergeFiles;
use domain::format::Format;
use domain::operation::{MergeOptions, Operation};
use domain::submit::{InputFormat, RequestedSource};
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::job_request::{self, JobRequest};
use crate::response::ResultBody;
use crate::source::{check_url, named};
use crate::{Compat, Ports};

pub(crate) async fn merge_files<P: Ports>(
    compat: Arc<Compat<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = request.json()?;
    let input = MergeFiles::read(&body).map_err(|errors| request.malformed(errors))?;
    let guard = compat.guard(&request);
    for (index, url) in input.files.iter().enumerate() {
        check_url(&guard, url, &format!("$.files[{index}]"))?;
    }
    let mut files = input.files.into_iter().map(RequestedSource::Remote);
    let first = files
        .next()
        .ok_or_else(|| ApiError::new(ErrorCode::InvalidRequest, "$.files must not be empty"))?;
    let job_request = JobRequest {
        filename: input.filename.unwrap_or_else(|| named("merged.pdf")),
        input_format: InputFormat::Expected(Format::Pdf),
        source: first,
        attachments: files.collect(),
        work: job_request::single_operation(Operation::Merge(MergeOptions::default())),
        result_body: Some(ResultBody::File),
        source_member: "files",
        operation_member: None,
    };
    job_request::serve(&compat, &request, "POST /merge", &body, job_request).await
}
