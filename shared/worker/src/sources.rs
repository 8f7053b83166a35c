//! What a job reads, from where it lies to scratch: its document and the files that its steps need beside it.

use std::path::{Path, PathBuf};

use domain::job::{Job, JobErrorCode, JobSource};
use domain::operation::Operation;
use domain::ports::{FetchRemote, Objects, RemoteFault};
use domain::source::{SourceUrl, upload_object, version_object};
use engine::Attachment;

use crate::halt::Halt;

/// The document's name in the scratch directory.
const SOURCE: &str = "source";

/// Most bytes that document and attachments have together: what the largest plan allows for one file, and what scratch
/// has room for.
const TOGETHER: u64 = 1_024_000_000;

/// What a job reads, in scratch.
pub(crate) struct Sources {
    /// The document; nothing lies there when the browser loads it.
    pub(crate) document: PathBuf,
    /// The files beside it, in the order of the job.
    pub(crate) attachments: Vec<Attachment>,
}

/// The plan's limit is judged here and not at acceptance, so that it is a job error with its own code; and before
/// anything is fetched.
pub(crate) fn check_sizes(job: &Job) -> Result<(), Halt> {
    let most = job.limits.file_bytes;
    check_size("the source".to_owned(), &job.source, most)?;
    for (index, attachment) in job.attachments.iter().enumerate() {
        check_size(name(job, index), &attachment.source, most)?;
    }
    let attachments = job.attachments.iter();
    let all = attachments.map(|attachment| &attachment.source);
    let known = all.chain([&job.source]).filter_map(JobSource::known_size);
    let together = known.fold(0_u64, u64::saturating_add);
    match together > TOGETHER && !job.attachments.is_empty() {
        true => Err(too_large("the files together have", together, TOGETHER)),
        false => Ok(()),
    }
}

fn check_size(what: String, source: &JobSource, most: u64) -> Result<(), Halt> {
    match source.known_size() {
        Some(size) if size > most => Err(too_large(&format!("{what} has"), size, most)),
        _ => Ok(()),
    }
}

fn too_large(what: &str, size: u64, most: u64) -> Halt {
    let message = format!("{what} {size} bytes; allowed are {most}");
    Halt::fault(JobErrorCode::InputTooLarge, message)
}

/// Fetches what a job reads.
pub(crate) struct Fetcher<'a, P> {
    /// Where uploads and versions lie.
    pub(crate) ports: &'a P,
    /// Reaches everything else.
    pub(crate) remote: &'a dyn FetchRemote,
    /// The job.
    pub(crate) job: &'a Job,
}

impl<P: Objects> Fetcher<'_, P> {
    /// Fetches everything to `scratch`. A fault of an attachment names it.
    pub(crate) async fn fetch_all(&self, scratch: &Path) -> Result<Sources, Halt> {
        let document = scratch.join(SOURCE);
        let mut room = TOGETHER;
        room -= self.fetch(&self.job.source, room, &document).await?;
        let mut attachments = Vec::new();
        for (index, attachment) in self.job.attachments.iter().enumerate() {
            let path = scratch.join(format!("attachment-{index}"));
            let fetched = self.fetch(&attachment.source, room, &path).await;
            let size = fetched.map_err(|halt| halt.of(&name(self.job, index)))?;
            room = room.saturating_sub(size);
            attachments.push(Attachment {
                step: attachment.step,
                claimed: attachment.format,
                path,
            });
        }
        Ok(Sources {
            document,
            attachments,
        })
    }

    /// Fetches a file, at most `room` bytes of it where its size is not known, and tells its size.
    async fn fetch(&self, source: &JobSource, room: u64, path: &Path) -> Result<u64, Halt> {
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
            JobSource::Remote(remote) => self.fetch_remote(&remote.url, room, path).await,
            // The browser loads it.
            JobSource::WebPage(_) => Ok(0),
        }
    }

    async fn fetch_object(&self, object: &str, etag: &str, path: &Path) -> Result<(), Halt> {
        let message = "the source is no longer there, or is another than the one accepted";
        match self.ports.fetch(object, etag, path).await? {
            true => Ok(()),
            false => Err(Halt::fault(JobErrorCode::SourceMissing, message)),
        }
    }

    async fn fetch_remote(&self, url: &SourceUrl, room: u64, path: &Path) -> Result<u64, Halt> {
        let most = self.job.limits.file_bytes.min(room);
        let fetched = self.remote.fetch_remote(url, most, &[], path);
        let (code, message) = match fetched.await {
            Ok(file) => return Ok(file.size_bytes),
            Err(RemoteFault::NotKept(error)) => return Err(error.into()),
            Err(RemoteFault::TooLarge) => {
                let message = format!("the file at the URL is larger; allowed are {most} bytes");
                return Err(Halt::fault(JobErrorCode::InputTooLarge, message));
            }
            Err(RemoteFault::Blocked) => (
                JobErrorCode::FetchBlocked,
                "the URL leads to where this service may not go",
            ),
            Err(RemoteFault::Failed) => (
                JobErrorCode::FetchFailed,
                "the URL could not be fetched: see that it answers 200 with the file, without signing in",
            ),
        };
        Err(Halt::fault(code, message))
    }
}

/// What a person calls the attachment at `index`: the document itself is the first file of a merge.
fn name(job: &Job, index: usize) -> String {
    let own = job.attachments.get(index).map_or(0, |own| own.step);
    let earlier = job.attachments.iter().take(index);
    let before = earlier.filter(|other| other.step == own).count();
    match job.steps.get(own) {
        Some(Operation::Merge(_)) => format!("file {} of the merge", before + 2),
        Some(operation) => format!("the file of the {}", operation.name()),
        None => "a file beside the document".to_owned(),
    }
}
