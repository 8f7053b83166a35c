//! How ports behave. Each function panics at the first thing that is otherwise; all use accounts of their own, so they
//! may run side by side, against a stack that works.

mod acceptance;
mod accounts;
mod deliveries;
mod documents;
mod erasure;
mod gate;
mod identities;
mod library;
mod listing;
mod moves;
mod outbox;
mod public;
mod sending;
mod steps;
mod subscriptions;
mod switches;
mod uploads;

pub use acceptance::acceptance;
pub use accounts::accounts;
pub use deliveries::deliveries;
pub use documents::documents;
pub use erasure::erasure;
pub use gate::gate;
pub use identities::identities;
pub use library::library;
pub use listing::listing;
pub use moves::moves;
pub use outbox::outbox;
pub use public::public;
pub use sending::sending;
pub use steps::steps;
pub use subscriptions::subscriptions;
pub use switches::switches;
pub use uploads::uploads;

use domain::account::Account;
use domain::job::Job;
use domain::plan::Plan;
use domain::ports::Accepted;
use domain::timestamp::Timestamp;
use domain::transition::{Claim, Transition};

use crate::sample;
use crate::world::{Ports, World};

/// A stored account.
async fn customer(ports: &impl Ports, world: &impl World, plan: Plan) -> Account {
    let account = sample::account(world, plan);
    ports.create_account(&account).await.unwrap();
    account
}

/// An accepted job of `account`.
async fn accepted(ports: &impl Ports, world: &impl World, account: &Account) -> Job {
    let acceptance = sample::acceptance(world, account, &sample::fingerprint(world));
    assert_eq!(ports.accept(&acceptance).await.unwrap(), Accepted::New);
    acceptance.job
}

/// The claim of a job.
fn claim(job: &Job, now: Timestamp) -> Transition {
    match job.claim(now) {
        Claim::Work(transition) => *transition,
        other => panic!("no work: {other:?}"),
    }
}

/// A job that a worker has claimed at `now`.
async fn claimed(ports: &impl Ports, job: &Job, now: Timestamp) -> Job {
    let claim = claim(job, now);
    assert!(ports.apply(&claim).await.unwrap(), "the claim is stale");
    claim.job
}
