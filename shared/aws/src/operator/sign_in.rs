//! Signs in a user of the local stack's user pool, for tests and demos.

use aws_sdk_cognitoidentityprovider::Client;
use aws_sdk_cognitoidentityprovider::types::{AttributeType, AuthFlowType, MessageActionType};
use domain::account::Identity;
use domain::ports::PortError;
use secrecy::{ExposeSecret, SecretString};

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "cognito";

/// An account token and its identity. `Debug` omits the token.
#[derive(Debug)]
pub struct SignInSession {
    /// The identity token.
    pub token: SecretString,
    /// Validity, in seconds.
    pub lasts_seconds: u32,
    /// Issuer and subject of the token.
    pub identity: Identity,
}

impl Services {
    /// Creates the user `name` if it does not exist, sets `password` and signs the user in. Requires a client with
    /// `ALLOW_ADMIN_USER_PASSWORD_AUTH`, which only the local stack has.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if Cognito fails or rejects the request.
    pub async fn sign_in(
        &self,
        pool: &str,
        client_id: &str,
        name: &str,
        password: &SecretString,
    ) -> Result<SignInSession, PortError> {
        let client = Client::new(&self.config);
        create(&client, pool, name).await?;
        client
            .admin_set_user_password()
            .user_pool_id(pool)
            .username(name)
            .password(password.expose_secret())
            .permanent(true)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let subject = subject(&client, pool, name).await?;
        let response = client
            .admin_initiate_auth()
            .user_pool_id(pool)
            .client_id(client_id)
            .auth_flow(AuthFlowType::AdminUserPasswordAuth)
            .auth_parameters("USERNAME", name)
            .auth_parameters("PASSWORD", password.expose_secret())
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let no_token = || unavailable(SERVICE, "sign-in returned no token");
        let result = response.authentication_result.ok_or_else(no_token)?;
        let token = result.id_token.ok_or_else(no_token)?;
        Ok(SignInSession {
            token: token.into(),
            lasts_seconds: u32::try_from(result.expires_in).unwrap_or(0),
            identity: Identity {
                issuer: issuer(pool),
                subject,
                email: None,
            },
        })
    }
}

async fn create(client: &Client, pool: &str, name: &str) -> Result<(), PortError> {
    let response = client
        .admin_create_user()
        .user_pool_id(pool)
        .username(name)
        .message_action(MessageActionType::Suppress)
        .send()
        .await;
    match response {
        Ok(_) => Ok(()),
        Err(error)
            if error
                .as_service_error()
                .is_some_and(|error| error.is_username_exists_exception()) =>
        {
            Ok(())
        }
        Err(error) => Err(failed(SERVICE, &error)),
    }
}

async fn subject(client: &Client, pool: &str, name: &str) -> Result<String, PortError> {
    let user = client
        .admin_get_user()
        .user_pool_id(pool)
        .username(name)
        .send()
        .await
        .map_err(|error| failed(SERVICE, &error))?;
    let sub = |attribute: &AttributeType| attribute.name() == "sub";
    let subject = user.user_attributes().iter().find(|one| sub(one));
    subject
        .and_then(|attribute| attribute.value())
        .map(str::to_owned)
        .ok_or_else(|| unavailable(SERVICE, "the user has no `sub` attribute"))
}

/// The issuer of a pool's tokens. A pool's identifier starts with its region.
fn issuer(pool: &str) -> String {
    let region = pool.split('_').next().unwrap_or_default();
    format!("https://cognito-idp.{region}.amazonaws.com/{pool}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_named_after_region_and_pool() {
        assert_eq!(
            issuer("eu-central-1_Abc"),
            "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc"
        );
    }
}
