//! What the result of a job tells about the saved document that it was made from: read while the result is in scratch.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::format::Format;
use domain::job::{DocumentResult, DocumentWork, Job, JobErrorCode};
use domain::library::{Findings, PageSize, SIZES_IN_RECORD, Words};
use domain::operation::{ConvertOptions, Operation};
use domain::source::pages_object;
use engine::{Artifact, EngineError, Request};
use serde::Deserialize;

use crate::attempt::Attempt;
use crate::engines::Engine;
use crate::halt::Halt;
use crate::markup;
use crate::worker::Ports;

/// Most bytes of a result that are read: many times what the words that are kept can fill.
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// The directory, beside the result, in which its text is taken out.
const TEXT: &str = "text-of-result";

/// The file, beside the result, with the sizes of its pages.
const SIZES: &str = "page-sizes";

/// What a look finds, as far as it is kept: of a PDF each page, of a picture the first.
#[derive(Deserialize)]
#[serde(untagged)]
enum Looked {
    #[serde(rename_all = "camelCase")]
    Pages {
        page_sizes: Vec<Measured>,
    },
    Picture {
        pages: u32,
        width: f64,
        height: f64,
    },
}

#[derive(Deserialize)]
struct Measured {
    number: u32,
    width: f64,
    height: f64,
}

/// What recognition writes as JSON, as far as it is read.
#[derive(Deserialize)]
struct Recognised {
    text: String,
}

