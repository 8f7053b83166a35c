//! Jobs: their record, their states, and the legal moves between them.

mod archive;
mod moves;
mod record;
mod source;
mod status;

pub use archive::{ARCHIVE_MIME_TYPE, ArchiveContents, OutputFile, entry_name};
pub use moves::{Claim, Ending, Expected, Refund, TicketChange, Transition};
pub use record::{
    Charge, DocumentResult, DocumentWork, Job, JobError, JobErrorCode, JobLimits, Output, StepRun,
    StepStatus, TimelineEntry, Warning,
};
pub use source::{
    Attachment, JobSource, RemoteSource, UploadedSource, VersionSource, WebPageSource,
};
pub use status::JobStatus;
