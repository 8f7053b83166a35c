//! Reads the pepper of API key hashes from Secrets Manager.

use aws_config::SdkConfig;
use domain::key::Pepper;
use domain::ports::PortError;
use secrecy::SecretString;

use crate::config;
use crate::error::{failed, unavailable};
use crate::names::SetupError;
use crate::services::Services;

const SERVICE: &str = "secretsmanager";
const VARIABLE: &str = "PEPPER_SECRET_ARN";

/// Reads the pepper from the secret that `PEPPER_SECRET_ARN` names.
///
/// # Errors
/// [`SetupError`] when the variable is missing or the secret cannot be read.
pub async fn pepper() -> Result<Pepper, SetupError> {
    let secret = std::env::var(VARIABLE)
        .ok()
        .filter(|value| !value.is_empty())
        .ok_or_else(|| SetupError::Missing(vec![VARIABLE.to_owned()]))?;
    Ok(read(config::shared().await, &secret).await?)
}

impl Services {
    /// Reads the pepper from the secret with this name or ARN.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if the secret cannot be read or is empty.
    pub async fn pepper(&self, secret: &str) -> Result<Pepper, PortError> {
        read(&self.config, secret).await
    }
}

async fn read(config: &SdkConfig, secret: &str) -> Result<Pepper, PortError> {
    let response = aws_sdk_secretsmanager::Client::new(config)
        .get_secret_value()
        .secret_id(secret)
        .send()
        .await
        .map_err(|error| failed(SERVICE, &error))?;
    match response.secret_string {
        Some(text) if !text.is_empty() => Ok(Pepper::new(SecretString::from(text))),
        _ => Err(unavailable(SERVICE, "the pepper is empty")),
    }
}
