//! Changes in the library when a job finishes.

use domain::library::{Inspection, LibraryChange, NewVersion, VersionPages};
use domain::ports::PortError;

use crate::fakes::state::{State, TicketRow};

impl State {
    /// Checks that a change is still valid: the document is unchanged and the version exists.
    ///
    /// # Errors
    /// If it is not valid: nothing may be written, and the caller has to compute the transition again.
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
                let stored = shelves.documents.get(&key);
                stored.is_some_and(|stored| stored.revision == new.expected_revision)
                    && shelves.drafts.contains_key(&new.version.id)
            }
            Some(LibraryChange::Pages(pages)) => {
                let key = (pages.document.clone(), pages.version.clone());
                shelves.versions.contains_key(&key)
            }
        };
        fits.then_some(()).ok_or(PortError::Contended)
    }

    /// Applies a valid change.
    pub(in crate::fakes) fn change_library(&mut self, change: Option<&LibraryChange>) {
        match change {
            None => {}
            Some(LibraryChange::Version(new)) => self.add_version(new),
            Some(LibraryChange::Pages(pages)) => self.set_pages(pages),
        }
    }

    /// Stores an inspection job and its ticket.
    pub(super) fn accept_inspection(&mut self, inspection: Option<&Inspection>) {
        let Some(inspection) = inspection else { return };
        let row = TicketRow {
            ticket: inspection.ticket.clone(),
            sent: 0,
            due: inspection.due,
        };
        self.tickets.insert(inspection.job.id.clone(), row);
        self.jobs
            .insert(inspection.job.id.clone(), inspection.job.clone());
    }

    fn add_version(&mut self, new: &NewVersion) {
        let (document, version) = (&new.document, &new.version);
        let shelves = &mut self.library;
        shelves.drafts.remove(&version.id);
        let key = (document.account_id.clone(), document.id.clone());
        shelves.documents.insert(key, document.clone());
        let key = (document.id.clone(), version.id.clone());
        shelves.versions.insert(key, version.clone());
        self.accept_inspection(new.inspection.as_ref());
    }

    fn set_pages(&mut self, pages: &VersionPages) {
        let key = (pages.document.clone(), pages.version.clone());
        if let Some(version) = self.library.versions.get_mut(&key) {
            version.page_count = Some(pages.count);
            version.page_sizes.clone_from(&pages.sizes);
        }
    }
}
