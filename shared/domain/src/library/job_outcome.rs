//! Changes that a finished job makes in the library, in the same transaction.

use crate::event::Event;
use crate::id::{DocumentId, VersionId};
use crate::job::{DocumentWork, Job, Output};
use crate::timestamp::Timestamp;

use super::draft::Draft;
use super::inspection::{Inspection, InspectionTerms};
use super::page::{PageSize, SIZES_IN_RECORD};
use super::record::{Document, DocumentSource, Version};
use super::words::Words;

/// Data about a saved document that a job's result contains.
#[derive(Clone, Debug, PartialEq)]
pub enum Findings {
    /// Words of the recognized text.
    Words(Words),
    /// Pages.
    Pages {
        /// Number of pages.
        count: u32,
        /// Page sizes in order; of an image with several frames, only the first.
        sizes: Vec<PageSize>,
    },
}

/// The change that a finished job makes in the library.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryChange {
    /// A version is created.
    Version(Box<NewVersion>),
    /// The page count and page sizes of a version are stored.
    Pages(VersionPages),
}

impl LibraryChange {
    /// Returns the event to publish: only the creation of a version has one. Inspections are internal.
    #[must_use]
    pub fn event(&self) -> Option<Event> {
        match self {
            Self::Version(new) => Some(Event::of_version(&new.version)),
            Self::Pages(_) => None,
        }
    }
}

/// A version created from the result of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVersion {
    /// The version.
    pub version: Version,
    /// The document after the change.
    pub document: Document,
    /// Expected revision of the document.
    pub expected_revision: u64,
    /// The inspection of the version.
    pub inspection: Option<Inspection>,
}

/// The pages of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionPages {
    /// The document.
    pub document: DocumentId,
    /// The version.
    pub version: VersionId,
    /// Number of pages.
    pub count: u32,
    /// Sizes of the first pages, at most [`SIZES_IN_RECORD`].
    pub sizes: Vec<PageSize>,
}

impl VersionPages {
    /// Creates the change from the findings of an inspection.
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
    /// Creates the version that the `output` of `job` becomes at `now`, derived from `parent` of `document`. Its content is
    /// stored as `draft` with the entity tag `etag`.
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
        let inspection = Inspection::of_version(&version, inspection_terms(job), now);
        let inspection =
            inspection.map(
                |inspection| match inspection.job.processor == job.processor {
                    true => inspection,
                    false => inspection.deferred_to_sweep(),
                },
            );
        version.page_count = inspection.as_ref().map(|_| output.pages);
        Self {
            document: with_version(
                document,
                &version,
                is_edit(job, document, parent, output),
                now,
            ),
            expected_revision: document.revision,
            version,
            inspection,
        }
    }
}

/// Whether the result becomes the current version: an edit of the whole document, or of its only page, with the same media
/// type. Other results are only added as versions.
fn is_edit(job: &Job, document: &Document, parent: &Version, output: &Output) -> bool {
    let page = job.document.as_ref().and_then(|work| work.page);
    let covers_document = page.is_none() || parent.page_count == Some(1);
    let types = [&document.content_type, &parent.content_type];
    covers_document && types.iter().all(|other| **other == output.content_type)
}

/// Returns the document after `version` is added. The name is unchanged, because the owner chose it.
fn with_version(document: &Document, version: &Version, is_edit: bool, now: Timestamp) -> Document {
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

/// An inspection has the limits and retention of the job that created the version.
fn inspection_terms(job: &Job) -> InspectionTerms {
    InspectionTerms {
        limits: job.limits,
        kept: job.expires_at.since(job.created_at),
        result_days: job.result_days,
        traceparent: job.traceparent.clone(),
    }
}
