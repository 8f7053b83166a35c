//! Jobs: their record, their states, and the legal moves between them.

mod archive;
mod moves;
mod record;

pub use archive::{ARCHIVE_MIME_TYPE, ArchiveContents, OutputFile, entry_name};
pub use moves::{Claim, Ending, Expected, Refund, TicketChange, Transition};
pub use record::{
    Charge, Job, JobError, JobErrorCode, JobLimits, JobSource, JobStatus, Output, RemoteSource,
    TimelineEntry, UploadedSource, Warning,
};
