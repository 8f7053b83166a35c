//! Shapes of the routes that manage an account's keys.

use domain::account::StoredKey;
use domain::field::{self, FieldError};
use domain::key::{ApiKey, KeyId, is_name};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Body of `POST /account/keys`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateKey {
    /// What you call the key.
    #[schemars(with = "String", length(min = 1, max = 100), extend("pattern" = r"^[^\x00-\x1f\x7f-\x9f]*$"))]
    pub name: Option<String>,
    /// What it may do; everything when not given.
    #[schemars(with = "Vec<Scope>", length(min = 1))]
    pub scopes: Option<Vec<Scope>>,
}

impl CreateKey {
    /// Reads the body.
    ///
    /// # Errors
    /// Every member that is unknown, of a wrong type or out of bounds.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let mut request: Self = field::read(body, "$")?;
        if let Some(name) = &request.name
            && !is_name(name)
        {
            let message = "must be 1 to 100 characters, none of them a control character";
            return Err(vec![FieldError::invalid("$.name", message)]);
        }
        if let Some(scopes) = &mut request.scopes {
            if scopes.is_empty() {
                let message = "must name a scope; leave it out for all of them";
                return Err(vec![FieldError::invalid("$.scopes", message)]);
            }
            scopes.sort_unstable();
            scopes.dedup();
        }
        Ok(request)
    }
}

/// A key, without what would let anybody use it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyEntry {
    /// The part of the key between its underscores.
    #[schemars(with = "String")]
    pub key_id: KeyId,
    /// What its owner calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was created, in Unix milliseconds.
    pub created_at: Timestamp,
}

impl From<&StoredKey> for KeyEntry {
    fn from(key: &StoredKey) -> Self {
        Self {
            key_id: key.id.clone(),
            name: key.name.clone(),
            scopes: key.scopes.clone(),
            created_at: key.created_at,
        }
    }
}

/// A new key. Prints without the key itself.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyCreated {
    /// The key as it is sent. It is shown this once.
    pub key: String,
    /// What is known about it.
    #[serde(flatten)]
    pub entry: KeyEntry,
}

impl KeyCreated {
    /// The answer that shows `key`.
    #[must_use]
    pub fn of(key: &ApiKey, stored: &StoredKey) -> Self {
        let entry = stored.into();
        Self {
            key: key.reveal(),
            entry,
        }
    }
}

impl std::fmt::Debug for KeyCreated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeyCreated({:?}, ***)", self.entry)
    }
}

/// The keys of an account that work, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyList {
    /// The keys.
    pub keys: Vec<KeyEntry>,
}

impl KeyList {
    /// Those of `stored` that are not revoked.
    #[must_use]
    pub fn of(stored: &[StoredKey]) -> Self {
        let live = stored.iter().filter(|key| key.revoked_at.is_none());
        let mut keys: Vec<KeyEntry> = live.map(KeyEntry::from).collect();
        keys.sort_by_key(|key| std::cmp::Reverse(key.created_at));
        Self { keys }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_members_may_be_left_out_and_neither_may_be_null_or_empty() {
        assert_eq!(
            CreateKey::read(&json!({})).unwrap(),
            CreateKey {
                name: None,
                scopes: None
            }
        );
        let fault = |body: Value| CreateKey::read(&body).unwrap_err()[0].path.clone();
        assert_eq!(fault(json!({"name": null})), "$.name");
        assert_eq!(fault(json!({"name": ""})), "$.name");
        assert_eq!(fault(json!({"name": "a\nb"})), "$.name");
        assert_eq!(fault(json!({"scopes": []})), "$.scopes");
        assert_eq!(fault(json!({"scopes": ["jobs:delete"]})), "$.scopes[0]");
        assert_eq!(fault(json!({"plan": "business"})), "$.plan");
    }

    #[test]
    fn a_scope_named_twice_is_kept_once() {
        let body = json!({"scopes": ["jobs:read", "jobs:create", "jobs:read"]});
        let scopes = CreateKey::read(&body).unwrap().scopes.unwrap();
        assert_eq!(scopes, [Scope::JobsCreate, Scope::JobsRead]);
    }
}
