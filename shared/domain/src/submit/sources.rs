//! Finding what a job reads: its document, and what its steps need beside it.

use super::{InputFormat, NotSubmitted, RequestedSource, Submission};
use crate::field::{self, FieldError};
use crate::format::Format;
use crate::id::{AccountId, SourceKey};
use crate::job::{Attachment, JobSource, RemoteSource, UploadedSource, WebPageSource};
use crate::operation::Operation;
use crate::ports::{PortError, SourceFacts, Uploads};
use crate::processor::Processor;
use crate::source::{claimed_format, unavailable};
use crate::work_plan::Unplannable;

/// The member of a request that names an uploaded document.
const DOCUMENT: &str = "$.sourceKey";

/// Everything that a job reads, which is there.
pub(super) struct Found {
    document: Stored,
    attachments: Vec<Beside>,
}

/// A source that is there, and the media type that it is stored with.
struct Stored {
    source: JobSource,
    content_type: String,
}

/// What a step needs beside the document.
struct Beside {
    /// The index of the step among all steps of the job.
    step: usize,
    /// The member that names it.
    path: String,
    stored: Stored,
}

/// Looks at every source of `submission`; the inner error is about the first one that is not there.
pub(super) async fn find_all<P: Uploads + ?Sized>(
    ports: &P,
    submission: &Submission,
) -> Result<Result<Found, FieldError>, PortError> {
    let account = &submission.caller.account_id;
    let Some(document) = find(ports, account, &submission.source).await? else {
        return Ok(Err(unavailable(DOCUMENT)));
    };
    let mut attachments = Vec::new();
    for (step, path, wanted) in wanted_attachments(submission) {
        match find(ports, account, &wanted).await? {
            Some(stored) => attachments.push(Beside { step, path, stored }),
            None => return Ok(Err(unavailable(path))),
        }
    }
    Ok(Ok(Found {
        document,
        attachments,
    }))
}

/// Each with its step and the member that names it.
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
            let facts = ports.inspect(account, &key).await?;
            facts.map(|facts| uploaded(key, facts))
        }
        RequestedSource::Inspected { key, facts } => Some(uploaded(key, facts)),
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

fn uploaded(key: SourceKey, facts: SourceFacts) -> Stored {
    let source = JobSource::Upload(UploadedSource {
        key,
        etag: facts.etag,
        size_bytes: facts.size_bytes,
    });
    Stored {
        source,
        content_type: facts.content_type,
    }
}

impl Found {
    /// What the document is taken for.
    pub(super) fn input_format(&self, submission: &Submission) -> Result<Format, NotSubmitted> {
        let content_type = &self.document.content_type;
        let stated = match submission.input_format {
            InputFormat::Untold => None,
            InputFormat::Stated(format) | InputFormat::Expected(format) => Some(format),
        };
        claimed_format(stated, content_type, &submission.filename).ok_or_else(|| {
            let message = "say which format the source has: neither its type nor its name tells";
            NotSubmitted::UnknownInputFormat(FieldError::new(
                "$.inputFormat",
                "unsupported_conversion",
                message,
            ))
        })
    }

    /// The document, which may be what it is taken for, and what stands beside it, each of which may fit its step. `format` is
    /// what it is taken for in the end.
    pub(super) fn fitted(
        self,
        input: InputFormat,
        format: Format,
        steps: &[Operation],
    ) -> Result<(JobSource, Vec<Attachment>), Unplannable> {
        if let InputFormat::Expected(expected) = input {
            check(&self.document.content_type, &[expected], DOCUMENT)?;
            // What follows in a merge is what the document is.
            let merges =
                |beside: &&Beside| matches!(steps.get(beside.step), Some(Operation::Merge(_)));
            for beside in self.attachments.iter().filter(merges) {
                check(&beside.stored.content_type, &[expected], &beside.path)?;
            }
        }
        let attachments = self.attachments.into_iter();
        let attachments = attachments.map(|beside| attachment(beside, steps));
        let document = loaded(self.document.source, format, steps);
        Ok((document, attachments.collect::<Result<_, _>>()?))
    }
}

/// Of a URL of HTML that a browser opens first, the browser loads the page itself, with all that it shows. Markdown is a
/// file wherever it is.
fn loaded(source: JobSource, format: Format, steps: &[Operation]) -> JobSource {
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

/// What has no type that tells is taken for PDF: the engine judges the bytes.
fn attachment(beside: Beside, steps: &[Operation]) -> Result<Attachment, Unplannable> {
    let content_type = &beside.stored.content_type;
    let taken = steps.get(beside.step).map(Operation::takes_beside);
    check(content_type, taken.unwrap_or_default(), &beside.path)?;
    Ok(Attachment {
        step: beside.step,
        format: Format::from_mime_type(content_type).unwrap_or(Format::Pdf),
        source: beside.stored.source,
    })
}

/// Whether a source may be what is taken, as far as the type that it is stored with tells.
fn check(content_type: &str, taken: &[Format], path: &str) -> Result<(), Unplannable> {
    match Format::from_mime_type(content_type) {
        Some(format) if !taken.contains(&format) => {
            let names: Vec<&str> = taken.iter().map(|format| format.id()).collect();
            let message = format!(
                "must be {}, and is {format} by its type",
                names.join(" or ")
            );
            let fault = FieldError::new(path, "invalid_step", message);
            Err(Unplannable::Step(fault))
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
    fn a_url_that_a_browser_opens_first_is_a_web_page() {
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
            let found = matches!(loaded(source(), format, &steps), JobSource::WebPage(_));
            assert_eq!(found, is_page, "{format} to {to}");
        }
        let upload = JobSource::WebPage(WebPageSource {
            web_page: SourceUrl::new("https://files.example/a"),
        });
        assert_eq!(loaded(upload.clone(), Format::Html, &[]), upload);
    }
}
