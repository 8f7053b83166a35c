//! `POST /compress`.

use std::sync::Arc;

use contract::compat::CompressDocument;
use domain::operation::{CompressOptions, Operation};
use runtime::api::{Answer, Call};
use runtime::refusal::{Refusal, format_at};

use crate::form::{self, Form};
use crate::source::{Source, Stated};
use crate::{Compat, Ports};

pub(crate) async fn compress_document<P: Ports>(
    compat: Arc<Compat<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json()?;
    let request = CompressDocument::read(&body).map_err(|faults| call.malformed(faults))?;
    let target = request.format.map(|name| format_at("$.format", &name));
    let options = CompressOptions {
        quality: request.quality,
        format: target.transpose()?,
        max_width: request.max_width,
        max_height: request.max_height,
        level: request.level,
        linearize: request.linearize,
        ..CompressOptions::default()
    };
    let stated = Stated {
        source_key: Some(request.source_key),
        url: None,
        filename: request.filename,
        input_format: request.input_format,
    };
    let source = Source::read(&compat.guard(&call), stated)?;
    let form = Form {
        filename: source.filename,
        input_format: source.format.into(),
        source: source.source,
        attachments: Vec::new(),
        work: form::one(Operation::Compress(options)),
        shape: None,
        source_member: source.member,
        operation_member: None,
    };
    form::serve(&compat, &call, "POST /compress", &body, form).await
}
