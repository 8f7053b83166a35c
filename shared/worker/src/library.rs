//! The endings of jobs on saved documents: what they change in the library, written in the same transaction.

use std::time::Duration;

use domain::id::VersionId;
use domain::job::{DocumentResult, DocumentWork, Job, Output};
use domain::library::{Draft, Findings, LibraryChange, Look, NewVersion, VersionPages};
use domain::outbox;
use domain::ports::PortError;
use domain::source::{pages_object, result_object};
use domain::timestamp::Timestamp;
use domain::transition::{Ending, Transition};

use crate::engines::Engine;
use crate::worker::{Ports, Worker};

/// How often an ending is made anew, because the document has changed since it was read.
const TRIES: u32 = 10;

/// The pause after the first conflict; each one is longer by as much.
const PAUSE: Duration = Duration::from_millis(100);

/// The result of a job, and what it tells about the saved document.
pub(crate) struct Completed<'a> {
    pub(crate) output: &'a Output,
    pub(crate) findings: Option<&'a Findings>,
}

/// How far an ending has come; what is done is not done again when the rest is.
#[derive(Default)]
struct Progress {
    indexed: bool,
    draft: Option<Draft>,
    /// The entity tag of the draft's content, once that is stored.
    etag: Option<String>,
}

impl<P: Ports, E: Engine> Worker<P, E> {
    /// Writes the ending of a completed job on a saved document, once; `None` when the attempt no longer holds the job. A
    /// document that is gone by now changes nothing for the job.
    pub(crate) async fn finish_in_library(
        &self,
        job: &Job,
        work: &DocumentWork,
        ending: &Ending,
        completed: &Completed<'_>,
    ) -> Result<Option<Transition>, PortError> {
        let (mut progress, mut tried) = (Progress::default(), 1);
        loop {
            let ended = self.try_to_finish(job, work, ending, completed, &mut progress);
            match ended.await {
                Err(error) if tried < TRIES => {
                    tracing::info!(%error, tried, "the ending is made anew");
                    tokio::time::sleep(PAUSE * tried).await;
                    tried += 1;
                }
                // After an error the draft stays: whether it has become a version is not known. `sweep` finds out.
                ended => return ended,
            }
        }
    }

    async fn try_to_finish(
        &self,
        job: &Job,
        work: &DocumentWork,
        ending: &Ending,
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
        let mut transition = job.finish(ending.clone(), now);
        transition.library = change;
        if self.ports.apply(&transition).await? {
            self.send_look(&transition).await;
            return Ok(Some(transition));
        }
        self.drop_draft(progress).await;
        Ok(None)
    }

    /// Makes the words of a recognised text those of its document, or adds those of a page. Before the ending, so that an
    /// attempt that cannot do it is followed by another.
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
            tracing::info!("the words are not indexed: the document is gone, or another's count");
        }
        Ok(())
    }

    /// What the ending changes, as things are now; `None` when the document is gone.
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
            tracing::info!("the saved document is gone");
            return Ok(None);
        };
        if work.result == DocumentResult::Pages {
            return Ok(pages(work, completed.findings).map(LibraryChange::Pages));
        }
        let (draft, etag) = self
            .copied(job, work, completed.output, progress, now)
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

    /// The result, copied to where its version will be: recorded first, so that a crash leaves nothing that is not found.
    async fn copied(
        &self,
        job: &Job,
        work: &DocumentWork,
        output: &Output,
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
        self.ports.begin_draft(draft).await?;
        let result = result_object(&job.account_id, &job.id, job.attempt, &output.object);
        let etag = self.ports.copy(&result, &draft.object()).await?;
        let gone = || PortError::Unavailable {
            service: "object store",
            reason: "the result is gone before it was copied".to_owned(),
        };
        let etag = etag.ok_or_else(gone)?;
        progress.etag = Some(etag.clone());
        Ok((draft.clone(), etag))
    }

    /// Removes what was stored for a document that is gone. What fails here is found by the second round of the removal.
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
            tracing::warn!(%error, "an object of a deleted document is left to sweep");
        }
        self.drop_draft(progress).await;
    }

    async fn drop_draft(&self, progress: &mut Progress) {
        progress.etag = None;
        if let Some(draft) = progress.draft.take()
            && let Err(error) = self.ports.drop_draft(&draft).await
        {
            tracing::warn!(%error, "a draft is left to sweep");
        }
    }

    /// Sends the ticket of a look that this processor does itself; the others are left to `sweep`.
    async fn send_look(&self, transition: &Transition) {
        let Some(LibraryChange::Version(new)) = &transition.library else {
            return;
        };
        if let Some(Look { job, ticket, .. }) = &new.look
            && job.processor == transition.job.processor
        {
            let (group, at_once) = (job.account_id.as_str(), Duration::ZERO);
            outbox::send_at_once(&*self.ports, job.processor, group, ticket, at_once).await;
        }
    }
}

fn pages(work: &DocumentWork, findings: Option<&Findings>) -> Option<VersionPages> {
    match findings {
        Some(Findings::Pages { count, sizes }) => Some(VersionPages::found(work, *count, sizes)),
        _ => None,
    }
}
