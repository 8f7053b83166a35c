//! Changes in the library when a job finishes.

use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, Put, Update};
use domain::event::Event;
use domain::library::{Document, Inspection, LibraryChange, NewVersion, VersionPages};
use domain::ports::PortError;
use domain::retry::REPUBLISH_AFTER;

use super::row;
use crate::item::{self, SERVICE, number};
use crate::job_item;
use crate::keys::library as keys;
use crate::services::Services;
use crate::table::{EXISTS, new_item, replacement};
use crate::transaction::{Transaction, WriteRole, incomplete};

/// TTL of the outbox row of a document event.
const PUBLISH_WITHIN: Duration = Duration::from_secs(30 * 24 * 3_600);

impl Services {
    /// Adds the library changes of a transition.
    pub(crate) fn add_library_change(
        &self,
        all: &mut Transaction,
        change: &LibraryChange,
    ) -> Result<(), PortError> {
        match change {
            LibraryChange::Version(new) => self.add_version(all, new),
            LibraryChange::Pages(pages) => {
                let update = pages_update(self.documents_table()?, pages)?;
                all.update(WriteRole::DocumentRow, update);
                Ok(())
            }
        }
    }

    /// Adds an inspection job and its ticket.
    pub(super) fn add_inspection(
        &self,
        all: &mut Transaction,
        inspection: Option<&Inspection>,
    ) -> Result<(), PortError> {
        let Some(Inspection { job, ticket, due }) = inspection else {
            return Ok(());
        };
        let table = self.jobs_table()?;
        let item = job_item::job(job, job.id.as_str())?;
        all.put(WriteRole::Inspection, new_item(table, item)?);
        let row = job_item::ticket(job, ticket, *due)?;
        all.put(WriteRole::Outbox, new_item(table, row)?);
        Ok(())
    }

    /// Adds the outbox row of a document event.
    pub(super) fn add_document_event(
        &self,
        all: &mut Transaction,
        event: &Event,
    ) -> Result<(), PortError> {
        let due = event.occurred_at.plus(REPUBLISH_AFTER);
        let row = job_item::event(event, due, due.plus(PUBLISH_WITHIN))?;
        all.put(WriteRole::Outbox, replacement(self.jobs_table()?, row)?);
        Ok(())
    }

    fn add_version(&self, all: &mut Transaction, new: &NewVersion) -> Result<(), PortError> {
        let (version, table) = (&new.version, self.documents_table()?);
        all.put(
            WriteRole::Document,
            document_replacement(table, &new.document, new.expected_revision)?,
        );
        let key = keys::version(&version.document_id, &version.id);
        all.put(
            WriteRole::DocumentRow,
            new_item(table, item::write(&key, version)?)?,
        );
        let draft = keys::draft(&version.document_id, &version.id);
        all.delete(WriteRole::DocumentRow, row::delete_existing(table, &draft)?);
        self.add_inspection(all, new.inspection.as_ref())
    }
}

/// The put of a document record that replaces the revision `seen`.
fn document_replacement(table: &str, document: &Document, seen: u64) -> Result<Put, PortError> {
    let key = keys::document(&document.account_id, &document.id);
    Put::builder()
        .table_name(table)
        .set_item(Some(item::write(&key, document)?))
        .condition_expression("revision = :seen")
        .expression_attribute_values(":seen", number(seen))
        .build()
        .map_err(|error| incomplete(&error))
}

/// The update that records the inspected pages of a version.
fn pages_update(table: &str, pages: &VersionPages) -> Result<Update, PortError> {
    let key = keys::version(&pages.document, &pages.version);
    let sizes: AttributeValue =
        serde_dynamo::to_attribute_value(&pages.sizes).map_err(|error| {
            crate::error::unavailable(SERVICE, format!("cannot serialize the pages: {error}"))
        })?;
    Update::builder()
        .table_name(table)
        .set_key(Some(key.attributes()))
        .update_expression("SET pageCount = :count, pageSizes = :sizes")
        .condition_expression(EXISTS)
        .expression_attribute_values(":count", number(pages.count))
        .expression_attribute_values(":sizes", sizes)
        .build()
        .map_err(|error| incomplete(&error))
}
