//! Findings about a saved document, read from the job's result in the bucket: pages of an inspection, words of OCR.

use domain::engine_function::EngineFunction;
use domain::format::Format;
use domain::job::{DocumentResult, DocumentWork, Job, JobErrorCode};
use domain::library::{Findings, PageSize, SIZES_IN_RECORD, Words};
use domain::operation::{ConvertOptions, Operation};
use domain::source::pages_object;
use serde::Deserialize;

use crate::attempt::{Artifact, Attempt, Run};
use crate::error::AttemptError;
use crate::markup;
use crate::scratch::TemporaryDirectory;
use crate::sources::Document;
use crate::worker::Ports;

/// Maximum bytes read of a result: many times the size of the words that are indexed.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Name of the extracted text of a result among the attempt's objects.
const TEXT: &str = "text";

/// Temporary file with the page sizes.
const SIZES: &str = "page-sizes";

/// The used members of an inspection's result: every page of a PDF, the first page of an image.
#[derive(Deserialize)]
#[serde(untagged)]
enum InspectionReport {
    #[serde(rename_all = "camelCase")]
    Pages {
        page_sizes: Vec<MeasuredPage>,
    },
    Image {
        pages: u32,
        width: f64,
        height: f64,
    },
}

#[derive(Deserialize)]
struct MeasuredPage {
    number: u32,
    width: f64,
    height: f64,
}

/// The used members of an OCR result in JSON.
#[derive(Deserialize)]
struct OcrJson {
    text: String,
}

