//! Erasing an account, on ports in memory and a clock that jumps.

use domain::account::Account;
use domain::id::SourceKey;
use domain::job::{JobError, JobErrorCode};
use domain::plan::Plan;
use domain::ports::{Accepted, Accounts, Deliveries, ImportBegun, Jobs, Keys, Library, Subscribed};
use domain::source::{result_object, upload_object, version_object};
use domain::subscription::Trigger;
use domain::transition::{Claim, Ending};
use testkit::sample;
use testkit::{Call, Fakes, Fault, World};
use tokio::time::Instant;

use super::*;

const WAIT: Duration = Duration::from_secs(60);

/// A world with an account, and a clock that goes with tokio's.
struct Stage {
    fakes: Fakes,
    account: Account,
    begun: Instant,
}

impl Stage {
    async fn new() -> Self {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Pro);
        fakes.create_account(&account).await.unwrap();
        Self {
            fakes,
            account,
            begun: Instant::now(),
        }
    }

    fn now(&self) -> Timestamp {
        self.fakes.now().plus(self.begun.elapsed())
    }

    async fn erase(&self) -> Result<Value, AdminError> {
        let erasure = AccountErasure {
            ports: &self.fakes,
            account: &self.account.id,
            clock: || self.now(),
            wait: WAIT,
        };
        erasure.run().await
    }

    async fn job(&self) -> JobId {
        let fingerprint = sample::fingerprint(&self.fakes);
        let acceptance = sample::acceptance(&self.fakes, &self.account, &fingerprint);
        let accepted = self.fakes.accept(&acceptance).await.unwrap();
        assert_eq!(accepted, Accepted::New);
        acceptance.job.id
    }

    async fn claim(&self, id: &JobId) {
        let job = self.fakes.job(id).await.unwrap().unwrap();
        let Claim::Work(claim) = job.claim(self.now()) else {
            panic!("no work");
        };
        assert!(self.fakes.apply(&claim).await.unwrap());
    }

    async fn finish(&self, id: &JobId) {
        let job = self.fakes.job(id).await.unwrap().unwrap();
        let error = JobError::new(JobErrorCode::InputCorrupt, "broken");
        let ended = job.finish(Ending::Failed(error), self.now());
        assert!(self.fakes.apply(&ended).await.unwrap());
    }

    /// An import that has not ended.
    async fn import(&self) -> domain::library::Import {
        let start = sample::library::import(&self.fakes, &self.account, None, self.now());
        let begun = self.fakes.begin_import(&start).await.unwrap();
        assert_eq!(begun, ImportBegun::New);
        start.import
    }

    async fn document(&self) -> DocumentId {
        let import = self.import().await;
        let (document, version) = sample::library::brought(&import, "report.pdf");
        let object = version_object(&self.account.id, &document.id, &version.id);
        self.fakes.put_object(&object, "application/pdf", b"%PDF");
        let finished = self
            .fakes
            .finish_import(&import, &document, &version, None)
            .await;
        assert!(finished.unwrap());
        document.id
    }
}

#[tokio::test(start_paused = true)]
async fn everything_of_an_account_goes_and_nothing_of_another() {
    let stage = Stage::new().await;
    let other = sample::account(&stage.fakes, Plan::Pro);
    stage.fakes.create_account(&other).await.unwrap();
    let (key, _) = sample::key(&stage.fakes, &stage.account);
    stage.fakes.create_key(&key).await.unwrap();
    let jobs = [stage.job().await, stage.job().await];
    let kept = stage.document().await;
    let deleted = stage.document().await;
    let removal = Removal {
        account_id: stage.account.id.clone(),
        document_id: deleted.clone(),
        removed_at: stage.now(),
    };
    assert!(stage.fakes.remove_document(&removal).await.unwrap());
    let running = stage.import().await.document_id;
    let source = SourceKey::mint(stage.now(), 1);
    let theirs = upload_object(&other.id, &source);
    let own = upload_object(&stage.account.id, &source);
    let result = result_object(&stage.account.id, &jobs[0], 1, "document.pdf");
    let step = format!("steps/{}/0/facts.json", stage.account.id);
    for object in [&theirs, &own, &result, &step] {
        stage.fakes.put_object(object, "text/plain", b"text");
    }

    let hook = sample::subscription::hook(&stage.fakes, &stage.account, Trigger::QrScanned);
    let webhook = sample::subscription::webhook(&stage.fakes, &stage.account);
    let foreign = sample::subscription::webhook(&stage.fakes, &other);
    for one in [&hook, &webhook, &foreign] {
        let subscribed = stage.fakes.subscribe(one, 10, None).await.unwrap();
        assert_eq!(subscribed, Subscribed::New);
        let delivery = sample::subscription::delivery(&stage.fakes, one, stage.now());
        stage.fakes.add_deliveries(vec![delivery]).await.unwrap();
    }
    let (owner, now) = (&stage.account.id, stage.now());
    assert!(stage.fakes.unsubscribe(owner, &hook.id, now).await.unwrap());

    let answer = stage.erase().await.unwrap();
    let left = stage.fakes.all_deliveries();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].subscription_id, foreign.id);
    let erased = json!({
        "credentials": 1, "jobs": 2, "imports": 3, "uploads": 0, "documents": 1, "subscriptions": 2,
        "objects": 5,
    });
    assert_eq!(answer["erased"], erased);
    let until = stage.fakes.now().plus(UPLOADS_ARRIVE);
    assert_eq!(answer["uploadsArriveUntil"], json!(until));
    for job in &jobs {
        assert_eq!(stage.fakes.job(job).await.unwrap(), None);
    }
    for document in [&kept, &deleted, &running] {
        assert!(!stage.fakes.holds_anything_of(document), "{document}");
    }
    assert_eq!(stage.fakes.object(&own), None);
    assert_eq!(stage.fakes.object(&result), None);
    assert_eq!(stage.fakes.object(&step), None);
    assert!(stage.fakes.object(&theirs).is_some());
    assert_eq!(stage.fakes.account(&stage.account.id).await.unwrap(), None);
    assert_eq!(stage.fakes.keys(&stage.account.id).await.unwrap(), []);
    let page = stage
        .fakes
        .traces(&stage.account.id, None, 9)
        .await
        .unwrap();
    assert_eq!(page.traces, []);
    assert!(stage.fakes.account(&other.id).await.unwrap().is_some());
}

