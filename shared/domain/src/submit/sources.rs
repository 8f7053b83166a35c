//! Lookup of the sources of a job: its document and its attachments.

use super::{InputFormat, RequestedSource, Submission, SubmitError};
use crate::field::{self, FieldError};
use crate::format::Format;
use crate::id::{AccountId, SourceKey};
use crate::job::{Attachment, JobSource, RemoteSource, UploadedSource, WebPageSource};
use crate::operation::Operation;
use crate::ports::{ObjectMetadata, PortError, Uploads};
use crate::processor::Processor;
use crate::source::{declared_format, unavailable};
use crate::work_plan::WorkPlanError;

/// The member of a request that names an uploaded document.
const DOCUMENT: &str = "$.sourceKey";

/// The existing sources of a job.
pub(super) struct FoundSources {
    document: Stored,
    attachments: Vec<AttachmentSource>,
}

/// An existing source with its stored media type.
struct Stored {
    source: JobSource,
    content_type: String,
}

/// An attachment of a step.
struct AttachmentSource {
    /// Index of the step among all steps of the job.
    step: usize,
    /// Path of the member that names it.
    path: String,
    stored: Stored,
}

/// Looks up every source of `submission`. The inner error is about the first missing source.
pub(super) async fn find_all<P: Uploads + ?Sized>(
    ports: &P,
    submission: &Submission,
) -> Result<Result<FoundSources, FieldError>, PortError> {
    let account = &submission.caller.account_id;
    let Some(document) = find(ports, account, &submission.source).await? else {
        return Ok(Err(unavailable(DOCUMENT)));
    };
    let mut attachments = Vec::new();
    for (step, path, wanted) in wanted_attachments(submission) {
        match find(ports, account, &wanted).await? {
            Some(stored) => attachments.push(AttachmentSource { step, path, stored }),
            None => return Ok(Err(unavailable(path))),
        }
    }
    Ok(Ok(FoundSources {
        document,
        attachments,
    }))
}

/// Returns each attachment with its step and the path of the member that names it.
fn wanted_attachments(submission: &Submission) -> Vec<(usize, String, RequestedSource)> {
    let (work, before) = (&submission.work, submission.work.before.len());
    let first = submission.attachments.iter().cloned();
    let first = first.map(|source| (before, DOCUMENT.to_owned(), source));
    let operations = work.operations.iter().enumerate();
    let named = operations.flat_map(|(index, operation)| {
        let path = format!("$.{}[{index}]", work.member);
        let keys = operation.attachments().into_iter();
        keys.map(move |(member, key)| {
            let path = field::member(&path, &member);
            (before + index, path, RequestedSource::Upload(key))
        })
    });
    first.chain(named).collect()
}

async fn find<P: Uploads + ?Sized>(
    ports: &P,
    account: &AccountId,
    source: &RequestedSource,
) -> Result<Option<Stored>, PortError> {
    let typeless = |source| Stored {
        source,
        content_type: String::new(),
    };
    Ok(match source.clone() {
        RequestedSource::Upload(key) => {
            let metadata = ports.inspect(account, &key).await?;
            metadata.map(|metadata| uploaded(key, metadata))
        }
        RequestedSource::Inspected { key, metadata } => Some(uploaded(key, metadata)),
        RequestedSource::Remote(url) => Some(typeless(JobSource::Remote(RemoteSource { url }))),
        RequestedSource::WebPage(web_page) => {
            Some(typeless(JobSource::WebPage(WebPageSource { web_page })))
        }
        RequestedSource::Version {
            version,
            content_type,
        } => Some(Stored {
            source: JobSource::Version(version),
            content_type,
        }),
    })
}

fn uploaded(key: SourceKey, metadata: ObjectMetadata) -> Stored {
    let source = JobSource::Upload(UploadedSource {
        key,
        etag: metadata.etag,
        size_bytes: metadata.size_bytes,
    });
    Stored {
        source,
        content_type: metadata.content_type,
    }
}

impl FoundSources {
    /// Returns the format of the document: declared or inferred.
    pub(super) fn input_format(&self, submission: &Submission) -> Result<Format, SubmitError> {
        let content_type = &self.document.content_type;
        let declared = match submission.input_format {
            InputFormat::Undeclared => None,
            InputFormat::Declared(format) | InputFormat::Expected(format) => Some(format),
        };
        declared_format(declared, content_type, &submission.filename).ok_or_else(|| {
            let message =
                "is required: the format cannot be inferred from the content type or the filename";
            SubmitError::UnknownInputFormat(FieldError::new(
                "$.inputFormat",
                "unsupported_conversion",
                message,
            ))
        })
    }

