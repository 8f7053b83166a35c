//! In-memory fakes of every port, with fault injection.

mod accounts;
mod callers;
mod deliveries;
mod engine_functions;
mod erasure;
mod events;
mod jobs;
mod keys;
mod library;
mod objects;
mod outbox;
mod presigned;
mod queues;
mod receivers;
mod remote;
mod secrets;
mod state;
mod stored_files;
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
use domain::ports::{PortError, PresignedGet, UploadForm};
use domain::timestamp::Timestamp;
use tempfile::TempDir;

use engine_functions::EngineState;
pub use engine_functions::Invocation;
pub use presigned::crc64nvme;
pub use queues::{Continuation, SentDelivery, SentTicket};
pub use receivers::ReceiverCall;
use state::State;

use crate::environment::{Download, Environment};

/// A port call that can be made to fail.
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
    KeepStep,
    Stored,
    FirstBytes,
    InputRequest,
    OutputForm,
    Invoke,
    Switch,
    Erase,
    Seal,
    Open,
    ReadSubscriptions,
    Subscribe,
    Unsubscribe,
    ReplaceSecrets,
    UpdateHealth,
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
    /// Write conflict.
    Contended,
    /// The service does not respond and does nothing.
    Unavailable,
    /// As `Unavailable`, after this timeout.
    TimedOut(Duration),
    /// The service executes the request, but its response is lost.
    ResponseLost,
}

/// Error reason after a timeout.
const TIMED_OUT: &str = "timed out";

/// Every port in memory. Objects are files of a temporary directory, which is deleted on drop.
pub struct Fakes {
    state: Mutex<State>,
    /// Results of the next calls; `None` and all later calls succeed.
    faults: Mutex<HashMap<Call, Vec<Option<Fault>>>>,
    /// Concurrent actions to run just before a call, and how many calls of its kind precede it.
    interruptions: Mutex<Vec<(Call, usize, Interruption)>>,
    engines: Mutex<EngineState>,
    documents: TempDir,
}

/// An action of a concurrent caller.
type Interruption = Box<dyn FnOnce(&Fakes) + Send>;

impl Fakes {
    /// Fakes without data.
    ///
    /// # Panics
    /// If no temporary directory can be created.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it makes a directory")]
    pub fn new() -> Self {
        Self {
            state: Mutex::default(),
            faults: Mutex::default(),
            interruptions: Mutex::default(),
            engines: Mutex::default(),
            documents: TempDir::new().expect("a temporary directory"),
        }
    }

    /// Makes the next `times` calls fail with `fault`.
    pub fn fail(&self, call: Call, fault: Fault, times: usize) {
        let mut faults = lock(&self.faults);
        let open = faults.entry(call).or_default();
        open.extend(std::iter::repeat_n(Some(fault), times));
    }

    /// Makes the next `times` calls succeed, before those that fail.
    pub fn succeed_next(&self, call: Call, times: usize) {
        let mut faults = lock(&self.faults);
        let open = faults.entry(call).or_default();
        open.extend(std::iter::repeat_n(None, times));
    }

    /// Runs `interruption` just before a call, after `passing` calls of that kind, to simulate a concurrent caller.
    pub fn before(
        &self,
        call: Call,
        passing: usize,
        interruption: impl FnOnce(&Self) + Send + 'static,
    ) {
        lock(&self.interruptions).push((call, passing, Box::new(interruption)));
    }

    /// Removes all injected faults.
    pub fn clear_faults(&self) {
        lock(&self.faults).clear();
    }

    /// All sent tickets, in order.
    #[must_use]
    pub fn sent(&self) -> Vec<SentTicket> {
        lock(&self.state).sent.clone()
    }

    /// All published events, in order.
    #[must_use]
    pub fn published(&self) -> Vec<Event> {
        lock(&self.state).published.clone()
    }

    /// The refund of a job.
    #[must_use]
    pub fn refund(&self, job: &JobId) -> Option<Charge> {
        lock(&self.state).refunds.get(job).cloned()
    }

    /// Stores a job in any state.
    pub fn put_job(&self, job: Job) {
        lock(&self.state).jobs.insert(job.id.clone(), job);
    }

    /// Adds an unreadable row to the outbox, due at `due` in the shard of `job`.
    pub fn put_unreadable_row(&self, job: &JobId, due: Timestamp) {
        let mut state = lock(&self.state);
        let name = format!("unreadable {}", state.unreadable.len());
        state.unreadable.insert(name, (shard(job), due));
    }

    /// Deletes a job's record, as its TTL does; its other rows stay.
    pub fn remove_job(&self, job: &JobId) {
        lock(&self.state).jobs.remove(job);
    }

    /// Stores an object as if uploaded, and returns its ETag.
    ///
    /// # Panics
    /// If the directory is not writable.
    pub fn put_object(&self, name: &str, content_type: &str, body: &[u8]) -> String {
        stored_files::put(
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
        stored_files::read(&lock(&self.state), name)
    }

    fn directory(&self) -> &Path {
        self.documents.path()
    }

    /// Executes `work` atomically, or fails with the next fault of `call`.
    async fn call<T>(
        &self,
        call: Call,
        work: impl FnOnce(&mut State) -> Result<T, PortError>,
    ) -> Result<T, PortError> {
        self.run_interruptions(call);
        let fault = self.next_fault(call);
        match fault {
            Some(Fault::Contended) => return Err(PortError::Contended),
            Some(Fault::Unavailable) => return Err(unavailable("does not respond")),
            Some(Fault::TimedOut(after)) => {
                tokio::time::sleep(after).await;
                return Err(unavailable(TIMED_OUT));
            }
            Some(Fault::ResponseLost) | None => {}
        }
        let response = work(&mut lock(&self.state));
        if fault.is_some() {
            return Err(unavailable("the response was lost"));
        }
        response
    }

    fn run_interruptions(&self, call: Call) {
        let mut due = Vec::new();
        {
            let mut interruptions = lock(&self.interruptions);
            let mut open = Vec::new();
            for (awaited, passing, interruption) in interruptions.drain(..) {
                match (awaited == call, passing) {
                    (true, 0) => due.push(interruption),
                    (true, passing) => open.push((awaited, passing - 1, interruption)),
                    (false, passing) => open.push((awaited, passing, interruption)),
                }
            }
            *interruptions = open;
        }
        for interruption in due {
            interruption(self);
        }
    }

    fn next_fault(&self, call: Call) -> Option<Fault> {
        let mut faults = lock(&self.faults);
        let open = faults.get_mut(&call)?;
        (!open.is_empty()).then(|| open.remove(0)).flatten()
    }
}

#[async_trait]
impl Environment for Fakes {
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

    async fn get_input(&self, request: &PresignedGet) -> Download {
        presigned::download(&lock(&self.state), request)
    }

    async fn post(&self, form: &UploadForm, content_type: &str, file: Vec<u8>) -> u16 {
        let directory = self.directory();
        presigned::upload(&mut lock(&self.state), directory, form, content_type, &file)
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