#[tokio::test(start_paused = true)]
async fn requests_that_were_let_in_before_are_waited_for_once() {
    let stage = Stage::new().await;
    let begun = stage.now();
    stage.fakes.fail(Call::TidyLibrary, Fault::Unavailable, 1);
    assert!(stage.erase().await.is_err());
    assert_eq!(stage.now(), begun.plus(IN_FLIGHT));
    stage.erase().await.unwrap();
    assert_eq!(stage.now(), begun.plus(IN_FLIGHT));
}

#[tokio::test(start_paused = true)]
async fn a_job_that_is_being_processed_is_waited_for() {
    let stage = Stage::new().await;
    let id = stage.job().await;
    stage.claim(&id).await;
    let finish = async {
        sleep(IN_FLIGHT + WAIT / 2).await;
        stage.finish(&id).await;
    };
    let (erased, ()) = tokio::join!(stage.erase(), finish);
    assert_eq!(erased.unwrap()["erased"]["jobs"], 1);
    assert_eq!(stage.fakes.job(&id).await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_is_processed_for_longer_is_a_refusal_that_erases_nothing() {
    let stage = Stage::new().await;
    let [held, waiting] = [stage.job().await, stage.job().await];
    stage.claim(&held).await;
    stage.document().await;
    let refused = stage.erase().await.unwrap_err();
    let AdminError::Refused(reason) = refused else {
        panic!("{refused}");
    };
    assert!(reason.contains(held.as_str()) && !reason.contains(waiting.as_str()));
    let status = stage.fakes.job(&waiting).await.unwrap().unwrap().status;
    assert_eq!(status, JobStatus::Failed, "cancelled");
    let library = stage.fakes.documents(&stage.account.id, None, 9).await;
    assert_eq!(library.unwrap().documents.len(), 1);
    stage.finish(&held).await;
    let erased = stage.erase().await.unwrap();
    assert_eq!(erased["erased"]["jobs"], 2);
}

#[tokio::test(start_paused = true)]
async fn another_run_finishes_what_was_broken_off_anywhere() {
    for call in [
        Call::Erase,
        Call::TidyLibrary,
        Call::ReadLibrary,
        Call::Apply,
    ] {
        for place in 0..6 {
            let stage = Stage::new().await;
            let job = stage.job().await;
            let document = stage.document().await;
            // The calls before the faulty one succeed.
            stage.fakes.let_pass(call, place);
            stage.fakes.fail(call, Fault::AnswerLost, 1);
            let broken_off = stage.erase().await.is_err();
            stage.fakes.let_all_pass();
            if broken_off {
                match stage.erase().await {
                    Ok(_) | Err(AdminError::Unknown(_)) => {}
                    Err(error) => panic!("{call:?} {place}: {error}"),
                }
            }
            assert_eq!(stage.fakes.job(&job).await.unwrap(), None);
            assert!(
                !stage.fakes.holds_anything_of(&document),
                "{call:?} {place}"
            );
            assert_eq!(stage.fakes.account(&stage.account.id).await.unwrap(), None);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_arrives_later_goes_with_another_run() {
    let stage = Stage::new().await;
    stage.erase().await.unwrap();
    let late = upload_object(&stage.account.id, &SourceKey::mint(stage.now(), 2));
    stage.fakes.put_object(&late, "text/plain", b"late");
    assert_eq!(stage.erase().await.unwrap()["erased"]["objects"], 1);
    assert_eq!(stage.fakes.object(&late), None);
    let nothing = stage.erase().await.unwrap_err();
    let id = stage.account.id.as_str();
    assert!(matches!(&nothing, AdminError::Unknown(named) if named.ends_with(id)));
}