    /// Checks the media types of the document and the attachments, and returns their sources. `format` is the declared or
    /// inferred format of the document.
    pub(super) fn checked(
        self,
        input: InputFormat,
        format: Format,
        steps: &[Operation],
    ) -> Result<(JobSource, Vec<Attachment>), WorkPlanError> {
        if let InputFormat::Expected(expected) = input {
            check(&self.document.content_type, &[expected], DOCUMENT)?;
            // Documents appended by `merge` must have the format of the document.
            let merges = |attachment: &&AttachmentSource| {
                matches!(steps.get(attachment.step), Some(Operation::Merge(_)))
            };
            for attachment in self.attachments.iter().filter(merges) {
                check(
                    &attachment.stored.content_type,
                    &[expected],
                    &attachment.path,
                )?;
            }
        }
        let attachments = self.attachments.into_iter();
        let attachments = attachments.map(|attachment| checked_attachment(attachment, steps));
        let document = resolve_web_page(self.document.source, format, steps);
        Ok((document, attachments.collect::<Result<_, _>>()?))
    }
}

/// If the first step renders HTML from a URL, the browser loads the URL itself, with its resources. Markdown is always
/// fetched as a file.
fn resolve_web_page(source: JobSource, format: Format, steps: &[Operation]) -> JobSource {
    let first = steps.first().and_then(|step| step.resolve(format));
    match (source, first) {
        (JobSource::Remote(RemoteSource { url: web_page }), Some((Processor::ProcessWeb, _)))
            if format == Format::Html =>
        {
            JobSource::WebPage(WebPageSource { web_page })
        }
        (source, _) => source,
    }
}

/// An attachment whose media type is not a known format is treated as PDF; the engine checks the content.
fn checked_attachment(
    attachment: AttachmentSource,
    steps: &[Operation],
) -> Result<Attachment, WorkPlanError> {
    let content_type = &attachment.stored.content_type;
    let accepted = steps
        .get(attachment.step)
        .map(Operation::attachment_formats);
    check(content_type, accepted.unwrap_or_default(), &attachment.path)?;
    Ok(Attachment {
        step: attachment.step,
        format: Format::from_mime_type(content_type).unwrap_or(Format::Pdf),
        source: attachment.stored.source,
    })
}

/// Checks that the stored media type of a source is one of the accepted formats. Unknown media types pass.
fn check(content_type: &str, accepted: &[Format], path: &str) -> Result<(), WorkPlanError> {
    match Format::from_mime_type(content_type) {
        Some(format) if !accepted.contains(&format) => {
            let names: Vec<&str> = accepted.iter().map(|format| format.id()).collect();
            let message = format!("must be {}; the upload is {format}", names.join(" or "));
            let error = FieldError::new(path, "invalid_step", message);
            Err(WorkPlanError::Step(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::ConvertOptions;
    use crate::source::SourceUrl;

    #[test]
    fn html_at_a_url_that_a_browser_renders_is_a_web_page() {
        let source = || {
            JobSource::Remote(RemoteSource {
                url: SourceUrl::new("https://files.example/a"),
            })
        };
        let convert = |to| Operation::Convert(ConvertOptions::to(to));
        for (format, to, is_page) in [
            (Format::Html, Format::Pdf, true),
            (Format::Html, Format::Png, true),
            (Format::Html, Format::Docx, false),
            (Format::Html, Format::Markdown, false),
            (Format::Markdown, Format::Pdf, false),
            (Format::Docx, Format::Pdf, false),
            (Format::Pdf, Format::Png, false),
        ] {
            let steps = [convert(to), convert(Format::Jpeg)];
            let found = matches!(
                resolve_web_page(source(), format, &steps),
                JobSource::WebPage(_)
            );
            assert_eq!(found, is_page, "{format} to {to}");
        }
        let upload = JobSource::WebPage(WebPageSource {
            web_page: SourceUrl::new("https://files.example/a"),
        });
        assert_eq!(resolve_web_page(upload.clone(), Format::Html, &[]), upload);
    }
}
