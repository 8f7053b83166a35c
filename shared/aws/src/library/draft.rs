//! Drafts: content that is stored and belongs to no version yet.

use async_trait::async_trait;
use domain::library::Draft;
use domain::ports::PortError;
use domain::ports::library::{DraftVersions, KeepContent};

use super::row;
use crate::error::failed;
use crate::item::SERVICE;
use crate::keys::library as keys;
use crate::services::Services;

#[async_trait]
impl DraftVersions for Services {
    async fn begin_draft(&self, draft: &Draft) -> Result<(), PortError> {
        self.tables()
            .put_item()
            .table_name(self.documents_table()?)
            .set_item(Some(row::draft(draft)?))
            .send()
            .await
            .map(drop)
            .map_err(|error| failed(SERVICE, &error))
    }

    async fn drop_draft(&self, draft: &Draft) -> Result<(), PortError> {
        let (table, key) = (
            self.documents_table()?,
            keys::draft(&draft.document_id, &draft.version_id),
        );
        if self.read(table, &key).await?.is_none() {
            return Ok(());
        }
        // In this order: a crash in between leaves the row, which brings `sweep` back.
        self.discard(&draft.object()).await?;
        self.write_all(table, &[row::delete(&key)?]).await
    }
}
