//! Purges the rows and objects of a deleted document.

use domain::id::DocumentId;
use domain::library::Removal;
use domain::ports::PortError;
use domain::source::document_objects;

use super::row;
use crate::error::failed;
use crate::item::{self, Key, SERVICE, number, text};
use crate::job_item::DUE_AT;
use crate::keys::library as keys;
use crate::services::Services;
use crate::table::{EXISTS, condition_met};

impl Services {
    /// See [`domain::ports::Library::purge`].
    pub(super) async fn purge_document(
        &self,
        removal: &Removal,
        last: bool,
    ) -> Result<(), PortError> {
        let (account, document) = (&removal.account_id, &removal.document_id);
        self.remove_objects(&document_objects(account, document))
            .await?;
        if let Some(index_row) = self.index_row(document).await? {
            self.remove_postings(account, document, &index_row.all())
                .await?;
        }
        let rows = self.document_rows(document).await?;
        let rows = rows
            .iter()
            .filter(|key| last || !keys::is_kept_until_final_pass(key))
            // The removal row, by which `sweep` retries, is deleted last.
            .filter(|key| **key != keys::removal(document));
        let deletes: Vec<_> = rows.map(row::delete).collect::<Result<_, _>>()?;
        let table = self.documents_table()?;
        self.write_all(table, &deletes).await?;
        if last {
            let delete = row::delete(&keys::removal(document))?;
            self.write_all(table, &[delete]).await
        } else {
            self.postpone_final_pass(removal).await
        }
    }

    /// The keys of all rows in a document's partition.
    async fn document_rows(&self, document: &DocumentId) -> Result<Vec<Key>, PortError> {
        let mut rows = Vec::new();
        let mut start = None;
        loop {
            let response = self
                .tables()
                .query()
                .table_name(self.documents_table()?)
                .key_condition_expression("pk = :document")
                .expression_attribute_values(":document", text(keys::document_rows(document)))
                .projection_expression("pk, sk")
                .consistent_read(true)
                .set_exclusive_start_key(start)
                .send()
                .await
                .map_err(|error| failed(SERVICE, &error))?;
            let key = |row| crate::item::key_of(row).ok_or_else(|| item::unreadable(None));
            let found: Result<Vec<_>, _> = response.items().iter().map(key).collect();
            rows.extend(found?);
            start = response.last_evaluated_key;
            if start.is_none() {
                return Ok(rows);
            }
        }
    }

    /// Schedules the final pass by `sweep`.
    async fn postpone_final_pass(&self, removal: &Removal) -> Result<(), PortError> {
        let due = removal.removed_at.plus(Removal::MAX_FUNCTION_TIME);
        let response = self
            .tables()
            .update_item()
            .table_name(self.documents_table()?)
            .set_key(Some(keys::removal(&removal.document_id).attributes()))
            .update_expression("SET #due = :due")
            .condition_expression(EXISTS)
            .expression_attribute_names("#due", DUE_AT)
            .expression_attribute_values(":due", number(due.milliseconds()))
            .send()
            .await;
        condition_met(response)
            .map(|_| ())
            .map_err(crate::error::Failure::into_error)
    }
}
