//! State of the deployed engine functions.

use aws_sdk_lambda::Client;
use domain::ports::PortError;

use crate::error::failed;
use crate::services::Services;

const SERVICE: &str = "lambda";

/// State of a deployed engine function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineState {
    /// State of the function: `Active`, or `Pending`, `Inactive` or `Failed`.
    pub state: String,
    /// Why the function is in another state than `Active`.
    pub reason: Option<String>,
    /// Whether each of its execution environments serves one tenant only.
    pub isolates_tenants: bool,
}

impl Services {
    /// Returns the state of `function`.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if Lambda fails or the function does not exist.
    pub async fn engine_state(&self, function: &str) -> Result<EngineState, PortError> {
        let configuration = Client::new(&self.config)
            .get_function_configuration()
            .function_name(function)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let state = configuration.state.map(|state| state.as_str().to_owned());
        Ok(EngineState {
            state: state.unwrap_or_default(),
            reason: configuration.state_reason,
            isolates_tenants: configuration.tenancy_config.is_some(),
        })
    }
}
