//! Versions that jobs create, in the transaction that completes the job.

use domain::account::Account;
use domain::event::Event;
use domain::id::VersionId;
use domain::job::{DocumentResult, DocumentWork, Job, JobLimits, JobStatus};
use domain::library::{
    Document, Draft, Inspection, InspectionTerms, LibraryChange, NewVersion, PageSize, Removal,
    Version, VersionPages, Words, page_id,
};
use domain::plan::Plan;
use domain::ports::{AcceptOutcome, PendingCleanup, PortError};
use domain::retry::REPUBLISH_AFTER;
use domain::source::{pages_object, result_object};
use domain::timestamp::{Timestamp, days};
use domain::transition::{AttemptOutcome, Transition};
use futures::future::join_all;

use super::events::events_due;
use super::{imported, removal};
use crate::conformance::{claimed, stored_account};
use crate::environment::{Environment, Ports};
use crate::sample;

/// A processing job on a document, and the document with its only version.
struct ProcessingJob {
    account: Account,
    job: Job,
    document: Document,
    parent: Version,
}

impl ProcessingJob {
    async fn start<P: Ports, W: Environment>(ports: &P, env: &W) -> Self {
        let account = stored_account(ports, env, Plan::Business).await;
        let (document, parent) = imported(ports, env, &account, "a.pdf", env.now()).await;
        let mut acceptance = sample::acceptance(env, &account, &sample::fingerprint(env));
        acceptance.job.document = Some(DocumentWork {
            document: document.id.clone(),
            version: parent.id.clone(),
            page: None,
            result: DocumentResult::Version,
        });
        assert_eq!(ports.accept(&acceptance).await.unwrap(), AcceptOutcome::New);
        let job = claimed(ports, &acceptance.job, env.now()).await;
        Self {
            account,
            job,
            document,
            parent,
        }
    }

    /// A draft whose content is stored.
    async fn draft<P: Ports, W: Environment>(&self, ports: &P, env: &W) -> (Draft, String) {
        let draft = Draft {
            account_id: self.account.id.clone(),
            document_id: self.document.id.clone(),
            version_id: VersionId::mint(env.now(), env.random()),
            begun_at: env.now(),
        };
        ports.create_draft(&draft).await.unwrap();
        let result = result_object(&self.account.id, &self.job.id, 1, "document.pdf");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"%PDF result").unwrap();
        let stored = ports.store(file.path(), &result, "application/pdf").await;
        let copied = ports.copy(&result, &stored.unwrap(), &draft.object()).await;
        (draft, copied.unwrap().unwrap())
    }

    fn outcome(&self, document: &Document, draft: &(Draft, String), now: Timestamp) -> Transition {
        let output = sample::output(&self.job);
        let (draft, etag) = draft;
        let new = NewVersion::of(
            &self.job,
            &output,
            (document, &self.parent),
            (draft, etag),
            now,
        );
        let completed = AttemptOutcome::Completed {
            output: Box::new(output),
            warnings: Vec::new(),
            findings: None,
            etag: etag.clone(),
        };
        let change = LibraryChange::Version(Box::new(new));
        self.job.finish(completed, now).with_library_change(change)
    }

    async fn current_document<P: Ports>(&self, ports: &P) -> Option<Document> {
        let found = ports.document(&self.account.id, &self.document.id);
        found.await.unwrap()
    }
}

fn new_version(transition: &Transition) -> &NewVersion {
    match &transition.library {
        Some(LibraryChange::Version(new)) => new,
        other => panic!("{other:?}"),
    }
}

/// Whether the draft is due for `sweep` at `now`.
async fn is_due<P: Ports>(ports: &P, draft: &Draft, now: Timestamp) -> bool {
    let shard = domain::library::shard(&draft.document_id);
    let mut after = None;
    loop {
        let page = ports
            .pending_cleanups(shard, now, after.as_ref(), 50)
            .await
            .unwrap();
        if page
            .pending_cleanups
            .contains(&PendingCleanup::Draft(draft.clone()))
        {
            return true;
        }
        after = page.next;
        if after.is_none() {
            return false;
        }
    }
}

