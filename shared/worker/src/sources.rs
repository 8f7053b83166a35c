//! Sources of a job: the stored files that engine functions read. Fetches remote sources and stores them in the bucket.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use domain::format::Format;
use domain::job::{Job, JobErrorCode, JobSource, RemoteSource};
use domain::key::hex;
use domain::operation::Operation;
use domain::ports::{FetchRemote, Objects, RemoteFileError};
use domain::source::{SourceUrl, result_object, upload_object, version_object};
use domain::step_cache::source_identity;
use sha2::{Digest as _, Sha256};

use crate::error::AttemptError;
use crate::scratch::TemporaryDirectory;

/// Name of a fetched document, in the temporary directory and in the bucket.
const SOURCE: &str = "source";

/// Media type of fetched sources in the bucket. Engine functions read the declared format instead.
const CONTENT_TYPE: &str = "application/octet-stream";

/// Maximum total size of document and attachments in bytes: the largest plan's limit for one file, and within the capacity of
/// the temporary storage of coordinators and engine functions.
const MAX_TOTAL_BYTES: u64 = 1_024_000_000;

/// Bytes that are hashed at once.
const HASH_BUFFER: usize = 256 * 1024;

/// A file in the bucket.
#[derive(Clone)]
pub(crate) struct StoredFile {
    /// Object key.
    pub(crate) object: String,
    /// Entity tag; another one means other content.
    pub(crate) etag: String,
    /// Size in bytes.
    pub(crate) size_bytes: u64,
    /// SHA-256 that the engine function checks, if known.
    pub(crate) sha256: Option<String>,
    /// Identity of the content, for cache keys.
    pub(crate) identity: String,
    /// Whether the client can delete or replace it.
    pub(crate) is_of_client: bool,
}

/// The document of a job or of a step.
#[derive(Clone)]
pub(crate) enum Document {
    /// A stored file.
    File(StoredFile),
    /// A web page, which the browser loads.
    WebPage(SourceUrl),
}

/// An additional file of a step.
#[derive(Clone)]
pub(crate) struct Attachment {
    /// Index of the step.
    pub(crate) step: usize,
    /// Declared format.
    pub(crate) format: Format,
    /// The file.
    pub(crate) file: StoredFile,
    /// Names the file in error messages.
    pub(crate) name: String,
}

/// Files of a job.
pub(crate) struct Sources {
    /// The document.
    pub(crate) document: Document,
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

/// Creates the error for a source that no longer has the content that was accepted.
pub(crate) fn source_missing() -> AttemptError {
    let message = "The source was deleted or replaced after the job was created. Create a new job with the current source.";
    AttemptError::job(JobErrorCode::SourceMissing, message)
}

/// Prepares the files of a job.
pub(crate) struct Fetcher<'a, P> {
    /// Stores fetched files.
    pub(crate) ports: &'a P,
    /// Fetches URLs.
    pub(crate) remote: &'a dyn FetchRemote,
    /// The job.
    pub(crate) job: &'a Job,
    /// The parent of temporary directories.
    pub(crate) scratch_base: &'a Path,
}

impl<P: Objects> Fetcher<'_, P> {
    /// Prepares the document and all attachments. Errors name the attachment.
    pub(crate) async fn fetch_all(&self) -> Result<Sources, AttemptError> {
        let source = &self.job.source;
        let (document, size) = match source {
            JobSource::WebPage(page) => (Document::WebPage(page.web_page.clone()), 0),
            _ => {
                let file = self.file(source, MAX_TOTAL_BYTES, SOURCE).await?;
                let size = file.size_bytes;
                (Document::File(file), size)
            }
        };
        let mut remaining_bytes = MAX_TOTAL_BYTES.saturating_sub(size);
        let mut attachments = Vec::new();
        for (index, attachment) in self.job.attachments.iter().enumerate() {
            let (name, object) = (file_name(self.job, index), format!("attachment-{index}"));
            let file = self.file(&attachment.source, remaining_bytes, &object);
            let file = file.await.map_err(|error| error.in_file(&name))?;
            remaining_bytes = remaining_bytes.saturating_sub(file.size_bytes);
            attachments.push(Attachment {
                step: attachment.step,
                format: attachment.format,
                file,
                name,
            });
        }
        Ok(Sources {
            document,
            attachments,
        })
    }

    /// Returns the stored file of a source. `remaining_bytes` limits files of unknown size; `name` is that of a fetched file.
    async fn file(
        &self,
        source: &JobSource,
        remaining_bytes: u64,
        name: &str,
    ) -> Result<StoredFile, AttemptError> {
        let account = &self.job.account_id;
        match source {
            JobSource::Upload(upload) => {
                let object = upload_object(account, &upload.key);
                Ok(of_client(object, &upload.etag, upload.size_bytes))
            }
            JobSource::Version(version) => {
                let object = version_object(account, &version.document, &version.version);
                Ok(of_client(object, &version.etag, version.size_bytes))
            }
            JobSource::Remote(RemoteSource { url }) => {
                self.fetch_and_store(url, remaining_bytes, name).await
            }
            JobSource::WebPage(_) => Err(AttemptError::Service(
                "a web page cannot be an attachment".to_owned(),
            )),
        }
    }

    /// Fetches a URL to a temporary file, and stores the file under the attempt's prefix.
    async fn fetch_and_store(
        &self,
        url: &SourceUrl,
        remaining_bytes: u64,
        name: &str,
    ) -> Result<StoredFile, AttemptError> {
        let created = TemporaryDirectory::create(self.scratch_base).await;
        let directory = created.map_err(|error| {
            AttemptError::Service(format!("temporary directory cannot be created: {error}"))
        })?;
        let path = directory.file(name);
        let size_bytes = self.fetch_remote(url, remaining_bytes, &path).await?;
        let fetched = path.clone();
        let hashed = tokio::task::spawn_blocking(move || sha256(&fetched)).await;
        let panicked = |_| AttemptError::Service("hashing a fetched file panicked".to_owned());
        let sha256 = hashed.map_err(panicked)?.map_err(|error| {
            AttemptError::Service(format!("a fetched file cannot be read: {error}"))
        })?;
        let job = self.job;
        let object = result_object(&job.account_id, &job.id, job.attempt, name);
        let etag = self.ports.store(&path, &object, CONTENT_TYPE).await?;
        Ok(StoredFile {
            object,
            etag,
            size_bytes,
            sha256: Some(sha256.clone()),
            identity: sha256,
            is_of_client: false,
        })
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

/// Returns the SHA-256 of a file, lower-case hexadecimal.
fn sha256(path: &Path) -> std::io::Result<String> {
    let mut file = BufReader::with_capacity(HASH_BUFFER, File::open(path)?);
    let mut hash = Sha256::new();
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(bytes);
        let count = bytes.len();
        file.consume(count);
    }
}

fn of_client(object: String, etag: &str, size_bytes: u64) -> StoredFile {
    StoredFile {
        identity: source_identity(&object, etag),
        object,
        etag: etag.to_owned(),
        size_bytes,
        sha256: None,
        is_of_client: true,
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
