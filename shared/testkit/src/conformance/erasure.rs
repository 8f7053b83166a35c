//! Erasing an account: nothing of it is left, and nothing of another is touched.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::account::{Account, Admission, Identity};
use domain::id::{AccountId, DocumentId, SourceKey, VersionId};
use domain::job::{DocumentResult, DocumentWork};
use domain::plan::Plan;
use domain::ports::{
    Earlier, ImportBegun, KeyCreation, Remembered, Subscribed, SubscriptionRequest, Trace,
    UPLOADS_ARRIVE,
};
use domain::usage::Used;

use super::customer;
use crate::sample;
use crate::sample::subscription::{delivery, webhook};
use crate::world::{Ports, World};

/// How accounts are closed, their traces found and erased.
pub async fn erasure<P: Ports, W: World>(ports: &P, world: &W) {
    a_closed_account_lets_nobody_in(ports, world).await;
    every_trace_is_found_and_erased(ports, world).await;
    what_is_a_name_of_another_by_now_stays(ports, world).await;
    subscriptions_go_with_their_deliveries(ports, world).await;
    nothing_of_the_account_itself_is_left(ports, world).await;
}

async fn a_closed_account_lets_nobody_in<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let (key, hash) = sample::key(world, &account);
    ports.create_key(&key).await.unwrap();
    let identity = identity(world);
    assert!(ports.link_identity(&account.id, &identity).await.unwrap());
    let now = world.now();
    let closed = ports.close_account(&account.id, now).await.unwrap();
    assert_eq!(closed, Some(now));
    let admission = ports.admit(&key.id, &hash, now).await.unwrap();
    assert_eq!(admission, Admission::Refused);
    let (other_key, _) = sample::key(world, &account);
    let created = ports.create_key(&other_key).await.unwrap();
    assert_eq!(created, KeyCreation::AccountChanged);
    // Whoever signs in anew is a new customer.
    let new = AccountId::mint(now, world.random());
    let admission = ports.admit_identity(&identity, &new, now).await.unwrap();
    let Admission::Admitted { caller, .. } = admission else {
        panic!("{admission:?}");
    };
    assert_eq!(caller.account_id, new);
    let later = now.plus(Duration::from_secs(9));
    let again = ports.close_account(&account.id, later).await.unwrap();
    assert_eq!(again, Some(now), "the first time counts");
    let unknown = sample::account(world, Plan::Pro);
    let closed = ports.close_account(&unknown.id, now).await.unwrap();
    assert_eq!(closed, None);
    assert_eq!(ports.account(&unknown.id).await.unwrap(), None);
}

/// Everything that an account leaves: two jobs, one of them in no list, an import and an upload, each under an
/// idempotency key.
struct Left {
    traces: BTreeSet<Trace>,
    job: String,
    import: String,
    upload: String,
}

async fn leave<P: Ports, W: World>(ports: &P, world: &W, account: &Account) -> Left {
    let now = world.now();
    let [job, look, import, upload] = std::array::from_fn(|_| sample::fingerprint(world));
    let listed = sample::acceptance(world, account, &job);
    ports.accept(&listed).await.unwrap();
    let mut unlisted = sample::acceptance(world, account, &look);
    unlisted.job.document = Some(look_into_a_document(world));
    ports.accept(&unlisted).await.unwrap();
    let start = sample::library::import(world, account, Some(&import), now);
    let begun = ports.begin_import(&start).await.unwrap();
    assert_eq!(begun, ImportBegun::New);
    assert!(ports.give_up_import(&start.import, now).await.unwrap());
    let again = sample::library::import(world, account, Some(&import), now);
    assert_eq!(ports.begin_import(&again).await.unwrap(), ImportBegun::New);
    let source = SourceKey::mint(now, world.random());
    let expires_at = now.plus(Duration::from_secs(60));
    let remembered = ports.remember(&account.id, &upload, "body", &source, now, expires_at);
    assert_eq!(remembered.await.unwrap(), Remembered::New);
    let traces = [
        Trace::Job(listed.job.id),
        Trace::Job(unlisted.job.id),
        Trace::Import(start.import.document_id),
        Trace::Import(again.import.document_id),
        Trace::Upload(upload.clone()),
    ];
    Left {
        traces: traces.into(),
        job,
        import,
        upload,
    }
}

