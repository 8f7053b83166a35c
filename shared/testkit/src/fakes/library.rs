//! The document library.

mod importing;
mod job_outcome;
mod setup;
mod state;

use async_trait::async_trait;
use domain::event::Event;
use domain::id::{AccountId, DocumentId, PageId, VersionId};
use domain::library::{
    Document, Draft, Import, ImportStart, Inspection, Removal, Version, Words, shard,
    version_prefix,
};
use domain::ports::{
    DocumentSlice, DuePosition, ImportStarted, Library, PendingCleanup, PendingCleanupPage,
    PortError, Posting, PostingSlice, PreviousImport,
};
use domain::source::document_objects;
use domain::timestamp::Timestamp;

use self::importing::charged_in;
use super::{Call, Fakes};

pub(super) use self::state::LibraryState;

/// Documents per query page, in place of DynamoDB's limit of 1 MB.
const QUERY_PAGE: usize = 300;

#[async_trait]
impl Library for Fakes {
    async fn document(
        &self,
        account: &AccountId,
        id: &DocumentId,
    ) -> Result<Option<Document>, PortError> {
        let key = (account.clone(), id.clone());
        self.call(Call::ReadLibrary, |state| {
            Ok(state.library.documents.get(&key).cloned())
        })
        .await
    }

    async fn version(
        &self,
        account: &AccountId,
        document: &DocumentId,
        version: &VersionId,
    ) -> Result<Option<(Document, Version)>, PortError> {
        self.call(Call::ReadLibrary, |state| {
            let shelves = &state.library;
            let slim = shelves
                .documents
                .get(&(account.clone(), document.clone()))
                .cloned();
            let version = shelves
                .versions
                .get(&(document.clone(), version.clone()))
                .cloned();
            Ok(slim.zip(version))
        })
        .await
    }

    async fn versions(&self, document: &DocumentId, limit: u32) -> Result<Vec<Version>, PortError> {
        self.call(Call::ReadLibrary, |state| {
            let all = state.library.versions.values().rev();
            let own = all.filter(|version| version.document_id == *document);
            Ok(own.take(limit as usize).cloned().collect())
        })
        .await
    }

    async fn versions_of_page(
        &self,
        document: &DocumentId,
        page: &PageId,
    ) -> Result<Vec<Version>, PortError> {
        let prefix = version_prefix(page);
        self.call(Call::ReadLibrary, |state| {
            let all = state.library.versions.values();
            let own = all.filter(|version| version.document_id == *document);
            Ok(own
                .filter(|version| version.id.as_str().starts_with(&prefix))
                .cloned()
                .collect())
        })
        .await
    }

    async fn documents(
        &self,
        account: &AccountId,
        before: Option<&DocumentId>,
        limit: u32,
    ) -> Result<DocumentSlice, PortError> {
        self.call(Call::ReadLibrary, |state| {
            let all = state.library.documents.values().rev();
            let mut rest = all
                .filter(|document| document.account_id == *account)
                .filter(|document| before.is_none_or(|before| document.id < *before));
            let most = QUERY_PAGE.min(limit as usize);
            let documents = rest.by_ref().take(most).cloned().collect();
            Ok(DocumentSlice {
                documents,
                more: rest.next().is_some(),
            })
        })
        .await
    }

    async fn postings(
        &self,
        account: &AccountId,
        prefix: &str,
        after: Option<&Posting>,
        limit: u32,
    ) -> Result<PostingSlice, PortError> {
        self.call(Call::ReadLibrary, |state| {
            let shelves = &state.library;
            let own = shelves
                .words
                .iter()
                .filter(|(id, _)| shelves.exists(account, id));
            let mut postings: Vec<Posting> = own
                .flat_map(|(id, words)| {
                    words.iter().map(|word| Posting {
                        word: word.to_owned(),
                        document: id.clone(),
                    })
                })
                .filter(|posting| posting.word.starts_with(prefix))
                .filter(|posting| after.is_none_or(|after| posting > after))
                .collect();
            postings.sort_unstable();
            let more = postings.len() > limit as usize;
            postings.truncate(limit as usize);
            Ok(PostingSlice { postings, more })
        })
        .await
    }

    async fn with_words(
        &self,
        account: &AccountId,
        ids: &[DocumentId],
    ) -> Result<Vec<(Document, Words)>, PortError> {
        self.call(Call::ReadLibrary, |state| {
            let shelves = &state.library;
            let both = |id: &DocumentId| {
                let key = (account.clone(), id.clone());
                let document = shelves.documents.get(&key)?;
                Some((document.clone(), shelves.words.get(id)?.clone()))
            };
            Ok(ids.iter().filter_map(both).collect())
        })
        .await
    }

    async fn replace_document(&self, document: &Document, seen: u64) -> Result<bool, PortError> {
        let key = (document.account_id.clone(), document.id.clone());
        self.call(Call::ChangeLibrary, |state| {
            match state.library.documents.get_mut(&key) {
                Some(stored) if stored.revision == seen => {
                    *stored = document.clone();
                    Ok(true)
                }
                _ => Ok(false),
            }
        })
        .await
    }

    async fn index_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError> {
        self.call(Call::ChangeLibrary, |state| {
            let words = words.clone();
            Ok(state.library.index(account, document, |_| words))
        })
        .await
    }

    async fn add_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError> {
        self.call(Call::ChangeLibrary, |state| {
            let with = |old: &Words| old.add_up_to_limit(words);
            Ok(state.library.index(account, document, with))
        })
        .await
    }

