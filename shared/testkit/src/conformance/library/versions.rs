//! Versions that jobs make: with the job's ending or not at all.

use domain::account::Account;
use domain::event::Event;
use domain::id::VersionId;
use domain::job::{DocumentResult, DocumentWork, Job, JobLimits, JobStatus};
use domain::library::{
    Document, Draft, LibraryChange, Look, LookTerms, NewVersion, PageSize, Removal, Version,
    VersionPages, Words, page_id,
};
use domain::plan::Plan;
use domain::ports::{Accepted, Chore, PortError};
use domain::retry::REPUBLISH_AFTER;
use domain::source::{pages_object, result_object};
use domain::timestamp::{Timestamp, days};
use domain::transition::{Ending, Transition};
use futures::future::join_all;

use super::telling::told;
use super::{imported, removal};
use crate::conformance::{claimed, customer};
use crate::sample;
use crate::world::{Ports, World};

/// A job on a document, at work, and the document with its only version.
struct AtWork {
    account: Account,
    job: Job,
    document: Document,
    parent: Version,
}

impl AtWork {
    async fn begin<P: Ports, W: World>(ports: &P, world: &W) -> Self {
        let account = customer(ports, world, Plan::Business).await;
        let (document, parent) = imported(ports, world, &account, "a.pdf", world.now()).await;
        let mut acceptance = sample::acceptance(world, &account, &sample::fingerprint(world));
        acceptance.job.document = Some(DocumentWork {
            document: document.id.clone(),
            version: parent.id.clone(),
            page: None,
            result: DocumentResult::Version,
        });
        assert_eq!(ports.accept(&acceptance).await.unwrap(), Accepted::New);
        let job = claimed(ports, &acceptance.job, world.now()).await;
        Self {
            account,
            job,
            document,
            parent,
        }
    }