/// Every trace of an account, read in pages of two.
async fn traces<P: Ports>(ports: &P, account: &AccountId) -> BTreeSet<Trace> {
    let (mut found, mut after) = (BTreeSet::new(), None);
    loop {
        let page = ports.traces(account, after.as_deref(), 2).await.unwrap();
        assert!(page.traces.len() <= 2);
        for trace in page.traces {
            assert!(found.insert(trace), "told twice");
        }
        after = page.next;
        if after.is_none() {
            return found;
        }
    }
}

async fn every_trace_is_found_and_erased<P: Ports, W: World>(ports: &P, world: &W) {
    let (account, other) = (
        customer(ports, world, Plan::Pro).await,
        customer(ports, world, Plan::Pro).await,
    );
    let left = leave(ports, world, &account).await;
    let of_other = leave(ports, world, &other).await;
    assert_eq!(traces(ports, &account.id).await, left.traces);
    let listed = ports.jobs(&account.id, None, None, 10).await.unwrap();
    assert_eq!(listed.jobs.len(), 1, "only one of the jobs is listed");
    for _ in 0..2 {
        for trace in &left.traces {
            ports.erase_trace(&account.id, trace).await.unwrap();
        }
    }
    assert_eq!(traces(ports, &account.id).await, BTreeSet::new());
    let now = world.now();
    for trace in &left.traces {
        if let Trace::Job(id) = trace {
            assert_eq!(ports.job(id).await.unwrap(), None);
        }
    }
    assert_eq!(ports.replay(&left.job, "body", now).await.unwrap(), None);
    let earlier = ports.earlier_import(&account.id, &left.import, "body", now);
    assert_eq!(earlier.await.unwrap(), None);
    let source = SourceKey::mint(now, world.random());
    let expires_at = now.plus(Duration::from_secs(60));
    let remembered = ports.remember(&account.id, &left.upload, "body", &source, now, expires_at);
    assert_eq!(
        remembered.await.unwrap(),
        Remembered::New,
        "the key is free"
    );
    assert_eq!(traces(ports, &other.id).await, of_other.traces);
    let replayed = ports.replay(&of_other.job, "body", now).await.unwrap();
    assert!(matches!(replayed, Some(Earlier::Replayed(_))));
}

async fn what_is_a_name_of_another_by_now_stays<P: Ports, W: World>(ports: &P, world: &W) {
    let (account, other) = (
        customer(ports, world, Plan::Pro).await,
        customer(ports, world, Plan::Pro).await,
    );
    let (now, fingerprint) = (world.now(), sample::fingerprint(world));
    let source = SourceKey::mint(now, world.random());
    let expires_at = now.plus(Duration::from_secs(60));
    let remembered = ports.remember(&other.id, &fingerprint, "body", &source, now, expires_at);
    remembered.await.unwrap();
    let trace = Trace::Upload(fingerprint);
    ports.erase_trace(&account.id, &trace).await.unwrap();
    assert_eq!(traces(ports, &other.id).await, BTreeSet::from([trace]));
    // A token that stood for the account stands for another one since.
    let identity = identity(world);
    for account in [&account, &other] {
        ports.link_identity(&account.id, &identity).await.unwrap();
    }
    ports.erase_account(&account.id).await.unwrap();
    let new = AccountId::mint(now, world.random());
    let admission = ports.admit_identity(&identity, &new, now).await.unwrap();
    let Admission::Admitted { caller, .. } = admission else {
        panic!("{admission:?}");
    };
    assert_eq!(caller.account_id, other.id);
}

