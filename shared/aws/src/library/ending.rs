//! What the endings of jobs change in the library.

use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, Put, Update};
use domain::event::Event;
use domain::library::{Document, LibraryChange, Look, NewVersion, VersionPages};
use domain::ports::PortError;
use domain::retry::REPUBLISH_AFTER;

use super::row;
use crate::item::{self, SERVICE, number};
use crate::job_item;
use crate::keys::library as keys;
use crate::services::Services;
use crate::table::{KNOWN, new_item, replacement};
use crate::transaction::{Part, Transaction, incomplete};

/// How long an event of a document waits for a bus that takes it.
const TOLD_WITHIN: Duration = Duration::from_secs(30 * 24 * 3_600);

impl Services {
    /// Adds what a move changes in the library.
    pub(crate) fn add_library_change(
        &self,
        all: &mut Transaction,
        change: &LibraryChange,
    ) -> Result<(), PortError> {
        match change {
            LibraryChange::Version(new) => self.add_version(all, new),
            LibraryChange::Pages(pages) => {
                let update = known_pages(self.documents_table()?, pages)?;
                all.update(Part::Belonging, update);
                Ok(())
            }
        }
    }

    /// Adds the job of a look and its ticket.
    pub(super) fn add_look(
        &self,
        all: &mut Transaction,
        look: Option<&Look>,
    ) -> Result<(), PortError> {
        let Some(Look { job, ticket, due }) = look else {
            return Ok(());
        };
        let table = self.jobs_table()?;
        let item = job_item::job(job, job.id.as_str())?;
        all.put(Part::Look, new_item(table, item)?);
        let row = job_item::ticket(job, ticket, *due)?;
        all.put(Part::Outbox, new_item(table, row)?);
        Ok(())
    }

    /// Adds the outbox row of an event that is about a document, and not about a job.
    pub(super) fn add_document_event(
        &self,
        all: &mut Transaction,
        event: &Event,
    ) -> Result<(), PortError> {
        let due = event.occurred_at.plus(REPUBLISH_AFTER);
        let row = job_item::event(event, due, due.plus(TOLD_WITHIN))?;
        all.put(Part::Outbox, replacement(self.jobs_table()?, row)?);
        Ok(())
    }

    fn add_version(&self, all: &mut Transaction, new: &NewVersion) -> Result<(), PortError> {
        let (version, table) = (&new.version, self.documents_table()?);
        all.put(Part::Document, in_place_of(table, &new.document, new.seen)?);
        let key = keys::version(&version.document_id, &version.id);
        all.put(
            Part::Belonging,
            new_item(table, item::write(&key, version)?)?,
        );
        let draft = keys::draft(&version.document_id, &version.id);
        all.delete(Part::Belonging, row::taken(table, &draft)?);
        self.add_look(all, new.look.as_ref())
    }
}

/// The put of a slim record in place of its revision `seen`.
fn in_place_of(table: &str, document: &Document, seen: u64) -> Result<Put, PortError> {
    let key = keys::document(&document.account_id, &document.id);
    Put::builder()
        .table_name(table)
        .set_item(Some(item::write(&key, document)?))
        .condition_expression("revision = :seen")
        .expression_attribute_values(":seen", number(seen))
        .build()
        .map_err(|error| incomplete(&error))
}

/// The update of a version whose pages are known by now.
fn known_pages(table: &str, pages: &VersionPages) -> Result<Update, PortError> {
    let key = keys::version(&pages.document, &pages.version);
    let sizes: AttributeValue =
        serde_dynamo::to_attribute_value(&pages.sizes).map_err(|error| {
            crate::error::unavailable(SERVICE, format!("pages cannot be stored: {error}"))
        })?;
    Update::builder()
        .table_name(table)
        .set_key(Some(key.attributes()))
        .update_expression("SET pageCount = :count, pageSizes = :sizes")
        .condition_expression(KNOWN)
        .expression_attribute_values(":count", number(pages.count))
        .expression_attribute_values(":sizes", sizes)
        .build()
        .map_err(|error| incomplete(&error))
}
