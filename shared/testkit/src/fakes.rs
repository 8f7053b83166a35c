//! Every port in memory, with faults on demand.

mod accounts;
mod callers;
mod deliveries;
mod erasure;
mod events;
mod jobs;
mod keys;
mod library;
mod objects;
mod outbox;
mod queues;
mod receivers;
mod remote;
mod secrets;
mod state;
mod subscriptions;
mod uploads;
mod usage;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::event::Event;
use domain::id::JobId;
use domain::job::{Charge, Job};
use domain::outbox::shard;
use domain::ports::PortError;
use domain::timestamp::Timestamp;
use tempfile::TempDir;

pub use queues::{Continuation, SentDelivery, SentTicket};
pub use receivers::ReceiverCall;
use state::State;

use crate::world::{Download, World};

/// A call of a port that can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is a method of a port")]
pub enum Call {
    Admit,
    Used,
    Manage,
    Accept,
    Replay,
    ReadJob,
    ListJobs,
    Apply,
    ExtendLease,
    Due,
    Postpone,
    Remove,
    Send,
    Publish,
    Inspect,
    Fetch,
    Store,
    Copy,
    Discard,
    UploadUrl,
    DownloadUrl,
    Remember,
    ReadLibrary,
    ChangeLibrary,
    TidyLibrary,
    Import,
    KeptStep,
    FetchStep,
    KeepStep,
    Switch,
    Erase,
    Seal,
    Open,
    ReadSubscriptions,
    Subscribe,
    Unsubscribe,
    ReplaceSecrets,
    Note,
    Disable,
    ReadDeliveries,
    AddDeliveries,
    ApplyDelivery,
    DueDeliveries,
    PostponeDelivery,
    SendDeliveries,
    ContinueFanOut,
    Reject,
    CallReceiver,
    Plan,
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Others write the same rows.
    Contended,
    /// The service does not answer, and does nothing.
    Unavailable,
    /// The same, after having been waited for so long.
    TimedOut(Duration),
    /// The service does it, and its answer is lost.
    AnswerLost,
}

/// What a call says that was waited for in vain.
const NO_ANSWER_IN_TIME: &str = "no answer in time";

/// Every port in memory. Documents lie in a directory that is deleted at the end.
pub struct Fakes {
    state: Mutex<State>,
    /// How the next calls go; those behind them go well.
    faults: Mutex<HashMap<Call, Vec<Option<Fault>>>>,
    /// What others do just before a call, and how many calls of that kind come before it.
    deeds: Mutex<Vec<(Call, usize, Deed)>>,
    documents: TempDir,
}

/// What another does.
type Deed = Box<dyn FnOnce(&Fakes) + Send>;

impl Fakes {
    /// An empty world.
    ///
    /// # Panics
    /// When no temporary directory can be made.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it makes a directory")]
    pub fn new() -> Self {
        Self {
            state: Mutex::default(),
            faults: Mutex::default(),
            deeds: Mutex::default(),
            documents: TempDir::new().expect("a temporary directory"),
        }
    }

    /// Makes the next `times` calls fail.
    pub fn fail(&self, call: Call, fault: Fault, times: usize) {
        let mut faults = lock(&self.faults);
        let open = faults.entry(call).or_default();
        open.extend(std::iter::repeat_n(Some(fault), times));
    }

    /// Lets the next `times` calls go well, before what is to fail.
    pub fn let_pass(&self, call: Call, times: usize) {
        let mut faults = lock(&self.faults);
        let open = faults.entry(call).or_default();
        open.extend(std::iter::repeat_n(None, times));
    }

    /// Has something happen just before a call, after `passing` calls of that kind: what another does meanwhile.
    pub fn before(&self, call: Call, passing: usize, deed: impl FnOnce(&Self) + Send + 'static) {
        lock(&self.deeds).push((call, passing, Box::new(deed)));
    }

    /// Lets every call go well from now on.
    pub fn let_all_pass(&self) {
        lock(&self.faults).clear();
    }

    /// Every ticket that was sent, in order.
    #[must_use]
    pub fn sent(&self) -> Vec<SentTicket> {
        lock(&self.state).sent.clone()
    }