impl<P: Ports> Attempt<'_, P> {
    /// Returns the findings in `artifact`; `None` without a saved document or findings.
    pub(crate) async fn findings(
        &self,
        artifact: &Artifact,
    ) -> Result<Option<Findings>, AttemptError> {
        let Some(work) = &self.job.document else {
            return Ok(None);
        };
        match work.result {
            DocumentResult::Pages => self.pages(work, artifact).await.map(Some),
            DocumentResult::Version if has_ocr(self.job) => self.words(artifact).await,
            DocumentResult::Version => Ok(None),
        }
    }

    /// Returns the pages found by an inspection. Long lists of page sizes are also stored as an object next to the version.
    async fn pages(
        &self,
        work: &DocumentWork,
        artifact: &Artifact,
    ) -> Result<Findings, AttemptError> {
        let invalid = || {
            AttemptError::job(
                JobErrorCode::OutputInvalid,
                "The inspection found no pages.",
            )
        };
        let bytes = self.first_bytes(&artifact.object).await?;
        let (count, sizes) = parse_pages(&bytes, self.job.limits.pages).ok_or_else(invalid)?;
        if sizes.len() > SIZES_IN_RECORD as usize {
            let base = &self.worker.scratch_base;
            let directory = TemporaryDirectory::create(base).await.map_err(scratch)?;
            let file = directory.file(SIZES);
            let list = serde_json::to_vec(&sizes).map_err(|_| invalid())?;
            tokio::fs::write(&file, list).await.map_err(scratch)?;
            let object = pages_object(&self.job.account_id, &work.document, &work.version);
            let ports = &self.worker.ports;
            ports.store(&file, &object, "application/json").await?;
        }
        Ok(Findings::Pages { count, sizes })
    }

    /// Returns the words of an OCR result in any output format.
    async fn words(&self, artifact: &Artifact) -> Result<Option<Findings>, AttemptError> {
        let Some(format) = Format::from_mime_type(&artifact.metadata.content_type) else {
            return Ok(None);
        };
        let bytes = match format {
            Format::Txt | Format::Json | Format::Hocr => self.first_bytes(&artifact.object).await?,
            Format::Pdf => match self.text_of(artifact).await? {
                Some(text) => self.first_bytes(&text.object).await?,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let words = tokio::task::spawn_blocking(move || words_of(format, &bytes)).await;
        let panicked = |_| AttemptError::Service("reading the words panicked".to_owned());
        Ok(words.map_err(panicked)?.map(Findings::Words))
    }

    /// Extracts the text of a PDF by the regular conversion; `None` if the conversion fails because of the document.
    async fn text_of(&self, artifact: &Artifact) -> Result<Option<Artifact>, AttemptError> {
        let steps = [Operation::Convert(ConvertOptions::to(Format::Txt))];
        let run = Run {
            function: EngineFunction::EngineOcr,
            steps: &steps,
            part: None,
            document: &Document::File(artifact.file()),
            step: 0,
            format: Format::Pdf,
            attachments: &[],
            output: TEXT,
        };
        match self.run_engine(&run).await {
            Ok(text) => Ok(Some(text)),
            Err(AttemptError::Job(error)) => {
                tracing::info!(code = ?error.code, "OCR result has no extractable text");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads the first [`MAX_BYTES`] of an object of the attempt.
    async fn first_bytes(&self, object: &str) -> Result<Vec<u8>, AttemptError> {
        let found = self.worker.ports.first_bytes(object, MAX_BYTES).await?;
        found.ok_or_else(|| AttemptError::Service("the result no longer exists".to_owned()))
    }
}

/// Returns whether the job has an OCR step.
fn has_ocr(job: &Job) -> bool {
    let is_ocr = |step: &Operation| matches!(step, Operation::Ocr(_));
    job.steps.iter().any(is_ocr)
}

fn words_of(format: Format, bytes: &[u8]) -> Option<Words> {
    let text = String::from_utf8_lossy(bytes);
    match format {
        Format::Json => {
            let ocr = serde_json::from_slice::<OcrJson>(bytes);
            let ocr = ocr.inspect_err(|error| {
                tracing::warn!(%error, "recognized words not indexed: the OCR result cannot be parsed");
            });
            ocr.ok().map(|ocr| Words::of(&ocr.text))
        }
        Format::Hocr => Some(Words::of(&markup::text(&text))),
        _ => Some(Words::of(&text)),
    }
}

/// Parses an inspection's result into page count, at most `max_pages`, and page sizes, in order.
fn parse_pages(bytes: &[u8], max_pages: u32) -> Option<(u32, Vec<PageSize>)> {
    let (count, measured) = match serde_json::from_slice(bytes).ok()? {
        InspectionReport::Pages { page_sizes } => {
            (u32::try_from(page_sizes.len()).ok()?, page_sizes)
        }
        InspectionReport::Image {
            pages,
            width,
            height,
        } => {
            let number = 1;
            let first = MeasuredPage {
                number,
                width,
                height,
            };
            (pages, vec![first])
        }
    };
    let sizes = measured.iter().zip(1..).map(|(page, number)| {
        let (width, height) = (page.width, page.height);
        let is_valid = |side: f64| side.is_finite() && side >= 0.0;
        let is_valid = page.number == number && is_valid(width) && is_valid(height);
        is_valid.then_some(PageSize { width, height })
    });
    let sizes = sizes.collect::<Option<_>>()?;
    (1..=max_pages).contains(&count).then_some((count, sizes))
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over results")]
fn scratch(error: std::io::Error) -> AttemptError {
    AttemptError::Service(format!("scratch: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_accepted_only_if_consecutive_and_valid() {
        let read = |text: &str| {
            let (count, sizes) = parse_pages(text.as_bytes(), 3)?;
            Some((count, sizes.len()))
        };
        let page = |number: u32, width: &str| {
            format!(r#"{{"number": {number}, "width": {width}, "height": 842.5}}"#)
        };
        let report =
            |pages: &[String]| format!(r#"{{"a": 1, "pageSizes": [{}]}}"#, pages.join(","));
        let two = report(&[page(1, "595"), page(2, "0.5")]);
        assert_eq!(read(&two), Some((2, 2)));
        let scan = r#"{"pages": 3, "width": 10, "height": 20, "density": null}"#;
        assert_eq!(read(scan), Some((3, 1)));
        for wrong in [
            report(&[]),
            report(&[page(2, "595")]),
            report(&[page(1, "595"), page(3, "595")]),
            report(&[1, 2, 3, 4].map(|number| page(number, "595"))),
            report(&[page(1, "-1")]),
            report(&[page(1, "\"595\"")]),
            r#"{"pages": 0, "width": 10, "height": 20}"#.to_owned(),
            r#"{"pages": 4, "width": 10, "height": 20}"#.to_owned(),
            "{}".to_owned(),
            String::new(),
        ] {
            assert_eq!(read(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn words_are_read_from_each_output_format() {
        let words = |format, text: &str| {
            let words = words_of(format, text.as_bytes())?;
            Some(words.iter().map(str::to_owned).collect::<Vec<_>>())
        };
        let expected = Some(vec!["alpha".to_owned(), "beta".to_owned()]);
        assert_eq!(words(Format::Txt, "Alpha\u{c}beta\n"), expected);
        let json = r#"{"text": "alpha beta", "pages": [{"text": "gamma"}]}"#;
        assert_eq!(words(Format::Json, json), expected);
        assert_eq!(words(Format::Json, "{}"), None);
        let hocr = "<html><head><title>delta</title></head><body><span class='x'>Alpha</span><b>beta</b></body></html>";
        assert_eq!(words(Format::Hocr, hocr), expected);
    }
}
