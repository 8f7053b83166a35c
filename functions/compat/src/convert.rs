//! `POST /convert`.

use std::sync::Arc;

use contract::compat::ConvertDocument;
use domain::work_plan::Work;
use runtime::api::{Answer, Call};
use runtime::refusal::{Refusal, format_at};

use crate::answer::Shape;
use crate::form::{self, Form};
use crate::source::{Source, Stated};
use crate::{Compat, Ports};

pub(crate) async fn convert_document<P: Ports>(
    compat: Arc<Compat<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json()?;
    let request = ConvertDocument::read(&body).map_err(|faults| call.malformed(faults))?;
    let waits = request.url.is_some();
    let target = format_at("$.format", &request.format)?;
    let stated = Stated {
        source_key: request.source_key,
        url: request.url,
        filename: request.filename,
        input_format: request.input_format,
    };
    let source = Source::read(&compat.guard(&call), stated)?;
    let form = Form {
        filename: source.filename,
        input_format: source.format.into(),
        source: source.source,
        attachments: Vec::new(),
        work: Work::convert(target),
        shape: waits.then_some(Shape::File),
        source_member: source.member,
        operation_member: None,
    };
    form::serve(&compat, &call, "POST /convert", &body, form).await
}