    /// A draft whose content is stored.
    async fn draft<P: Ports, W: World>(&self, ports: &P, world: &W) -> (Draft, String) {
        let draft = Draft {
            account_id: self.account.id.clone(),
            document_id: self.document.id.clone(),
            version_id: VersionId::mint(world.now(), world.random()),
            begun_at: world.now(),
        };
        ports.begin_draft(&draft).await.unwrap();
        let result = result_object(&self.account.id, &self.job.id, 1, "document.pdf");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"%PDF result").unwrap();
        ports
            .store(file.path(), &result, "application/pdf")
            .await
            .unwrap();
        let etag = ports.copy(&result, &draft.object()).await.unwrap().unwrap();
        (draft, etag)
    }

    fn ending(&self, document: &Document, draft: &(Draft, String), now: Timestamp) -> Transition {
        let output = sample::output(&self.job);
        let (draft, etag) = draft;
        let new = NewVersion::of(
            &self.job,
            &output,
            (document, &self.parent),
            (draft, etag),
            now,
        );
        let completed = Ending::Completed {
            output: Box::new(output),
            warnings: Vec::new(),
            findings: None,
        };
        let change = LibraryChange::Version(Box::new(new));
        self.job.finish(completed, now).in_library(change)
    }

    async fn now_is<P: Ports>(&self, ports: &P) -> Option<Document> {
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

/// Whether `sweep` finds the draft at `now`.
async fn waits<P: Ports>(ports: &P, draft: &Draft, now: Timestamp) -> bool {
    let shard = domain::library::shard(&draft.document_id);
    let mut after = None;
    loop {
        let page = ports.chores(shard, now, after.as_ref(), 50).await.unwrap();
        if page.chores.contains(&Chore::Draft(draft.clone())) {
            return true;
        }
        after = page.next;
        if after.is_none() {
            return false;
        }
    }
}

pub(super) async fn a_version_comes_with_the_ending_of_its_job<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let at_work = AtWork::begin(ports, world).await;
    let draft = at_work.draft(ports, world).await;
    assert!(!waits(ports, &draft.0, world.now()).await);
    assert!(waits(ports, &draft.0, draft.0.due()).await);
    let facts = ports.facts(&draft.0.object()).await.unwrap().unwrap();
    assert_eq!((facts.size_bytes, &facts.etag), (11, &draft.1));
    assert_eq!(facts.content_type, "application/pdf");

    let ending = at_work.ending(&at_work.document, &draft, world.now());
    let new = new_version(&ending);
    assert!(ports.apply(&ending).await.unwrap());
    assert_eq!(at_work.now_is(ports).await.as_ref(), Some(&new.document));
    let versions = ports.versions(&at_work.document.id, 20).await.unwrap();
    assert!(versions.contains(&new.version) && versions.contains(&at_work.parent));
    let stored = ports.job(&at_work.job.id).await.unwrap().unwrap();
    assert_eq!(stored, ending.job);
    assert!(!waits(ports, &draft.0, draft.0.due()).await);
    let document = &at_work.document.id;
    let due = new.version.created_at.plus(REPUBLISH_AFTER);
    let told = told(ports, document, due).await;
    assert!(told.contains(&Event::of_version(&new.version)), "{told:?}");
    let look = new.look.as_ref().unwrap();
    assert_eq!(
        ports.job(&look.job.id).await.unwrap().as_ref(),
        Some(&look.job)
    );
    let listed = ports
        .jobs(&at_work.account.id, None, None, 10)
        .await
        .unwrap();
    let listed: Vec<_> = listed.jobs.iter().map(|job| &job.id).collect();
    assert_eq!(listed, [&at_work.job.id], "a look is in no list");

    assert!(!ports.apply(&ending).await.unwrap(), "ended twice");
    ports.drop_draft(&draft.0).await.unwrap();
    assert!(
        ports.facts(&draft.0.object()).await.unwrap().is_some(),
        "a version's content was dropped as a draft"
    );
    let page = page_id(&new.version.id, 1).unwrap();
    let found = ports.versions_of_page(&at_work.document.id, &page).await;
    assert!(found.unwrap().contains(&new.version));
    let earlier = VersionId::mint(Timestamp(1), 1);
    let page = page_id(&earlier, 1).unwrap();
    let found = ports.versions_of_page(&at_work.document.id, &page).await;
    assert_eq!(found.unwrap(), []);
}

pub(super) async fn an_ending_made_from_an_older_document_is_made_anew<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let at_work = AtWork::begin(ports, world).await;
    let draft = at_work.draft(ports, world).await;
    let ending = at_work.ending(&at_work.document, &draft, world.now());
    let mut tagged = at_work.document.clone();
    (tagged.revision, tagged.tags) = (2, vec!["tax".to_owned()]);
    assert!(ports.replace_document(&tagged, 1).await.unwrap());
    let refused = ports.apply(&ending).await;
    assert!(matches!(refused, Err(PortError::Contended)), "{refused:?}");
    let stored = ports.job(&at_work.job.id).await.unwrap().unwrap();
    assert_eq!(stored.status, JobStatus::Processing, "half an ending");
    let versions = ports.versions(&at_work.document.id, 20).await.unwrap();
    assert_eq!(versions, std::slice::from_ref(&at_work.parent));
    let due = world.now().plus(REPUBLISH_AFTER);
    let told = told(ports, &at_work.document.id, due).await;
    assert_eq!(
        told,
        [Event::of_import(&at_work.parent)],
        "nothing was made"
    );

    let again = at_work.ending(&tagged, &draft, world.now());
    assert!(ports.apply(&again).await.unwrap());
    let changed = at_work.now_is(ports).await.unwrap();
    assert_eq!((changed.tags, changed.version_count), (tagged.tags, 2));
}

