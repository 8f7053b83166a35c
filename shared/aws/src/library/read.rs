//! Reads documents of the library.

use domain::id::DocumentId;
use domain::library::Version;
use domain::ports::PortError;

use crate::error::failed;
use crate::item::{self, SERVICE, text};
use crate::keys::library as keys;
use crate::services::Services;

impl Services {
    /// The newest versions of a document whose identifiers have the prefix `prefix`.
    pub(super) async fn versions_beginning_with(
        &self,
        prefix: &str,
        document: &DocumentId,
        limit: u32,
    ) -> Result<Vec<Version>, PortError> {
        let versions = format!("{}{prefix}", keys::VERSIONS);
        let response = self
            .tables()
            .query()
            .table_name(self.documents_table()?)
            .key_condition_expression("pk = :document AND begins_with(sk, :versions)")
            .expression_attribute_values(":document", text(keys::document_rows(document)))
            .expression_attribute_values(":versions", text(versions))
            .scan_index_forward(false)
            .consistent_read(true)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        response
            .items
            .unwrap_or_default()
            .into_iter()
            .map(item::read)
            .collect()
    }
}