pub(super) async fn a_version_is_created_when_its_job_completes<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let processing = ProcessingJob::start(ports, env).await;
    let draft = processing.draft(ports, env).await;
    assert!(!is_due(ports, &draft.0, env.now()).await);
    assert!(is_due(ports, &draft.0, draft.0.due()).await);
    let facts = ports.metadata(&draft.0.object()).await.unwrap().unwrap();
    assert_eq!((facts.size_bytes, &facts.etag), (11, &draft.1));
    assert_eq!(facts.content_type, "application/pdf");

    let outcome = processing.outcome(&processing.document, &draft, env.now());
    let new = new_version(&outcome);
    assert!(ports.apply(&outcome).await.unwrap());
    assert_eq!(
        processing.current_document(ports).await.as_ref(),
        Some(&new.document)
    );
    let versions = ports.versions(&processing.document.id, 20).await.unwrap();
    assert!(versions.contains(&new.version) && versions.contains(&processing.parent));
    let stored = ports.job(&processing.job.id).await.unwrap().unwrap();
    assert_eq!(stored, outcome.job);
    assert!(!is_due(ports, &draft.0, draft.0.due()).await);
    let document = &processing.document.id;
    let due = new.version.created_at.plus(REPUBLISH_AFTER);
    let events = events_due(ports, document, due).await;
    assert!(
        events.contains(&Event::of_version(&new.version)),
        "{events:?}"
    );
    let inspection = new.inspection.as_ref().unwrap();
    assert_eq!(
        ports.job(&inspection.job.id).await.unwrap().as_ref(),
        Some(&inspection.job)
    );
    let listed = ports
        .jobs(&processing.account.id, None, None, 10)
        .await
        .unwrap();
    let listed: Vec<_> = listed.jobs.iter().map(|job| &job.id).collect();
    assert_eq!(listed, [&processing.job.id], "an inspection is not listed");

    assert!(!ports.apply(&outcome).await.unwrap(), "completed twice");
    ports.drop_draft(&draft.0).await.unwrap();
    assert!(
        ports.metadata(&draft.0.object()).await.unwrap().is_some(),
        "a version's content was dropped as a draft"
    );
    let page = page_id(&new.version.id, 1).unwrap();
    let found = ports.versions_of_page(&processing.document.id, &page).await;
    assert!(found.unwrap().contains(&new.version));
    let earlier = VersionId::mint(Timestamp(1), 1);
    let page = page_id(&earlier, 1).unwrap();
    let found = ports.versions_of_page(&processing.document.id, &page).await;
    assert_eq!(found.unwrap(), []);
}

pub(super) async fn an_outcome_computed_from_an_older_document_is_rejected<
    P: Ports,
    W: Environment,
>(
    ports: &P,
    env: &W,
) {
    let processing = ProcessingJob::start(ports, env).await;
    let draft = processing.draft(ports, env).await;
    let outcome = processing.outcome(&processing.document, &draft, env.now());
    let mut tagged = processing.document.clone();
    (tagged.revision, tagged.tags) = (2, vec!["tax".to_owned()]);
    assert!(ports.replace_document(&tagged, 1).await.unwrap());
    let refused = ports.apply(&outcome).await;
    assert!(matches!(refused, Err(PortError::Contended)), "{refused:?}");
    let stored = ports.job(&processing.job.id).await.unwrap().unwrap();
    assert_eq!(
        stored.status,
        JobStatus::Processing,
        "a partly written outcome"
    );
    let versions = ports.versions(&processing.document.id, 20).await.unwrap();
    assert_eq!(versions, std::slice::from_ref(&processing.parent));
    let due = env.now().plus(REPUBLISH_AFTER);
    let events = events_due(ports, &processing.document.id, due).await;
    assert_eq!(
        events,
        [Event::of_import(&processing.parent)],
        "no version was created"
    );

    let again = processing.outcome(&tagged, &draft, env.now());
    assert!(ports.apply(&again).await.unwrap());
    let changed = processing.current_document(ports).await.unwrap();
    assert_eq!((changed.tags, changed.version_count), (tagged.tags, 2));
}

pub(super) async fn no_version_is_added_to_a_deleted_document<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let processing = ProcessingJob::start(ports, env).await;
    let draft = processing.draft(ports, env).await;
    let outcome = processing.outcome(&processing.document, &draft, env.now());
    let removal = removal(&processing.document, env.now());
    assert!(ports.remove_document(&removal).await.unwrap());
    let refused = ports.apply(&outcome).await;
    assert!(matches!(refused, Err(PortError::Contended)), "{refused:?}");
    ports.drop_draft(&draft.0).await.unwrap();
    assert_eq!(ports.metadata(&draft.0.object()).await.unwrap(), None);
    assert!(!is_due(ports, &draft.0, draft.0.due()).await);
    ports.purge(&removal, false).await.unwrap();
    // Content that a crash here would leave for the final pass.
    let late = processing.draft(ports, env).await;
    let words = Words::of("late");
    let account = &processing.account.id;
    let added = ports
        .add_words(account, &processing.document.id, &words)
        .await;
    assert!(!added.unwrap());
    ports.purge(&removal, true).await.unwrap();
    assert_eq!(ports.metadata(&late.0.object()).await.unwrap(), None);
    assert!(!is_due(ports, &late.0, late.0.due().max(removal_end(&removal))).await);
}

