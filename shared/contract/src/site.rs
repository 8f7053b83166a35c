//! Schema of the health route.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::API_VERSION;

/// The health of the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// Always `octavo`.
    pub service: String,
    /// Version of the API.
    pub version: String,
}

impl Default for Health {
    fn default() -> Self {
        Self {
            status: "ok".to_owned(),
            service: "octavo".to_owned(),
            version: API_VERSION.to_owned(),
        }
    }
}