    /// Every event that the bus took, in order.
    #[must_use]
    pub fn published(&self) -> Vec<Event> {
        lock(&self.state).published.clone()
    }

    /// What was given back for a job.
    #[must_use]
    pub fn refund(&self, job: &JobId) -> Option<Charge> {
        lock(&self.state).refunds.get(job).cloned()
    }

    /// Stores a job as it is, for tests that begin in the middle of its life.
    pub fn put_job(&self, job: Job) {
        lock(&self.state).jobs.insert(job.id.clone(), job);
    }

    /// Puts a row that cannot be read into the outbox, due at `due` in the shard of `job`.
    pub fn put_unreadable_row(&self, job: &JobId, due: Timestamp) {
        let mut state = lock(&self.state);
        let name = format!("unreadable {}", state.unreadable.len());
        state.unreadable.insert(name, (shard(job), due));
    }

    /// Deletes a job, as its time to live does; the rows that belong to it stay.
    pub fn remove_job(&self, job: &JobId) {
        lock(&self.state).jobs.remove(job);
    }

    /// Stores an object as if it had been uploaded, and returns its entity tag.
    ///
    /// # Panics
    /// When the directory cannot be written.
    pub fn put_object(&self, name: &str, content_type: &str, body: &[u8]) -> String {
        objects::put(
            &mut lock(&self.state),
            self.documents.path(),
            name,
            content_type,
            body,
        )
    }

    /// Deletes an object.
    pub fn remove_object(&self, name: &str) {
        lock(&self.state).objects.remove(name);
    }

    /// The media type and the bytes of an object.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<(String, Vec<u8>)> {
        objects::read(&lock(&self.state), name)
    }

    fn directory(&self) -> &Path {
        self.documents.path()
    }

    /// Does `work` as one step, or what the next fault for `call` says.
    async fn call<T>(
        &self,
        call: Call,
        work: impl FnOnce(&mut State) -> Result<T, PortError>,
    ) -> Result<T, PortError> {
        self.do_what_comes_before(call);
        let fault = self.next_fault(call);
        match fault {
            Some(Fault::Contended) => return Err(PortError::Contended),
            Some(Fault::Unavailable) => return Err(unavailable("does not answer")),
            Some(Fault::TimedOut(after)) => {
                tokio::time::sleep(after).await;
                return Err(unavailable(NO_ANSWER_IN_TIME));
            }
            Some(Fault::AnswerLost) | None => {}
        }
        let answer = work(&mut lock(&self.state));
        if fault.is_some() {
            return Err(unavailable("the answer was lost"));
        }
        answer
    }

    fn do_what_comes_before(&self, call: Call) {
        let mut due = Vec::new();
        {
            let mut deeds = lock(&self.deeds);
            let mut open = Vec::new();
            for (awaited, passing, deed) in deeds.drain(..) {
                match (awaited == call, passing) {
                    (true, 0) => due.push(deed),
                    (true, passing) => open.push((awaited, passing - 1, deed)),
                    (false, passing) => open.push((awaited, passing, deed)),
                }
            }
            *deeds = open;
        }
        for deed in due {
            deed(self);
        }
    }

    fn next_fault(&self, call: Call) -> Option<Fault> {
        let mut faults = lock(&self.faults);
        let open = faults.get_mut(&call)?;
        (!open.is_empty()).then(|| open.remove(0)).flatten()
    }
}

#[async_trait]
impl World for Fakes {
    fn now(&self) -> Timestamp {
        Timestamp(1_795_250_000_000)
    }

    fn random(&self) -> u128 {
        rand::random()
    }

    async fn put(&self, url: &str, headers: &[(String, String)], body: Vec<u8>) -> u16 {
        uploads::upload(
            &mut lock(&self.state),
            self.directory(),
            url,
            headers,
            &body,
        )
    }

    async fn get(&self, url: &str) -> Download {
        objects::download(&lock(&self.state), url)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unavailable(reason: impl Into<String>) -> PortError {
    PortError::Unavailable {
        service: "fake",
        reason: reason.into(),
    }
}
