//! What waits in the library: imports whose function is gone, and second rounds of removals.

use async_trait::async_trait;
use domain::library::Removal;
use domain::ports::library::{Chore, ChorePage, TidyLibrary};
use domain::ports::{DuePosition, PortError};
use domain::timestamp::Timestamp;

use crate::item::{self, Item};
use crate::job_item::DUE_AT;
use crate::keys::library::{self as keys, Row};
use crate::services::Services;

#[async_trait]
impl TidyLibrary for Services {
    async fn chores(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<ChorePage, PortError> {
        let table = self.documents_table()?;
        let (wanted, next) = self.due_keys_of(table, shard, now, after, limit).await?;
        let rows = self.read_all(table, &wanted).await?;
        let mut page = ChorePage {
            next,
            ..ChorePage::default()
        };
        for row in rows.into_iter().filter(|row| is_still_due(row, now)) {
            let name = crate::keys::of(&row).map(|key| key.name());
            match chore(row) {
                Some(chore) => page.chores.push(chore),
                None => page.unreadable.extend(name),
            }
        }
        Ok(page)
    }

    async fn purge(&self, removal: &Removal, last: bool) -> Result<(), PortError> {
        self.purge_document(removal, last).await
    }
}

/// The index lags behind: what was put off since is not due any more.
fn is_still_due(row: &Item, now: Timestamp) -> bool {
    item::read_number(row, DUE_AT).is_some_and(|due| due <= now.milliseconds())
}

fn chore(row: Item) -> Option<Chore> {
    match keys::row_of(&row)? {
        _ if item::is_newer(&row) => None,
        Row::Import => item::read(row).ok().map(Chore::Import),
        Row::Removal => item::read(row).ok().map(Chore::Removal),
        Row::Draft => item::read(row).ok().map(Chore::Draft),
    }
}
