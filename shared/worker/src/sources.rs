//! Sources of a job: fetches the document and the attachments of its steps into the scratch directory.

use std::path::{Path, PathBuf};

use domain::job::{Job, JobErrorCode, JobSource};
use domain::operation::Operation;
use domain::ports::{FetchRemote, Objects, RemoteFileError};
use domain::source::{SourceUrl, upload_object, version_object};
use engine::Attachment;

use crate::error::AttemptError;

/// The document's name in the scratch directory.
const SOURCE: &str = "source";

/// Maximum total size of document and attachments in bytes: the largest plan's limit for one file, and within the capacity of
/// the scratch volume.
const MAX_TOTAL_BYTES: u64 = 1_024_000_000;

/// Fetched files of a job.
pub(crate) struct Sources {
    /// The path of the document. No file exists there for web pages, which the browser loads.
    pub(crate) document: PathBuf,
    /// The attachments, in the order of the job.
    pub(crate) attachments: Vec<Attachment>,
}

/// Checks the plan's size limits before files are fetched. Not checked at submission, because it is a job error with its own
/// code.
pub(crate) fn check_sizes(job: &Job) -> Result<(), AttemptError> {
    let max_bytes = job.limits.file_bytes;
    check_size("The source".to_owned(), &job.source, max_bytes)?;
    for (index, attachment) in job.attachments.iter().enumerate() {
        check_size(file_name(job, index), &attachment.source, max_bytes)?;
    }
    let attachments = job.attachments.iter();
    let all = attachments.map(|attachment| &attachment.source);
    let known_sizes = all.chain([&job.source]).filter_map(JobSource::known_size);
    let total = known_sizes.fold(0_u64, u64::saturating_add);
    match total > MAX_TOTAL_BYTES && !job.attachments.is_empty() {
        true => Err(too_large("The files together have", total, MAX_TOTAL_BYTES)),
        false => Ok(()),
    }
}

fn check_size(file: String, source: &JobSource, max_bytes: u64) -> Result<(), AttemptError> {
    match source.known_size() {
        Some(size) if size > max_bytes => Err(too_large(&format!("{file} has"), size, max_bytes)),
        _ => Ok(()),
    }
}

fn too_large(subject: &str, size: u64, max_bytes: u64) -> AttemptError {
    let message = format!("{subject} {size} bytes. The maximum is {max_bytes}.");
    AttemptError::job(JobErrorCode::InputTooLarge, message)
}

/// Fetches the files of a job.
pub(crate) struct Fetcher<'a, P> {
    /// Fetches uploads and versions.
    pub(crate) ports: &'a P,
    /// Fetches URLs.
    pub(crate) remote: &'a dyn FetchRemote,
    /// The job.
    pub(crate) job: &'a Job,
}

impl<P: Objects> Fetcher<'_, P> {
    /// Fetches the document and all attachments to `scratch`. Errors name the attachment.
    pub(crate) async fn fetch_all(&self, scratch: &Path) -> Result<Sources, AttemptError> {
        let document = scratch.join(SOURCE);
        let mut remaining_bytes = MAX_TOTAL_BYTES;
        remaining_bytes -= self
            .fetch(&self.job.source, remaining_bytes, &document)
            .await?;
        let mut attachments = Vec::new();
        for (index, attachment) in self.job.attachments.iter().enumerate() {
            let path = scratch.join(format!("attachment-{index}"));
            let fetched = self.fetch(&attachment.source, remaining_bytes, &path).await;
            let size = fetched.map_err(|error| error.in_file(&file_name(self.job, index)))?;
            remaining_bytes = remaining_bytes.saturating_sub(size);
            attachments.push(Attachment {
                step: attachment.step,
                declared_format: attachment.format,
                path,
            });
        }
        Ok(Sources {
            document,
            attachments,
        })
    }

    /// Fetches a file and returns its size. `remaining_bytes` limits files of unknown size.
    async fn fetch(
        &self,
        source: &JobSource,
        remaining_bytes: u64,
        path: &Path,
    ) -> Result<u64, AttemptError> {
        let account = &self.job.account_id;
        match source {
            JobSource::Upload(upload) => {
                let object = upload_object(account, &upload.key);
                self.fetch_object(&object, &upload.etag, path).await?;
                Ok(upload.size_bytes)
            }
            JobSource::Version(version) => {
                let object = version_object(account, &version.document, &version.version);
                self.fetch_object(&object, &version.etag, path).await?;
                Ok(version.size_bytes)
            }
            JobSource::Remote(remote) => {
                self.fetch_remote(&remote.url, remaining_bytes, path).await
            }
            // The browser loads it.
            JobSource::WebPage(_) => Ok(0),
        }
    }

    async fn fetch_object(
        &self,
        object: &str,
        etag: &str,
        path: &Path,
    ) -> Result<(), AttemptError> {
        let message = "The source was deleted or replaced after the job was created. Create a new job with the current source.";
        match self.ports.fetch(object, etag, path).await? {
            true => Ok(()),
            false => Err(AttemptError::job(JobErrorCode::SourceMissing, message)),
        }
    }

    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        remaining_bytes: u64,
        path: &Path,
    ) -> Result<u64, AttemptError> {
        let max_bytes = self.job.limits.file_bytes.min(remaining_bytes);
        let fetched = self.remote.fetch_remote(url, max_bytes, &[], path);
        let (code, message) = match fetched.await {
            Ok(file) => return Ok(file.size_bytes),
            Err(RemoteFileError::NotStored(error)) => return Err(error.into()),
            Err(RemoteFileError::TooLarge) => {
                let message =
                    format!("The file at the URL exceeds the maximum of {max_bytes} bytes.");
                return Err(AttemptError::job(JobErrorCode::InputTooLarge, message));
            }
            Err(RemoteFileError::Blocked) => (
                JobErrorCode::FetchBlocked,
                "The URL resolves to an address that this service does not connect to.",
            ),
            Err(RemoteFileError::Failed) => (
                JobErrorCode::FetchFailed,
                "The URL could not be fetched. Check that it returns status 200 and the file without authentication.",
            ),
        };
        Err(AttemptError::job(code, message))
    }
}

/// Names the attachment at `index` for error messages. The document itself is document 1 of a merge.
fn file_name(job: &Job, index: usize) -> String {
    let step = job
        .attachments
        .get(index)
        .map_or(0, |attachment| attachment.step);
    let earlier = job.attachments.iter().take(index);
    let before = earlier.filter(|other| other.step == step).count();
    match job.steps.get(step) {
        Some(Operation::Merge(_)) => format!("Document {} of the merge", before + 2),
        Some(operation) => format!("The file of the {}", operation.name()),
        None => "An attachment".to_owned(),
    }
}
