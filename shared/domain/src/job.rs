//! Jobs: their record, their states, and the legal moves between them.

mod moves;
mod record;

pub use moves::{Claim, Ending, Expected, Refund, TicketChange, Transition};
pub use record::{
    Charge, Job, JobError, JobErrorCode, JobLimits, JobSource, JobStatus, Output, OutputFile,
    TimelineEntry, Warning,
};
