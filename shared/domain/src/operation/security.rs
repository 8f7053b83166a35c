//! Options of the operations that add passwords to a PDF and remove them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::field;

/// A password: 1 to 127 bytes of UTF-8. `Debug` prints `***`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 127, "format" = "password"))]
pub struct Password(String);

impl Password {
    /// Returns the password in clear.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

impl TryFrom<String> for Password {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.len() {
            1..=127 if !text.contains('\0') => Ok(Self(text)),
            _ => Err("must be a string of 1 to 127 bytes without null characters".to_owned()),
        }
    }
}

impl From<Password> for String {
    fn from(password: Password) -> String {
        password.0
    }
}

/// What a reader may do after opening the document with the user password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum Permission {
    /// Print the document.
    Print,
    /// Copy text and images.
    Copy,
    /// Change the content of pages.
    Modify,
    /// Add comments and fill in forms.
    Annotate,
    /// Fill in forms.
    FillForms,
    /// Insert, delete and rotate pages.
    Assemble,
}

impl Permission {
    /// Every permission.
    pub const ALL: &'static [Self] = Self::VARIANTS;
}

/// Options of `encrypt` (AES-256). At least one of the two passwords is required.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct EncryptOptions {
    /// Password that opens the document. Default: the document opens without a password.
    pub user_password: Option<Password>,
    /// Password that opens the document with all permissions. Default: the user password, or a random one if `permissions` is
    /// given.
    pub owner_password: Option<Password>,
    /// What a reader who opens the document with the user password may do. Default: everything.
    pub permissions: Option<Vec<Permission>>,
}

/// Options of `decrypt`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct DecryptOptions {
    /// Password that opens the document. Not needed if the document opens without one.
    pub password: Option<Password>,
}
