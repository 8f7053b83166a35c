//! Conformance suite of the ports. Each function panics on the first failure. All use new accounts, so they can run
//! concurrently against a running stack.

mod acceptance;
mod accounts;
mod anonymous;
mod authentication;
mod deliveries;
mod documents;
mod engine_requests;
mod erasure;
mod identities;
mod library;
mod listing;
mod messaging;
mod outbox;
mod step_artifacts;
mod subscriptions;
mod switches;
mod transitions;
mod uploads;

pub use acceptance::acceptance;
pub use accounts::accounts;
pub use anonymous::anonymous;
pub use authentication::authentication;
pub use deliveries::deliveries;
pub use documents::documents;
pub use engine_requests::engine_requests;
pub use erasure::erasure;
pub use identities::identities;
pub use library::library;
pub use listing::listing;
pub use messaging::messaging;
pub use outbox::outbox;
pub use step_artifacts::step_artifacts;
pub use subscriptions::subscriptions;
pub use switches::switches;
pub use transitions::transitions;
pub use uploads::uploads;

use domain::account::Account;
use domain::job::Job;
use domain::plan::Plan;
use domain::ports::AcceptOutcome;
use domain::timestamp::Timestamp;
use domain::transition::{Claim, Transition};

use crate::environment::{Environment, Ports};
use crate::sample;

/// A stored account.
async fn stored_account(ports: &impl Ports, env: &impl Environment, plan: Plan) -> Account {
    let account = sample::account(env, plan);
    ports.create_account(&account).await.unwrap();
    account
}

/// An accepted job of `account`.
async fn accepted(ports: &impl Ports, env: &impl Environment, account: &Account) -> Job {
    let acceptance = sample::acceptance(env, account, &sample::fingerprint(env));
    assert_eq!(ports.accept(&acceptance).await.unwrap(), AcceptOutcome::New);
    acceptance.job
}

/// The claim of a job.
fn claim(job: &Job, now: Timestamp) -> Transition {
    match job.claim(now) {
        Claim::Work(transition) => *transition,
        other => panic!("not claimed: {other:?}"),
    }
}

/// A job that a worker has claimed at `now`.
async fn claimed(ports: &impl Ports, job: &Job, now: Timestamp) -> Job {
    let claim = claim(job, now);
    assert!(ports.apply(&claim).await.unwrap(), "the claim is stale");
    claim.job
}
