//! Schemas of the API key routes.

use domain::account::StoredKey;
use domain::field::{self, FieldError};
use domain::key::{ApiKey, KeyId, is_valid_name};
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
    /// Name of the key, for your own use: 1 to 100 characters.
    #[schemars(with = "String", length(min = 1, max = 100), extend("pattern" = r"^[^\x00-\x1f\x7f-\x9f]*$"))]
    pub name: Option<String>,
    /// Scopes of the key. Default: all scopes.
    #[schemars(with = "Vec<Scope>", length(min = 1))]
    pub scopes: Option<Vec<Scope>>,
}

impl CreateKey {
    /// Parses the body.
    ///
    /// # Errors
    /// Every unknown or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let mut request: Self = field::read(body, "$")?;
        if let Some(name) = &request.name
            && !is_valid_name(name)
        {
            let message = "must be 1 to 100 characters without control characters";
            return Err(vec![FieldError::invalid("$.name", message)]);
        }
        if let Some(scopes) = &mut request.scopes {
            if scopes.is_empty() {
                let message = "must contain at least one scope; omit it for all scopes";
                return Err(vec![FieldError::invalid("$.scopes", message)]);
            }
            scopes.sort_unstable();
            scopes.dedup();
        }
        Ok(request)
    }
}

/// An API key, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyEntry {
    /// Identifier: the part of the key between its underscores.
    #[schemars(with = "String")]
    pub key_id: KeyId,
    /// Name of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Scopes of the key.
    pub scopes: Vec<Scope>,
    /// Time of creation, in Unix milliseconds.
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

// `Debug` omits the key.
/// A new API key.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyCreated {
    /// The complete key. It is never shown again.
    pub key: String,
    /// Identifier, name and scopes of the key.
    #[serde(flatten)]
    pub entry: KeyEntry,
}

impl KeyCreated {
    /// Creates the response that contains `key`.
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

/// The active API keys of an account, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyList {
    /// The keys.
    pub keys: Vec<KeyEntry>,
}

impl KeyList {
    /// Creates the response from the stored keys that are not revoked.
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
    fn members_are_optional_but_not_null_or_empty() {
        assert_eq!(
            CreateKey::read(&json!({})).unwrap(),
            CreateKey {
                name: None,
                scopes: None
            }
        );
        let error = |body: Value| CreateKey::read(&body).unwrap_err()[0].path.clone();
        assert_eq!(error(json!({"name": null})), "$.name");
        assert_eq!(error(json!({"name": ""})), "$.name");
        assert_eq!(error(json!({"name": "a\nb"})), "$.name");
        assert_eq!(error(json!({"scopes": []})), "$.scopes");
        assert_eq!(error(json!({"scopes": ["jobs:delete"]})), "$.scopes[0]");
        assert_eq!(error(json!({"plan": "business"})), "$.plan");
    }

    #[test]
    fn duplicate_scopes_are_removed() {
        let body = json!({"scopes": ["jobs:read", "jobs:create", "jobs:read"]});
        let scopes = CreateKey::read(&body).unwrap().scopes.unwrap();
        assert_eq!(scopes, [Scope::JobsCreate, Scope::JobsRead]);
    }
}
