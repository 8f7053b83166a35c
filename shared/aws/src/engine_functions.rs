//! Invokes engine functions synchronously, without retries.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_lambda::config::Builder;
use aws_sdk_lambda::config::http::HttpResponse;
use aws_sdk_lambda::config::timeout::TimeoutConfig;
use aws_sdk_lambda::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_lambda::primitives::Blob;
use domain::engine_function::EngineFunction;
use domain::id::AccountId;
use domain::key::hex;
use domain::ports::{EngineFunctions, InvokeError, PortError};
use serde::Deserialize;

use crate::error::failed;
use crate::presigned::sign;
use crate::services::Services;

const SERVICE: &str = "lambda";
const TOO_MANY_REQUESTS: u16 = 429;
/// Maximum number of characters of an error type.
const MAX_ERROR_TYPE: usize = 200;

#[async_trait]
impl EngineFunctions for Services {
    async fn invoke(
        &self,
        function: EngineFunction,
        account: &AccountId,
        payload: Vec<u8>,
        timeout: Duration,
    ) -> Result<Vec<u8>, InvokeError> {
        let timeouts = TimeoutConfig::builder().operation_attempt_timeout(timeout);
        let response = self
            .engines()
            .invoke()
            .function_name(self.engine_function(function)?)
            .set_tenant_id(self.tenant_id(account)?)
            .payload(Blob::new(payload))
            .customize()
            .config_override(Builder::new().timeout_config(timeouts.build()))
            .send()
            .await
            .map_err(|error| classify(&error))?;
        let payload = response.payload.map(Blob::into_inner).unwrap_or_default();
        match response.function_error {
            Some(_) => Err(InvokeError::Crashed(error_type(&payload))),
            None => Ok(payload),
        }
    }
}

impl Services {
    /// A pseudonym of the account, because tenant identifiers appear in logs and metrics; `None` if execution environments
    /// are shared. It differs between stacks.
    fn tenant_id(&self, account: &AccountId) -> Result<Option<String>, PortError> {
        if !self.isolates_tenants() {
            return Ok(None);
        }
        let tenant = sign(self.bucket()?.as_bytes(), account.as_str())?;
        Ok(Some(hex(&tenant)))
    }
}

fn classify<E>(error: &SdkError<E, HttpResponse>) -> InvokeError
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    match error {
        SdkError::TimeoutError(_) => InvokeError::TimedOut,
        SdkError::ServiceError(context) if context.raw().status().as_u16() == TOO_MANY_REQUESTS => {
            InvokeError::Throttled
        }
        SdkError::ServiceError(_) => InvokeError::NotInvoked(failed(SERVICE, error)),
        _ => failed(SERVICE, error).into(),
    }
}

/// The type of a function error, such as `Runtime.ExitError`. The function may be under a document's control, so everything
/// that is not a plain name is left out.
fn error_type(payload: &[u8]) -> String {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct FunctionError {
        error_type: String,
    }
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "._:-".contains(character);
    match serde_json::from_slice(payload) {
        Ok(FunctionError { error_type })
            if error_type.len() <= MAX_ERROR_TYPE && error_type.chars().all(is_plain) =>
        {
            error_type
        }
        _ => "unknown error".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_error_type_is_reported() {
        let text =
            |value: &str| format!("{{\"errorType\": {value:?}, \"errorMessage\": \"secret\"}}");
        for (payload, expected) in [
            (text("Runtime.ExitError"), "Runtime.ExitError"),
            (text("core::fmt::Error"), "core::fmt::Error"),
            (text("the document says"), "unknown error"),
            (text(&"x".repeat(201)), "unknown error"),
            ("{\"errorMessage\": \"secret\"}".to_owned(), "unknown error"),
            ("secret".to_owned(), "unknown error"),
        ] {
            assert_eq!(error_type(payload.as_bytes()), expected, "{payload}");
        }
    }
}