impl<P: Ports, E: Engine> Attempt<'_, P, E> {
    /// What `artifact` tells about the saved document; `None` when there is none, or nothing to tell.
    pub(crate) async fn findings(&self, artifact: &Artifact) -> Result<Option<Findings>, Halt> {
        let Some(work) = &self.job.document else {
            return Ok(None);
        };
        match work.result {
            DocumentResult::Pages => self.pages(work, artifact).await.map(Some),
            DocumentResult::Version if recognises(self.job) => self.words(artifact).await,
            DocumentResult::Version => Ok(None),
        }
    }

    /// The pages that a look has found. Where they are many, their sizes are stored beside the version.
    async fn pages(&self, work: &DocumentWork, artifact: &Artifact) -> Result<Findings, Halt> {
        let invalid = || Halt::fault(JobErrorCode::OutputInvalid, "the look found no pages");
        let bytes = beginning(artifact.path.clone()).await?;
        let (count, sizes) = measured(&bytes).ok_or_else(invalid)?;
        if sizes.len() > SIZES_IN_RECORD as usize {
            let file = beside(&artifact.path, SIZES);
            let list = serde_json::to_vec(&sizes).map_err(|_| invalid())?;
            tokio::fs::write(&file, list).await.map_err(scratch)?;
            let object = pages_object(&self.job.account_id, &work.document, &work.version);
            let ports = &self.worker.ports;
            ports.store(&file, &object, "application/json").await?;
        }
        Ok(Findings::Pages { count, sizes })
    }

    /// The words of what was recognised, in whichever form it was written.
    async fn words(&self, artifact: &Artifact) -> Result<Option<Findings>, Halt> {
        let Some(format) = Format::from_mime_type(&artifact.content_type) else {
            return Ok(None);
        };
        let path = match format {
            Format::Txt | Format::Json | Format::Hocr => artifact.path.clone(),
            Format::Pdf => match self.text_of(artifact).await? {
                Some(path) => path,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let bytes = beginning(path).await?;
        let words = tokio::task::spawn_blocking(move || words_of(format, &bytes)).await;
        let panicked = |_| Halt::Service("reading the words panicked".to_owned());
        Ok(words.map_err(panicked)?.map(Findings::Words))
    }

    /// The text of a PDF, taken out as a customer's conversion would; `None` when it has none.
    async fn text_of(&self, artifact: &Artifact) -> Result<Option<PathBuf>, Halt> {
        let directory = beside(&artifact.path, TEXT);
        tokio::fs::create_dir(&directory).await.map_err(scratch)?;
        let (engine, pulse) = (Arc::clone(&self.worker.engine), Arc::clone(self.pulse));
        let (job, source) = (self.job.clone(), artifact.path.clone());
        let run = move || {
            let steps = [Operation::Convert(ConvertOptions::to(Format::Txt))];
            engine.run(&Request {
                steps: &steps,
                source: &source,
                web_page: None,
                attachments: &[],
                claimed: Format::Pdf,
                filename: &job.filename,
                limits: job.limits,
                scratch: &directory,
                stop: pulse.stop_flag(),
                progress: &|_| (),
                spent: &|_| (),
            })
        };
        let made = tokio::task::spawn_blocking(run).await;
        match made.map_err(|_| Halt::Service("the engine's thread panicked".to_owned()))? {
            Ok(text) => Ok(Some(text.path)),
            Err(EngineError::Document(error)) => {
                tracing::info!(code = ?error.code, "a recognised document without words");
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether the text of the result comes from recognition.
fn recognises(job: &Job) -> bool {
    let reads = |step: &Operation| matches!(step, Operation::Ocr(_));
    job.steps.iter().any(reads)
}

fn words_of(format: Format, bytes: &[u8]) -> Option<Words> {
    let text = String::from_utf8_lossy(bytes);
    match format {
        Format::Json => {
            let recognised = serde_json::from_slice::<Recognised>(bytes);
            let told = recognised.inspect_err(|error| {
                tracing::warn!(%error, "a recognised text that cannot be read for its words");
            });
            told.ok().map(|recognised| Words::of(&recognised.text))
        }
        Format::Hocr => Some(Words::of(&markup::text(&text))),
        _ => Some(Words::of(&text)),
    }
}

/// How many pages there are, and the sizes of those that were measured, in order.
fn measured(bytes: &[u8]) -> Option<(u32, Vec<PageSize>)> {
    let (count, measured) = match serde_json::from_slice(bytes).ok()? {
        Looked::Pages { page_sizes } => (u32::try_from(page_sizes.len()).ok()?, page_sizes),
        Looked::Picture {
            pages,
            width,
            height,
        } => {
            let number = 1;
            let first = Measured {
                number,
                width,
                height,
            };
            (pages, vec![first])
        }
    };
    let sizes = measured.iter().zip(1..).map(|(page, place)| {
        let (width, height) = (page.width, page.height);
        let sound = |side: f64| side.is_finite() && side >= 0.0;
        let right = page.number == place && sound(width) && sound(height);
        right.then_some(PageSize { width, height })
    });
    let sizes = sizes.collect::<Option<_>>()?;
    (count > 0).then_some((count, sizes))
}

/// The beginning of a file, off the executor.
async fn beginning(path: PathBuf) -> Result<Vec<u8>, Halt> {
    use std::io::Read as _;
    let read = move || {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path)?;
        file.take(MOST_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let read = tokio::task::spawn_blocking(read).await;
    read.map_err(|_| Halt::Service("reading the result panicked".to_owned()))?
        .map_err(scratch)
}

fn beside(path: &Path, name: &str) -> PathBuf {
    path.with_file_name(name)
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over results")]
fn scratch(error: std::io::Error) -> Halt {
    Halt::Service(format!("scratch: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_taken_in_order_and_only_when_all_are_sound() {
        let read = |text: &str| {
            let (count, sizes) = measured(text.as_bytes())?;
            Some((count, sizes.len()))
        };
        let page = |number: u32, width: &str| {
            format!(r#"{{"number": {number}, "width": {width}, "height": 842.5}}"#)
        };
        let look = |pages: &[String]| format!(r#"{{"a": 1, "pageSizes": [{}]}}"#, pages.join(","));
        let two = look(&[page(1, "595"), page(2, "0.5")]);
        assert_eq!(read(&two), Some((2, 2)));
        let scan = r#"{"pages": 3, "width": 10, "height": 20, "density": null}"#;
        assert_eq!(read(scan), Some((3, 1)));
        for wrong in [
            look(&[]),
            look(&[page(2, "595")]),
            look(&[page(1, "595"), page(3, "595")]),
            look(&[page(1, "-1")]),
            look(&[page(1, "\"595\"")]),
            r#"{"pages": 0, "width": 10, "height": 20}"#.to_owned(),
            "{}".to_owned(),
            String::new(),
        ] {
            assert_eq!(read(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn words_are_read_from_each_form_of_a_text() {
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
