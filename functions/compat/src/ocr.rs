//! `POST /ocr`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::compat::RecognizeText;
use domain::field::FieldError;
use domain::operation::{Languages, OcrOptions, OcrOutput, Operation};
use runtime::api::{Request, Response};
use runtime::error::{ApiError, format_at};

use crate::job_request::{self, JobRequest};
use crate::response::ResultBody;
use crate::source::{DeclaredSource, Source};
use crate::{Compat, Ports};

pub(crate) async fn recognize_text<P: Ports>(
    compat: Arc<Compat<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = request.json()?;
    let input = RecognizeText::read(&body).map_err(|errors| request.malformed(errors))?;
    let waits = input.url.is_some();
    let output = output(&request, input.format.as_deref(), waits)?;
    let languages = input.language.clone().map(languages).transpose()?;
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
        work: job_request::single_operation(Operation::Ocr(OcrOptions {
            language: languages,
            output: Some(output),
            mode: None,
        })),
        result_body: waits.then_some(ResultBody::Text {
            language: input.language,
        }),
        source_member: source.member,
        operation_member: None,
    };
    job_request::serve(&compat, &request, "POST /ocr", &body, job_request).await
}

/// Returns the output format. Requests that wait for the result get plain text only.
fn output(request: &Request, name: Option<&str>, waits: bool) -> Result<OcrOutput, ApiError> {
    let format = format_at("$.format", name.unwrap_or("text"))?;
    let output = OcrOutput::of(format).ok_or_else(|| {
        let message = "must be text, json, hocr or pdf";
        ApiError::for_field(ErrorCode::UnsupportedConversion, "$.format", message)
    })?;
    if waits && output != OcrOutput::Text {
        let message = "must be text when url is given; upload the file to get json, hocr or pdf";
        return Err(request.malformed(vec![FieldError::invalid("$.format", message)]));
    }
    Ok(output)
}

fn languages(text: String) -> Result<Languages, ApiError> {
    Languages::try_from(text).map_err(|message| {
        ApiError::for_field(ErrorCode::UnsupportedLanguage, "$.language", message)
    })
}
