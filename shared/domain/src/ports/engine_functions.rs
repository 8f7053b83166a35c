//! Engine functions: run document engines without rights of their own.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::PortError;
use crate::engine_function::EngineFunction;
use crate::id::AccountId;

/// Invokes engine functions.
#[async_trait]
pub trait EngineFunctions: Send + Sync {
    /// Invokes a function synchronously, once, and returns its response payload. Whose document it works on decides the
    /// execution environment if environments are isolated by tenant.
    async fn invoke(
        &self,
        function: EngineFunction,
        account: &AccountId,
        payload: Vec<u8>,
        timeout: Duration,
    ) -> Result<Vec<u8>, InvokeError>;
}

/// Why an invocation has no response.
#[derive(Debug, Error)]
pub enum InvokeError {
    /// No concurrency is left (429). The function did not run.
    #[error("the engine function has no concurrency left")]
    Throttled,
    /// The service rejected the invocation with an error response. The function did not run.
    #[error("the engine function was not invoked: {0}")]
    NotInvoked(PortError),
    /// No response within the timeout. The function may still run.
    #[error("the engine function did not respond in time")]
    TimedOut,
    /// The function's process ended, or Lambda stopped it. The reason has no document content.
    #[error("the engine function failed: {0}")]
    Crashed(String),
    /// The service did not respond. The function may run.
    #[error(transparent)]
    Unavailable(#[from] PortError),
}

/// A presigned GET request. `Debug` prints `***`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PresignedGet {
    /// The URL, which is a secret.
    pub url: String,
    /// Headers that are part of the signature.
    pub headers: Vec<(String, String)>,
}

impl fmt::Debug for PresignedGet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresignedGet(***)")
    }
}

/// A signed form that uploads one file by POST (`multipart/form-data`), up to a size. `Debug` prints `***`.
///
/// A presigned PUT cannot limit a size that is not known yet.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadForm {
    /// Where to send the form.
    pub url: String,
    /// The fields before the file, in order. The sender adds `Content-Type` and the file.
    pub fields: Vec<(String, String)>,
    /// Maximum size of the file in bytes.
    pub max_bytes: u64,
}

impl fmt::Debug for UploadForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UploadForm(***)")
    }
}
