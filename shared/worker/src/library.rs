//! Outcomes of jobs on saved documents: library changes, written in the same transaction as the job.

use std::time::Duration;

use domain::id::VersionId;
use domain::job::{DocumentResult, DocumentWork, Job, Output};
use domain::library::{Draft, Findings, Inspection, LibraryChange, NewVersion, VersionPages};
use domain::outbox;
use domain::ports::PortError;
use domain::source::{pages_object, result_object};
use domain::timestamp::Timestamp;
use domain::transition::{AttemptOutcome, Transition};

use crate::worker::{Ports, Worker};

/// Attempts to write an outcome that conflicts with concurrent changes of the document.
const MAX_TRIES: u32 = 10;

/// Delay after the first conflict; it grows linearly.
const PAUSE: Duration = Duration::from_millis(100);

/// The result of a job and its findings about the document.
pub(crate) struct Completed<'a> {
    pub(crate) output: &'a Output,
    pub(crate) findings: Option<&'a Findings>,
    /// Entity tag of the result's object.
    pub(crate) etag: &'a str,
}

/// Completed parts of the write, which are not repeated when it is retried.
#[derive(Default)]
struct Progress {
    indexed: bool,
    draft: Option<Draft>,
    /// ETag of the draft's content, once it is stored.
    etag: Option<String>,
}

impl<P: Ports> Worker<P> {
    /// Writes the outcome of a completed job on a saved document; `None` if the attempt no longer holds the lease. If the
    /// document was deleted, the job completes without a library change.
    pub(crate) async fn finish_in_library(
        &self,
        job: &Job,
        work: &DocumentWork,
        outcome: &AttemptOutcome,
        completed: &Completed<'_>,
    ) -> Result<Option<Transition>, PortError> {
        let (mut progress, mut tried) = (Progress::default(), 1);
        loop {
            let finished = self.try_finish(job, work, outcome, completed, &mut progress);
            match finished.await {
                Err(error) if tried < MAX_TRIES => {
                    tracing::info!(%error, tried, "writing the outcome failed; retrying with the current document");
                    tokio::time::sleep(PAUSE * tried).await;
                    tried += 1;
                }
                // After an error the draft stays, because the write may have succeeded. `sweep` resolves it.
                finished => return finished,
            }
        }
    }

    async fn try_finish(
        &self,
        job: &Job,
        work: &DocumentWork,
        outcome: &AttemptOutcome,
        completed: &Completed<'_>,
        progress: &mut Progress,
    ) -> Result<Option<Transition>, PortError> {
        if !progress.indexed {
            self.index(job, work, completed.findings).await?;
            progress.indexed = true;
        }
        let now = (self.clock)();
        let change = self.change(job, work, completed, progress, now).await?;
        if change.is_none() {
            self.clean_up(job, work, progress).await;
        }
        let mut transition = job.finish(outcome.clone(), now);
        transition.library = change;
        if self.ports.apply(&transition).await? {
            self.send_inspection(&transition).await;
            return Ok(Some(transition));
        }
        self.drop_draft(progress).await;
        Ok(None)
    }

    /// Indexes recognized words: replaces those of the document, or adds those of a page. Runs before the outcome is
    /// written, so that a failure is retried.
    async fn index(
        &self,
        job: &Job,
        work: &DocumentWork,
        findings: Option<&Findings>,
    ) -> Result<(), PortError> {
        let Some(Findings::Words(words)) = findings else {
            return Ok(());
        };
        let (account, ports) = (&job.account_id, &self.ports);
        let indexed = match work.page {
            None => ports.index_words(account, &work.document, words).await?,
            Some(_) => ports.add_words(account, &work.document, words).await?,
        };
        if !indexed {
            tracing::info!("words not indexed: the document was deleted or has newer words");
        }
        Ok(())
    }

