//! API key routes under `/account/keys`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::key::{CreateKey, KeyCreated, KeyList};
use domain::account::{Caller, StoredKey};
use domain::key::{ApiKey, KeyId};
use domain::ports::{KeyCreation, PortError};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Accounts, Ports};

pub(crate) async fn list<P: Ports>(
    accounts: Arc<Accounts<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let stored = accounts.ports.keys(&request.caller()?.account_id).await?;
    Ok(Response::json(200, &KeyList::of(&stored)))
}

pub(crate) async fn create<P: Ports>(
    accounts: Arc<Accounts<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input = CreateKey::read(&request.json()?).map_err(|errors| request.malformed(errors))?;
    let caller = request.caller()?;
    let key = ApiKey::mint(&runtime::clock::key_material());
    let stored = stored(&accounts, &key, input, caller, request.now);
    match accounts.ports.create_key(&stored).await? {
        KeyCreation::Created => Ok(Response::json(201, &KeyCreated::of(&key, &stored))),
        KeyCreation::LimitReached => Err(limit_reached(caller)),
        // The plan changed concurrently; a retry reads the new one.
        KeyCreation::AccountChanged => Err(PortError::Contended.into()),
    }
}

pub(crate) async fn revoke<P: Ports>(
    accounts: Arc<Accounts<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let account = &request.caller()?.account_id;
    let not_found = || ApiError::not_found(ErrorCode::KeyNotFound);
    let key = KeyId::parse(request.parameter("keyId")).ok_or_else(not_found)?;
    match accounts
        .ports
        .revoke_key(&key, Some(account), request.now)
        .await?
    {
        true => Ok(Response::empty(204)),
        false => Err(not_found()),
    }
}

fn stored<P>(
    accounts: &Accounts<P>,
    key: &ApiKey,
    input: CreateKey,
    caller: &Caller,
    now: Timestamp,
) -> StoredKey {
    StoredKey {
        id: key.id().clone(),
        secret_hash: key.hash(&accounts.pepper),
        account_id: caller.account_id.clone(),
        plan: caller.plan,
        locale: caller.locale,
        scopes: input.scopes.unwrap_or_else(|| Scope::ALL.to_vec()),
        name: input.name,
        created_at: now,
        revoked_at: None,
    }
}

fn limit_reached(caller: &Caller) -> ApiError {
    let maximum = caller.plan.limits().keys;
    let detail = format!(
        "The {} plan allows {maximum} API keys. Revoke one or upgrade the plan.",
        caller.plan
    );
    ApiError::plan_required(detail)
}
