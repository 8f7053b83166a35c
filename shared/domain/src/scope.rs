//! Scopes: what a key may do.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! scopes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A permission that a key carries and a route asks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum Scope {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl Scope {
            /// Every scope, in the order of the table.
            pub const ALL: &'static [Scope] = &[$(Scope::$variant,)*];

            /// The name used in the API.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

scopes! {
    /// Create and cancel jobs.
    JobsCreate = "jobs:create",
    /// Read jobs and their results.
    JobsRead = "jobs:read",
    /// Authorise uploads.
    FilesWrite = "files:write",
    /// Read saved documents.
    DocumentsRead = "documents:read",
    /// Import, change and delete saved documents.
    DocumentsWrite = "documents:write",
    /// List automation hooks.
    HooksRead = "hooks:read",
    /// Subscribe and unsubscribe automation hooks.
    HooksWrite = "hooks:write",
    /// Manage webhooks.
    WebhooksWrite = "webhooks:write",
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .iter()
            .copied()
            .find(|scope| scope.name() == name)
            .ok_or_else(|| format!("unknown scope {name:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_agree_with_their_json() {
        for scope in Scope::ALL {
            assert_eq!(scope.name().parse(), Ok(*scope));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.name());
        }
        assert!("jobs:delete".parse::<Scope>().is_err());
    }
}
