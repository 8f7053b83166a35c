//! `POST /merge`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::MergeFiles;
use domain::format::Format;
use domain::operation::{MergeOptions, Operation};
use domain::submit::{InputFormat, RequestedSource};
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::answer::Shape;
use crate::form::{self, Form};
use crate::source::{admitted, named};
use crate::{Compat, Ports};

pub(crate) async fn merge_files<P: Ports>(
    compat: Arc<Compat<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json()?;
    let request = MergeFiles::read(&body).map_err(|faults| call.malformed(faults))?;
    let guard = compat.guard(&call);
    for (index, url) in request.files.iter().enumerate() {
        admitted(&guard, url, &format!("$.files[{index}]"))?;
    }
    let mut files = request.files.into_iter().map(RequestedSource::Remote);
    let first = files
        .next()
        .ok_or_else(|| Refusal::new(ErrorCode::InvalidRequest, "$.files must not be empty"))?;
    let form = Form {
        filename: request.filename.unwrap_or_else(|| named("merged.pdf")),
        input_format: InputFormat::Expected(Format::Pdf),
        source: first,
        attachments: files.collect(),
        work: form::one(Operation::Merge(MergeOptions::default())),
        shape: Some(Shape::File),
        source_member: "files",
        operation_member: None,
    };
    form::serve(&compat, &call, "POST /merge", &body, form).await
}
