//! Erasure of accounts over in-memory ports, with a simulated clock.

use domain::account::Account;
use domain::id::SourceKey;
use domain::job::{JobError, JobErrorCode};
use domain::plan::Plan;
use domain::ports::{
    AcceptOutcome, Accounts, Deliveries, ImportStarted, Jobs, Keys, Library, Subscribed,
};
use domain::source::{result_object, upload_object, version_object};
use domain::subscription::Trigger;
use domain::transition::{AttemptOutcome, Claim};
use testkit::sample;
use testkit::{Call, Environment, Fakes, Fault};
use tokio::time::Instant;

use super::*;

const WAIT: Duration = Duration::from_secs(60);

/// Fakes with an account, and a clock that follows tokio's paused time.
struct Fixture {
    fakes: Fakes,
    account: Account,
    started: Instant,
}

impl Fixture {
    async fn new() -> Self {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Pro);
        fakes.create_account(&account).await.unwrap();
        Self {
            fakes,
            account,
            started: Instant::now(),
        }
    }

    fn now(&self) -> Timestamp {
        self.fakes.now().plus(self.started.elapsed())
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
        assert_eq!(accepted, AcceptOutcome::New);
        acceptance.job.id
    }

    async fn claim(&self, id: &JobId) {
        let job = self.fakes.job(id).await.unwrap().unwrap();
        let Claim::Work(claim) = job.claim(self.now()) else {
            panic!("not claimed");
        };
        assert!(self.fakes.apply(&claim).await.unwrap());
    }

    async fn finish(&self, id: &JobId) {
        let job = self.fakes.job(id).await.unwrap().unwrap();
        let error = JobError::new(JobErrorCode::InputCorrupt, "broken");
        let ended = job.finish(AttemptOutcome::Failed(error), self.now());
        assert!(self.fakes.apply(&ended).await.unwrap());
    }

    /// Starts an import.
    async fn import(&self) -> domain::library::Import {
        let start = sample::library::import(&self.fakes, &self.account, None, self.now());
        let started = self.fakes.start_import(&start).await.unwrap();
        assert_eq!(started, ImportStarted::New);
        start.import
    }

    async fn document(&self) -> DocumentId {
        let import = self.import().await;
        let (document, version) = sample::library::imported_document(&import, "report.pdf");
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
async fn all_data_of_the_account_is_erased_and_none_of_others() {
    let fixture = Fixture::new().await;
    let other = sample::account(&fixture.fakes, Plan::Pro);
    fixture.fakes.create_account(&other).await.unwrap();
    let (key, _) = sample::key(&fixture.fakes, &fixture.account);
    fixture.fakes.create_key(&key).await.unwrap();
    let jobs = [fixture.job().await, fixture.job().await];
    let remaining = fixture.document().await;
    let deleted = fixture.document().await;
    let removal = Removal {
        account_id: fixture.account.id.clone(),
        document_id: deleted.clone(),
        removed_at: fixture.now(),
    };
    assert!(fixture.fakes.remove_document(&removal).await.unwrap());
    let running = fixture.import().await.document_id;
    let source = SourceKey::mint(fixture.now(), 1);
    let theirs = upload_object(&other.id, &source);
    let own = upload_object(&fixture.account.id, &source);
    let result = result_object(&fixture.account.id, &jobs[0], 1, "document.pdf");
    let step = format!("steps/{}/0/facts.json", fixture.account.id);
    for object in [&theirs, &own, &result, &step] {
        fixture.fakes.put_object(object, "text/plain", b"text");
    }

    let hook = sample::subscription::hook(&fixture.fakes, &fixture.account, Trigger::QrScanned);
    let webhook = sample::subscription::webhook(&fixture.fakes, &fixture.account);
    let foreign = sample::subscription::webhook(&fixture.fakes, &other);
    for one in [&hook, &webhook, &foreign] {
        let subscribed = fixture.fakes.subscribe(one, 10, None).await.unwrap();
        assert_eq!(subscribed, Subscribed::New);
        let delivery = sample::subscription::delivery(&fixture.fakes, one, fixture.now());
        fixture.fakes.add_deliveries(vec![delivery]).await.unwrap();
    }
    let (owner, now) = (&fixture.account.id, fixture.now());
    assert!(
        fixture
            .fakes
            .unsubscribe(owner, &hook.id, now)
            .await
            .unwrap()
    );

    let answer = fixture.erase().await.unwrap();
    let remaining_rows = fixture.fakes.all_deliveries();
    assert_eq!(remaining_rows.len(), 1);
    assert_eq!(remaining_rows[0].subscription_id, foreign.id);
    let erased = json!({
        "credentials": 1, "jobs": 2, "imports": 3, "uploads": 0, "documents": 1, "subscriptions": 2,
        "objects": 5,
    });
    assert_eq!(answer["erased"], erased);
    let until = fixture.fakes.now().plus(UPLOAD_URL_LIFETIME);
    assert_eq!(answer["uploadsArriveUntil"], json!(until));
    for job in &jobs {
        assert_eq!(fixture.fakes.job(job).await.unwrap(), None);
    }
    for document in [&remaining, &deleted, &running] {
        assert!(!fixture.fakes.has_data_of(document), "{document}");
    }
    assert_eq!(fixture.fakes.object(&own), None);
    assert_eq!(fixture.fakes.object(&result), None);
    assert_eq!(fixture.fakes.object(&step), None);
    assert!(fixture.fakes.object(&theirs).is_some());
    assert_eq!(
        fixture.fakes.account(&fixture.account.id).await.unwrap(),
        None
    );
    assert_eq!(fixture.fakes.keys(&fixture.account.id).await.unwrap(), []);
    let page = fixture
        .fakes
        .records(&fixture.account.id, None, 9)
        .await
        .unwrap();
    assert_eq!(page.records, []);
    assert!(fixture.fakes.account(&other.id).await.unwrap().is_some());
}

#[tokio::test(start_paused = true)]
async fn running_requests_are_awaited_once() {
    let fixture = Fixture::new().await;
    let started = fixture.now();
    fixture.fakes.fail(Call::TidyLibrary, Fault::Unavailable, 1);
    assert!(fixture.erase().await.is_err());
    assert_eq!(fixture.now(), started.plus(IN_FLIGHT));
    fixture.erase().await.unwrap();
    assert_eq!(fixture.now(), started.plus(IN_FLIGHT));
}

#[tokio::test(start_paused = true)]
async fn running_jobs_are_awaited() {
    let fixture = Fixture::new().await;
    let id = fixture.job().await;
    fixture.claim(&id).await;
    let finish = async {
        sleep(IN_FLIGHT + WAIT / 2).await;
        fixture.finish(&id).await;
    };
    let (erased, ()) = tokio::join!(fixture.erase(), finish);
    assert_eq!(erased.unwrap()["erased"]["jobs"], 1);
    assert_eq!(fixture.fakes.job(&id).await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_runs_too_long_is_an_error_and_nothing_is_erased() {
    let fixture = Fixture::new().await;
    let [held, waiting] = [fixture.job().await, fixture.job().await];
    fixture.claim(&held).await;
    fixture.document().await;
    let rejected = fixture.erase().await.unwrap_err();
    let AdminError::Rejected(reason) = rejected else {
        panic!("{rejected}");
    };
    assert!(reason.contains(held.as_str()) && !reason.contains(waiting.as_str()));
    let status = fixture.fakes.job(&waiting).await.unwrap().unwrap().status;
    assert_eq!(status, JobStatus::Failed, "cancelled");
    let library = fixture.fakes.documents(&fixture.account.id, None, 9).await;
    assert_eq!(library.unwrap().documents.len(), 1);
    fixture.finish(&held).await;
    let erased = fixture.erase().await.unwrap();
    assert_eq!(erased["erased"]["jobs"], 2);
}

#[tokio::test(start_paused = true)]
async fn another_run_completes_an_interrupted_erasure() {
    for call in [
        Call::Erase,
        Call::TidyLibrary,
        Call::ReadLibrary,
        Call::Apply,
    ] {
        for place in 0..6 {
            let fixture = Fixture::new().await;
            let job = fixture.job().await;
            let document = fixture.document().await;
            // The calls before the failing one succeed.
            fixture.fakes.succeed_next(call, place);
            fixture.fakes.fail(call, Fault::ResponseLost, 1);
            let broken_off = fixture.erase().await.is_err();
            fixture.fakes.clear_faults();
            if broken_off {
                match fixture.erase().await {
                    Ok(_) | Err(AdminError::NotFound(_)) => {}
                    Err(error) => panic!("{call:?} {place}: {error}"),
                }
            }
            assert_eq!(fixture.fakes.job(&job).await.unwrap(), None);
            assert!(!fixture.fakes.has_data_of(&document), "{call:?} {place}");
            assert_eq!(
                fixture.fakes.account(&fixture.account.id).await.unwrap(),
                None
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn uploads_that_arrive_later_are_erased_by_another_run() {
    let fixture = Fixture::new().await;
    fixture.erase().await.unwrap();
    let late = upload_object(&fixture.account.id, &SourceKey::mint(fixture.now(), 2));
    fixture.fakes.put_object(&late, "text/plain", b"late");
    assert_eq!(fixture.erase().await.unwrap()["erased"]["objects"], 1);
    assert_eq!(fixture.fakes.object(&late), None);
    let nothing = fixture.erase().await.unwrap_err();
    let id = fixture.account.id.as_str();
    assert!(matches!(&nothing, AdminError::NotFound(named) if named.ends_with(id)));
}
