//! Jobs: their record, their states, and the legal moves between them.

mod archive;
mod moves;
mod record;

pub use archive::{ARCHIVE_MIME_TYPE, ArchiveContents, OutputFile, entry_name};
pub use moves::{Claim, Ending, Expected, Refund, TicketChange, Transition};
pub use record::{
    Attachment, Charge, DocumentResult, DocumentWork, Job, JobError, JobErrorCode, JobLimits,
    JobSource, JobStatus, Output, RemoteSource, StepRun, StepStatus, TimelineEntry, UploadedSource,
    VersionSource, Warning, WebPageSource,
};
