//! The contract between a coordinator and an engine function: JSON request and response of one synchronous invocation.
//!
//! The engine function has no rights of its own. It reads its inputs and writes its output through presigned requests, and the
//! coordinator treats its response as hostile input ([`Response::parse`]).

mod request;
mod response;

pub use domain::ports::{PresignedGet, UploadForm};
pub use request::{Attachment, Input, JobContext, Request, RunRequest, Source, Work};
pub use response::{
    FailedInput, Interruption, InvalidResponse, MAX_RESPONSE_BYTES, Response, RunResult,
};

/// Version of the contract. An engine function of another version refuses the request as [`Interruption::Unsupported`], so
/// that the job is retried after the deployment.
pub const VERSION: u32 = 2;