fn removal_end(removal: &Removal) -> Timestamp {
    removal.removed_at.plus(Removal::MAX_FUNCTION_TIME)
}

pub(super) async fn pages_are_recorded<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let start = sample::library::import(env, &account, None, env.now());
    let (document, version) = sample::library::imported_document(&start.import, "a.pdf");
    let terms = InspectionTerms {
        limits: JobLimits::from(account.plan.limits()),
        kept: days(30),
        result_days: 7,
        traceparent: None,
    };
    let inspection = Inspection::of_version(&version, terms, env.now()).unwrap();
    ports.start_import(&start).await.unwrap();
    let finished = ports.finish_import(&start.import, &document, &version, Some(&inspection));
    assert!(finished.await.unwrap());
    let job = ports.job(&inspection.job.id).await.unwrap().unwrap();
    assert_eq!(job, inspection.job);
    let listed = ports.jobs(&account.id, None, None, 10).await.unwrap();
    assert_eq!(listed.jobs, []);
    let used = ports.used(&account.id, env.now().period()).await.unwrap();
    assert_eq!(used.this_month, 0);

    let job = claimed(ports, &job, env.now()).await;
    let size = |width| PageSize {
        width,
        height: 841.889_76,
    };
    let work = job.document.clone().unwrap();
    let sizes = [size(595.275_6), size(1_000.0)];
    let pages = VersionPages::found(&work, 2, &sizes);
    let completed = AttemptOutcome::Completed {
        output: Box::new(sample::output(&job)),
        warnings: Vec::new(),
        findings: None,
        etag: version.etag.clone(),
    };
    let outcome = job.finish(completed, env.now());
    assert_eq!((&outcome.event, &outcome.refund), (&None, &None));
    let outcome = outcome.with_library_change(LibraryChange::Pages(pages));
    assert!(ports.apply(&outcome).await.unwrap());
    let found = ports.versions(&document.id, 20).await.unwrap();
    let known = Version {
        page_count: Some(2),
        page_sizes: sizes.to_vec(),
        ..version
    };
    assert_eq!(found, [known]);
}

pub(super) async fn words_of_several_pages_are_added<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let (document, _) = imported(ports, env, &account, "a.pdf", env.now()).await;
    let (account, id) = (&account.id, &document.id);
    let words = ["alpha one", "beta two", "gamma three"].map(Words::of);
    let all = words
        .iter()
        .map(|words| ports.add_words(account, id, words));
    for added in join_all(all).await {
        assert!(added.unwrap());
    }
    let found = ports.with_words(account, std::slice::from_ref(id)).await;
    let found: Vec<_> = found.unwrap()[0].1.iter().map(str::to_owned).collect();
    assert_eq!(found, ["alpha", "beta", "gamma", "one", "three", "two"]);
    for word in ["alpha", "beta", "gamma"] {
        let postings = ports.postings(account, word, None, 10).await.unwrap();
        assert_eq!(postings.postings.len(), 1, "{word}");
    }
}

pub(super) async fn attached_objects_of_a_version_are_read_and_removed<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Business).await;
    let (document, version) = imported(ports, env, &account, "a.pdf", env.now()).await;
    let object = pages_object(&account.id, &document.id, &version.id);
    assert_eq!(ports.content(&object, 10).await.unwrap(), None);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"[[1,2]]").unwrap();
    let kept = ports.store(file.path(), &object, "application/json").await;
    kept.unwrap();
    let read = ports.content(&object, 7).await.unwrap();
    assert_eq!(read.as_deref(), Some(b"[[1,2]]".as_slice()));
    assert_eq!(ports.content(&object, 6).await.unwrap(), None);
    ports.discard(&object).await.unwrap();
    ports.discard(&object).await.unwrap();
    assert_eq!(ports.metadata(&object).await.unwrap(), None);
}