    async fn remove_document(&self, removal: &Removal) -> Result<bool, PortError> {
        let key = (removal.account_id.clone(), removal.document_id.clone());
        self.call(Call::ChangeLibrary, |state| {
            let there = state.library.documents.remove(&key).is_some();
            if there {
                let due = removal.removed_at.plus(Removal::FIRST_PASS_WITHIN);
                let row = (removal.clone(), due);
                state.library.removals.insert(key.1, row);
                state.put_event(&Event::of_removal(removal), removal.removed_at);
            }
            Ok(there)
        })
        .await
    }

    async fn start_import(&self, start: &ImportStart) -> Result<ImportStarted, PortError> {
        self.call(Call::Import, |state| state.start_import(start))
            .await
    }

    async fn previous_import(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PreviousImport>, PortError> {
        self.call(Call::Import, |state| {
            Ok(state.previous_import(account, fingerprint, body_hash, now))
        })
        .await
    }

    async fn finish_import(
        &self,
        import: &Import,
        document: &Document,
        version: &Version,
        inspection: Option<&Inspection>,
    ) -> Result<bool, PortError> {
        self.call(Call::Import, |state| {
            let shelves = &mut state.library;
            if shelves.imports.remove(&import.document_id).is_none() {
                return Ok(shelves.exists(&document.account_id, &document.id));
            }
            let key = (document.account_id.clone(), document.id.clone());
            shelves.documents.insert(key, document.clone());
            let key = (version.document_id.clone(), version.id.clone());
            shelves.versions.insert(key, version.clone());
            state.accept_inspection(inspection);
            state.put_event(&Event::of_import(version), version.created_at);
            Ok(true)
        })
        .await
    }

    async fn abandon_import(&self, import: &Import, _: Timestamp) -> Result<bool, PortError> {
        let id = &import.document_id;
        let objects = document_objects(&import.account_id, id);
        self.call(Call::Import, |state| {
            if state.library.imports.remove(id).is_none() {
                return Ok(false);
            }
            state.objects.retain(|name, _| !name.starts_with(&objects));
            if let Some(fingerprint) = &import.fingerprint {
                state.idempotency.remove(fingerprint);
            }
            state.library.refunds.insert(id.clone(), import.clone());
            let units = i64::from(import.charge.units);
            if units > 0 {
                state.count(&import.account_id, charged_in(import)?, -units);
            }
            Ok(true)
        })
        .await
    }

    async fn create_draft(&self, draft: &Draft) -> Result<(), PortError> {
        self.call(Call::ChangeLibrary, |state| {
            let drafts = &mut state.library.drafts;
            drafts.insert(draft.version_id.clone(), draft.clone());
            Ok(())
        })
        .await
    }

    async fn drop_draft(&self, draft: &Draft) -> Result<(), PortError> {
        self.call(Call::Discard, |state| {
            if state.library.drafts.remove(&draft.version_id).is_some() {
                state.objects.remove(&draft.object());
            }
            Ok(())
        })
        .await
    }

    async fn pending_cleanups(
        &self,
        wanted: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<PendingCleanupPage, PortError> {
        self.call(Call::TidyLibrary, |state| {
            let shelves = &state.library;
            let imports = shelves.imports.iter().map(|(id, import)| {
                (
                    import.lease_until,
                    id.to_string(),
                    PendingCleanup::Import(import.clone()),
                )
            });
            let removals = shelves.removals.iter().map(|(id, (removal, due))| {
                (
                    *due,
                    id.to_string(),
                    PendingCleanup::Removal(removal.clone()),
                )
            });
            let drafts = shelves.drafts.values().map(|draft| {
                let row = format!("{} {}", draft.document_id, draft.version_id);
                (draft.due(), row, PendingCleanup::Draft(draft.clone()))
            });
            let of_shard =
                |pending_cleanup: &PendingCleanup| shard(document_of(pending_cleanup)) == wanted;
            let mut due: Vec<_> = imports
                .chain(removals)
                .chain(drafts)
                .filter(|(due, _, pending_cleanup)| *due <= now && of_shard(pending_cleanup))
                .filter(|(due, id, _)| {
                    after.is_none_or(|after| (*due, id) > (after.due, &after.row))
                })
                .collect();
            due.sort_by(|left, right| (left.0, &left.1).cmp(&(right.0, &right.1)));
            let more = due.len() > limit as usize;
            due.truncate(limit as usize);
            let last = due.last().map(|(due, row, _)| DuePosition {
                due: *due,
                row: row.clone(),
            });
            Ok(PendingCleanupPage {
                pending_cleanups: due
                    .into_iter()
                    .map(|(_, _, pending_cleanup)| pending_cleanup)
                    .collect(),
                unreadable: Vec::new(),
                next: last.filter(|_| more),
            })
        })
        .await
    }

    async fn purge(&self, removal: &Removal, last: bool) -> Result<(), PortError> {
        let id = &removal.document_id;
        let objects = document_objects(&removal.account_id, id);
        self.call(Call::TidyLibrary, |state| {
            state.objects.retain(|name, _| !name.starts_with(&objects));
            let shelves = &mut state.library;
            shelves.versions.retain(|(document, _), _| document != id);
            shelves.drafts.retain(|_, draft| draft.document_id != *id);
            if last {
                shelves.words.remove(id);
                shelves.removals.remove(id);
            } else if let Some((_, due)) = shelves.removals.get_mut(id) {
                *due = removal.removed_at.plus(Removal::MAX_FUNCTION_TIME);
            }
            Ok(())
        })
        .await
    }
}

fn document_of(pending_cleanup: &PendingCleanup) -> &DocumentId {
    match pending_cleanup {
        PendingCleanup::Import(import) => &import.document_id,
        PendingCleanup::Removal(removal) => &removal.document_id,
        PendingCleanup::Draft(draft) => &draft.document_id,
    }
}
