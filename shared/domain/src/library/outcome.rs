//! What the ending of a job changes in the library, in the same transaction.

use crate::event::Event;
use crate::id::{DocumentId, VersionId};
use crate::job::{DocumentWork, Job, Output};
use crate::timestamp::Timestamp;

use super::draft::Draft;
use super::look::{Look, LookTerms};
use super::page::{PageSize, SIZES_IN_RECORD};
use super::record::{Document, DocumentSource, Version};
use super::words::Words;

/// What the result of a job tells about the saved document that it was made from.
#[derive(Clone, Debug, PartialEq)]
pub enum Findings {
    /// The words of the recognised text.
    Words(Words),
    /// The pages.
    Pages {
        /// How many there are.
        count: u32,
        /// How large they are, in order; of a picture with several of them the first.
        sizes: Vec<PageSize>,
    },
}

/// What the ending of a job changes in the library.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryChange {
    /// A version comes to be.
    Version(Box<NewVersion>),
    /// The pages of a version become known.
    Pages(VersionPages),
}

impl LibraryChange {
    /// What the world is told of it: that a version came to be. What Octavo finds out for itself is told to nobody.
    #[must_use]
    pub fn event(&self) -> Option<Event> {
        match self {
            Self::Version(new) => Some(Event::of_version(&new.version)),
            Self::Pages(_) => None,
        }
    }
}

/// A version that comes to be as the result of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVersion {
    /// The version.
    pub version: Version,
    /// The document as it will be.
    pub document: Document,
    /// The revision of the document that this was made from.
    pub seen: u64,
    /// The look into the version.
    pub look: Option<Look>,
}

/// The pages of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionPages {
    /// The document.
    pub document: DocumentId,
    /// The version.
    pub version: VersionId,
    /// How many pages it has.
    pub count: u32,
    /// How large the first of them are, at most [`SIZES_IN_RECORD`].
    pub sizes: Vec<PageSize>,
}

impl VersionPages {
    /// The pages that a look has found.
    #[must_use]
    pub fn found(work: &DocumentWork, count: u32, sizes: &[PageSize]) -> Self {
        let kept = usize::try_from(SIZES_IN_RECORD).unwrap_or(usize::MAX);
        Self {
            document: work.document.clone(),
            version: work.version.clone(),
            count,
            sizes: sizes.iter().take(kept).copied().collect(),
        }
    }
}

impl NewVersion {
    /// The version that the `output` of `job` becomes at `now`, made from `parent` of `document`; its content is stored
    /// as `draft` with the entity tag `etag`.
    #[must_use]
    pub fn of(
        job: &Job,
        output: &Output,
        (document, parent): (&Document, &Version),
        (draft, etag): (&Draft, &str),
        now: Timestamp,
    ) -> Self {
        let mut version = Version {
            record_version: Version::RECORD_VERSION,
            id: draft.version_id.clone(),
            document_id: document.id.clone(),
            account_id: document.account_id.clone(),
            number: document.version_count + 1,
            filename: output.filename.clone(),
            content_type: output.content_type.clone(),
            size_bytes: output.size_bytes,
            sha256: output.sha256.clone(),
            etag: etag.to_owned(),
            page_count: None,
            page_sizes: Vec::new(),
            source: DocumentSource::Job,
            job_id: Some(job.id.clone()),
            operation: job.steps.last().map(|step| step.name().to_owned()),
            parent_version_id: Some(parent.id.clone()),
            created_at: now,
        };
        let look = Look::into_version(&version, terms(job), now);
        let look = look.map(|look| match look.job.processor == job.processor {
            true => look,
            false => look.left_to_sweep(),
        });
        version.page_count = look.as_ref().map(|_| output.pages);
        Self {
            document: with(
                document,
                &version,
                is_edit(job, document, parent, output),
                now,
            ),
            seen: document.revision,
            version,
            look,
        }
    }
}

/// Whether the result takes the place of what was processed: an edit of the whole document, or of its only page, that
/// leaves its media type. Anything else stays beside it.
fn is_edit(job: &Job, document: &Document, parent: &Version, output: &Output) -> bool {
    let page = job.document.as_ref().and_then(|work| work.page);
    let whole = page.is_none() || parent.page_count == Some(1);
    let types = [&document.content_type, &parent.content_type];
    whole && types.iter().all(|other| **other == output.content_type)
}

/// The document after `version` has come to it. Its name is its owner's and stays.
fn with(document: &Document, version: &Version, is_edit: bool, now: Timestamp) -> Document {
    let mut document = document.clone();
    document.version_count = version.number;
    document.revision += 1;
    document.updated_at = now;
    if is_edit {
        document.current_version_id = Some(version.id.clone());
        document.size_bytes = version.size_bytes;
    }
    document
}

/// What was settled for the job holds for the look into its result.
fn terms(job: &Job) -> LookTerms {
    LookTerms {
        limits: job.limits,
        kept: job.expires_at.since(job.created_at),
        result_days: job.result_days,
        traceparent: job.traceparent.clone(),
    }
}