async fn nothing_of_the_account_itself_is_left<P: Ports, W: World>(ports: &P, world: &W) {
    let (account, other) = (
        customer(ports, world, Plan::Free).await,
        customer(ports, world, Plan::Free).await,
    );
    let (now, period) = (world.now(), world.now().period());
    for owner in [&account, &other] {
        for _ in 0..3 {
            let (key, _) = sample::key(world, owner);
            ports.create_key(&key).await.unwrap();
        }
        let used = ports.set_used(&owner.id, period, Some(3), Some(4));
        used.await.unwrap();
        let source = SourceKey::mint(now, world.random());
        let grant = ports.upload_url(&owner.id, &source, "text/plain", 4, now);
        let grant = grant.await.unwrap();
        assert_eq!(grant.expires_at, now.plus(UPLOADS_ARRIVE));
        let status = world
            .put(&grant.url, &grant.headers, b"text".to_vec())
            .await;
        assert_eq!(status, 200);
    }
    assert_eq!(ports.erase_objects(&account.id).await.unwrap(), 1);
    assert_eq!(ports.erase_objects(&account.id).await.unwrap(), 0);
    assert_eq!(ports.erase_account(&account.id).await.unwrap(), 3);
    assert_eq!(ports.erase_account(&account.id).await.unwrap(), 0);
    assert_eq!(ports.account(&account.id).await.unwrap(), None);
    assert_eq!(ports.keys(&account.id).await.unwrap(), []);
    let used = ports.used(&account.id, period).await.unwrap();
    assert_eq!(used, Used::default());
    assert!(ports.account(&other.id).await.unwrap().is_some());
    assert_eq!(ports.keys(&other.id).await.unwrap().len(), 3);
    assert_eq!(ports.erase_objects(&other.id).await.unwrap(), 1);
}

/// What makes a job one of Octavo's own, which no list shows.
fn look_into_a_document(world: &impl World) -> DocumentWork {
    let now = world.now();
    DocumentWork {
        document: DocumentId::mint(now, world.random()),
        version: VersionId::mint(now, world.random()),
        page: None,
        result: DocumentResult::Pages,
    }
}

fn identity(world: &impl World) -> Identity {
    Identity {
        issuer: "https://issuer.example".to_owned(),
        subject: format!("{:032x}", world.random()),
        email: None,
    }
}

async fn subscriptions_go_with_their_deliveries<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let other = customer(ports, world, Plan::Pro).await;
    let now = world.now();
    let mut all = Vec::new();
    for owner in [&account, &account, &other] {
        let one = webhook(world, owner);
        let request = SubscriptionRequest {
            fingerprint: sample::fingerprint(world),
            body_hash: "body".to_owned(),
            expires_at: now.plus(Duration::from_secs(3_600)),
        };
        let subscribed = ports.subscribe(&one, 10, Some(&request)).await.unwrap();
        assert_eq!(subscribed, Subscribed::New);
        let delivery = delivery(world, &one, now);
        let added = ports.add_deliveries(vec![delivery.clone()]).await;
        assert_eq!(added.unwrap().len(), 1);
        all.push((one, request, delivery));
    }
    let (ended, _, _) = &all[0];
    assert!(
        ports
            .unsubscribe(&account.id, &ended.id, now)
            .await
            .unwrap()
    );
    assert_eq!(ports.erase_subscriptions(&account.id).await.unwrap(), 2);
    assert_eq!(ports.erase_subscriptions(&account.id).await.unwrap(), 0);
    for (one, request, delivery) in &all {
        let left = one.account_id == other.id;
        let (owner, id) = (&one.account_id, &one.id);
        let stored = ports.subscription(owner, id).await.unwrap();
        assert_eq!(stored.is_some(), left);
        let stored = ports.delivery(id, &delivery.id).await.unwrap();
        assert_eq!(stored.is_some(), left);
        // The idempotency key, and the room for one alone, are free again.
        let new = webhook(world, if left { &other } else { &account });
        let again = ports.subscribe(&new, 1, Some(request)).await.unwrap();
        if left {
            assert_eq!(again, Subscribed::Replayed(Some(Box::new(one.clone()))));
        } else {
            assert_eq!(again, Subscribed::New);
            assert!(ports.unsubscribe(owner, &new.id, now).await.unwrap());
        }
    }
}
