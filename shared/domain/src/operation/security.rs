//! The options of operations that put a PDF under passwords or free it of them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::field;

/// A password: 1 to 127 bytes of UTF-8. Prints as `***`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 127, "format" = "password"))]
pub struct Password(String);

impl Password {
    /// The password itself.
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
            _ => Err("must be a text of 1 to 127 bytes".to_owned()),
        }
    }
}

impl From<Password> for String {
    fn from(password: Password) -> String {
        password.0
    }
}

/// What whoever opens a document with the user password may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum Permission {
    /// Print it.
    Print,
    /// Copy its text and pictures.
    Copy,
    /// Change its pages' content.
    Modify,
    /// Comment on it and fill in its forms.
    Annotate,
    /// Fill in its forms.
    FillForms,
    /// Insert, delete and turn pages.
    Assemble,
}

impl Permission {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;
}

/// Options of `encrypt` (AES-256); at least one password.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct EncryptOptions {
    /// Opens the document; without it anybody can.
    pub user_password: Option<Password>,
    /// Opens the document with every right; when not given the user password, or one that nobody knows where there are
    /// `permissions`.
    pub owner_password: Option<Password>,
    /// What the user password allows; everything when not given.
    pub permissions: Option<Vec<Permission>>,
}

/// Options of `decrypt`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct DecryptOptions {
    /// Opens the document; a document that anybody can open needs none.
    pub password: Option<Password>,
}
