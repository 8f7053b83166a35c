//! Jobs: records and statuses. The transitions between statuses are in [`crate::transition`].

mod archive;
mod record;
mod source;
mod status;

pub use archive::{
    ARCHIVE_MIME_TYPE, ArchiveContents, BUNDLED_DOCUMENT, OutputFile, bundled_image, entry_name,
};
pub use record::{
    Charge, DocumentResult, DocumentWork, Job, JobError, JobErrorCode, JobLimits, JobWarning,
    Output, StepRun, StepStatus, TimelineEntry,
};
pub use source::{
    Attachment, JobSource, RemoteSource, UploadedSource, VersionSource, WebPageSource,
};
pub use status::JobStatus;
