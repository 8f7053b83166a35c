//! Reading saved documents.

use async_trait::async_trait;
use domain::id::{AccountId, DocumentId, PageId, VersionId};
use domain::library::{Document, Version, version_prefix};
use domain::ports::PortError;
use domain::ports::library::{DocumentSlice, ReadLibrary};

use crate::error::failed;
use crate::item::{self, Item, SERVICE, text};
use crate::keys::library as keys;
use crate::services::Services;

/// Most versions of one document that are made in the same millisecond.
const MADE_AT_ONCE: u32 = 20;

#[async_trait]
impl ReadLibrary for Services {
    async fn document(
        &self,
        account: &AccountId,
        id: &DocumentId,
    ) -> Result<Option<Document>, PortError> {
        let key = keys::document(account, id);
        let found = self.read(self.documents_table()?, &key).await?;
        found.map(item::read).transpose()
    }

    async fn version(
        &self,
        account: &AccountId,
        document: &DocumentId,
        version: &VersionId,
    ) -> Result<Option<(Document, Version)>, PortError> {
        let wanted = [
            keys::document(account, document),
            keys::version(document, version),
        ];
        let found = self.read_all(self.documents_table()?, &wanted).await?;
        let Ok([slim, version]) = <[Item; 2]>::try_from(found) else {
            return Ok(None);
        };
        Ok(Some((item::read(slim)?, item::read(version)?)))
    }

    async fn versions(&self, document: &DocumentId, limit: u32) -> Result<Vec<Version>, PortError> {
        self.versions_beginning_with("", document, limit).await
    }

    async fn versions_of_page(
        &self,
        document: &DocumentId,
        page: &PageId,
    ) -> Result<Vec<Version>, PortError> {
        let prefix = version_prefix(page);
        self.versions_beginning_with(&prefix, document, MADE_AT_ONCE)
            .await
    }

    async fn documents(
        &self,
        account: &AccountId,
        before: Option<&DocumentId>,
        limit: u32,
    ) -> Result<DocumentSlice, PortError> {
        let mut query = self
            .tables()
            .query()
            .table_name(self.documents_table()?)
            .expression_attribute_values(":account", text(keys::documents(account)))
            .scan_index_forward(false)
            .consistent_read(true)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        query = match before {
            None => query.key_condition_expression("pk = :account"),
            Some(before) => query
                .key_condition_expression("pk = :account AND sk < :before")
                .expression_attribute_values(
                    ":before",
                    text(keys::document(account, before).sort()),
                ),
        };
        let answer = query
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let more = answer.last_evaluated_key.is_some();
        let items = answer.items.unwrap_or_default();
        let documents = items
            .into_iter()
            .map(item::read)
            .collect::<Result<_, _>>()?;
        Ok(DocumentSlice { documents, more })
    }
}

impl Services {
    /// The newest versions of a document whose identifiers begin with `prefix`.
    async fn versions_beginning_with(
        &self,
        prefix: &str,
        document: &DocumentId,
        limit: u32,
    ) -> Result<Vec<Version>, PortError> {
        let versions = format!("{}{prefix}", keys::VERSIONS);
        let answer = self
            .tables()
            .query()
            .table_name(self.documents_table()?)
            .key_condition_expression("pk = :document AND begins_with(sk, :versions)")
            .expression_attribute_values(":document", text(keys::belongings(document)))
            .expression_attribute_values(":versions", text(versions))
            .scan_index_forward(false)
            .consistent_read(true)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        answer
            .items
            .unwrap_or_default()
            .into_iter()
            .map(item::read)
            .collect()
    }
}
