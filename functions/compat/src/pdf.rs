//! `POST /pdf`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::ProcessPdf;
use domain::format::Format;
use domain::id::SourceKey;
use domain::operation::{MergeOptions, Operation};
use domain::submit::{InputFormat, RequestedSource};
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::form::{self, Form};
use crate::source::named;
use crate::{Compat, Ports};

pub(crate) async fn process_pdf<P: Ports>(
    compat: Arc<Compat<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json()?;
    let request = ProcessPdf::read(&body).map_err(|faults| call.malformed(faults))?;
    let operation = request.operation(&body)?;
    let (source, others) = sources(&request.source_keys)?;
    let (operation, name) = match operation {
        Operation::Merge(_) => (merge_with(others), "merged.pdf"),
        other => (other, "document.pdf"),
    };
    let form = Form {
        filename: request.filename.unwrap_or_else(|| named(name)),
        input_format: InputFormat::Expected(Format::Pdf),
        source: RequestedSource::Upload(source),
        attachments: Vec::new(),
        work: form::one(operation),
        shape: None,
        source_member: "sourceKeys[0]",
        operation_member: Some("operation"),
    };
    form::serve(&compat, &call, "POST /pdf", &body, form).await
}

/// The first source and the others. What is no source key names nothing that is there.
fn sources(keys: &[String]) -> Result<(SourceKey, Vec<SourceKey>), Refusal> {
    let read = |(index, key): (usize, &String)| {
        let key = key.parse();
        key.map_err(|_| Refusal::source_unavailable(&format!("$.sourceKeys[{index}]")))
    };
    let keys: Vec<SourceKey> = keys
        .iter()
        .enumerate()
        .map(read)
        .collect::<Result<_, _>>()?;
    let mut keys = keys.into_iter();
    let first = keys
        .next()
        .ok_or_else(|| Refusal::new(ErrorCode::InvalidRequest, "$.sourceKeys must not be empty"))?;
    Ok((first, keys.collect()))
}

fn merge_with(source_keys: Vec<SourceKey>) -> Operation {
    Operation::Merge(MergeOptions { source_keys })
}