pub(super) async fn nothing_comes_to_a_document_that_is_gone<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let at_work = AtWork::begin(ports, world).await;
    let draft = at_work.draft(ports, world).await;
    let ending = at_work.ending(&at_work.document, &draft, world.now());
    let removal = removal(&at_work.document, world.now());
    assert!(ports.remove_document(&removal).await.unwrap());
    let refused = ports.apply(&ending).await;
    assert!(matches!(refused, Err(PortError::Contended)), "{refused:?}");
    ports.drop_draft(&draft.0).await.unwrap();
    assert_eq!(ports.facts(&draft.0.object()).await.unwrap(), None);
    assert!(!waits(ports, &draft.0, draft.0.due()).await);
    ports.purge(&removal, false).await.unwrap();
    // A crash here would leave content that came late to the second round.
    let late = at_work.draft(ports, world).await;
    let words = Words::of("late");
    let account = &at_work.account.id;
    let added = ports.add_words(account, &at_work.document.id, &words).await;
    assert!(!added.unwrap());
    ports.purge(&removal, true).await.unwrap();
    assert_eq!(ports.facts(&late.0.object()).await.unwrap(), None);
    assert!(!waits(ports, &late.0, late.0.due().max(removal_end(&removal))).await);
}

fn removal_end(removal: &Removal) -> Timestamp {
    removal.removed_at.plus(Removal::LATECOMERS)
}

pub(super) async fn pages_become_known<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Business).await;
    let start = sample::library::import(world, &account, None, world.now());
    let (document, version) = sample::library::brought(&start.import, "a.pdf");
    let terms = LookTerms {
        limits: JobLimits::from(account.plan.limits()),
        kept: days(30),
        result_days: 7,
        traceparent: None,
    };
    let look = Look::into_version(&version, terms, world.now()).unwrap();
    ports.begin_import(&start).await.unwrap();
    let finished = ports.finish_import(&start.import, &document, &version, Some(&look));
    assert!(finished.await.unwrap());
    let job = ports.job(&look.job.id).await.unwrap().unwrap();
    assert_eq!(job, look.job);
    let listed = ports.jobs(&account.id, None, None, 10).await.unwrap();
    assert_eq!(listed.jobs, []);
    let used = ports.used(&account.id, world.now().period()).await.unwrap();
    assert_eq!(used.this_month, 0);

    let job = claimed(ports, &job, world.now()).await;
    let size = |width| PageSize {
        width,
        height: 841.889_76,
    };
    let work = job.document.clone().unwrap();
    let sizes = [size(595.275_6), size(1_000.0)];
    let pages = VersionPages::found(&work, 2, &sizes);
    let completed = Ending::Completed {
        output: Box::new(sample::output(&job)),
        warnings: Vec::new(),
        findings: None,
    };
    let ending = job.finish(completed, world.now());
    assert_eq!((&ending.event, &ending.refund), (&None, &None));
    let ending = ending.in_library(LibraryChange::Pages(pages));
    assert!(ports.apply(&ending).await.unwrap());
    let found = ports.versions(&document.id, 20).await.unwrap();
    let known = Version {
        page_count: Some(2),
        page_sizes: sizes.to_vec(),
        ..version
    };
    assert_eq!(found, [known]);
}

pub(super) async fn words_of_pages_come_to_each_other<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Business).await;
    let (document, _) = imported(ports, world, &account, "a.pdf", world.now()).await;
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

pub(super) async fn objects_beside_a_version_are_read_and_removed<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let account = customer(ports, world, Plan::Business).await;
    let (document, version) = imported(ports, world, &account, "a.pdf", world.now()).await;
    let object = pages_object(&account.id, &document.id, &version.id);
    assert_eq!(ports.content(&object, 10).await.unwrap(), None);
    assert_eq!(ports.copy(&object, "nowhere").await.unwrap(), None);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"[[1,2]]").unwrap();
    let kept = ports.store(file.path(), &object, "application/json").await;
    kept.unwrap();
    let read = ports.content(&object, 7).await.unwrap();
    assert_eq!(read.as_deref(), Some(b"[[1,2]]".as_slice()));
    assert_eq!(ports.content(&object, 6).await.unwrap(), None);
    ports.discard(&object).await.unwrap();
    ports.discard(&object).await.unwrap();
    assert_eq!(ports.facts(&object).await.unwrap(), None);
}
