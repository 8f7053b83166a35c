//! Scopes of API keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

macro_rules! scopes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A scope that is granted to a key and required by a route.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, Display, EnumString, IntoStaticStr, VariantArray)]
        #[strum(parse_err_ty = String, parse_err_fn = unknown)]
        pub enum Scope {
            $($(#[$doc])* #[serde(rename = $name)] #[strum(serialize = $name)] $variant,)*
        }

        impl Scope {
            /// Every scope, in the order of the table.
            pub const ALL: &'static [Self] = Self::VARIANTS;

            /// Returns the name in the API.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.into()
            }
        }
    };
}

scopes! {
    /// Create and cancel jobs.
    JobsCreate = "jobs:create",
    /// Read jobs and their results.
    JobsRead = "jobs:read",
    /// Authorize uploads.
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

fn unknown(name: &str) -> String {
    format!("unknown scope {name:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_agree_with_json() {
        for scope in Scope::ALL {
            assert_eq!(scope.name().parse(), Ok(*scope));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.name());
        }
        assert!("jobs:delete".parse::<Scope>().is_err());
    }
}
