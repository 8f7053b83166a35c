//! What the endings of jobs change in the library.

use domain::library::{LibraryChange, Look, NewVersion, VersionPages};
use domain::ports::PortError;

use crate::fakes::state::{State, TicketRow};

impl State {
    /// Whether a change still fits what is there: the document has not changed since, the version is there.
    ///
    /// # Errors
    /// Where it does not: nothing may be written, and the move has to be made anew.
    pub(in crate::fakes) fn check_library(
        &self,
        change: Option<&LibraryChange>,
    ) -> Result<(), PortError> {
        let shelves = &self.library;
        let fits = match change {
            None => true,
            Some(LibraryChange::Version(new)) => {
                let document = &new.document;
                let key = (document.account_id.clone(), document.id.clone());
                let seen = shelves.documents.get(&key);
                seen.is_some_and(|seen| seen.revision == new.seen)
                    && shelves.drafts.contains_key(&new.version.id)
            }
            Some(LibraryChange::Pages(pages)) => {
                let key = (pages.document.clone(), pages.version.clone());
                shelves.versions.contains_key(&key)
            }
        };
        fits.then_some(()).ok_or(PortError::Contended)
    }

    /// Makes a change that fits.
    pub(in crate::fakes) fn change_library(&mut self, change: Option<&LibraryChange>) {
        match change {
            None => {}
            Some(LibraryChange::Version(new)) => self.add_version(new),
            Some(LibraryChange::Pages(pages)) => self.note_pages(pages),
        }
    }

    /// Stores the job of a look and its ticket.
    pub(super) fn accept_look(&mut self, look: Option<&Look>) {
        let Some(look) = look else { return };
        let row = TicketRow {
            ticket: look.ticket.clone(),
            sent: 0,
            due: look.due,
        };
        self.tickets.insert(look.job.id.clone(), row);
        self.jobs.insert(look.job.id.clone(), look.job.clone());
    }

    fn add_version(&mut self, new: &NewVersion) {
        let (document, version) = (&new.document, &new.version);
        let shelves = &mut self.library;
        shelves.drafts.remove(&version.id);
        let key = (document.account_id.clone(), document.id.clone());
        shelves.documents.insert(key, document.clone());
        let key = (document.id.clone(), version.id.clone());
        shelves.versions.insert(key, version.clone());
        self.accept_look(new.look.as_ref());
    }

    fn note_pages(&mut self, pages: &VersionPages) {
        let key = (pages.document.clone(), pages.version.clone());
        if let Some(version) = self.library.versions.get_mut(&key) {
            version.page_count = Some(pages.count);
            version.page_sizes.clone_from(&pages.sizes);
        }
    }
}
