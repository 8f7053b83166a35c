//! `POST /ocr`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::RecogniseText;
use domain::field::FieldError;
use domain::operation::{Languages, OcrOptions, OcrOutput, Operation};
use runtime::api::{Answer, Call};
use runtime::refusal::{Refusal, format_at};

use crate::answer::Shape;
use crate::form::{self, Form};
use crate::source::{Source, Stated};
use crate::{Compat, Ports};

pub(crate) async fn recognise_text<P: Ports>(
    compat: Arc<Compat<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json()?;
    let request = RecogniseText::read(&body).map_err(|faults| call.malformed(faults))?;
    let waits = request.url.is_some();
    let output = output(&call, request.format.as_deref(), waits)?;
    let languages = request.language.clone().map(languages).transpose()?;
    let named = request
        .language
        .unwrap_or_else(|| Languages::default().into());
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
        work: form::one(Operation::Ocr(OcrOptions {
            language: languages,
            output: Some(output),
            mode: None,
        })),
        shape: waits.then_some(Shape::Text { language: named }),
        source_member: source.member,
        operation_member: None,
    };
    form::serve(&compat, &call, "POST /ocr", &body, form).await
}

/// What is written. Who waits is answered with the text.
fn output(call: &Call, name: Option<&str>, waits: bool) -> Result<OcrOutput, Refusal> {
    let wanted = format_at("$.format", name.unwrap_or("text"))?;
    let output = OcrOutput::of(wanted).ok_or_else(|| {
        let message = "must be text, json, hocr or pdf";
        Refusal::of_member(ErrorCode::UnsupportedConversion, "$.format", message)
    })?;
    if waits && output != OcrOutput::Text {
        let message = "must be text, which is the answer to a url; upload the file for the others";
        return Err(call.malformed(vec![FieldError::invalid("$.format", message)]));
    }
    Ok(output)
}

fn languages(text: String) -> Result<Languages, Refusal> {
    Languages::try_from(text).map_err(|message| {
        Refusal::of_member(ErrorCode::UnsupportedLanguage, "$.language", message)
    })
}