    /// Builds the library change from the current document; `None` if the document was deleted.
    async fn change(
        &self,
        job: &Job,
        work: &DocumentWork,
        completed: &Completed<'_>,
        progress: &mut Progress,
        now: Timestamp,
    ) -> Result<Option<LibraryChange>, PortError> {
        let (account, ports) = (&job.account_id, &self.ports);
        let found = ports
            .version(account, &work.document, &work.version)
            .await?;
        let Some((document, parent)) = found else {
            tracing::info!("library not changed: the document was deleted");
            return Ok(None);
        };
        if work.result == DocumentResult::Pages {
            return Ok(pages(work, completed.findings).map(LibraryChange::Pages));
        }
        let (draft, etag) = self
            .copy_to_draft(job, work, completed, progress, now)
            .await?;
        let version = NewVersion::of(
            job,
            completed.output,
            (&document, &parent),
            (&draft, &etag),
            now,
        );
        Ok(Some(LibraryChange::Version(Box::new(version))))
    }

    /// Copies the result to the object of the new version. The draft is recorded first, so that `sweep` finds the object
    /// after a crash.
    async fn copy_to_draft(
        &self,
        job: &Job,
        work: &DocumentWork,
        completed: &Completed<'_>,
        progress: &mut Progress,
        now: Timestamp,
    ) -> Result<(Draft, String), PortError> {
        let draft = progress.draft.get_or_insert_with(|| Draft {
            account_id: job.account_id.clone(),
            document_id: work.document.clone(),
            version_id: VersionId::derive(now, &format!("{}/{}", job.id, job.attempt)),
            begun_at: now,
        });
        if let Some(etag) = &progress.etag {
            return Ok((draft.clone(), etag.clone()));
        }
        self.ports.create_draft(draft).await?;
        let name = &completed.output.object;
        let result = result_object(&job.account_id, &job.id, job.attempt, name);
        let copied = self
            .ports
            .copy(&result, completed.etag, &draft.object())
            .await?;
        let gone = || PortError::Unavailable {
            service: "object store",
            reason: "the result was deleted or replaced before it was copied".to_owned(),
        };
        let etag = copied.ok_or_else(gone)?;
        progress.etag = Some(etag.clone());
        Ok((draft.clone(), etag))
    }

    /// Removes objects stored for a deleted document. Failures are repaired by the second pass of the removal.
    async fn clean_up(&self, job: &Job, work: &DocumentWork, progress: &mut Progress) {
        let object = match work.result {
            DocumentResult::Pages => {
                let (account, document) = (&job.account_id, &work.document);
                Some(pages_object(account, document, &work.version))
            }
            DocumentResult::Version => progress.draft.as_ref().map(Draft::object),
        };
        if let Some(object) = object
            && let Err(error) = self.ports.discard(&object).await
        {
            tracing::warn!(%error, "object of a deleted document not removed; sweep removes it");
        }
        self.drop_draft(progress).await;
    }

    async fn drop_draft(&self, progress: &mut Progress) {
        progress.etag = None;
        if let Some(draft) = progress.draft.take()
            && let Err(error) = self.ports.drop_draft(&draft).await
        {
            tracing::warn!(%error, "draft not removed; sweep removes it");
        }
    }

    /// Enqueues the inspection job if this processor runs it; `sweep` enqueues the others.
    async fn send_inspection(&self, transition: &Transition) {
        let Some(LibraryChange::Version(new)) = &transition.library else {
            return;
        };
        if let Some(Inspection { job, ticket, .. }) = &new.inspection
            && job.processor == transition.job.processor
        {
            let (group, delay) = (job.account_id.as_str(), Duration::ZERO);
            outbox::send_now(&*self.ports, job.processor, group, ticket, delay).await;
        }
    }
}

fn pages(work: &DocumentWork, findings: Option<&Findings>) -> Option<VersionPages> {
    match findings {
        Some(Findings::Pages { count, sizes }) => Some(VersionPages::found(work, *count, sizes)),
        _ => None,
    }
}
