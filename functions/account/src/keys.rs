//! The routes under `/account/keys`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::key::{CreateKey, KeyCreated, KeyList};
use domain::account::{Caller, StoredKey};
use domain::key::{ApiKey, KeyId};
use domain::ports::{KeyCreation, PortError};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Accounts, Ports};

pub(crate) async fn list<P: Ports>(
    accounts: Arc<Accounts<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let stored = accounts.ports.keys(&call.caller()?.account_id).await?;
    Ok(Answer::json(200, &KeyList::of(&stored)))
}

pub(crate) async fn create<P: Ports>(
    accounts: Arc<Accounts<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request = CreateKey::read(&call.json()?).map_err(|faults| call.malformed(faults))?;
    let caller = call.caller()?;
    let key = ApiKey::mint(&runtime::clock::key_material());
    let stored = stored(&accounts, &key, request, caller, call.now);
    match accounts.ports.create_key(&stored).await? {
        KeyCreation::Created => Ok(Answer::json(201, &KeyCreated::of(&key, &stored))),
        KeyCreation::LimitReached => Err(limit_reached(caller)),
        // Its plan changed in this very moment: the same request is right once it is made anew.
        KeyCreation::AccountChanged => Err(PortError::Contended.into()),
    }
}

pub(crate) async fn revoke<P: Ports>(
    accounts: Arc<Accounts<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let account = &call.caller()?.account_id;
    let not_found = || Refusal::not_found(ErrorCode::KeyNotFound);
    let key = KeyId::parse(call.parameter("keyId")).ok_or_else(not_found)?;
    match accounts
        .ports
        .revoke_key(&key, Some(account), call.now)
        .await?
    {
        true => Ok(Answer::empty(204)),
        false => Err(not_found()),
    }
}

fn stored<P>(
    accounts: &Accounts<P>,
    key: &ApiKey,
    request: CreateKey,
    caller: &Caller,
    now: Timestamp,
) -> StoredKey {
    StoredKey {
        id: key.id().clone(),
        secret_hash: key.hash(&accounts.pepper),
        account_id: caller.account_id.clone(),
        plan: caller.plan,
        scopes: request.scopes.unwrap_or_else(|| Scope::ALL.to_vec()),
        name: request.name,
        created_at: now,
        revoked_at: None,
    }
}

fn limit_reached(caller: &Caller) -> Refusal {
    let most = caller.plan.limits().keys;
    let detail = format!(
        "the {} plan allows {most} API keys; revoke one, or choose a larger plan",
        caller.plan
    );
    Refusal::plan_required(detail)
}
