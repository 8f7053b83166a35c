//! Jobs: their record and their states; the legal moves between these are in [`crate::transition`].

mod archive;
mod record;
mod source;
mod status;

pub use archive::{ARCHIVE_MIME_TYPE, ArchiveContents, OutputFile, entry_name};
pub use record::{
    Charge, DocumentResult, DocumentWork, Job, JobError, JobErrorCode, JobLimits, Output, StepRun,
    StepStatus, TimelineEntry, Warning,
};
pub use source::{
    Attachment, JobSource, RemoteSource, UploadedSource, VersionSource, WebPageSource,
};
pub use status::JobStatus;
